"""Turns what was set up into what can be drawn, with tables from a store."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from pe_explorer import tables
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration.fields import Exploration, Pin
from pe_explorer.params import FileName
from pe_explorer.tables import Source, Table, TableError, WordFile

_LOCATE_REMEDY = "locate it, or choose another encoding"
_PIN_REMEDY = "make the pin the current encoding to locate its file, or unpin it"
COMMAND_REMEDY = "give its file where it is now, or leave the pin out"
"""The remedy in a command for a pin whose table cannot be read."""
_CHOOSE_REMEDY = "choose a .npy file with a table of numbers"


Held = Table | WordFile
"""What a store has of a file."""


class BeingRead(NamedTuple):
    """The place of a table while it is read from a file."""


class Store(Protocol):
    """Gives the tables of files, or the reason why there is none."""

    def table(self, *source: str) -> Held | BeingRead | str:
        """Return the table at a `Source`, or why there is none: a sentence without a full stop."""


class DirectStore:
    """Reads a file when its table is needed: for commands and scripts, which may wait."""

    def table(self, *source: str) -> Held | str:
        """Return the table that there is now, or why there is none."""
        try:
            if tables.is_word_file(source[0]):
                return tables.open_words(*source)
            return tables.load(*source)
        except TableError as error:
            return str(error)


@dataclass(frozen=True)
class Resolved(Exploration):
    """An exploration whose encodings hold their tables, with the cursor on a column.

    Where a table cannot be read, `Unknown` replaces its encoding and has the reason. `with_`
    returns intentions, which are to be resolved again.
    """

    wanted: Exploration = dataclasses.field(default_factory=Exploration, repr=False)

    @property
    def intention(self) -> Exploration:
        """What was set up."""
        return self.wanted


class HeldTables:
    """Gives the tables that a resolved exploration holds, and opens no file.

    It is for pictures, which are shared: reasons why there is no table name no folder.
    """

    def __init__(self, state: Resolved) -> None:
        self._tables: dict[Source, Held | BeingRead | str] = {}
        pairs = zip(_encodings(state.wanted), _encodings(state), strict=True)
        for wanted, resolved in pairs:
            if isinstance(wanted, Stored) and wanted.file:
                self._tables[wanted.source] = _table_of(wanted, resolved)
        views: Mapping[str, Any] = state.options
        for options in views.values():
            if _needs_file(options) and options.held is not None:
                self._tables[(options.file_needed,)] = _without_folder(options)

    def table(self, *source: str) -> Held | BeingRead | str:
        """Return a table that the exploration names, or why there is none."""
        problem = f"{FileName.last_part(source[0])}: is not part of this picture"
        return self._tables.get(source, problem)


def _encodings(state: Exploration) -> list[Encoding | Unknown]:
    return [state.encoding, *(pin.encoding for pin in state.pins)]


def _table_of(wanted: Stored, resolved: Encoding | Unknown) -> Held | BeingRead | str:
    """Return what the store had for a file when its encoding was resolved."""
    if isinstance(resolved, Stored):
        return resolved.stored
    assert isinstance(resolved, Unknown)
    if not resolved.remedy:  # it was being read
        return BeingRead()
    return resolved.problem.replace(wanted.file, FileName.last_part(wanted.file))


def _needs_file(options: Any) -> bool:
    """Return whether numbers of a view are read from a file, which its options name."""
    return bool(getattr(options, "file_needed", ""))


def _without_folder(options: Any) -> Held | BeingRead | str:
    """Return what options hold; why they hold nothing names no folder."""
    path, held = options.file_needed, options.held
    if isinstance(held, str):
        return held.replace(path, FileName.last_part(path))
    found: Held | BeingRead = held
    return found


def _with_files(options: Mapping[str, Any], store: Store) -> dict[str, Any]:
    """Return options of views with what their files hold."""
    return {
        view: dataclasses.replace(each, held=store.table(each.file_needed))
        if _needs_file(each)
        else each
        for view, each in options.items()
    }


def _intention(exploration: Exploration) -> Exploration:
    """Return what was set up, without what files hold."""
    wanted = exploration.intention
    views: Mapping[str, Any] = wanted.options
    held = {
        view: dataclasses.replace(each, held=None)
        for view, each in views.items()
        if getattr(each, "held", None) is not None
    }
    return wanted.with_(options={**wanted.options, **held}) if held else wanted


def resolve(exploration: Exploration, store: Store, remedy_of_pins: str = _PIN_REMEDY) -> Resolved:
    """Return an exploration that can be drawn, with the tables of a store.

    `remedy_of_pins` is for pins whose table cannot be read. No file is opened here: the same
    exploration and the same tables give an equal value.
    """
    wanted = _intention(exploration)
    fields = {f.name: getattr(wanted, f.name) for f in dataclasses.fields(Exploration)}
    encoding = loaded(wanted.encoding, store)
    pins = tuple(_pin(pin, store, remedy_of_pins) for pin in wanted.pins)
    dimension = wanted.dimension
    if isinstance(encoding, Encoding):
        dimension = min(dimension, encoding.width - 1)
    options = _with_files(wanted.options, store)
    changed = {"encoding": encoding, "pins": pins, "dimension": dimension, "options": options}
    return Resolved(**{**fields, **changed}, wanted=wanted)


def loaded(e: Encoding | Unknown, store: Store, remedy: str = _LOCATE_REMEDY) -> Encoding | Unknown:
    """Return an encoding with its table, or an `Unknown` that says why there is none."""
    if not isinstance(e, Stored):
        return e
    if not e.file:
        short = "no file is chosen"
        return Unknown(e.name, e.parameters, f"{short} yet", _CHOOSE_REMEDY, short, locate="file")
    table = store.table(*e.source)
    if isinstance(table, Table):
        return dataclasses.replace(e, held=table)  # type: ignore[call-arg]
    if isinstance(table, BeingRead):
        problem = f"{FileName.last_part(e.file)} is being read…"
        return Unknown(e.name, e.parameters, problem, "", "its file is being read")
    short = "its table cannot be read"
    assert isinstance(table, str)  # as only the names of tables are legal
    return Unknown(e.name, e.parameters, table, remedy, short, locate="file")


def _pin(pin: Pin, store: Store, remedy: str) -> Pin:
    return dataclasses.replace(pin, encoding=loaded(pin.encoding, store, remedy))
