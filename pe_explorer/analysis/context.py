"""What a longer text asks of an encoding: pairs that reach angles which training never had.

A pair that made a whole turn in the trained length T has seen every angle. One that did not has
seen angles up to T·ω only, with ω its frequency before any scaling; at a length N, where its
frequency is ω', it meets new ones if N·ω' is larger. Lengths and frequencies are compared as
whole numbers, so nothing depends on rounding.
"""

from __future__ import annotations

import math

import numpy as np

from pe_explorer.arrays import Ints
from pe_explorer.encodings import Rotary, Waves
from pe_explorer.encodings.abilities.checks import as_whole
from pe_explorer.numeric.turns import ONE, Turns
from pe_explorer.values import frozen

_SAME = 10**12
"""Angles that are larger by less than one part of this are no new ones."""


@frozen
class Report:
    """What the pairs of an encoding meet at a length beyond the trained one.

    Attributes
    ----------
    turned : ints
        The pairs that made a whole turn in training, and so have seen every angle.
    within : ints
        Those that did not, and meet no larger angle than in training.
    new : ints
        Those that did not, and meet larger ones.
    worst : (int, float) or None
        The pair whose angles grow most, and how many times; the first of equals.
    longest : float
        The longest length, a whole number of positions, at which no pair meets a new angle;
        infinite where none ever does.
    """

    turned: Ints
    within: Ints
    new: Ints
    worst: tuple[int, float] | None
    longest: float

    @property
    def never_turned(self) -> Ints:
        """The pairs that made no whole turn in training."""
        return np.sort(np.concatenate([self.within, self.new]))


def report(e: Waves, trained: int, target: int) -> Report:
    """Return what the pairs of an encoding meet at a length.

    Parameters
    ----------
    e : Waves
        Turns in training are counted on its unscaled frequencies, if it is rotary.
    trained, target : int
        Lengths in positions, from 1 to 2^53.

    Raises
    ------
    EncodingError
        If a length is not such a number.
    """
    trained, target = as_whole(trained, "trained", 1), as_whole(target, "target", 1)
    before, now = unscaled_turns(e).fixed, e.turns.fixed
    turned, within, new = [], [], []
    worst: tuple[int, float] | None = None
    longest = math.inf
    for pair, (old, fixed) in enumerate(zip(map(abs, before), map(abs, now), strict=True)):
        if trained * old >= ONE:
            turned.append(pair)
            continue
        if fixed:
            longest = min(longest, _longest(trained * old, fixed))
        if target * fixed * _SAME < trained * old * (_SAME + 1) or not fixed:
            within.append(pair)
            continue
        new.append(pair)
        ratio = target * fixed / (trained * old) if old else math.inf
        if worst is None or ratio > worst[1]:
            worst = pair, ratio
    return Report(_numbers(turned), _numbers(within), _numbers(new), worst, longest)


def unscaled_turns(e: Waves) -> Turns:
    """Return the frequencies of an encoding before any scaling."""
    return e.unscaled.turns if isinstance(e, Rotary) else e.turns


def changed(e: Waves) -> Ints:
    """Return the numbers of the pairs whose frequencies a scaling changes, by 1e-12 or more."""
    both = zip(unscaled_turns(e).fixed, e.turns.fixed, strict=True)
    return _numbers([pair for pair, (old, now) in enumerate(both) if differ(old, now)])


def differ(one: int, other: int) -> bool:
    """Return whether two frequencies, in fixed point, are apart by one part in 10^12 or more."""
    return abs(one - other) * _SAME >= max(abs(one), abs(other)) and one != other


def _longest(seen: int, fixed: int) -> int:
    """Return the longest length whose angle is none that is larger than what was seen."""
    below = -(-seen * (_SAME + 1) // (fixed * _SAME))  # rounded up: the first that is larger
    return below - 1


def _numbers(pairs: list[int]) -> Ints:
    return np.array(pairs, dtype=np.int64)
