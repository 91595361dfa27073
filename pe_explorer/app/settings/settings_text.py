"""The settings as a text that people can read: what can be used is used, key by key."""

from __future__ import annotations

import dataclasses
import errno
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pe_explorer import __version__
from pe_explorer.app.settings.settings import Layout, Settings
from pe_explorer.files.json_text import JsonError, read_json, written_json
from pe_explorer.files.reading import UnreadableError, read_bytes
from pe_explorer.params import ParameterError

__all__ = ["SCHEMA", "BrokenError", "document_of", "is_newer", "parse", "text_of"]

SCHEMA = 1

_PROGRAM = "PE Explorer"
_MOST_BYTES = 1 << 20
_NAMES = tuple(f.name for f in dataclasses.fields(Settings))


class BrokenError(Exception):
    """The file holds no settings: the text says why."""


def document_of(path: Path) -> dict[str, Any]:
    """Return the object in the file, empty if there is no file.

    Raises `BrokenError` or `OSError`.
    """
    try:
        data = read_bytes(path, _MOST_BYTES + 1)
    except FileNotFoundError:
        return {}
    except UnreadableError:
        raise OSError(errno.EINVAL, "is not a file; move it away") from None
    if len(data) > _MOST_BYTES:
        raise BrokenError(f"has more than {_MOST_BYTES:,} bytes, more than any settings")
    try:
        document = read_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BrokenError(f"is not JSON ({error})") from None
    except JsonError as error:
        raise BrokenError(f"is {error}") from None
    schema = document.get("schema") if isinstance(document, dict) else None
    if (
        type(schema) is not int
        or schema < 1
        or not str(document.get("program")).startswith(_PROGRAM)
    ):
        raise BrokenError("holds no settings of this program")
    return dict(document)


def is_newer(document: Mapping[str, Any]) -> bool:
    """Return whether a later version wrote it."""
    return bool(document) and document["schema"] > SCHEMA


def parse(document: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """Return the settings that fit, and what is wrong with the others."""
    fitting: dict[str, Any] = {}
    problems = []
    for name, value in _flat(document):
        try:
            found = getattr(Settings(**{name: value}), name)
        except ParameterError as error:
            problems.append(str(error))
        else:
            fitting[name] = _joined(fitting[name], found) if name in fitting else found
    return Settings(**fitting), problems


def _joined(old: Any, new: Any) -> Any:
    return {**old, **new} if isinstance(old, Mapping) else old + new


def _flat(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what is known, one folder or file at a time: a bad one does not spoil the others."""
    for name in _NAMES:
        if name in document:
            yield from ((name, part) for part in _parts(name, document[name]))


def _parts(name: str, value: Any) -> list[Any]:
    if name == "folders" and isinstance(value, dict):
        return [{kind: folder} for kind, folder in value.items()]
    return [[path] for path in value] if name == "recent" and isinstance(value, list) else [value]


def text_of(document: Mapping[str, Any], base: Settings, new: Settings) -> bytes:
    """Return the document with what has changed or was missing.

    All else stays as it was written.
    """
    fresh: dict[str, Any] = {"program": f"{_PROGRAM} {__version__}", "schema": SCHEMA}
    for name in _NAMES:
        value, old = getattr(new, name), document.get(name)
        if name in document and value == getattr(base, name) and not parse({name: old})[1]:
            fresh[name] = old
        elif isinstance(value, Mapping):
            fresh[name] = dict(value)
        else:
            fresh[name] = value.as_json() if isinstance(value, Layout) else value
    return written_json(
        {**fresh, **{key: value for key, value in document.items() if key not in fresh}}
    ).encode()
