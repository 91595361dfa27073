"""Turns what was set up into what can be drawn, with tables from a store."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from pe_explorer import tables
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration.fields import Exploration
from pe_explorer.params import FileName
from pe_explorer.tables import Source, Table, TableError, WordFile

_LOCATE_REMEDY = "locate it, or choose another encoding"
_PIN_REMEDY = "make the pin the current encoding to locate its file, or unpin it"
COMMAND_REMEDY = "give its file where it is now, or leave the pin out"
"""The remedy in a command for a pin whose table cannot be read."""
_CHOOSE_REMEDY = "choose a .npy file with a table of numbers"


OpenedFile = Table | WordFile
"""What a store has of a file."""


class PendingFile(NamedTuple):
    """The place of a table while it is read from a file."""


class Store(Protocol):
    """Gives the tables of files, or the reason why there is none."""

    def table(self, *source: str) -> OpenedFile | PendingFile | str:
        """Return the table at a `Source`, or why there is none: a sentence without a full stop."""


class DirectStore:
    """Reads a file when its table is needed: for commands and scripts, which may wait."""

    def table(self, *source: str) -> OpenedFile | str:
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


class ResolvedTables:
    """Gives the tables that a resolved exploration holds, and opens no file.

    It is for pictures, which are shared: reasons why there is no table name no folder.
    """

    def __init__(self, state: Resolved) -> None:
        self._tables: dict[Source, OpenedFile | PendingFile | str] = {}
        pairs = zip(_encodings(state.wanted), _encodings(state), strict=True)
        for wanted, resolved in pairs:
            if not isinstance(wanted, Stored) or not wanted.file:
                continue
            if isinstance(resolved, Stored):
                self._tables[wanted.source] = resolved.file_table
            elif isinstance(resolved, Unknown) and not resolved.remedy:  # it was being read
                self._tables[wanted.source] = PendingFile()
            elif isinstance(resolved, Unknown):
                self._tables[wanted.source] = _without_folder(resolved.problem, wanted.file)
        views: Mapping[str, Any] = state.options
        for options in views.values():
            path = getattr(options, "file_needed", "")
            if path and options.file_content is not None:
                is_reason = isinstance(options.file_content, str)
                held = (
                    _without_folder(options.file_content, path)
                    if is_reason
                    else options.file_content
                )
                self._tables[(path,)] = held

    def table(self, *source: str) -> OpenedFile | PendingFile | str:
        """Return a table that the exploration names, or why there is none."""
        problem = f"{FileName.last_part(source[0])}: is not part of this picture"
        return self._tables.get(source, problem)


def _encodings(state: Exploration) -> list[Encoding | Unknown]:
    return [state.encoding, *(pin.encoding for pin in state.pins)]


def _without_folder(reason: str, path: str) -> str:
    return reason.replace(path, FileName.last_part(path))


def resolve(exploration: Exploration, store: Store, remedy_of_pins: str = _PIN_REMEDY) -> Resolved:
    """Return an exploration that can be drawn, with the tables of a store.

    `remedy_of_pins` is for pins whose table cannot be read. No file is opened here: the same
    exploration and the same tables give an equal value.
    """
    wanted = exploration.intention
    views: Mapping[str, Any] = wanted.options
    bare = {
        view: dataclasses.replace(options, file_content=None)
        for view, options in views.items()
        if getattr(options, "file_content", None) is not None
    }
    if bare:
        wanted = wanted.with_(options={**wanted.options, **bare})
    fields = {f.name: getattr(wanted, f.name) for f in dataclasses.fields(Exploration)}
    encoding = load_encoding(wanted.encoding, store)
    pins = tuple(
        dataclasses.replace(pin, encoding=load_encoding(pin.encoding, store, remedy_of_pins))
        for pin in wanted.pins
    )
    dimension = wanted.dimension
    if isinstance(encoding, Encoding):
        dimension = min(dimension, encoding.width - 1)
    options: dict[str, Any] = dict(wanted.options)
    for view, each in options.items():
        if path := getattr(each, "file_needed", ""):  # numbers of the view are read from it
            options[view] = dataclasses.replace(each, file_content=store.table(path))
    changed = {"encoding": encoding, "pins": pins, "dimension": dimension, "options": options}
    return Resolved(**{**fields, **changed}, wanted=wanted)


def load_encoding(
    e: Encoding | Unknown, store: Store, remedy: str = _LOCATE_REMEDY
) -> Encoding | Unknown:
    """Return an encoding with its table, or an `Unknown` that says why there is none."""
    if not isinstance(e, Stored):
        return e
    if not e.file:
        short = "no file is chosen"
        return Unknown(e.name, e.parameters, f"{short} yet", _CHOOSE_REMEDY, short, locate="file")
    table = store.table(*e.source)
    if isinstance(table, Table):
        return dataclasses.replace(e, file_content=table)  # type: ignore[call-arg]
    if isinstance(table, PendingFile):
        problem = f"{FileName.last_part(e.file)} is being read…"
        return Unknown(e.name, e.parameters, problem, "", "its file is being read")
    short = "its table cannot be read"
    assert isinstance(table, str)  # as only the names of tables are legal
    return Unknown(e.name, e.parameters, table, remedy, short, locate="file")
