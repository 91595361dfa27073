"""Facts of waves: their lengths and turns, what moves them, and what two of them differ in."""

import math

import numpy as np

from pe_explorer import pictures
from pe_explorer.analysis import context
from pe_explorer.analysis.context import Lengths, Report
from pe_explorer.analysis.shift import why_none
from pe_explorer.analysis.specification import Comparison, compare
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, Rotary
from pe_explorer.gallery.facts.set_up import FACTS, NoFactError, SetUp, fact, given, require
from pe_explorer.pictures.compare import Compare
from pe_explorer.pictures.context import Context

_RELATIVE_TOLERANCE = 1e-9
"""Relative difference of frequencies or ratios that count as equal."""

FACTS |= {
    "pairs": lambda of: given(of.waves.pairs or None),
    "waves": lambda of: len(of.waves.turns),  # pairs or single ones
    # rows that the fastest and the slowest pair, or else wave, need for a turn
    "shortest_wavelength": lambda of: _finite(of)[0],
    "longest_wavelength": lambda of: _finite(of)[-1],
    # pairs that a type of RoPE leaves as they are, and those that it makes slower
    "kept_pairs": lambda of: int((np.abs(_slowing(of) - 1) <= _RELATIVE_TOLERANCE).sum()),
    "slowed_pairs": lambda of: int((_slowing(of) > 1 + _RELATIVE_TOLERANCE).sum()),
    # pairs, or else waves, that complete a turn within the rows shown, and those that do not
    "turning": lambda of: int((of.wavelengths <= of.state.count).sum()),
    "not_turning": lambda of: int((of.wavelengths > of.state.count).sum()),
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
    # where one matrix moves all rows: degrees by which it turns pairs, and its first block
    "first_turn_by": lambda of: _turn_by(of, 0),
    "last_turn_by": lambda of: _turn_by(of, of.waves.pairs - 1),
    "block_cosine": lambda of: math.cos(math.radians(_turn_by(of, 0))),
    "block_sine": lambda of: abs(math.sin(math.radians(_turn_by(of, 0)))),
    # lengths of texts, and the pairs that turned in training, that stay within the angles of
    # training at the target, and that meet new angles there
    "trained": lambda of: _lengths(of).trained,
    "target": lambda of: _lengths(of).target,
    "turned_pairs": lambda of: len(_report(of).turned),
    "within_pairs": lambda of: len(_report(of).within),
    "new_pairs": lambda of: len(_report(of).new),
    # the comparison with another encoding; the offset is where a pair first leaves the tolerance
    "differing_pairs": lambda of: len(_comparison(of).differing),
    "common_pairs": lambda of: len(_comparison(of).ratios),
    "first_differing": lambda of: given(_comparison(of).first_pair),
    "first_offset": lambda of: given(
        _comparison(of).first_beyond(Compare(of.state).options.tolerance)
    )[0],
    "worst_pair": lambda of: given(_comparison(of).worst),
}


@fact
def only_wavelength(of: SetUp) -> float:
    """Return the rows that a turn takes where there is one pair, or else wave, alone."""
    require(len(of.wavelengths) == 1)
    return _finite(of)[0]


@fact
def wavelength_ratio(of: SetUp) -> float:
    """Return how many times longer each turn takes than that of the pair before, if all do so."""
    lengths = of.waves.wavelengths()[: of.waves.pairs or None]
    ratios = lengths[1:] / lengths[:-1]
    require(len(ratios) and ratios[0] >= 1)
    require(np.allclose(ratios, ratios[0], rtol=_RELATIVE_TOLERANCE))
    return float(ratios[0])


@fact
def most_slowed(of: SetUp) -> float:
    """Return how many times longer the turn of the most slowed pair takes, if any is slowed."""
    most = float(_slowing(of).max())
    require(most > 1 + _RELATIVE_TOLERANCE)
    return most


@fact
def attention_factor(of: SetUp) -> float:
    """Return the factor of cosines and sines, of a rotary encoding that has one."""
    factor = of.known_as(Rotary).attention_factor
    require(factor != 1)
    return factor


@fact
def count_for_all(of: SetUp) -> int:
    """Return how many rows have to be shown for all to complete a turn."""
    number = math.ceil(_finite(of)[-1])
    require(number <= LIMIT)
    return number


@fact
def row_length(of: SetUp) -> float:
    """Return the length that every row has, where each sine has its cosine."""
    require(of.waves.shift_invariant)
    return math.sqrt(of.waves.pairs * of.waves.pair_weight)


@fact
def shift_by(of: SetUp) -> int:
    """Return by how many rows all are moved, where one matrix moves them."""
    number: int = pictures.find("shift")(of.state).options.k
    require(not why_none(of.e, number))
    return number


@fact
def base_needed(of: SetUp) -> int:
    """Return the least base at which no pair is new without any type, rounded up, if some are."""
    found = given(context.base_for(of.waves, *_lengths(of)))
    require(math.isfinite(found) and found != context.base_of(of.waves))
    return math.ceil(found)


def _finite(of: SetUp) -> list[float]:
    require(np.isfinite(of.wavelengths).all())
    wavelengths: list[float] = of.wavelengths.tolist()
    return wavelengths


def _slowing(of: SetUp) -> Floats:
    """Return by how much each pair that turns is slower than without scaling, if any is at all."""
    e = of.waves
    require(isinstance(e, Rotary))
    before, now = e.unscaled.frequencies(), e.frequencies()
    turning = now != 0
    slowing: Floats = before[turning] / now[turning]
    require(not np.allclose(slowing, 1, rtol=_RELATIVE_TOLERANCE))
    return slowing


def _turn_by(of: SetUp, pair: int) -> float:
    require(of.waves.pairs and of.waves.turns.fixed[pair])
    _, part_of_turn = of.waves.turns.turn(pair, shift_by(of))
    return 360 * part_of_turn


def _lengths(of: SetUp) -> Lengths:
    given(of.waves)
    return Context(of.state).lengths


def _report(of: SetUp) -> Report:
    lengths = _lengths(of)
    return context.report(context.in_use(of.waves, *lengths), *lengths)


def _comparison(of: SetUp) -> Comparison:
    other = Compare(of.state).other
    if not isinstance(other, Encoding):
        raise NoFactError
    return compare(of.waves, other)
