"""Compute the comparison of the current and the pinned encoding."""

from dataclasses import dataclass
from typing import NamedTuple

from pe_explorer.analysis.specification import Comparison, Proof, unscaled
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.params import Choice, Real, declare
from pe_explorer.pictures.picture import Options
from pe_explorer.pictures.waves_across import find_cursor_wave

_CURVE_CHOICES = {
    "ratio": "frequency of each pair divided by its frequency in the other encoding",
    "error": "phase errors by offset: the pair with the largest error and the pair at the cursor",
}


@dataclass(frozen=True)
class CompareOptions(Options):
    """Options for the curve and the tolerance of phase errors."""

    curve: str = declare(
        Choice("ratio", _CURVE_CHOICES, label="Curve", help="What the curve shows.")
    )
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
            help="Maximum phase error. An error of 0.1 rad changes scores by a few percent.",
        )
    )


class CompareNumbers(NamedTuple):
    """A comparison of two encodings."""

    pinned_encoding: Encoding  # encoding compared with the current one
    comparison: Comparison
    proof: Proof | None  # None if no permutation of channels makes the encodings equal
    pair: int | None  # the cursor's pair, or None if an encoding does not have it


def find_pinned_encoding(state: Exploration) -> Encoding | Unknown:
    """Return the pinned encoding, or the current encoding without scaling if no pin is compared."""
    if state.pin is not None:
        return state.pin.encoding
    e = state.encoding
    return e if isinstance(e, Unknown) else unscaled(e)


def find_cursor_pair(state: Exploration, pairs: int) -> int | None:
    """Return the cursor's pair if it is among the first `pairs` pairs, otherwise None."""
    pair = find_cursor_wave(state)
    return pair if pair in range(pairs) else None
