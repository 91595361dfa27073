"""What a heat map shows: the encoding or the difference of two, the computing of its pixels, and words for them."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.angles import AngleDifference, degrees
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import LIMIT, Encoding, known
from pe_explorer.model import Exploration
from pe_explorer.model.worker import report
from pe_explorer.params import Choice, Whole, declare
from pe_explorer.views._cost import start_cost
from pe_explorer.views._levels import level_above, stand_in
from pe_explorer.views.base import Options, Size
from pe_explorer.widgets.plot import as_image, spread
from pe_explorer.widgets.theme import ANGLE_MAPS, DIVERGING, ORDER_MAP, VALUE_MAPS

__all__ = ["HeatmapOptions", "Picture", "colour_map", "cost", "picture", "status", "window"]

Floats = npt.NDArray[np.float64]

_CHUNK = 1 << 20  # numbers computed at a time
_FLAT = 0.06  # of the value range: a picture that varies less shows nothing
_ANGLE = 3  # values that are made in the time of an angle
_VANISHED = 0.05  # length of a mean below which its angle says nothing


@dataclass(frozen=True)
class HeatmapOptions(Options):
    """What the heat map shows of each pixel."""

    quantity: str = declare(
        Choice(
            "value",
            {"value": "the encoding's values", "angle": "the angle of each dimension's wave, 0° to 360°"},
            label="Show",
            help="What the colours mean.",
        )
    )
    pixel: str = declare(
        Choice(
            "mean",
            {
                "mean": "the exact mean of all positions in a pixel",
                "sample": "the first position in a pixel alone: what plotting every n-th row does, aliasing and all",
            },
            label="Pixel",
            help="What a pixel shows that stands for many positions.",
        )
    )
    values: str = declare(Choice("blue-red", VALUE_MAPS, label="Colours", help="Colour map for values."))
    angles: str = declare(Choice("cyclic", ANGLE_MAPS, label="Angle colours", help="Colour map for angles."))
    first: int = declare(Whole(0, 0, 65_535, label="First dimension", unit="dimension", help="Where the dimensions shown begin."))
    dimensions: int = declare(Whole(0, 0, 65_536, label="Dimensions", unit="dimensions", help="How many dimensions are shown; 0 for all."))


@dataclass(frozen=True)
class Picture:
    """A computed heat map: colour indices, and what they stand for.

    `rows` blocks of `block` positions down; `group` dimensions from `first` on in each
    column across. `note` says in a sentence why there is nothing to see, `period` the
    wavelength to zoom to then.
    """

    indices: npt.NDArray[np.uint8] | None
    block: int
    group: int
    first: int
    dimensions: int
    levels: tuple[float, float]
    note: str = ""
    period: float = 0.0


def cost(state: Exploration, size: Size) -> float:
    """Return about how many numbers `picture` makes; an angle counts as several values."""
    options = state.options["heatmap"]
    assert isinstance(options, HeatmapOptions)
    rows = spread(state.count, size.height)[1]
    each = _ANGLE if options.quantity == "angle" else 1
    return sum(e.dim * (rows * each + start_cost(e)) for e in state.subject.encodings)


def window(options: HeatmapOptions, dim: int) -> tuple[int, int]:
    """Return first and number of the dimensions shown, fitted to the encoding's width."""
    count = min(options.dimensions or dim, dim)
    return min(options.first, dim - count), count


