"""From what was set up to what can be drawn: tables of files are taken from a store."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pe_explorer import tables
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration.fields import Exploration, Pin
from pe_explorer.params import FileName
from pe_explorer.tables import Table, TableError

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
"""What to do in a command about a pin whose table cannot be read."""
_CHOOSE = "choose a .npy file with a table of numbers"


@dataclass(frozen=True)
class OnItsWay:
    """Stands for a table that is being read from a file."""


class Store(Protocol):
    """What has the tables of files, or knows why not."""

    def table(self, path: str) -> Table | OnItsWay | str:
        """Return the table of a file, or in a sentence without a full stop why there is none."""


class DirectStore:
    """Reads a file when it is asked for: for commands and scripts, which may wait."""

    def table(self, path: str) -> Table | str:
        """Return the table that a file holds now, or why there is none."""
        try:
            return tables.load(path)
        except TableError as error:
            return str(error)


@dataclass(frozen=True)
class Resolved(Exploration):
    """An exploration whose encodings hold their tables, and whose cursor is where there are
    columns.

    Where a table is not to be had, `Unknown` stands in the place of its encoding and says why.
    Copies with other fields are made of the intention, by `with_`.
    """

    wanted: Exploration = dataclasses.field(default_factory=Exploration, repr=False)

    @property
    def intention(self) -> Exploration:
        """What was set up."""
        return self.wanted


class StoreOf:
    """Has what a resolved exploration was made of, and opens no file.

    It is for pictures, which go to others: where there is no table, no folder is told.
    """

    def __init__(self, state: Resolved) -> None:
        self._found: Mapping[str, Table | OnItsWay | str] = {
            meant.file: _made_of(meant, found)
            for meant, found in zip(_encodings(state.wanted), _encodings(state), strict=True)
            if isinstance(meant, Stored) and meant.file
        }

    def table(self, path: str) -> Table | OnItsWay | str:
        """Return what there was of a file."""
        return self._found.get(path, f"{FileName.last_part(path)}: is no part of this picture")


def _encodings(state: Exploration) -> list[Encoding | Unknown]:
    return [state.encoding, *(pin.encoding for pin in state.pins)]


def _made_of(meant: Stored, found: Encoding | Unknown) -> Table | OnItsWay | str:
    """Return what a store had of a file."""
    if isinstance(found, Stored):
        return found.stored
    assert isinstance(found, Unknown)
    if not found.remedy:  # but time
        return OnItsWay()
    return found.problem.replace(meant.file, FileName.last_part(meant.file))


def resolve(
    exploration: Exploration, store: Store, remedy_of_pins: str = _LOCATE_PINNED
) -> Resolved:
    """Return an exploration as it can be drawn, with what a store has.

    `remedy_of_pins` is what to do about one whose table cannot be read. No file is opened here:
    the same exploration and the same tables give an equal value.
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
    """Return an encoding that needs no file, or what says why there is none."""
    if not isinstance(e, Stored):
        return e
    if not e.file:
        short = "no file is chosen"
        return Unknown(e.name, e.parameters, f"{short} yet", _CHOOSE, short, locate="file")
    found = store.table(e.file)
    if isinstance(found, Table):
        return dataclasses.replace(e, held=found)  # type: ignore[call-arg]
    if isinstance(found, OnItsWay):
        problem = f"{FileName.last_part(e.file)} is being read…"
        return Unknown(e.name, e.parameters, problem, "", "its file is being read")
    short = "its table cannot be read"
    return Unknown(e.name, e.parameters, found, remedy, short, locate="file")


def _pin(pin: Pin, store: Store, remedy: str) -> Pin:
    return dataclasses.replace(pin, encoding=loaded(pin.encoding, store, remedy))
