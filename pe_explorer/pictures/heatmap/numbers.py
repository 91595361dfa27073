"""The numbers of a heatmap: what each pixel shows, and why there may be nothing to see."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.angles import AngleDifference, by_column, degrees
from pe_explorer.analysis.comparison import Subject
from pe_explorer.analysis.precision import float32_error
from pe_explorer.analysis.windows import windows
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import LIMIT, Axis, Periodic, Waves
from pe_explorer.numeric.positions import blocks_inside, len_of
from pe_explorer.pictures._columns import ShownColumns, columns_shown
from pe_explorer.pictures.cost import reading_cost, start_cost
from pe_explorer.pictures.heatmap.options import HeatmapOptions
from pe_explorer.pictures.limits import all_finite, finite_ends, limit_above
from pe_explorer.pictures.pixel_columns import PixelColumns, pixel_columns
from pe_explorer.pictures.pixels import NO_VALUE, Size, colour_indices, spread
from pe_explorer.progress import Part, report

_CHUNK = 1 << 20  # numbers computed or read between two checks for cancelling
_FLOAT32_PIXELS = 1 << 24  # values of this many pixels or more are stored as float32
_COST = {"value": 1, "angle": 3, "error": 8}  # of one number, in values of a table
_CONSTANT_MARGIN = 1e-6  # distance of the limits from a constant value, relative to it
_LEAST_LENGTH = 0.05  # a mean phasor shorter than this has no angle
_NO_LIMITS = (0.0, 1.0)  # limits where there is no value
_FLAT = 0.06  # values that span less of the value range show no structure


class HeatmapNumbers(NamedTuple):
    """The numbers of a heatmap.

    Attributes
    ----------
    values : (rows, columns) float64, or None
        What each pixel shows, nan for none; None where no row is shown. Very many values, whose
        limits are known before, are float32.
    indices : (rows, columns) uint8, or None
        Their colours.
    block : int
        Positions in a row of pixels.
    columns : PixelColumns or None
        How the columns shown become pixels, None where each has pixels of its own.
    first, dimensions : int
        The dimensions shown.
    limits : (float, float)
        The values at the two ends of the colour map.
    agree : bool
        Whether two encodings are the same in every pixel.
    period : float or None
        The wavelength to zoom to, where nothing is to be seen of any wave.
    flat_mean : float or None
        The mean that every pixel then shows; None of angles, which then cancel.
    has_gaps : bool
        Whether a pixel whose rows exist has no finite number.
    second : HeatmapNumbers or None
        The numbers from the second start on, with the same limits.
    """

    values: Floats | None
    indices: npt.NDArray[np.uint8] | None
    block: int
    columns: PixelColumns | None
    first: int
    dimensions: int
    limits: tuple[float, float]
    agree: bool = False
    period: float | None = None
    flat_mean: float | None = None
    has_gaps: bool = False
    second: HeatmapNumbers | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no row is shown."""
        return self.values is None

    @property
    def many(self) -> int | None:
        """How many positions a row of pixels stands for, None for one."""
        return self.block if self.block > 1 else None