def picture(state: Exploration, size: Size, cancelled: threading.Event) -> Picture:
    """Return the heat map of an exploration for an area of device pixels."""
    options = state.options["heatmap"]
    assert isinstance(options, HeatmapOptions)
    what = state.subject
    first, dimensions = window(options, what.dim)
    block, rows = spread(state.count, size.height)
    rows = max(1, min(rows, (LIMIT + 1 - state.start) // block))
    group = -(-dimensions // max(1, size.width))
    if options.quantity == "angle" and (note := _lack_of_angles(what)):
        return Picture(None, block, group, first, dimensions, (0.0, 360.0), note)
    chunks = []
    step = max(1, _CHUNK // max(e.dim for e in what.encodings))
    for row in range(0, rows, step):
        report(cancelled, row / rows)
        chunk = _shown(what, options, state.start + row * block, block, min(step, rows - row))
        chunks.append(_columns(chunk, first, dimensions, group, mean=_averages(options)))
    values = chunks[0] if len(chunks) == 1 else np.concatenate(chunks)
    levels = _levels(what, options, values)
    columns = slice(first, first + dimensions, group)
    note, period = _agreement(what, options, values, columns, single=block == group == 1), 0.0
    if block > 1 and not note:
        waves = (what.angles,) if options.quantity == "angle" else what.encodings
        period = max(float(e.periods()[first : first + dimensions].max()) for e in waves)
        turns = 0 < period <= LIMIT  # a wave that is longer than all positions is flat for another reason
        note = _flatness(what, options, values, levels, block) if turns else ""
    return Picture(as_image(values, levels), block, group, first, dimensions, levels, note, period if note else 0.0)


def _shown(what: Subject, options: HeatmapOptions, start: int, block: int, rows: int) -> Floats:
    """Return what to show of each block and dimension, shape (rows, dim)."""
    samples = range(start, start + block * rows, block)
    if options.quantity == "angle":
        return _angles(what.angles, samples, mean=options.pixel == "mean")[:, : what.dim]
    return what.table(samples) if options.pixel == "sample" else what.block_means(start, block, rows)


def _angles(e: Encoding | AngleDifference, samples: range, *, mean: bool) -> Floats:
    """Return the angle of each dimension's wave in degrees, nan where it has none or the angles of a block cancel."""
    phasors = e.phasor_means(samples.start, samples.step, len(samples)) if mean else e.phasors(samples)
    angles = degrees(phasors)
    angles[np.abs(phasors) < _VANISHED] = np.nan
    shown: Floats = np.c_[angles, np.full(len(samples), np.nan)][:, e.wave_of]  # column -1: no wave
    return shown


def _columns(values: Floats, first: int, dimensions: int, group: int, *, mean: bool) -> Floats:
    """Return the dimensions shown; where a pixel holds several, their mean, or the first of them."""
    shown = values[:, first : first + dimensions]
    if group == 1:
        return shown
    starts = np.arange(0, dimensions, group)
    if not mean:
        return shown[:, starts]
    sums: Floats = np.add.reduceat(shown, starts, axis=1)
    return sums / np.diff(np.append(starts, dimensions))


def _levels(what: Subject, options: HeatmapOptions, values: Floats) -> tuple[float, float]:
    if options.quantity == "angle":
        return 0.0, 360.0
    if what.less is not None:
        most = level_above(values)
        return -most, most
    return what.encoding.value_range or _extent(values)


def _extent(values: Floats) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _lack_of_angles(what: Subject) -> str:
    """Return why there are no angles to show, or an empty text."""
    lacking = [e for e in what.encodings if e.turns is None]
    if not lacking:
        return ""
    if what.less is None:
        return f"“{what.encoding.name}” is made of no waves, so its dimensions have no angle. Its values can be shown."
    which = "Both encodings are" if len(lacking) == 2 else f"{'The pinned' if what.less in lacking else 'The current'} “{lacking[0].name}” is"
    return f"{which} made of no waves, so there are no angles to compare. The difference of the values can be shown."


def _agreement(what: Subject, options: HeatmapOptions, values: Floats, columns: slice, *, single: bool) -> str:
    """Return that two encodings do not differ, or an empty text."""
    if what.less is None:
        return ""
    off = values[:, what.angles.wave_of[columns] >= 0] % 360.0 if options.quantity == "angle" else values
    if off.any() or not off.size:  # nan counts: angles that cancel are no agreement
        return ""
    return f"The two agree {'at every position' if single else 'in every pixel'} shown."


def _flatness(what: Subject, options: HeatmapOptions, values: Floats, levels: tuple[float, float], block: int) -> str:
    """Return why nothing is to be seen of many positions, or an empty text."""
    if options.pixel == "sample" or (what.less is not None and options.quantity == "value"):  # levels of differences follow them
        return ""
    turns = "every wave"
    if options.quantity == "angle":
        flat, level = not np.isfinite(values).any(), "angles cancel"
        turns = turns if what.less is None else "every two waves against each other"
    else:
        flat = what.encoding.value_range is not None and bool(np.ptp(values) < _FLAT * (levels[1] - levels[0]))
        level = f"mean is {round(float(np.mean(values)), 2):g}"
    return f"A pixel stands for {block:,} positions, many turns of {turns}: the {level} everywhere." if flat else ""


def _averages(options: HeatmapOptions) -> bool:
    """Whether a column that holds several dimensions shows their mean: the mean of angles says nothing."""
    return options.quantity == "value" and options.pixel == "mean"


def colour_map(what: Subject, options: HeatmapOptions) -> str:
    """Return the map for what is shown: one with a middle for differences, a cyclic one for angles."""
    if options.quantity == "angle":
        return options.angles
    if what.less is not None:
        return options.values if options.values in DIVERGING else "blue-red"
    unbounded = what.encoding.value_range is None and options.values in DIVERGING
    return ORDER_MAP if unbounded else options.values  # without a middle to diverge from


def status(state: Exploration, options: HeatmapOptions, picture: Picture) -> str:
    """Return in a sentence what the pixels are."""
    means, angle = options.pixel == "mean", options.quantity == "angle"
    compared = state.subject.less is not None
    how = "the first of" if not means else "the exact mean difference over" if compared and angle else "the exact mean of"
    linear = " (the difference of their means)" if compared and means and not angle else ""
    rows = "one position a row" if picture.block == 1 else f"a row of pixels is {how} {picture.block:,} positions{linear}"
    which = "the mean of" if _averages(options) else "the first of"
    columns = "" if picture.group == 1 else f", a column is {which} {picture.group:,} dimensions"
    turns = "many turns of one against the other, which cancel" if compared else "many turns, whose angles cancel"
    blank = f" White: {turns}." if angle and picture.block > 1 and means else ""
    colours = "" if angle else stand_in(options.values, colour_map(state.subject, options))
    return f"Heatmap: {_which(state, options)}{rows}{columns}.{blank}{colours}"


def _which(state: Exploration, options: HeatmapOptions) -> str:
    """Return which encodings are looked at, where pins are, and in which dimensions."""
    what = state.subject
    if what.less is not None:
        kind = "angles, current minus pinned" if options.quantity == "angle" else "current minus pinned"
        common = "" if what.encoding.dim == what.less.dim else f" in the {what.dim:,} dimensions that both have"
        return f"{kind}{common}; "
    if what.show == "current":
        return ""
    reach = known(state.encoding).dim
    beyond = f" (the cursor keeps to the first {reach:,} dimensions)" if what.dim > reach else ""
    return f"the pinned encoding{beyond}; "
