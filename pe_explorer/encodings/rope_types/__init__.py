"""How rotary frequencies are changed for lengths beyond the trained one: a formula in each file."""

from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.encodings.rope_types.default import Default
from pe_explorer.encodings.rope_types.dynamic import Dynamic
from pe_explorer.encodings.rope_types.linear import Linear
from pe_explorer.encodings.rope_types.llama3 import Llama3
from pe_explorer.encodings.rope_types.longrope import LongRope
from pe_explorer.encodings.rope_types.ntk import Ntk
from pe_explorer.encodings.rope_types.proportional import Proportional
from pe_explorer.encodings.rope_types.yarn import Yarn
from pe_explorer.numeric.positions import LIMIT
from pe_explorer.params import Flag, Numbers, Optional, Parameter, Real, Whole

_MOST_PAIRS = 32_768


def _turns(default: float, label: str, meaning: str, name: str) -> Real:
    help_text = f"{meaning}: {name} in a model's configuration."
    return Real(
        default, 0.0, 1e12, excludes_low=True, label=label, help=help_text, is_advanced=True
    )


def _divisors(label: str, length: str) -> Numbers:
    divisor = Real(1.0, 1e-6, 1e12, label="Divisor", help="What one frequency is divided by.")
    help_text = (
        f"A divisor for each pair, where the length in use is {length} the trained one; without "
        "any, 1 for each. A list can be pasted from a configuration, brackets and all."
    )
    return Numbers((), divisor, _MOST_PAIRS, label=label, help=help_text)


PARAMETERS: dict[str, Parameter] = {
    "factor": Real(
        4.0,
        1e-6,
        1e12,
        slider_range=(1.0, 64.0),
        doubling=True,
        label="Factor",
        symbol="s",
        help="How many times longer than the trained length texts may be.",
    ),
    "original_max_position_embeddings": Whole(
        8192,
        2,
        LIMIT,
        slider_range=(1024, 262_144),
        doubling=True,
        label="Trained length",
        symbol="L",
        unit="positions",
        help="The length that the model was trained with before it was extended: "
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
            help="The longest length in use. Frequencies change where it is above the trained one.",
        ),
        auto="not above the trained length",
        word="trained",
    ),
    "short_factor": _divisors("Short list", "not above"),
    "long_factor": _divisors("Long list", "above"),
    "low_freq_factor": _turns(
        1.0,
        "Low turns",
        "Pairs that make fewer turns in the trained length are divided by the factor",
        "low_freq_factor",
    ),
    "high_freq_factor": _turns(
        4.0,
        "High turns",
        "Pairs that make more turns in the trained length stay as they are",
        "high_freq_factor",
    ),
    "beta_fast": _turns(
        32.0,
        "Fast turns",
        "The ramp begins at the pair that makes so many turns in the trained length",
        "beta_fast",
    ),
    "beta_slow": _turns(
        1.0,
        "Slow turns",
        "The ramp ends at the pair that makes so many turns in the trained length",
        "beta_slow",
    ),
    "truncate": Flag(
        True,
        label="Whole pairs",
        help="The ramp begins and ends at whole pairs: truncate in a model's configuration.",
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
            help="The factor of cosines and sines: attention_factor in a model's configuration.",
        ),
        auto="as the type makes it from the factor",
        is_advanced=True,
    ),
}
"""The parameters by the names that they have in `rope`; configurations have most of them, too."""


_IN_LISTS = (Default, Linear, Dynamic, Ntk, Yarn, LongRope, Llama3, Proportional)

TYPES: dict[str, type[RopeType]] = {each.name: each for each in _IN_LISTS}
"""The types by the names that configurations give them, the simplest first."""
