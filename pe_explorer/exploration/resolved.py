"""Turns what was set up into what can be drawn, with tables from a store."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple, Protocol

from pe_explorer import tables
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration.fields import Exploration, Pin
from pe_explorer.params import FileName
from pe_explorer.tables import Table, TableError
from pe_explorer.values import frozen

__all__ = [
    "FOR_COMMANDS",
    "DirectStore",
    "OnItsWay",
    "Resolved",
    "Store",
    "StoreOf",
    "loaded",
    "resolve",
]

_LOCATE = "locate it, or choose another encoding"
_LOCATE_PINNED = "make the pin the current encoding to locate its file, or unpin it"
FOR_COMMANDS = "give its file where it is now, or leave the pin out"
"""The remedy in a command for a pin whose table cannot be read."""
_CHOOSE = "choose a .npy file with a table of numbers"


class OnItsWay(NamedTuple):
    """Stands for a table that is being read from a file."""


class Store(Protocol):
    """Gives the tables of files, or the reason why there is none."""

    def table(self, path: str) -> Table | OnItsWay | str:
        """Return the table of a file, or why there is none: a sentence without a full stop."""


class DirectStore:
    """Reads a file when its table is needed: for commands and scripts, which may wait."""

    def table(self, path: str) -> Table | str:
        """Return the table that a file holds now, or why there is none."""
        try:
            return tables.load(path)
        except TableError as error:
            return str(error)


@frozen
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


class StoreOf:
    """Gives the tables that a resolved exploration holds, and opens no file.

    It is for pictures, which are shared: reasons why there is no table name no folder.
    """

    def __init__(self, state: Resolved) -> None:
        self._tables: dict[str, Table | OnItsWay | str] = {}
        pairs = zip(_encodings(state.wanted), _encodings(state), strict=True)
        for wanted, resolved in pairs:
            if isinstance(wanted, Stored) and wanted.file:
                self._tables[wanted.file] = _table_of(wanted, resolved)

    def table(self, path: str) -> Table | OnItsWay | str:
        """Return the table of a file that the exploration names, or why there is none."""
        problem = f"{FileName.last_part(path)}: is not part of this picture"
        return self._tables.get(path, problem)


def _encodings(state: Exploration) -> list[Encoding | Unknown]:
    return [state.encoding, *(pin.encoding for pin in state.pins)]


def _table_of(wanted: Stored, resolved: Encoding | Unknown) -> Table | OnItsWay | str:
    """Return what the store had for a file when its encoding was resolved."""
    if isinstance(resolved, Stored):
        return resolved.stored
    assert isinstance(resolved, Unknown)
    if not resolved.remedy:  # it was being read
        return OnItsWay()
    return resolved.problem.replace(wanted.file, FileName.last_part(wanted.file))


def resolve(
    exploration: Exploration, store: Store, remedy_of_pins: str = _LOCATE_PINNED
) -> Resolved:
    """Return an exploration that can be drawn, with the tables of a store.

    `remedy_of_pins` is for pins whose table cannot be read. No file is opened here: the same
    exploration and the same tables give an equal value.
    """
    wanted = exploration.intention
    fields = {f.name: getattr(wanted, f.name) for f in dataclasses.fields(Exploration)}
    encoding = loaded(wanted.encoding, store)
    pins = tuple(_pin(pin, store, remedy_of_pins) for pin in wanted.pins)
    dimension = wanted.dimension
    if isinstance(encoding, Encoding):
        dimension = min(dimension, encoding.width - 1)
    changed = {"encoding": encoding, "pins": pins, "dimension": dimension}
    return Resolved(**{**fields, **changed}, wanted=wanted)


def loaded(e: Encoding | Unknown, store: Store, remedy: str = _LOCATE) -> Encoding | Unknown:
    """Return an encoding with its table, or an `Unknown` that says why there is none."""
    if not isinstance(e, Stored):
        return e
    if not e.file:
        short = "no file is chosen"
        return Unknown(e.name, e.parameters, f"{short} yet", _CHOOSE, short, locate="file")
    table = store.table(e.file)
    if isinstance(table, Table):
        return dataclasses.replace(e, held=table)  # type: ignore[call-arg]
    if isinstance(table, OnItsWay):
        problem = f"{FileName.last_part(e.file)} is being read…"
        return Unknown(e.name, e.parameters, problem, "", "its file is being read")
    short = "its table cannot be read"
    return Unknown(e.name, e.parameters, table, remedy, short, locate="file")


def _pin(pin: Pin, store: Store, remedy: str) -> Pin:
    return dataclasses.replace(pin, encoding=loaded(pin.encoding, store, remedy))
