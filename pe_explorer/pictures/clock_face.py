"""The grid of a page of clocks, and the points of each clock."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings import Steady
from pe_explorer.pictures.pixels import Size

Floats32 = npt.NDArray[np.float32]

_MIN_CELL_WIDTH = 84.0  # minimum cell width in logical pixels, for two short lines of text
_MIN_CLOCK_DIAMETER = 58.0  # minimum diameter in logical pixels of a clock with ticks
_MIN_CHOSEN_CELL_SIDE = (
    46.0  # minimum cell side without text, for columns or clocks chosen by the user
)
_PADDING = 4.0  # gap between a clock and the edge of its cell
MAX_CLOCKS = 160  # maximum number of clocks on a page
_MAX_PAGE_POINTS = 1 << 14
_MAX_CLOCK_POINTS = 1 << 10
_EMPTY_SIZE = Size(0, 0)
_CLICK_RADIUS = 8.0  # distance in pixels within which a click selects a point or a hand
_HASH_MULTIPLIER = (
    0x9E3779B97F4A7C15  # 2^64 / golden ratio; multiples modulo 2^64 are evenly distributed
)
_CENTRE_RADIUS = 6.0  # distance from the centre in pixels within which a point has no angle


@dataclass(frozen=True)
class ClockGrid:
    """A grid of equal cells that contain clocks row by row; lengths are in logical pixels.

    `numbers` are the indices of the pairs shown, and `pairs` is the total number of pairs.
    `rejected_columns` is the requested number of columns if it does not fit, otherwise 0.
    """

    columns: int
    rows: int
    numbers: Sequence[int]
    pairs: int
    width: float
    height: float
    text_height: float
    ratio: float
    rejected_columns: int = 0

    @property
    def first(self) -> int:
        """The first pair shown."""
        return self.numbers[0]

    @property
    def last(self) -> int:
        """The last pair shown."""
        return self.numbers[-1]

    @property
    def clock_count(self) -> int:
        return len(self.numbers)

    @property
    def is_consecutive(self) -> bool:
        """Whether the pairs are consecutive."""
        return self.last - self.first == self.clock_count - 1

    @cached_property
    def outer_radius(self) -> float:
        """The radius of a clock including its ticks."""
        width = self.width - 2 * _PADDING
        height = self.height - self.text_height - 2 * _PADDING
        return max(6.0, min(width, height) / 2)

    @cached_property
    def radius(self) -> float:
        """The radius of the unit circle."""
        ticks = min(max(0.07 * self.outer_radius, 2.5), 8.0)
        return self.outer_radius - self.dot_radius - ticks

    @cached_property
    def dot_radius(self) -> float:
        """The radius of a point."""
        return min(max(0.05 * self.outer_radius, 1.8), 5.0)

    def cell(self, clock_index: int) -> tuple[float, float, float, float]:
        """Return the left, top, width and height of a clock's cell."""
        row, column = divmod(clock_index, self.columns)
        return column * self.width, row * self.height, self.width, self.height

    @cached_property
    def centres(self) -> tuple[tuple[float, float], ...]:
        """The centres of the clocks, rounded to corners of device pixels."""
        centres, ratio = [], self.ratio
        for clock_index in range(self.clock_count):
            left, top, width, height = self.cell(clock_index)
            x, y = left + width / 2, top + (height - self.text_height) / 2
            centres.append((round(x * ratio) / ratio, round(y * ratio) / ratio))
        return tuple(centres)

    def find_clock(self, x: float, y: float) -> int | None:
        """Return the index of the clock whose cell contains (x, y), or None if no cell does."""
        column = math.floor(x / self.width)
        row = math.floor(y / self.height)
        clock_index = row * self.columns + column
        is_inside = 0 <= column < self.columns and 0 <= row < self.rows
        return clock_index if is_inside and clock_index < self.clock_count else None


