"""Names of files inside of files: as a session holds them, as others get them, as they are found.

In memory a name is absolute. What is saved can be moved together with the files that it
names; what is given to others tells nothing of the folders of whoever made it.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from pe_explorer import encodings
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration.fields import Exploration, Pin
from pe_explorer.params import FileName, Text, declared, plain

__all__ = [
    "Spelling",
    "contents",
    "files_named",
    "for_command",
    "found",
    "saved",
    "shared",
    "spelled",
    "translated",
    "without_folders",
]

Spelling = Callable[[str], str]
"""What is written of an absolute name."""


def saved(folder: Path | str | None) -> Spelling:
    """Return how a session in a folder spells names: relative to it if in or below it.

    Without a folder names stay as they are.
    """
    if folder is None:
        return str
    place = os.path.abspath(folder)

    def spell(path: str) -> str:
        return _below(path, place) or (path.replace(os.sep, "/") if os.path.isabs(path) else path)

    return spell


def shared(folder: Path | str | None) -> Spelling:
    """Return how what is given to others, and lies in a folder, spells names.

    A file that is neither in that folder nor below it has its name alone.
    """
    if folder is None:
        return FileName.last_part
    place = os.path.abspath(folder)

    def spell(path: str) -> str:
        if not _is_absolute(path):  # it tells nothing of anybody
            return path
        return _below(path, place) or FileName.last_part(path)

    return spell


def _is_absolute(path: str) -> bool:
    return os.path.isabs(path) or PureWindowsPath(path).is_absolute()


def _below(path: str, folder: str) -> str:
    """Return a name relative to a folder, with forward slashes; empty if it is elsewhere."""
    pure = PurePath(path)
    return pure.relative_to(folder).as_posix() if pure.is_relative_to(folder) else ""


def found(text: str, folder: Path | str | None) -> tuple[str, str]:
    """Return the file that is meant in a file of a folder, and a remark where it is another.

    A relative name begins in that folder. Where there is no file of an absolute name, one of
    the same name beside is taken: both were moved.
    """
    if folder is None or not text:
        return text, ""
    if not _is_absolute(text):
        return os.path.abspath(os.path.join(folder, text)), ""
    beside = os.path.abspath(os.path.join(folder, FileName.last_part(text)))
    if not os.path.lexists(text) and Path(beside).is_file():
        return beside, f"there is no {text}; {beside} is used"
    return text, ""


def translated(
    name: str,
    parameters: Mapping[str, Any],
    spell: Spelling,
    other: Callable[[Any], Any] | None = None,
) -> dict[str, Any]:
    """Return the parameters of a scheme with other names of files.

    What is not known here, or is no legal kind of value, stays unless `other` changes it.
    """
    kinds = declared(encodings.find(name)) if name in encodings.names() else {}

    def one(key: str, value: Any) -> Any:
        kind = plain(kinds.get(key))
        if isinstance(kind, FileName) and isinstance(value, str):
            return spell(value) if value else value
        if other is None or (isinstance(kind, Text) and isinstance(value, str)):
            return value
        return other(value)

    return {key: one(key, value) for key, value in parameters.items()}


def files_named(state: Exploration) -> list[str]:
    """Return the files that an exploration names, for its encoding and for its pins."""
    wanted, names = state.intention, []

    def note(path: str) -> str:
        names.append(path)
        return path

    for e in (wanted.encoding, *(pin.encoding for pin in wanted.pins)):
        translated(e.name, e.parameters, note)
    return names


def without_folders(value: Any, spell: Spelling) -> Any:
    """Return a value of JSON with the texts in it that look like paths spelled otherwise."""
    if isinstance(value, str):
        return _without_folder(value, spell)
    if isinstance(value, Mapping):
        return {_without_folder(key, spell): without_folders(v, spell) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [without_folders(each, spell) for each in value]
    return value


def _without_folder(text: str, spell: Spelling) -> str:
    path = text.rstrip("/\\")  # of a folder
    if _is_absolute(path):
        return spell(path)
    return FileName.last_part(path) if path.startswith(("/", "~", "file:")) else text


def for_command(
    state: Exploration | Encoding, pins: Sequence[Pin], output: Path | str
) -> tuple[Any, tuple[Pin, ...], Path | str]:
    """Return what a command spells that others may get: it tells nothing of anybody's folders.

    Files are named as from the folder of the output, for a shell that is there; the output has
    its name alone then. What is returned is for writing only: its names are not absolute.
    """
    own = shared(os.path.dirname(os.path.abspath(output)))

    def spell(path: str) -> str:
        name = own(path)
        return f"./{name}" if name.startswith(("-", "~")) else name  # a shell has its own ideas

    told = spelled(state, spell)
    told_pins = tuple(_with(pin, encoding=spelled(pin.encoding, spell)) for pin in pins)
    if told is state and all(
        a.encoding is b.encoding for a, b in zip(told_pins, pins, strict=True)
    ):
        return state, tuple(pins), output
    return told, told_pins, Path(output).name


def spelled(what: Any, spell: Spelling) -> Any:
    """Return an encoding, or an exploration of it, with other names of files.

    They are not checked, and need not be absolute: what is returned is for writing only.
    """
    if isinstance(what, Exploration):
        e = spelled(what.encoding, spell)
        return what if e is what.encoding else _with(what, encoding=e)
    parameters = translated(what.name, what.parameters, spell)
    if parameters == what.parameters or isinstance(what, Unknown):
        return what
    return _with(what, **parameters)


def _with(value: Any, **fields: Any) -> Any:
    changed = copy.copy(value)
    for name, field in fields.items():
        object.__setattr__(changed, name, field)
    return changed


def contents(state: Exploration, spell: Spelling) -> dict[str, Any]:
    """Return shape and type of the tables that an exploration holds, by their spelled names."""
    everything: list[Encoding | Unknown] = [state.encoding, *(pin.encoding for pin in state.pins)]
    tables = [e.held for e in everything if isinstance(e, Stored) and e.held is not None]
    return {
        spell(table.path): {"shape": [table.rows, table.columns], "type": str(table.dtype)}
        for table in tables
    }
