"""The scheme of each layer type, and the parameters of schemes without rotation."""

import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress

from pe_explorer.configs._findings import NoEncodingError, format_suggestion, shorten, to_text
from pe_explorer.configs._layers import (
    FULL_ATTENTION,
    POSITIONLESS_TYPES,
    LayerGroup,
    find_kind,
    group_layers,
)
from pe_explorer.configs._model import HEAD_FIELDS, WIDTH_FIELDS, TextModel
from pe_explorer.configs._rope import INDEXER_SUFFIX, layout, rope
from pe_explorer.configs.semantics import NEW_RULES
from pe_explorer.configs.values import NO_POSITIONS, NOTE, WARNING, Scheme
from pe_explorer.params import join_words, quote_value

_BIAS_MAX = 8  # the 8 in the slopes 2^(-8k/n) of the ALiBi paper
_POSITION_TYPE_SCHEMES = {
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
DECODER = "decoder"
_STACKS = ("encoder", DECODER)


def find_scheme_groups(model: TextModel) -> Mapping[str, LayerGroup]:
    """Return the layers of each type."""
    if model.cls.decoder:
        counts = {part: model.fields.read_layer_count(f"{part}_layers") for part in _STACKS}
        return {part: LayerGroup(tuple(range(n or 0)), None) for part, n in counts.items()}
    name = find_scheme_name(model)
    # Do not read the layers of unsupported models, which can consist of several networks.
    if name == "other":
        return {FULL_ATTENTION: LayerGroup((), None)}
    groups = group_layers(model)
    layers = [layer for layer in groups if layer != NO_POSITIONS]
    if name == "none":
        indices = (groups[layer].indices for layer in layers or groups)
        return {NO_POSITIONS: LayerGroup(tuple(sorted(itertools.chain(*indices))), None)}
    if name != "rope" or model.cls.indexer in ("", layout(model)):
        return groups
    indexer_groups = {
        layer + INDEXER_SUFFIX: LayerGroup(groups[layer].indices, None)
        for layer in model.cls.indexed or layers
        if layer in groups
    }
    return {**groups, **indexer_groups}


def read_schemes(model: TextModel, groups: Mapping[str, LayerGroup]) -> Mapping[str, Scheme]:
    """Return the scheme of each layer type; findings explain why some types have no scheme."""
    schemes = {}
    for layer in groups:
        if layer != NO_POSITIONS:
            with suppress(NoEncodingError):
                schemes[layer] = _read_scheme(model, layer)
            continue
        for name in dict.fromkeys(model.fields.read_strings("layer_types") or ()):
            if name in POSITIONLESS_TYPES:
                with suppress(NoEncodingError):
                    _check_layer_type(model, name)
    return schemes


def find_scheme_name(model: TextModel) -> str:
    """Return the kind of encoding as a value of `ModelClass.scheme`."""
    cls, fields = model.cls, model.fields
    if not cls.is_listed and "relative_attention_num_buckets" in fields:
        return "other"
    if cls.switch:
        return "rope" if fields.get(cls.switch) in (True, "rope") else cls.scheme
    if cls.scheme == "learned" or not cls.is_listed:
        kind = fields.text("position_embedding_type")
        if kind in _POSITION_TYPE_SCHEMES:
            return _POSITION_TYPE_SCHEMES[kind]
        if kind is not None:
            happens = f"{quote_value(kind)} is not a known position type"
            why = f"the field is ignored, and the file is read like {model.default_class_name}"
            model.record(WARNING, "unknown-type", "position_embedding_type", happens, why)
    return "alibi" if _has_alibi(model) else cls.scheme


def _has_alibi(model: TextModel) -> bool:
    cls, fields = model.cls, model.fields
    attention = fields.read_subfields("attn_config")
    alibi = None if attention is None else attention.flag("alibi")
    match cls.alibi:
        case "always":
            return True
        case "unless 4096":  # the Baichuan model whose hidden_size is 4096 uses RoPE
            return model.integer(WIDTH_FIELDS, cls.hidden_size) != 4096
        case "attn_config.alibi":
            return alibi is not False
        case "alibi":
            return bool(fields.flag("alibi"))
    return not cls.is_listed and bool(alibi or fields.values.get("alibi") is True)


def _read_scheme(model: TextModel, layer: str) -> Scheme:
    if layer.endswith(INDEXER_SUFFIX):
        name, parameters = _read_scheme(model, layer.removesuffix(INDEXER_SUFFIX))
        return name, {**parameters, "layout": model.cls.indexer}
    _check_layer_type(model, find_kind(layer))
    name = find_scheme_name(model)
    if layer == DECODER and model.cls.decoder == "learned":
        name = "learned"
    if name not in _SCHEME_READERS:
        names = ("relative_attention_num_buckets", "position_embedding_type", "relative_attention")
        reason = model.cls.why or "it uses a different positional encoding"
        happens = f"{shorten(model.cls.name) or 'this model'} is not supported, because {reason}"
        field = model.fields.find_name(*names) or "model_type"
        model.fail("no-encoding", field, happens, "", layer)
    if name in ("rope", "alibi"):
        _check_heads(model, layer)
    return _SCHEME_READERS[name](model, layer)


def _check_layer_type(model: TextModel, layer: str) -> None:
    if layer in _STACKS:
        return
    version, known_types = model.rules.name, model.rules.layer_types
    is_checked = model.rules.reads_parameters or (known_types and model.cls.checks_layers)
    if layer in NEW_RULES.layer_types and (layer in known_types or not is_checked):
        return
    hint = format_suggestion(layer, NEW_RULES.layer_types)
    if is_checked and layer not in known_types:
        happens = f"has an unknown layer type, {quote_value(layer)}"
        why = hint or f"transformers {version} refuses it. Use {join_words(known_types[:3], 'or')}"
        model.fail("unknown-type", "layer_types", happens, why, layer)
    happens = f"has a layer type that transformers {NEW_RULES.name} rejects, {quote_value(layer)}"
    why = hint or f"transformers {version} does not check layer types"
    model.record(WARNING, "unknown-type", "layer_types", happens, why, layer)


def _check_heads(model: TextModel, layer: str) -> None:
    if model.rules.name not in model.cls.equal_heads:
        return
    width = model.integer(WIDTH_FIELDS, model.cls.hidden_size, layer)
    heads = model.integer(HEAD_FIELDS, model.cls.heads, layer)
    if width is not None and heads is not None and width % heads:
        name = model.fields.find_name(*HEAD_FIELDS) or HEAD_FIELDS[0]
        size = model.fields.find_name(*WIDTH_FIELDS) or WIDTH_FIELDS[0]
        happens = f"{heads:,} does not divide {size} {width:,}"
        why = f"transformers refuses it. Choose a number of heads that divides {width:,}"
        model.fail("contradiction", name, happens, why, layer)


def _read_alibi(model: TextModel, layer: str) -> Scheme:
    heads = model.integer(HEAD_FIELDS, model.cls.heads, layer)
    if heads is None:
        why = "ALiBi slopes depend on this number"
        model.fail("missing", HEAD_FIELDS[0], "is missing", why, layer)
    attention = model.fields.read_subfields("attn_config")
    bias_max = None if attention is None else attention.number("alibi_bias_max")
    if attention is not None and bias_max not in (None, _BIAS_MAX):
        happens = f"{to_text(bias_max)} gives slopes that differ from those in the paper"
        why = f"only {_BIAS_MAX} is supported"
        path = attention.path("alibi_bias_max")
        model.findings.fail("no-encoding", path, happens, why, layer)
    return "alibi", {"heads": heads, "symmetric": False}


def _read_learned(model: TextModel, layer: str) -> Scheme:
    decoder_field = "max_target_positions" if layer == DECODER else ""
    name = model.fields.find_name(decoder_field, *model.length_fields)
    length = model.fields.integer(name) if layer == DECODER and name else model.length()
    rows = "uses learned positions" if length is None else f"uses {length:,} learned positions"
    if model.row_offset and length is not None:
        rows += f", and position 0 is row {model.row_offset} of the table"
    why = "their table is in the model's weights, so save the table as .npy and open that file"
    model.record(NOTE, "missing", name or "model_type", rows, why, layer)
    return "learned", {"row_offset": model.row_offset}


def _read_sinusoidal(model: TextModel, layer: str) -> Scheme:
    width = model.integer(WIDTH_FIELDS, model.cls.hidden_size, layer)
    if model.row_offset:
        happens = f"positions start at {model.row_offset}, not 0"
        model.record(NOTE, "offset", "model_type", happens, layer=layer)
    return "sinusoidal", {"dim": width, "spacing": model.cls.spacing, "layout": "concatenated"}


_SCHEME_READERS: Mapping[str, Callable[[TextModel, str], Scheme]] = {
    "rope": rope,
    "alibi": _read_alibi,
    "learned": _read_learned,
    "sinusoidal": _read_sinusoidal,
}
