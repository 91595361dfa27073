"""What each rope type makes of its dictionary: parameters after the rules of a version.

Sources: transformers 4.46.3, 4.52.4, 4.57.3 and 5.24.0, `modeling_rope_utils.py` of each, and
the classes that are named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import figure
from pe_explorer.configs._model import LENGTHS, Model
from pe_explorer.configs._rope_fields import RopeFields
from pe_explorer.values import frozen

ORIGINAL = "original_max_position_embeddings"
_FAST, _SLOW = 32.0, 1.0


@frozen
class Asked:
    """One layer type whose rope type is asked for its parameters."""

    model: Model
    layer: str
    rope: RopeFields
    rope_type: str
    head_dim: int
    part: float

    @property
    def pairs(self) -> int:
        """The number of pairs that turn."""
        return int(self.head_dim * self.part) // 2

    @property
    def fields(self) -> Fields:
        """The rope dictionary."""
        return self.rope.fields

    def needed(self, name: str) -> float:
        """Return a number of the dictionary; without it the layers have no encoding."""
        value = self.fields.positive(name)
        if value is None:
            why = f"{self.rope_type} needs it, and transformers stops here"
            self.model.findings.error(
                "missing", self.fields.path(name), "is missing", why, self.layer
            )
        return float(value)

    def length(self) -> int:
        """Return `max_position_embeddings`, which the type needs."""
        return self.model.needed_length(self.layer, f"{self.rope_type} needs it")

    def quotient(self, original: int) -> float:
        """Return how many times the trained length the file's length is."""
        return self.length() / original


def scaling(asked: Asked) -> Mapping[str, Any]:
    """Return the parameters of a rope type, without those that all types have."""
    return _TYPES[asked.rope_type](asked)


def trained_length(asked: Asked) -> int:
    """Return the original length as version 5 reads it: the top level wins in a flat file."""
    model = asked.model
    if not asked.rope.nested:
        top = model.whole((ORIGINAL,), model.cls.original, asked.layer)
        if top is not None:
            return top
    return asked.fields.whole(ORIGINAL) or _length_for_trained(asked)


def _length_for_trained(asked: Asked) -> int:
    """Return the file's length, which is taken where it does not say the trained one."""
    length = asked.length()
    taken = f"{LENGTHS[0]}, {figure(length)}, is taken"
    asked.model.note_taken(asked.fields.path(ORIGINAL), taken, asked.layer)
    return length


def _none(_asked: Asked) -> Mapping[str, Any]:
    return {}


def _linear(asked: Asked) -> Mapping[str, Any]:
    return {"factor": asked.needed("factor")}


def _proportional(asked: Asked) -> Mapping[str, Any]:
    return {"factor": float(asked.fields.positive("factor") or 1.0)}


def _static(asked: Asked) -> Mapping[str, Any]:
    return {"factor": asked.needed("alpha" if "alpha" in asked.fields else "factor")}


def _dynamic(asked: Asked) -> Mapping[str, Any]:
    return {
        "factor": asked.needed("factor"),
        ORIGINAL: asked.length(),
        "sequence_length": asked.model.sequence_length,
    }


def _llama3(asked: Asked) -> Mapping[str, Any]:
    if asked.model.rules.reads_parameters:
        original = trained_length(asked)
    else:
        asked.needed(ORIGINAL)
        original = asked.fields.whole(ORIGINAL) or 0
    low, high = asked.needed("low_freq_factor"), asked.needed("high_freq_factor")
    if low == high:
        # A step instead of a ramp, as in Llama 4 Scout: the next number above makes one, too.
        high = math.nextafter(high, math.inf)
    if low > high:
        happens = f"{figure(low)} is above high_freq_factor, {figure(high)}"
        field = asked.fields.path("low_freq_factor")
        asked.model.findings.error("contradiction", field, happens, layer=asked.layer)
    return {
        "factor": asked.needed("factor"),
        ORIGINAL: original,
        "low_freq_factor": low,
        "high_freq_factor": high,
    }


def _yarn(asked: Asked) -> Mapping[str, Any]:
    rules, fields = asked.model.rules, asked.fields
    original = _ramp_length(asked)
    factor = _yarn_factor(asked, original)
    parameters: dict[str, Any] = {
        "factor": factor,
        ORIGINAL: original,
        "beta_fast": float(fields.number("beta_fast") or _FAST),
        "beta_slow": float(fields.number("beta_slow") or _SLOW),
        "truncate": True,
        "attention": _yarn_attention(asked, factor),
    }
    if rules.reads_truncate and not asked.rope.nested:
        truncate = fields.flag("truncate")
        parameters["truncate"] = True if truncate is None else truncate
    if parameters["beta_fast"] < parameters["beta_slow"]:
        fast, slow = figure(parameters["beta_fast"]), figure(parameters["beta_slow"])
        happens = f"{fast} is below beta_slow, {slow}"
        field = fields.path("beta_fast")
        asked.model.findings.error("contradiction", field, happens, layer=asked.layer)
    return parameters


def _ramp_length(asked: Asked) -> int:
    """Return the length from which YaRN's ramp follows."""
    rules = asked.model.rules
    if not rules.ramp_of_trained:
        return asked.length()
    if rules.reads_parameters:
        return trained_length(asked)
    return asked.fields.whole(ORIGINAL) or _length_for_trained(asked)


