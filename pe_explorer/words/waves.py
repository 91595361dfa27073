"""Facts about waves: wavelengths, frequencies and turns."""

import math

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, Rotary, Waves
from pe_explorer.params import join_words
from pe_explorer.words.facts import FACTS, Facts, register_fact, require

_RELATIVE_TOLERANCE = 1e-9  # relative difference up to which frequencies or ratios count as equal

FACTS |= {
    "pairs": lambda facts: facts.waves.pairs or None,
    "waves": lambda facts: len(facts.waves.turns),
    "wave": lambda facts: choose_wave_noun(facts.e),
    "wave_plural": lambda facts: f"{choose_wave_noun(facts.e)}s",
    # properties of the wave in the cursor's column
    "cursor_pair": lambda facts: _get_number_below(facts.waves.pairs, facts["cursor_wave"]),
    "cursor_columns": lambda facts: _format_columns(facts, facts["cursor_wave"]),
    "pair_columns": lambda facts: _format_columns(facts, facts["cursor_pair"]),
    "angle": lambda facts: 360 * facts.waves.turn(facts["cursor_pair"], facts.state.position)[1],
    "frequency": lambda facts: abs(facts.waves.frequency(facts["cursor_wave"])),
    "wavelength": lambda facts: _compute_wavelength(facts),
    "endless": lambda facts: "infinite" if math.isinf(_compute_wavelength(facts)) else None,
    "turns_shown": lambda facts: facts.state.count / _compute_wavelength(facts),
    "turns_at_cursor": lambda facts: math.fsum(
        facts.waves.turn(facts["cursor_wave"], facts.state.position)
    ),
    # wavelengths of the fastest and the slowest pair (or wave, if there are no pairs)
    "shortest_wavelength": lambda facts: _list_wavelengths(facts)[0],
    "longest_wavelength": lambda facts: _list_wavelengths(facts)[-1],
    "only_wavelength": lambda facts: (
        _list_wavelengths(facts)[0] if len(facts.wavelengths) == 1 else None
    ),
    # number of pairs that a RoPE type does not change, number that it slows, largest slowdown
    "kept_pairs": lambda facts: int(
        (np.abs(_compute_slowdowns(facts) - 1) <= _RELATIVE_TOLERANCE).sum()
    ),
    "slowed_pairs": lambda facts: int((_compute_slowdowns(facts) > 1 + _RELATIVE_TOLERANCE).sum()),
    "most_slowed": lambda facts: (
        float(_compute_slowdowns(facts).max()) if facts["slowed_pairs"] else None
    ),
    # numbers of pairs (or waves) with and without a complete turn within the shown rows
    "turning": lambda facts: int(facts.completing[: facts.waves.pairs or None].sum()),
    "not_turning": lambda facts: len(facts.wavelengths) - facts["turning"],
    # number of pairs (or waves) that rotate by less than 0.01 radians per row
    "slower": lambda facts: int((facts.wavelengths > 2 * math.pi / 0.01).sum()),
    # rotation per row of the fastest and the slowest pair (or wave), in radians and degrees
    "fastest_frequency": lambda facts: 2 * math.pi / _list_wavelengths(facts)[0],
    "slowest_frequency": lambda facts: 2 * math.pi / _list_wavelengths(facts)[-1],
    "first_step": lambda facts: 360 / _list_wavelengths(facts)[0],
    "last_step": lambda facts: 360 / _list_wavelengths(facts)[-1],
    # turns of the slowest pair (or wave) from the first shown row to the last
    "last_turns": lambda facts: (facts.state.count - 1) / _list_wavelengths(facts)[-1],
    # turns of the first pair at the cursor
    "first_hand_turns": lambda facts: sum(facts.waves.turn(0, facts.state.position)),
    # smallest number of rows in which all waves complete a turn
    "count_for_all": lambda facts: _get_number_below(
        LIMIT + 1, math.ceil(_list_wavelengths(facts)[-1])
    ),
    # Euclidean norm of every row, if each sine has a matching cosine
    "row_length": lambda facts: (
        math.sqrt(facts.waves.pairs * facts.waves.pair_weight)
        if facts.waves.is_shift_invariant
        else None
    ),
}


@register_fact
def cursor_wave(facts: Facts) -> int:
    """Return the wave of the cursor's column, or raise `NoFactError` if it has no wave."""
    e = facts.waves
    wave = int(e.wave_indices[min(facts.state.dimension, e.width - 1)])
    require(wave >= 0)
    return wave


@register_fact
def wavelength_ratio(facts: Facts) -> float:
    """Return the ratio of consecutive wavelengths, or raise `NoFactError` if it is not constant."""
    wavelengths = facts.waves.wavelengths()[: facts.waves.pairs or None]
    ratios = wavelengths[1:] / wavelengths[:-1]
    require(len(ratios) and ratios[0] >= 1)
    require(np.allclose(ratios, ratios[0], rtol=_RELATIVE_TOLERANCE))
    return float(ratios[0])


def _get_number_below(limit: int, number: int) -> int | None:
    return number if number < limit else None


def choose_wave_noun(e: Encoding) -> str:
    """Return the noun for a wave: ``pair`` if the encoding has pairs, or a column's name."""
    return "pair" if isinstance(e, Waves) and e.pairs else e.columns.name


def _format_columns(facts: Facts, wave: int) -> str:
    return join_words(map(str, np.flatnonzero(facts.waves.wave_indices == wave)))


def _compute_wavelength(facts: Facts) -> float:
    frequency = abs(facts.waves.frequency(facts["cursor_wave"]))
    return math.tau / frequency if frequency else math.inf


def _list_wavelengths(facts: Facts) -> list[float]:
    require(np.isfinite(facts.wavelengths).all())
    return list(map(float, facts.wavelengths))


def _compute_slowdowns(facts: Facts) -> Floats:
    e = facts.waves
    require(isinstance(e, Rotary))
    unscaled_frequencies, frequencies = e.unscaled.frequencies(), e.frequencies()
    slowdowns: Floats = unscaled_frequencies[frequencies != 0] / frequencies[frequencies != 0]
    require(not np.allclose(slowdowns, 1, rtol=_RELATIVE_TOLERANCE))
    return slowdowns
