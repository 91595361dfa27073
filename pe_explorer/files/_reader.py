"""Read the exploration in a session's document, and add notes on invalid values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pe_explorer import encodings, exploration, pictures
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import MAX_PINS, Exploration, Panes, Pin, make_panes, paths
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.params import (
    Declared,
    FileName,
    ParameterError,
    declared,
    describe_bad_choice,
    format_fault,
    quote_value,
    sections,
    suggest_choice,
    with_full_stop,
    with_remedy,
)
from pe_explorer.pictures.picture import Options

SECTIONS = sections(Exploration)
"""The sections of a document, with the fields of an exploration in each section."""

Folder = Path | str | None


class Section:
    """An object in a JSON document; its methods remove values that they read, and add notes."""

    def __init__(self, path: str, values: Mapping[str, Any], notes: list[str]) -> None:
        self.path = path  # for example ``pins[0].encoding``; empty for the whole document
        self.values = dict(values)  # values that have not been read
        self.notes = notes  # problems with values; shared by all sections of a document
        self._children: dict[str, Section] = {}
        self._known_names: set[str] = set()

    def note(self, problem: str, key: str = "") -> None:
        """Add a note on a problem with the section or with one of its keys."""
        self.notes.append(with_full_stop(f"{self._format_path(key)}: {problem}"))

    def child(self, key: str) -> Section:
        """Remove and return a section; it is empty if the value is missing or not an object."""
        values = self.values.pop(key, {})
        if not isinstance(values, dict):
            self.note(with_remedy(format_fault("an object", values), "it is ignored"), key)
            values = {}
        child = Section(self._format_path(key), values, self.notes)
        self._children[key] = child
        return child

    def fields(self, cls: type[Declared], names: Collection[str] = ()) -> dict[str, Any]:
        """Remove the fields of a class (only `names`, if given), and return the valid ones."""
        valid_fields = {}
        for name, parameter in declared(cls).items():
            if names and name not in names:
                continue
            self._known_names.add(name)
            if name not in self.values:
                continue
            try:
                valid_fields[name] = parameter.check(name, self.values.pop(name))
            except ParameterError as error:
                default = parameter.format(parameter.default) or "none"
                self.note(with_remedy(error.fault, f"the default, {default}, is used"), name)
        return valid_fields

    def remaining_values(self) -> dict[str, Any]:
        """Return all values that have not been read, and note keys that look misspelt."""
        remaining_values = dict(self.values)
        for key in remaining_values:
            if hint := suggest_choice(key, self._known_names | self._children.keys()):
                self.note(f"unknown key{hint} It has no effect", key)
        for key, child in self._children.items():
            if child_values := child.remaining_values():
                remaining_values[key] = child_values
        return remaining_values

    def _format_path(self, key: str) -> str:
        return ".".join(filter(None, (self.path, key)))


def read_exploration(document: Section, folder: Folder) -> Exploration:
    """Return the exploration in a document that was read from a file in `folder`."""
    default = encodings.names()[0]
    encoding = _read_encoding(document.child("encoding"), folder, f"{default} is used")
    fields: dict[str, Any] = {"encoding": encoding or encodings.create(default)}
    for key, names in SECTIONS.items():
        fields |= document.child(key).fields(Exploration, names)
    pins = _read_pins(document, folder)
    earlier_pins = pins[: fields.get("compared", 0)]
    fields["compared"] = sum(pin is not None for pin in earlier_pins)
    fields["pins"] = tuple(pin for pin in pins if pin is not None)
    views = document.child("views")
    fields["options"] = {
        name: _read_options(views.child(name), pictures.find(name).Options, folder)
        for name in pictures.names()
    }
    fields["panes"] = _read_panes(document.child("panes"))
    try:
        return Exploration(**fields)
    except ParameterError as error:  # each value is valid, but the combination is not
        document.note(with_remedy(error.fault, "the default positions are used"), "positions")
        for name in SECTIONS["positions"]:
            fields.pop(name, None)
        return Exploration(**fields)


def _read_encoding(section: Section, folder: Folder, remedy: str) -> Encoding | Unknown | None:
    """Return an encoding; if it has no name, add a note with `remedy` and return None."""
    name = section.values.get("name")
    if not isinstance(name, str):
        section.note(with_remedy(format_fault("the name of an encoding", name), remedy), "name")
        return None
    del section.values["name"]
    note_count = len(section.notes)
    locate = partial(_locate_file, section, folder)
    parameters = paths.respell_parameters(name, section.values, locate)
    section.values = dict(parameters)
    try:
        scheme = encodings.find(name)
        return scheme(**section.fields(scheme))
    except ParameterError as error:  # an unknown name, or incompatible parameters
        section.values.clear()
        # Remove the notes on parameters, because the parameters are not used.
        del section.notes[note_count:]
        problem = with_remedy(error.fault, "the encoding is kept unchanged, but cannot be shown")
        if name in encodings.names():
            section.note(problem, error.name)
            return Unknown(name, parameters, f"{name}: {error}")
        section.note(problem, "name")
        return Unknown(name, parameters, error.problem)


def _locate_file(section: Section, folder: Folder, text: str) -> str:
    path, remark = paths.locate(text, folder)
    if remark:
        section.note(remark)
    return path


def _read_pins(document: Section, folder: Folder) -> list[Pin | None]:
    entries = document.values.pop("pins", [])
    if not isinstance(entries, list):
        document.note(with_remedy(format_fault("a list", entries), "it is ignored"), "pins")
        return []
    if len(entries) > MAX_PINS:
        problem = f"expected at most {MAX_PINS} pins, got {len(entries)}"
        document.note(with_remedy(problem, f"the first {MAX_PINS} are used"), "pins")
    pins = enumerate(entries[:MAX_PINS])
    return [_read_pin(document, f"pins[{index}]", entry, folder) for index, entry in pins]


def _read_pin(document: Section, key: str, entry: object, folder: Folder) -> Pin | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("encoding"), dict):
        problem = format_fault('an object with the key "encoding"', entry)
        document.note(with_remedy(problem, "it is ignored"), key)
        return None
    section = Section(key, entry, document.notes)
    encoding = _read_encoding(section.child("encoding"), folder, "the pin is ignored")
    if encoding is None:
        return None
    fields = {"name": exploration.make_short_name(encoding), **section.fields(Pin)}
    return Pin(encoding, **fields, extra=section.remaining_values())


def _read_panes(section: Section) -> Panes | None:
    """Return the panes of a document, or None if they are missing or invalid."""
    if not section.values.keys() & {"views", "arrangement", "active"}:
        return None
    views = section.values.pop("views", None)
    arrangement = section.values.pop("arrangement", "")
    active = section.values.pop("active", "")
    names, problem = pictures.names(), ""
    if not isinstance(views, list):
        problem = format_fault("a list of views", views)
    elif unknown_views := [view for view in views if view not in names]:
        problem = describe_bad_choice(unknown_views[0], names)
    if problem:
        section.note(with_remedy(problem, "the panes do not change"), "views")
        return None
    is_known = arrangement in ("", *ARRANGEMENTS)
    try:
        panes = make_panes(views, arrangement if is_known else "")
    except ParameterError as error:
        section.note(with_remedy(error.fault, "the panes do not change"))
        return None
    if not is_known:
        problem = describe_bad_choice(arrangement, ARRANGEMENTS)
        section.note(with_remedy(problem, "the default is used"), "arrangement")
    if active in ("", *views):
        return make_panes(views, panes.arrangement, active)
    problem = f"no pane shows {quote_value(active)}"
    section.note(with_remedy(problem, "the first view is used"), "active")
    return panes


def _read_options(section: Section, cls: type[Options], folder: Folder) -> Options:
    section.values = cls.rename_fields(section.values)
    for name, kind in declared(cls).items():
        text = section.values.get(name)
        if isinstance(kind, FileName) and isinstance(text, str):
            section.values[name] = _locate_file(section, folder, text)
    try:
        return cls(**section.fields(cls))
    except ParameterError as error:  # each value is valid, but the combination is not
        section.note(with_remedy(error.fault, "the defaults of the view are used"), error.name)
        return cls()
