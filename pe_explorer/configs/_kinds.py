"""The scheme of each layer type, and the parameters of schemes without rotation."""

import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NoReturn

from pe_explorer.configs._findings import NoEncodingError, nearest, shortened, value_text
from pe_explorer.configs._layers import FULL, POSITIONLESS_TYPES, LayerGroup, kind_of, layer_groups
from pe_explorer.configs._model import HEADS, SIZES, TextModel
from pe_explorer.configs._rope import INDEXER, layout, rope
from pe_explorer.configs.semantics import NEWEST
from pe_explorer.configs.values import NOTE, WARNING, WITHOUT, Scheme
from pe_explorer.params import listed, quoted

_BIAS_MAX = 8  # exponent of the slopes in the ALiBi paper
_ROTATING_WIDTH = 4096  # hidden_size of the Baichuan model with RoPE
_BY_POSITION_TYPE = {
    "alibi": "alibi",
    "absolute": "learned",
    "learned": "learned",
    "learned_absolute": "learned",
    "rope": "rope",
    "rotary": "rope",
    "nope": "none",
    "relative_key": "other",
    "relative_key_query": "other",
}
ENCODER, DECODER = "encoder", "decoder"


def groups_of(model: TextModel) -> Mapping[str, LayerGroup]:
    """Return the layers of each type."""
    if model.cls.decoder:
        counts = (model.fields.count(f"{part}_layers") or 0 for part in (ENCODER, DECODER))
        indices = zip((ENCODER, DECODER), counts, strict=True)
        return {part: LayerGroup(tuple(range(count)), None) for part, count in indices}
    name = scheme_name(model)
    # Unsupported models can have several towers with different layers, and lists as field values.
    if name == "other":
        return {FULL: LayerGroup((), None)}
    groups = layer_groups(model)
    if name == "none":
        by_group = [group.indices for layer, group in groups.items() if layer != WITHOUT]
        by_group = by_group or [group.indices for group in groups.values()]
        return {WITHOUT: LayerGroup(tuple(sorted(itertools.chain(*by_group))), None)}
    return {**groups, **_indexers(model, groups)} if name == "rope" else groups


def _indexers(model: TextModel, groups: Mapping[str, LayerGroup]) -> Mapping[str, LayerGroup]:
    if model.cls.indexer in ("", layout(model)):
        return {}
    layers = model.cls.indexed or [layer for layer in groups if layer != WITHOUT]
    indexed_layers = [layer for layer in layers if layer in groups]
    return {layer + INDEXER: LayerGroup(groups[layer].indices, None) for layer in indexed_layers}


def schemes_of(model: TextModel, groups: Mapping[str, LayerGroup]) -> Mapping[str, Scheme]:
    """Return the scheme of each layer type; findings explain why some types have no scheme."""
    schemes = {}
    for layer in groups:
        if layer == WITHOUT:
            for name in dict.fromkeys(model.fields.strings("layer_types") or ()):
                if name in POSITIONLESS_TYPES:
                    with suppress(NoEncodingError):
                        _check_layer_type(model, name)
            continue
        with suppress(NoEncodingError):
            schemes[layer] = _scheme(model, layer)
    return schemes


def scheme_name(model: TextModel) -> str:
    """Return the kind of encoding as a value of `ModelClass.scheme`."""
    cls, fields = model.cls, model.fields
    if not cls.known and "relative_attention_num_buckets" in fields:
        return "other"
    if cls.switch:
        return "rope" if fields.get(cls.switch) in (True, "rope") else cls.scheme
    if cls.scheme == "learned" or not cls.known:
        kind = fields.text("position_embedding_type")
        if kind in _BY_POSITION_TYPE:
            return _BY_POSITION_TYPE[kind]
        if kind is not None:
            happens = f"{quoted(kind)} is not a known position type"
            why = f"the field is ignored, and the file is read like {model.like}"
            model.record(WARNING, "unknown-type", "position_embedding_type", happens, why)
    return "alibi" if _has_alibi(model) else cls.scheme


def _has_alibi(model: TextModel) -> bool:
    cls, fields = model.cls, model.fields
    attention = fields.subfields("attn_config")
    alibi = None if attention is None else attention.flag("alibi")
    if cls.alibi == "always":
        return True
    if cls.alibi == "unless 4096":
        return model.integer(SIZES, cls.hidden_size) != _ROTATING_WIDTH
    if cls.alibi == "attn_config.alibi":
        return alibi is not False
    if cls.alibi == "alibi":
        return bool(fields.flag("alibi"))
    return not cls.known and bool(alibi or fields.values.get("alibi") is True)


