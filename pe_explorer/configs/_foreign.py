"""Recognises files that are often mistaken for a model's configuration."""

from collections.abc import Mapping
from typing import Any

from pe_explorer.configs._model import identifying_fields

_BESIDE = "use the config.json in the same folder"
_BY_ONE_FIELD = {
    "peft_type": ("the configuration of an adapter", "use the config.json of its base model"),
    "weight_map": ("the index of a model's weights", _BESIDE),
}
"""Fields that identify a file even if it has the model's sizes, as an adapter can."""
_WITHOUT_SIZES = {
    "a tokenizer file": ("tokenizer_class", "model_max_length", "added_tokens", "chat_template"),
    "a file of sentence-transformers": ("__version__", "similarity_fn_name", "max_seq_length"),
    "the configuration of a feature extractor": ("feature_extractor_type", "sampling_rate"),
    "the configuration of an image processor": ("image_processor_type", "image_mean"),
    "the configuration of a processor": ("processor_class",),
    "a generation_config.json": ("do_sample", "temperature", "max_new_tokens", "eos_token_id"),
}
"""Files and the fields that identify them, unless a file has sizes, as a configuration has."""
_GGUF = {
    "rope.freq_base": "rope_theta",
    "rope.dimension_count": "head_dim · partial_rotary_factor",
    "rope.scaling.type": "rope_scaling.rope_type",
    "rope.scaling.factor": "rope_scaling.factor",
    "rope.scaling.original_context_length": "rope_scaling.original_max_position_embeddings",
    "context_length": "max_position_embeddings",
    "attention.key_length": "head_dim",
    "attention.sliding_window": "sliding_window",
}
"""The fields of a configuration by GGUF key, without the model class that prefixes the key."""


def foreign_file(document: Any) -> str:
    """Return what a document is and what to use instead, or "" if it may be a configuration."""
    if isinstance(document, list):
        return _list(document)
    if not isinstance(document, Mapping) or "model_type" in document:
        return ""
    for field, (kind, remedy) in _BY_ONE_FIELD.items():
        if field in document:
            return f"is {kind}, because it has {field}; {remedy}"
    metadata = document.get("metadata")
    for keys in (document, metadata if isinstance(metadata, Mapping) else {}):
        if any(str(key).endswith((".rope.freq_base", "general.architecture")) for key in keys):
            return _gguf(keys)
    if identifying_fields(document):
        return ""
    for kind, fields in _WITHOUT_SIZES.items():
        found = next((field for field in fields if field in document), None)
        if found is not None:
            return f"is {kind}, because it has {found}; {_BESIDE}"
    return ""


def _list(document: list[Any]) -> str:
    types = (each.get("type") for each in document if isinstance(each, Mapping))
    named = any(str(name).startswith("sentence_transformers") for name in types)
    return f"is the modules.json of sentence-transformers; {_BESIDE}" if named else ""


def _gguf(keys: Mapping[str, Any]) -> str:
    endings = {str(key).partition(".")[2] for key in keys}
    known = [f"{key} = {field}" for key, field in _GGUF.items() if key in endings]
    named = f" ({', '.join(known)} in a config.json)" if known else ""
    return f"contains GGUF metadata, which is not supported{named}; use the model's config.json"