def _yarn_factor(asked: Asked, original: int) -> float:
    given = asked.fields.positive("factor")
    if asked.model.rules.quotient_in_yarn and ORIGINAL in asked.fields:
        return asked.quotient(original)
    if given is None:
        if ORIGINAL not in asked.fields and ORIGINAL not in asked.model.fields:
            return asked.needed("factor")
        quotient = asked.quotient(original)
        taken = f"{LENGTHS[0]} / {ORIGINAL} = {figure(quotient)} is taken"
        asked.model.note_taken(asked.fields.path("factor"), taken, asked.layer)
        return quotient
    return float(given)


def _yarn_attention(asked: Asked, factor: float) -> float | None:
    """Return YaRN's attention factor, None where it is the type's own."""
    fields = asked.fields
    given = fields.positive("attention_factor")
    if given is not None:
        return float(given)
    numerator, denominator = fields.number("mscale"), fields.number("mscale_all_dim")
    if asked.model.rules.reads_mscale:
        if numerator and denominator:
            return _quotient_of_scales(asked, factor, numerator, denominator)
        return None
    # 4.46 has no case of its own for factors up to 1.
    return 0.1 * math.log(factor) + 1.0 if factor < 1 else None


def _quotient_of_scales(asked: Asked, factor: float, numerator: float, denominator: float) -> float:
    """Return the attention factor of two scales; negative ones can make one that is not above 0."""
    above, below = concentration(factor, numerator), concentration(factor, denominator)
    if above <= 0 or below <= 0:
        name, scale = ("mscale", numerator) if above <= 0 else ("mscale_all_dim", denominator)
        happens = f"{figure(scale)} makes an attention factor that is not above 0"
        field = asked.fields.path(name)
        asked.model.findings.error("contradiction", field, happens, layer=asked.layer)
    return above / below


def concentration(factor: float, scale: float) -> float:
    """Return g(factor, scale) = 0.1 · scale · ln factor + 1, and 1 for factors up to 1."""
    return 1.0 if factor <= 1 else 0.1 * scale * math.log(factor) + 1.0


def _longrope(asked: Asked) -> Mapping[str, Any]:
    short, long = _pair_factors(asked, "short_factor"), _pair_factors(asked, "long_factor")
    top = _top_length(asked)
    original, factor = _longrope_lengths(asked, top)
    length = asked.model.sequence_length
    attention = asked.fields.positive("attention_factor")
    if asked.model.rules.long_unless_short:
        # The long list counts where the length that version 4.46 stretches to is above the
        # trained one, and this is how the encoding is told so.
        if top is None or length is None or length >= original:
            length = math.ceil(original * factor)
        elif attention is None:
            attention = 1.0
    if asked.model.cls.mscales:
        name = "short_mscale" if length is None or length <= original else "long_mscale"
        attention = asked.needed(name)
    return {
        "factor": factor,
        ORIGINAL: original,
        "sequence_length": length,
        "short_factor": short,
        "long_factor": long,
        "attention": None if attention is None else float(attention),
    }


def _top_length(asked: Asked) -> int | None:
    """Return the trained length at the top level; a class can copy the dictionary's there."""
    top = asked.model.fields.whole(ORIGINAL) or asked.model.cls.original
    if top is None and asked.model.cls.top_length:
        return asked.fields.whole(ORIGINAL)
    return top


def _longrope_lengths(asked: Asked, top: int | None) -> tuple[int, float]:
    """Return LongRoPE's trained length, and the factor of its attention factor."""
    given = asked.fields.positive("factor")
    if not asked.model.rules.longrope_at_top:
        original = trained_length(asked)
        return original, float(given) if given is not None else asked.quotient(original)
    if top is not None:
        return top, asked.quotient(top)
    return asked.length(), float(given) if given is not None else 1.0


def _pair_factors(asked: Asked, name: str) -> tuple[float, ...]:
    """Return a list of factors, one for each pair; without it the layers have no encoding."""
    found = asked.fields.numbers(name)
    findings, path = asked.model.findings, asked.fields.path(name)
    if found is None:
        why = "longrope needs it, and transformers stops here"
        findings.error("missing", path, "is missing", why, asked.layer)
    if len(found) != asked.pairs:
        happens = f"has {len(found):,} numbers, but {asked.pairs:,} pairs turn"
        why = f"int({asked.head_dim} · {asked.part}) / 2 = {asked.pairs:,}"
        findings.error("list-length", path, happens, why, asked.layer)
    return found


_TYPES: Mapping[str, Callable[[Asked], Mapping[str, Any]]] = {
    "default": _none,
    "linear": _linear,
    "dynamic": _dynamic,
    "ntk": _static,
    "yarn": _yarn,
    "longrope": _longrope,
    "llama3": _llama3,
    "proportional": _proportional,
}
TYPES = tuple(_TYPES)
"""The rope types that have an encoding."""

USED: Mapping[str, tuple[str, ...]] = {
    "default": (),
    "linear": ("factor",),
    "dynamic": ("factor",),
    "ntk": ("alpha", "factor"),
    "yarn": (
        "factor",
        ORIGINAL,
        "beta_fast",
        "beta_slow",
        "truncate",
        "attention_factor",
        "mscale",
        "mscale_all_dim",
    ),
    "longrope": ("factor", ORIGINAL, "short_factor", "long_factor", "attention_factor"),
    "llama3": ("factor", ORIGINAL, "low_freq_factor", "high_freq_factor"),
    "proportional": ("factor",),
}
"""The fields that a type reads in its dictionary."""