@dataclass(frozen=True)
class Content:
    """What a heatmap shows of an encoding, or of the difference of two."""

    subject: Subject
    options: HeatmapOptions

    # -- columns -------------------------------------------------------------------------------

    @cached_property
    def places(self) -> Ints:
        """The column of the subject that each column of the heatmap shows.

        Where each pair has one, it is the first that has the pair's wave.
        """
        if self.options.by_pairs:
            waves, first = np.unique(self.subject.angles.wave_of, return_index=True)
            if len(found := first[waves >= 0]):
                return found.astype(np.int64)
        return np.arange(self.subject.width)

    @property
    def axis(self) -> Axis:
        """What the columns stand for: pairs, or columns if waves have only one."""
        e = self.subject.encoding
        has_pairs = self.options.by_pairs and isinstance(e, Waves) and e.pairs
        return Axis("pair", "pairs", "i") if has_pairs else e.columns

    @cached_property
    def shown(self) -> ShownColumns:
        """The columns shown, fitted to those there are."""
        width = len(self.places) if self.options.by_pairs else self.subject.width
        return columns_shown(self.options.first, self.options.dimensions, width)

    def place_of(self, column: int | None) -> int | None:
        """Return the column of the heatmap that shows one of the subject, None if none does."""
        if column is None or not self.options.by_pairs:
            return column
        wave_of = self.subject.angles.wave_of
        same = wave_of[self.places] == wave_of[column]
        return int(same.argmax()) if same.any() else None

    def column_at(self, number: int, cursor: int | None) -> int:
        """Return the subject's column that one of the heatmap shows: the cursor's, if it does."""
        if cursor is not None and self.options.by_pairs and self.place_of(cursor) == number:
            return cursor
        return int(self.places[number])

    # -- numbers -------------------------------------------------------------------------------

    def cost(self, positions: range, size: Size) -> float:
        """Return about how many numbers `numbers` makes; slow ones count as several."""
        block, rows = spread(len_of(positions), size.height)
        reach = block if self.options.averages else 1
        total = 0.0
        for e in self.subject.encodings:
            total += e.cost(rows, reach) * _COST[self.options.quantity]
            total += e.width * start_cost(e) + reading_cost(e)
        return total * len(windows(positions, self.options.second))

    def numbers(self, positions: range, size: Size, cancelled: threading.Event) -> HeatmapNumbers:
        """Return the numbers of one picture or of two in the same colours, each for a `size`."""
        shown, found = windows(positions, self.options.second), []
        share = 1 / len(shown)
        for place, (window, own) in enumerate(zip(shown, (size, size.second), strict=False)):
            found.append(self._numbers(window, own, Part(cancelled, place * share, share)))
        if self._known_limits is None:
            limits = self._limits(found)
            for place, each in enumerate(found):
                indices = None if each.values is None else colour_indices(each.values, limits)
                found[place] = each._replace(indices=indices, limits=limits)
        first, *others = found
        return first._replace(second=others[0]) if others else first

    def _numbers(self, shown: range, size: Size, cancelled: Part) -> HeatmapNumbers:
        first, dimensions, _ = self.shown
        block, rows = spread(len_of(shown), size.height)
        rows = max(1, min(rows, (LIMIT + 1 - shown.start) // block))
        columns = self.places[first : first + dimensions]
        averages, known = self.options.averages_columns, self._known_limits
        kinds = self.subject.kinds[columns]
        how = pixel_columns(kinds, size.width, size.stripe, averages=averages)
        empty = HeatmapNumbers(None, None, block, how, first, dimensions, known or _NO_LIMITS)
        inside = blocks_inside(shown.start, block, rows, self.subject.domain)
        if not inside:
            return empty
        shape = rows, how.pixels if how else dimensions
        is_large = math.prod(shape) >= _FLOAT32_PIXELS
        values = np.full(shape, np.nan, dtype=np.float32 if known and is_large else np.float64)
        indices = np.full(shape, NO_VALUE, dtype=np.uint8)
        reach = block if self.options.averages else 1
        step = max(1, int(_CHUNK // max(e.cost(1, reach) for e in self.subject.encodings)))
        for done in range(0, len(inside), step):
            report(cancelled, done / len(inside))
            part = inside[done : done + step]
            numbers = self._pixels(shown.start + part.start * block, block, len(part), how)
            values[part.start : part.stop] = numbers
            if known:
                indices[part.start : part.stop] = colour_indices(numbers, known)
        found = values[inside.start : inside.stop]
        nothing = self._why_nothing(block, columns[how.nearest] if how else columns, found)
        gaps = not all_finite(found)
        return empty._replace(values=values, indices=indices, has_gaps=gaps, **nothing)

    def _pixels(self, start: int, block: int, rows: int, how: PixelColumns | None) -> Floats:
        first, dimensions, _ = self.shown
        columns: Any = slice(first, first + dimensions)
        if self.options.by_pairs:
            columns = self.places[columns]
        numbers: Floats = self._rows(start, block, rows)[:, columns]
        if how is None:
            return numbers
        return how.means(numbers) if self.options.averages_columns else how.picked(numbers)

    def _rows(self, start: int, block: int, rows: int) -> Floats:
        """Return what to show of each block and column, shape (rows, width)."""
        samples, averages = range(start, start + block * rows, block), self.options.averages
        if self.options.shows_errors:
            return float32_error(self.subject.encoding, samples)
        if not self.options.shows_angles:
            subject = self.subject
            return subject.block_means(start, block, rows) if averages else subject.table(samples)
        e = self.subject.angles
        phasors = e.phasor_means(start, block, rows) if averages else e.phasors(samples)
        angles = degrees(phasors)
        angles[np.abs(phasors) < _LEAST_LENGTH] = np.nan  # they cancel
        return by_column(angles, e.wave_of)

    @property
    def _known_limits(self) -> tuple[float, float] | None:
        if self.options.shows_angles:
            return 0.0, 360.0
        if self.options.shows_errors or self.subject.less is not None:
            return None
        return self.subject.encoding.value_range

    def _limits(self, found: Sequence[HeatmapNumbers]) -> tuple[float, float]:
        tables = [numbers.values for numbers in found if numbers.values is not None]
        if not tables:
            return _NO_LIMITS
        ends = np.array([finite_ends(values) or (np.nan, np.nan) for values in tables])
        low, high = finite_ends(ends) or (0.0, 0.0)
        if self.options.shows_errors or self.subject.less is not None or low < 0 < high:
            largest = limit_above(ends)
            return -largest, largest
        if low < high:
            return low, high
        margin = max(0.5, abs(low) * _CONSTANT_MARGIN)
        return low - margin, high + margin

    # -- why there is nothing to see -----------------------------------------------------------

    def _why_nothing(self, block: int, columns: Ints, values: Floats) -> dict[str, Any]:
        """Return the fields of the numbers that say why there is nothing to see, if so.

        The values are named after `columns` of the subject, and stand for blocks of positions.
        """
        options, subject = self.options, self.subject
        if subject.less is not None:
            differences = values
            if options.shows_angles:  # also where they cancel
                differences = values[:, subject.angles.wave_of[columns] >= 0] % 360.0
            if differences.size and not differences.any():
                return {"agree": True}
        if block == 1 or not options.averages:
            return {}
        period = self._longest_period(columns)
        if not 0 < period <= LIMIT:  # a wave longer than all positions is flat for another reason
            return {}
        if options.shows_angles:
            return {} if np.isfinite(values).any() else {"period": period}
        if self._known_limits is None:  # the limits follow the values
            return {}
        low, high = self._known_limits
        if np.ptp(values) >= _FLAT * (high - low):
            return {}
        mean = round(float(np.mean(values)), 2) + 0.0  # no minus before a zero
        return {"period": period, "flat_mean": mean}

    def _longest_period(self, shown: Ints) -> float:
        subject = self.subject
        if self.options.shows_angles and isinstance(subject.angles, AngleDifference):
            return float(subject.angles.periods()[shown].max(initial=0.0))
        longest = 0.0
        for e, columns in zip(subject.encodings, subject.columns, strict=False):
            if isinstance(e, Periodic):
                longest = max(longest, float(e.periods()[columns[shown]].max(initial=0.0)))
        return longest
