"""The texts of a view: a file of `resources/words/`, filled with the facts of what is shown.

A text is a string, or ``{"text": …, "when": …}`` where it applies to some settings only. Of a list
of texts the first one wins that applies and whose facts exist. The file has

- ``facts``: texts by names that other texts use as facts, so that each is worded once,
- ``texts``: by their names, the texts that follow one another in a status line or a note,
- ``values``: by their names, lists of what is known of the cursor (``inspector``) or of a row of a
  table, each with ``name``, ``text``, ``help``, and ``in_words`` for a place with much room,
- and by kinds of encodings the words of the guide: see `pe_explorer.gallery.guide`.

A text or a value with ``each`` stands there once for each item of the fact that it names; an item
has facts of its own.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration
from pe_explorer.params import reason
from pe_explorer.reading import read_bytes
from pe_explorer.words.facts import Facts
from pe_explorer.words.templates import Named, filled

Settings = Mapping[str, Any]
"""Values by the paths of settings; a list stands for any of its values."""
Setting = Callable[[str], Any]
"""Returns a setting by its path; raises `LookupError` or `AttributeError` for no such setting."""

_NONE: Settings = MappingProxyType({})
_FILE = "words/{}.json"
_OPTIONS = "options."
_PARAMETER = "encoding."
_MOST_BYTES = 1 << 20  # of a file; a longer one is cut and so no valid JSON


class WordsError(Exception):
    """Words that cannot be read; the message is a sentence."""


class Text(NamedTuple):
    """A template, the settings that it applies to, and the fact for whose items it is repeated."""

    text: str
    when: Settings = _NONE
    each: str = ""


Alternatives = tuple[Text, ...]
"""Alternative texts; the first that applies and whose facts exist wins."""


class Entry(NamedTuple):
    """A value that the inspector or a table shows: see `Filled`."""

    name: str
    value: Alternatives
    help: Alternatives
    in_words: Alternatives
    each: str


class Filled(NamedTuple):
    """A value with its name, what it means, and other words for it where there is room."""

    name: str
    text: str
    help: str
    in_words: str


class Words(NamedTuple):
    """The words of a view, without those of the guide, which are its `document`."""

    facts: Mapping[str, Alternatives] = MappingProxyType({})
    texts: Mapping[str, tuple[Alternatives, ...]] = MappingProxyType({})
    values: Mapping[str, tuple[Entry, ...]] = MappingProxyType({})
    document: Mapping[str, Any] = _NONE


@cache
def read_words(view: str) -> Words:
    """Return the words of a view, or raise `WordsError`."""
    try:
        found = json.loads(read_bytes(asset(_FILE.format(view)), _MOST_BYTES).decode("utf-8"))
        return Words(
            {key: alternatives(text) for key, text in found.pop("facts", {}).items()},
            {key: tuple(map(alternatives, of)) for key, of in found.pop("texts", {}).items()},
            {key: tuple(map(_entry, of)) for key, of in found.pop("values", {}).items()},
            found,
        )
    except OSError as error:
        raise _error(view, f"cannot be read ({reason(error)})") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise damaged(view) from None


def damaged(view: str) -> WordsError:
    """Return the error that the words of a view are damaged."""
    return _error(view, "are damaged")


def _error(view: str, problem: str) -> WordsError:
    return WordsError(f"The words for this view, in {_FILE.format(view)}, {problem}.")


def alternatives(words: Any) -> Alternatives:
    """Return the texts that a value of a file holds; raises `TypeError` and others if none."""
    parts = words if isinstance(words, list) else [words]
    named: list[Any] = [{"text": part} if isinstance(part, str) else part for part in parts]
    return tuple(
        Text(plain_text(part["text"]), dict(part.get("when", {})), plain_text(part.get("each", "")))
        for part in named
    )


def plain_text(words: object) -> str:
    """Return a string; raises `TypeError` for anything else."""
    if not isinstance(words, str):
        raise TypeError
    return words


def _entry(words: Mapping[str, Any]) -> Entry:
    value, meaning = alternatives(words["text"]), alternatives(words.get("help", []))
    in_words, each = alternatives(words.get("in_words", [])), plain_text(words.get("each", ""))
    return Entry(plain_text(words["name"]), value, meaning, in_words, each)


# -- settings --------------------------------------------------------------------------------------


def setting(state: Exploration, path: str, options_of: Callable[[str], Any]) -> Any:
    """Return the present value of a setting, which `options_of` finds in those of a view."""
    if path.startswith(_OPTIONS):
        view, name = path.removeprefix(_OPTIONS).split(".")
        return getattr(options_of(view), name)
    if path == "encoding":
        return state.intention.encoding.name
    if path.startswith(_PARAMETER):
        return state.intention.encoding.parameters[path.removeprefix(_PARAMETER)]
    return getattr(state, path)


def fits(when: Settings, find: Setting) -> bool:
    """Return whether every setting has one of its given values."""
    for path, wanted in when.items():
        values = wanted if isinstance(wanted, list) else [wanted]
        try:
            if find(path) not in values:
                return False
        except (LookupError, AttributeError, ValueError):
            return False
    return True


# -- texts with facts ------------------------------------------------------------------------------


class Telling:
    """The words of a view with facts: these, and those worded in the file."""

    def __init__(self, words: Words, facts: Named, find: Setting) -> None:
        self._words, self._facts, self._find = words, facts, find

    def get(self, name: str) -> Any:
        """Return a fact, or None where it is missing."""
        if name in self._words.facts:
            return self.first(self._words.facts[name]) or None
        return self._facts.get(name)

    def first(self, texts: Alternatives) -> str:
        """Return the first text that applies and can be filled, or an empty one."""
        for text, when, each in texts:
            if not when or fits(when, self._find):
                found = "".join([filled(text, item) for item in self._items(each)])
                if found:
                    return found
        return ""

    def parts(self, name: str) -> list[str]:
        """Return the texts of a name that apply and can be filled."""
        return list(filter(None, map(self.first, self._words.texts.get(name, ()))))

    def text(self, name: str) -> str:
        """Return the same as one text."""
        return "".join(self.parts(name))

    def entries(self, key: str) -> Iterator[Filled]:
        """Yield the values of a list that can be filled."""
        for name, value, meaning, in_words, each in self._words.values.get(key, ()):
            for item in self._items(each):
                if text := item.first(value):
                    more = item.first(meaning), item.first(in_words)
                    yield Filled(filled(name, item), text, *more)

    def of(self, item: Any) -> "Telling":
        """Return the same words with the facts of an item."""
        assert isinstance(self._facts, Facts)
        return Telling(self._words, self._facts.of(item), self._find)

    def _items(self, each: str) -> Sequence["Telling"]:
        """Return what a repeated text is filled with, one after the other."""
        return list(map(self.of, self.get(each) or ())) if each else (self,)


def telling(view: str, facts: Named, find: Setting) -> Telling:
    """Return the words of a view with facts; there are no texts if its file is damaged."""
    try:
        words = read_words(view)
    except WordsError:
        words = Words()
    return Telling(words, facts, find)
