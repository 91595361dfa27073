"""Facts of waves: wavelengths, turns, the lengths of rows made of pairs, and what moves them."""

import math

import numpy as np

from pe_explorer import pictures
from pe_explorer.analysis.shift import why_none
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Rotary
from pe_explorer.gallery.facts.set_up import NoFactError, SetUp, fact

_RELATIVE_TOLERANCE = 1e-9
"""Relative difference of frequencies or ratios that count as equal."""


@fact
def pairs(of: SetUp) -> int:
    """Return the number of pairs of sine and cosine."""
    if not of.waves.pairs:
        raise NoFactError
    return of.waves.pairs


@fact
def waves(of: SetUp) -> int:
    """Return the number of waves, be they pairs or single."""
    return len(of.waves.turns)


@fact
def shortest_wavelength(of: SetUp) -> float:
    """Return the rows that the fastest pair, or else wave, needs for a turn."""
    return float(_finite(of)[0])


@fact
def longest_wavelength(of: SetUp) -> float:
    """Return the rows that the slowest needs."""
    return float(_finite(of)[-1])


@fact
def only_wavelength(of: SetUp) -> float:
    """Return the rows that a turn takes where there is one pair, or else wave, alone."""
    if len(of.wavelengths) > 1:
        raise NoFactError
    return shortest_wavelength(of)


@fact
def wavelength_ratio(of: SetUp) -> float:
    """Return how many times longer each turn takes than that of the pair before, if all do so."""
    lengths = of.waves.wavelengths()[: of.waves.pairs or None]
    ratios = lengths[1:] / lengths[:-1]
    if (
        not len(ratios)
        or ratios[0] < 1
        or not np.allclose(ratios, ratios[0], rtol=_RELATIVE_TOLERANCE)
    ):
        raise NoFactError
    return float(ratios[0])


@fact
def kept_pairs(of: SetUp) -> int:
    """Return how many pairs a type of RoPE leaves as they are, of one that changes some."""
    return int((np.abs(_slowing(of) - 1) <= _RELATIVE_TOLERANCE).sum())


@fact
def slowed_pairs(of: SetUp) -> int:
    """Return how many pairs it makes slower."""
    return int((_slowing(of) > 1 + _RELATIVE_TOLERANCE).sum())


@fact
def most_slowed(of: SetUp) -> float:
    """Return how many times longer the turn of the most slowed pair takes, if any is slowed."""
    if not slowed_pairs(of):
        raise NoFactError
    return float(_slowing(of).max())


@fact
def attention_factor(of: SetUp) -> float:
    """Return the factor of cosines and sines, of a rotary encoding that has one."""
    factor = of.known_as(Rotary).attention_factor
    if factor == 1:
        raise NoFactError
    return factor


@fact
def turning(of: SetUp) -> int:
    """Return how many pairs, or else waves, complete a turn within the rows shown."""
    return int((of.wavelengths <= of.state.count).sum())


@fact
def not_turning(of: SetUp) -> int:
    """Return how many of them do not."""
    return len(of.wavelengths) - turning(of)


@fact
def slower(of: SetUp) -> int:
    """Return how many pairs turn by less than 0.01 radians from one row to the next."""
    return int((of.wavelengths > 2 * math.pi / 0.01).sum())


@fact
def fastest_frequency(of: SetUp) -> float:
    """Return the radians that the fastest turns by from one row to the next."""
    return 2 * math.pi / float(_finite(of)[0])


@fact
def slowest_frequency(of: SetUp) -> float:
    """Return the radians that the slowest turns by."""
    return 2 * math.pi / float(_finite(of)[-1])


@fact
def count_for_all(of: SetUp) -> int:
    """Return how many rows have to be shown for all to complete a turn."""
    number: int = math.ceil(_finite(of)[-1])
    if number > LIMIT:
        raise NoFactError
    return number


@fact
def first_step(of: SetUp) -> float:
    """Return the degrees that the fastest turns by from one row to the next."""
    return float(360 / _finite(of)[0])


@fact
def last_step(of: SetUp) -> float:
    """Return the degrees that the slowest turns by."""
    return float(360 / _finite(of)[-1])


@fact
def first_turns(of: SetUp) -> float:
    """Return how many turns the fastest makes from the first row shown to the last."""
    return float((of.state.count - 1) / _finite(of)[0])


@fact
def last_turns(of: SetUp) -> float:
    """Return how many turns the slowest makes."""
    return float((of.state.count - 1) / _finite(of)[-1])


@fact
def first_hand_turns(of: SetUp) -> float:
    """Return how many turns the first pair has made at the cursor."""
    whole, part = of.waves.turn(0, of.state.position)
    return whole + part


@fact
def row_length(of: SetUp) -> float:
    """Return the length that every row has, where each sine has its cosine."""
    if not of.waves.shift_invariant:
        raise NoFactError
    return math.sqrt(of.waves.pairs * of.waves.pair_weight)


def _slowing(of: SetUp) -> Floats:
    """Return by how much each pair that turns is slower than without scaling, if any is at all."""
    e = of.known_as(Rotary)
    before, now = e.unscaled.frequencies(), e.frequencies()
    turning = now != 0
    slowing: Floats = before[turning] / now[turning]
    if np.allclose(slowing, 1, rtol=_RELATIVE_TOLERANCE):
        raise NoFactError
    return slowing


def _finite(of: SetUp) -> Floats:
    """Return the wavelengths if all of them are numbers."""
    if not np.isfinite(of.wavelengths).all():
        raise NoFactError
    return of.wavelengths


# -- moving all rows at once -----------------------------------------------------------------------


@fact
def shift_by(of: SetUp) -> int:
    """Return by how many rows all are moved, where one matrix moves them."""
    number: int = pictures.find("shift").options(of.state).k
    if why_none(of.e, number):
        raise NoFactError
    return number


@fact
def first_turn_by(of: SetUp) -> float:
    """Return the degrees that the fastest pair is turned by, whole turns left out."""
    return _turn_by(of, 0)


@fact
def last_turn_by(of: SetUp) -> float:
    """Return the degrees that the slowest pair is turned by."""
    return _turn_by(of, of.waves.pairs - 1)


@fact
def block_cosine(of: SetUp) -> float:
    """Return the number on the diagonal of the first pair's block."""
    return math.cos(math.radians(_turn_by(of, 0)))


@fact
def block_sine(of: SetUp) -> float:
    """Return the number beside it."""
    return abs(math.sin(math.radians(_turn_by(of, 0))))


def _turn_by(of: SetUp, pair: int) -> float:
    if not of.waves.pairs or not of.waves.turns.fixed[pair]:
        raise NoFactError
    _, part_of_turn = of.waves.turns.turn(pair, shift_by(of))
    return 360 * part_of_turn
