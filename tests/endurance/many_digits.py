"""What encodings are, and how far apart their rows, to 100 digits: shared with no code of ours."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from tests.support.definitions import as_mp, mp as of_80_digits
from tests.support.oracles import definition

mp = of_80_digits.clone()
mp.dps = 100

Row = list[Any]
_ROUNDED = 4.5e-16  # of a wave of size 1: how far from the truth a number may be
_SHORT = 10  # times their size: what rounding may change rows by that are short


def row(e: Any, position: int) -> Row:
    """Return the row of a position; `e` is only asked for its name, parameters and stored table."""
    defined = definition(e)
    return [as_mp(defined.element(position, column), mp) for column in range(defined.width)]


def turned_by(e: Any, channel: int, position: int) -> Any:
    """Return the angle by which a position turns the pair of a channel."""
    defined = definition(e)
    pair, _ = defined.wave(channel)
    return as_mp(defined.frequency(pair), mp) * position


def score_bound(e: Any, offset: int) -> Any:
    """Return the mean size of the sums of the first phasors of an encoding's pairs."""
    defined = definition(e)
    speeds = (as_mp(defined.frequency(pair), mp) for pair in range(e.pairs))
    turned = (mp.expj(offset * speed) for speed in speeds)
    return mp.fsum(map(abs, accumulate(turned))) / e.pairs


def distance(u: Row, v: Row, metric: str) -> Any:
    """Return the distance of two rows, nan where an angle has no direction to be measured from."""
    if metric == "dot":
        return mp.fdot(u, v)
    if metric == "normalised-dot":
        return 2 * mp.fdot(u, v) / len(u)
    if metric == "similarity":
        return 1 - cosine_of(u, v)
    steps = [abs(a - b) for a, b in zip(u, v, strict=True)]
    if metric == "manhattan":
        return mp.fsum(steps)
    if metric == "chebyshev":
        return max(steps)
    if metric in ("sse", "euclidean"):
        squares = mp.fsum(step * step for step in steps)
        return squares if metric == "sse" else mp.sqrt(squares)
    if metric == "correlation":
        u, v = _less_mean(u), _less_mean(v)
    return cosine_of(u, v)


def cosine_of(u: Row, v: Row) -> Any:
    """Return 1 - cos of the angle between two rows, without cancellation; nan for a zero row."""
    lengths = [mp.sqrt(mp.fdot(some, some)) for some in (u, v)]
    if 0 in lengths:
        return mp.nan
    apart = [a / lengths[0] - b / lengths[1] for a, b in zip(u, v, strict=True)]
    return mp.fdot(apart, apart) / 2


def _less_mean(numbers: Row) -> Row:
    mean = mp.fsum(numbers) / len(numbers)
    less = [number - mean for number in numbers]
    largest = max(map(abs, numbers))
    return [mp.mpf(0) if abs(each) <= largest * mp.mpf(10) ** -90 else each for each in less]


def turned(rows: Sequence[Row], amplitude: float) -> float:
    """Return by how much rounding may turn rows of waves less their means, in radians at most."""
    total = 0.0
    for numbers in rows:
        less = _less_mean(numbers)
        length = float(mp.sqrt(mp.fdot(less, less)))
        size = min(amplitude, _SHORT * float(max(map(abs, numbers))))
        total += _ROUNDED * len(numbers) ** 0.5 * size / length if length else float("inf")
    return total
