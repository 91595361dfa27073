"""The parameters of each rope type, read from its dictionary under the rules of a version.

Sources: `modeling_rope_utils.py` of transformers 4.46.3, 4.52.4, 4.57.3 and 5.24.0, and the classes
named in the code.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import value_text
from pe_explorer.configs._model import LENGTHS, TextModel
from pe_explorer.configs._rope_fields import RopeFields
from pe_explorer.configs.values import NOTE

ORIGINAL = "original_max_position_embeddings"
_BETA_FAST, _BETA_SLOW = 32.0, 1.0


@dataclass(frozen=True)
class RotaryLayer:
    """A layer type with RoPE: its dictionary, rope type, head dimension and rotary part."""

    model: TextModel
    layer: str
    rope: RopeFields
    rope_type: str
    head_dim: int
    part: float

    @property
    def pairs(self) -> int:
        """The number of rotating pairs."""
        return int(self.head_dim * self.part) // 2

    @property
    def fields(self) -> Fields:
        """The rope dictionary."""
        return self.rope.fields

    def record(self, level: str, kind: str, name: str, happens: str, why: str = "") -> None:
        """Add a finding about a field of the dictionary."""
        self.model.findings.add(level, kind, self.fields.path(name), happens, why, self.layer)

    def refuse(self, kind: str, name: str, happens: str, why: str = "") -> NoReturn:
        """Add an error about a field of the dictionary, and raise `NoEncodingError`."""
        self.model.findings.refuse(kind, self.fields.path(name), happens, why, self.layer)

    def note_missing(self, name: str, why: str) -> None:
        """Add a note that a field of the dictionary is missing, with the consequence."""
        self.record(NOTE, "default", name, "is missing", why)

    def required(self, name: str) -> float:
        """Return a required number from the dictionary, or raise `NoEncodingError`."""
        value = self.fields.positive(name)
        if value is None:
            self._raise_missing(name)
        return float(value)

    def required_factors(self, name: str) -> tuple[float, ...]:
        """Return a required list with one factor per pair, or raise `NoEncodingError`."""
        factors = self.fields.numbers(name)
        if factors is None:
            self._raise_missing(name)
        if len(factors) != self.pairs:
            happens = f"has {len(factors):,} numbers, but {self.pairs:,} pairs rotate"
            why = f"int({self.head_dim} · {self.part}) / 2 = {self.pairs:,}"
            self.refuse("list-length", name, happens, why)
        return factors

    def _raise_missing(self, name: str) -> NoReturn:
        why = f"{self.rope_type} requires this field, and transformers fails without it"
        self.refuse("missing", name, "is missing", why)

    def length(self) -> int:
        """Return `max_position_embeddings`, or raise `NoEncodingError` if it is missing."""
        length = self.model.length()
        if length is None:
            why = f"{self.rope_type} needs it"
            self.model.refuse("missing", LENGTHS[0], "is missing", why, self.layer)
        return length

    def length_ratio(self, original: int) -> float:
        """Return the ratio of `max_position_embeddings` to the training length."""
        return self.length() / original


def scaling(rotary: RotaryLayer) -> Mapping[str, Any]:
    """Return the parameters that are specific to a rope type."""
    match rotary.rope_type:
        case "linear":
            return {"factor": rotary.required("factor")}
        case "proportional":
            return {"factor": float(rotary.fields.positive("factor") or 1.0)}
        case "ntk":
            return {"factor": rotary.required("alpha" if "alpha" in rotary.fields else "factor")}
        case "dynamic":
            factor, length = rotary.required("factor"), rotary.model.sequence_length
            return {"factor": factor, ORIGINAL: rotary.length(), "sequence_length": length}
        case "llama3":
            return _llama3(rotary)
        case "yarn":
            return _yarn(rotary)
        case "longrope":
            return _longrope(rotary)
    return {}


def trained_length(rotary: RotaryLayer) -> int:
    """Return the training length; in a flat file, the top-level field takes precedence."""
    model = rotary.model
    if not rotary.rope.nested:
        top = model.integer((ORIGINAL,), model.cls.original, rotary.layer)
        if top is not None:
            return top
    return rotary.fields.integer(ORIGINAL) or _fallback_length(rotary)


def _fallback_length(rotary: RotaryLayer) -> int:
    length = rotary.length()
    rotary.note_missing(ORIGINAL, f"using {LENGTHS[0]}, {value_text(length)}")
    return length


def _llama3(rotary: RotaryLayer) -> Mapping[str, Any]:
    if rotary.model.rules.reads_parameters:
        original = trained_length(rotary)
    else:
        rotary.required(ORIGINAL)
        original = rotary.fields.integer(ORIGINAL) or 0
    low, high = rotary.required("low_freq_factor"), rotary.required("high_freq_factor")
    if low == high:
        # Llama 4 Scout has a step instead of a ramp. A ramp between consecutive floats is a step.
        high = math.nextafter(high, math.inf)
    if low > high:
        happens = f"{value_text(low)} is above high_freq_factor, {value_text(high)}"
        rotary.refuse("contradiction", "low_freq_factor", happens)
    return {
        "factor": rotary.required("factor"),
        ORIGINAL: original,
        "low_freq_factor": low,
        "high_freq_factor": high,
    }


def _yarn(rotary: RotaryLayer) -> Mapping[str, Any]:
    rules, fields = rotary.model.rules, rotary.fields
    if not rules.ramp_of_trained:
        original = rotary.length()
    elif rules.reads_parameters:
        original = trained_length(rotary)
    else:
        original = fields.integer(ORIGINAL) or _fallback_length(rotary)
    factor = _yarn_factor(rotary, original)
    parameters: dict[str, Any] = {
        "factor": factor,
        ORIGINAL: original,
        "beta_fast": float(fields.number("beta_fast") or _BETA_FAST),
        "beta_slow": float(fields.number("beta_slow") or _BETA_SLOW),
        "truncate": True,
        "attention": _yarn_attention(rotary, factor),
    }
    if rules.reads_truncate and not rotary.rope.nested:
        truncate = fields.flag("truncate")
        parameters["truncate"] = True if truncate is None else truncate
    if parameters["beta_fast"] < parameters["beta_slow"]:
        fast, slow = value_text(parameters["beta_fast"]), value_text(parameters["beta_slow"])
        rotary.refuse("contradiction", "beta_fast", f"{fast} is below beta_slow, {slow}")
    return parameters


def _yarn_factor(rotary: RotaryLayer, original: int) -> float:
    stated_factor = rotary.fields.positive("factor")
    if rotary.model.rules.quotient_in_yarn and ORIGINAL in rotary.fields:
        return rotary.length_ratio(original)
    if stated_factor is None:
        if ORIGINAL not in rotary.fields and ORIGINAL not in rotary.model.fields:
            return rotary.required("factor")
        quotient = rotary.length_ratio(original)
        rotary.note_missing("factor", f"using {LENGTHS[0]} / {ORIGINAL} = {value_text(quotient)}")
        return quotient
    return float(stated_factor)


def _yarn_attention(rotary: RotaryLayer, factor: float) -> float | None:
    fields = rotary.fields
    stated = fields.positive("attention_factor")
    if stated is not None:
        return float(stated)
    if rotary.model.cls.plain_yarn:
        return 1.0
    numerator, denominator = fields.number("mscale"), fields.number("mscale_all_dim")
    if rotary.model.rules.reads_mscale:
        if numerator and denominator:
            return _attention_of_scales(rotary, factor, numerator, denominator)
        return None
    # Version 4.46 applies the formula to factors below 1, too.
    return 0.1 * math.log(factor) + 1.0 if factor < 1 else None


def _attention_of_scales(
    rotary: RotaryLayer, factor: float, numerator: float, denominator: float
) -> float:
    above, below = concentration(factor, numerator), concentration(factor, denominator)
    if above <= 0 or below <= 0:
        name, scale = ("mscale", numerator) if above <= 0 else ("mscale_all_dim", denominator)
        happens = f"{value_text(scale)} gives an attention factor that is not positive"
        rotary.refuse("contradiction", name, happens)
    return above / below


def concentration(factor: float, scale: float) -> float:
    """Return g(factor, scale) = 0.1 · scale · ln factor + 1, or 1 for factors up to 1."""
    return 1.0 if factor <= 1 else 0.1 * scale * math.log(factor) + 1.0


def _longrope(rotary: RotaryLayer) -> Mapping[str, Any]:
    short, long = rotary.required_factors("short_factor"), rotary.required_factors("long_factor")
    top = _top_length(rotary)
    original, factor = _longrope_lengths(rotary, top)
    length = rotary.model.sequence_length
    attention = rotary.fields.positive("attention_factor")
    if rotary.model.rules.long_unless_short:
        # Version 4.46 uses the long list if the extended length exceeds the training length, so
        # pass the extended length as the length in use.
        if top is None or length is None or length >= original:
            length = math.ceil(original * factor)
        elif attention is None:
            attention = 1.0
    if rotary.model.cls.mscales:
        name = "short_mscale" if length is None or length <= original else "long_mscale"
        attention = rotary.required(name)
    return {
        "factor": factor,
        ORIGINAL: original,
        "sequence_length": length,
        "short_factor": short,
        "long_factor": long,
        "attention": None if attention is None else float(attention),
    }


def _top_length(rotary: RotaryLayer) -> int | None:
    """Return the training length at the top level, to which some classes copy the field."""
    top = rotary.model.fields.integer(ORIGINAL) or rotary.model.cls.original
    if top is None and rotary.model.cls.top_length:
        return rotary.fields.integer(ORIGINAL)
    return top


def _longrope_lengths(rotary: RotaryLayer, top: int | None) -> tuple[int, float]:
    factor = rotary.fields.positive("factor")
    if not rotary.model.rules.longrope_at_top:
        original = trained_length(rotary)
        return original, float(factor) if factor is not None else rotary.length_ratio(original)
    if top is not None:
        return top, rotary.length_ratio(top)
    return rotary.length(), float(factor) if factor is not None else 1.0


FIELDS_OF_TYPE: Mapping[str, tuple[str, ...]] = {
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
"""The fields that each rope type reads from its dictionary."""
TYPES = tuple(FIELDS_OF_TYPE)
"""The supported rope types."""
