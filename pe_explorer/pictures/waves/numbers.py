"""Compute curves of the encoding and of pins, and values at lines."""

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
from pe_explorer.encodings import (
    Encoding,
    EncodingError,
    Steady,
    Unknown,
    Waves,
    needs,
    require_known,
)
from pe_explorer.exploration import Exploration
from pe_explorer.params import printed
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.waves.options import WavesOptions, dimensions_shown
from pe_explorer.progress import Part, report

_MISSING = "–"
_NOT_DETERMINED = "not determined"  # text for a distance dominated by rounding error


class Vector(NamedTuple):
    """The values at a line.

    Attributes
    ----------
    option : str
        The option of the line.
    position : float
        The position of the line, rounded if only integer positions have values.
    heights : (columns,) float64
        The values at the line; nan for a missing row.
    """

    option: str
    position: float
    heights: Floats

    @property
    def place(self) -> str:
        """The position as text, without decimals if it is an integer."""
        whole = self.position == math.floor(self.position)
        return printed.whole(int(self.position)) if whole else printed.fine(self.position)

    @property
    def texts(self) -> list[str]:
        return list(map(_number, self.heights.tolist()))

    @property
    def numbers(self) -> str:
        return ", ".join(self.texts)


class Apart(NamedTuple):
    """Two lines, with the distances of their values and of their whole rows as texts."""

    lines: str
    read_off: str
    rows_apart: str


class PinCurves(NamedTuple):
    """The curves of a pin in the common columns, or why none is visible."""

    why: str
    courses: tuple[tuple[int, Course], ...]


class PinWithout(NamedTuple):
    """The name of a pin without a curve, and the reason."""

    name: str
    why: str


class WavesNumbers(NamedTuple):
    """The curves and values of the waves view.

    Attributes
    ----------
    columns : tuple of int
        The columns drawn.
    courses : tuple of Course
        The course of each column.
    pins : tuple of PinCurves
        The courses of each pin.
    vectors : tuple of Vector
        The values of the current encoding at the lines.
    block : int
        Positions per point of a curve.
    """

    columns: tuple[int, ...]
    courses: tuple[Course, ...]
    pins: tuple[PinCurves, ...]
    vectors: tuple[Vector, ...]
    block: int

    @property
    def kinds(self) -> list[str]:
        return [course.kind for course in self.courses]


def compute(
    state: Exploration, options: WavesOptions, size: Size, cancelled: threading.Event
) -> WavesNumbers:
    """Return the curves for the width of `size`, and the values at the lines."""
    e, share = require_known(state.encoding), 1 / (1 + len(state.pins))
    columns = dimensions_shown(options, e)
    grid = CurveGrid.of(state.start, state.count, size.width)

    def courses(of: Encoding, columns: Sequence[int], count: int) -> tuple[Course, ...]:
        if options.shows_angles and isinstance(of, Steady):
            return curves.angle_courses(of, columns, grid, one_turn=options.one_turn)
        progress = partial(report, Part(cancelled, count * share, share))
        return curves.courses(of, columns, grid, progress, ranges=size.ranges)

    own, pins = courses(e, columns, 0), []
    for done, pin in enumerate(state.pins, 1):
        found: tuple[tuple[int, Course], ...] = ()
        why = why_no_curve(e, pin.encoding, columns, options)
        if not why:
            pairs = _pairs(e, require_known(pin.encoding), columns)
            pinned_courses = courses(require_known(pin.encoding), list(pairs.values()), done)
            found = tuple(zip(pairs, pinned_courses, strict=True))
            if not any(len(course.x) for course in pinned_courses):
                why = f"it has no {e.rows.plural} in this range"
        pins.append(PinCurves(why, found))
    return WavesNumbers(columns, own, tuple(pins), read_off(e, columns, options), grid.block)


def read_off(e: Encoding, columns: tuple[int, ...], options: WavesOptions) -> tuple[Vector, ...]:
    """Return the values of the columns at each line."""
    vectors = []
    for option, place in options.lines.items():
        position = place if is_continuous(e) else math.floor(place + 0.5)
        vectors.append(Vector(option, position, heights(e, columns, position, options)))
    return tuple(vectors)


def heights(e: Encoding, columns: Sequence[int], position: float, options: WavesOptions) -> Floats:
    """Return the heights of curves at a position, shape (columns,), nan if undefined."""
    if options.shows_angles and isinstance(e, Steady):
        return curves.angles_at(e, columns, position, one_turn=options.one_turn)
    return curves.heights(e, columns, position)


def why_no_curve(
    e: Encoding, other: Encoding | Unknown, columns: tuple[int, ...], options: WavesOptions
) -> str:
    """Return why a pin has no curve, or an empty string."""
    if isinstance(other, Unknown):
        return "it is unavailable"
    if problem := why_not_comparable(e, other):
        return problem
    if not _pairs(e, other, columns):
        return f"it has none of these {e.columns.plural}"
    if options.shows_angles and needs.waves(other):
        return "it is not made of waves, so it has no angles"
    if options.shows_angles and not isinstance(other, Steady):
        return "its angles are not continuous"
    return ""


def _pairs(e: Encoding, other: Encoding, columns: tuple[int, ...]) -> dict[int, int]:
    own, pinned_columns = common_columns(e, other)
    both = dict(zip(own.tolist(), pinned_columns.tolist(), strict=True))
    return {column: both[column] for column in columns if column in both}


# -- texts -----------------------------------------------------------------------------------------


def apart(e: Encoding, first: Vector, second: Vector, metric: str) -> str:
    """Return the distance of the values at two lines as text."""
    pair, base = (first.heights, second.heights), distance.base_of(metric)
    has_direction = len(first.heights) > 1 or base not in ("cosine", "correlation")
    if not has_direction or not np.isfinite(pair).all():
        return _MISSING
    amplitude = e.amplitude if isinstance(e, Waves) else 0.0
    found = distance.between_vectors(*pair, metric, amplitude)
    if math.isnan(found) and all(map(distance.are_varied, pair)):
        return _NOT_DETERMINED
    return _number(found)


def rows_apart(e: Encoding, first: Vector, second: Vector, metric: str) -> str:
    """Return the distance of the whole rows at two lines as text."""
    ends = first.position, second.position
    try:
        if distance.is_undetermined(e, *ends, metric):
            return _NOT_DETERMINED
        return _number(distance.between(e, *ends, metric))
    except EncodingError:  # the row does not exist
        return _MISSING


def _number(value: float) -> str:
    return printed.rounded(value) if math.isfinite(value) else _MISSING
