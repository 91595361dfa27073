"""Functions that read configurations from mappings, or from files of limited size."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from pe_explorer.configs._findings import Findings, to_text
from pe_explorer.configs._model import list_identifying_fields
from pe_explorer.configs.values import CONFIGURATION, WARNING, ConfigError
from pe_explorer.json_text import DuplicateKeyObject, JsonError, read_json
from pe_explorer.params import format_fault, reason, with_remedy
from pe_explorer.reading import UnreadableError, read_bytes

MAX_BYTES = 16 << 20
"""Maximum size of a configuration in bytes; published configurations have up to 100,000 bytes."""

_PATH_REMEDY = "give the path of a config.json"
_FILE_NAMES = ("config.json", "params.json")
"""The names of configuration files in a model's folder, the most common name first."""


class ConfigFile(DuplicateKeyObject):
    """A configuration file: its name, data, fields and folder, which is None for a stream."""

    def __init__(self, fields: Any, name: str, data: bytes, folder: str | None) -> None:
        super().__init__(fields)
        self.duplicate_names = getattr(fields, "duplicate_names", ())
        self.name, self.data, self.folder = name, data, folder


def load(source: Any) -> Mapping[str, Any]:
    """Return the fields of a configuration from a file, a folder or a mapping of fields.

    Raise `ConfigError` if the file cannot be read, or is not a JSON object with a model's
    configuration.
    """
    if isinstance(source, Mapping):
        return _validate_document(CONFIGURATION, source)
    if not isinstance(source, str | os.PathLike):
        raise ConfigError(CONFIGURATION, format_fault("a path or a mapping", source))
    name = os.fspath(source)
    if not isinstance(name, str):
        raise ConfigError(CONFIGURATION, format_fault("a string", source), _PATH_REMEDY)
    return open_config(name)


def find_config_path(name: str) -> str:
    """Return the path of the configuration in a folder; return the path of a file unchanged."""
    if not name:
        raise ConfigError(CONFIGURATION, "the path is empty", _PATH_REMEDY)
    if not os.path.isdir(name):  # noqa: PTH112 - Path raises for names that are too long
        return name
    for path in (os.path.join(name, file_name) for file_name in _FILE_NAMES):
        if os.path.lexists(path):
            return path
    problem = f"is a folder without {' or '.join(_FILE_NAMES)}"
    raise ConfigError(name, problem, "choose another folder")


def open_config(name: str, stream: BinaryIO | None = None) -> ConfigFile:
    """Read a configuration from a file, a folder or a stream; errors refer to it as `name`.

    Raise the same exceptions as `load`.
    """
    if not stream:
        name = find_config_path(name)
    try:
        data = stream.read(MAX_BYTES + 1) or b"" if stream else read_bytes(name, MAX_BYTES + 1)
    except UnreadableError as error:
        raise ConfigError(name, reason(error), _PATH_REMEDY) from None
    except (OSError, ValueError) as error:
        raise ConfigError(name, f"cannot be read ({reason(error)})", _PATH_REMEDY) from None
    if len(data) > MAX_BYTES:
        problem = f"is larger than {MAX_BYTES >> 20} MB, the limit for configurations"
        raise ConfigError(name, problem)
    try:
        # Allow Infinity, which some models have in fields that no encoding needs.
        document = read_json(data.decode("utf-8-sig"), is_finite_only=False)
    except UnicodeDecodeError:
        remedy = "save it as UTF-8, or choose a config.json"
        raise ConfigError(name, "is not UTF-8 text", remedy) from None
    except JsonError as error:
        raise ConfigError(name, f"is {reason(error)}") from None
    folder = None if stream else os.path.dirname(name)
    return ConfigFile(_validate_document(name, document), name, data, folder)


def _validate_document(name: str, document: Any) -> Mapping[str, Any]:
    if foreign_description := describe_foreign_file(document):
        raise ConfigError(name, foreign_description)
    if not isinstance(document, Mapping):
        kind = "a list" if isinstance(document, list) else "a single value"
        raise ConfigError(name, f"expected an object with fields such as model_type, got {kind}")
    # A session has `schema`, and also `program` or `encoding`; a configuration has no `schema`.
    if "schema" in document and not {"program", "encoding"}.isdisjoint(document):
        problem = "is a PE Explorer session, not a model's configuration"
        raise ConfigError(name, problem, "open it as a session")
    if not document:
        raise ConfigError(name, "expected fields such as model_type, got an empty object")
    if not list_identifying_fields(document):
        problem = "is not a configuration, because it has no field such as model_type or rope_theta"
        raise ConfigError(name, problem, _PATH_REMEDY)
    return document


# -- files that are often mistaken for a configuration ---------------------------------------------

