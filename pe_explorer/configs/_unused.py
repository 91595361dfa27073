"""Findings about fields that have no effect, are unknown, or contradict other fields."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import nearest, value_text
from pe_explorer.configs._layers import UNSCALED
from pe_explorer.configs._model import LENGTHS, TextModel
from pe_explorer.configs._rope import INDEXER, is_latent, rotary_layer
from pe_explorer.configs._rope_fields import (
    LAYER_TYPES,
    ROPE_PARAMETERS,
    ROPE_SCALING,
    base_field,
    dictionary_of_layer,
    is_nested,
    part_field,
    type_field,
)
from pe_explorer.configs._scaling import FIELDS_OF_TYPE, ORIGINAL, RotaryLayer, concentration
from pe_explorer.configs.classes import fields_for
from pe_explorer.configs.values import NOTE, WARNING, Scheme
from pe_explorer.params import listed, quoted

_SWITCH_FIELDS = ("no_rope_layers", "no_rope_layer_interval")
_ROPE_FIELDS = ("rope_theta", ROPE_SCALING, ROPE_PARAMETERS)


def find_unused(model: TextModel, schemes: Mapping[str, Scheme]) -> None:
    """Add findings about fields without effect in all layer types."""
    rotating = [
        rotary_layer(model, layer)
        for layer, (name, _) in schemes.items()
        if name == "rope" and not layer.endswith(INDEXER)
    ]
    if not rotating:
        _find_unused_rope_fields(model, schemes)
        return
    if model.cls.known:
        for name in (*_unread_number_fields(model, rotating), *_unread_switches(model)):
            _warn_unread(model, name)
    _find_two_dictionaries(model)
    _find_unscaled_layers(model, rotating)
    for rotary in rotating:
        if not rotary.rope.of_class and not rotary.layer.endswith(f".{UNSCALED}"):
            _find_in_rope_dictionary(rotary)
            _find_factor_below_1(rotary, schemes[rotary.layer][1])
        _find_conflicting_bases(rotary)


def _find_unused_rope_fields(model: TextModel, schemes: Mapping[str, Scheme]) -> None:
    name = next((scheme for scheme, _ in schemes.values()), "")
    if not name:
        return
    for field in _ROPE_FIELDS:
        if model.fields.get(field):
            model.record(NOTE, "no-effect", field, "has no effect", f"the model uses {name}")


def _unread_number_fields(model: TextModel, rotating: Sequence[RotaryLayer]) -> Iterator[str]:
    bases = {base_field(model, rotary.layer) for rotary in rotating}
    bases |= set(model.cls.base_fields.values())
    used_fields = {*bases, part_field(model), model.cls.part_field, "partial_rotary_factor"}
    known_names = (*fields_for("base_field"), *fields_for("part_field"), *fields_for("base_fields"))
    # The base or the rotary part can also appear under another name, or as a channel count.
    in_use = {
        number
        for rotary in rotating
        for number in (rotary.rope.base, rotary.part, int(rotary.head_dim * rotary.part))
    }
    for name in known_names:
        is_unused = name in model.fields and name not in used_fields
        if is_unused and model.fields.number(name) not in in_use:
            yield name


def _unread_switches(model: TextModel) -> Iterator[str]:
    if model.cls.rule != "no_rope_layers":
        yield from (name for name in _SWITCH_FIELDS if name in model.fields)
    if "global_head_dim" in model.fields and model.cls.full_head_dim is None:
        yield "global_head_dim"
    if model.fields.get("alibi") is True and not model.cls.alibi:
        yield "alibi"


def _warn_unread(model: TextModel, name: str) -> None:
    why = f"{model.cls.name} does not read it"
    model.record(WARNING, "no-effect", name, "has no effect", why)


def _find_two_dictionaries(model: TextModel) -> None:
    old, new = model.fields.subfields(ROPE_SCALING), model.fields.subfields(ROPE_PARAMETERS)
    cls = model.cls
    if old is not None and cls.scaled == ("none",):
        _warn_unread(model, ROPE_SCALING)
    if new is None:
        return
    if not cls.by_layer_type:
        _find_conflicting_forms(model, old, new)
    elif model.rules.reads_parameters and not is_nested(new):
        bases = listed([value_text(cls.base_of(layer)) for layer in LAYER_TYPES[:2]])
        happens = f"has no effect without layer types, so {cls.name} uses the bases {bases}"
        why = "write an object for full_attention and one for sliding_attention"
        model.record(WARNING, "no-effect", ROPE_PARAMETERS, happens, why)


def _find_conflicting_forms(model: TextModel, old: Fields | None, new: Fields) -> None:
    if old is None or {**old.values, "rope_theta": None} == {**new.values, "rope_theta": None}:
        return
    reason = f"transformers {model.rules.name} does not read this field"
    if model.rules.reads_parameters:
        reason = f"{ROPE_SCALING} takes precedence"
    happens = f"has no effect, because {reason}"
    why = "put all values into one of the two fields"
    model.record(WARNING, "two-forms", ROPE_PARAMETERS, happens, why)


def _find_unscaled_layers(model: TextModel, rotating: Sequence[RotaryLayer]) -> None:
    scaled_names = model.cls.scaled
    if ROPE_SCALING not in model.fields or scaled_names in ((), ("none",)):
        return
    for layer in (rotary.layer for rotary in rotating):
        if layer not in scaled_names:
            happens, why = f"scales only {listed(scaled_names)}", f"{layer} is not scaled"
            model.record(NOTE, "no-effect", ROPE_SCALING, happens, why, layer)


def _find_conflicting_bases(rotary: RotaryLayer) -> None:
    model, layer = rotary.model, rotary.layer
    name = base_field(model, layer) or "rope_theta"
    new = dictionary_of_layer(model.fields.subfields(ROPE_PARAMETERS), layer)
    inner = None if new is None else new.positive("rope_theta")
    if name not in model.fields or inner is None or name == "rope_ratio":
        return
    top = model.fields.positive(name) or 0.0
    if rotary.rope.base_path == model.fields.path(name) or rotary.rope.base == top:
        return
    happens = f"{value_text(top)} at the top level has no effect"
    why = (
        f"{rotary.rope.base_path.rpartition('.')[0]} has {value_text(rotary.rope.base)}, but "
        f"programs that read {name} from the file, such as transformers 4, use {value_text(top)}"
    )
    model.record(WARNING, "two-forms", name, happens, why, layer)


# -- rope dictionaries -----------------------------------------------------------------------------


_COMMON_FIELDS = ("rope_type", "type", "rope_theta", "partial_rotary_factor")
_NEUTRAL_FIELDS = ("finetuned", "mrope_interleaved")
_SECTIONS = "mrope_section"
_MSCALES = ("short_mscale", "long_mscale")


def _find_in_rope_dictionary(rotary: RotaryLayer) -> None:
    model = rotary.model
    _find_conflicting_types(rotary)
    used_names = (*FIELDS_OF_TYPE[rotary.rope_type], *(_MSCALES if model.cls.mscales else ()))
    for name in rotary.fields:
        if name not in (*_COMMON_FIELDS, *_NEUTRAL_FIELDS, *used_names, *model.cls.neutral):
            _find_unused_field(rotary, name)
    if not model.rules.reads_parameters:
        for name in filter(rotary.fields.__contains__, ("rope_theta", "partial_rotary_factor")):
            why = f"transformers {rotary.model.rules.name} reads it only at the top level"
            rotary.record(WARNING, "misplaced", name, "has no effect here", why)
    if rotary.rope_type == "yarn":
        _find_yarn_conflicts(rotary)
    _find_overridden_length(rotary)


_SPEED_UP_TEXTS = {
    "linear": "every pair rotates {times} times as fast",
    "proportional": "every pair rotates {times} times as fast",
    "ntk": "all pairs but the first rotate up to {times} times as fast",
    "yarn": "the slow pairs rotate up to {times} times as fast",
    "llama3": "the slow pairs rotate up to {times} times as fast",
}
"""The effect of a factor below 1 for each rope type that divides by it."""


def _find_factor_below_1(rotary: RotaryLayer, parameters: Mapping[str, Any]) -> None:
    factor = parameters.get("factor", 1.0)
    name = "alpha" if rotary.rope_type == "ntk" and "alpha" in rotary.fields else "factor"
    if factor >= 1:
        return
    happens = f"{value_text(factor)} is below 1"
    if rotary.rope_type in _SPEED_UP_TEXTS:
        speed_up = _SPEED_UP_TEXTS[rotary.rope_type].format(times=value_text(1 / factor))
        why = f"{speed_up}. Use a factor above 1, because longer texts need lower frequencies"
        rotary.record(WARNING, "factor-below-1", name, happens, why)
    elif rotary.rope_type == "dynamic":
        why = "beyond the training length, it slows pairs down less than a factor of 1 does"
        rotary.record(WARNING, "factor-below-1", name, happens, why)
    elif "factor" in rotary.fields and parameters.get("attention") is None:  # only LongRoPE
        why = "the factor has no effect, because the attention factor stays 1"
        rotary.record(NOTE, "factor-below-1", name, happens, why)


def _find_conflicting_types(rotary: RotaryLayer) -> None:
    fields, first = rotary.fields, rotary.fields.first("rope_type")
    happens = f"{quoted(fields.text('type'))} has no effect"
    if first is None and "type" in fields and type_field(rotary.model, fields) is None:
        why = f"{rotary.model.cls.name} reads rope_type instead, and does not scale without it"
        rotary.record(WARNING, "no-effect", "type", happens, why)
        return
    if first is None or "type" not in fields or fields.text("type") == fields.text("rope_type"):
        return
    if "mrope" in (fields.text("type"), fields.text("rope_type")):
        return
    why = f"rope_type, {quoted(fields.text('rope_type'))}, takes precedence"
    rotary.record(WARNING, "contradiction", "type", happens, why)


def _find_unused_field(rotary: RotaryLayer, name: str) -> None:
    if name == _SECTIONS:
        why = "only image tokens have positions on three axes"
        rotary.record(NOTE, "no-effect", name, "has no effect on text", why)
        return
    if any(name in fields for fields in FIELDS_OF_TYPE.values()):
        why = f"{rotary.rope_type} does not use it"
        rotary.record(WARNING, "no-effect", name, "has no effect", why)
        return
    known = {field for fields in FIELDS_OF_TYPE.values() for field in fields} | set(_COMMON_FIELDS)
    hint = nearest(name, [*FIELDS_OF_TYPE[rotary.rope_type], *sorted(known)])
    rotary.record(WARNING, "unknown-field", name, f"is not a field of {rotary.rope_type}", hint)


def _find_yarn_conflicts(rotary: RotaryLayer) -> None:
    fields = rotary.fields
    for name, default in (("beta_fast", 32), ("beta_slow", 1)):
        if fields.number(name) == 0:
            rotary.record(WARNING, "no-effect", name, f"0 counts as missing, so {default} is used")
    if rotary.rope.nested and fields.flag("truncate") is False:
        why = "transformers reads it only beside the layer types, so it rounds the ends of the ramp"
        rotary.record(WARNING, "misplaced", "truncate", "false has no effect here", why)
    if rotary.model.rules.reads_mscale:
        _find_mscale(rotary)
    _find_conflicting_factor(rotary)


def _find_mscale(rotary: RotaryLayer) -> None:
    fields = rotary.fields
    scales = [name for name in ("mscale", "mscale_all_dim") if fields.number(name)]
    if not scales:
        return
    # In multi-head latent attention, this scale determines the softmax factor.
    makes_softmax_factor = scales == ["mscale_all_dim"] and is_latent(rotary.model)
    if "attention_factor" in fields:
        why = f"attention_factor, {value_text(fields.number('attention_factor'))}, takes precedence"
        rotary.record(WARNING, "no-effect", scales[0], "has no effect", why)
    elif len(scales) == 1 and "factor" in fields and not makes_softmax_factor:
        factor = fields.positive("factor") or 1.0
        missing = "mscale" if scales[0] == "mscale_all_dim" else "mscale_all_dim"
        result = f"0.1 · ln {value_text(factor)} + 1 = {concentration(factor, 1):.4f}"
        why = f"without {missing}, the attention factor is {result}"
        happens = f"{value_text(fields.number(scales[0]))} has no effect"
        rotary.record(WARNING, "no-effect", scales[0], happens, why)


def _find_conflicting_factor(rotary: RotaryLayer) -> None:
    model, fields = rotary.model, rotary.fields
    name = model.fields.first(*LENGTHS)
    original, factor = fields.integer(ORIGINAL), fields.positive("factor")
    if fields.prefix.startswith(model.fields.path(ROPE_PARAMETERS)):
        # Version 4.52 does not read this dictionary.
        return
    if name is None or original is None or factor is None:
        return
    length = model.fields.integer(name) or 0
    if factor * original == length:
        return
    total = value_text(factor * original)
    happens = f"{value_text(factor)} · {original:,} is {total} positions, but {name} is {length:,}"
    quotient = length / original
    remark = ", which changes nothing" if quotient == 1 else ""
    used = f"{length:,} / {original:,} = {value_text(quotient)} instead"
    why = f"transformers 4.52 uses {used}{remark}"
    level = WARNING if model.rules.quotient_in_yarn else NOTE
    rotary.record(level, "contradiction", "factor", happens, why)


def _find_overridden_length(rotary: RotaryLayer) -> None:
    model, fields = rotary.model, rotary.fields
    if ORIGINAL not in FIELDS_OF_TYPE[rotary.rope_type] or rotary.rope.nested:
        return
    if not (model.rules.reads_parameters or rotary.rope_type == "longrope"):
        return
    inner = fields.integer(ORIGINAL)
    top = model.fields.integer(ORIGINAL)
    if inner is None or top == inner:
        return
    if top is not None:
        why = f"{top:,} at the top level takes precedence"
        rotary.record(WARNING, "overridden", ORIGINAL, f"{inner:,} has no effect", why)
    elif model.cls.original not in (None, inner):
        why = f"{model.cls.name} reads it only at the top level, and uses {model.cls.original:,}"
        rotary.record(WARNING, "misplaced", ORIGINAL, f"{inner:,} has no effect here", why)
