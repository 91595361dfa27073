"""Reads an exploration from a session's document: legal values are used, the rest is noted."""

from functools import partial
from pathlib import Path
from typing import Any

from pe_explorer import encodings, pictures
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import (
    MOST_PINS,
    Exploration,
    Panes,
    Pin,
    panes_of,
    paths,
    short_name,
)
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.files._section import Section
from pe_explorer.params import (
    Declared,
    FileName,
    ParameterError,
    declared,
    did_you_mean,
    quoted,
    sections,
    with_remedy,
)

SECTIONS = sections(Exploration)
"""The fields of an exploration, by the name of their section in the document."""

Folder = Path | str | None


def read_exploration(document: Section, folder: Folder) -> Exploration:
    """Take the exploration out of a document.

    Parameters
    ----------
    document : Section
        The whole document, without remarks.
    folder : path or None
        Where the document lies: relative names of files begin there.
    """
    fields: dict[str, Any] = {"encoding": _current_encoding(document.child("encoding"), folder)}
    for key, names in SECTIONS.items():
        fields |= document.child(key).fields(Exploration, names)
    pins = _pins(document, folder)
    before_compared = pins[: fields.get("compared", 0)]
    fields["compared"] = sum(pin is not None for pin in before_compared)
    fields["pins"] = tuple(pin for pin in pins if pin is not None)
    views = document.child("views")
    fields["options"] = {
        name: _options(views.child(name), pictures.find(name).Options, folder)
        for name in pictures.names()
    }
    fields["panes"] = _panes(document.child("panes"))
    try:
        return Exploration(**fields)
    except ParameterError as error:  # each is legal, but not all together
        problem = with_remedy(error.fault, "the default positions are used")
        document.note(problem, "positions")
        for name in SECTIONS["positions"]:
            fields.pop(name, None)
        return Exploration(**fields)


def _current_encoding(section: Section, folder: Folder) -> Encoding | Unknown:
    if _has_name(section):
        return _encoding(section, folder)
    first = encodings.names()[0]
    section.note(f"{_wrong_name(section)}; {first} is used", "name")
    return encodings.create(first)


def _has_name(section: Section) -> bool:
    return isinstance(section.values.get("name"), str)


def _wrong_name(section: Section) -> str:
    return f"{quoted(section.values.get('name'))} is not a name"


def _encoding(section: Section, folder: Folder) -> Encoding | Unknown:
    """Return the encoding of a section that has a name; one that cannot be made is kept whole."""
    notes_before = len(section.notes)
    name = section.values.pop("name")
    parameters = paths.translated(name, section.values, partial(_file, section, folder))
    section.values = dict(parameters)
    try:
        scheme = encodings.find(name)
        return scheme(**section.fields(scheme))
    except ParameterError as error:  # not known here, or parameters that do not go together
        section.values.clear()
        del section.notes[notes_before:]  # on parameters that are not used
        effect = "the encoding is kept as it is, but cannot be shown"
        problem = with_remedy(error.fault, effect)
        if name in encodings.names():
            section.note(problem, error.name)
            return Unknown(name, parameters, f"{name}: {error}")
        section.note(problem, "name")
        return Unknown(name, parameters, error.problem)


def _file(section: Section, folder: Folder, text: str) -> str:
    """Return the path of a named file; note it if the file was found elsewhere."""
    path, remark = paths.located(text, folder)
    if remark:
        section.note(remark)
    return path


def _pins(document: Section, folder: Folder) -> list[Pin | None]:
    """Take out the pins, None in place of those that cannot be used."""
    entries = document.values.pop("pins", [])
    if not isinstance(entries, list):
        document.note(f"{quoted(entries)} is not a list; ignored", "pins")
        return []
    if len(entries) > MOST_PINS:
        problem = f"{len(entries)} are too many; the first {MOST_PINS} are kept"
        document.note(problem, "pins")
    used = enumerate(entries[:MOST_PINS])
    return [_pin(document, f"pins[{index}]", entry, folder) for index, entry in used]


def _pin(document: Section, key: str, entry: object, folder: Folder) -> Pin | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("encoding"), dict):
        document.note(f"{quoted(entry)} is not an object with an encoding; ignored", key)
        return None
    section = Section(key, entry, document.notes)
    part = section.child("encoding")
    if not _has_name(part):
        part.note(f"{_wrong_name(part)}; the pin is ignored", "name")
        return None
    encoding = _encoding(part, folder)
    fields = {"name": short_name(encoding), **section.fields(Pin)}
    return Pin(encoding, **fields, extra=section.rest())


def _panes(section: Section) -> Panes | None:
    """Take out the panes; None, which leaves those of the window, where they do not fit."""
    if not section.values.keys() & {"views", "arrangement", "active"}:  # the rest is kept, unread
        return None
    views = section.values.pop("views", None)
    arrangement = section.values.pop("arrangement", "")
    active = section.values.pop("active", "")
    if problem := _problem_with_views(views):
        section.note(f"{problem}; the panes stay as they are", "views")
        return None
    try:
        panes = panes_of(views)
        if arrangement in ("", *ARRANGEMENTS):
            panes = panes_of(views, arrangement)
        else:
            hint = did_you_mean(arrangement, ARRANGEMENTS)
            problem = f"{quoted(arrangement)} is no arrangement{hint or ';'} the usual one is used"
            section.note(problem, "arrangement")
    except ParameterError as error:
        section.note(f"{error.problem}. The panes stay as they are")
        return None
    if active in ("", *views):
        return panes_of(views, panes.arrangement, active)
    section.note(f"{quoted(active)} is in none of the panes; the first is used", "active")
    return panes


def _problem_with_views(views: object) -> str:
    """Return why a value is not a list of views; an empty text where it is one."""
    if not isinstance(views, list):
        return f"{quoted(views)} is not a list of views"
    known = pictures.names()
    unknown = [view for view in views if view not in known]
    if not unknown:
        return ""
    return f"{quoted(unknown[0])} is not one of the views known here, {', '.join(known)}"


def _options(section: Section, cls: type[Declared], folder: Folder) -> Declared:
    """Return the options of one view."""
    for name, kind in declared(cls).items():
        text = section.values.get(name)
        if isinstance(kind, FileName) and isinstance(text, str):
            section.values[name] = _file(section, folder, text)
    try:
        return cls(**section.fields(cls))
    except ParameterError as error:  # each fits, but not all together
        problem = with_remedy(error.fault, "the defaults of the view are used")
        section.note(problem, error.name)
        return cls()
