"""Matrices of values that depend on the offset between two positions only."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pe_explorer.arrays import Floats
from pe_explorer.numeric.positions import Positions, len_of
from pe_explorer.progress import Reporter

Values = Callable[[Positions, Reporter], Floats]

_CHUNK_OFFSETS = 2**18  # offsets that are computed together
_DIFFERENCES_PER_EVALUATION = 16  # cost of one evaluation of a pair, in differences of cells
_CLOSED_FORM_OFFSETS = 2**14  # so few take the closed form, which keeps digits of tiny distances


def over_offsets(
    p: Positions,
    q: Positions,
    report: Reporter,
    values: Values,
    by_rows: Values | None = None,
) -> Floats:
    """Return values(p_i - q_j), shape (r, c), evaluating each distinct offset of a block once.

    Scattered positions may have so many distinct offsets that `by_rows`, called with a part
    of p, costs less.
    """
    if isinstance(p, range) and isinstance(q, range):
        lattice = _lattice(p, q)
        if lattice is not None:
            return lattice.matrix(values(lattice.offsets, report))
    r, c = len_of(p), len_of(q)
    out = np.empty((r, c))
    at = np.asarray(p)
    to = np.asarray(q)
    rows = max(1, _CHUNK_OFFSETS // max(c, 1))
    for start in range(0, r, rows):
        part = at[start : start + rows]
        report_part = part_reporter(report, start / r, len(part) / r)
        offsets = part[:, None] - to
        distinct, places = np.unique(offsets, return_inverse=True)
        cost_by_rows = len(part) + c + offsets.size / _DIFFERENCES_PER_EVALUATION
        few = max(_CLOSED_FORM_OFFSETS, cost_by_rows)
        if by_rows and len(distinct) > few:
            out[start : start + rows] = by_rows(part, report_part)
        else:
            found = values(distinct, report_part)
            places = places.reshape(offsets.shape)
            out[start : start + rows] = found[places]
    return out


class _Lattice(NamedTuple):
    """The offsets between two progressions, all of which lie on one line of equal steps.

    Cell (i, j) of the matrix is element origin + i·down + j·right of the values along it, so
    the matrix is a strided view of them.
    """

    shape: tuple[int, int]
    offsets: range
    origin: int
    down: int
    right: int

    def matrix(self, line: Floats) -> Floats:
        """Return the matrix of which `line` holds the values, shape (r, c)."""
        strides = self.down * line.itemsize, self.right * line.itemsize
        return as_strided(line[self.origin :], self.shape, strides).copy()


def _lattice(p: range, q: range) -> _Lattice | None:
    """Return the offsets p_i - q_j as a lattice; None if most would not occur."""
    r, c = len_of(p), len_of(q)
    if not r or not c:
        return None
    p_step = p.step if r > 1 else 0
    q_step = q.step if c > 1 else 0
    step = math.gcd(p_step, q_step) or 1
    down, right = p_step // step, -(q_step // step)
    bottom = (r - 1) * down
    end = (c - 1) * right
    low = min(0, bottom) + min(0, end)
    high = max(0, bottom) + max(0, end)
    if high - low >= max(2 * (r + c), r * c):
        return None
    first = p[0] - q[0]
    stop = first + (high + 1) * step
    offsets = range(first + low * step, stop, step)
    return _Lattice((r, c), offsets, -low, down, right)


def part_reporter(report: Reporter, done: float, share: float) -> Reporter:
    """Return a function that reports the progress of a part, which begins at `done`."""

    def report_part(part: float) -> None:
        report(done + share * part)

    return report_part
