"""Comparison of tables with the definitions of their encodings; see `oracles`."""

import itertools
import math
from fractions import Fraction

from tests.support.definitions import as_mp, mp
from tests.support.oracles import definition


def error(e, positions, rows, columns):
    """Return the largest error of e.table(positions) in some rows and columns."""
    table, exact = e.table(positions), definition(e).element
    return max(_difference(table[i, j], exact(positions[i], j)) for i in rows for j in columns)


def block_mean_error(e, start, block, rows, columns):
    """Return the largest error of e.block_means(start, block, rows) in some columns."""
    means, exact = e.block_means(start, block, rows), definition(e).block_mean
    places = itertools.product(range(rows), columns)
    return max(_difference(means[i, j], exact(start + i * block, block, j)) for i, j in places)


def some(count):
    """Return some indices below `count`: both ends, the middle, and the end of the first tile."""
    middle = count // 2
    wanted = {0, 1, 2, 3, middle - 1, middle, middle + 1, 511, 512, count - 2, count - 1}
    return sorted(wanted & set(range(count)))


def mean_turned(e, less, start, block, j):
    """Return the mean of exp(i·(angle - angle of `less`)) of dimension j; None without waves."""
    one, other = definition(e).angle, definition(less).angle
    if one(start, j) is None or other(start, j) is None:
        return None
    phasors = [mp.expj(one(p, j) - other(p, j)) for p in range(start, start + block)]
    return complex(mp.fsum(phasors) / block)


def distance(e, p, q, metric):
    """Return a distance with dozens of correct digits; nan for the angle of a row of zeros."""
    with mp.workdps(400):  # cosines of angles near 1e-100 differ from 1 in the 200th digit
        return +_distance(e, p, q, metric)


def _distance(e, p, q, metric):
    element = definition(e).element
    u, v = ([as_mp(element(x, j)) for j in range(e.width)] for x in (p, q))
    differences = [a - b for a, b in zip(u, v, strict=True)]
    if metric == "dot":
        return mp.fsum(a * b for a, b in zip(u, v, strict=True))
    if metric == "normalised-dot":
        return 2 * _distance(e, p, q, "dot") / e.width
    if metric == "similarity":
        return 1 - _distance(e, p, q, "cosine")
    if metric == "manhattan":
        return mp.fsum(map(abs, differences))
    if metric == "chebyshev":
        return max(map(abs, differences))
    if metric == "correlation":
        u, v = map(_subtract_mean, (u, v))
    elif metric != "cosine":
        squares = mp.fsum(x * x for x in differences)
        return mp.sqrt(squares) if metric == "euclidean" else squares
    lengths = [mp.sqrt(mp.fsum(x * x for x in row)) for row in (u, v)]
    if 0 in lengths:
        return mp.nan
    return mp.fsum((a / lengths[0] - b / lengths[1]) ** 2 for a, b in zip(u, v, strict=True)) / 2


def _difference(value, exact):
    if not math.isfinite(value):
        return math.inf  # because max() can ignore nan
    number = Fraction if isinstance(exact, Fraction) else mp.mpf
    return float(abs(number(float(value)) - exact) / max(1, abs(exact)))


def _subtract_mean(row):
    """Return numbers minus their mean, with 0 for differences that are only rounding errors."""
    mean, least = mp.fsum(row) / len(row), max(map(abs, row)) * mp.mpf(10) ** -300
    return [mp.mpf(0) if abs(x - mean) <= least else x - mean for x in row]
