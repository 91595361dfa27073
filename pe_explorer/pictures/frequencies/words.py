"""Facts of the frequencies: which waves complete a turn, and what pins differ in."""

import numpy as np

from pe_explorer import pictures
from pe_explorer.analysis.comparison import Show, Subject
from pe_explorer.arrays import Ints
from pe_explorer.encodings import Steady
from pe_explorer.exploration import distinguishing_name
from pe_explorer.pictures.frequencies.numbers import departure, why_no_curve
from pe_explorer.words import FACTS, Fact, Facts, fact, given, once, require


@once
def _incomplete(of: Facts) -> Ints:
    """Return the waves that complete no turn in what is shown, if there are any."""
    waves = np.flatnonzero(~of.completing)
    require(len(waves))
    return waves


FACTS |= {
    "completing": lambda of: int(of.completing.sum()),
    "incomplete": lambda of: len(_incomplete(of)),
    "first_incomplete": lambda of: int(_side_by_side(_incomplete(of))[0]),
    "last_incomplete": lambda of: int(_side_by_side(_incomplete(of))[-1]),
    "marked_length": lambda of: given(pictures.find("frequencies")(of.state).options.length),
    "completing_in_length": lambda of: int(of.waves.completing(of["marked_length"]).sum()),
    "resting": lambda of: given(int((of.waves.frequencies() == 0).sum()) or None),
}


def _side_by_side(waves: Ints) -> Ints:
    require(waves[-1] - waves[0] == len(waves) - 1)
    return waves


@fact
def drawn_pins(of: Facts) -> list[Facts]:
    """Return facts of the pins that have a curve; `departs_at` is the first wave that differs."""
    current = np.abs(of.waves.frequencies())
    wave = of.waves.wave_of[min(of.state.dimension, of.e.width - 1)]
    items: list[Facts] = []
    for pin in of.state.pins:
        e = pin.encoding
        if isinstance(e, Steady) and not why_no_curve(of.state, e):
            speeds = np.abs(e.frequencies())
            own: dict[str, Fact | None] = {
                "name": distinguishing_name(pin, of.state.encoding),
                "departs_at": departure(current, speeds),
                "pin_frequency": float(speeds[wave]) if 0 <= wave < len(speeds) else None,
            }
            items.append(Facts(of.state, Subject(Show.CURRENT, e), own=own))
    return items


@fact
def undrawn_pins(of: Facts) -> list[dict[str, str]]:
    """Return names of the other pins, and why they have no curve."""
    reasons = ((pin, why_no_curve(of.state, pin.encoding)) for pin in of.state.pins)
    name = distinguishing_name
    return [{"name": name(pin, of.state.encoding), "why": why} for pin, why in reasons if why]
