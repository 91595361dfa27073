"""The numbers of a comparison: how the current encoding and the pinned one differ."""

from dataclasses import dataclass
from typing import NamedTuple

from pe_explorer.analysis.specification import Comparison, Proof, unscaled
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.params import Choice, Real, declare
from pe_explorer.pictures.picture import Options
from pe_explorer.pictures.waves_across import wave_of_cursor

_CURVES = {
    "ratio": "the frequency of each pair, divided by that of the other encoding",
    "error": "by how many radians the worst pair is off, and that of the cursor, by the offset",
}


@dataclass(frozen=True)
class CompareOptions(Options):
    """What the curve shows, and what is too much."""

    curve: str = declare(Choice("ratio", _CURVES, label="Curve", help="What the curve shows."))
    tolerance: float = declare(
        Real(
            0.1,
            0.0,
            1e12,
            excludes_low=True,
            log=True,
            slider_range=(0.001, 10.0),
            label="Tolerance",
            unit="rad",
            help="How far a pair may be off: 0.1 rad changes a score by some percent.",
        )
    )


class CompareNumbers(NamedTuple):
    """How two encodings differ.

    Attributes
    ----------
    other : Encoding
        What the current encoding is compared with.
    comparison : Comparison
    proof : Proof or None
        None where no permutation of channels makes the two equal.
    pair : int or None
        The pair of the cursor, if both have it.
    """

    other: Encoding
    comparison: Comparison
    proof: Proof | None
    pair: int | None


def other_of(state: Exploration) -> Encoding | Unknown:
    """Return what the current encoding is compared with.

    It is the pin; without pins, the current encoding itself, before any scaling.
    """
    if state.pin is not None:
        return state.pin.encoding
    e = state.encoding
    return e if isinstance(e, Unknown) else unscaled(e)


def pair_of_cursor(state: Exploration, pairs: int) -> int | None:
    """Return the pair of the cursor, None where it is none of the first `pairs`."""
    pair = wave_of_cursor(state)
    return pair if pair in range(pairs) else None
