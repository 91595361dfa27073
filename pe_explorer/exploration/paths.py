"""Paths in sessions and exports.

In memory, paths are absolute. Sessions contain relative paths, so that a session and its files can
be moved together. Exports contain no private folders.
"""

import copy
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from pe_explorer import encodings
from pe_explorer.assets import find_asset
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration.fields import Exploration, Pin
from pe_explorer.params import Declared, FileName, Text, declared
from pe_explorer.tables import Source

Spelling = Callable[[str], str]
"""A function that converts an absolute path to the form that is written to a file."""


def make_session_spelling(folder: Path | str | None) -> Spelling:
    """Return a function that spells paths for a session.

    Paths below the session's folder become relative to it. Without a folder, the function does not
    change paths.
    """
    if folder is None:
        return str
    absolute_folder = os.path.abspath(folder)

    def spell(path: str) -> str:
        return _find_relative_path(path, absolute_folder) or path.replace(os.sep, "/")

    return spell


def make_shared_spelling(folder: Path | str | None) -> Spelling:
    """Return a function that spells paths for a shared file.

    Paths below the folder become relative to it; other absolute paths become file names.
    """
    if folder is None:
        return FileName.get_last_part
    absolute_folder = os.path.abspath(folder)

    def spell(path: str) -> str:
        if not _is_absolute(path):
            return path
        return _find_relative_path(path, absolute_folder) or FileName.get_last_part(path)

    return spell


def _is_absolute(path: str) -> bool:
    return os.path.isabs(path) or PureWindowsPath(path).is_absolute()


def _find_relative_path(path: str, folder: str) -> str:
    """Return a path relative to a folder, with forward slashes; empty if it is not inside."""
    pure_path = PurePath(path)
    return pure_path.relative_to(folder).as_posix() if pure_path.is_relative_to(folder) else ""


def locate(text: str, folder: Path | str | None) -> tuple[str, str]:
    """Return the absolute path for a path in a session, and a remark if the file was moved.

    A relative path is relative to the session's folder. If an absolute path does not exist,
    a file of the same name in this folder is used, because both files may have been moved.
    Tables that are part of the program are found in its resources.
    """
    if folder is None or not text:
        return text, ""
    name = FileName.get_last_part(text)
    if not _is_absolute(text):
        absolute_path = os.path.abspath(os.path.join(folder, text))
        is_bundled = name == text and not os.path.lexists(absolute_path)
        return (find_bundled_table(name) if is_bundled else "") or absolute_path, ""
    if os.path.lexists(text):
        return text, ""
    moved_path = os.path.abspath(os.path.join(folder, name))
    if Path(moved_path).is_file():
        return moved_path, f"{text} does not exist, so {moved_path} is used"
    return find_bundled_table(name) or text, ""


def find_bundled_table(name: str) -> str:
    """Return the path of a table in the program's resources; empty if there is no such table."""
    file_name, tables = FileName.get_last_part(name), find_asset("gallery/tables").glob("*.npy")
    return next((str(path) for path in tables if path.name == file_name), "")


def respell_parameters(
    name: str,
    parameters: Mapping[str, Any],
    spell: Spelling,
    convert: Callable[[Any], Any] | None = None,
) -> dict[str, Any]:
    """Return the parameters of a scheme with respelled paths.

    If `convert` is given, it is applied to all parameters except for paths, and for strings
    that the scheme declares.
    """
    kinds = declared(encodings.find(name)) if name in encodings.names() else {}

    def respell_value(key: str, value: Any) -> Any:
        kind = kinds.get(key)
        if isinstance(kind, FileName) and isinstance(value, str):
            return spell(value) if value else value
        if convert is None or (isinstance(kind, Text) and isinstance(value, str)):
            return value
        return convert(value)

    return {key: respell_value(key, value) for key, value in parameters.items()}


