"""Functions that find fields about positions, and decide how to read an unknown class."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from pe_explorer.configs._fields import MAX_WHOLE_NUMBER, Fields
from pe_explorer.configs._findings import Findings, shorten
from pe_explorer.configs._model import TextModel
from pe_explorer.configs.values import ERROR, LLAMA, LLAMA_IF_ROTARY, NOTE, WARNING, ConfigError
from pe_explorer.params import describe_bad_choice, format_fault, join_words

UNKNOWN_CLASS = "unknown-class"
"""The kind of finding for an unknown class."""

_ROTARY_PATTERN = re.compile(r"(?:^|_)m?rope|rotary|yarn|alibi", re.IGNORECASE)
_LAYER_PATTERN = re.compile(
    r"(?:layers?|attn|attention)_(?:block_)?(?:types?|pattern|interval|period|offset|ids|idxs)"
    r"|(?:hybrid|window).*_pattern|attn_type_list|every_n",
    re.IGNORECASE,
)
_POSITION_PATTERN = re.compile(
    rf"{_ROTARY_PATTERN.pattern}|{_LAYER_PATTERN.pattern}"
    r"|position|window|sliding|theta|nope|relative|indexer|index_topk$|compress_r|trained"
    r"|sinusoid|posemb|timescale|bucket_distance|log_scaling|temperature_tuning|long_context"
    r"|(?:^|_)(?:pos|swa|ntk|logn|attention_chunk|n_ctx|seq_len|seq_length)(?:_|$)"
    r"|context_len|sequence_len|(?:global|full_attention)_layers|bias_max_distance|absolute",
    re.IGNORECASE,
)
_IRRELEVANT_PATTERN = re.compile(
    # Fields of MLP or expert layers, and of layers for multi-token prediction.
    r"(?:mlp|moe|mtp)_.*"
    # Sizes that do not affect frequencies: unrotated channels, heads, values and sinks.
    r"|qk_nope_head_dim|.*_heads|.*v_head_dim|.*sink_bias"
    # Lengths of computed tables, and switches that have one possible value in GPT-J, Marian, MPT.
    r"|max_source_positions|rotary|static_position_embeddings|learned_pos_emb"
)
_LAYER_LISTS = ("layer_types", "no_rope_layers")
_MAX_NAMED_FIELDS = 8  # maximum number of fields that a note names

_Field = tuple[str, str, Any]  # path, name and value


def has_rotary_field(fields: Fields) -> bool:
    """Return whether the name or the value of any field mentions RoPE or ALiBi."""
    return any(
        _ROTARY_PATTERN.search(name) or ("pos" in name and _is_rotary_name(value))
        for _, name, value in _list_truthy_fields(fields.values, fields.path)
    )


def note_unread_fields(fields: Fields, findings: Findings) -> None:
    """Add a note about unread fields whose names suggest that they concern positions."""
    candidates = list(filter(_is_about_positions, _list_truthy_fields(fields.values, fields.path)))
    used_values = [value for path, _, value in candidates if path in fields.used_paths]
    unread_paths: list[str] = []
    for path, name, value in candidates:
        is_repeated = isinstance(value, int | float) and value is not True and value in used_values
        is_in_unread_field = any(path.startswith(f"{unread_path}.") for unread_path in unread_paths)
        is_known = path in fields.used_paths or _is_irrelevant(fields.values, name, value)
        if not (is_known or is_repeated or is_in_unread_field):
            unread_paths.append(path)
    if not unread_paths:
        return
    first_path, *other_paths = map(shorten, unread_paths)
    if len(other_paths) > _MAX_NAMED_FIELDS:
        other_paths[_MAX_NAMED_FIELDS:] = [f"{len(other_paths) - _MAX_NAMED_FIELDS} more fields"]
    happens, subject = "is not read", "it"
    if other_paths:
        verb = "is" if len(other_paths) == 1 else "are"
        happens = f"is not read, and {join_words(other_paths)} {verb} not read either"
        subject = "they"
    why = f"{subject} may affect positions, so check the model's code"
    findings.add(NOTE, "unread-field", first_path, happens, why)


def _is_about_positions(field: _Field) -> bool:
    _, name, value = field
    if name == "position_embedding_type" and _is_rotary_name(value):
        return False
    return bool(_POSITION_PATTERN.search(name)) and not _IRRELEVANT_PATTERN.fullmatch(name)


def _is_rotary_name(value: Any) -> bool:
    return isinstance(value, str) and bool(_ROTARY_PATTERN.search(value))


def _is_irrelevant(values: Mapping[str, Any], name: str, value: Any) -> bool:
    """Return whether a field has no effect because of its value or because of other fields."""
    if _LAYER_PATTERN.search(name):
        is_uniform = isinstance(value, list) and all(entry == value[0] for entry in value)
        return is_uniform or any(values.get(field) for field in _LAYER_LISTS)
    if name == "rope_type":
        return bool(value == "default")
    return "window" in name and values.get("use_sliding_window") is False


def _list_truthy_fields(values: Mapping[str, Any], path: Callable[[str], str]) -> Iterator[_Field]:
    """Yield all fields with truthy values, including nested ones, except those of other models."""
    for name, value in values.items():
        if not value:
            continue
        yield path(name), name, value
        if isinstance(value, Mapping) and (name == "attn_config" or not name.endswith("_config")):
            yield from _list_truthy_fields(value, partial("{}.{}".format, path(name)))


# -- unknown classes -------------------------------------------------------------------------------


def check_arguments(length: Any, assume: object) -> None:
    """Raise `ConfigError` unless `sequence_length` and `assume` are None or have allowed values."""
    if length is not None and not (type(length) is int and 1 <= length <= MAX_WHOLE_NUMBER):
        raise ConfigError("sequence_length", format_fault("a whole number of positions", length))
    allowed_values = (LLAMA, LLAMA_IF_ROTARY)
    if assume is not None and assume not in allowed_values:
        raise ConfigError("assume", describe_bad_choice(assume, allowed_values))


def find_assumed_class(model: TextModel, assume: str | None, layers: Iterable[str]) -> str:
    """Return the class whose rules an unknown class is assumed to follow, and add a finding.

    Return an empty string if the class is known. Also return an empty string if `assume` is
    "llama-if-rotary" but no field is about RoPE or ALiBi; the layers then have no encoding.
    Raise `ConfigError` if the class is unknown and `assume` is None.
    """
    code_path, name = "", shorten(model.cls.name)
    for fields in (*reversed(model.containers), model.fields):
        names = fields.get("auto_map")
        if isinstance(names, Mapping) and any(str(name).startswith("AutoModel") for name in names):
            code_path = fields.path("auto_map")
    if model.cls.is_listed:
        if code_path:
            why = f"the rules of {name} in transformers are used, but the code may differ"
            model.findings.add(NOTE, "own-code", code_path, "refers to custom code", why)
        return ""
    happens = f"{name} is an unknown class" if name else "is missing, so the class is unknown"
    if code_path:
        happens += f" with custom code ({code_path})"
    if assume is None:
        remedy = f'to read it like {LLAMA}, pass --assume {LLAMA} (assume="{LLAMA}" in Python)'
        raise ConfigError(model.type_path, happens, remedy)
    if assume == LLAMA_IF_ROTARY and not has_rotary_field(model.fields):
        happens += ", and no field is about RoPE or ALiBi"
        why = f"pass --assume {LLAMA} to read it like {LLAMA} anyway"
        for layer in layers:
            texts = model.type_path, happens, why
            model.findings.add(ERROR, UNKNOWN_CLASS, *texts, layer, flag="--assume")
        return ""
    why = f"this reading assumes the layout, defaults and layers of {LLAMA}, which may be wrong"
    model.findings.add(WARNING, UNKNOWN_CLASS, model.type_path, happens, why)
    return LLAMA
