"""Finds what in rope dictionaries has no effect, is unknown, or contradicts something else."""

from pe_explorer.configs._findings import nearest, value_text
from pe_explorer.configs._model import LENGTHS, TextModel
from pe_explorer.configs._rope import is_latent, rotary_layer
from pe_explorer.configs._rope_fields import named_type
from pe_explorer.configs._scaling import FIELDS_OF_TYPE, ORIGINAL, RotaryLayer, concentration
from pe_explorer.configs.values import NOTE, WARNING
from pe_explorer.params import quoted

_COMMON_FIELDS = ("rope_type", "type", "rope_theta", "partial_rotary_factor")
_NEUTRAL_FIELDS = ("finetuned", "mrope_interleaved")
_SECTIONS = "mrope_section"
_MSCALES = ("short_mscale", "long_mscale")


def find_in_dictionary(model: TextModel, layer: str) -> None:
    """Find fields in the dictionary of a layer type that have no effect or contradict others."""
    rotary = rotary_layer(model, layer)
    if rotary.rope.of_class:
        return
    _find_two_types(rotary)
    used = (*FIELDS_OF_TYPE[rotary.rope_type], *(_MSCALES if model.cls.mscales else ()))
    for name in rotary.fields:
        if name not in (*_COMMON_FIELDS, *_NEUTRAL_FIELDS, *used, *model.cls.neutral):
            _find_unused(rotary, name)
    if not model.rules.reads_parameters:
        _find_misplaced(rotary)
    if rotary.rope_type == "yarn":
        _find_in_yarn(rotary)
    _find_overridden(rotary)


def _find_two_types(rotary: RotaryLayer) -> None:
    """Find a `type` beside a `rope_type` that means another."""
    fields, first = rotary.fields, rotary.fields.first("rope_type")
    if first is None and "type" in fields and named_type(rotary.model, fields) is None:
        why = f"{rotary.model.cls.name} reads rope_type there, and scales nothing without it"
        _add(
            rotary,
            WARNING,
            "no-effect",
            "type",
            f"{quoted(fields.text('type'))} has no effect",
            why,
        )
        return
    if first is None or "type" not in fields or fields.text("type") == fields.text("rope_type"):
        return
    if "mrope" in (fields.text("type"), fields.text("rope_type")):
        return
    happens = f"{quoted(fields.text('type'))} has no effect"
    why = f"rope_type, {quoted(fields.text('rope_type'))}, wins"
    _add(rotary, WARNING, "contradiction", "type", happens, why)


def _find_unused(rotary: RotaryLayer, name: str) -> None:
    """Find a field that the type does not read: of another type, or of none."""
    if name == _SECTIONS:
        why = "only those of images have positions on three axes"
        _add(rotary, NOTE, "no-effect", name, "has no effect on tokens of text", why)
        return
    others = [rope_type for rope_type, fields in FIELDS_OF_TYPE.items() if name in fields]
    if others:
        happens = f"has no effect; {rotary.rope_type} does not use it"
        _add(rotary, WARNING, "no-effect", name, happens)
        return
    known = {field for fields in FIELDS_OF_TYPE.values() for field in fields} | set(_COMMON_FIELDS)
    hint = nearest(name, [*FIELDS_OF_TYPE[rotary.rope_type], *sorted(known)])
    _add(rotary, WARNING, "unknown-field", name, f"is not a field of {rotary.rope_type}", hint)


def _find_misplaced(rotary: RotaryLayer) -> None:
    """Find what versions 4 read at the top level only."""
    for name in ("rope_theta", "partial_rotary_factor"):
        if name in rotary.fields:
            why = f"transformers {rotary.model.rules.name} reads it at the top level only"
            _add(rotary, WARNING, "misplaced", name, "has no effect here", why)