def list_paths(state: Exploration) -> list[str]:
    """Return the paths in an exploration."""
    intention = state.intention
    paths: list[str] = []

    def record(path: str) -> str:
        paths.append(path)
        return path

    for e in (intention.encoding, *(pin.encoding for pin in intention.pins)):
        respell_parameters(e.name, e.parameters, record)
    for options in intention.options.values():
        paths += find_paths(options).values()
    return paths


def find_paths(options: Declared) -> dict[str, str]:
    """Return the paths in the options of a view, by field name."""
    kinds = declared(type(options))
    fields = [name for name, kind in kinds.items() if isinstance(kind, FileName)]
    return {name: path for name in fields if (path := getattr(options, name))}


def respell_json(value: Any, spell: Spelling) -> Any:
    """Return a JSON value in which strings that look like paths are respelled."""
    if isinstance(value, str):
        return _respell_text(value, spell)
    if isinstance(value, Mapping):
        return {_respell_text(key, spell): respell_json(v, spell) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [respell_json(item, spell) for item in value]
    return value


def _respell_text(text: str, spell: Spelling) -> str:
    path = text.rstrip("/\\")  # the path of a folder can end with a slash
    if _is_absolute(path):
        return spell(path)
    if path.startswith(("/", "~", "file:")):
        return FileName.get_last_part(path)
    return text


def prepare_for_command(
    state: Exploration | Encoding, pins: Sequence[Pin], output: Path | str
) -> tuple[Any, tuple[Pin, ...], Path | str]:
    """Return the state, the pins and the output, with paths for a command that can be shared.

    Paths are relative to the folder of the output, in which the command must run. The
    output is a file name without a folder, but does not change if the state and the pins
    contain no paths. Use the results only for writing, because the paths are not absolute.
    """
    spell_shared = make_shared_spelling(os.path.dirname(os.path.abspath(output)))

    def spell(path: str) -> str:
        name = spell_shared(path)  # commands read a leading "-" as an option; shells expand "~"
        return f"./{name}" if name.startswith(("-", "~")) else name

    new_state = respell(state, spell)
    new_pins = tuple(respell(pin, spell) for pin in pins)
    if new_state is state and all(map(operator.is_, new_pins, pins)):
        return state, new_pins, output
    return new_state, new_pins, Path(output).name


def respell(value: Any, spell: Spelling) -> Any:
    """Return an encoding, an exploration or a pin with respelled paths.

    Use the result only for writing, because the paths are neither checked nor absolute.
    """
    if isinstance(value, Exploration):
        for view, options in value.options.items():
            if paths := find_paths(options):
                options = _replace(options, **{name: spell(path) for name, path in paths.items()})
                value = _replace(value, options={**value.options, view: options})
    if isinstance(value, Exploration | Pin):
        e = respell(value.encoding, spell)
        return value if e is value.encoding else _replace(value, encoding=e)
    parameters = respell_parameters(value.name, value.parameters, spell)
    if parameters == value.parameters or isinstance(value, Unknown):
        return value
    return _replace(value, **parameters)


def _replace(value: Any, **fields: Any) -> Any:
    result = copy.copy(value)
    for name, field in fields.items():
        object.__setattr__(result, name, field)
    return result


def list_table_shapes(state: Exploration, spell: Spelling) -> dict[str, Any]:
    """Return the shape and data type of each loaded table in an exploration, by `make_key`."""
    contents: dict[str, Any] = {}
    for e in (state.encoding, *(pin.encoding for pin in state.pins)):
        if isinstance(e, Stored) and (table := e.file_content) is not None:
            description = {"shape": [table.rows, table.columns], "type": str(table.dtype)}
            contents[make_key(e.source, spell)] = description
    return contents


def make_key(source: Source, spell: Spelling) -> str:
    """Return the key of a table: its path as written by `spell`, and its tensor name, if any."""
    path, *tensor_names = source
    return "#".join((spell(path), *tensor_names))
