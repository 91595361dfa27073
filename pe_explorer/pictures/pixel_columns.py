"""Map narrow columns of a table to columns of pixels.

Alternating sines and cosines are never averaged with each other. Their pixels alternate in the same
way, so a wide table looks like one with fewer pairs. A pixel shows the mean of its columns,
weighted by the covered part of each column, so equal columns look equal wherever their borders are.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints

_CRISP = 4.0  # pixels per column from which every column has its own whole pixels
_OWN = 2.0  # pixels per column below which alternating columns share pixels
_MOST_KINDS = 4  # maximum kinds of alternating columns
_ROUNDING = 1e-9  # fraction of a column that is ignored as rounding error
_CHUNK = 1 << 17  # values averaged at a time, which fit into the CPU cache
_WITHOUT_TENTHS = 10  # columns per pixel from which the number has no decimals


class Strand(NamedTuple):
    """Columns of one kind and the pixels that show these columns.

    Attributes
    ----------
    columns : range
    pixels : range
        The stripes of pixels, counted from the left.
    edges : (n + 1,) float64
        Edges of the stripes, in columns of the strand.
    """

    columns: range
    pixels: range
    edges: Floats

    @property
    def nearest(self) -> Ints:
        """The column at the middle of each stripe."""
        return self._columns_at((self.edges[:-1] + self.edges[1:]) / 2)

    @property
    def firsts(self) -> Ints:
        """The first column that starts in each stripe, or else the column at its middle."""
        starts = np.ceil(self.edges[:-1])
        inside = starts < self.edges[1:]
        return np.where(inside, self._columns_at(starts), self.nearest)

    def _columns_at(self, numbers: Floats) -> Ints:
        columns: Ints = np.array(self.columns)
        return columns[np.minimum(numbers.astype(np.int64), len(columns) - 1)]

    def means(self, values: Floats) -> Floats:
        """Return the mean of the columns in each stripe, shape (rows, stripes)."""
        own = np.ascontiguousarray(values[:, _slice(self.columns)])
        low, high = self.edges[:-1], self.edges[1:]
        first, last = np.floor(low).astype(np.int64), np.ceil(high).astype(np.int64) - 1
        means: Floats = np.zeros((len(own), len(first)))
        with np.errstate(over="ignore", invalid="ignore"):  # a file may contain huge values
            for ahead in range(int((last - first).max()) + 1):
                column = first + ahead
                covered = np.minimum(column + 1, high) - np.maximum(column, low)
                stripes = np.flatnonzero(column <= last)
                share = (covered / (high - low))[stripes]
                part = own.take(column[stripes], axis=1) * share
                if len(stripes) == len(first):
                    means += part
                else:
                    means[:, stripes] += part
        return means


class PixelColumns(NamedTuple):
    """The map from columns of a table to columns of pixels.

    Attributes
    ----------
    strands : tuple of Strand
    width : int
        The number of columns.
    stripes : int
        The number of stripes of equal colour.
    stripe : int
        Width of a stripe in pixels; the last stripe may be narrower.
    pixels : int
    kinds : int
        The number of alternating kinds of columns; 1 if kinds do not alternate.
    """

    strands: tuple[Strand, ...]
    width: int
    stripes: int
    stripe: int
    pixels: int
    kinds: int

    @property
    def group(self) -> float:
        """The number of columns of one kind per column of pixels."""
        return max(1.0, self.width / self.stripes)

    def counted(self, plural: str, which: str = "", *, in_turn: bool = True) -> str:
        """Return the number of columns per column of pixels as text, empty for one.

        The text is ``sines and cosines of 3 pairs`` if kinds alternate and `in_turn` is set.
        Otherwise it consists of `which`, the number and `plural`, such as ``mean of 3 dimensions``.
        """
        has_tenths = self.group < _WITHOUT_TENTHS
        count = f"{round(self.group, 1):g}" if has_tenths else f"{self.group:,.0f}"
        if count == "1":
            return ""
        of_pairs = self.kinds > 1 and in_turn
        return f"sines and cosines of {count} pairs" if of_pairs else f"{which}{count} {plural}"

    def means(self, values: Floats) -> Floats:
        """Return the mean of the columns in each pixel, shape (rows, pixels)."""
        out = np.empty((len(values), self.stripes))
        step = max(1, _CHUNK // self.stripes)
        for first in range(0, len(values), step):
            rows = slice(first, first + step)
            for strand in self.strands:
                out[rows, _slice(strand.pixels)] = strand.means(values[rows])
        return out if self.stripe == 1 else out.take(self._stripe_of_pixels, axis=1)

    def picked(self, values: Floats) -> Floats:
        """Return the value of the first column in each pixel, shape (rows, pixels)."""
        return values[:, self._of_pixels("firsts")]

    def column_at(self, x: float) -> int:
        """Return the column nearest to the coordinate `x`, of the kind that its pixel shows."""
        stripe = math.floor((x + 0.5) * self.pixels / self.width) // self.stripe
        stripe = min(max(0, stripe), self.stripes - 1)
        own = next(strand.columns for strand in self.strands if stripe in strand.pixels)
        return own[min(max(0, round((x - own.start) / own.step)), len(own) - 1)]

    @property
    def nearest(self) -> Ints:
        """The nearest column of the kind that each pixel shows, shape (pixels,)."""
        return self._of_pixels("nearest")

    def _of_pixels(self, name: str) -> Ints:
        columns: Ints = np.empty(self.stripes, dtype=np.int64)
        for strand in self.strands:
            columns[_slice(strand.pixels)] = getattr(strand, name)
        return columns[self._stripe_of_pixels]

    @property
    def _stripe_of_pixels(self) -> Ints:
        return np.arange(self.pixels) // self.stripe


def pixel_columns(
    kinds: Ints, pixels: int, stripe: int = 1, *, averages: bool = True
) -> PixelColumns | None:
    """Return how columns share pixels, or None if each column has its own pixels.

    Parameters
    ----------
    kinds : (columns,) int64
        Equal numbers for columns of the same kind, such as all sines.
    pixels : int
    stripe : int
        Minimum width of the stripes of alternating columns, in pixels.
    averages : bool
        Whether a pixel shows a mean, not the first column of its kind.
    """
    columns, pixels = len(kinds), max(1, pixels)
    runs = list(_runs(kinds))
    turns = max(period for _, _, period in runs)
    if turns == 1 or pixels < turns * stripe:  # too narrow to show a column of each kind
        stripe = turns = 1
    own = _OWN * stripe if turns > 1 else 1.0
    if pixels >= columns * (_CRISP if averages else own):
        return None
    if turns == 1:
        runs = [(start, stop, 1) for start, stop, _ in runs]
    if pixels >= columns * _OWN * stripe:
        runs, stripe, turns = [(0, columns, 1)], 1, 1
    stripes = -(-pixels // stripe)
    strands: list[Strand] = []
    for start, stop, period in runs:
        left, right = (round(stripes * edge / columns) for edge in (start, stop))
        strands += _strands(range(start, stop), range(left, right), period)
    return PixelColumns(tuple(strands), columns, stripes, stripe, pixels, turns)


def _strands(columns: range, stripes: range, period: int) -> Iterator[Strand]:
    for kind in range(period):
        own, pixels = columns[kind::period], stripes[kind::period]
        if not own or not pixels:
            continue
        edges = np.linspace(0, len(own), len(pixels) + 1)
        whole = np.rint(edges)
        yield Strand(own, pixels, np.where(np.abs(edges - whole) < _ROUNDING, whole, edges))


def _slice(numbers: range) -> slice:
    return slice(numbers.start, numbers.stop, numbers.step)


def _runs(kinds: Ints) -> Iterator[tuple[int, int, int]]:
    """Yield (start, stop, period) of the runs of columns whose kinds repeat with a period."""
    start = 0
    while start < len(kinds):
        periods = range(1, _MOST_KINDS + 1)
        lengths = {period: _repeating_length(kinds[start:], period) for period in periods}
        period = max(lengths, key=lambda period: (lengths[period], -period))
        if lengths[period] < 2 * period:
            period = 1
        length = lengths[period]
        yield start, start + length, period
        start += length


def _repeating_length(kinds: Ints, period: int) -> int:
    breaks = np.flatnonzero(kinds[period:] != kinds[:-period])
    return period + int(breaks[0]) if len(breaks) else len(kinds)
