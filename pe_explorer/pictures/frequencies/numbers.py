"""Compute how fast each wave turns, and which waves complete a turn."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from pe_explorer.analysis.comparison import explain_different_rows
from pe_explorer.arrays import Bools, Floats
from pe_explorer.encodings import LIMIT, Encoding, Unknown, needs, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import Choice, LabelledNumbers, Optional, Text, Whole, declare
from pe_explorer.pictures.named import list_encodings
from pe_explorer.pictures.picture import Options
from pe_explorer.pictures.waves_across import to_exponents
from pe_explorer.words.waves import choose_wave_noun

_EQUAL_TOLERANCE = 1e-9  # relative tolerance for equal frequencies

_QUANTITIES = {
    "frequency": "ω, in radians per position",
    "wavelength": "λ = 2π/ω, in positions per turn",
    "turns": "turns in the positions shown",
}
_AXIS_CHOICES = {
    "logarithmic": "equal steps are equal ratios",
    "linear": "equal steps are equal differences",
}


@dataclass(frozen=True)
class FrequencyOptions(Options):
    """Options for the quantity of each wave, the axis and the marked lengths."""

    quantity: str = declare(
        Choice("frequency", _QUANTITIES, label="Quantity", help="Quantity shown for each wave.")
    )
    axis: str = declare(
        Choice("logarithmic", _AXIS_CHOICES, label="Axis", help="Scale of the vertical axis.")
    )
    lengths: tuple[tuple[int, str], ...] | None = declare(
        Optional(
            None,
            LabelledNumbers(
                ((512, ""),),
                Whole(512, 1, LIMIT, label="Length", help="Length to mark with a line."),
                Text("", 40, shortest=0, label="Label", help="Name of the marked length."),
                16,
                label="Lengths",
                unit="positions",
                help="Lengths to mark with lines, such as 4096=training 8192=target.",
            ),
            auto="no length is marked",
            word="none",
        )
    )
    former_names: ClassVar[Mapping[str, str]] = {"length": "lengths"}

    @property
    def is_logarithmic(self) -> bool:
        return self.axis == "logarithmic"


class WaveSpeeds(NamedTuple):
    """The speeds of an encoding's waves; arrays have the shape (waves,)."""

    speeds: Floats  # absolute values in radians per position; empty if there is no curve
    has_turn: Bools  # whether each wave completes a turn in the positions shown
    departure_index: int | None  # index from `find_first_departure`; None for the current encoding


class FrequencyNumbers(NamedTuple):
    """The waves of the current encoding and of each pin."""

    current: WaveSpeeds
    pins: tuple[WaveSpeeds, ...]

    @property
    def resting(self) -> int:
        return int((self.current.speeds == 0).sum())


def list_drawn_encodings(state: Exploration) -> list[Encoding]:
    """Return the encodings whose waves can be drawn."""
    return [require_known(e) for e in list_encodings(state) if not explain_no_curve(state, e)]


def explain_no_curve(state: Exploration, e: Encoding | Unknown) -> str:
    """Return why the waves of an encoding cannot be drawn, without a full stop; "" if they can."""
    if isinstance(e, Unknown):
        return e.problem
    current = require_known(state.encoding)
    problem = needs.steady(e) or explain_different_rows(current, e)
    if problem or current is e:
        return problem
    noun, pinned_noun = choose_wave_noun(current), choose_wave_noun(e)
    if "pair" in (noun, pinned_noun) and noun != pinned_noun:
        return f"{e.format_name()} has one wave for each {pinned_noun}, not for each {noun}"
    return ""


def compute_values(waves: Floats, quantity: str, count: int) -> Floats:
    """Convert frequencies to a quantity: frequency, wavelength, or turns in `count` positions.

    The wavelength of a constant wave is inf.
    """
    with np.errstate(divide="ignore", over="ignore"):
        if quantity == "wavelength":
            return math.tau / waves
        return waves if quantity == "frequency" else count / (math.tau / waves)


def compute_exponents(waves: Floats, quantity: str, count: int) -> Floats:
    """Return the base 10 logarithms of `compute_values`, even if the values overflow."""
    powers = to_exponents(waves)
    if quantity == "wavelength":
        return math.log10(math.tau) - powers
    return powers if quantity == "frequency" else powers + math.log10(count / math.tau)


def find_turn_length(value: float, quantity: str, count: int) -> int:
    """Convert a value of a quantity to the length of a turn in positions, which is at least 1."""
    if quantity != "wavelength":
        dividend = math.tau if quantity == "frequency" else count
        value = dividend / value if value > 0 else LIMIT
    return round(min(max(1.0, value), LIMIT))


def find_first_departure(current: Floats, pin_frequencies: Floats) -> int | None:
    """Return the index of the first wave whose frequency differs between two encodings.

    Return None if no frequencies differ, or if fewer than two equal waves come first.
    """
    count = min(len(current), len(pin_frequencies))
    differs = ~np.isclose(pin_frequencies[:count], current[:count], rtol=_EQUAL_TOLERANCE, atol=0)
    first = int(differs.argmax()) if differs.any() else 0
    return first if first > 1 else None
