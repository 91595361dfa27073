"""Reader of opened files, which distinguishes sessions, configurations and tables."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from pe_explorer import configs, encodings, tables
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.files import session
from pe_explorer.files.session import DATA, TABLE, Session, SessionError
from pe_explorer.json_text import JsonError, read_json
from pe_explorer.reading import read_bytes
from pe_explorer.tables import Table, TableError

Opened: TypeAlias = Session | Table | OpenedModel

SESSION, CONFIGURATION, LEARNED = "a session", "a model's configuration", "a learned table"

_START_BYTES = 8  # enough bytes to distinguish arrays, archives and figures from text
_TABLE_STARTS = (b"\x93NUMPY", b"PK\x03\x04")
"""The first bytes of an array, and of an archive of arrays, which the reader of tables refuses."""
_FIGURE_STARTS = (b"\x89PNG", b"%PDF")
_MAX_NAMED = 3  # maximum number of fields in a message


def read(path: Path | str) -> Opened:
    """Return the content of a file, or raise `SessionError` or `TableError`."""
    name = os.fspath(path)
    is_bare = Path(name).suffix.lower() == TABLE and not session.found_side_file(name)
    if not is_bare and name.lower().endswith(DATA) and session.found_side_file(name):
        return session.read(name)
    try:
        start = read_bytes(name, _START_BYTES)
    except (OSError, ValueError):
        # The functions below read the file again and report the error.
        start = b""
    if start.startswith(_TABLE_STARTS):
        return _table(name)
    if start.startswith(_FIGURE_STARTS):
        return session.read_itself(name)
    document = _json(name) if start else None
    if not isinstance(document, dict | list):
        return _table(name) if is_bare else session.read(name)
    if _is_configuration(name, document):
        return _configuration(name, document)
    return session.read_itself(name)


def kind_of(opened: Opened) -> str:
    """Return the kind of an opened file: `SESSION`, `CONFIGURATION` or `LEARNED`."""
    if isinstance(opened, Session):
        return SESSION
    return LEARNED if isinstance(opened, Table) else CONFIGURATION


def read_compared(path: Path | str) -> OpenedModel:
    """Return the model in a file; raise the errors of `read`, or `SessionError` if it has none."""
    opened = read(path)
    if not isinstance(opened, OpenedModel):
        problem = f"{os.fspath(path)}: only model configurations can be compared"
        problem = f"{problem}, and this is {kind_of(opened)}"
        raise SessionError(problem, "choose a config.json")
    return opened


def _json(name: str) -> Any:
    try:
        data = read_bytes(name, configs.MOST_BYTES + 1)
        if len(data) > configs.MOST_BYTES:
            return None
        text = data.decode(json.detect_encoding(data))
        # Allow Infinity, because some configurations contain it.
        return read_json(text, only_finite=False)
    except (OSError, ValueError, JsonError):
        return None


def _is_configuration(name: str, document: Any) -> bool:
    """Return whether a document is a configuration and not a session, or raise `SessionError`."""
    session_problem = session.why_no_session(document)
    fields = configs.identifying_fields(document) if isinstance(document, Mapping) else ()
    if session_problem and fields:
        return True
    if not session_problem and not fields:
        return False
    if foreign := configs.foreign_file(document):
        raise SessionError(f"{name}: {foreign}")
    if fields:
        names = ", ".join(fields[:_MAX_NAMED])
        problem = "could be a session of PE Explorer, because it has schema and encoding"
        problem = f"{name}: {problem}, or a model's configuration, because it has {names}"
        raise SessionError(problem, "remove the fields of the other kind")
    config_problem = (
        "no field such as model_type or rope_theta"
        if isinstance(document, dict)
        else session_problem
    )
    problem = f"this is JSON, but neither a session of PE Explorer ({session_problem})"
    problem = f"{name}: {problem} nor a model's configuration ({config_problem})"
    raise SessionError(problem, "choose another file")


def _configuration(name: str, document: Any) -> OpenedModel:
    try:
        configuration = encodings.read_config(document, assume=configs.LLAMA_IF_ROTARY)
        configuration.require()
        model = OpenedModel(os.path.basename(name), document, configuration)
        model.checks  # noqa: B018 - computed here, in the thread that reads files
        return model
    except EncodingError as error:
        field = "" if error.name == configs.CONFIGURATION else f"{error.name}: "
        raise SessionError(f"{name}: {field}{error.fault}", error.remedy) from None


def _table(name: str) -> Table:
    """Return the table in a file, or raise `TableError` if the suffix of its name is wrong."""
    table = tables.read_table(name)
    if not name.lower().endswith(TABLE):
        problem = f"contains a table, but its name does not end in {TABLE}"
        raise TableError(name, problem, "rename the file and open it again")
    return table
