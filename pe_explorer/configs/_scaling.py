"""The parameters of each rope type, read from its dictionary under the rules of a version.

Sources: `modeling_rope_utils.py` of transformers 4.46.3, 4.52.4, 4.57.3 and 5.24.0, and the classes
named in the code.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import to_text
from pe_explorer.configs._model import LENGTH_FIELDS, TextModel
from pe_explorer.configs._rope_fields import RopeFields
from pe_explorer.configs.values import NOTE

ORIGINAL_FIELD = "original_max_position_embeddings"


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
    def width(self) -> int:
        """The number of rotated channels before transformers rounds an odd number up."""
        return int(self.head_dim * self.part)

    @property
    def is_width_rounded_up(self) -> bool:
        """Whether transformers rotates one more channel than `width`."""
        return self.rope_type == "default" and self.width % 2 == 1 and self.width < self.head_dim

    @property
    def fields(self) -> Fields:
        """The rope dictionary."""
        return self.rope.fields

    def record(self, level: str, kind: str, name: str, happens: str, why: str = "") -> None:
        """Add a finding about a field of the dictionary."""
        self.model.findings.add(level, kind, self.fields.path(name), happens, why, self.layer)

    def fail(self, kind: str, name: str, happens: str, why: str = "") -> NoReturn:
        """Add an error about a field of the dictionary, and raise `NoEncodingError`."""
        self.model.findings.fail(kind, self.fields.path(name), happens, why, self.layer)

    def require_number(self, name: str) -> float:
        """Return a number from the dictionary; raise `NoEncodingError` if it is missing."""
        value = self.fields.read_positive_number(name)
        if value is None:
            self._raise_missing_field(name)
        return float(value)

    def require_factors(self, name: str) -> tuple[float, ...]:
        """Return a list with one factor per pair; raise `NoEncodingError` if this is impossible."""
        factors = self.fields.numbers(name)
        if factors is None:
            self._raise_missing_field(name)
        pairs = self.width // 2
        if len(factors) != pairs:
            happens = f"has {len(factors):,} numbers, but {pairs:,} pairs rotate"
            why = f"int({self.head_dim} · {self.part}) / 2 = {pairs:,}"
            self.fail("list-length", name, happens, why)
        return factors

    def _raise_missing_field(self, name: str) -> NoReturn:
        why = f"{self.rope_type} requires this field, and transformers fails without it"
        self.fail("missing", name, "is missing", why)

    def length(self) -> int:
        """Return `max_position_embeddings`, or raise `NoEncodingError` if it is missing."""
        length = self.model.length()
        if length is None:
            why = f"{self.rope_type} needs it"
            self.model.fail("missing", LENGTH_FIELDS[0], "is missing", why, self.layer)
        return length


def scaling(rotary: RotaryLayer) -> Mapping[str, Any]:
    """Return the parameters that are specific to a rope type."""
    match rotary.rope_type:
        case "linear":
            return {"factor": rotary.require_number("factor")}
        case "proportional":
            return {"factor": float(rotary.fields.read_positive_number("factor") or 1.0)}
        case "ntk":
            name = "alpha" if "alpha" in rotary.fields else "factor"
            return {"factor": rotary.require_number(name)}
        case "dynamic":
            factor, length = rotary.require_number("factor"), rotary.model.sequence_length
            return {"factor": factor, ORIGINAL_FIELD: rotary.length(), "sequence_length": length}
        case "llama3":
            return _read_llama3(rotary)
        case "yarn":
            return _read_yarn(rotary)
        case "longrope":
            return _read_longrope(rotary)
    return {}


def read_training_length(rotary: RotaryLayer) -> int:
    """Return the training length; for a flat dictionary, the top-level field takes precedence."""
    model = rotary.model
    if not rotary.rope.is_nested:
        top_length = model.integer((ORIGINAL_FIELD,), model.cls.original, rotary.layer)
        if top_length is not None:
            return top_length
    return rotary.fields.integer(ORIGINAL_FIELD) or _find_fallback_length(rotary)


def _find_fallback_length(rotary: RotaryLayer) -> int:
    length = rotary.length()
    why = f"using {LENGTH_FIELDS[0]}, {to_text(length)}"
    rotary.record(NOTE, "default", ORIGINAL_FIELD, "is missing", why)
    return length


def _read_llama3(rotary: RotaryLayer) -> Mapping[str, Any]:
    if rotary.model.rules.reads_parameters:
        original_length = read_training_length(rotary)
    else:
        rotary.require_number(ORIGINAL_FIELD)
        original_length = rotary.fields.integer(ORIGINAL_FIELD) or 0
    low_factor = rotary.require_number("low_freq_factor")
    high_factor = rotary.require_number("high_freq_factor")
    if low_factor == high_factor:
        # Llama 4 Scout has a step instead of a ramp. A ramp between consecutive floats is a step.
        high_factor = math.nextafter(high_factor, math.inf)
    if low_factor > high_factor:
        happens = f"{to_text(low_factor)} is above high_freq_factor, {to_text(high_factor)}"
        rotary.fail("contradiction", "low_freq_factor", happens)
    return {
        "factor": rotary.require_number("factor"),
        ORIGINAL_FIELD: original_length,
        "low_freq_factor": low_factor,
        "high_freq_factor": high_factor,
    }


def _read_yarn(rotary: RotaryLayer) -> Mapping[str, Any]:
    rules, fields = rotary.model.rules, rotary.fields
    if not rules.has_training_ramp:
        original_length = rotary.length()
    elif rules.reads_parameters:
        original_length = read_training_length(rotary)
    else:
        original_length = fields.integer(ORIGINAL_FIELD) or _find_fallback_length(rotary)
    factor = _find_yarn_factor(rotary, original_length)
    parameters: dict[str, Any] = {
        "factor": factor,
        ORIGINAL_FIELD: original_length,
        "beta_fast": float(fields.number("beta_fast") or 32.0),
        "beta_slow": float(fields.number("beta_slow") or 1.0),
        "truncate": True,
        "attention": _find_yarn_attention(rotary, factor),
    }
    if rules.reads_truncate and not rotary.rope.is_nested:
        parameters["truncate"] = fields.flag("truncate") is not False
    if parameters["beta_fast"] < parameters["beta_slow"]:
        fast_beta, slow_beta = to_text(parameters["beta_fast"]), to_text(parameters["beta_slow"])
        rotary.fail("contradiction", "beta_fast", f"{fast_beta} is below beta_slow, {slow_beta}")
    return parameters


def _find_yarn_factor(rotary: RotaryLayer, original_length: int) -> float:
    stated_factor = rotary.fields.read_positive_number("factor")
    if rotary.model.rules.has_yarn_quotient and ORIGINAL_FIELD in rotary.fields:
        return rotary.length() / original_length
    if stated_factor is None:
        if ORIGINAL_FIELD not in rotary.fields and ORIGINAL_FIELD not in rotary.model.fields:
            return rotary.require_number("factor")
        quotient = rotary.length() / original_length
        why = f"using {LENGTH_FIELDS[0]} / {ORIGINAL_FIELD} = {to_text(quotient)}"
        rotary.record(NOTE, "default", "factor", "is missing", why)
        return quotient
    return float(stated_factor)


def _find_yarn_attention(rotary: RotaryLayer, factor: float) -> float | None:
    fields = rotary.fields
    stated_factor = fields.read_positive_number("attention_factor")
    if stated_factor is not None:
        return float(stated_factor)
    if rotary.model.cls.plain_yarn:
        return 1.0
    scales = {name: fields.number(name) for name in ("mscale", "mscale_all_dim")}
    if rotary.model.rules.reads_mscale:
        factors = [compute_mscale(factor, scale) for scale in scales.values() if scale]
        if len(factors) < 2:
            return None
        for result, (name, scale) in zip(factors, scales.items(), strict=True):
            if result <= 0:
                happens = f"{to_text(scale)} gives an attention factor that is not positive"
                rotary.fail("contradiction", name, happens)
        return factors[0] / factors[1]
    # Version 4.46 also applies the formula to factors below 1.
    return 0.1 * math.log(factor) + 1.0 if factor < 1 else None


def compute_mscale(factor: float, scale: float) -> float:
    """Return g(factor, scale) = 0.1 · scale · ln factor + 1, or 1 for factors up to 1."""
    return 1.0 if factor <= 1 else 0.1 * scale * math.log(factor) + 1.0


def _read_longrope(rotary: RotaryLayer) -> Mapping[str, Any]:
    short_factors = rotary.require_factors("short_factor")
    long_factors = rotary.require_factors("long_factor")
    model, fields = rotary.model, rotary.fields
    top_length = model.fields.integer(ORIGINAL_FIELD) or model.cls.original
    if top_length is None and model.cls.top_length:
        top_length = fields.integer(ORIGINAL_FIELD)  # the class copies this field to the top level
    stated_factor = fields.read_positive_number("factor")
    if not model.rules.reads_top_level:
        original_length = read_training_length(rotary)
        factor = float(stated_factor or rotary.length() / original_length)
    elif top_length is not None:
        original_length, factor = top_length, rotary.length() / top_length
    else:
        original_length, factor = rotary.length(), float(stated_factor or 1.0)
    length = model.sequence_length
    attention = fields.read_positive_number("attention_factor")
    if model.rules.is_long_list_default:
        # Version 4.46 chooses the list by the extended length, so pass it as the length in use.
        if top_length is None or length is None or length >= original_length:
            length = math.ceil(original_length * factor)
        elif attention is None:
            attention = 1.0
    if model.cls.mscales:
        name = "short_mscale" if length is None or length <= original_length else "long_mscale"
        attention = rotary.require_number(name)
    return {
        "factor": factor,
        ORIGINAL_FIELD: original_length,
        "sequence_length": length,
        "short_factor": short_factors,
        "long_factor": long_factors,
        "attention": None if attention is None else float(attention),
    }


TYPE_FIELDS: Mapping[str, tuple[str, ...]] = {
    "default": (),
    "linear": ("factor",),
    "dynamic": ("factor",),
    "ntk": ("alpha", "factor"),
    "yarn": (
        "factor",
        ORIGINAL_FIELD,
        "beta_fast",
        "beta_slow",
        "truncate",
        "attention_factor",
        "mscale",
        "mscale_all_dim",
    ),
    "longrope": ("factor", ORIGINAL_FIELD, "short_factor", "long_factor", "attention_factor"),
    "llama3": ("factor", ORIGINAL_FIELD, "low_freq_factor", "high_freq_factor"),
    "proportional": ("factor",),
}
"""The fields that each rope type reads from its dictionary."""
ROPE_TYPES = tuple(TYPE_FIELDS)
