"""Facts of the frequencies: which waves complete a turn, and what pins differ in."""

from typing import NamedTuple

from pe_explorer.exploration import distinguishing_name
from pe_explorer.pictures.frequencies.numbers import FrequencyNumbers, why_no_curve
from pe_explorer.pictures.waves_across import wave_of_cursor
from pe_explorer.words import FACTS, Facts, fact, given

FACTS |= {
    "completing": lambda of: int(of.completing.sum()),
    "completing_in_length": lambda of: int(of.waves.completing(given(of.options.length)).sum()),
}


class PinnedWaves(NamedTuple):
    """What is worded of a pin: its waves, or why they are not drawn."""

    name: str
    why: str
    waves: int
    completing: int
    departs_at: int | None
    pin_frequency: float | None


@fact
def pinned(of: Facts) -> list[PinnedWaves]:
    """Return what is worded of each pin; its frequency is that of the wave at the cursor."""
    state, wave, items = of.state, wave_of_cursor(of.state), []
    pins = of.numbers_as(FrequencyNumbers).pins
    for pin, (speeds, completes, departs_at) in zip(state.pins, pins, strict=True):
        name, total = distinguishing_name(pin, state.encoding), len(speeds)
        why = "" if total else why_no_curve(state, pin.encoding)
        frequency = None if wave is None or wave >= total else float(speeds[wave])
        completing = int(completes.sum())
        items.append(PinnedWaves(name, why, total, completing, departs_at, frequency))
    return items
