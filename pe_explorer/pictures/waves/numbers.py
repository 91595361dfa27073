"""The numbers of the waves: the curves of the encoding and of pins, and what lines read off."""

import math
import threading
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import curves, distance
from pe_explorer.analysis.angles import common_columns
from pe_explorer.analysis.comparison import why_not_comparable
from pe_explorer.analysis.curves import Course, CurveGrid, is_continuous
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Steady, Unknown, Waves, needs, require_known
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.pictures.cost import reading_cost
from pe_explorer.pictures.named import every_encoding
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.waves.options import WavesOptions, dimensions_shown
from pe_explorer.progress import Part, Reporter, report

_WAVE_COST = 4.0  # cost of a point of a wave, in values of a table


class Vector(NamedTuple):
    """What a line reads off.

    Attributes
    ----------
    option : str
        The option that is the line.
    position : float
        Where it is; where only whole positions have numbers, the nearest.
    heights : (columns,) float64
        nan where there is no row.
    """

    option: str
    position: float
    heights: Floats


class WavesNumbers(NamedTuple):
    """The numbers of the waves.

    Attributes
    ----------
    columns : tuple of int
        The columns that are drawn.
    courses : tuple of Course
        How each of them runs.
    of_pins : tuple of (tuple of (column, Course))
        The same of each pin, of those columns that mean the same.
    vectors : tuple of Vector
        What the lines read off of the current encoding.
    distances : (vectors, vectors) float64
        Between them, in the chosen metric; of angles there are none, shape (0, 0).
    block : int
        Positions that a point of a curve stands for.
    """

    columns: tuple[int, ...]
    courses: tuple[Course, ...]
    of_pins: tuple[tuple[tuple[int, Course], ...], ...]
    vectors: tuple[Vector, ...]
    distances: Floats
    block: int


def compute(
    state: Exploration, options: WavesOptions, size: Size, cancelled: threading.Event
) -> WavesNumbers:
    """Return the curves for so many pixels across, and what the lines read off."""
    e = require_known(state.encoding)
    columns = dimensions_shown(options, e)
    grid = CurveGrid.of(state.start, state.count, size.width)
    share = 1 / (1 + len(state.pins))
    progress = partial(report, Part(cancelled, 0.0, share))
    own = _courses(e, columns, grid, options, progress, ranges=size.ranges)
    of_pins = []
    for done, pin in enumerate(state.pins, 1):
        progress = partial(report, Part(cancelled, done * share, share))
        pairs = _pairs(e, pin.encoding, columns)
        found: tuple[Course, ...] = ()
        if pairs and isinstance(pin.encoding, Encoding) and _has(pin.encoding, options):
            others = list(pairs.values())
            found = _courses(pin.encoding, others, grid, options, progress, ranges=size.ranges)
        else:
            pairs = {}
        of_pins.append(tuple(zip(pairs, found, strict=True)))
    vectors = read_off(e, columns, options)
    distances = np.empty((0, 0))
    if not options.shows_angles:
        each = [[distance_between(e, a, b, state.metric) for b in vectors] for a in vectors]
        distances = np.array(each).reshape(len(vectors), len(vectors))
    return WavesNumbers(columns, own, tuple(of_pins), vectors, distances, grid.block)


def read_off(e: Encoding, columns: tuple[int, ...], options: WavesOptions) -> tuple[Vector, ...]:
    """Return what each line reads off of the columns."""
    found = []
    for option, place in options.lines.items():
        position = place if is_continuous(e) else math.floor(place + 0.5)
        found.append(Vector(option, position, heights(e, columns, position, options)))
    return tuple(found)


def heights(e: Encoding, columns: Sequence[int], position: float, options: WavesOptions) -> Floats:
    """Return what the curves of columns have at a position, shape (columns,); nan for nothing."""
    if options.shows_angles and isinstance(e, Steady):
        return curves.angles_at(e, columns, position, one_turn=options.one_turn)
    return curves.heights(e, columns, position)


def _courses(
    e: Encoding,
    columns: Sequence[int],
    grid: CurveGrid,
    options: WavesOptions,
    progress: Reporter,
    *,
    ranges: bool,
) -> tuple[Course, ...]:
    """Return how values or angles run, see `curves.courses`."""
    if options.shows_angles and isinstance(e, Steady):
        return curves.angle_courses(e, columns, grid, one_turn=options.one_turn)
    return curves.courses(e, columns, grid, progress, ranges=ranges)


def _has(e: Encoding, options: WavesOptions) -> bool:
    """Return whether an encoding has what the curves are of."""
    return isinstance(e, Steady) or not options.shows_angles


def shown(state: Exploration, options: WavesOptions) -> tuple[int, ...]:
    """Return the columns that are drawn; none where the encoding is not known."""
    if isinstance(state.encoding, Unknown):
        return ()
    return dimensions_shown(options, state.encoding)


def why_no_curve(
    state: Exploration, options: WavesOptions, columns: tuple[int, ...], pin: Pin
) -> str:
    """Return why a pin has no curve, or an empty text."""
    e = require_known(state.encoding)
    if isinstance(pin.encoding, Unknown):
        return "it is not known here"
    if problem := why_not_comparable(e, pin.encoding):
        return problem
    if not _pairs(e, pin.encoding, columns):
        return f"it has none of these {e.columns.plural}"
    if not _has(pin.encoding, options):
        if needs.waves(pin.encoding):
            return "it is not made of waves, so it has no angles"
        return "its angles are not continuous"
    if not range(
        max(state.start, pin.encoding.domain[0]),
        min(state.start + state.count, pin.encoding.domain[-1] + 1),
    ):
        return f"it has no {e.rows.plural} here"
    return ""


def _pairs(e: Encoding, other: Encoding | Unknown, columns: tuple[int, ...]) -> dict[int, int]:
    """Return for columns of an encoding those of another that mean the same."""
    if isinstance(other, Unknown) or why_not_comparable(e, other):
        return {}
    own, others = common_columns(e, other)
    both = dict(zip(own.tolist(), others.tolist(), strict=True))
    return {column: both[column] for column in columns if column in both}


def distance_between(e: Encoding, first: Vector, second: Vector, metric: str) -> float:
    """Return how far apart what two lines read off is; nan where there is no distance."""
    pair = first.heights, second.heights
    if not np.isfinite(pair).all():
        return np.nan
    amplitude = e.amplitude if isinstance(e, Waves) else 0.0
    return distance.between_vectors(*pair, metric, amplitude)


def cost(state: Exploration, options: WavesOptions, size: Size) -> float:
    """Return about how many numbers `compute` makes, in values of a table."""
    columns = len(shown(state, options))
    grid = CurveGrid.of(state.start, state.count, size.width)
    total = 0.0
    for e in every_encoding(state):
        if isinstance(e, Unknown):
            continue
        total += _WAVE_COST * grid.rows * grid.parts * columns + reading_cost(e)
        if not isinstance(e, Steady):
            total += e.cost(grid.rows, grid.block)
        total += e.width * len(options.lines)
    return total
