"""Facts of waves: their lengths, frequencies and turns."""

import math

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, Rotary, Waves
from pe_explorer.params import listed
from pe_explorer.words.facts import FACTS, Facts, fact, require

_RELATIVE_TOLERANCE = 1e-9
"""Relative difference of frequencies or ratios that count as equal."""


FACTS |= {
    "pairs": lambda of: of.waves.pairs or None,
    "waves": lambda of: len(of.waves.turns),  # pairs or single ones
    "wave": lambda of: wave_noun(of.e),
    "wave_plural": lambda of: f"{wave_noun(of.e)}s",
    # of the wave of the cursor: its number, its columns, and the turns that it makes
    "cursor_pair": lambda of: _less(of["cursor_wave"], of.waves.pairs),
    "cursor_columns": lambda of: _columns(of, of["cursor_wave"]),
    "pair_columns": lambda of: _columns(of, of["cursor_pair"]),
    "angle": lambda of: 360 * of.waves.turn(of["cursor_pair"], of.state.position)[1],
    "frequency": lambda of: abs(of.waves.frequency(of["cursor_wave"])),
    "wavelength": lambda of: _wavelength(of),
    "endless": lambda of: "infinite" if math.isinf(_wavelength(of)) else None,
    "turns_shown": lambda of: of.state.count / _wavelength(of),
    "turns_at_cursor": lambda of: math.fsum(of.waves.turn(of["cursor_wave"], of.state.position)),
    # rows that the fastest and the slowest pair, or else wave, need for a turn
    "shortest_wavelength": lambda of: _finite(of)[0],
    "longest_wavelength": lambda of: _finite(of)[-1],
    "only_wavelength": lambda of: _finite(of)[0] if len(of.wavelengths) == 1 else None,
    # pairs that a type of RoPE leaves as they are, and those that it makes slower
    "kept_pairs": lambda of: int((np.abs(_slowing(of) - 1) <= _RELATIVE_TOLERANCE).sum()),
    "slowed_pairs": lambda of: int((_slowing(of) > 1 + _RELATIVE_TOLERANCE).sum()),
    # how many times longer the turn of the most slowed one takes
    "most_slowed": lambda of: float(_slowing(of).max()) if of["slowed_pairs"] else None,
    # pairs, or else waves, that complete a turn within the rows shown, and those that do not
    "turning": lambda of: int(of.completing[: of.waves.pairs or None].sum()),
    "not_turning": lambda of: len(of.wavelengths) - of["turning"],
    # those that turn by less than 0.01 radians from one row to the next
    "slower": lambda of: int((of.wavelengths > 2 * math.pi / 0.01).sum()),
    # radians, and degrees, by which the fastest and the slowest turn from one row to the next
    "fastest_frequency": lambda of: 2 * math.pi / _finite(of)[0],
    "slowest_frequency": lambda of: 2 * math.pi / _finite(of)[-1],
    "first_step": lambda of: 360 / _finite(of)[0],
    "last_step": lambda of: 360 / _finite(of)[-1],
    # turns that they make from the first row shown to the last
    "first_turns": lambda of: (of.state.count - 1) / _finite(of)[0],
    "last_turns": lambda of: (of.state.count - 1) / _finite(of)[-1],
    # turns that the first pair has made at the cursor
    "first_hand_turns": lambda of: sum(of.waves.turn(0, of.state.position)),
    # rows that have to be shown for all to complete a turn
    "count_for_all": lambda of: _less(math.ceil(_finite(of)[-1]), LIMIT + 1),
    # the length that every row has, where each sine has its cosine
    "row_length": lambda of: (
        math.sqrt(of.waves.pairs * of.waves.pair_weight) if of.waves.shift_invariant else None
    ),
}


@fact
def cursor_wave(of: Facts) -> int:
    """Return the wave of the cursor's column, if it has one."""
    e = of.waves
    wave = int(e.wave_of[min(of.state.dimension, e.width - 1)])
    require(wave >= 0)
    return wave


@fact
def wavelength_ratio(of: Facts) -> float:
    """Return how many times longer each turn takes than that of the pair before, if all do so."""
    lengths = of.waves.wavelengths()[: of.waves.pairs or None]
    ratios = lengths[1:] / lengths[:-1]
    require(len(ratios) and ratios[0] >= 1)
    require(np.allclose(ratios, ratios[0], rtol=_RELATIVE_TOLERANCE))
    return float(ratios[0])


def _less(number: int, limit: int) -> int | None:
    return number if number < limit else None


def wave_noun(e: Encoding) -> str:
    """Return what waves are counted by: pairs, or columns where a wave has only one."""
    return "pair" if isinstance(e, Waves) and e.pairs else e.columns.name


def _columns(of: Facts, wave: int) -> str:
    return listed(map(str, np.flatnonzero(of.waves.wave_of == wave)))


def _wavelength(of: Facts) -> float:
    frequency = abs(of.waves.frequency(of["cursor_wave"]))
    return math.tau / frequency if frequency else math.inf


def _finite(of: Facts) -> list[float]:
    require(np.isfinite(of.wavelengths).all())
    wavelengths: list[float] = of.wavelengths.tolist()
    return wavelengths


def _slowing(of: Facts) -> Floats:
    """Return by how much each pair that turns is slower than without scaling, if any is at all."""
    e = of.waves
    require(isinstance(e, Rotary))
    before, now = e.unscaled.frequencies(), e.frequencies()
    turning = now != 0
    slowing: Floats = before[turning] / now[turning]
    require(not np.allclose(slowing, 1, rtol=_RELATIVE_TOLERANCE))
    return slowing
