"""Names of files in sessions and exports: how they are written, and how they are found again.

In memory a name is absolute. A saved session can be moved together with the files that it
names; what is shared with others names no folders of the person who made it.
"""

import copy
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from pe_explorer import encodings
from pe_explorer.assets import asset
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration.fields import Exploration, Pin
from pe_explorer.params import Declared, FileName, Text, declared
from pe_explorer.tables import Source

Spelling = Callable[[str], str]
"""Returns how an absolute name is written."""

_OWN_TABLES = "gallery/tables"  # in `resources/`


def session_spelling(folder: Path | str | None) -> Spelling:
    """Return how a session in a folder spells names: relative to it if in or below it.

    Without a folder names stay as they are.
    """
    if folder is None:
        return str
    place = os.path.abspath(folder)

    def spell(path: str) -> str:
        return _below(path, place) or path.replace(os.sep, "/")

    return spell


def shared_spelling(folder: Path | str | None) -> Spelling:
    """Return how a shared file in a folder spells names: those elsewhere without their folder."""
    if folder is None:
        return FileName.last_part
    place = os.path.abspath(folder)

    def spell(path: str) -> str:
        if not _is_absolute(path):  # it names no private folder
            return path
        return _below(path, place) or FileName.last_part(path)

    return spell


def _is_absolute(path: str) -> bool:
    return os.path.isabs(path) or PureWindowsPath(path).is_absolute()


def _below(path: str, folder: str) -> str:
    """Return a name relative to a folder, with forward slashes; empty if it is elsewhere."""
    pure = PurePath(path)
    if not pure.is_relative_to(folder):
        return ""
    return pure.relative_to(folder).as_posix()


def locate(text: str, folder: Path | str | None) -> tuple[str, str]:
    """Return the file that is meant by a name in a session, and a remark if it was moved.

    A relative name begins in the session's folder. If there is no file of an absolute name, one
    of the same name in that folder is used: both may have been moved. Tables that come with the
    program are found there, wherever they were when they were named.
    """
    if folder is None or not text:
        return text, ""
    name = FileName.last_part(text)
    if not _is_absolute(text):
        inside = os.path.abspath(os.path.join(folder, text))
        is_own = name == text and not os.path.lexists(inside)
        return (bundled_table(name) if is_own else "") or inside, ""
    if os.path.lexists(text):
        return text, ""
    beside = os.path.abspath(os.path.join(folder, name))
    if Path(beside).is_file():
        return beside, f"there is no {text}; {beside} is used"
    return bundled_table(name) or text, ""


def bundled_table(name: str) -> str:
    """Return where a table is that comes with the program; empty where none has this name."""
    wanted, tables = FileName.last_part(name), asset(_OWN_TABLES).glob("*.npy")
    return next((str(own) for own in tables if own.name == wanted), "")


def respell_parameters(
    name: str,
    parameters: Mapping[str, Any],
    spell: Spelling,
    other: Callable[[Any], Any] | None = None,
) -> dict[str, Any]:
    """Return the parameters of a scheme with other names of files.

    Parameters that are unknown, or no legal kind of value, stay unless `other` changes them.
    """
    is_known = name in encodings.names()
    kinds = declared(encodings.find(name)) if is_known else {}

    def one(key: str, value: Any) -> Any:
        kind = kinds.get(key)
        if isinstance(kind, FileName) and isinstance(value, str):
            return spell(value) if value else value
        if other is None or (isinstance(kind, Text) and isinstance(value, str)):
            return value
        return other(value)

    return {key: one(key, value) for key, value in parameters.items()}


def all_paths(state: Exploration) -> list[str]:
    """Return the files that an exploration names, for its encoding and for its pins."""
    intention = state.intention
    names: list[str] = []

    def note(path: str) -> str:
        names.append(path)
        return path

    for e in (intention.encoding, *(pin.encoding for pin in intention.pins)):
        respell_parameters(e.name, e.parameters, note)
    for options in intention.options.values():
        names += paths_in(options).values()
    return names


def paths_in(options: Declared) -> dict[str, str]:
    """Return the names of files in the options of a view, by field."""
    kinds = declared(type(options))
    fields = [name for name, kind in kinds.items() if isinstance(kind, FileName)]
    return {name: path for name in fields if (path := getattr(options, name))}


def respell_json(value: Any, spell: Spelling) -> Any:
    """Return a value of JSON with the texts in it that look like paths spelled otherwise."""
    if isinstance(value, str):
        return _without_folder(value, spell)
    if isinstance(value, Mapping):
        changed: dict[str, Any] = {}
        for key, inner in value.items():
            changed[_without_folder(key, spell)] = respell_json(inner, spell)
        return changed
    if isinstance(value, list | tuple):
        return [respell_json(each, spell) for each in value]
    return value


def _without_folder(text: str, spell: Spelling) -> str:
    path = text.rstrip("/\\")  # of a folder
    if _is_absolute(path):
        return spell(path)
    if path.startswith(("/", "~", "file:")):
        return FileName.last_part(path)
    return text


def for_command(
    state: Exploration | Encoding, pins: Sequence[Pin], output: Path | str
) -> tuple[Any, tuple[Pin, ...], Path | str]:
    """Return state, pins and output as a command spells them that may be shared.

    It names no folders: files are relative to the folder of the output, where the command is to
    be run, and the output has its name alone. The values returned are for writing only, as their
    names of files are not absolute. Without files, the output stays as it is.
    """
    folder = os.path.dirname(os.path.abspath(output))
    spell_shared = shared_spelling(folder)

    def spell(path: str) -> str:
        name = spell_shared(path)
        if name.startswith(("-", "~")):  # a shell would change these
            return f"./{name}"
        return name

    new_state = respell(state, spell)
    new_pins = tuple(respell(pin, spell) for pin in pins)
    if new_state is state and all(map(operator.is_, new_pins, pins)):
        return state, new_pins, output
    return new_state, new_pins, Path(output).name


def respell(what: Any, spell: Spelling) -> Any:
    """Return an encoding, or an exploration or a pin of it, with other names of files.

    The names are neither checked nor absolute: the value returned is for writing only.
    """
    if isinstance(what, Exploration):
        for view, options in what.options.items():
            if names := paths_in(options):
                named = _with(options, **{name: spell(path) for name, path in names.items()})
                what = _with(what, options={**what.options, view: named})
    if isinstance(what, Exploration | Pin):
        e = respell(what.encoding, spell)
        return what if e is what.encoding else _with(what, encoding=e)
    parameters = respell_parameters(what.name, what.parameters, spell)
    if parameters == what.parameters or isinstance(what, Unknown):
        return what
    return _with(what, **parameters)


def _with(value: Any, **fields: Any) -> Any:
    changed = copy.copy(value)
    for name, field in fields.items():
        object.__setattr__(changed, name, field)
    return changed


def table_shapes(state: Exploration, spell: Spelling) -> dict[str, Any]:
    """Return shape and type of the tables that an exploration holds, by their spelled names."""
    contents: dict[str, Any] = {}
    for e in (state.encoding, *(pin.encoding for pin in state.pins)):
        if isinstance(e, Stored) and e.file_content is not None:
            shape = [e.file_content.rows, e.file_content.columns]
            contents[table_key(e.source, spell)] = {
                "shape": shape,
                "type": str(e.file_content.dtype),
            }
    return contents


def table_key(source: Source, spell: Spelling) -> str:
    """Return what names a table, with another name of its file."""
    path, *tensor = source
    return "#".join((spell(path), *tensor))
