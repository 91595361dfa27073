"""The texts of a view: a file of `resources/words/`, filled with the facts of what is shown.

A text is a string, or ``{"text": …, "when": …}`` where it applies to some settings only. Of a list
of texts the first one wins that applies and whose facts exist. The file has

- ``facts``: texts by names that other texts use as facts, so that each is worded once,
- ``texts``: by their names, the texts that follow one another in a status line or a note,
- ``values``: by their names, lists of what is known of the cursor (``inspector``) or of a row of a
  table, each with ``name``, ``text``, ``help``, and ``in_words`` for a place with much room; those
  of the cursor name the fact that is the ``number`` of what is drawn there,
- by kinds of encodings the words of the guide: what the view ``shows``, where to ``look``, and what
  to ``try``, each with a ``label``, an outcome (``then``), settings (``set``) and ``when``.

A text or a value with ``each`` stands there once for each item of the fact that it names; an item
has facts of its own.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

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

_FILE = "words/{}.json"
_MOST_BYTES = 1 << 20  # of a file; a longer one is cut, so it is no valid JSON


class WordsError(Exception):
    """Words that cannot be read; the message is a sentence."""


class Text(NamedTuple):
    """A template, the settings that it applies to, and the fact for whose items it is repeated."""

    text: str
    when: Settings = MappingProxyType({})
    each: str = ""


Alternatives = tuple[Text, ...]
"""Alternative texts; the first that applies and whose facts exist wins."""


class Entry(NamedTuple):
    """A value that the inspector or a table shows: see `Filled`."""

    name: str
    text: Alternatives
    help: Alternatives
    in_words: Alternatives
    each: str
    number: str


class Filled(NamedTuple):
    """A value with its name, what it means, and other words for it where there is room.

    `number` is that of what is drawn, None for values that are not drawn.
    """

    name: str
    text: str
    help: str
    number: Any
    in_words: str


class Offer(NamedTuple):
    """Something to try: its label, its outcome, its settings, and when it applies."""

    label: str
    then: Alternatives
    settings: Settings
    when: Settings


class Guide(NamedTuple):
    """The words of the guide for one kind of encoding."""

    shows: tuple[Alternatives, ...] = ()
    look: tuple[Alternatives, ...] = ()
    offers: tuple[Offer, ...] = ()


class Words(NamedTuple):
    """The words of a view; those of the guide by the kinds of encodings."""

    facts: Mapping[str, Alternatives] = MappingProxyType({})
    texts: Mapping[str, tuple[Alternatives, ...]] = MappingProxyType({})
    values: Mapping[str, tuple[Entry, ...]] = MappingProxyType({})
    guides: Mapping[str, Guide] = MappingProxyType({})


@cache
def read_words(view: str) -> Words:
    """Return the words of a view, or raise `WordsError`."""
    try:
        found = json.loads(read_bytes(asset(_FILE.format(view)), _MOST_BYTES).decode("utf-8"))
        return Words(
            {key: alternatives(text) for key, text in found.pop("facts", {}).items()},
            {key: tuple(map(alternatives, of)) for key, of in found.pop("texts", {}).items()},
            {key: tuple(map(_entry, of)) for key, of in found.pop("values", {}).items()},
            {kind: _guide(words) for kind, words in found.items()},
        )
    except OSError as error:
        problem = f"cannot be read ({reason(error)})"
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        problem = "are damaged"
    raise WordsError(f"The words for this view, in {_FILE.format(view)}, {problem}.")


def alternatives(words: Any) -> Alternatives:
    """Return the texts that a value of a file holds; raises `TypeError` and others if none."""
    parts = words if isinstance(words, list) else [words]
    texts: list[Any] = [{"text": part} if isinstance(part, str) else part for part in parts]
    return tuple(
        Text(_plain(each["text"]), dict(each.get("when", {})), _plain(each.get("each", "")))
        for each in texts
    )


def _plain(words: object) -> str:
    if not isinstance(words, str):
        raise TypeError
    return words


def _entry(words: Mapping[str, Any]) -> Entry:
    text, meaning, in_words = (
        alternatives(words.get(key, "")) for key in ("text", "help", "in_words")
    )
    each, number = (_plain(words.get(key, "")) for key in ("each", "number"))
    return Entry(_plain(words["name"]), text, meaning, in_words, each, number)


def _guide(words: Mapping[str, Any]) -> Guide:
    shows, look = (tuple(map(alternatives, words.get(key, ()))) for key in ("shows", "look"))
    return Guide(shows, look, tuple(map(_offer, words.get("try", ()))))


def _offer(words: Mapping[str, Any]) -> Offer:
    settings, when = dict(words["set"]), dict(words.get("when", {}))
    return Offer(_plain(words["label"]), alternatives(words.get("then", "")), settings, when)


# -- settings --------------------------------------------------------------------------------------


def setting(state: Exploration, path: str, options_of: Callable[[str], Any]) -> Any:
    """Return the present value of a setting, which `options_of` finds in those of a view."""
    first, _, rest = path.partition(".")
    if first == "options":
        view, name = rest.split(".")
        return getattr(options_of(view), name)
    if first != "encoding":
        return getattr(state, path)
    encoding = state.intention.encoding
    return encoding.parameters[rest] if rest else encoding.name


def fits(when: Settings, find: Setting) -> bool:
    """Return whether every setting has one of its given values."""
    try:
        return all(
            find(path) in (wanted if isinstance(wanted, list) else [wanted])
            for path, wanted in when.items()
        )
    except (LookupError, AttributeError, ValueError):
        return False


# -- texts with facts ------------------------------------------------------------------------------


class Wording:
    """The words of a view with facts: these, and those worded in the file."""

    def __init__(self, view: str, facts: Named, find: Setting) -> None:
        self._view, self._facts, self._find = view, facts, find
        self._worded: dict[str, str] = {}
        self._words = Words()  # of a damaged file there are none
        with suppress(WordsError):
            self._words = read_words(view)

    def get(self, name: str) -> Any:
        """Return a fact, or None where it is missing."""
        if name not in self._words.facts:
            return self._facts.get(name)
        if name not in self._worded:
            self._worded[name] = self.first(self._words.facts[name])
        return self._worded[name] or None

    def first(self, texts: Alternatives) -> str:
        """Return the first text that applies and can be filled, or an empty one."""
        for text, when, each in texts:
            if not when or fits(when, self._find):
                found = "".join([filled(text, item) for item in self._items(each)])
                if found:
                    return found
        return ""

    def every(self, parts: Iterable[Alternatives]) -> list[str]:
        """Return the first of each of several texts, but for empty ones."""
        return list(filter(None, map(self.first, parts)))

    @np.errstate(all="ignore")  # a file may hold any numbers
    def parts(self, name: str) -> list[str]:
        """Return the texts of a name that apply and can be filled."""
        return self.every(self._words.texts.get(name, ()))

    def text(self, name: str) -> str:
        """Return the same as one text."""
        return "".join(self.parts(name))

    @np.errstate(all="ignore")
    def entries(self, key: str) -> list[Filled]:
        """Return the values of a list that can be filled."""
        found = []
        for entry in self._words.values.get(key, ()):
            for item in self._items(entry.each):
                if text := item.first(entry.text):
                    name, meaning = filled(entry.name, item), item.first(entry.help)
                    number = item.get(entry.number) if entry.number else None
                    found.append(Filled(name, text, meaning, number, item.first(entry.in_words)))
        return found

    def names(self, key: str) -> list[str]:
        """Return the names of a list of values."""
        entries = self._words.values.get(key, ())
        return [filled(entry.name, it) for entry in entries for it in self._items(entry.each)]

    def of(self, item: Any) -> "Wording":
        """Return the same words with the facts of an item."""
        assert isinstance(self._facts, Facts)
        return Wording(self._view, self._facts.of(item), self._find)

    def _items(self, each: str) -> Sequence["Wording"]:
        """Return what a repeated text is filled with, one after the other."""
        return list(map(self.of, self.get(each) or ())) if each else (self,)
