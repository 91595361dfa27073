"""Columns of an encoding as curves over position, continuous where the scheme is.

Sines and cosines have a value between positions as well, and `index` and `fraction` are straight
lines; all others have numbers for whole positions only, which are steps. Where a pixel stands for
many positions, a wave that turns fast is shown from its least to its greatest value in each
pixel: one value a pixel would make up slower waves that are not there. Of waves there are angles,
too: a straight line, or one that begins again after each full turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis._close import correct_short_rows, keeps_digits
from pe_explorer.analysis.ranges import least_and_greatest
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Line, Steady
from pe_explorer.numeric.positions import as_positions, blocks_inside
from pe_explorer.progress import Reporter

_LARGEST_STEP = 1 / 8  # turns between two points of a line; faster waves are drawn as a range
_CHUNK_NUMBERS = 2**20  # numbers of a table that are computed together


class Course(NamedTuple):
    """The curve of one column: a line through points.

    `kind` is ``continuous``; ``steps``, where only whole positions have numbers; ``mean`` of the
    positions of a point; or ``range``, the same within the least and the greatest.
    """

    x: Floats  # the distance of each point from the first position of the grid
    y: Floats
    kind: str
    low: Floats | None = None  # the least number of each point of a range
    high: Floats | None = None  # the greatest


class CurveGrid(NamedTuple):
    """The places of points: `parts` in each of `rows` blocks of `block` positions."""

    start: int
    block: int
    rows: int
    parts: int

    @classmethod
    def of(cls, start: int, count: int, points: int) -> CurveGrid:
        """Return a grid of about `points` points: several for each of few positions."""
        block = -(-count // max(1, points))
        parts = -(-points // count) if block == 1 else 1
        return cls(start, block, -(-count // block), parts | 1)  # odd: the middle is a point

    @property
    def step(self) -> float:
        """The distance between points, in positions."""
        return self.block / self.parts

    @property
    def inner(self) -> Floats:
        """The distances of the points of a block from its first position."""
        return (np.arange(self.parts, dtype=np.float64) + 0.5) * self.step - 0.5

    def places(self, rows: range) -> Floats:
        """Return the distances of the points of some blocks from `start`."""
        firsts = self.block * np.arange(rows.start, rows.stop, dtype=np.float64)
        return np.add.outer(firsts, self.inner).ravel()

    def firsts(self, rows: range) -> range:
        """Return the first position of each of some blocks."""
        start, block = self.start, self.block
        return range(start + rows.start * block, start + rows.stop * block, block)


def is_continuous(e: Encoding) -> bool:
    """Return whether an encoding has values between whole positions, too."""
    return isinstance(e, Line | Steady)


def courses(
    e: Encoding, columns: Sequence[int], grid: CurveGrid, report: Reporter, *, ranges: int = 0
) -> tuple[Course, ...]:
    """Return how columns run on a grid, where the encoding has rows.

    `report` is called between steps with the share that is done; it may raise to stop. With
    `ranges`, no mean hides how far numbers reach: those of at most so many positions are compared,
    beyond that bounds of the encoding are. Raises `EncodingError` if the file of the encoding is
    gone.
    """
    rows = blocks_inside(grid.start, grid.block, grid.rows, e.domain)
    x = grid.places(rows)
    if not rows:
        return tuple(Course(x, x, "steps") for _ in columns)
    if isinstance(e, Steady):
        return tuple(_wave(e, column, grid, rows) for column in columns)
    if isinstance(e, Line):
        y = (grid.start + x) / e.divisor
        return tuple(Course(x, y, "continuous") for _ in columns)
    if grid.block > 1 and grid.block * len(rows) <= ranges:
        return tuple(_ranges_of_rows(e, columns, grid, rows, report))
    values = _rows(e, columns, grid, rows, report)
    if ranges and grid.block > 1 and (ends := e.value_range):
        return tuple(_bounded(x, y, *ends) for y in values.T)
    kind = "steps" if grid.block == 1 else "mean"
    held = np.repeat(values, grid.parts, axis=0)
    return tuple(Course(x, y, kind) for y in held.T)


def heights(e: Encoding, columns: Sequence[int], position: float) -> Floats:
    """Return what columns have at a position, shape (columns,); nan where there is no row.

    Between positions that is the value of a continuous curve, or else of the nearest position.
    """
    if not is_continuous(e):
        position = math.floor(position + 0.5)
    domain = e.domain
    if not domain[0] <= position <= domain[-1]:
        return np.full(len(columns), np.nan)
    table = e.table([position])
    if keeps_digits(e):
        correct_short_rows(e, as_positions([position]), table)
    return table[0, list(columns)]


def angle_courses(
    e: Steady, columns: Sequence[int], grid: CurveGrid, *, one_turn: bool
) -> tuple[Course, ...]:
    """Return how the angles of columns run on a grid, in radians; nan for one without a wave.

    With `one_turn` they are from 0 to 2π, and nothing joins the end of a turn to its beginning.
    """
    rows = blocks_inside(grid.start, grid.block, grid.rows, e.domain)
    x = grid.places(rows)
    found = []
    for column in columns:
        wave = int(e.wave_of[column])
        if not rows or wave < 0:
            found.append(Course(x, np.full(len(x), np.nan), "continuous"))
        elif one_turn and abs(e.frequency(wave)) * grid.step > _LARGEST_STEP * math.tau:
            low, high = np.zeros(len(x)), np.full(len(x), math.tau)
            found.append(Course(x, (low + high) / 2, "range", low, high))
        elif one_turn:
            turned = np.exp(1j * e.frequency(wave) * grid.inner)
            y = np.angle(e.phasors(grid.firsts(rows), [wave]) * turned).ravel() % math.tau
            y[y == math.tau] = 0.0  # the remainder of a hair below 0 is rounded up
            y[1:][np.abs(np.diff(y)) > math.pi] = np.nan  # a gap, where it jumps
            found.append(Course(x, y, "continuous"))
        else:
            first = _angle(e, wave, grid.firsts(rows)[0], one_turn=False)
            y = first + e.frequency(wave) * (x - grid.block * rows.start)
            found.append(Course(x, y, "continuous"))
    return tuple(found)


def angles_at(e: Steady, columns: Sequence[int], position: float, *, one_turn: bool) -> Floats:
    """Return the angles of columns at a position, in radians; nan where there is none."""
    domain, waves = e.domain, e.wave_of[list(columns)].tolist()
    if not domain[0] <= position <= domain[-1]:
        return np.full(len(columns), np.nan)
    return np.array(
        [_angle(e, wave, position, one_turn=one_turn) if wave >= 0 else np.nan for wave in waves]
    )


def _angle(e: Steady, wave: int, position: float, *, one_turn: bool) -> float:
    """Return the angle of a wave at a position, the nearest float64 but for rounding."""
    before = math.floor(position)
    whole, part = e.turn(wave, before)
    angle = math.tau * part + e.frequency(wave) * (position - before)
    return angle % math.tau if one_turn else math.tau * whole + angle


def _rows(
    e: Encoding, columns: Sequence[int], grid: CurveGrid, rows: range, report: Reporter
) -> Floats:
    found = np.empty((len(rows), len(columns)))
    at_once = max(1, int(_CHUNK_NUMBERS // e.cost(1, grid.block)))
    firsts = grid.firsts(rows)
    for first in range(0, len(rows), at_once):
        report(first / len(rows))
        count = min(at_once, len(rows) - first)
        means = e.block_means(firsts[first], grid.block, count)
        found[first : first + count] = means[:, list(columns)]
    return found


def _ranges_of_rows(
    e: Encoding, columns: Sequence[int], grid: CurveGrid, rows: range, report: Reporter
) -> Iterator[Course]:
    found = np.empty((3, len(rows), len(columns)))
    firsts = grid.firsts(rows)
    together = max(1, _CHUNK_NUMBERS // (e.width * grid.block))
    for first in range(0, len(rows), together):
        report(first / len(rows))
        some = slice(first, min(first + together, len(rows)))
        positions = range(firsts[first], firsts[some.stop - 1] + grid.block)
        values = e.table(positions)[:, list(columns)].reshape(-1, grid.block, len(columns))
        found[:, some] = values.mean(axis=1), values.min(axis=1), values.max(axis=1)
    for mean, low, high in np.moveaxis(found, 2, 0):
        yield Course(grid.places(rows), mean, "range", low, high)


def _bounded(x: Floats, means: Floats, least: float, greatest: float) -> Course:
    """Return the course of a column: only a mean at a bound says that all numbers are there."""
    low = np.where(means >= greatest, greatest, least)
    high = np.where(means <= least, least, greatest)
    return Course(x, means, "range", low, high)


# -- waves ---------------------------------------------------------------------------------------


def _wave(e: Steady, column: int, grid: CurveGrid, rows: range) -> Course:
    x, wave = grid.places(rows), int(e.wave_of[column])
    if wave < 0:
        return Course(x, np.zeros(len(x)), "continuous")
    frequency = e.frequency(wave)
    phasors = e.phasors(grid.firsts(rows), [wave])
    if e.sines[column]:
        phasors = -1j * phasors  # a sine is a cosine a quarter of a turn before
    y = e.amplitude * (phasors * np.exp(1j * frequency * grid.inner)).real.ravel()
    if abs(frequency) * grid.step <= _LARGEST_STEP * math.tau:
        return Course(x, y, "continuous")
    begins = phasors * np.exp(1j * frequency * (grid.inner - grid.step / 2))
    low, high = least_and_greatest(begins.ravel(), frequency * grid.step)
    means = y * np.sinc(frequency * grid.step / math.tau)
    return Course(x, means, "range", e.amplitude * low, e.amplitude * high)
