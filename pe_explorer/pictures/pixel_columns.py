"""Map narrow columns of a table to columns of pixels.

Alternating sines and cosines are not averaged with each other unless there are too few
pixels. Their pixels alternate like the columns, so a wide table looks like a table with
fewer pairs. A pixel shows the mean of its columns, weighted by their overlap with the
pixel. Equal columns therefore look equal even if their edges fall inside pixels.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints

_MIN_CRISP_PIXELS = (
    4.0  # minimum number of pixels per column at which each column has its own pixels
)
_MIN_ALTERNATING_STRIPES = 2.0  # minimum number of stripes per column at which kinds share stripes
_MAX_KINDS = 4  # maximum number of kinds of alternating columns
_TOLERANCE = 1e-9  # fraction of a column that is ignored as rounding error
_CHUNK_SIZE = 1 << 17  # number of values averaged at a time, small enough for the CPU cache
_MIN_WHOLE_COLUMNS = 10  # minimum number of columns per pixel that is written without decimals


class ColumnSet(NamedTuple):
    """Columns of one kind, and the stripes of pixels that show them."""

    columns: range
    pixels: range  # indices of the stripes, counted from the left
    edges: Floats  # edges of the stripes as indices into `columns`, shape (stripes + 1,)

    @property
    def nearest_columns(self) -> Ints:
        """The column at the middle of each stripe."""
        return self._find_columns((self.edges[:-1] + self.edges[1:]) / 2)

    @property
    def first_columns(self) -> Ints:
        """The first column that starts in each stripe, or else the column at its middle."""
        starts = np.ceil(self.edges[:-1])
        is_inside = starts < self.edges[1:]
        return np.where(is_inside, self._find_columns(starts), self.nearest_columns)

    def _find_columns(self, numbers: Floats) -> Ints:
        columns: Ints = np.array(self.columns)
        return columns[np.minimum(numbers.astype(np.int64), len(columns) - 1)]

    def means(self, values: Floats) -> Floats:
        """Return the mean of the columns in each stripe, shape (rows, stripes)."""
        column_set = np.ascontiguousarray(values[:, _to_slice(self.columns)])
        low, high = self.edges[:-1], self.edges[1:]
        first, last = np.floor(low).astype(np.int64), np.ceil(high).astype(np.int64) - 1
        means: Floats = np.zeros((len(column_set), len(first)))
        with np.errstate(over="ignore", invalid="ignore"):  # a file may contain huge values
            for step in range(int((last - first).max()) + 1):
                column = first + step
                overlap = np.minimum(column + 1, high) - np.maximum(column, low)
                stripes = np.flatnonzero(column <= last)
                weights = (overlap / (high - low))[stripes]
                part = column_set.take(column[stripes], axis=1) * weights
                if len(stripes) == len(first):
                    means += part
                else:
                    means[:, stripes] += part
        return means


class PixelColumns(NamedTuple):
    """The map from columns of a table to columns of pixels."""

    column_sets: tuple[ColumnSet, ...]
    width: int  # number of columns
    stripes: int  # number of stripes; in each row, the pixels of a stripe have the same colour
    stripe: int  # width of a stripe in pixels; the last stripe may be narrower
    pixels: int  # number of columns of pixels
    kinds: int  # number of alternating kinds of columns; 1 if kinds do not alternate

    @property
    def group(self) -> float:
        """The number of columns that each stripe represents, at least 1."""
        return max(1.0, self.width / self.stripes)

    def describe_group(self, plural: str, prefix: str = "", *, has_kinds: bool = True) -> str:
        """Describe how many columns each stripe represents.

        The text is empty if the number is 1. If kinds alternate and `has_kinds` is true, the
        text is, for example, ``sines and cosines of 3 pairs``. Otherwise, it consists of
        `prefix`, the number and `plural`, for example ``mean of 3 dimensions``.
        """
        has_tenths = self.group < _MIN_WHOLE_COLUMNS
        count = f"{round(self.group, 1):g}" if has_tenths else f"{self.group:,.0f}"
        if count == "1":
            return ""
        if self.kinds > 1 and has_kinds:
            return f"sines and cosines of {count} pairs"
        return f"{prefix}{count} {plural}"

    def means(self, values: Floats) -> Floats:
        """Return the mean of the columns in each pixel, shape (rows, pixels)."""
        means = np.empty((len(values), self.stripes))
        step = max(1, _CHUNK_SIZE // self.stripes)
        for first in range(0, len(values), step):
            rows = slice(first, first + step)
            for column_set in self.column_sets:
                means[rows, _to_slice(column_set.pixels)] = column_set.means(values[rows])
        return means if self.stripe == 1 else means.take(self._pixel_stripes, axis=1)

    def select_first_values(self, values: Floats) -> Floats:
        """Return the value of the first column in each pixel, shape (rows, pixels)."""
        return values[:, self._find_pixel_columns("first_columns")]

    def find_column(self, x: float) -> int:
        """Return the column nearest to `x` that has the kind shown by the pixel at `x`."""
        stripe = math.floor((x + 0.5) * self.pixels / self.width) // self.stripe
        stripe = min(max(0, stripe), self.stripes - 1)
        columns = next(
            column_set.columns for column_set in self.column_sets if stripe in column_set.pixels
        )
        return columns[min(max(0, round((x - columns.start) / columns.step)), len(columns) - 1)]

    @property
    def nearest_columns(self) -> Ints:
        """The column at the middle of each pixel's stripe, shape (pixels,)."""
        return self._find_pixel_columns("nearest_columns")

    def _find_pixel_columns(self, name: str) -> Ints:
        columns: Ints = np.empty(self.stripes, dtype=np.int64)
        for column_set in self.column_sets:
            columns[_to_slice(column_set.pixels)] = getattr(column_set, name)
        return columns[self._pixel_stripes]

    @property
    def _pixel_stripes(self) -> Ints:
        return np.arange(self.pixels) // self.stripe


