"""Find the points of a figure that show the rows, pairs or cells mentioned in a text."""

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from pe_explorer import pictures
from pe_explorer.exploration import Exploration
from pe_explorer.pictures.clock_face import ClockFaces
from pe_explorer.pictures.figure import Figure, Panel
from pe_explorer.pictures.lines import Curve
from pe_explorer.pictures.waves import format_curve_names
from pe_explorer.pictures.waves_across import make_wave_fields

_POSITION_PAIR_PANELS = ("matrix", "after", "before")  # for two positions, by preference


class ViewPlace(NamedTuple):
    """The part of a view that a text mentions.

    A field is None if the text does not mention it. A position without a dimension means
    the left end of its row. A dimension without a position means its value in the first row
    shown.
    """

    view: str
    position: float | None = None  # can be fractional if the curve is continuous
    dimension: int | None = None
    pair: int | None = None  # index of a pair of columns
    other: int | None = None  # second of two compared positions
    row: float | None = None  # row index in the shift matrix; may be fractional
    column: float | None = None
    value: float | None = None  # y value, or x value in a histogram; None for the curve's y value
    encoding: int = 0  # index of the curve: 0 for the current encoding, 1 for the first pin


class FigurePoint(NamedTuple):
    """A point of a figure.

    The coordinates are relative to the origins of the panel's axes. On a page of clocks,
    they are logical pixels.
    """

    panel: str  # name of the panel; "clocks" for a page of clocks
    x: float
    y: float


def find_figure_point(figure: Figure, state: Exploration, place: ViewPlace) -> FigurePoint | None:
    """Return the point of a figure that shows `place`, or None if no point shows it.

    This is the point where the cursor would be drawn. On a curve, its y value is that of
    the curve unless `place.value` is set.
    """
    position = state.start if place.position is None else math.floor(place.position)
    fields: dict[str, Any] = {"position": position}
    if place.dimension is not None:
        fields["dimension"] = place.dimension
    if place.pair is not None:
        fields |= make_wave_fields(state.encoding, place.pair)
    if place.other is not None:
        fields["second"] = place.other
    moved_state = dataclasses.replace(state, **fields)
    figure = pictures.make_picture(place.view, moved_state).with_cursor(figure)
    if figure.clocks is not None:
        return _find_point_on_clock(figure.clocks, place)
    return _find_panel_point(figure, state, place)


def _find_panel_point(figure: Figure, state: Exploration, place: ViewPlace) -> FigurePoint | None:
    has_two_positions = place.other is not None or place.row is not None

    def rate_misfit(panel: Panel) -> tuple[bool, int]:
        is_pair = panel.name in _POSITION_PAIR_PANELS
        rank = _POSITION_PAIR_PANELS.index(panel.name) if is_pair and has_two_positions else 0
        return is_pair != has_two_positions, rank

    for panel in sorted(figure.panels, key=rate_misfit):
        if (trail := panel.trail) is not None:
            index = trail.marked_index
            point = None if index is None else (trail.x[index], trail.y[index])
        elif panel.curves:
            point = _find_curve_point(panel, state, place)
        else:
            point = _find_cell_point(panel, place)
        if point is None:
            continue
        x, y = point
        if panel.x.low <= x <= panel.x.high and panel.y.low <= y <= panel.y.high:
            return FigurePoint(panel.name, float(x), float(y))
    return None


def _find_point_on_clock(page: ClockFaces, place: ViewPlace) -> FigurePoint | None:
    clock_index = page.marked_index
    if clock_index is None and page.grid.pairs == 1:
        clock_index = 0
    if clock_index is None or place.pair not in (None, page.grid.numbers[clock_index]):
        return None
    x, y = page.grid.centres[clock_index]
    if place.position is not None:
        angle = math.tau * page.hands[clock_index]
        sine, cosine = math.sin(angle), math.cos(angle)
        right, up = (sine, cosine) if page.is_clockwise else (cosine, sine)
        x, y = x + page.grid.radius * right, y - page.grid.radius * up
    return FigurePoint("clocks", x, y)


def _find_cell_point(panel: Panel, place: ViewPlace) -> tuple[float, float] | None:
    left, top = panel.x.origin or 0, panel.y.origin or 0
    if place.row is not None and place.column is not None:
        return place.column - left, place.row - top
    x, y = panel.cursor
    if place.other is not None:
        x = float(place.other - left)
    elif place.dimension is None and place.pair is None:
        x = 0.0  # the left end of the row
    return None if x is None or y is None else (x, y)


def _find_curve_point(
    panel: Panel, state: Exploration, place: ViewPlace
) -> tuple[float, float] | None:
    curve, x, origin = _curve(panel, state, place), panel.cursor[0], panel.x.origin or 0
    if panel.name == "histogram" and place.value is not None:
        x = place.value
    elif place.view == "frequencies" and place.pair is not None:
        x = float(place.pair - origin)
    elif place.view == "waves" and place.position is not None:
        x = float(place.position - origin)
    if curve is None or x is None:
        return None
    if panel.name == "histogram" or place.value is None:
        height = _find_height(curve, x)
        return None if height is None else (x, height)
    if panel.y.powers:
        return (x, math.log10(place.value)) if place.value > 0 else None
    return x, place.value


def _curve(panel: Panel, state: Exploration, place: ViewPlace) -> Curve | None:
    if place.view != "waves" or place.dimension is None:
        return panel.curves[place.encoding] if place.encoding < len(panel.curves) else None
    if place.encoding > len(state.pins):
        return None
    pin = state.pins[place.encoding - 1] if place.encoding else None
    name, _ = format_curve_names(state, int(place.dimension), pin)
    return next((curve for curve in panel.curves if curve.name == name), None)


def _find_height(curve: Curve, x: float) -> float | None:
    height = curve.find_value(x)
    if height is None or math.isfinite(height):
        return height
    points = np.flatnonzero(np.isfinite(curve.y))
    if not len(points):
        return None
    return float(curve.y[points[np.abs(curve.x[points] - x).argmin()]])
