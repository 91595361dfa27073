"""Facts of biases, which are added to attention scores."""

import math

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Bias
from pe_explorer.gallery.facts.set_up import NoFactError, SetUp, fact


@fact
def strongest(of: SetUp) -> float:
    """Return the penalty for one step in the head with the steepest slope."""
    return float(_penalties(of).max())


@fact
def strongest_head(of: SetUp) -> int:
    """Return the number of that head."""
    return int(_penalties(of).argmax())


@fact
def strongest_half(of: SetUp) -> float:
    """Return after how many steps that head gives half the weight."""
    return math.log(2) / _of_equal_steps(of, strongest(of))


@fact
def weakest(of: SetUp) -> float:
    """Return the penalty for one step in the head with the flattest slope."""
    _require_several(of)
    return float(_penalties(of).min())


@fact
def weakest_head(of: SetUp) -> int:
    """Return the number of that head."""
    _require_several(of)
    return int(_penalties(of).argmin())


@fact
def weakest_half(of: SetUp) -> float:
    """Return after how many steps that head gives half the weight."""
    return math.log(2) / _of_equal_steps(of, weakest(of))


def _penalties(of: SetUp) -> Floats:
    """Return the penalty of each head for one step back."""
    return -of.known_as(Bias).bias([-1])[:, 0]


def _require_several(of: SetUp) -> None:
    """Raise `NoFactError` where there is one head only."""
    if of.e.width < 2:
        raise NoFactError


def _of_equal_steps(of: SetUp, penalty: float) -> float:
    """Return a penalty above 0, where two steps cost twice as much."""
    once, twice = of.known_as(Bias).bias([-1, -2]).T
    if penalty <= 0 or not np.allclose(twice, 2 * once):
        raise NoFactError
    return penalty
