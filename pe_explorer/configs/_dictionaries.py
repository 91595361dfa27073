"""Finds what in rope dictionaries has no effect, is unknown, or contradicts something else."""

from __future__ import annotations

from pe_explorer.configs._findings import figure, nearest
from pe_explorer.configs._model import LENGTHS, Model
from pe_explorer.configs._rope import ask, is_latent
from pe_explorer.configs._rope_fields import named_type
from pe_explorer.configs._scaling import ORIGINAL, USED, Asked, concentration
from pe_explorer.configs.values import NOTE, WARNING
from pe_explorer.params import quoted

_ALWAYS = ("rope_type", "type", "rope_theta", "partial_rotary_factor")
_NEUTRAL = ("finetuned", "mrope_interleaved")
_SECTIONS = "mrope_section"
_MSCALES = ("short_mscale", "long_mscale")


def find_in_dictionary(model: Model, layer: str) -> None:
    """Find what the dictionary of a layer type says in vain, or in contradiction."""
    asked = ask(model, layer)
    if asked.rope.of_class:
        return
    _find_two_types(asked)
    used = (*USED[asked.rope_type], *(_MSCALES if model.cls.mscales else ()))
    for name in asked.fields:
        if name not in (*_ALWAYS, *_NEUTRAL, *used, *model.cls.neutral):
            _find_unused(asked, name)
    if not model.rules.reads_parameters:
        _find_misplaced(asked)
    if asked.rope_type == "yarn":
        _find_in_yarn(asked)
    _find_overridden(asked)


def _find_two_types(asked: Asked) -> None:
    """Find a `type` beside a `rope_type` that means another."""
    fields, first = asked.fields, asked.fields.first("rope_type")
    if first is None and "type" in fields and named_type(asked.model, fields) is None:
        why = f"{asked.model.cls.name} reads rope_type there, and scales nothing without it"
        _add(
            asked, WARNING, "no-effect", "type", f"{quoted(fields.text('type'))} has no effect", why
        )
        return
    if first is None or "type" not in fields or fields.text("type") == fields.text("rope_type"):
        return
    if "mrope" in (fields.text("type"), fields.text("rope_type")):
        return
    happens = f"{quoted(fields.text('type'))} has no effect"
    why = f"rope_type, {quoted(fields.text('rope_type'))}, wins"
    _add(asked, WARNING, "contradiction", "type", happens, why)


def _find_unused(asked: Asked, name: str) -> None:
    """Find a field that the type does not read: of another type, or of none."""
    if name == _SECTIONS:
        why = "only those of images have positions on three axes"
        _add(asked, NOTE, "no-effect", name, "has no effect on tokens of text", why)
        return
    others = [rope_type for rope_type, fields in USED.items() if name in fields]
    if others:
        happens = f"has no effect; {asked.rope_type} does not use it"
        _add(asked, WARNING, "no-effect", name, happens)
        return
    known = {field for fields in USED.values() for field in fields} | set(_ALWAYS)
    hint = nearest(name, [*USED[asked.rope_type], *sorted(known)])
    _add(asked, WARNING, "unknown-field", name, f"is not a field of {asked.rope_type}", hint)


def _find_misplaced(asked: Asked) -> None:
    """Find what versions 4 read at the top level only."""
    for name in ("rope_theta", "partial_rotary_factor"):
        if name in asked.fields:
            why = f"transformers {asked.model.rules.name} reads it at the top level only"
            _add(asked, WARNING, "misplaced", name, "has no effect here", why)


def _find_in_yarn(asked: Asked) -> None:
    fields = asked.fields
    for name, taken in (("beta_fast", 32), ("beta_slow", 1)):
        if fields.number(name) == 0:
            _add(asked, WARNING, "no-effect", name, f"0 is read as missing; {taken} is taken")
    if asked.rope.nested and fields.flag("truncate") is False:
        why = "transformers reads it beside the layer types, and rounds the ramp's ends"
        _add(asked, WARNING, "misplaced", "truncate", "false has no effect here", why)
    if asked.model.rules.reads_mscale:
        _find_mscale(asked)
    _find_other_factor(asked)


def _find_mscale(asked: Asked) -> None:
    """Find scales that do not count: one alone, or beside an attention factor."""
    fields = asked.fields
    given = [name for name in ("mscale", "mscale_all_dim") if fields.number(name)]
    if not given:
        return
    if "attention_factor" in fields:
        why = f"attention_factor, {figure(fields.number('attention_factor'))}, wins"
        _add(asked, WARNING, "no-effect", given[0], "has no effect", why)
    elif len(given) == 1 and "factor" in fields and not _is_of_softmax(asked, given[0]):
        factor = fields.positive("factor") or 1.0
        other = "mscale" if given[0] == "mscale_all_dim" else "mscale_all_dim"
        result = f"0.1 · ln {figure(factor)} + 1 = {concentration(factor, 1):.4f}"
        why = f"without {other} the attention factor is {result}"
        happens = f"{figure(fields.number(given[0]))} has no effect"
        _add(asked, WARNING, "no-effect", given[0], happens, why)


def _is_of_softmax(asked: Asked, name: str) -> bool:
    """Return whether a scale makes the softmax factor, as in multi-head latent attention."""
    return name == "mscale_all_dim" and is_latent(asked.model)


def _find_other_factor(asked: Asked) -> None:
    """Find a factor that is not the quotient of the lengths that the file states."""
    model, fields = asked.model, asked.fields
    name = model.fields.first(*LENGTHS)
    original, factor = fields.whole(ORIGINAL), fields.positive("factor")
    if name is None or original is None or factor is None:
        return
    length = model.fields.whole(name) or 0
    if factor * original == length:
        return
    made = figure(factor * original)
    happens = f"{figure(factor)} makes {made} of {original:,} positions, but {name} is {length:,}"
    quotient = length / original
    nothing = " and changes nothing" if quotient == 1 else ""
    why = f"transformers 4.52 takes {length:,} / {original:,} = {figure(quotient)} instead{nothing}"
    level = WARNING if model.rules.quotient_in_yarn else NOTE
    _add(asked, level, "contradiction", "factor", happens, why)


def _find_overridden(asked: Asked) -> None:
    """Find a trained length that another one at the top level replaces."""
    model, fields = asked.model, asked.fields
    if ORIGINAL not in USED[asked.rope_type] or asked.rope.nested:
        return
    if not (model.rules.reads_parameters or asked.rope_type == "longrope"):
        return
    inner = fields.whole(ORIGINAL)
    top = model.fields.whole(ORIGINAL)
    if inner is None or top == inner:
        return
    if top is not None:
        why = f"{top:,} at the top level wins"
        _add(asked, WARNING, "overridden", ORIGINAL, f"{inner:,} has no effect", why)
    elif model.cls.original not in (None, inner):
        why = f"{model.cls.name} reads it at the top level only, and takes {model.cls.original:,}"
        _add(asked, WARNING, "misplaced", ORIGINAL, f"{inner:,} has no effect here", why)


def _add(asked: Asked, level: str, kind: str, name: str, happens: str, why: str = "") -> None:
    asked.model.findings.add(level, kind, asked.fields.path(name), happens, why, asked.layer)