def _scheme(model: TextModel, layer: str) -> Scheme:
    if layer.endswith(INDEXER):
        name, parameters = _scheme(model, layer.removesuffix(INDEXER))
        return name, {**parameters, "layout": model.cls.indexer}
    _check_layer_type(model, kind_of(layer))
    name = scheme_name(model)
    if layer == DECODER and model.cls.decoder == "learned":
        name = "learned"
    return _SCHEMES.get(name, _no_encoding)(model, layer)


def _check_layer_type(model: TextModel, layer: str) -> None:
    if layer in (ENCODER, DECODER):
        return
    version, known_types = model.rules.name, model.rules.layer_types
    is_checked = model.rules.reads_parameters or (known_types and model.cls.checks_layers)
    if layer in NEWEST.layer_types and (layer in known_types or not is_checked):
        return
    hint = nearest(layer, NEWEST.layer_types)
    if is_checked and layer not in known_types:
        happens = f"has an unknown layer type, {quoted(layer)}"
        remedy = hint or f"transformers {version} refuses it. Use {listed(known_types[:3], 'or')}"
        model.refuse("unknown-type", "layer_types", happens, remedy, layer)
    happens = f"has a layer type that transformers {NEWEST.name} refuses, {quoted(layer)}"
    why = hint or f"transformers {version} does not check layer types"
    model.record(WARNING, "unknown-type", "layer_types", happens, why, layer)


def _rope(model: TextModel, layer: str) -> Scheme:
    _check_heads(model, layer)
    return rope(model, layer)


def _check_heads(model: TextModel, layer: str) -> None:
    if model.rules.name not in model.cls.equal_heads:
        return
    width = model.integer(SIZES, model.cls.hidden_size, layer)
    heads = model.integer(HEADS, model.cls.heads, layer)
    if width is not None and heads is not None and width % heads:
        name, size = (model.fields.first(*names) or names[0] for names in (HEADS, SIZES))
        happens = f"{heads:,} does not divide {size} {width:,}"
        why = f"transformers refuses it. Choose a number of heads that divides {width:,}"
        model.refuse("contradiction", name, happens, why, layer)


def _alibi(model: TextModel, layer: str) -> Scheme:
    _check_heads(model, layer)
    heads = model.integer(HEADS, model.cls.heads, layer)
    if heads is None:
        model.refuse("missing", HEADS[0], "is missing", "ALiBi slopes depend on this number", layer)
    attention = model.fields.subfields("attn_config")
    bias_max = None if attention is None else attention.number("alibi_bias_max")
    if attention is not None and bias_max not in (None, _BIAS_MAX):
        happens = f"{value_text(bias_max)} gives slopes that differ from those in the paper"
        why = f"only {_BIAS_MAX} is supported"
        field = attention.path("alibi_bias_max")
        model.findings.refuse("no-encoding", field, happens, why, layer)
    return "alibi", {"heads": heads, "symmetric": False}


def _learned(model: TextModel, layer: str) -> Scheme:
    name = model.fields.first(
        "max_target_positions" if layer == DECODER else "", *model.length_fields
    )
    length = model.fields.integer(name) if layer == DECODER and name else model.length()
    rows = "positions were learned" if length is None else f"{length:,} positions were learned"
    if model.row_offset and length is not None:
        rows += f", and position 0 is row {model.row_offset} of the table"
    why = "their table is in the model's weights, so save the table as .npy and open that file"
    model.record(NOTE, "missing", name or "model_type", rows, why, layer)
    return "learned", {"row_offset": model.row_offset}


def _sinusoidal(model: TextModel, layer: str) -> Scheme:
    width = model.integer(SIZES, model.cls.hidden_size, layer)
    if model.row_offset:
        happens = f"positions start at {model.row_offset}, not 0"
        model.record(NOTE, "offset", "model_type", happens, layer=layer)
    return "sinusoidal", {"dim": width, "spacing": model.cls.spacing, "layout": "concatenated"}


def _no_encoding(model: TextModel, layer: str) -> NoReturn:
    names = ("relative_attention_num_buckets", "position_embedding_type", "relative_attention")
    name = model.fields.first(*names)
    kind = shortened(model.cls.name) or "this model"
    reason = model.cls.why or "it uses a different position encoding"
    happens = f"{kind} is not supported, because {reason}"
    model.refuse("no-encoding", name or "model_type", happens, layer=layer)


_SCHEMES: Mapping[str, Callable[[TextModel, str], Scheme]] = {
    "rope": _rope,
    "alibi": _alibi,
    "learned": _learned,
    "sinusoidal": _sinusoidal,
}
