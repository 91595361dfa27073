"""Reads a configuration from a file, once and within limits, or from a mapping."""

import os
from collections.abc import Mapping
from typing import Any, BinaryIO

from pe_explorer.configs._foreign import foreign_file
from pe_explorer.configs._model import identifying_fields
from pe_explorer.configs.values import CONFIGURATION, ConfigError
from pe_explorer.json_text import JsonError, RepeatingObject, read_json
from pe_explorer.params import quoted, reason
from pe_explorer.reading import UnreadableError, read_bytes

MOST_BYTES = 16 << 20
"""Maximum size of a configuration in bytes; real ones have up to 100,000."""

_NAMES = ("config.json", "params.json")
"""The names of configurations in the folder of a model, the usual one first."""
_SESSION_FIELDS = ("program", "encoding")
"""A session has the field `schema` and one of these; a configuration has no `schema`."""


class ConfigFile(RepeatingObject):
    """The fields of a configuration, with the name, data and folder (if any) of its file."""

    def __init__(self, fields: Any, name: str, data: bytes, folder: str | None) -> None:
        super().__init__(fields)
        self.repeated = getattr(fields, "repeated", ())
        self.name, self.data, self.folder = name, data, folder


def load(source: Any) -> Mapping[str, Any]:
    """Return the fields of a configuration.

    Parameters
    ----------
    source : path or mapping
        A file, a folder with a `config.json`, or the fields themselves.

    Raises
    ------
    ConfigError
        If the file cannot be read, or is not a JSON object with a model's configuration.
    """
    if isinstance(source, Mapping):
        return _checked(CONFIGURATION, source)
    if not isinstance(source, str | os.PathLike):
        raise ConfigError(CONFIGURATION, f"{quoted(source)} is neither a path nor a mapping")
    name = os.fspath(source)
    if not isinstance(name, str):
        raise ConfigError(CONFIGURATION, f"{quoted(source)} is not a string; give its path")
    return open_config(name)


def config_path(name: str) -> str:
    """Return the path of the configuration in a folder, or of a file; may raise `ConfigError`."""
    if not name:
        raise ConfigError(CONFIGURATION, "the path is empty; give the path of a config.json")
    if not os.path.isdir(name):  # noqa: PTH112 - Path raises for names that are too long
        return name
    for path in (os.path.join(name, each) for each in _NAMES):
        if os.path.lexists(path):
            return path
    raise ConfigError(name, f"is a folder without {' or '.join(_NAMES)}", "choose another folder")


def open_config(name: str, stream: BinaryIO | None = None) -> ConfigFile:
    """Read a configuration from a file or a folder, or from a stream, which errors call `name`.

    Raises `ConfigError` as `load` does.
    """
    name = name if stream else config_path(name)
    try:
        data = stream.read(MOST_BYTES + 1) or b"" if stream else read_bytes(name, MOST_BYTES + 1)
    except UnreadableError as error:
        raise ConfigError(name, f"{reason(error)}; give the path of a config.json") from None
    except (OSError, ValueError) as error:
        raise ConfigError(name, f"cannot be read ({reason(error)})") from None
    if len(data) > MOST_BYTES:
        problem = f"is larger than {MOST_BYTES >> 20} MB, the limit for a configuration"
        raise ConfigError(name, problem)
    try:
        # Configurations of some models have Infinity in fields that no encoding needs.
        document = read_json(data.decode("utf-8-sig"), only_finite=False)
    except UnicodeDecodeError:
        raise ConfigError(
            name, "is not UTF-8 text; save it as UTF-8, or choose a config.json"
        ) from None
    except JsonError as error:
        raise ConfigError(name, f"is {reason(error)}") from None
    folder = None if stream else os.path.dirname(name)
    return ConfigFile(_checked(name, document), name, data, folder)


def _checked(name: str, document: Any) -> Mapping[str, Any]:
    if foreign := foreign_file(document):
        raise ConfigError(name, foreign)
    if not isinstance(document, Mapping):
        kind = "a list" if isinstance(document, list) else "a single value"
        raise ConfigError(name, f"contains {kind}, not an object with fields such as model_type")
    if "schema" in document and any(field in document for field in _SESSION_FIELDS):
        raise ConfigError(name, "is a PE Explorer session, not a model's configuration")
    if not document:
        raise ConfigError(name, "is an empty object; a configuration has fields such as model_type")
    if not identifying_fields(document):
        problem = "is not a model's configuration, because it has no field such as model_type"
        raise ConfigError(name, f"{problem} or rope_theta; give a config.json")
    return document
