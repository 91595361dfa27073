"""The numbers of a heatmap: what each pixel shows, and why there may be nothing to see."""

from __future__ import annotations

import math
import threading
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.angles import AngleDifference, degrees
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import LIMIT, Periodic, Waves
from pe_explorer.numeric.positions import blocks_inside, len_of
from pe_explorer.params import capitalised
from pe_explorer.pictures._heatmap_options import HeatmapOptions, columns_shown
from pe_explorer.pictures.cost import reading_cost, start_cost
from pe_explorer.pictures.levels import all_finite, finite_ends, level_above
from pe_explorer.pictures.pixels import NO_VALUE, Size, colour_indices, spread
from pe_explorer.progress import report

__all__ = ["Numbers", "compute", "cost", "has_known_levels"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_CHUNK = 1 << 20  # numbers computed or read before the work can be cancelled
_LARGE = 1 << 24  # pixels: of so many, values keep the digits that can be seen
_FLAT = 0.06  # of the value range: a picture that varies less shows nothing
_ANGLE = 3  # values that are made in the time of an angle
_AROUND = 1e-6  # of a value that is everywhere: what is shown below and above it
_VANISHED = 0.05  # length of a mean below which its angle says nothing


class Numbers(NamedTuple):
    """The numbers of a heatmap.

    Attributes
    ----------
    values : (rows, columns) float64, or None
        What each pixel shows, nan for none; None where no row is shown. Where they are very many
        and their levels are known before, float32.
    indices : (rows, columns) uint8, or None
        Their colours.
    block : int
        Positions in a row of pixels.
    group : int
        Dimensions in a column of pixels, from `first` on.
    first, dimensions : int
        The dimensions shown.
    levels : (float, float)
        The values at the two ends of the colour map.
    note : str
        In a sentence, why there is nothing to see, or an empty text.
    period : float
        The wavelength to zoom to then, 0 for none.
    rows : range or None
        The rows to go to where none is shown.
    finite : bool
        Whether every pixel whose rows exist has a finite number.
    """

    values: Floats | None
    indices: npt.NDArray[np.uint8] | None
    block: int
    group: int
    first: int
    dimensions: int
    levels: tuple[float, float]
    note: str = ""
    period: float = 0.0
    rows: range | None = None
    finite: bool = True


def cost(subject: Subject, options: HeatmapOptions, shown: range, size: Size) -> float:
    """Return about how many numbers `compute` makes; slow ones count as several."""
    block, rows = spread(len_of(shown), size.height)
    reach = block if options.averages else 1
    each = _ANGLE if options.shows_angles else 1
    total = 0.0
    for e in subject.encodings:
        total += e.cost(rows, reach) * each
        total += e.width * start_cost(e)
        total += reading_cost(e)
    return total


def compute(
    subject: Subject,
    options: HeatmapOptions,
    shown: range,
    size: Size,
    cancelled: threading.Event,
) -> Numbers:
    """Return the numbers of a heatmap of some positions for an area of device pixels."""
    first, dimensions = columns_shown(options, subject.width)
    block, rows = spread(len_of(shown), size.height)
    most = (LIMIT + 1 - shown.start) // block
    rows = max(1, min(rows, most))
    group = -(-dimensions // max(1, size.width))
    empty = Numbers(None, None, block, group, first, dimensions, (0.0, 1.0))
    inside = blocks_inside(shown.start, block, rows, subject.domain)
    if not inside:
        wanted = range(shown.start, shown.start + block * rows)
        return empty._replace(note=_why_no_rows(subject, wanted), rows=subject.domain)
    columns = np.arange(first, first + dimensions, group)
    shape = rows, len(columns)
    known = _known_levels(subject, options)
    is_large = math.prod(shape) >= _LARGE
    values = np.full(shape, np.nan, dtype=np.float32 if known and is_large else np.float64)
    indices = np.full(shape, NO_VALUE, dtype=np.uint8)
    for part in _parts(subject, options, block, inside):
        report(cancelled, (part.start - inside.start) / len(inside))
        start = shown.start + part.start * block
        chunk = _rows(subject, options, start, block, len(part))
        part_shown = chunk[:, first : first + dimensions]
        grouped = _grouped(part_shown, group, options.averages_columns)
        values[part.start : part.stop] = grouped
        if known:
            indices[part.start : part.stop] = colour_indices(grouped, known)
    found = values[inside.start : inside.stop]
    levels = known or _levels(subject, found)
    if not known:
        indices[inside.start : inside.stop] = colour_indices(found, levels)
    note, period = _why_nothing(subject, options, empty, found, columns, levels)
    return empty._replace(
        values=values,
        indices=indices,
        levels=levels,
        note=note,
        period=period,
        finite=all_finite(found),
    )


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
    angles[np.abs(phasors) < _VANISHED] = np.nan
    no_wave = np.full((len(samples), 1), np.nan)  # last, where the index -1 finds it
    by_column: Floats = np.hstack([angles, no_wave])[:, e.wave_of]
    return by_column


def _grouped(values: Floats, group: int, averages: bool) -> Floats:
    """Return a column for each group of dimensions: their mean, or the first of them."""
    if group == 1:
        return values
    dimensions = values.shape[1]
    starts = np.arange(0, dimensions, group)
    if not averages:
        return values[:, starts]
    sizes = np.diff(np.append(starts, dimensions))
    with np.errstate(over="ignore", invalid="ignore"):
        sums: Floats = np.add.reduceat(values, starts, axis=1)
    return sums / sizes


def has_known_levels(subject: Subject, options: HeatmapOptions) -> bool:
    """Return whether the ends of the colour map are known before the values are."""
    return _known_levels(subject, options) is not None


def _known_levels(subject: Subject, options: HeatmapOptions) -> tuple[float, float] | None:
    """Return the values at the ends of the colour map, None where they follow the values shown."""
    if options.shows_angles:
        return 0.0, 360.0
    return None if subject.less is not None else subject.encoding.value_range


def _levels(subject: Subject, values: Floats) -> tuple[float, float]:
    """Return the values at the ends of the colour map, which follow the values shown."""
    if subject.less is None:
        return _levels_of_unbounded(values)
    largest = level_above(values)
    return -largest, largest


def _levels_of_unbounded(values: Floats) -> tuple[float, float]:
    """Return the least and the greatest value; 0 in the middle, where it lies between them."""
    ends = finite_ends(values)
    if ends is None:
        return -0.5, 0.5
    low, high = ends
    if low < 0 < high:
        largest = level_above(values)
        return -largest, largest
    if low < high:
        return low, high
    margin = max(0.5, abs(low) * _AROUND)
    return low - margin, high + margin


# -- why there is nothing to see -----------------------------------------------------------------


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
    empty: Numbers,
    values: Floats,
    columns: Ints,
    levels: tuple[float, float],
) -> tuple[str, float]:
    """Return why there is nothing to see, and the wavelength to zoom to; else ("", 0)."""
    if subject.less is not None and not _differ(subject, options, values, columns):
        single = empty.block == empty.group == 1
        where = "at every position" if single else "in every pixel"
        return f"The two agree {where} shown.", 0.0
    if empty.block == 1:
        return "", 0.0
    shown = slice(empty.first, empty.first + empty.dimensions)
    period = _longest_period(subject, options, shown)
    if not 0 < period <= LIMIT:  # a wave longer than all positions is flat for another reason
        return "", 0.0
    level = _level_everywhere(subject, options, values, levels)
    if not level:
        return "", 0.0
    compares_angles = options.shows_angles and subject.less is not None
    which = "every two waves against each other" if compares_angles else "every wave"
    positions = f"A pixel stands for {empty.block:,} positions, many turns of {which}"
    return f"{positions}: the {level} everywhere.", period


def _differ(subject: Subject, options: HeatmapOptions, values: Floats, columns: Ints) -> bool:
    """Return whether two encodings differ; also where angles cancel, and where nothing is shown."""
    differences = values
    if options.shows_angles:
        with_wave = subject.angles.wave_of[columns] >= 0
        differences = values[:, with_wave] % 360.0
    return bool(differences.any()) or not differences.size


def _longest_period(subject: Subject, options: HeatmapOptions, shown: slice) -> float:
    """Return the longest period of some columns, 0 where none repeats."""
    if options.shows_angles:
        return float(subject.angles.periods()[shown].max(initial=0.0))
    longest = 0.0
    for e, columns in zip(subject.encodings, subject.columns, strict=False):
        if isinstance(e, Periodic):
            longest = max(longest, float(e.periods()[columns[shown]].max(initial=0.0)))
    return longest


def _level_everywhere(
    subject: Subject, options: HeatmapOptions, values: Floats, levels: tuple[float, float]
) -> str:
    """Return what all pixels show, where they hardly differ; else an empty text."""
    if not options.averages:
        return ""
    if options.shows_angles:
        return "" if np.isfinite(values).any() else "angles cancel"
    if subject.less is not None or subject.encoding.value_range is None:
        return ""  # the levels follow the values
    if np.ptp(values) >= _FLAT * (levels[1] - levels[0]):
        return ""
    mean = round(float(np.mean(values)), 2) + 0.0  # no minus before a zero
    return f"mean is {mean:g}"
