"""How Ctrl+K and the gallery find things by words that somebody types, the best first."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from pe_explorer.gallery.exhibits import QUESTIONS, Exhibit
from pe_explorer.gallery.lessons import lessons

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_WORD = re.compile(r"\d+\.\d+|[^\W_]+")
_LEAST_TYPED = 3  # letters of a synonym that is not typed to its end

SYNONYMS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        # what the program can show
        "128k": ("131072",),
        "attention score": ("part attention", "attention head"),
        "attention scores": ("part attention", "attention head"),
        "attention weights": ("part attention", "attention head"),
        "bf16": ("bfloat16",),
        "bits": ("binary",),
        "color": ("colours",),
        "colormap": ("colours",),
        "colors": ("colours",),
        "colour bar": ("export figure", "colours"),
        "colour map": ("colours",),
        "compare": ("shown encoding difference",),
        "comparison": ("compare", "shown encoding difference"),
        "context length": ("context",),
        "context window": ("context",),
        "d model": ("width",),
        "dark mode": ("dark theme",),
        "diff": ("difference",),
        "dimension": ("dimensions", "width"),
        "dynamic ntk": ("ntk",),
        "embedding dimension": ("width",),
        "flip": ("upward",),
        "fourier": ("frequencies",),
        "garbage": ("garbles",),
        "gpt2": ("learned",),
        "grayscale": ("colours grey",),
        "greyscale": ("colours grey",),
        "half precision": ("float32",),
        "head dim": ("rope",),
        "heads": ("alibi",),
        "hidden size": ("width",),
        "inner product": ("dot product",),
        "learned embedding": ("learned",),
        "learned embeddings": ("learned",),
        "llama": ("rope",),
        "log scale": ("axis logarithmic",),
        "long context": ("context", "past the training"),
        "lookalike": ("alikes",),
        "max position embeddings": ("context",),
        "mse": ("sse",),
        "ntk aware": ("ntk",),
        "rope theta": ("rope",),
        "rotary": ("rope",),
        "rotation": ("shift", "clocks"),
        "scatter": ("projection",),
        "similarity": ("distances", "likeness"),
        "slopes": ("alibi",),
        "softmax": ("part attention",),
        "theta": ("rope", "base"),
        "trained length": ("context",),
        "twin": ("alikes",),
        "wavelength": ("frequencies",),
        "word": ("tokens",),
        # what somebody wants to do
        "a4": ("print", "export figure"),
        "animation": ("play",),
        "axis limits": ("export figure",),
        "caption": ("export figure",),
        "citation": ("about",),
        "cite": ("about",),
        "clipboard": ("copy",),
        "command line": ("copy as command",),
        "csv": ("export data",),
        "dark": ("theme",),
        "dpi": ("export figure", "export picture"),
        "example": ("exhibit",),
        "font size": ("export figure",),
        "fullscreen": ("full screen",),
        "help": ("keys and mouse", "start here"),
        "high resolution": ("export figure", "export picture"),
        "hugging face": ("open",),
        "huggingface": ("open",),
        "image": ("picture",),
        "journal": ("export figure",),
        "latex": ("export figure",),
        "legend": ("export figure",),
        "licence": ("about",),
        "license": ("about",),
        "light": ("theme",),
        "line width": ("export figure",),
        "matplotlib": ("copy as figure code",),
        "npy": ("export data",),
        "numpy": ("copy as code", "export data"),
        "open recent": ("open",),
        "pdf": ("export figure",),
        "png": ("export picture", "export figure"),
        "preferences": ("theme",),
        "python": ("copy as code", "copy as figure code"),
        "reproducible": ("copy as command", "copy as figure code"),
        "safetensors": ("open", "learned"),
        "save session": ("save",),
        "save": ("export",),
        "screenshot": ("picture",),
        "script": ("copy as figure code", "copy as command"),
        "settings": ("theme", "parameter"),
        "shortcut": ("keys",),
        "shortcuts": ("keys",),
        "speed": ("frequencies", "faster", "slower"),
        "svg": ("export figure",),
        "ticks": ("export figure",),
        "title": ("export figure",),
        "toggle panel": ("panel",),
        "transparent background": ("export figure",),
        "tutorial": ("lesson",),
        "vector graphics": ("export figure",),
        "video": ("play",),
    }
)
"""What people type, in small letters and without marks, and what it is called here."""


class SearchWords(NamedTuple):
    """The words by which a thing is found; each text has a blank before every word."""

    name: str
    """What it is called."""
    terms: str
    """What else it is called, such as in a document or in a model's configuration."""
    texts: str
    """All that is said of it."""


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
    """Return the words of a text in small letters, each with a blank before it.

    Numbers keep their decimals and lose their commas: 22,500 is 22500, too.
    """
    return "".join(f" {word}" for word in _WORD.findall(_THOUSANDS.sub("", text.casefold())))


class Search:
    """What somebody typed, and how well things fit it.

    Parameters
    ----------
    text : str
        Words in any order, of which the beginnings are enough. Everything fits an empty one.
    """

    def __init__(self, text: str) -> None:
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
        """Return whether a text has each part of what was typed, or a synonym of it."""
        return all(any(_have(text, way) for way in ways) for ways in self._meant)


def _have(text: str, words: Iterable[str]) -> bool:
    """Return whether words of a spaced text begin with each of some words."""
    return all(f" {word}" in text for word in words)


def _with_synonyms(words: Sequence[str]) -> Iterable[list[list[str]]]:
    """Yield the parts of what was typed: the longest that have synonyms, else single words.

    Each part is a list of ways to say it, its own words first.
    """
    while words:
        for count in range(len(words), 0, -1):
            said = " ".join(words[:count])
            synonyms = _synonyms(said, is_last=count == len(words))
            if synonyms or count == 1:
                break
        yield [list(words[:count]), *(each.split() for each in synonyms)]
        words = words[count:]


def _synonyms(said: str, is_last: bool) -> list[str]:
    """Return the synonyms of some words, of which the last may not be typed to its end."""
    if said in SYNONYMS or not is_last or len(said) < _LEAST_TYPED:
        return list(SYNONYMS.get(said, ()))
    return [name for typed in SYNONYMS if typed.startswith(said) for name in SYNONYMS[typed]]
