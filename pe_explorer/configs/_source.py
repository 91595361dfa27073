"""Reads a configuration from a file, once and within limits, or from a mapping."""

import os
from collections.abc import Mapping
from typing import Any

from pe_explorer.configs._foreign import foreign_file
from pe_explorer.configs._model import identifying_fields
from pe_explorer.configs.values import CONFIGURATION, ConfigError
from pe_explorer.json_text import JsonError, read_json
from pe_explorer.params import quoted, reason
from pe_explorer.reading import UnreadableError, read_bytes

MOST_BYTES = 16 << 20
"""Bytes of a configuration; real ones have up to a hundred thousand."""

_SESSION_FIELDS = ("program", "encoding")
"""A session has the field `schema` and one of these; a configuration has no `schema`."""


def load(source: Any) -> Mapping[str, Any]:
    """Return the object of a configuration.

    Parameters
    ----------
    source : path or mapping

    Raises
    ------
    ConfigError
        If the file cannot be read, or holds no JSON object with the configuration of a model.
    """
    if isinstance(source, Mapping):
        return _checked(CONFIGURATION, source)
    if not isinstance(source, str | os.PathLike):
        raise ConfigError(CONFIGURATION, f"{quoted(source)} is neither a path nor a mapping")
    name = os.fspath(source)
    if not isinstance(name, str):
        raise ConfigError(CONFIGURATION, f"{quoted(source)} is not a text; give its path")
    if not name:
        raise ConfigError(CONFIGURATION, "no file is named; give the path of a config.json")
    return _checked(name, _document(name))


def _document(name: str) -> Any:
    """Return what the JSON of a file holds."""
    try:
        data = read_bytes(name, MOST_BYTES + 1)
    except UnreadableError as error:
        raise ConfigError(name, f"{reason(error)}; give the path of a config.json") from None
    except (OSError, ValueError) as error:
        raise ConfigError(name, f"cannot be read ({reason(error)})") from None
    if len(data) > MOST_BYTES:
        problem = f"has more than {MOST_BYTES >> 20} MB, which no configuration has"
        raise ConfigError(name, problem)
    try:
        # Configurations of some models say Infinity, in fields that no encoding needs.
        return read_json(data.decode("utf-8-sig"), only_finite=False)
    except UnicodeDecodeError:
        raise ConfigError(name, "is not a text; give the path of a config.json") from None
    except JsonError as error:
        raise ConfigError(name, f"is {reason(error)}") from None


def _checked(name: str, document: Any) -> Mapping[str, Any]:
    """Return the object of a configuration, unless it is something else."""
    if foreign := foreign_file(document):
        raise ConfigError(name, foreign)
    if not isinstance(document, Mapping):
        kind = "a list" if isinstance(document, list) else "a single value"
        raise ConfigError(name, f"holds {kind}, not an object with fields such as model_type")
    if "schema" in document and any(field in document for field in _SESSION_FIELDS):
        raise ConfigError(name, "is a session of PE Explorer, not a model's configuration")
    if not document:
        raise ConfigError(name, "is an empty object; a configuration has fields such as model_type")
    if not identifying_fields(document):
        problem = "is not a model's configuration, because it has no field such as model_type"
        raise ConfigError(name, f"{problem} or rope_theta; give a config.json")
    return document
