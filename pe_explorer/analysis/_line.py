"""Distances of rows on one line, of index, fraction and ALiBi: from differences of positions."""

import math

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Multiples
from pe_explorer.numeric.positions import Positions


def distances_on_line(e: Multiples, p: Positions, q: Positions, metric: str) -> Floats:
    """Return the distances of the rows of positions p from those of q, shape (p, q)."""
    u, v, slopes = e.factors(p), e.factors(q), e.slopes
    if metric == "correlation" and (slopes == slopes[0]).all():
        return np.full((len(u), len(v)), np.nan)  # of rows whose numbers are all equal
    if metric in ("cosine", "correlation"):
        signs = np.sign(u)[:, None] * np.sign(v).astype(np.float64)
        return np.where(signs == 0, np.nan, 1 - signs)
    squared_length = float(np.square(slopes).sum())
    if metric == "dot":
        return (u / e.divisor)[:, None] * (v / e.divisor) * squared_length
    steps: Floats = np.abs(u[:, None] - v) / e.divisor
    if metric == "chebyshev":
        return steps * float(slopes.max())
    if metric == "manhattan":
        return steps * float(slopes.sum())
    if metric == "sse":
        return steps**2 * squared_length
    return steps * math.sqrt(squared_length)


def steps_on_line(e: Multiples, positions: range, first: int) -> Floats:
    """Return the rows of positions less the row of a first one, shape (n, width)."""
    whole = np.arange(positions.start, positions.stop, positions.step, dtype=np.int64)
    factors = e.factors(whole) - e.factors(np.array([first]))
    return (factors / e.divisor)[:, None] * e.slopes
