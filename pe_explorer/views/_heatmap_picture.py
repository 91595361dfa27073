"""What a heat map shows: the encoding or the difference of two, the computing of its pixels, and
words for them.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.angles import AngleDifference, degrees
from pe_explorer.analysis.comparison import Subject, columns_of_cursor
from pe_explorer.colours.maps import ANGLE_MAPS, DIVERGING, ORDER_MAP, VALUE_MAPS
from pe_explorer.encodings import LIMIT, Periodic, Waves, require_known
from pe_explorer.model import Exploration
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.params import Choice, Whole, capitalised, declare
from pe_explorer.progress import report
from pe_explorer.tables import MOST_COLUMNS
from pe_explorer.views._cost import reading_cost, start_cost
from pe_explorer.views._levels import level_above, stand_in
from pe_explorer.views.base import Options, Size
from pe_explorer.widgets.plot import as_image, spread

__all__ = ["HeatmapOptions", "Picture", "colour_map", "cost", "picture", "status", "window"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_CHUNK = 1 << 20  # numbers computed or read before anybody can say stop
_FLAT = 0.06  # of the value range: a picture that varies less shows nothing
_ANGLE = 3  # values that are made in the time of an angle
_AROUND = 1e-6  # of a value that is everywhere: what is shown below and above it
_VANISHED = 0.05  # length of a mean below which its angle says nothing


@dataclass(frozen=True)
class HeatmapOptions(Options):
    """What the heat map shows of each pixel."""

    quantity: str = declare(
        Choice(
            "value",
            {
                "value": "the encoding's values",
                "angle": "the angle of each column's wave, 0° to 360°",
            },
            label="Show",
            help="What the colours mean.",
        )
    )
    pixel: str = declare(
        Choice(
            "mean",
            {
                "mean": "the exact mean of all positions in a pixel",
                "sample": (
                    "the first position in a pixel alone: what plotting every n-th row does, "
                    "aliasing and all"
                ),
            },
            label="Pixel",
            help="What a pixel shows that stands for many positions.",
        )
    )
    values: str = declare(
        Choice("blue-red", VALUE_MAPS, label="Colours", help="Colour map for values.")
    )
    angles: str = declare(
        Choice("cyclic", ANGLE_MAPS, label="Angle colours", help="Colour map for angles.")
    )
    first: int = declare(
        Whole(
            0,
            0,
            MOST_COLUMNS - 1,
            label="First column",
            unit="column",
            help="Where the columns shown begin.",
        )
    )
    dimensions: int = declare(
        Whole(
            0,
            0,
            MOST_COLUMNS,
            label="Columns",
            unit="columns",
            help="How many columns are shown; 0 for all.",
        )
    )


@dataclass(frozen=True)
class Picture:
    """A computed heat map: colour indices, and what they stand for.

    `rows` blocks of `block` positions down; `group` dimensions from `first` on in each
    column across. `note` says in a sentence why there is nothing to see; `period` is the
    wavelength to zoom to then, or `there` are the rows to go to. Some pixels of the rows that
    there are may have no `finite` value.
    """

    indices: npt.NDArray[np.uint8] | None
    block: int
    group: int
    first: int
    dimensions: int
    levels: tuple[float, float]
    note: str = ""
    period: float = 0.0
    there: range | None = None
    finite: bool = True


def cost(state: Exploration, size: Size) -> float:
    """Return about how many numbers `picture` makes or reads; an angle counts as several values."""
    options = state.options["heatmap"]
    assert isinstance(options, HeatmapOptions)
    block, rows = spread(state.count, size.height)
    if options.pixel == "sample":
        block = 1
    each = _ANGLE if options.quantity == "angle" else 1
    encodings = state.subject.encodings
    values = sum(e.cost(rows, block) * each + e.width * start_cost(e) for e in encodings)
    return values + sum(map(reading_cost, encodings))


def window(options: HeatmapOptions, width: int) -> tuple[int, int]:
    """Return first and number of the dimensions shown, fitted to the encoding's width."""
    count = min(options.dimensions or width, width)
    return min(options.first, width - count), count