def make_pixel_columns(
    kinds: Ints, pixels: int, stripe: int = 1, *, averages: bool = True
) -> PixelColumns | None:
    """Return how columns share pixels, or None if each column has its own pixels.

    Parameters
    ----------
    kinds : (columns,) int64
        Kind of each column; for example, all sines have the same number.
    pixels : int
        Number of columns of pixels.
    stripe : int
        Minimum width of the stripes of alternating columns, in pixels.
    averages : bool
        Whether a pixel shows the mean of its columns; otherwise, it shows the first column.
    """
    columns, pixels = len(kinds), max(1, pixels)
    runs = list(_find_runs(kinds))
    kind_count = max(period for _, _, period in runs)
    if kind_count == 1 or pixels < kind_count * stripe:  # one kind, or too narrow to show each kind
        stripe = kind_count = 1
    min_width = _MIN_ALTERNATING_STRIPES * stripe if kind_count > 1 else 1.0
    if pixels >= columns * (_MIN_CRISP_PIXELS if averages else min_width):
        return None
    if kind_count == 1:
        runs = [(start, stop, 1) for start, stop, _ in runs]
    if pixels >= columns * _MIN_ALTERNATING_STRIPES * stripe:
        runs, stripe, kind_count = [(0, columns, 1)], 1, 1
    stripes = -(-pixels // stripe)
    column_sets: list[ColumnSet] = []
    for start, stop, period in runs:
        left, right = (round(stripes * edge / columns) for edge in (start, stop))
        column_sets += _make_column_sets(range(start, stop), range(left, right), period)
    return PixelColumns(tuple(column_sets), columns, stripes, stripe, pixels, kind_count)


def _make_column_sets(columns: range, stripes: range, period: int) -> Iterator[ColumnSet]:
    for kind in range(period):
        column_set, pixels = columns[kind::period], stripes[kind::period]
        if not column_set or not pixels:
            continue
        edges = np.linspace(0, len(column_set), len(pixels) + 1)
        rounded_edges = np.rint(edges)
        is_rounded = np.abs(edges - rounded_edges) < _TOLERANCE
        yield ColumnSet(column_set, pixels, np.where(is_rounded, rounded_edges, edges))


def _to_slice(numbers: range) -> slice:
    return slice(numbers.start, numbers.stop, numbers.step)


def _find_runs(kinds: Ints) -> Iterator[tuple[int, int, int]]:
    """Yield (start, stop, period) for each run of columns whose kinds repeat periodically."""
    start = 0
    while start < len(kinds):
        lengths, remaining_kinds = {}, kinds[start:]
        for period in range(1, _MAX_KINDS + 1):
            breaks = np.flatnonzero(remaining_kinds[period:] != remaining_kinds[:-period])
            lengths[period] = period + int(breaks[0]) if len(breaks) else len(remaining_kinds)
        period = max(lengths, key=lambda period: (lengths[period], -period))
        if lengths[period] < 2 * period:
            period = 1
        yield start, start + lengths[period], period
        start += lengths[period]
