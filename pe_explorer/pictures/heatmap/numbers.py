"""The numbers of a heatmap: what each pixel shows, and why there may be nothing to see."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.angles import AngleDifference, by_column, degrees
from pe_explorer.analysis.comparison import Subject
from pe_explorer.analysis.precision import float32_error
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import LIMIT, Periodic, Waves
from pe_explorer.numeric.positions import blocks_inside, len_of
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.cost import reading_cost, start_cost
from pe_explorer.pictures.heatmap.options import HeatmapOptions, columns_shown, places
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
    note : str
        In a sentence, why there is nothing to see, or an empty text.
    period : float
        The wavelength to zoom to if there is nothing to see, 0 for none.
    rows : range or None
        The rows that there are, where none of them is shown.
    finite : bool
        Whether every pixel whose rows exist has a finite number.
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
    note: str = ""
    period: float = 0.0
    rows: range | None = None
    finite: bool = True
    second: HeatmapNumbers | None = None

    @property
    def group(self) -> float:
        """How many columns of a kind a column of pixels stands for."""
        return self.columns.group if self.columns else 1.0


def cost(subject: Subject, options: HeatmapOptions, positions: range, size: Size) -> float:
    """Return about how many numbers `compute` makes; slow ones count as several."""
    block, rows = spread(len_of(positions), size.height)
    reach = block if options.averages else 1
    each = _COST[options.quantity]
    total = 0.0
    for e in subject.encodings:
        total += e.cost(rows, reach) * each
        total += e.width * start_cost(e)
        total += reading_cost(e)
    return total * len(options.windows(positions))


def compute(
    subject: Subject,
    options: HeatmapOptions,
    positions: range,
    size: Size,
    cancelled: threading.Event,
) -> HeatmapNumbers:
    """Return the numbers of one heatmap or of two in the same colours, each for a `size`."""
    windows = options.windows(positions)
    share = 1 / len(windows)
    found = []
    for place, (shown, own) in enumerate(zip(windows, (size, size.second), strict=False)):
        part = Part(cancelled, place * share, share)
        found.append(_computed(subject, options, shown, own, part))
    if _known_limits(subject, options) is None:
        limits = _limits(subject, options, found)
        found = [_coloured(numbers, limits) for numbers in found]
    first, *others = found
    return first._replace(second=others[0]) if others else first


def _computed(
    subject: Subject, options: HeatmapOptions, shown: range, size: Size, cancelled: Part
) -> HeatmapNumbers:
    """Return the numbers of some positions, with colours if their limits are known."""
    first, dimensions, _ = columns_shown(subject, options)
    block, rows = spread(len_of(shown), size.height)
    most = (LIMIT + 1 - shown.start) // block
    rows = max(1, min(rows, most))
    columns = places(subject, options)[first : first + dimensions]
    averages = options.averages_columns
    how = pixel_columns(subject.kinds[columns], size.width, size.stripe, averages=averages)
    known = _known_limits(subject, options)
    empty = HeatmapNumbers(None, None, block, how, first, dimensions, known or _NO_LIMITS)
    inside = blocks_inside(shown.start, block, rows, subject.domain)
    if not inside:
        wanted = range(shown.start, shown.start + block * rows)
        return empty._replace(note=_why_no_rows(subject, wanted), rows=subject.domain)
    shape = rows, how.pixels if how else dimensions
    is_large = math.prod(shape) >= _FLOAT32_PIXELS
    values = np.full(shape, np.nan, dtype=np.float32 if known and is_large else np.float64)
    indices = np.full(shape, NO_VALUE, dtype=np.uint8)
    for part in _parts(subject, options, block, inside):
        report(cancelled, (part.start - inside.start) / len(inside))
        start = shown.start + part.start * block
        chunk = _rows(subject, options, start, block, len(part))
        wanted_columns = columns if options.by_pairs else slice(first, first + dimensions)
        part_shown = _reduced(chunk[:, wanted_columns], how, averages)
        values[part.start : part.stop] = part_shown
        if known:
            indices[part.start : part.stop] = colour_indices(part_shown, known)
    found = values[inside.start : inside.stop]
    shown_columns = columns[how.nearest] if how else columns
    single = block == 1 and empty.group == 1
    note, period = _why_nothing(subject, options, block, single, shown_columns, found, empty.limits)
    return empty._replace(
        values=values, indices=indices, note=note, period=period, finite=all_finite(found)
    )


def _reduced(values: Floats, how: PixelColumns | None, averages: bool) -> Floats:
    if how is None:
        return values
    return how.means(values) if averages else how.picked(values)


def _coloured(numbers: HeatmapNumbers, limits: tuple[float, float]) -> HeatmapNumbers:
    """Return numbers with the colours that limits give them."""
    indices = None if numbers.values is None else colour_indices(numbers.values, limits)
    return numbers._replace(indices=indices, limits=limits)


def _parts(subject: Subject, options: HeatmapOptions, block: int, inside: range) -> list[range]:
    """Return the rows of pixels in parts that are quick enough to be cancelled in between."""
    reach = block if options.averages else 1
    dearest = max(e.cost(1, reach) for e in subject.encodings)
    step = max(1, int(_CHUNK // dearest))
    firsts = range(0, len(inside), step)
    return [inside[first : first + step] for first in firsts]


def _rows(subject: Subject, options: HeatmapOptions, start: int, block: int, rows: int) -> Floats:
    """Return what to show of each block and column, shape (rows, width)."""
    samples = range(start, start + block * rows, block)
    if options.shows_angles:
        return _angles(subject.angles, samples, options.averages)
    if options.shows_errors:
        return float32_error(subject.encoding, samples)
    if options.averages:
        return subject.block_means(start, block, rows)
    return subject.table(samples)


def _angles(e: Waves | AngleDifference, samples: range, averages: bool) -> Floats:
    """Return the angle of each column's wave in degrees, nan where it has none or they cancel."""
    if averages:
        phasors = e.phasor_means(samples.start, samples.step, len(samples))
    else:
        phasors = e.phasors(samples)
    angles = degrees(phasors)
    angles[np.abs(phasors) < _LEAST_LENGTH] = np.nan
    return by_column(angles, e.wave_of)


