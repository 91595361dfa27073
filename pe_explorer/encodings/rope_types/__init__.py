"""Formulas that change rotary frequencies for lengths beyond the training length."""

from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.encodings.rope_types.default import DefaultType
from pe_explorer.encodings.rope_types.dynamic import DynamicType
from pe_explorer.encodings.rope_types.linear import LinearType
from pe_explorer.encodings.rope_types.llama3 import Llama3
from pe_explorer.encodings.rope_types.longrope import LongRope
from pe_explorer.encodings.rope_types.ntk import Ntk
from pe_explorer.encodings.rope_types.proportional import ProportionalType
from pe_explorer.encodings.rope_types.yarn import Yarn
from pe_explorer.numeric.positions import LIMIT
from pe_explorer.params import Flag, Numbers, Optional, Parameter, Real, Whole


def _declare_turns(default: float, label: str, meaning: str, name: str) -> Real:
    text = f"{meaning}: {name} in config.json."
    return Real(default, 0.0, 1e12, excludes_low=True, label=label, help=text, is_advanced=True)


def _declare_divisors(label: str, length: str) -> Numbers:
    divisor = Real(1.0, 1e-6, 1e12, label="Divisor", help="The divisor of one pair's frequency.")
    condition = f"if the length in use is {length} the training length"
    text = f"The frequency divisor of each pair {condition}. Leave it empty to use 1. "
    text += "You can paste a list from config.json with its brackets."
    return Numbers((), divisor, longest=32_768, label=label, help=text)


PARAMETERS: dict[str, Parameter] = {
    "factor": Real(
        4.0,
        1e-6,
        1e12,
        slider_range=(1.0, 64.0),
        has_binary_steps=True,
        label="Factor",
        symbol="s",
        help="The target length divided by the training length.",
    ),
    "original_max_position_embeddings": Whole(
        8192,
        2,
        LIMIT,
        slider_range=(1024, 262_144),
        has_binary_steps=True,
        label="Training length",
        symbol="L",
        unit="positions",
        help="The training length before the model was extended: "
        "original_max_position_embeddings or, for dynamic, max_position_embeddings.",
    ),
    "sequence_length": Optional(
        None,
        Whole(
            16_384,
            1,
            LIMIT,
            label="Length in use",
            unit="positions",
            help="The length of the longest text. Above the training length, frequencies change.",
        ),
        auto="at most the training length",
        word="trained",
    ),
    "short_factor": _declare_divisors("Short list", "not above"),
    "long_factor": _declare_divisors("Long list", "above"),
    "low_freq_factor": _declare_turns(
        1.0,
        "Low turns",
        "The factor slows down pairs that make fewer turns than this in the training length",
        "low_freq_factor",
    ),
    "high_freq_factor": _declare_turns(
        4.0,
        "High turns",
        "Pairs that make more turns than this in the training length do not change",
        "high_freq_factor",
    ),
    "beta_fast": _declare_turns(
        32.0,
        "Fast turns",
        "The ramp begins at the pair that makes this many turns in the training length",
        "beta_fast",
    ),
    "beta_slow": _declare_turns(
        1.0,
        "Slow turns",
        "The ramp ends at the pair that makes this many turns in the training length",
        "beta_slow",
    ),
    "truncate": Flag(
        True,
        label="Whole pairs",
        help="Round the ends of the ramp to whole pairs: truncate in config.json.",
        is_advanced=True,
    ),
    "attention": Optional(
        None,
        Real(
            1.0,
            0.0,
            1e12,
            excludes_low=True,
            label="Attention",
            help="The factor that multiplies cosines and sines: attention_factor in config.json.",
        ),
        auto="computed from the factor",
        is_advanced=True,
    ),
}
"""The parameters of `rope` by name; most of them have the same name in configurations."""

_SORTED_TYPES = (
    DefaultType,
    LinearType,
    DynamicType,
    Ntk,
    Yarn,
    LongRope,
    Llama3,
    ProportionalType,
)

TYPES: dict[str, type[RopeType]] = {rope_type.name: rope_type for rope_type in _SORTED_TYPES}
"""The RoPE types by their names in configurations, simplest first."""
