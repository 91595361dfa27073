"""The parameters of rotary embedding for one layer type."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from pe_explorer.configs._findings import format_suggestion, to_text
from pe_explorer.configs._layers import FULL_ATTENTION, UNSCALED_SUFFIX, find_kind, group_layers
from pe_explorer.configs._model import HEAD_FIELDS, WIDTH_FIELDS, TextModel
from pe_explorer.configs._rope_fields import (
    ROPE_PARAMETERS,
    ROPE_SCALING,
    RopeFields,
    find_type_field,
    read_rope_fields,
)
from pe_explorer.configs._scaling import ROPE_TYPES, RotaryLayer, compute_mscale, scaling
from pe_explorer.configs.values import NOTE, Scheme
from pe_explorer.params import format_fault, join_words, quote_value

_TYPE_SYNONYMS = {"su": "longrope", "mrope": "default"}
_MAX_HEAD_DIM = 1 << 20
INDEXER_SUFFIX = ".indexer"
"""The suffix for the indexer of a layer type, a second attention that selects keys."""


def rope(model: TextModel, layer: str) -> Scheme:
    """Return the scheme of a layer type with rotary embedding.

    Raise `NoEncodingError` if the fields are incomplete, contradictory or not supported.
    """
    rotary = read_rotary_layer(model, layer)
    base, part, head_dim = float(rotary.rope.base), rotary.part, rotary.head_dim
    if rotary.is_width_rounded_up:
        width = rotary.width
        happens = f"gives int({head_dim} · {part}) = {width} channels, rounded up by transformers"
        base, part = base ** ((width + 1) / width), _compute_rotary_share(width + 1, head_dim)
        why = f"the frequencies are those of {width + 1} channels with base {to_text(base)}"
        model.record(NOTE, "odd-width", "partial_rotary_factor", happens, why, layer)
    return "rope", {
        "head_dim": head_dim,
        "rope_theta": base,
        "partial_rotary_factor": part,
        "layout": layout(model),
        "rope_type": rotary.rope_type,
        **scaling(rotary),
    }


def read_rotary_layer(model: TextModel, layer: str) -> RotaryLayer:
    """Return the fields that determine the rotation of a layer type."""
    layer = layer.removesuffix(INDEXER_SUFFIX)
    fields = read_rope_fields(model, layer)
    rope_type = _read_rope_type(model, fields, layer)
    head_dim = _find_head_dim(model, layer)
    part = _find_rotary_part(model, fields, head_dim, layer)
    rotary = RotaryLayer(model, layer, fields, rope_type, head_dim, part)
    path = fields.part_path or model.fields.path("head_dim")
    if part > 1:
        happens = f"rotates more channels than the head has ({head_dim:,})"
        why = "choose a fraction from 0 to 1" if part == fields.part else ""
        model.findings.fail("contradiction", path, happens, why, layer)
    width = head_dim if rope_type == "proportional" else rotary.width
    if (width < 2 or width % 2 == 1) and not rotary.is_width_rounded_up:
        happens = f"rotates int({head_dim} · {part}) = {rotary.width} channels"
        why = "this number of channels does not form pairs within a head"
        model.findings.fail("contradiction", path, happens, why, layer)
    if fields.is_default and fields.fields.values:
        name = ROPE_PARAMETERS if model.rules.reads_parameters else ROPE_SCALING
        model.note_default(name, rope_type, layer)
    return rotary


def read_rotary_layers(
    model: TextModel, schemes: Mapping[str, Scheme]
) -> Iterator[tuple[RotaryLayer, Mapping[str, Any]]]:
    """Yield the layer types with RoPE, and the parameters of their schemes."""
    for layer, (name, parameters) in schemes.items():
        if name == "rope" and not layer.endswith(INDEXER_SUFFIX):
            yield read_rotary_layer(model, layer), parameters


def _read_rope_type(model: TextModel, rope: RopeFields, layer: str) -> str:
    name = find_type_field(model, rope.fields)
    if name is None or layer.endswith(f".{UNSCALED_SUFFIX}"):
        return "default"
    written_type = rope.fields.text(name) or ""
    rope_type = _TYPE_SYNONYMS.get(written_type, written_type)
    rope_type = model.cls.renamed.get(rope_type, rope_type)
    if rope_type == "dynamic" and model.cls.alpha and rope.fields.number("alpha"):
        return "ntk"
    if rope_type not in ROPE_TYPES:
        hint = format_suggestion(written_type, ROPE_TYPES)
        if "yarn" in written_type:
            hint = "in vLLM, names such as deepseek_yarn mean yarn with mscale and mscale_all_dim"
        known_types = sorted(ROPE_TYPES, key=lambda known_type: known_type not in written_type)
        happens = format_fault(join_words(known_types, "or"), written_type)
        model.findings.fail("unknown-type", rope.fields.path(name), happens, hint, layer)
    return rope_type


def softmax_factor(model: TextModel, layer: str) -> float:
    """Return the factor that multiplies scores before softmax.

    The factor is the square of `compute_mscale` in multi-head latent attention, and 1 in other
    models. Sources: DeepSeek-V3, inference/model.py; transformers, `yarn_apply_mscale`.
    """
    if not has_latent_attention(model):
        return 1.0
    rotary = read_rotary_layer(model, layer)
    scale = rotary.fields.number("mscale_all_dim")
    if rotary.rope_type == "default" or not scale:
        return 1.0
    factor = rotary.fields.read_positive_number("factor")
    mscale = compute_mscale(float(factor or scaling(rotary)["factor"]), scale)
    if not math.isfinite(mscale * mscale):
        raise rotary.fields.error("mscale_all_dim", f"{quote_value(scale)} is too large")
    return mscale * mscale


def has_latent_attention(model: TextModel) -> bool:
    """Return whether the model has multi-head latent attention, which rotates part of a head."""
    return model.cls.latent or "qk_rope_head_dim" in model.fields


def _find_head_dim(model: TextModel, layer: str) -> int:
    fields, cls = model.fields, model.cls
    layer_head_dim = None if has_latent_attention(model) else _find_layer_head_dim(model, layer)
    if layer_head_dim is not None:
        return layer_head_dim
    names = ["qk_rope_head_dim"] if has_latent_attention(model) else ["head_dim", "kv_channels"]
    default = cls.head_dim
    if find_kind(layer) == FULL_ATTENTION and cls.full_head_dim is not None:
        names, default = ["global_head_dim"], cls.full_head_dim
    name = fields.find_name(*names)
    if name is not None:
        value = fields.integer(name) or 0
        if name == "head_dim":
            _note_unusual_head_dim(model, value, layer)
    elif default is not None:
        value = default
        model.note_default(names[0], to_text(value), layer)
    else:
        value = _compute_head_dim(model, layer)
    if value > _MAX_HEAD_DIM:
        problem = f"expected at most {_MAX_HEAD_DIM:,} channels for a head, got {value:,}"
        raise fields.error(name or names[0], problem)
    return value


def _find_layer_head_dim(model: TextModel, layer: str) -> int | None:
    entries = model.fields.read_subfields("per_layer_config")
    if entries is None:
        return None
    # Compare layer numbers without leading zeros, which the file can contain.
    digits = str(next(iter(group_layers(model)[layer].indices), None) or "")
    key = next((number for number in entries if str(number).lstrip("0") == digits), None)
    entry = None if key is None else entries.read_subfields(key)
    return None if entry is None else entry.integer("head_dim")


def _compute_head_dim(model: TextModel, layer: str) -> int:
    width = model.integer(WIDTH_FIELDS, model.cls.hidden_size, layer)
    heads = model.integer(HEAD_FIELDS, model.cls.heads, layer)
    if width is None or heads is None:
        name = (WIDTH_FIELDS if width is None else HEAD_FIELDS)[0]
        why = "add it, or add head_dim, whose default is hidden_size / num_attention_heads"
        model.fail("missing", name, "is missing", why, layer)
    quotient = max(1, width // heads)
    if width % heads:
        happens = f"{heads:,} does not divide the width {width:,}"
        why = f"the head dimension is rounded down to {quotient:,}"
        name = model.fields.find_name(*HEAD_FIELDS) or HEAD_FIELDS[0]
        model.record(NOTE, "contradiction", name, happens, why, layer)
    return quotient


def _note_unusual_head_dim(model: TextModel, value: int, layer: str) -> None:
    width, heads = model.fields.find_name(*WIDTH_FIELDS), model.fields.find_name(*HEAD_FIELDS)
    if width is None or heads is None:
        return
    quotient = (model.fields.integer(width) or 0) // (model.fields.integer(heads) or 1)
    if quotient != value:
        formula = f"{model.fields.path(width)} / {model.fields.path(heads)}"
        happens = f"{value:,} is used, not {formula} = {quotient:,}"
        why = "a program that uses the quotient rotates different pairs"
        model.record(NOTE, "contradiction", "head_dim", happens, why, layer)


def _find_rotary_part(model: TextModel, rope: RopeFields, head_dim: int, layer: str) -> float:
    cls = model.cls
    if rope.part is None:
        default = cls.part if cls.rotary_dim is None else cls.rotary_dim
        if cls.rotary_dim is not None or default != 1:
            model.note_default(cls.part_field, to_text(default), layer)
        return (
            cls.part if cls.rotary_dim is None else _compute_rotary_share(cls.rotary_dim, head_dim)
        )
    if rope.part_path.endswith("rotary_dim"):
        return _compute_rotary_share(int(rope.part), head_dim)
    head = model.fields.number("head_dim") or 0
    if has_latent_attention(model) and int(head * rope.part) == head_dim:
        return 1.0  # `qk_rope_head_dim` is already the rotary part of `head_dim`
    return float(rope.part)


def _compute_rotary_share(channels: int, head_dim: int) -> float:
    share = channels / head_dim
    while int(head_dim * share) < channels:
        share = math.nextafter(share, math.inf)
    return share


def layout(model: TextModel) -> str:
    """Return the layout, `is_interleaved` or `half`, which determines the channels of each pair."""
    is_interleaved = model.fields.flag("rope_interleave")
    if is_interleaved is None and "original_rope" in model.fields and model.cls.name == "chatglm":
        is_interleaved = model.fields.flag("original_rope")
    if is_interleaved is None:
        return model.cls.layout
    return "interleaved" if is_interleaved else "half"