def picture(state: Exploration, size: Size, cancelled: threading.Event) -> Picture:
    """Return the heat map of an exploration for an area of device pixels."""
    options = state.options["heatmap"]
    assert isinstance(options, HeatmapOptions)
    what = state.subject
    first, dimensions = window(options, what.width)
    block, rows = spread(state.count, size.height)
    rows = max(1, min(rows, (LIMIT + 1 - state.start) // block))
    group = -(-dimensions // max(1, size.width))
    inside = blocks_inside(state.start, block, rows, what.domain)
    if not inside:
        note = _lack_of_rows(what, range(state.start, state.start + block * rows))
        return Picture(None, block, group, first, dimensions, (0.0, 1.0), note, there=what.domain)
    columns = np.arange(first, first + dimensions, group)
    values = np.full((rows, len(columns)), np.nan)
    reach = block if options.pixel == "mean" else 1
    step = max(1, int(_CHUNK // max(e.cost(1, reach) for e in what.encodings)))
    for row in inside[::step]:
        report(cancelled, (row - inside.start) / len(inside))
        part = slice(row, min(row + step, inside.stop))
        chunk = _shown(what, options, state.start + row * block, block, part.stop - row)
        values[part] = _columns(chunk, first, dimensions, group, mean=_averages(options))
    found = values[inside.start : inside.stop]
    levels = _levels(what, options, found)
    note, period = _agreement(what, options, found, columns, single=block == group == 1), 0.0
    if block > 1 and not note:
        period = _longest_period(what, options, slice(first, first + dimensions))
        turns = 0 < period <= LIMIT  # a wave longer than all positions is flat for another reason
        note = _flatness(what, options, found, levels, block) if turns else ""
    return Picture(
        as_image(values, levels),
        block,
        group,
        first,
        dimensions,
        levels,
        note,
        period if note else 0.0,
        finite=bool(np.isfinite(found).all()),
    )


def _longest_period(what: Subject, options: HeatmapOptions, places: slice) -> float:
    """Return the longest period of some columns, 0 where none repeats."""
    if options.quantity == "angle":
        return float(what.angles.periods()[places].max(initial=0.0))
    found = 0.0
    for e, columns in zip(what.encodings, what.columns, strict=False):
        if isinstance(e, Periodic):
            found = max(found, float(e.periods()[columns[places]].max(initial=0.0)))
    return found


def _lack_of_rows(what: Subject, shown: range) -> str:
    """Return why no row of pixels has anything to show."""
    for e in what.encodings:
        if problem := e.shortage:
            return f"{capitalised(problem)}."
    domain, plural = what.domain, what.encoding.rows.plural
    rows = f"There are rows for the {plural} {domain[0]:,} to {domain[-1]:,} only"
    if domain[0] in shown or shown[0] in domain:
        return f"{rows}, fewer than a pixel stands for here."
    return f"{rows}, and none of them is shown."


def _shown(what: Subject, options: HeatmapOptions, start: int, block: int, rows: int) -> Floats:
    """Return what to show of each block and column, shape (rows, width)."""
    samples = range(start, start + block * rows, block)
    if options.quantity == "angle":
        return _angles(what.angles, samples, mean=options.pixel == "mean")
    if options.pixel == "sample":
        return what.table(samples)
    return what.block_means(start, block, rows)


def _angles(e: Waves | AngleDifference, samples: range, *, mean: bool) -> Floats:
    """Return the angle of each column's wave in degrees, nan where it has none or they cancel."""
    if mean:
        phasors = e.phasor_means(samples.start, samples.step, len(samples))
    else:
        phasors = e.phasors(samples)
    angles = degrees(phasors)
    angles[np.abs(phasors) < _VANISHED] = np.nan
    none = np.full((len(samples), 1), np.nan)
    shown: Floats = np.hstack([angles, none])[:, e.wave_of]  # the last for -1, no wave
    return shown


def _columns(values: Floats, first: int, dimensions: int, group: int, *, mean: bool) -> Floats:
    """Return the dimensions shown; where a pixel holds several, their mean, or the first of
    them.
    """
    shown = values[:, first : first + dimensions]
    if group == 1:
        return shown
    starts = np.arange(0, dimensions, group)
    if not mean:
        return shown[:, starts]
    with np.errstate(over="ignore", invalid="ignore"):
        sums: Floats = np.add.reduceat(shown, starts, axis=1)
    return sums / np.diff(np.append(starts, dimensions))


def _levels(what: Subject, options: HeatmapOptions, values: Floats) -> tuple[float, float]:
    if options.quantity == "angle":
        return 0.0, 360.0
    if what.less is not None:
        most = level_above(values)
        return -most, most
    return what.encoding.value_range or _unbounded_levels(values)


def _unbounded_levels(values: Floats) -> tuple[float, float]:
    """Return the least and the greatest value; 0 in the middle, where it lies between them."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return -0.5, 0.5
    low, high = float(finite.min()), float(finite.max())
    if low < 0 < high:
        most = level_above(finite)
        return -most, most
    if low < high:
        return low, high
    around = max(0.5, abs(low) * _AROUND)
    return low - around, high + around


def _agreement(
    what: Subject, options: HeatmapOptions, values: Floats, columns: Ints, *, single: bool
) -> str:
    """Return that two encodings do not differ, or an empty text."""
    if what.less is None:
        return ""
    off = (
        values[:, what.angles.wave_of[columns] >= 0] % 360.0
        if options.quantity == "angle"
        else values
    )
    if off.any() or not off.size:  # nan counts: angles that cancel are no agreement
        return ""
    return f"The two agree {'at every position' if single else 'in every pixel'} shown."


def _flatness(
    what: Subject, options: HeatmapOptions, values: Floats, levels: tuple[float, float], block: int
) -> str:
    """Return why nothing is to be seen of many positions, or an empty text."""
    if options.pixel == "sample" or (
        what.less is not None and options.quantity == "value"
    ):  # levels of differences follow them
        return ""
    turns = "every wave"
    if options.quantity == "angle":
        flat, level = not np.isfinite(values).any(), "angles cancel"
        turns = turns if what.less is None else "every two waves against each other"
    else:
        flat = what.encoding.value_range is not None and bool(
            np.ptp(values) < _FLAT * (levels[1] - levels[0])
        )
        level = f"mean is {round(float(np.mean(values)), 2):g}"
    return (
        f"A pixel stands for {block:,} positions, many turns of {turns}: the {level} everywhere."
        if flat
        else ""
    )


def _averages(options: HeatmapOptions) -> bool:
    """Whether a column that holds several dimensions shows their mean.

    The mean of angles says nothing.
    """
    return options.quantity == "value" and options.pixel == "mean"


def colour_map(what: Subject, options: HeatmapOptions, levels: tuple[float, float]) -> str:
    """Return the map for what is shown.

    One with a middle for differences, a cyclic one for angles.
    """
    if options.quantity == "angle":
        return options.angles
    if what.less is not None:
        return options.values if options.values in DIVERGING else "blue-red"
    unbounded = what.encoding.value_range is None and options.values in DIVERGING
    lopsided = unbounded and -levels[0] != levels[1]
    return ORDER_MAP if lopsided else options.values  # without a middle to diverge from


def status(state: Exploration, options: HeatmapOptions, picture: Picture) -> str:
    """Return in a sentence what the pixels are."""
    if picture.indices is None:
        return f"Heatmap: nothing is shown. {picture.note}"
    means, angle = options.pixel == "mean", options.quantity == "angle"
    compared = state.subject.less is not None
    how = (
        "the first of"
        if not means
        else "the exact mean difference over"
        if compared and angle
        else "the exact mean of"
    )
    linear = " (the difference of their means)" if compared and means and not angle else ""
    of = state.subject.encoding.rows
    rows = (
        f"one {of.name} a row"
        if picture.block == 1
        else f"a row of pixels is {how} {picture.block:,} {of.plural}{linear}"
    )
    which = "the mean of" if _averages(options) else "the first of"
    across = state.subject.encoding.columns.plural
    columns = "" if picture.group == 1 else f", a column is {which} {picture.group:,} {across}"
    blank = _blank(options, picture, compared=compared)
    colours = (
        ""
        if angle
        else stand_in(options.values, colour_map(state.subject, options, picture.levels))
    )
    return f"Heatmap: {_which(state, options)}{rows}{columns}.{blank}{colours}"


def _blank(options: HeatmapOptions, picture: Picture, *, compared: bool) -> str:
    """Return what pixels without a colour stand for, where there can be some."""
    if options.quantity == "value":
        return "" if picture.finite else " White: no finite number."
    if picture.block == 1 or options.pixel != "mean":
        return ""
    if compared:
        return " White: many turns of one against the other, which cancel."
    return " White: many turns, whose angles cancel."


def _which(state: Exploration, options: HeatmapOptions) -> str:
    """Return which encodings are looked at, where pins are, and in which dimensions."""
    what = state.subject
    if what.less is not None:
        all_of_both = what.encoding.width == what.less.width == what.width
        kind = (
            "angles, current minus pinned"
            if options.quantity == "angle"
            else "current minus pinned"
        )
        common = (
            ""
            if all_of_both
            else f" in the {what.width:,} {what.encoding.columns.plural} that both have"
        )
        return f"{kind}{common}; "
    if what.show == "current":
        return ""
    reach = int((columns_of_cursor(what, require_known(state.encoding)) >= 0).sum())
    if reach == what.width:
        return "the pinned encoding; "
    kept = f"keeps to the {reach:,} that the current one has, too" if reach else "cannot be in them"
    columns = what.encoding.columns.plural
    return f"the pinned encoding (of its {what.width:,} {columns}, the cursor {kept}); "
