"""Resolve an exploration: load its tables from a store, so that it can be drawn."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from pe_explorer import tables
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration.fields import Exploration
from pe_explorer.params import FileName
from pe_explorer.tables import Source, Table, TableError, WordFile

_LOCATE_REMEDY = "locate the right file, or choose another encoding"
_PIN_REMEDY = "make the pin the current encoding to locate its file, or unpin it"
COMMAND_REMEDY = "give the current path of its file, or leave the pin out"
"""The remedy that commands show for a pin whose table cannot be read."""

OpenedFile = Table | WordFile
"""An opened file with a table or word vectors."""


class PendingFile(NamedTuple):
    """A placeholder for a file that is being read."""


class Store(Protocol):
    """A provider of tables and word vectors."""

    def table(self, *source: str) -> OpenedFile | PendingFile | str:
        """Return the content of the file at a `Source`.

        Return a `PendingFile` while the file is being read, or the reason, without a full stop,
        if the file cannot be read.
        """


class DirectStore:
    """A store for commands and scripts, which reads files only when they are needed."""

    def table(self, *source: str) -> OpenedFile | str:
        """Return the table or word vectors at a `Source`, or the reason why reading failed."""
        try:
            if tables.is_word_file(source[0]):
                return tables.open_word_file(*source)
            return tables.load(*source)
        except TableError as error:
            return str(error)


@dataclass(frozen=True)
class ResolvedState(Exploration):
    """An exploration whose tables are loaded and whose cursor is on an existing dimension.

    If a table cannot be read, its encoding is replaced by an `Unknown` with the reason.
    `with_` returns an exploration that must be resolved again.
    """

    unresolved_state: Exploration = dataclasses.field(default_factory=Exploration, repr=False)

    @property
    def intention(self) -> Exploration:
        """The exploration before it was resolved."""
        return self.unresolved_state


class ResolvedTables:
    """A store that contains the tables of a resolved exploration and opens no files.

    Its reasons for missing tables contain no folders, because they appear in shared figures.
    """

    def __init__(self, state: ResolvedState) -> None:
        self._tables: dict[Source, OpenedFile | PendingFile | str] = {}
        pairs = zip(_list_encodings(state.unresolved_state), _list_encodings(state), strict=True)
        for original, resolved in pairs:
            if not isinstance(original, Stored) or not original.file:
                continue
            if isinstance(resolved, Stored):
                self._tables[original.source] = resolved.file_table
            elif isinstance(resolved, Unknown) and not resolved.remedy:  # the file is being read
                self._tables[original.source] = PendingFile()
            elif isinstance(resolved, Unknown):
                self._tables[original.source] = _remove_folder(resolved.problem, original.file)
        views: Mapping[str, Any] = state.options
        for options in views.values():
            path = getattr(options, "required_file", "")
            if path and options.file_content is not None:
                content = options.file_content
                is_error = isinstance(content, str)
                self._tables[(path,)] = _remove_folder(content, path) if is_error else content

    def table(self, *source: str) -> OpenedFile | PendingFile | str:
        """Return a table or word vectors of the exploration, or the reason why they are missing."""
        problem = f"{FileName.get_last_part(source[0])}: the table is not part of this picture"
        return self._tables.get(source, problem)


def _list_encodings(state: Exploration) -> list[Encoding | Unknown]:
    return [state.encoding, *(pin.encoding for pin in state.pins)]


def _remove_folder(reason: str, path: str) -> str:
    return reason.replace(path, FileName.get_last_part(path))


def resolve(exploration: Exploration, store: Store, pin_remedy: str = _PIN_REMEDY) -> ResolvedState:
    """Return an exploration that can be drawn, with its tables loaded from a store.

    `pin_remedy` is the remedy for pins whose tables cannot be read. Equal explorations
    and tables give equal results.
    """
    intention = exploration.intention
    views: Mapping[str, Any] = intention.options
    cleared_options = {
        view: dataclasses.replace(options, file_content=None)
        for view, options in views.items()
        if getattr(options, "file_content", None) is not None
    }
    if cleared_options:
        intention = intention.with_(options={**intention.options, **cleared_options})
    fields = {f.name: getattr(intention, f.name) for f in dataclasses.fields(Exploration)}
    encoding = load_encoding(intention.encoding, store)
    pins = tuple(
        dataclasses.replace(pin, encoding=load_encoding(pin.encoding, store, pin_remedy))
        for pin in intention.pins
    )
    dimension = intention.dimension
    if isinstance(encoding, Encoding):
        dimension = min(dimension, encoding.width - 1)
    options: dict[str, Any] = dict(intention.options)
    for view, view_options in options.items():
        if path := getattr(view_options, "required_file", ""):
            options[view] = dataclasses.replace(view_options, file_content=store.table(path))
    changed = {"encoding": encoding, "pins": pins, "dimension": dimension, "options": options}
    return ResolvedState(**{**fields, **changed}, unresolved_state=intention)


def load_encoding(
    e: Encoding | Unknown, store: Store, remedy: str = _LOCATE_REMEDY
) -> Encoding | Unknown:
    """Return an encoding after loading the table that it needs, if any.

    Return an `Unknown` with the reason if the table is not available.
    """
    if not isinstance(e, Stored):
        return e
    if not e.file:
        cause, remedy = "no file is chosen", "choose a .npy file with a table of numbers"
        return Unknown(e.name, e.parameters, cause, remedy, cause, missing_file_parameter="file")
    table = store.table(*e.source)
    if isinstance(table, Table):
        return dataclasses.replace(e, file_content=table)  # type: ignore[call-arg]
    if isinstance(table, PendingFile):
        problem = f"{FileName.get_last_part(e.file)} is being read…"
        return Unknown(e.name, e.parameters, problem, "", "its file is being read")
    cause = "its table cannot be read"
    assert isinstance(table, str)  # the extension of the path excludes word vectors
    return Unknown(e.name, e.parameters, table, remedy, cause, missing_file_parameter="file")
