"""How Ctrl+K and the gallery find things by words that somebody types, the best first."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from pe_explorer.gallery.exhibits import QUESTIONS, Exhibit
from pe_explorer.gallery.lessons import lessons

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_WORD = re.compile(r"\d+\.\d+|[^\W_]+")
_LEAST_TYPED = 3  # letters of a synonym that is not typed to its end

_TYPED = {
    # what the program can show
    "131072": "128k",
    "alibi": "heads, slopes",
    "alikes": "lookalike, twin",
    "axis logarithmic": "log scale",
    "bfloat16": "bf16",
    "binary": "bits",
    "colours": "color, colormap, colors, colour map",
    "colours grey": "grayscale, greyscale",
    "compare, shown encoding difference": "comparison",
    "context": "context length, context window, max position embeddings, trained length",
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
    # what somebody wants to do
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
}
"""What is found by what people type, in small letters and without marks."""
SYNONYMS = {
    said: names.split(", ") for names, typed in _TYPED.items() for said in typed.split(", ")
}


class SearchWords(NamedTuple):
    """The words by which a thing is found; each text has a blank before every word."""

    name: str  # what it is called
    terms: str  # what else it is called, such as in a document or in a model's configuration
    texts: str  # all that is said of it


def search_words(name: str, terms: Iterable[str], texts: Iterable[str]) -> SearchWords:
    """Return the words of a name, of other names and of texts."""
    return SearchWords(_spaced(name), _spaced(" ".join(terms)), _spaced(" ".join(texts)))


def exhibit_words(exhibit: Exhibit) -> SearchWords:
    """Return the words by which an exhibit is found."""
    texts = ["exhibit", exhibit.id, exhibit.note, exhibit.text, exhibit.truth]
    texts += [QUESTIONS[exhibit.question], exhibit.source, exhibit.source_file]
    texts += [point.text for point in exhibit.look]
    texts += [f"{each.label} {each.outcome}" for each in exhibit.tries]
    return search_words(exhibit.title, exhibit.terms, texts)


def lesson_words(name: str) -> SearchWords:
    """Return the words by which a lesson is found."""
    lesson = lessons()[name]
    texts = [lesson.about, *lesson.document]
    texts += [f"{step.idea} {step.do}" for step in lesson.steps]
    return search_words(lesson.title, ("lesson",), texts)


@cache
def _spaced(text: str) -> str:
    """Return the words of a text in small letters, each after a blank; 22,500 is 22500, too."""
    return "".join(f" {word}" for word in _WORD.findall(_THOUSANDS.sub("", text.casefold())))


class Search:
    """What somebody typed, and how well things fit it."""

    def __init__(self, text: str) -> None:
        """Take words in any order; their beginnings are enough, and everything fits none."""
        self._whole = _spaced(text)
        self._own = self._whole.split()
        self._meant = list(_with_synonyms(self._own))

    def rank(self, words: SearchWords) -> int | None:
        """Return how well a thing fits, 0 for the best; None if it does not fit.

        First come those with that name, then those whose names begin with the whole text, then
        those of which words of the name begin with the words of the text, then those whose names
        have synonyms of them, then those with such other names, then those that have the words
        inside their names, and at last those of which words of any text or synonyms do.
        """
        name, names = words.name, words.name + words.terms
        if name.replace(" ", "") == self._whole.replace(" ", ""):
            return 0
        if name.startswith(self._whole):
            return 1
        if _have(name, self._own):
            return 2
        if self._are_meant(name):
            return 3
        if _have(names, self._own):
            return 4
        if all(word in name for word in self._own):
            return 5
        return 6 if self._are_meant(names + words.texts) else None

    def _are_meant(self, text: str) -> bool:
        return all(any(_have(text, way) for way in ways) for ways in self._meant)


def _have(text: str, words: Iterable[str]) -> bool:
    """Return whether words of a spaced text begin with each of some words."""
    return all(f" {word}" in text for word in words)


def _with_synonyms(words: Sequence[str]) -> Iterable[list[list[str]]]:
    """Yield the parts of what was typed: the longest that have synonyms, else single words.

    Each part is a list of ways to say it, its own words first. The last word may not be typed to
    its end.
    """
    while words:
        for count in range(len(words), 0, -1):
            said = " ".join(words[:count])
            typed = [said] if said in SYNONYMS else []
            if not typed and count == len(words) and len(said) >= _LEAST_TYPED:
                typed = [each for each in SYNONYMS if each.startswith(said)]
            if typed or count == 1:
                break
        synonyms = [name.split() for each in typed for name in SYNONYMS[each]]
        yield [list(words[:count]), *synonyms]
        words = words[count:]
