"""Reads an exploration out of a session's document, key by key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pe_explorer import encodings
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import MOST_PINS, Exploration, Pin, named
from pe_explorer.exploration.paths import found, translated
from pe_explorer.params import Declared, ParameterError, declared, quoted, sections

__all__ = ["PLACES", "Reader"]

PLACES = sections(Exploration)
"""Where the fields of an exploration stand in the file."""


class Reader:
    """Takes what it can use out of a document, and notes what it cannot."""

    def __init__(
        self,
        document: Mapping[str, Any],
        remarks: Collection[str],
        folder: Path | str | None = None,
    ) -> None:
        """Begin with a document, but for its `remarks`: keys that say nothing of what is set up.

        Names of files in it begin in `folder`, where that is known.
        """
        self._folder = folder
        self._rest = {key: value for key, value in document.items() if key not in remarks}
        self.notes: list[str] = []

    def encoding(self) -> Encoding | Unknown:
        """Return the encoding; of its parameters those that fit."""
        given = self._section("encoding")
        name = given.pop("name", None)
        if not isinstance(name, str):
            first = encodings.names()[0]
            self.notes.append(f"encoding.name: {quoted(name)} is not a name; {first} is used.")
            self._rest["encoding"] = {"name": name, **given}
            return encodings.create(first)
        return self._encoding("encoding", name, given)

    def _encoding(self, key: str, name: str, given: Mapping[str, Any]) -> Encoding | Unknown:
        """Return an encoding, of its parameters those that fit; what cannot be made is kept."""
        before = len(self.notes)
        given = translated(name, given, partial(self._file, key))
        try:
            scheme = encodings.find(name)
        except ParameterError as error:
            place, problem = "name", error.problem
        else:
            try:
                return scheme(**self._checked(key, dict(given), scheme, tuple(declared(scheme))))
            except ParameterError as error:  # each fits, but not all together
                place, problem = error.name, error.problem
        del self.notes[before:]  # of parameters that are not used
        self._rest.pop(key, None)
        kept = "the encoding is kept as it is, but cannot be shown"
        self.notes.append(f"{key}.{place}: {problem}; {kept}.")
        return Unknown(name, given, problem if place == "name" else f"{name}: {place}: {problem}")

    def _file(self, key: str, text: str) -> str:
        """Return the file that is meant, and note it if it is another than the one named."""
        path, remark = found(text, self._folder)
        if remark:
            self.notes.append(f"{key}: {remark}.")
        return path

    def fields(self, key: str, cls: type[Declared], names: tuple[str, ...]) -> dict[str, Any]:
        """Return the fields of a section that fit."""
        return self._checked(key, self._section(key), cls, names)

    def pins(self, compared: int) -> dict[str, Any]:
        """Return the pins that can be used, and which of them is `compared`, the number that
        counted all.
        """
        given = self._rest.pop("pins", [])
        if not isinstance(given, list):
            self.notes.append(f"pins: {quoted(given)} is not a list; dropped.")
            given = []
        if len(given) > MOST_PINS:
            self.notes.append(f"pins: {len(given)} are too many; the first {MOST_PINS} are kept.")
        found = [
            self._pin(f"pins[{index}]", entry) for index, entry in enumerate(given[:MOST_PINS])
        ]
        kept = tuple(pin for pin in found if pin is not None)
        return {"pins": kept, "compared": sum(pin is not None for pin in found[:compared])}

    def _pin(self, key: str, entry: object) -> Pin | None:
        if not isinstance(entry, dict) or not isinstance(entry.get("encoding"), dict):
            self.notes.append(f"{key}: {quoted(entry)} is not an object with an encoding; dropped.")
            return None
        parameters = dict(entry["encoding"])
        name = parameters.pop("name", None)
        if not isinstance(name, str):
            place = f"{key}.encoding.name"
            self.notes.append(f"{place}: {quoted(name)} is not a name; the pin is dropped.")
            return None
        e = self._encoding(f"{key}.encoding", name, parameters)
        rest = {name: value for name, value in entry.items() if name != "encoding"}
        fields = {"name": named(e)} | self._checked(key, rest, Pin, ("name", "colour"))
        extra = self._rest.pop(key, {})
        if of_encoding := self._rest.pop(f"{key}.encoding", None):
            extra["encoding"] = of_encoding
        return Pin(e, **fields, extra=extra)

    def options(self, view: str, initial: Declared) -> Declared:
        """Return the options of one view."""
        views = self._section("views", keep=True)
        given = views.pop(view, {})
        if not isinstance(given, dict):
            self.notes.append(f"views.{view}: {quoted(given)} is not an object; dropped.")
            given = {}
        found = self._checked(
            f"views.{view}", dict(given), type(initial), tuple(declared(type(initial)))
        )
        self._rest["views"] = views
        if left := self._rest.pop(f"views.{view}", None):
            views[view] = left
        try:
            return type(initial)(**found)
        except ParameterError as error:  # each fits, but not all together
            place = f"views.{view}.{error.name}"
            self.notes.append(f"{place}: {error.problem}; the defaults of the view are used.")
            return type(initial)()

    def exploration(self, fields: dict[str, Any]) -> Exploration:
        """Return the exploration; where fields do not go together, without the positions."""
        try:
            return Exploration(**fields)
        except ParameterError as error:
            self.notes.append(f"positions: {error.problem}; dropped.")
            return Exploration(
                **{name: value for name, value in fields.items() if name not in PLACES["positions"]}
            )

    def rest(self) -> Mapping[str, Any]:
        """Return what was not known."""
        used_up = ("encoding", *PLACES, "views")
        return MappingProxyType(
            {key: value for key, value in self._rest.items() if value or key not in used_up}
        )

    def _section(self, key: str, *, keep: bool = False) -> dict[str, Any]:
        given = self._rest.get(key, {}) if keep else self._rest.pop(key, {})
        if isinstance(given, dict):
            return dict(given)
        self.notes.append(f"{key}: {quoted(given)} is not an object; dropped.")
        self._rest.pop(key, None)
        return {}

    def _checked(
        self, key: str, given: dict[str, Any], cls: type[Declared], names: tuple[str, ...]
    ) -> dict[str, Any]:
        found = {}
        known = declared(cls)
        for name in names:
            if name not in given:
                continue
            try:
                found[name] = known[name].check(name, given.pop(name))
            except ParameterError as error:
                default = known[name].format(known[name].default) or "none"
                self.notes.append(
                    f"{key}.{name}: {error.problem}; the default, {default}, is used."
                )
        if given:
            self._rest[key] = given
        return found
