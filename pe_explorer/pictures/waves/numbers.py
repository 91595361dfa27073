"""Compute the curves of an encoding and its pins, and their values at vertical lines."""

import math
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import curves, distance
from pe_explorer.analysis.angles import find_common_columns
from pe_explorer.analysis.comparison import explain_mismatch
from pe_explorer.analysis.curves import CurveData, CurveGrid, is_continuous
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
from pe_explorer.pictures.waves.options import WavesOptions, select_shown_dimensions
from pe_explorer.progress import PartialProgress, report

_NO_NUMBER_TEXT = "–"
_UNDETERMINED_TEXT = "not determined"  # text for a distance that rounding error dominates


class LineValues(NamedTuple):
    """The values of the curves at a line."""

    option: str  # name of the option that sets the line
    position: float  # rounded if only integer positions have values
    heights: Floats  # values at the line, shape (columns,); nan for a missing row

    @property
    def place(self) -> str:
        """The position as text, without decimals if it is an integer."""
        is_whole = self.position == math.floor(self.position)
        return printed.whole(int(self.position)) if is_whole else printed.fine(self.position)

    @property
    def texts(self) -> list[str]:
        return list(map(_format_number, self.heights.tolist()))

    @property
    def numbers(self) -> str:
        return ", ".join(self.texts)


class LineDistances(NamedTuple):
    """The distances between the values and between the rows at two lines, as texts."""

    lines: str
    read_off: str
    rows_apart: str


class PinCurves(NamedTuple):
    """The curves of a pin, by column of the current encoding, or why no curve is visible."""

    why: str
    courses: Mapping[int, CurveData]


class UndrawnPin(NamedTuple):
    """The name of a pin without a curve, and the reason."""

    name: str
    why: str


class WavesNumbers(NamedTuple):
    """The curves and values of the waves view."""

    columns: tuple[int, ...]  # columns drawn
    courses: tuple[CurveData, ...]  # points of the curve of each column
    pins: tuple[PinCurves, ...]
    line_values: tuple[LineValues, ...]  # values of the current encoding at the lines
    block: int  # number of positions per point of a curve

    @property
    def kinds(self) -> list[str]:
        return [curve_data.kind for curve_data in self.courses]


def compute(
    state: Exploration, options: WavesOptions, size: Size, cancellation: threading.Event
) -> WavesNumbers:
    """Return the curves for the width of `size`, and the values at the lines."""
    e, share = require_known(state.encoding), 1 / (1 + len(state.pins))
    columns = select_shown_dimensions(options, e)
    grid = CurveGrid.from_range(state.start, state.count, size.width)

    def compute_curves(
        e: Encoding, columns: Sequence[int], done_count: int
    ) -> tuple[CurveData, ...]:
        if options.shows_angles and isinstance(e, Steady):
            return curves.compute_angle_curves(e, columns, grid, is_wrapped=options.is_wrapped)
        progress = partial(report, PartialProgress(cancellation, done_count * share, share))
        return curves.courses(e, columns, grid, progress, ranges=size.ranges)

    courses, pins = compute_curves(e, columns, 0), []
    for done_count, pin in enumerate(state.pins, 1):
        why, curves_by_column = explain_no_curve(e, pin.encoding, columns, options), {}
        if not why:
            pinned_encoding = require_known(pin.encoding)
            pairs = _find_common_columns(e, pinned_encoding, columns)
            pinned_curves = compute_curves(pinned_encoding, [*pairs.values()], done_count)
            curves_by_column = dict(zip(pairs, pinned_curves, strict=True))
            if not any(len(curve_data.x) for curve_data in curves_by_column.values()):
                why = f"it has no {e.rows.plural} in this range"
        pins.append(PinCurves(why, curves_by_column))
    return WavesNumbers(columns, courses, tuple(pins), read_off(e, columns, options), grid.block)


def read_off(e: Encoding, columns: Sequence[int], options: WavesOptions) -> tuple[LineValues, ...]:
    """Return the values of the columns at each line."""
    line_values = []
    for option, typed_position in options.lines.items():
        position = typed_position if is_continuous(e) else math.floor(typed_position + 0.5)
        line_values.append(LineValues(option, position, heights(e, columns, position, options)))
    return tuple(line_values)


def heights(e: Encoding, columns: Sequence[int], position: float, options: WavesOptions) -> Floats:
    """Return the values of curves at a position, shape (columns,); nan for undefined values."""
    if options.shows_angles and isinstance(e, Steady):
        return curves.find_angles(e, columns, position, is_wrapped=options.is_wrapped)
    return curves.heights(e, columns, position)


def explain_no_curve(
    e: Encoding,
    pinned_encoding: Encoding | Unknown,
    columns: tuple[int, ...],
    options: WavesOptions,
) -> str:
    """Return why a pin has no curve, or an empty string if it has one."""
    if isinstance(pinned_encoding, Unknown):
        return "it is unavailable"
    if problem := explain_mismatch(e, pinned_encoding):
        return problem
    if not _find_common_columns(e, pinned_encoding, columns):
        return f"it has none of these {e.columns.plural}"
    if options.shows_angles and needs.waves(pinned_encoding):
        return "it does not consist of waves, so it has no angles"
    if options.shows_angles and not isinstance(pinned_encoding, Steady):
        return "its angles are not continuous"
    return ""


def _find_common_columns(
    e: Encoding, pinned_encoding: Encoding, columns: tuple[int, ...]
) -> dict[int, int]:
    own_columns, pinned_columns = find_common_columns(e, pinned_encoding)
    pairs = dict(zip(own_columns.tolist(), pinned_columns.tolist(), strict=True))
    return {column: pairs[column] for column in columns if column in pairs}


# -- texts -----------------------------------------------------------------------------------------


def format_value_distance(e: Encoding, first: LineValues, second: LineValues, metric: str) -> str:
    """Return the distance between the values at two lines, as text."""
    vectors, base = (first.heights, second.heights), distance.find_base_metric(metric)
    has_direction = len(first.heights) > 1 or base not in ("cosine", "correlation")
    if not has_direction or not np.isfinite(vectors).all():
        return _NO_NUMBER_TEXT
    amplitude = e.amplitude if isinstance(e, Waves) else 0.0
    number = distance.measure_vector_distance(*vectors, metric, amplitude)
    if math.isnan(number) and all(map(distance.has_variation, vectors)):
        return _UNDETERMINED_TEXT
    return _format_number(number)


def format_row_distance(e: Encoding, first: LineValues, second: LineValues, metric: str) -> str:
    """Return the distance between the rows at two lines, as text."""
    positions = first.position, second.position
    try:
        if distance.is_undetermined(e, *positions, metric):
            return _UNDETERMINED_TEXT
        return _format_number(distance.between(e, *positions, metric))
    except EncodingError:  # a row does not exist
        return _NO_NUMBER_TEXT


def _format_number(value: float) -> str:
    return printed.format_rounded(value) if math.isfinite(value) else _NO_NUMBER_TEXT
