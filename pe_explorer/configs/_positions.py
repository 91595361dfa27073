"""Detection of fields about positions, and the decision how to read an unknown class."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import Findings, shortened
from pe_explorer.configs._model import TextModel
from pe_explorer.configs.values import ERROR, LLAMA, LLAMA_IF_ROTARY, NOTE, WARNING, ConfigError
from pe_explorer.params import listed, not_one_of

UNKNOWN_CLASS = "unknown-class"
"""The kind of finding for an unknown class."""

_ROTARY = re.compile(r"(?:^|_)m?rope|rotary|yarn|alibi", re.IGNORECASE)
_ABOUT_LAYERS = re.compile(
    r"(?:layers?|attn|attention)_(?:block_)?(?:types?|pattern|interval|period|offset|ids|idxs)"
    r"|(?:hybrid|window).*_pattern|attn_type_list|every_n",
    re.IGNORECASE,
)
_ABOUT_POSITIONS = re.compile(
    rf"{_ROTARY.pattern}|{_ABOUT_LAYERS.pattern}"
    r"|position|window|sliding|theta|nope|relative|indexer|index_topk$|compress_r|trained"
    r"|sinusoid|posemb|timescale|bucket_distance|log_scaling|temperature_tuning|long_context"
    r"|(?:^|_)(?:pos|swa|ntk|logn|attention_chunk|n_ctx|seq_len|seq_length)(?:_|$)"
    r"|context_len|sequence_len|(?:global|full_attention)_layers|bias_max_distance|absolute",
    re.IGNORECASE,
)
_IRRELEVANT = re.compile(
    # Fields of MLP or expert layers, and of layers that predict further tokens.
    r"(?:mlp|moe|mtp)_.*"
    # Sizes that do not affect frequencies: unrotated channels, heads, values and sinks.
    r"|qk_nope_head_dim|.*_heads|.*v_head_dim|.*sink_bias"
    # Rows that follow from a formula, and switches without a choice: always on in GPT-J and Marian,
    # off in MPT because of ALiBi.
    r"|max_source_positions|rotary|static_position_embeddings|learned_pos_emb"
)
_LISTS_OF_LAYERS = ("layer_types", "no_rope_layers")
_MAX_NAMED = 8  # maximum number of fields that a note names

_Field = tuple[str, str, Any]
"""Path, name and value of a field."""


def has_rotary_field(fields: Fields) -> bool:
    """Return whether the name or the value of any field mentions RoPE or ALiBi."""
    return any(
        _ROTARY.search(name) or ("pos" in name and _names_rotary(value))
        for _, name, value in _set_fields(fields.values, fields.path)
    )


def find_unread(fields: Fields, findings: Findings) -> None:
    """Add a note about unread fields whose names suggest positions."""
    unread = _unread_paths(fields)
    if not unread:
        return
    first_path, *remaining = map(shortened, unread)
    if len(remaining) > _MAX_NAMED:
        remaining[_MAX_NAMED:] = [f"{len(remaining) - _MAX_NAMED} more fields"]
    happens = f"is not read, nor is {listed(remaining, 'or')}" if remaining else "is not read"
    why = f"{'they' if remaining else 'it'} may affect positions, so check the model's code"
    findings.add(NOTE, "unread-field", first_path, happens, why)


def _unread_paths(fields: Fields) -> list[str]:
    candidates = list(filter(_is_about_positions, _set_fields(fields.values, fields.path)))
    used_values = [value for path, _, value in candidates if path in fields.read_paths]
    unread: list[str] = []
    for path, name, value in candidates:
        repeats = isinstance(value, int | float) and value is not True and value in used_values
        is_within = any(path.startswith(f"{outer}.") for outer in unread)
        is_settled = _is_irrelevant(fields.values, name, value)
        if not (path in fields.read_paths or repeats or is_within or is_settled):
            unread.append(path)
    return unread


def _is_about_positions(field: _Field) -> bool:
    _, name, value = field
    is_rotary_anyway = name == "position_embedding_type" and _names_rotary(value)
    is_about = _ABOUT_POSITIONS.search(name) and not _IRRELEVANT.fullmatch(name)
    return bool(is_about) and not is_rotary_anyway


def _names_rotary(value: Any) -> bool:
    return isinstance(value, str) and bool(_ROTARY.search(value))


def _is_irrelevant(values: Mapping[str, Any], name: str, value: Any) -> bool:
    """Return whether a field has no effect because of its value or because of other fields."""
    if _ABOUT_LAYERS.search(name):
        is_uniform = isinstance(value, list) and all(entry == value[0] for entry in value)
        return is_uniform or any(values.get(field) for field in _LISTS_OF_LAYERS)
    if name == "rope_type":
        return bool(value == "default")
    return "window" in name and values.get("use_sliding_window") is False


def _set_fields(values: Mapping[str, Any], path: Callable[[str], str]) -> Iterator[_Field]:
    """Yield the fields with values, including fields of nested objects.

    Empty values, 0, false and null are skipped, and so are configurations of other models, such as
    `vision_config`.
    """
    for name, value in values.items():
        if not value:
            continue
        yield path(name), name, value
        if isinstance(value, Mapping) and (name == "attn_config" or not name.endswith("_config")):
            yield from _set_fields(value, partial("{}.{}".format, path(name)))


# -- unknown classes -------------------------------------------------------------------------------


def require_assumption(value: object) -> None:
    """Raise `ConfigError` unless `assume` has an allowed value."""
    allowed = (LLAMA, LLAMA_IF_ROTARY)
    if value is not None and value not in allowed:
        raise ConfigError("assume", not_one_of(value, allowed))


def assumed_class(model: TextModel, assume: str | None, layers: Iterable[str]) -> str:
    """Return the class whose rules an unknown class is assumed to follow, and add a finding.

    Return an empty string for a known class, or if no field is about rotation and the layers
    therefore have no encoding. Raise `ConfigError` for an unknown class if `assume` is None.
    """
    code = _custom_code_path(model)
    if model.cls.known:
        if code:
            why = (
                f"that may differ from {model.cls.name} in transformers, whose rules are used here"
            )
            model.findings.add(NOTE, "own-code", code, "refers to custom code", why)
        return ""
    name = shortened(model.cls.name)
    happens = f"{name} is an unknown class" if name else "is missing, so the class is unknown"
    if code:
        happens += f" with custom code ({code})"
    if assume is None:
        remedy = f'to read it like {LLAMA}, pass --assume {LLAMA} (assume="{LLAMA}" in Python)'
        raise ConfigError(model.type_path, happens, remedy)
    if assume == LLAMA_IF_ROTARY and not has_rotary_field(model.fields):
        happens += ", and no field is about RoPE or ALiBi"
        why = f"pass --assume {LLAMA} to read it like {LLAMA} anyway"
        for layer in layers:
            model.findings.add(
                ERROR, UNKNOWN_CLASS, model.type_path, happens, why, layer, flag="--assume"
            )
        return ""
    why = f"this reading assumes the layout, defaults and layers of {LLAMA}, which may be wrong"
    model.findings.add(WARNING, UNKNOWN_CLASS, model.type_path, happens, why)
    return LLAMA


def _custom_code_path(model: TextModel) -> str:
    for fields in (model.fields, *model.outer):
        names = fields.get("auto_map")
        if isinstance(names, Mapping) and any(str(name).startswith("AutoModel") for name in names):
            return fields.path("auto_map")
    return ""
