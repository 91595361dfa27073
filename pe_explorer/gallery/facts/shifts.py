"""Facts of moving all rows at once: by how much, and what the first block then is."""

import math

from pe_explorer import pictures
from pe_explorer.analysis.shift import why_none
from pe_explorer.gallery.facts.set_up import NoFactError, SetUp, fact


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
