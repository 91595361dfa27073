"""Compute the value of each pixel of a heatmap, or the reason why no structure is visible."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis import precision
from pe_explorer.analysis.angles import AngleDifference, degrees, expand_to_columns
from pe_explorer.analysis.comparison import Subject
from pe_explorer.analysis.windows import windows
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import LIMIT, Axis, Periodic, Waves
from pe_explorer.numeric.positions import count_positions, find_blocks_inside
from pe_explorer.pictures._columns import ShownColumns, select_columns
from pe_explorer.pictures.cost import estimate_reading_cost, estimate_start_cost
from pe_explorer.pictures.heatmap.options import HeatmapOptions
from pe_explorer.pictures.limits import find_finite_limits, find_limit_above, is_all_finite
from pe_explorer.pictures.pixel_columns import PixelColumns, make_pixel_columns
from pe_explorer.pictures.pixels import NO_VALUE_INDEX, Size, compute_colour_indices, spread
from pe_explorer.progress import PartialProgress, report

_CHUNK_SIZE = 1 << 20  # number of values computed or read between two checks for cancellation
_MIN_FLOAT32_PIXELS = 1 << 24  # minimum number of pixels for storing values as float32
_VALUE_COSTS = {"value": 1, "angle": 3, "error": 8}  # cost per value; see `pictures.cost`
_CONSTANT_MARGIN = 1e-6  # relative margin of the limits around a constant value
_MIN_PHASOR_LENGTH = 0.05  # minimum length of a mean phasor whose angle is meaningful
_DEFAULT_LIMITS = (0.0, 1.0)  # limits if there are no values
_MAX_FLAT_SHARE = 0.06  # fraction of the value range below which no structure is visible


class HeatmapNumbers(NamedTuple):
    """The pixel values of a heatmap."""

    # Values of the pixels, shape (rows, columns), with nan for empty pixels; None if the range has
    # no rows. Very large arrays are float32 if their limits are known in advance.
    values: Floats | None
    indices: npt.NDArray[np.uint8] | None  # colour indices; None if `values` is None
    block: int  # number of positions per row of pixels
    columns: PixelColumns | None  # how columns share pixels; None if each column has its own pixels
    first: int  # first column shown
    dimensions: int  # number of columns shown
    limits: tuple[float, float]  # values at the ends of the colour map
    agree: bool = False  # whether two encodings are equal in every pixel
    period: float | None = None  # wavelength to zoom to; None unless every wave is averaged out
    flat_mean: float | None = None  # mean of all pixels if `period` is set; None for angles
    has_gaps: bool = False  # whether a pixel with rows has no finite value
    second: HeatmapNumbers | None = None  # values of a second range with the same limits

    @property
    def is_empty(self) -> bool:
        return self.values is None

    @property
    def many(self) -> int | None:
        """The number of positions per row of pixels, or None for one position per row."""
        return self.block if self.block > 1 else None


@dataclass(frozen=True)
class HeatmapContent:
    """The content of a heatmap: an encoding, or the difference between two encodings."""

    subject: Subject
    options: HeatmapOptions

    # -- columns -------------------------------------------------------------------------------

    @cached_property
    def subject_columns(self) -> Ints:
        """The column of the subject for each heatmap column; for pairs, the first of each pair."""
        if self.options.by_pairs:
            waves, columns = np.unique(self.subject.angles.wave_indices, return_index=True)
            if (waves >= 0).any():
                return columns[waves >= 0].astype(np.int64)
        return np.arange(self.subject.width)

    @property
    def axis(self) -> Axis:
        """The axis of the columns, which are pairs or dimensions."""
        e = self.subject.encoding
        has_pairs = self.options.by_pairs and isinstance(e, Waves) and e.pairs
        return Axis("pair", "pairs", "i") if has_pairs else e.columns

    @cached_property
    def shown_columns(self) -> ShownColumns:
        width = len(self.subject_columns) if self.options.by_pairs else self.subject.width
        return select_columns(self.options.first, self.options.dimensions, width)

    def find_heatmap_column(self, column: int | None) -> int | None:
        """Return the heatmap column that shows a column of the subject.

        Return None if `column` is None or if, in a heatmap of pairs, the column has no wave.
        """
        if column is None:
            return None
        return next(iter(self.find_heatmap_columns([column]).tolist()), None)

    def find_heatmap_columns(self, columns: Ints | Sequence[int]) -> Ints:
        """Return the heatmap columns that show any of the given columns of the subject, sorted."""
        if not self.options.by_pairs:
            return np.asarray(columns, np.int64)
        wave_indices = self.subject.angles.wave_indices
        shown = np.isin(wave_indices[self.subject_columns], wave_indices[np.asarray(columns)])
        return np.flatnonzero(shown)

    def find_subject_column(self, column: int, cursor: int | None) -> int:
        """Return the first column of the subject that a heatmap column shows.

        Return `cursor` instead if the heatmap column shows the pair of this column.
        """
        is_at_cursor = self.options.by_pairs and self.find_heatmap_column(cursor) == column
        if cursor is not None and is_at_cursor:
            return cursor
        return int(self.subject_columns[column])

    # -- numbers -------------------------------------------------------------------------------

    def cost(self, positions: range, size: Size) -> float:
        block, rows = spread(count_positions(positions), size.height)
        reach = block if self.options.averages else 1
        total = 0.0
        for e in self.subject.encodings:
            total += e.cost(rows, reach) * _VALUE_COSTS[self.options.quantity]
            total += e.width * estimate_start_cost(e) + estimate_reading_cost(e)
        return total * len(windows(positions, self.options.second))

    def numbers(self, positions: range, size: Size, progress: threading.Event) -> HeatmapNumbers:
        """Return the pixel values of one or two ranges of positions, with common limits."""
        ranges, parts = windows(positions, self.options.second), []
        share = 1 / len(ranges)
        for number, window in enumerate(ranges):
            part = PartialProgress(progress, number * share, share)
            parts.append(self._make_part(window, size.second_panel_size if number else size, part))
        if self._known_limits is None:
            limits = self._compute_limits(parts)
            for number, numbers in enumerate(parts):
                values = numbers.values
                indices = None if values is None else compute_colour_indices(values, limits)
                parts[number] = numbers._replace(indices=indices, limits=limits)
        return parts[0]._replace(second=parts[1]) if len(parts) > 1 else parts[0]

    def _make_part(self, positions: range, size: Size, progress: PartialProgress) -> HeatmapNumbers:
        first, dimensions, _ = self.shown_columns
        block, rows = spread(count_positions(positions), size.height)
        rows = max(1, min(rows, (LIMIT + 1 - positions.start) // block))
        columns = self.subject_columns[first : first + dimensions]
        averages, limits = self.options.should_average_columns, self._known_limits
        kinds = self.subject.kinds[columns]
        pixels = make_pixel_columns(kinds, size.width, size.stripe, averages=averages)
        known_limits = limits or _DEFAULT_LIMITS
        empty = HeatmapNumbers(None, None, block, pixels, first, dimensions, known_limits)
        inside = find_blocks_inside(positions.start, block, rows, self.subject.domain)
        if not inside:
            return empty
        shape = rows, pixels.pixels if pixels else dimensions
        is_large = math.prod(shape) >= _MIN_FLOAT32_PIXELS
        values = np.full(shape, np.nan, dtype=np.float32 if limits and is_large else np.float64)
        indices = np.full(shape, NO_VALUE_INDEX, dtype=np.uint8)
        column_selection: Any = (
            columns if self.options.by_pairs else slice(first, first + dimensions)
        )
        reach = block if self.options.averages else 1
        step = max(1, int(_CHUNK_SIZE // max(e.cost(1, reach) for e in self.subject.encodings)))
        for done_count in range(0, len(inside), step):
            report(progress, done_count / len(inside))
            part = inside[done_count : done_count + step]
            start = positions.start + part.start * block
            numbers: Floats = self._rows(start, block, len(part))[:, column_selection]
            if pixels:
                numbers = pixels.means(numbers) if averages else pixels.select_first_values(numbers)
            values[part.start : part.stop] = numbers
            if limits:
                indices[part.start : part.stop] = compute_colour_indices(numbers, limits)
        row_values = values[inside.start : inside.stop]
        if pixels:
            columns = columns[pixels.nearest_columns]
        structure_facts = self._find_structure_facts(block, columns, row_values)
        gaps = not is_all_finite(row_values)
        return empty._replace(values=values, indices=indices, has_gaps=gaps, **structure_facts)

    def _rows(self, start: int, block: int, rows: int) -> Floats:
        """Return one row of values for each block of positions, shape (rows, width)."""
        samples, averages = range(start, start + block * rows, block), self.options.averages
        if self.options.shows_errors:
            return precision.error(self.subject.encoding, samples, **self.options.rounding)
        if not self.options.shows_angles:
            subject = self.subject
            return subject.block_means(start, block, rows) if averages else subject.table(samples)
        e = self.subject.angles
        phasors = e.phasor_means(start, block, rows) if averages else e.phasors(samples)
        angles = degrees(phasors)
        angles[np.abs(phasors) < _MIN_PHASOR_LENGTH] = np.nan  # the phasors nearly cancel
        return expand_to_columns(angles, e.wave_indices)

    @property
    def _known_limits(self) -> tuple[float, float] | None:
        if self.options.shows_angles:
            return 0.0, 360.0
        if self.options.shows_errors or self.subject.subtrahend is not None:
            return None
        return self.subject.encoding.value_range

    def _compute_limits(self, parts: Sequence[HeatmapNumbers]) -> tuple[float, float]:
        tables = [part.values for part in parts if part.values is not None]
        if not tables:
            return _DEFAULT_LIMITS
        ends = np.array([find_finite_limits(values) or (np.nan, np.nan) for values in tables])
        low, high = find_finite_limits(ends) or (0.0, 0.0)
        if self.options.shows_errors or self.subject.subtrahend is not None or low < 0 < high:
            largest = find_limit_above(ends)
            return -largest, largest
        if low < high:
            return low, high
        margin = max(0.5, abs(low) * _CONSTANT_MARGIN)
        return low - margin, high + margin

    # -- why no structure is visible -----------------------------------------------------------

    def _find_structure_facts(self, block: int, columns: Ints, values: Floats) -> dict[str, Any]:
        """Return fields of `HeatmapNumbers` that explain why no structure is visible.

        Return an empty dictionary if there is nothing to explain. `columns` are the columns of
        the subject that `values` show.
        """
        options, subject = self.options, self.subject
        if subject.subtrahend is not None:
            differences = values
            if options.shows_angles:  # ignore columns without a wave, which have no angle
                differences = values[:, subject.angles.wave_indices[columns] >= 0] % 360.0
            if differences.size and not differences.any():
                return {"agree": True}
        if block == 1 or not options.averages:
            return {}
        period = self._find_longest_period(columns)
        if not 0 < period <= LIMIT:  # no wave, or a wave longer than any range
            return {}
        if options.shows_angles:
            return {} if np.isfinite(values).any() else {"period": period}
        if self._known_limits is None:  # the limits of the values show more detail
            return {}
        low, high = self._known_limits
        if np.ptp(values) >= _MAX_FLAT_SHARE * (high - low):
            return {}
        mean = round(float(np.mean(values)), 2) + 0.0  # adding 0.0 turns -0.0 into 0.0
        return {"period": period, "flat_mean": mean}

    def _find_longest_period(self, columns: Ints) -> float:
        subject = self.subject
        if self.options.shows_angles and isinstance(subject.angles, AngleDifference):
            return float(subject.angles.periods()[columns].max(initial=0.0))
        pairs = zip(subject.encodings, subject.columns, strict=False)
        periods = [e.periods()[own[columns]] for e, own in pairs if isinstance(e, Periodic)]
        return max((float(period.max(initial=0.0)) for period in periods), default=0.0)