class ClockFaces(NamedTuple):
    """The clocks of one page.

    `x` and `y`, shape (positions, clocks), are the points relative to the centre of their clock in
    device pixels, y downwards. `order`, shape (positions,), runs from 0 to 1. `area` is the size of
    the page in device pixels. `turns` are the whole turns of each hand, `hands` the remaining
    fractions of a turn. `marked_index` is the clock of the cursor's pair if the figure shows the
    cursor. `counted_items` has the name, first number and count of the positions that `order`
    covers.
    """

    grid: ClockGrid
    x: Floats32
    y: Floats32
    order: Floats32
    positions: npt.NDArray[np.int64]
    is_clockwise: bool
    frequencies: npt.NDArray[np.float64]
    dimensions: tuple[tuple[int, ...], ...]
    area: Size = _EMPTY_SIZE
    hands: tuple[float, ...] = ()
    turns: tuple[int, ...] = ()
    marked_index: int | None = None
    counted_items: tuple[str, int, int] = ("position", 0, 1)

    @property
    def point_step(self) -> int | None:
        """The number of positions per point, or None if each position has its own point."""
        step = -(-self.counted_items[2] // len(self.positions))
        return step if step > 1 else None

    def point_at(self, clock_index: int, x: float, y: float) -> int | None:
        """Return the index of the clock's point nearest to (x, y), or None if no point is close.

        The coordinates are relative to the page, in logical pixels.
        """
        ratio = self.grid.ratio
        centre_x, centre_y = self.grid.centres[clock_index]
        dx = self.x[:, clock_index] - (x - centre_x) * ratio
        dy = self.y[:, clock_index] - (y - centre_y) * ratio
        distances = np.hypot(dx, dy)
        nearest_index = int(distances.argmin())
        return nearest_index if distances[nearest_index] <= _CLICK_RADIUS * ratio else None

    def compute_turn(self, clock_index: int, x: float, y: float) -> float | None:
        """Return the angle of (x, y) on a clock in turns, or None if (x, y) is near the centre."""
        centre_x, centre_y = self.grid.centres[clock_index]
        right, up = x - centre_x, centre_y - y
        if math.hypot(right, up) < _CENTRE_RADIUS:
            return None
        angle = math.atan2(right, up) if self.is_clockwise else math.atan2(up, right)
        return angle / math.tau % 1.0

    def has_hand_at(self, clock_index: int, part: float, x: float, y: float) -> bool:
        """Return whether (x, y) is close to a hand whose angle is the fraction `part` of a turn."""
        turn = self.compute_turn(clock_index, x, y)
        if turn is None:
            return False
        centre_x, centre_y = self.grid.centres[clock_index]
        distance, angle = math.hypot(x - centre_x, y - centre_y), math.tau * (turn - part)
        if abs(distance * math.sin(angle)) > _CLICK_RADIUS:
            return False
        return 0 < distance * math.cos(angle) <= self.grid.outer_radius + _CLICK_RADIUS


def arrange(
    pairs: int,
    width: float,
    height: float,
    text: float,
    ratio: float,
    first: int,
    max_count: int | None = None,
    *,
    spread: bool = False,
    clocks: Sequence[int] = (),
    requested_columns: int = 0,
) -> ClockGrid:
    """Return the grid of one page with the largest possible clocks.

    The page has at most `max_count` clocks. They start at the pair `first`, are `spread` evenly
    over all pairs, or show the pairs `clocks`. The grid has `requested_columns` if the clocks are
    legible.
    """
    max_count = len(clocks) or min(pairs, max_count or pairs)
    columns = min(requested_columns, max_count)
    rows = min(int(height / (_MIN_CHOSEN_CELL_SIDE + text)), MAX_CLOCKS // max(1, columns))
    has_space = width >= _MIN_CHOSEN_CELL_SIDE * columns and rows * columns >= max(1, len(clocks))
    best_column_count, count = _find_best_column_count(
        max_count, width, height, text, has_chosen_clocks=bool(clocks)
    )
    if not requested_columns or not has_space or columns == best_column_count:
        columns = best_column_count
    else:
        count = min(max_count, rows * columns)
    rejected_columns = 0 if has_space else requested_columns
    rows = -(-count // columns)
    numbers = clocks or _select_spaced_pairs(pairs, count)
    if not clocks and not spread:
        first = min(first, pairs - count)
        numbers = range(first, first + count)
    cell_size = width / columns, height / rows
    return ClockGrid(columns, rows, numbers, pairs, *cell_size, text, ratio, rejected_columns)


def _find_best_column_count(
    max_count: int, width: float, height: float, text: float, *, has_chosen_clocks: bool
) -> tuple[int, int]:
    """Return the number of columns that makes the clocks largest, and the number of clocks."""
    columns = max(1, int(width / _MIN_CELL_WIDTH))
    rows = max(1, int(height / (_MIN_CLOCK_DIAMETER + text + 2 * _PADDING)))
    if columns * rows > MAX_CLOCKS:
        shrink = math.sqrt(MAX_CLOCKS / (columns * rows))
        columns = max(1, int(columns * shrink))
        rows = max(1, int(rows * shrink))
    count = min(max_count, columns * rows)
    if has_chosen_clocks:
        count = max_count
        if height / -(-count // columns) < _MIN_CHOSEN_CELL_SIDE + text:
            columns = count

    def rate(columns: int) -> tuple[float, int]:
        rows = -(-count // columns)
        side = min(width / columns, (height - 1e-9) / rows - text)
        return round(side, 6), count - columns * rows

    return max(range(1, min(count, columns) + 1), key=rate), count


def _select_spaced_pairs(pairs: int, count: int) -> Sequence[int]:
    gaps, last = max(1, count - 1), pairs - 1
    half = gaps // 2  # for rounding to the nearest integer
    return tuple((clock_index * last + half) // gaps for clock_index in range(count))


def thin_out_positions(positions: range, clocks: int) -> range:
    """Return the positions drawn on each clock, evenly thinned out if there are too many."""
    count = positions.stop - positions.start
    limit = min(_MAX_CLOCK_POINTS, _MAX_PAGE_POINTS // clocks)
    return positions[:: -(-count // limit)]


def _scatter_positions(positions: range) -> npt.NDArray[np.int64]:
    """Return a pseudo-random position from each step of a range.

    Equally spaced positions would cause aliasing, such as points that seem to run backwards.
    """
    steps = np.arange(len(positions))
    bits = steps.astype(np.uint64) * np.uint64(_HASH_MULTIPLIER)
    fractions = (bits >> np.uint64(11)) * 2.0**-53
    first = positions.start + positions.step * steps
    lengths = np.minimum(positions.step, positions.stop - first)  # the last step may be shorter
    return first + (fractions * lengths).astype(np.int64)


def face(encoding: Steady, positions: range, grid: ClockGrid, is_clockwise: bool) -> ClockFaces:
    """Return the clocks of a grid, with points for the positions.

    If `is_clockwise` is set, the sine is the horizontal and the cosine the vertical
    coordinate. Otherwise, the coordinates are swapped.
    """
    waves: slice | list[int] = list(grid.numbers)
    if grid.is_consecutive:
        waves = slice(grid.first, grid.first + grid.clock_count)
    samples = _scatter_positions(thin_out_positions(positions, grid.clock_count))
    phasors = encoding.phasors(samples, waves)
    cosine, sine = phasors.real, phasors.imag
    right, up = (sine, cosine) if is_clockwise else (cosine, sine)
    scale = grid.radius * grid.ratio
    last = max(1, positions.stop - positions.start - 1)
    order = ((samples - positions.start) / last).astype(np.float32)
    x = (right * scale).astype(np.float32)
    y = (up * -scale).astype(np.float32)
    frequencies = encoding.frequencies()[waves]
    wave_indices = encoding.wave_indices
    columns: dict[int, list[int]] = {wave: [] for wave in grid.numbers}
    for dimension in np.flatnonzero(np.isin(wave_indices, grid.numbers)):
        columns[int(wave_indices[dimension])].append(int(dimension))
    dimensions = tuple(map(tuple, columns.values()))
    counted_items = encoding.rows.name, positions.start, positions.stop - positions.start
    clock_faces = ClockFaces(grid, x, y, order, samples, is_clockwise, frequencies, dimensions)
    return clock_faces._replace(counted_items=counted_items)
