"""Read files that the user opens, and distinguish sessions, configurations and tables."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from pe_explorer import configs, encodings, tables
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.files import session
from pe_explorer.files.session import DATA_SUFFIXES, TABLE_SUFFIX, Session, SessionError
from pe_explorer.json_text import JsonError, read_json
from pe_explorer.reading import read_bytes
from pe_explorer.tables import Table, TableError

FileContent: TypeAlias = Session | Table | OpenedModel

SESSION, CONFIGURATION, LEARNED_TABLE = "a session", "a model's configuration", "a learned table"

_START_BYTE_COUNT = 8  # number of bytes that distinguish arrays, archives and figures from text
_TABLE_SIGNATURES = (b"\x93NUMPY", b"PK\x03\x04")
"""The first bytes of ``.npy`` files and of archives; the table reader rejects archives."""
_FIGURE_SIGNATURES = (b"\x89PNG", b"%PDF")
_MAX_NAMED_FIELDS = 3  # maximum number of fields named in a message


def read(path: Path | str) -> FileContent:
    """Return a file's content; raise `SessionError` or `TableError` if it is not valid."""
    name = os.fspath(path)
    has_side_file = session.find_side_file(name) is not None
    if has_side_file and name.lower().endswith(DATA_SUFFIXES):
        return session.read(name)
    start = b""
    with suppress(OSError, ValueError):  # the code below reports the error
        start = read_bytes(name, _START_BYTE_COUNT)
    if start.startswith(_TABLE_SIGNATURES):
        return _read_table(name)
    if start.startswith(_FIGURE_SIGNATURES):
        return session.read_file(name)
    document = _read_json(name) if start else None
    if not isinstance(document, dict | list):
        is_table = Path(name).suffix.lower() == TABLE_SUFFIX and not has_side_file
        return _read_table(name) if is_table else session.read(name)
    if _is_configuration(name, document):
        return _read_configuration(name, document)
    return session.read_file(name)


def find_kind(content: FileContent) -> str:
    """Return the kind of an opened file: `SESSION`, `CONFIGURATION` or `LEARNED_TABLE`."""
    if isinstance(content, Session):
        return SESSION
    return LEARNED_TABLE if isinstance(content, Table) else CONFIGURATION


def read_compared_model(path: Path | str) -> OpenedModel:
    """Return the model in a configuration file.

    Raise the same exceptions as `read`, and `SessionError` if the file contains something
    other than a configuration.
    """
    content = read(path)
    if not isinstance(content, OpenedModel):
        problem = f"{os.fspath(path)}: only model configurations can be compared"
        problem = f"{problem}, and this is {find_kind(content)}"
        raise SessionError(problem, "choose a config.json")
    return content


def _read_json(name: str) -> Any:
    try:
        data = read_bytes(name, configs.MAX_BYTES + 1)
        if len(data) > configs.MAX_BYTES:
            return None
        text = data.decode(json.detect_encoding(data))
        # Allow Infinity, because some configurations contain it.
        return read_json(text, is_finite_only=False)
    except (OSError, ValueError, JsonError):
        return None


def _is_configuration(name: str, document: Any) -> bool:
    """Return whether a document is a configuration and not a session.

    Raise `SessionError` if the document is neither a configuration nor a session, or if it
    could be either.
    """
    session_problem = session.find_session_problem(document)
    fields = configs.list_identifying_fields(document) if isinstance(document, Mapping) else ()
    if session_problem and fields:
        return True
    if not session_problem and not fields:
        return False
    if foreign_description := configs.describe_foreign_file(document):
        raise SessionError(f"{name}: {foreign_description}")
    if fields:
        names = ", ".join(fields[:_MAX_NAMED_FIELDS])
        problem = "could be a session of PE Explorer, because it has schema and encoding"
        problem = f"{name}: {problem}, or a model's configuration, because it has {names}"
        raise SessionError(problem, "keep only the fields of one kind")
    config_problem = "no field such as model_type or rope_theta"
    if not isinstance(document, dict):
        config_problem = session_problem
    problem = f"this is JSON, but neither a session of PE Explorer ({session_problem})"
    problem = f"{name}: {problem} nor a model's configuration ({config_problem})"
    raise SessionError(problem, "choose another file")


def _read_configuration(name: str, document: Any) -> OpenedModel:
    try:
        configuration = encodings.read_config(document, assume=configs.LLAMA_IF_ROTARY)
        configuration.require_encodings()
        model = OpenedModel(os.path.basename(name), document, configuration)
        model.checks  # noqa: B018 - computed in the thread that reads files
        return model
    except EncodingError as error:
        field = "" if error.name == configs.CONFIGURATION else f"{error.name}: "
        raise SessionError(f"{name}: {field}{error.fault}", error.remedy) from None


def _read_table(name: str) -> Table:
    """Return the table in a file; raise `TableError` if the table or the suffix is invalid."""
    table = tables.read_table(name)
    if not name.lower().endswith(TABLE_SUFFIX):
        problem = f"contains a table, but its name does not end in {TABLE_SUFFIX}"
        raise TableError(name, problem, "rename the file and open it again")
    return table
