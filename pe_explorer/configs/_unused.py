"""Findings about fields that have no effect, are unknown, or contradict other fields."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pe_explorer.configs._findings import format_suggestion, to_text
from pe_explorer.configs._layers import FULL_ATTENTION, SLIDING_ATTENTION, UNSCALED_SUFFIX
from pe_explorer.configs._model import LENGTH_FIELDS, TextModel
from pe_explorer.configs._rope import has_latent_attention, read_rotary_layers
from pe_explorer.configs._rope_fields import (
    ROPE_PARAMETERS,
    ROPE_SCALING,
    find_base_field_name,
    find_layer_dictionary,
    find_type_field,
    is_nested,
    part_field,
)
from pe_explorer.configs._scaling import ORIGINAL_FIELD, TYPE_FIELDS, RotaryLayer, compute_mscale
from pe_explorer.configs.classes import list_fields
from pe_explorer.configs.values import NOTE, WARNING, Scheme
from pe_explorer.params import join_words, quote_value

_ROPE_FIELDS = ("rope_theta", ROPE_SCALING, ROPE_PARAMETERS)


def record_unused_fields(model: TextModel, schemes: Mapping[str, Scheme]) -> None:
    """Add findings about fields that have no effect, are unknown or contradict other fields."""
    layers = [rotary for rotary, _ in read_rotary_layers(model, schemes)]
    if not layers:
        name = next((scheme for scheme, _ in schemes.values()), "")
        for field in _ROPE_FIELDS if name else ():
            if model.fields.get(field):
                model.record(NOTE, "no-effect", field, "has no effect", f"the model uses {name}")
        return
    if model.cls.is_listed:
        for name in _find_unread_fields(model, layers):
            _warn_of_unread_field(model, name)
    _record_two_dictionaries(model)
    _record_unscaled_layers(model, layers)
    for rotary in layers:
        if not rotary.rope.is_default and not rotary.layer.endswith(f".{UNSCALED_SUFFIX}"):
            _check_rope_dictionary(rotary)
            _record_factor_below_1(rotary, schemes[rotary.layer][1])
        _record_base_conflict(rotary)


def _find_unread_fields(model: TextModel, layers: Sequence[RotaryLayer]) -> Iterator[str]:
    bases = {find_base_field_name(model, rotary.layer) for rotary in layers}
    bases |= set(model.cls.base_fields.values())
    used_fields = {*bases, part_field(model), model.cls.part_field, "partial_rotary_factor"}
    names = (*list_fields("base_field"), *list_fields("part_field"), *list_fields("base_fields"))
    # Ignore fields that repeat the base, the rotary part or its number of channels.
    used_numbers = {
        number for rotary in layers for number in (rotary.rope.base, rotary.part, rotary.width)
    }
    for name in names:
        is_unused = name in model.fields and name not in used_fields
        if is_unused and model.fields.number(name) not in used_numbers:
            yield name
    if model.cls.rule != "no_rope_layers":
        yield from filter(model.fields.__contains__, ("no_rope_layers", "no_rope_layer_interval"))
    if "global_head_dim" in model.fields and model.cls.full_head_dim is None:
        yield "global_head_dim"
    if model.fields.get("alibi") is True and not model.cls.alibi:
        yield "alibi"


def _warn_of_unread_field(model: TextModel, name: str) -> None:
    model.record(WARNING, "no-effect", name, "has no effect", f"{model.cls.name} does not read it")


def _record_two_dictionaries(model: TextModel) -> None:
    old_fields = model.fields.read_subfields(ROPE_SCALING)
    new_fields = model.fields.read_subfields(ROPE_PARAMETERS)
    cls, rules = model.cls, model.rules
    if old_fields is not None and cls.scaled == ("none",):
        _warn_of_unread_field(model, ROPE_SCALING)
    if new_fields is None:
        return
    if cls.by_layer_type:
        if rules.reads_parameters and not is_nested(new_fields):
            types = (FULL_ATTENTION, SLIDING_ATTENTION)
            bases = join_words([to_text(cls.find_default_base(layer)) for layer in types])
            happens = f"has no effect without layer types, so {cls.name} uses the bases {bases}"
            why = "write an object for full_attention and one for sliding_attention"
            model.record(WARNING, "no-effect", ROPE_PARAMETERS, happens, why)
        return
    if old_fields is None:
        return
    if {**old_fields.values, "rope_theta": None} != {**new_fields.values, "rope_theta": None}:
        reason = f"transformers {rules.name} does not read this field"
        if rules.reads_parameters:
            reason = f"{ROPE_SCALING} takes precedence"
        why = "put all values into one of the two fields"
        model.record(WARNING, "two-forms", ROPE_PARAMETERS, f"has no effect, because {reason}", why)


def _record_unscaled_layers(model: TextModel, layers: Sequence[RotaryLayer]) -> None:
    scaled_types = model.cls.scaled
    if ROPE_SCALING not in model.fields or scaled_types in ((), ("none",)):
        return
    for layer in (rotary.layer for rotary in layers):
        if layer not in scaled_types:
            happens, why = f"scales only {join_words(scaled_types)}", f"{layer} is not scaled"
            model.record(NOTE, "no-effect", ROPE_SCALING, happens, why, layer)


def _record_base_conflict(rotary: RotaryLayer) -> None:
    model, layer = rotary.model, rotary.layer
    name = find_base_field_name(model, layer) or "rope_theta"
    dictionary = find_layer_dictionary(model.fields.read_subfields(ROPE_PARAMETERS), layer)
    nested_base = None if dictionary is None else dictionary.read_positive_number("rope_theta")
    if name not in model.fields or nested_base is None or name == "rope_ratio":
        return
    top_level_base, rope = model.fields.read_positive_number(name), rotary.rope
    if rope.base_path == model.fields.path(name) or rope.base == top_level_base:
        return
    happens = f"{to_text(top_level_base)} at the top level has no effect"
    why = (
        f"{rope.base_path.rpartition('.')[0]} has {to_text(rope.base)}, but programs that read "
        f"{name} from the file, such as transformers 4, use {to_text(top_level_base)}"
    )
    model.record(WARNING, "two-forms", name, happens, why, layer)


# -- rope dictionaries -----------------------------------------------------------------------------


_COMMON_FIELDS = ("rope_type", "type", "rope_theta", "partial_rotary_factor")
_FIELDS_WITHOUT_EFFECT = ("finetuned", "mrope_interleaved")


def _check_rope_dictionary(rotary: RotaryLayer) -> None:
    model = rotary.model
    _record_type_conflict(rotary)
    used_names = (*_COMMON_FIELDS, *_FIELDS_WITHOUT_EFFECT, *TYPE_FIELDS[rotary.rope_type])
    if model.cls.mscales:
        used_names += ("short_mscale", "long_mscale")
    for name in rotary.fields:
        if name not in (*used_names, *model.cls.neutral):
            _record_unused_field(rotary, name)
    if not model.rules.reads_parameters:
        for name in filter(rotary.fields.__contains__, ("rope_theta", "partial_rotary_factor")):
            why = f"transformers {model.rules.name} reads it only at the top level"
            rotary.record(WARNING, "misplaced", name, "has no effect here", why)
    if rotary.rope_type == "yarn":
        _record_yarn_conflicts(rotary)
    _record_overridden_length(rotary)


_SPEED_UP_TEXTS = {
    "linear": "every pair rotates {times} times as fast as without scaling",
    "proportional": "every pair rotates {times} times as fast as without scaling",
    "ntk": "all pairs except the first rotate up to {times} times as fast as without scaling",
    "yarn": "the slow pairs rotate up to {times} times as fast as without scaling",
    "llama3": "the slow pairs rotate up to {times} times as fast as without scaling",
}
"""The effects of a factor below 1, by rope type."""


def _record_factor_below_1(rotary: RotaryLayer, parameters: Mapping[str, Any]) -> None:
    factor = parameters.get("factor", 1.0)
    if factor >= 1:
        return
    name = "alpha" if rotary.rope_type == "ntk" and "alpha" in rotary.fields else "factor"
    happens = f"{to_text(factor)} is below 1"
    if rotary.rope_type in _SPEED_UP_TEXTS:
        speed_up_text = _SPEED_UP_TEXTS[rotary.rope_type].format(times=to_text(1 / factor))
        why = f"{speed_up_text}. Use a factor above 1, because longer texts need lower frequencies"
        rotary.record(WARNING, "factor-below-1", name, happens, why)
    elif rotary.rope_type == "dynamic":
        why = "beyond the training length, pairs are slowed down less than with factor 1"
        rotary.record(WARNING, "factor-below-1", name, happens, why)
    elif "factor" in rotary.fields and parameters.get("attention") is None:  # true for LongRoPE
        why = "the factor has no effect, because the attention factor stays 1"
        rotary.record(NOTE, "factor-below-1", name, happens, why)


def _record_type_conflict(rotary: RotaryLayer) -> None:
    fields = rotary.fields
    if "type" not in fields:
        return
    old_type, new_type = fields.text("type"), fields.text("rope_type")
    happens = f"{quote_value(old_type)} has no effect"
    if new_type is None:
        if find_type_field(rotary.model, fields) is None:
            why = f"{rotary.model.cls.name} reads rope_type instead; without it, nothing is scaled"
            rotary.record(WARNING, "no-effect", "type", happens, why)
    elif old_type != new_type and "mrope" not in (old_type, new_type):
        why = f"rope_type, {quote_value(new_type)}, takes precedence"
        rotary.record(WARNING, "contradiction", "type", happens, why)


def _record_unused_field(rotary: RotaryLayer, name: str) -> None:
    type_fields = set().union(*TYPE_FIELDS.values())
    if name == "mrope_section":
        why = "only image tokens have positions on three axes"
        rotary.record(NOTE, "no-effect", name, "has no effect on text", why)
    elif name in type_fields:
        why = f"{rotary.rope_type} does not use it"
        rotary.record(WARNING, "no-effect", name, "has no effect", why)
    else:
        known_names = sorted(type_fields.union(_COMMON_FIELDS))
        hint = format_suggestion(name, [*TYPE_FIELDS[rotary.rope_type], *known_names])
        rotary.record(WARNING, "unknown-field", name, f"is not a field of {rotary.rope_type}", hint)


def _record_yarn_conflicts(rotary: RotaryLayer) -> None:
    fields = rotary.fields
    for name, default in (("beta_fast", 32), ("beta_slow", 1)):
        if fields.number(name) == 0:
            rotary.record(WARNING, "no-effect", name, f"0 counts as missing, so {default} is used")
    if rotary.rope.is_nested and fields.flag("truncate") is False:
        why = (
            "transformers reads it only beside the layer types, so the ends of the ramp are rounded"
        )
        rotary.record(WARNING, "misplaced", "truncate", "false has no effect here", why)
    if rotary.model.rules.reads_mscale:
        _record_unused_mscale(rotary)
    _record_factor_conflict(rotary)


def _record_unused_mscale(rotary: RotaryLayer) -> None:
    fields = rotary.fields
    scale_names = [name for name in ("mscale", "mscale_all_dim") if fields.number(name)]
    if not scale_names:
        return
    # In multi-head latent attention, `mscale_all_dim` determines the softmax factor.
    has_softmax_factor = scale_names == ["mscale_all_dim"] and has_latent_attention(rotary.model)
    if "attention_factor" in fields:
        why = f"attention_factor, {to_text(fields.number('attention_factor'))}, takes precedence"
        rotary.record(WARNING, "no-effect", scale_names[0], "has no effect", why)
    elif len(scale_names) == 1 and "factor" in fields and not has_softmax_factor:
        factor = fields.read_positive_number("factor") or 1.0
        missing_name = "mscale" if scale_names[0] == "mscale_all_dim" else "mscale_all_dim"
        result = f"0.1 · ln {to_text(factor)} + 1 = {compute_mscale(factor, 1):.4f}"
        why = f"without {missing_name}, the attention factor is {result}"
        happens = f"{to_text(fields.number(scale_names[0]))} has no effect"
        rotary.record(WARNING, "no-effect", scale_names[0], happens, why)


def _record_factor_conflict(rotary: RotaryLayer) -> None:
    model, fields = rotary.model, rotary.fields
    name = model.fields.find_name(*LENGTH_FIELDS)
    original, factor = fields.integer(ORIGINAL_FIELD), fields.read_positive_number("factor")
    # Version 4.52 does not read `rope_parameters`.
    is_unread = fields.prefix.startswith(model.fields.path(ROPE_PARAMETERS))
    if is_unread or name is None or original is None or factor is None:
        return
    length = model.fields.integer(name) or 0
    if factor * original == length:
        return
    product, quotient = to_text(factor * original), to_text(length / original)
    happens = f"{to_text(factor)} · {original:,} = {product} positions, but {name} is {length:,}"
    remark = ", which changes nothing" if length == original else ""
    why = f"transformers 4.52 uses {length:,} / {original:,} = {quotient} instead{remark}"
    level = WARNING if model.rules.has_yarn_quotient else NOTE
    rotary.record(level, "contradiction", "factor", happens, why)


def _record_overridden_length(rotary: RotaryLayer) -> None:
    model = rotary.model
    if ORIGINAL_FIELD not in TYPE_FIELDS[rotary.rope_type] or rotary.rope.is_nested:
        return
    if not (model.rules.reads_parameters or rotary.rope_type == "longrope"):
        return
    length, top_length = rotary.fields.integer(ORIGINAL_FIELD), model.fields.integer(ORIGINAL_FIELD)
    if length is None or top_length == length:
        return
    if top_length is not None:
        why = f"{top_length:,} at the top level takes precedence"
        rotary.record(WARNING, "overridden", ORIGINAL_FIELD, f"{length:,} has no effect", why)
    elif model.cls.original not in (None, length):
        why = f"{model.cls.name} reads it only at the top level, and uses {model.cls.original:,}"
        rotary.record(WARNING, "misplaced", ORIGINAL_FIELD, f"{length:,} has no effect here", why)
