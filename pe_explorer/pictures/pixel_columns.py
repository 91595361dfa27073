"""Which columns of a table a column of pixels stands for, where columns are narrow.

Sines and cosines that take turns are never mixed where there is no room for both: pixels take
turns as they do, so that a wide table looks like one of fewer pairs. A pixel shows the mean of
its columns, each weighted by how much of it the pixel covers; so equal columns look equal,
wherever their borders lie between the pixels.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints

_CRISP = 4.0  # a column of at least so many pixels has whole pixels of its own
_OWN = 2.0  # columns of fewer pixels that take turns share them
_MOST_KINDS = 4  # kinds of columns that take turns
_ROUNDING = 1e-9  # of a column, that counts as a rounding error
_CHUNK = 1 << 17  # numbers averaged at a time: the cache holds them
_WITHOUT_TENTHS = 10  # columns per pixel from which on their number has no tenths


class Strand(NamedTuple):
    """Columns of one kind, and the pixels that show them.

    Attributes
    ----------
    columns : range
    pixels : range
        The stripes of pixels, counted from the left.
    edges : (n + 1,) float64
        Where the stripes begin and end, in columns of the strand.
    """

    columns: range
    pixels: range
    edges: Floats

    @property
    def nearest(self) -> Ints:
        """The column at the middle of each stripe."""
        middles = (self.edges[:-1] + self.edges[1:]) / 2
        return self._columns_at(np.floor(middles))

    @property
    def firsts(self) -> Ints:
        """The first column that begins in each stripe, or else the one at its middle."""
        starts = np.ceil(self.edges[:-1])
        inside = starts < self.edges[1:]
        return np.where(inside, self._columns_at(starts), self.nearest)

    def _columns_at(self, numbers: Floats) -> Ints:
        columns = np.array(self.columns)
        found: Ints = columns[np.minimum(numbers.astype(np.int64), len(columns) - 1)]
        return found

    def means(self, values: Floats) -> Floats:
        """Return the mean of what each stripe covers, shape (rows, stripes)."""
        own = np.ascontiguousarray(values[:, _slice(self.columns)])
        low, high = self.edges[:-1], self.edges[1:]
        first, last = np.floor(low).astype(np.int64), np.ceil(high).astype(np.int64) - 1
        means: Floats = np.zeros((len(own), len(first)))
        with np.errstate(over="ignore", invalid="ignore"):  # a file may hold any numbers
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
    """How the columns of a table become columns of pixels.

    Attributes
    ----------
    strands : tuple of Strand
    width : int
        The number of columns.
    stripes : int
        Number of parts of one colour each, `stripe` pixels wide, perhaps without the last.
    stripe, pixels : int
    kinds : int
        How many kinds of columns take turns, 1 where none do.
    """

    strands: tuple[Strand, ...]
    width: int
    stripes: int
    stripe: int
    pixels: int
    kinds: int

    @property
    def group(self) -> float:
        """How many columns of a kind a column of pixels stands for."""
        return max(1.0, self.width / self.stripes)

    def counted(self, plural: str, which: str = "", *, in_turn: bool = True) -> str:
        """Return for how many columns a column of pixels stands, an empty text for one.

        It is ``sines and cosines of 3 pairs`` where kinds take turns, and `which` 3 of what
        `plural` says elsewhere; also where kinds make no difference, without `in_turn`.
        """
        count = (
            f"{self.group:,.0f}" if self.group >= _WITHOUT_TENTHS else f"{round(self.group, 1):g}"
        )
        if count == "1":
            return ""
        of_pairs = self.kinds > 1 and in_turn
        return f"sines and cosines of {count} pairs" if of_pairs else f"{which}{count} {plural}"

    def means(self, values: Floats) -> Floats:
        """Return the mean that each pixel shows of rows of values, shape (rows, pixels)."""
        out = np.empty((len(values), self.stripes))
        step = max(1, _CHUNK // self.stripes)
        for first in range(0, len(values), step):
            rows = slice(first, first + step)
            for strand in self.strands:
                out[rows, _slice(strand.pixels)] = strand.means(values[rows])
        return out if self.stripe == 1 else out.take(self._stripe_of_pixels, axis=1)

    def picked(self, values: Floats) -> Floats:
        """Return the first value of its kind in each pixel, shape (rows, pixels)."""
        return values[:, self._of_pixels("firsts")]

    def column_at(self, x: float) -> int:
        """Return the column nearest to a place, in columns, of the kind that its pixel shows."""
        stripe = math.floor((x + 0.5) * self.pixels / self.width) // self.stripe
        stripe = min(max(0, stripe), self.stripes - 1)
        own = next(each.columns for each in self.strands if stripe in each.pixels)
        return own[min(max(0, round((x - own.start) / own.step)), len(own) - 1)]

    @property
    def nearest(self) -> Ints:
        """The column that each pixel is named after, of its own kind, shape (pixels,)."""
        return self._of_pixels("nearest")

    def _of_pixels(self, what: str) -> Ints:
        columns = np.empty((1, self.stripes), dtype=np.int64)
        for strand in self.strands:
            columns[0, _slice(strand.pixels)] = getattr(strand, what)
        found: Ints = columns[0, self._stripe_of_pixels]
        return found

    @property
    def _stripe_of_pixels(self) -> Ints:
        return np.arange(self.pixels) // self.stripe


def pixel_columns(
    kinds: Ints, pixels: int, stripe: int = 1, *, averages: bool = True
) -> PixelColumns | None:
    """Return how columns become pixels; None where each column has pixels of its own.

    Parameters
    ----------
    kinds : (columns,) int64
        Columns of the same kind have the same number, such as all sines.
    pixels : int
    stripe : int
        Pixels that the stripes of columns that take turns are wide, at least.
    averages : bool
        Whether a pixel shows a mean; else it shows the first column of its kind.
    """
    columns, pixels = len(kinds), max(1, pixels)
    stretches = list(_stretches(kinds))
    turns = max(period for _, _, period in stretches)
    if turns == 1 or pixels < turns * stripe:  # too few even for one column of each kind
        stripe = turns = 1
    own = _OWN * stripe if turns > 1 else 1.0
    if pixels >= columns * (_CRISP if averages else own):
        return None
    if turns == 1:
        stretches = [(start, stop, 1) for start, stop, _ in stretches]
    if pixels >= columns * _OWN * stripe:
        stretches, stripe, turns = [(0, columns, 1)], 1, 1
    stripes = -(-pixels // stripe)
    strands: list[Strand] = []
    for start, stop, period in stretches:
        left, right = (round(stripes * place / columns) for place in (start, stop))
        strands += _strands(range(start, stop), range(left, right), period)
    return PixelColumns(tuple(strands), columns, stripes, stripe, pixels, turns)


def _strands(columns: range, stripes: range, period: int) -> Iterator[Strand]:
    if not len(stripes):
        return
    for kind in range(period):
        own, shown = columns[kind::period], stripes[kind::period]
        if not own or not shown:
            continue
        edges = np.linspace(0, len(own), len(shown) + 1)
        whole = np.rint(edges)
        edges = np.where(np.abs(edges - whole) < _ROUNDING, whole, edges)
        yield Strand(own, shown, edges)


def _slice(numbers: range) -> slice:
    return slice(numbers.start, numbers.stop, numbers.step)


def _stretches(kinds: Ints) -> Iterator[tuple[int, int, int]]:
    """Yield stretches of columns, first and end, in which so many kinds take turns."""
    start = 0
    while start < len(kinds):
        rest = kinds[start:]
        lengths = {period: _length(rest, period) for period in range(1, _MOST_KINDS + 1)}
        period = max(lengths, key=lambda period: (lengths[period], -period))
        if lengths[period] < 2 * period:
            period = 1
        length = lengths[period]
        yield start, start + length, period
        start += length


def _length(kinds: Ints, period: int) -> int:
    breaks = np.flatnonzero(kinds[period:] != kinds[:-period])
    if len(breaks):
        return period + int(breaks[0])
    return len(kinds)