_CONFIG_REMEDY = "use the config.json in the same folder"
_IDENTIFYING_FIELDS = {
    "peft_type": ("the configuration of an adapter", "use the config.json of its base model"),
    "weight_map": ("the index of a model's weights", _CONFIG_REMEDY),
}
"""Fields that identify other kinds of files, even if a file also contains model sizes."""
_FOREIGN_FILES = {
    "a tokenizer file": ("tokenizer_class", "model_max_length", "added_tokens", "chat_template"),
    "a file of sentence-transformers": ("__version__", "similarity_fn_name", "max_seq_length"),
    "the configuration of a feature extractor": ("feature_extractor_type", "sampling_rate"),
    "the configuration of an image processor": ("image_processor_type", "image_mean"),
    "the configuration of a processor": ("processor_class",),
    "a generation_config.json": ("do_sample", "temperature", "max_new_tokens", "eos_token_id"),
}
"""Other kinds of files, and fields that identify them if they contain no model sizes."""
_GGUF_FIELDS = {
    "rope.freq_base": "rope_theta",
    "rope.dimension_count": "head_dim · partial_rotary_factor",
    "rope.scaling.type": "rope_scaling.rope_type",
    "rope.scaling.factor": "rope_scaling.factor",
    "rope.scaling.original_context_length": "rope_scaling.original_max_position_embeddings",
    "context_length": "max_position_embeddings",
    "attention.key_length": "head_dim",
    "attention.sliding_window": "sliding_window",
}
"""The config.json field for each GGUF key; keys omit the prefix with the model class."""


def describe_foreign_file(document: Any) -> str:
    """Describe what kind of file a document is instead of a configuration, with a remedy.

    Return an empty string if the kind is not recognised.
    """
    if isinstance(document, list):
        types = (entry.get("type") for entry in document if isinstance(entry, Mapping))
        if any(str(name).startswith("sentence_transformers") for name in types):
            return with_remedy("is the modules.json of sentence-transformers", _CONFIG_REMEDY)
        return ""
    if not isinstance(document, Mapping) or "model_type" in document:
        return ""
    for field, (kind, remedy) in _IDENTIFYING_FIELDS.items():
        if field in document:
            return with_remedy(f"is {kind}, because it has {field}", remedy)
    for keys in (document, document.get("metadata")):
        if isinstance(keys, Mapping) and (problem := _describe_gguf(keys)):
            return with_remedy(problem, "use the config.json of the model")
    if list_identifying_fields(document):
        return ""
    for kind, fields in _FOREIGN_FILES.items():
        for field in filter(document.__contains__, fields):
            return with_remedy(f"is {kind}, because it has {field}", _CONFIG_REMEDY)
    return ""


def _describe_gguf(keys: Mapping[str, Any]) -> str:
    if not any(str(key).endswith((".rope.freq_base", "general.architecture")) for key in keys):
        return ""
    endings = {str(key).partition(".")[2] for key in keys}
    field_texts = [f"{key} = {field}" for key, field in _GGUF_FIELDS.items() if key in endings]
    hint = f" ({', '.join(field_texts)} in a config.json)" if field_texts else ""
    return f"contains GGUF metadata, which is not supported{hint}"


# -- overrides -------------------------------------------------------------------------------------

LOST_FIELD = "lost-field"
"""The kind of finding for a field that an override removes."""

_REQUIRED_FIELDS = (("rope_theta",), ("rope_type", "type"), ("partial_rotary_factor",))
"""The fields that every rope dictionary needs, each with its alternative names."""


@dataclass(frozen=True)
class OverriddenConfig:
    """A configuration with some fields replaced, which can be passed in place of a file.

    Attributes
    ----------
    source : path or mapping
    override : mapping
        New values of fields. Nested configurations (`text_config`) are merged field by field;
        other objects are replaced entirely, as in vLLM's `--hf-overrides`.
    """

    source: Any
    override: Mapping[str, Any]


def parse_override(text: str) -> Mapping[str, Any]:
    """Parse the value of `--override`; raise `ConfigError` if it is not a JSON object."""
    remedy = 'write an object such as {"rope_theta": 1000000}'
    try:
        override = read_json(text, is_finite_only=False)
    except JsonError as error:
        raise ConfigError("override", f"is {reason(error)}", remedy) from None
    if not isinstance(override, Mapping):
        raise ConfigError("override", format_fault("an object with fields", text), remedy)
    return override


def load_with_override(source: Any, findings: Findings) -> Mapping[str, Any]:
    """Return the fields of a configuration after applying the override, if any.

    Add a warning if a rope dictionary loses its base, type or rotary part.
    """
    if not isinstance(source, OverriddenConfig):
        return load(source)
    return _override_fields(load(source.source), source.override, "", findings)


def _override_fields(
    values: Mapping[str, Any], override: Mapping[str, Any], prefix: str, findings: Findings
) -> Mapping[str, Any]:
    merged_values = {**values, **override}
    for name, new_value in override.items():
        old_value, path = values.get(name), f"{prefix}{name}"
        if not isinstance(old_value, Mapping) or not isinstance(new_value, Mapping):
            continue
        if name.endswith("_config"):
            merged_values[name] = _override_fields(old_value, new_value, f"{path}.", findings)
            continue
        for names in _REQUIRED_FIELDS:
            lost_field = next((key for key in names if key in old_value), "")
            is_replaced = not new_value.keys().isdisjoint(names) or lost_field in merged_values
            if lost_field and not is_replaced:
                value, why = to_text(old_value[lost_field]), f"add {lost_field} to the override"
                happens = f"is replaced entirely, which drops {lost_field} {value}"
                findings.add(WARNING, LOST_FIELD, path, happens, why)
    return merged_values