def _known_limits(subject: Subject, options: HeatmapOptions) -> tuple[float, float] | None:
    """Return the values at the ends of the colour map, None where they follow the values shown."""
    if options.shows_angles:
        return 0.0, 360.0
    if options.shows_errors or subject.less is not None:
        return None
    return subject.encoding.value_range


def _limits(
    subject: Subject, options: HeatmapOptions, found: Sequence[HeatmapNumbers]
) -> tuple[float, float]:
    """Return the values at the ends of the colour map, which follow the values of all pictures."""
    tables = [numbers.values for numbers in found if numbers.values is not None]
    if not tables:
        return _NO_LIMITS
    ends = np.array([finite_ends(values) or (np.nan, np.nan) for values in tables])
    if subject.less is None and not options.shows_errors:
        return _limits_of_unbounded(ends)
    largest = limit_above(ends)
    return -largest, largest


def _limits_of_unbounded(values: Floats) -> tuple[float, float]:
    """Return the least and the greatest value; 0 in the middle, where it lies between them."""
    low, high = finite_ends(values) or (0.0, 0.0)
    if low < 0 < high:
        largest = limit_above(values)
        return -largest, largest
    if low < high:
        return low, high
    margin = max(0.5, abs(low) * _CONSTANT_MARGIN)
    return low - margin, high + margin


# -- why there is nothing to see ------------------------------------------------------------------


def _why_no_rows(subject: Subject, wanted: range) -> str:
    """Return why no row of pixels has anything to show."""
    for e in subject.encodings:
        if e.shortage:
            return f"{capitalised(e.shortage)}."
    domain, plural = subject.domain, subject.encoding.rows.plural
    first, last = domain[0], domain[-1]
    rows = f"There are rows for the {plural} {first:,} to {last:,} only"
    if first in wanted or wanted[0] in domain:
        return f"{rows}, fewer than a pixel stands for here."
    return f"{rows}, and none of them is shown."


def _why_nothing(
    subject: Subject,
    options: HeatmapOptions,
    block: int,
    single: bool,
    columns: Ints,
    values: Floats,
    limits: tuple[float, float],
) -> tuple[str, float]:
    """Return why there is nothing to see, and the wavelength to zoom to; else ("", 0).

    The values are named after `columns` of the subject, and stand for blocks of positions; for
    `single` cells, where they stand for one each.
    """
    if subject.less is not None and not _differ(subject, options, values, columns):
        where = "at every position" if single else "in every pixel"
        return f"The two agree {where} shown.", 0.0
    if block == 1 or options.shows_errors:
        return "", 0.0
    period = _longest_period(subject, options, columns)
    if not 0 < period <= LIMIT:  # a wave longer than all positions is flat for another reason
        return "", 0.0
    same = _same_everywhere(subject, options, values, limits)
    if not same:
        return "", 0.0
    compares_angles = options.shows_angles and subject.less is not None
    which = "every two waves against each other" if compares_angles else "every wave"
    positions = f"A pixel stands for {block:,} positions, many turns of {which}"
    return f"{positions}: the {same} everywhere.", period


def _differ(subject: Subject, options: HeatmapOptions, values: Floats, columns: Ints) -> bool:
    """Return whether two encodings differ; also where angles cancel, and where nothing is shown."""
    differences = values
    if options.shows_angles:
        with_wave = subject.angles.wave_of[columns] >= 0
        differences = values[:, with_wave] % 360.0
    return bool(differences.any()) or not differences.size


def _longest_period(subject: Subject, options: HeatmapOptions, shown: Ints) -> float:
    """Return the longest period of some columns, 0 where none repeats."""
    if options.shows_angles and isinstance(subject.angles, AngleDifference):
        return float(subject.angles.periods()[shown].max(initial=0.0))
    longest = 0.0
    for e, columns in zip(subject.encodings, subject.columns, strict=False):
        if isinstance(e, Periodic):
            longest = max(longest, float(e.periods()[columns[shown]].max(initial=0.0)))
    return longest


def _same_everywhere(
    subject: Subject, options: HeatmapOptions, values: Floats, limits: tuple[float, float]
) -> str:
    """Return what all pixels show, where they hardly differ; else an empty text."""
    if not options.averages:
        return ""
    if options.shows_angles:
        return "" if np.isfinite(values).any() else "angles cancel"
    if subject.less is not None or subject.encoding.value_range is None:
        return ""  # the limits follow the values
    if np.ptp(values) >= _FLAT * (limits[1] - limits[0]):
        return ""
    mean = round(float(np.mean(values)), 2) + 0.0  # no minus before a zero
    return f"mean is {printed.rounded(mean)}"
