"""The texts of a view: a file in `resources/words/`, filled with facts.

A text is a string, or ``{"text": …, "when": …}`` if it depends on settings. In a list
of texts, the first valid text whose facts exist is used. The file contains

- ``facts``: texts by name, which other texts use as facts to avoid repetition,
- ``texts``: by name, lists of texts that are joined in a status line or a note,
- ``values``: by name, lists of values at the cursor (``inspector``) or in a row of a
  table. Each value has ``name``, ``text``, ``help``, and ``in_words`` for places with
  more space. A value at the cursor can have a ``number``, the fact whose value the view
  draws at the cursor,
- texts of the guide, by kind of encoding: what the view ``shows``, where to ``look``,
  and experiments to ``try``. Each experiment has a ``label``, an outcome (``then``),
  settings (``set``) and a condition (``when``).

A text or value with ``each`` is repeated for each item of the named fact, and can
contain facts of the item.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.assets import find_asset
from pe_explorer.exploration import Exploration
from pe_explorer.params import reason
from pe_explorer.reading import read_bytes
from pe_explorer.words.facts import Facts
from pe_explorer.words.templates import FactSource, fill

Settings = Mapping[str, Any]
"""Required values of settings, by path; a list allows any of its values."""
SettingLookup = Callable[[str], Any]
"""A function that returns the setting at a path.

