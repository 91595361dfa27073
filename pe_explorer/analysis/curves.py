"""Columns of an encoding as curves over the position.

Sines and cosines, and the lines of `index` and `fraction`, also have values between
positions. All other encodings have values only at integer positions, so their curves
are steps. If a point represents many positions, a fast wave is drawn as a range from
its minimum to its maximum, because single values would show slower waves that do not
exist (aliasing).

The angle of a wave is a straight line, or a line that restarts at 0 after each turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis._close import correct_short_rows, has_exact_phases
from pe_explorer.analysis.ranges import compute_cosine_limits
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, LinearRows, Steady, Unknown
from pe_explorer.numeric.positions import find_blocks_inside, to_positions
from pe_explorer.progress import Reporter

_MAX_TURNS = 1 / 8  # maximum number of turns between two points; faster waves are drawn as ranges
_CHUNK_VALUES = 2**20  # values of a table per chunk


class CurveData(NamedTuple):
    """The curve of one column as points.

    `kind` is ``continuous`` if the curve also has values between positions; ``steps`` if
    only integer positions have values; ``mean`` if each point is the mean of several
    positions; and ``range`` if each point also has a minimum and a maximum.
    """

    x: Floats  # the position of each point, relative to the first position of the grid
    y: Floats
    kind: str
    low: Floats | None = None  # the minimum at each point, if `kind` is ``range``
    high: Floats | None = None  # the maximum at each point, if `kind` is ``range``


class CurveGrid(NamedTuple):
    """A grid for curves: `rows` blocks of `block` positions, with `parts` points per block."""

    start: int
    block: int
    rows: int
    parts: int

    @classmethod
    def from_range(cls, start: int, count: int, points: int) -> CurveGrid:
        """Return a grid of about `points` points for `count` positions, starting at `start`."""
        block = -(-count // max(1, points))
        parts = -(-points // count) if block == 1 else 1
        parts |= 1  # an odd number, so that one point lies in the middle of the block
        return cls(start, block, -(-count // block), parts)

    @property
    def step(self) -> float:
        """The distance between points, in positions."""
        return self.block / self.parts

    @property
    def inner_offsets(self) -> Floats:
        """The offset of each point in a block from the first position of the block."""
        return (np.arange(self.parts, dtype=np.float64) + 0.5) * self.step - 0.5

    def compute_offsets(self, rows: range) -> Floats:
        """Return the offset from `start` of each point in the blocks with the indices `rows`."""
        block_starts = self.block * np.arange(rows.start, rows.stop, dtype=np.float64)
        return np.add.outer(block_starts, self.inner_offsets).ravel()

    def block_starts(self, rows: range) -> range:
        """Return the first positions of the blocks with the indices `rows`."""
        positions = range(self.start, self.start + self.rows * self.block, self.block)
        return positions[rows.start : rows.stop]


def is_continuous(e: Encoding | Unknown) -> bool:
    """Return whether an encoding also has values between integer positions."""
    return isinstance(e, LinearRows | Steady)


def courses(
    e: Encoding, columns: Sequence[int], grid: CurveGrid, report: Reporter, *, ranges: int = 0
) -> tuple[CurveData, ...]:
    """Return the curves of columns on a grid, limited to the positions that have rows.

    `report` is called between steps with the finished share; it may raise an exception to
    cancel. If `ranges` is positive, curves contain ranges instead of means. For up to
    `ranges` positions, a range extends from the minimum to the maximum value. For more
    positions, it extends between the bounds of the encoding. Raise `EncodingError` if the
    file of the encoding is missing.
    """
    rows = find_blocks_inside(grid.start, grid.block, grid.rows, e.domain)
    x = grid.compute_offsets(rows)
    if not rows:
        return tuple(CurveData(x, x, "steps") for _ in columns)
    if isinstance(e, Steady):
        return tuple(_compute_wave_curve(e, column, grid, rows) for column in columns)
    if isinstance(e, LinearRows):
        return (CurveData(x, (grid.start + x) / e.divisor, "continuous"),) * len(columns)
    if grid.block > 1 and grid.block * len(rows) <= ranges:
        return tuple(_compute_row_ranges(e, columns, grid, rows, report))
    values = _compute_means(e, columns, grid, rows, report)
    if ranges and grid.block > 1 and (value_limits := e.value_range):
        lower_bound, upper_bound = value_limits
        low = np.where(values >= upper_bound, upper_bound, lower_bound)
        high = np.where(values <= lower_bound, lower_bound, upper_bound)
        arrays = zip(values.T, low.T, high.T, strict=True)
        return tuple(CurveData(x, y, "range", *limits) for y, *limits in arrays)
    kind = "steps" if grid.block == 1 else "mean"
    return tuple(CurveData(x, y, kind) for y in np.repeat(values, grid.parts, axis=0).T)


def heights(e: Encoding, columns: Sequence[int], position: float) -> Floats:
    """Return the values of columns at a position, shape (columns,); nan if there is no row.

    Between integer positions, return the values of continuous curves. If the curves are not
    continuous, return the values at the nearest integer position.
    """
    if not is_continuous(e):
        position = math.floor(position + 0.5)
    if not e.domain[0] <= position <= e.domain[-1]:
        return np.full(len(columns), np.nan)
    table = e.table([position])
    if has_exact_phases(e):
        correct_short_rows(e, to_positions([position]), table)
    return table[0, list(columns)]


def compute_angle_curves(
    e: Steady, columns: Sequence[int], grid: CurveGrid, *, is_wrapped: bool
) -> tuple[CurveData, ...]:
    """Return the angles of columns in radians as curves; nan for columns without a wave.

    If `is_wrapped` is true, angles range from 0 to 2π, and the curve has a gap after each
    turn.
    """
    rows = find_blocks_inside(grid.start, grid.block, grid.rows, e.domain)
    x = grid.compute_offsets(rows)
    curves = []
    for column in columns:
        wave, y = int(e.wave_indices[column]), np.full(len(x), np.nan)
        if rows and wave >= 0:
            frequency = e.frequency(wave)
            if is_wrapped and abs(frequency) * grid.step > _MAX_TURNS * math.tau:
                low, high = np.zeros(len(x)), np.full(len(x), math.tau)
                curves.append(CurveData(x, (low + high) / 2, "range", low, high))
                continue
            if is_wrapped:
                phasors = np.exp(1j * frequency * grid.inner_offsets)
                y = (
                    np.angle(e.phasors(grid.block_starts(rows), [wave]) * phasors).ravel()
                    % math.tau
                )
                y[y == math.tau] = 0.0  # rounding turns a tiny negative angle into 2π
                y[1:][np.abs(np.diff(y)) > math.pi] = np.nan  # gap where the angle restarts
            else:
                first = _compute_angle(e, wave, grid.block_starts(rows)[0], is_wrapped=False)
                y = first + frequency * (x - grid.block * rows.start)
        curves.append(CurveData(x, y, "continuous"))
    return tuple(curves)


def find_angles(e: Steady, columns: Sequence[int], position: float, *, is_wrapped: bool) -> Floats:
    """Return the angles of columns at a position in radians; nan if there is no wave or row."""
    angles = np.full(len(columns), np.nan)
    if e.domain[0] <= position <= e.domain[-1]:
        for index, wave in enumerate(e.wave_indices[list(columns)].tolist()):
            if wave >= 0:
                angles[index] = _compute_angle(e, wave, position, is_wrapped=is_wrapped)
    return angles


def _compute_angle(e: Steady, wave: int, position: float, *, is_wrapped: bool) -> float:
    whole_position = math.floor(position)
    turns, fraction = e.turn(wave, whole_position)
    angle = math.tau * fraction + e.frequency(wave) * (position - whole_position)
    return angle % math.tau if is_wrapped else math.tau * turns + angle


def _compute_means(
    e: Encoding, columns: Sequence[int], grid: CurveGrid, rows: range, report: Reporter
) -> Floats:
    means = np.empty((len(rows), len(columns)))
    chunk = max(1, int(_CHUNK_VALUES // e.cost(1, grid.block)))
    positions = grid.block_starts(rows)
    for start in range(0, len(rows), chunk):
        report(start / len(rows))
        count = min(chunk, len(rows) - start)
        table = e.block_means(positions[start], grid.block, count)
        means[start : start + count] = table[:, list(columns)]
    return means


def _compute_row_ranges(
    e: Encoding, columns: Sequence[int], grid: CurveGrid, rows: range, report: Reporter
) -> Iterator[CurveData]:
    results = np.empty((3, len(rows), len(columns)))
    block_starts = grid.block_starts(rows)
    chunk = max(1, _CHUNK_VALUES // (e.width * grid.block))
    for first in range(0, len(rows), chunk):
        report(first / len(rows))
        part = slice(first, min(first + chunk, len(rows)))
        positions = range(block_starts[first], block_starts[part.stop - 1] + grid.block)
        values = e.table(positions)[:, list(columns)].reshape(-1, grid.block, len(columns))
        results[:, part] = values.mean(axis=1), values.min(axis=1), values.max(axis=1)
    for means, low, high in np.moveaxis(results, 2, 0):
        yield CurveData(grid.compute_offsets(rows), means, "range", low, high)


def _compute_wave_curve(e: Steady, column: int, grid: CurveGrid, rows: range) -> CurveData:
    x, wave = grid.compute_offsets(rows), int(e.wave_indices[column])
    if wave < 0:
        return CurveData(x, np.zeros(len(x)), "continuous")
    frequency = e.frequency(wave)
    phasors = e.phasors(grid.block_starts(rows), [wave])
    if e.sines[column]:
        phasors = -1j * phasors  # sin x = cos(x - π/2)
    y = e.amplitude * (phasors * np.exp(1j * frequency * grid.inner_offsets)).real.ravel()
    if abs(frequency) * grid.step <= _MAX_TURNS * math.tau:
        return CurveData(x, y, "continuous")
    start_phasors = phasors * np.exp(1j * frequency * (grid.inner_offsets - grid.step / 2))
    low, high = compute_cosine_limits(start_phasors.ravel(), frequency * grid.step)
    means = y * np.sinc(frequency * grid.step / math.tau)
    return CurveData(x, means, "range", e.amplitude * low, e.amplitude * high)
