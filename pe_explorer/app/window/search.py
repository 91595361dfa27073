"""Search by words, for the command palette and the gallery."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from pe_explorer.gallery.exhibits import QUESTIONS, Exhibit
from pe_explorer.gallery.lessons import Lesson

_THOUSANDS_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3})")
_WORD_PATTERN = re.compile(r"\d+\.\d+|[^\W_]+")
_MIN_SYNONYM_LETTERS = 3  # minimum number of typed letters to complete a synonym

_NAME_SYNONYMS = {
    # content that the program can show
    "131072": "128k",
    "alibi": "heads, slopes",
    "alikes": "lookalike, twin",
    "axis logarithmic": "log scale",
    "bfloat16": "bf16",
    "binary": "bits",
    "colours": "color, colormap, colors, colour map",
    "colours grey": "grayscale, greyscale",
    "compare, shown encoding difference": "comparison",
    "context": (
        "context length, context window, max position embeddings, trained length, training length"
    ),
    "context, past the training": "long context",
    "dark theme": "dark mode",
    "difference": "diff",
    "dimensions, width": "dimension",
    "distances, likeness": "similarity",
    "dot product": "inner product",
    "export figure, colours": "colour bar",
    "float32": "half precision",
    "frequencies": "fourier, wavelength",
    "garbles": "garbage",
    "learned": "gpt2, learned embedding, learned embeddings",
    "ntk": "dynamic ntk, ntk aware",
    "part attention": "softmax",
    "part attention, attention head": "attention score, attention scores, attention weights",
    "projection": "scatter",
    "rope": "head dim, llama, rope theta, rotary",
    "rope, base": "theta",
    "shift, clocks": "rotation",
    "shown encoding difference": "compare",
    "sse": "mse",
    "tokens": "word",
    "upward": "flip",
    "width": "d model, embedding dimension, hidden size",
    # user tasks
    "about": "citation, cite, licence, license",
    "copy": "clipboard",
    "copy as code, copy as figure code": "python",
    "copy as code, export data": "numpy",
    "copy as command": "command line",
    "copy as command, copy as figure code": "reproducible, script",
    "copy as figure code": "matplotlib",
    "exhibit": "example",
    "export": "save",
    "export data": "csv, npy",
    "export figure": (
        "axis limits, caption, font size, journal, latex, legend, line width, pdf, svg, ticks, "
        "title, transparent background, vector graphics"
    ),
    "export figure, export picture": "dpi, high resolution, png",
    "frequencies, faster, slower": "speed",
    "full screen": "fullscreen",
    "keys": "shortcut, shortcuts",
    "keys and mouse, start here": "help",
    "lesson": "tutorial",
    "open": "hugging face, huggingface, open recent",
    "open, learned": "safetensors",
    "panel": "toggle panel",
    "picture": "image, screenshot",
    "play": "animation, video",
    "print, export figure": "a4",
    "save": "save session",
    "theme": "dark, light, preferences",
    "theme, parameter": "settings",
}  # synonyms of names, in lower case and without punctuation
SYNONYMS = {
    word: names.split(", ") for names, words in _NAME_SYNONYMS.items() for word in words.split(", ")
}


class SearchWords(NamedTuple):
    """The search words of an entry; each text has a space before every word."""

    name: str  # the name of the entry
    terms: str  # other names, for example in documents or configurations
    texts: str  # descriptions


def make_search_words(name: str, terms: Iterable[str], texts: Iterable[str]) -> SearchWords:
    """Return search words made from the name, other names and descriptions of an entry."""
    return SearchWords(*map(_normalise_words, (name, " ".join(terms), " ".join(texts))))


def make_exhibit_words(exhibit: Exhibit) -> SearchWords:
    """Return the search words of an exhibit."""
    texts = ["exhibit", exhibit.id, exhibit.note, exhibit.text, exhibit.truth]
    texts += [QUESTIONS[exhibit.question], exhibit.source, exhibit.summary]
    texts += [point.text for point in exhibit.look]
    texts += [f"{suggestion.label} {suggestion.outcome}" for suggestion in exhibit.tries]
    return make_search_words(exhibit.title, exhibit.terms, texts)


def make_lesson_words(lesson: Lesson) -> SearchWords:
    """Return the search words of a lesson."""
    texts = [lesson.about, lesson.question]
    texts += [f"{step.idea} {step.do}" for step in lesson.steps]
    return make_search_words(lesson.title, ("lesson",), texts)


@cache
def _normalise_words(text: str) -> str:
    """Return the lower-case words of `text`, each after a space; 22,500 becomes 22500."""
    text = _THOUSANDS_SEPARATOR.sub("", text.casefold())
    return "".join(f" {word}" for word in _WORD_PATTERN.findall(text))


class Search:
    """A search query that ranks entries."""

    def __init__(self, text: str) -> None:
        """Create a query; words can be incomplete and in any order, and "" matches all entries."""
        self._whole_text = _normalise_words(text)
        self._joined_text = self._whole_text.replace(" ", "")
        self._words = self._whole_text.split()
        self._word_starts = _mark_starts(self._words)
        self._parts = [[*map(_mark_starts, part)] for part in _add_synonyms(self._words)]

    def rank(self, words: SearchWords) -> int | None:
        """Return the rank of an entry, 0 for the best match; None if it does not match."""
        name, names = words.name, words.name + words.terms
        if name.replace(" ", "") == self._joined_text:
            return 0
        is_match = self._is_match(names + words.texts)
        if is_match:  # test only these entries further, because most entries do not match
            if name.startswith(self._whole_text):
                return 1
            if _has_all(name, self._word_starts):
                return 2
            if self._is_match(name):
                return 3
            if _has_all(names, self._word_starts):
                return 4
        if _has_all(name, self._words):
            return 5
        return 6 if is_match else None

    def _is_match(self, text: str) -> bool:
        """Return whether `text` has all words of the query, or synonyms of these words."""
        return all(any(_has_all(text, starts) for starts in part) for part in self._parts)


def _mark_starts(words: Iterable[str]) -> list[str]:
    """Return the words with a space, so that in normalised texts only beginnings match."""
    return [f" {word}" for word in words]


def _has_all(text: str, parts: Iterable[str]) -> bool:
    return all(part in text for part in parts)


def _add_synonyms(words: Sequence[str]) -> Iterable[list[list[str]]]:
    """Split a query into phrases, and yield the alternatives for each phrase.

    A phrase is the longest sequence of words with synonyms, or else a single word. The
    first alternative is the phrase as typed. The last word may be incomplete.
    """
    while words:
        for count in range(len(words), 0, -1):
            phrase = " ".join(words[:count])
            matches = [phrase] if phrase in SYNONYMS else []
            if not matches and count == len(words) and len(phrase) >= _MIN_SYNONYM_LETTERS:
                matches = [synonym for synonym in SYNONYMS if synonym.startswith(phrase)]
            if matches or count == 1:
                break
        synonyms = [name.split() for synonym in matches for name in SYNONYMS[synonym]]
        yield [list(words[:count]), *synonyms]
        words = words[count:]