It may raise `LookupError` or `AttributeError`."""

_MAX_FILE_BYTES = 1 << 20  # maximum size in bytes; larger files are truncated and therefore invalid


class WordsError(Exception):
    """An error for an unreadable file of texts; the message is a sentence."""


class Text(NamedTuple):
    """A template, the settings that it requires, and the fact for whose items it is repeated."""

    text: str
    when: Settings = MappingProxyType({})
    item_fact: str = ""


Alternatives = tuple[Text, ...]  # alternative texts; the first valid text whose facts exist is used


class Entry(NamedTuple):
    """The templates of a value in the inspector or a table; see `FilledEntry`."""

    name: str
    text: Alternatives
    help: Alternatives
    in_words: Alternatives
    item_fact: str
    number: str


class FilledEntry(NamedTuple):
    """The filled texts of a value: its name, the value, an explanation and a longer form."""

    name: str
    text: str
    help: str
    number: Any  # the drawn number, nan if it is undefined, or None if the view draws no number
    in_words: str


class Suggestion(NamedTuple):
    """An experiment to offer: a label, an outcome, settings, and a condition."""

    label: str
    then: Alternatives
    settings: Settings
    when: Settings


class Guide(NamedTuple):
    """The texts of the guide for one kind of encoding."""

    shows: tuple[Alternatives, ...] = ()
    look: tuple[Alternatives, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()


class ViewTexts(NamedTuple):
    """The texts of a view, with one guide for each kind of encoding."""

    facts: Mapping[str, Alternatives] = MappingProxyType({})
    texts: Mapping[str, tuple[Alternatives, ...]] = MappingProxyType({})
    values: Mapping[str, tuple[Entry, ...]] = MappingProxyType({})
    guides: Mapping[str, Guide] = MappingProxyType({})


@cache
def read_words(view: str) -> ViewTexts:
    """Return the texts of a view; raise `WordsError` if their file is unreadable."""
    file = f"words/{view}.json"
    try:
        data = json.loads(read_bytes(find_asset(file), _MAX_FILE_BYTES).decode("utf-8"))
        return ViewTexts(
            {key: alternatives(text) for key, text in data.pop("facts", {}).items()},
            {key: tuple(map(alternatives, items)) for key, items in data.pop("texts", {}).items()},
            {key: tuple(map(_entry, items)) for key, items in data.pop("values", {}).items()},
            {kind: _parse_guide(words) for kind, words in data.items()},
        )
    except OSError as error:
        problem = f"cannot be read ({reason(error)})"
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        problem = "are damaged"
    raise WordsError(f"The texts of this view, in {file}, {problem}. Reinstall PE Explorer.")


def alternatives(words: Any) -> Alternatives:
    """Convert a JSON value to alternatives; raise an error if the value is invalid."""
    texts = []
    for item in words if isinstance(words, list) else [words]:
        values: Any = {"text": item} if isinstance(item, str) else item
        text, item_fact = _require_string(values["text"]), _require_string(values.get("each", ""))
        texts.append(Text(text, dict(values.get("when", {})), item_fact))
    return tuple(texts)


def _require_string(words: object) -> str:
    if not isinstance(words, str):
        raise TypeError
    return words


def _entry(words: Mapping[str, Any]) -> Entry:
    keys = "text", "help", "in_words"
    text, meaning, in_words = (alternatives(words.get(key, "")) for key in keys)
    item_fact, number = (_require_string(words.get(key, "")) for key in ("each", "number"))
    return Entry(_require_string(words["name"]), text, meaning, in_words, item_fact, number)


def _parse_guide(words: Mapping[str, Any]) -> Guide:
    shows, look = (tuple(map(alternatives, words.get(key, ()))) for key in ("shows", "look"))
    suggestions = []
    for item in words.get("try", ()):
        label, outcome = _require_string(item["label"]), alternatives(item.get("then", ""))
        suggestions.append(
            Suggestion(label, outcome, dict(item["set"]), dict(item.get("when", {})))
        )
    return Guide(shows, look, tuple(suggestions))


def get_setting(state: Exploration, path: str, find_options: Callable[[str], Any]) -> Any:
    """Return the value of a setting; `find_options` returns the options of a view."""
    first, _, remaining_path = path.partition(".")
    if first == "options":
        view, name = remaining_path.split(".")
        return getattr(find_options(view), name)
    if first != "encoding":
        return getattr(state, path)
    encoding = state.intention.encoding
    return encoding.parameters[remaining_path] if remaining_path else encoding.name


def fits(when: Settings, find: SettingLookup) -> bool:
    """Return whether every setting has one of the given values."""
    lists = {path: item if isinstance(item, list) else [item] for path, item in when.items()}
    try:
        return all(find(path) in values for path, values in lists.items())
    except (LookupError, AttributeError, ValueError):
        return False


class Wording:
    """The texts of a view, filled with facts; the file of the view can define further facts."""

    def __init__(self, view: str, facts: FactSource, find: SettingLookup) -> None:
        self._view, self._facts, self._find_setting = view, facts, find
        self._fact_texts: dict[str, str] = {}
        self._words = ViewTexts()  # stays empty if the file is damaged
        with suppress(WordsError):
            self._words = read_words(view)

    def get(self, name: str) -> Any:
        """Return a fact, or None if it is missing."""
        if name not in self._words.facts:
            return self._facts.get(name)
        if name not in self._fact_texts:
            self._fact_texts[name] = self.first(self._words.facts[name])
        return self._fact_texts[name] or None

    def first(self, texts: Alternatives) -> str:
        """Return the first text that applies and can be filled, or an empty string."""
        for text, when, item_fact in texts:
            if fits(when, self._find_setting):
                result = "".join([fill(text, item) for item in self._list_items(item_fact)])
                if result:
                    return result
        return ""

    def list_valid_texts(self, parts: Iterable[Alternatives]) -> list[str]:
        """Return the first valid text of each part; omit parts without a valid text."""
        return [text for part in parts if (text := self.first(part))]

    @np.errstate(all="ignore")  # values from a file may cause warnings
    def parts(self, name: str) -> list[str]:
        """Return the texts listed under a name that apply and can be filled."""
        return self.list_valid_texts(self._words.texts.get(name, ()))

    def text(self, name: str) -> str:
        """Return the texts listed under a name, joined."""
        return "".join(self.parts(name))

    @np.errstate(all="ignore")
    def entries(self, key: str) -> list[FilledEntry]:
        """Return the values listed under a key that can be filled."""
        values = []
        for entry in self._words.values.get(key, ()):
            for item in self._list_items(entry.item_fact):
                if text := item.first(entry.text):
                    name, meaning = fill(entry.name, item), item.first(entry.help)
                    number = item.get(entry.number) if entry.number else None
                    if entry.number and number is None:
                        number = math.nan
                    in_words = item.first(entry.in_words)
                    values.append(FilledEntry(name, text, meaning, number, in_words))
        return values

    def names(self, key: str) -> list[str]:
        """Return the names of the values listed under a key."""
        values = self._words.values.get(key, ())
        return [
            fill(value.name, item) for value in values for item in self._list_items(value.item_fact)
        ]

    def with_item(self, item: Any) -> "Wording":
        """Return the same texts with the facts of an item."""
        assert isinstance(self._facts, Facts)
        return Wording(self._view, self._facts.with_item(item), self._find_setting)

    def _list_items(self, name: str) -> Sequence["Wording"]:
        """Return a wording for each item of a fact, or only this wording if `name` is empty."""
        return list(map(self.with_item, self.get(name) or ())) if name else (self,)