def _find_in_yarn(rotary: RotaryLayer) -> None:
    fields = rotary.fields
    for name, taken in (("beta_fast", 32), ("beta_slow", 1)):
        if fields.number(name) == 0:
            _add(rotary, WARNING, "no-effect", name, f"0 is read as missing; {taken} is taken")
    if rotary.rope.nested and fields.flag("truncate") is False:
        why = "transformers reads it beside the layer types, and rounds the ramp's ends"
        _add(rotary, WARNING, "misplaced", "truncate", "false has no effect here", why)
    if rotary.model.rules.reads_mscale:
        _find_mscale(rotary)
    _find_other_factor(rotary)


def _find_mscale(rotary: RotaryLayer) -> None:
    """Find scales without effect: one alone, or beside an attention factor."""
    fields = rotary.fields
    given = [name for name in ("mscale", "mscale_all_dim") if fields.number(name)]
    if not given:
        return
    if "attention_factor" in fields:
        why = f"attention_factor, {value_text(fields.number('attention_factor'))}, wins"
        _add(rotary, WARNING, "no-effect", given[0], "has no effect", why)
    elif len(given) == 1 and "factor" in fields and not _is_of_softmax(rotary, given[0]):
        factor = fields.positive("factor") or 1.0
        other = "mscale" if given[0] == "mscale_all_dim" else "mscale_all_dim"
        result = f"0.1 · ln {value_text(factor)} + 1 = {concentration(factor, 1):.4f}"
        why = f"without {other} the attention factor is {result}"
        happens = f"{value_text(fields.number(given[0]))} has no effect"
        _add(rotary, WARNING, "no-effect", given[0], happens, why)


def _is_of_softmax(rotary: RotaryLayer, name: str) -> bool:
    """Return whether a scale makes the softmax factor, as in multi-head latent attention."""
    return name == "mscale_all_dim" and is_latent(rotary.model)


def _find_other_factor(rotary: RotaryLayer) -> None:
    """Find a factor that is not the quotient of the lengths that the file states."""
    model, fields = rotary.model, rotary.fields
    name = model.fields.first(*LENGTHS)
    original, factor = fields.whole(ORIGINAL), fields.positive("factor")
    if name is None or original is None or factor is None:
        return
    length = model.fields.whole(name) or 0
    if factor * original == length:
        return
    made = value_text(factor * original)
    happens = (
        f"{value_text(factor)} makes {made} of {original:,} positions, but {name} is {length:,}"
    )
    quotient = length / original
    nothing = " and changes nothing" if quotient == 1 else ""
    instead = f"{length:,} / {original:,} = {value_text(quotient)} instead"
    why = f"transformers 4.52 takes {instead}{nothing}"
    level = WARNING if model.rules.quotient_in_yarn else NOTE
    _add(rotary, level, "contradiction", "factor", happens, why)


def _find_overridden(rotary: RotaryLayer) -> None:
    """Find a trained length that another one at the top level replaces."""
    model, fields = rotary.model, rotary.fields
    if ORIGINAL not in FIELDS_OF_TYPE[rotary.rope_type] or rotary.rope.nested:
        return
    if not (model.rules.reads_parameters or rotary.rope_type == "longrope"):
        return
    inner = fields.whole(ORIGINAL)
    top = model.fields.whole(ORIGINAL)
    if inner is None or top == inner:
        return
    if top is not None:
        why = f"{top:,} at the top level wins"
        _add(rotary, WARNING, "overridden", ORIGINAL, f"{inner:,} has no effect", why)
    elif model.cls.original not in (None, inner):
        why = f"{model.cls.name} reads it at the top level only, and takes {model.cls.original:,}"
        _add(rotary, WARNING, "misplaced", ORIGINAL, f"{inner:,} has no effect here", why)


def _add(
    rotary: RotaryLayer, level: str, kind: str, name: str, happens: str, why: str = ""
) -> None:
    rotary.model.findings.add(level, kind, rotary.fields.path(name), happens, why, rotary.layer)
