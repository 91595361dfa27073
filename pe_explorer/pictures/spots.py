"""Locate rows, pairs and cells that a text mentions as points of a figure."""

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from pe_explorer import pictures
from pe_explorer.exploration import Exploration
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.figure import Curve, Figure, Panel
from pe_explorer.pictures.waves import names_of_curve
from pe_explorer.pictures.waves_across import column_of_wave

_CLOCKS = "clocks"
# Panels that compare two positions or words, in order of preference.
_PAIR_PANELS = ("matrix", "after", "before")


class ViewPlace(NamedTuple):
    """A place that a text mentions, in exploration fields; None if not mentioned.

    A row without a column means its left end, and a column without a row means its first row.
    """

    view: str
    position: float | None = None  # may lie between two positions of a continuous curve
    dimension: int | None = None
    pair: int | None = None  # pair of columns
    other: int | None = None  # second of two compared positions
    row: float | None = None  # row of the matrix of a shift; may lie between two rows
    column: float | None = None
    value: float | None = None  # height, if different from that of the curve
    encoding: int = 0  # index of the curve: 0 for the current encoding, 1 for the first pin


class Spot(NamedTuple):
    """A point of a figure.

    The coordinates are those of the panel's axes, relative to their origins, or logical pixels on a
    page of clocks.
    """

    panel: str  # name of the panel; "clocks" for a page of clocks
    x: float
    y: float


def spot(figure: Figure, state: Exploration, place: ViewPlace) -> Spot | None:
    """Return the point of a place in the figure of its view, or None if it is not shown.

    The point is the place of the cursor marker. On a curve, its height is that of the curve.
    """
    moved = _with_cursor_at(state, place)
    marked = pictures.picture_of(place.view, moved).with_cursor(figure)
    if marked.clocks is not None:
        return _on_clock(marked.clocks, place)
    compares_two = place.other is not None or place.row is not None

    def misfit(panel: Panel) -> tuple[bool, int]:
        is_pair = panel.name in _PAIR_PANELS
        rank = _PAIR_PANELS.index(panel.name) if is_pair and compares_two else 0
        return is_pair != compares_two, rank

    for panel in sorted(marked.panels, key=misfit):
        if (trail := panel.trail) is not None:
            marked_point = trail.marked
            point = None if marked_point is None else (trail.x[marked_point], trail.y[marked_point])
        else:
            point = _on_curve(panel, state, place) if panel.curves else _in_cells(panel, place)
        if point is None:
            continue
        x, y = point
        if panel.x.low <= x <= panel.x.high and panel.y.low <= y <= panel.y.high:
            return Spot(panel.name, float(x), float(y))
    return None


def _with_cursor_at(state: Exploration, place: ViewPlace) -> Exploration:
    position = state.start if place.position is None else math.floor(place.position)
    fields: dict[str, Any] = {"position": position}
    if place.dimension is not None:
        fields["dimension"] = place.dimension
    if place.pair is not None:
        fields |= column_of_wave(state.encoding, place.pair)
    if place.other is not None:
        fields["second"] = place.other
    return dataclasses.replace(state, **fields)


def _on_clock(page: Face, place: ViewPlace) -> Spot | None:
    clock = page.marked
    if clock is None and page.grid.pairs == 1:
        clock = 0
    if clock is None or place.pair not in (None, page.grid.numbers[clock]):
        return None
    x, y = page.grid.centres[clock]
    if place.position is not None:
        angle = math.tau * page.hands[clock]
        sine, cosine = math.sin(angle), math.cos(angle)
        right, up = (sine, cosine) if page.clockwise else (cosine, sine)
        x, y = x + page.grid.radius * right, y - page.grid.radius * up
    return Spot(_CLOCKS, x, y)


def _in_cells(panel: Panel, place: ViewPlace) -> tuple[float, float] | None:
    left, top = panel.x.origin or 0, panel.y.origin or 0
    if place.row is not None and place.column is not None:
        return place.column - left, place.row - top
    across, down = panel.cursor
    if place.other is not None:
        across = float(place.other - left)
    elif place.dimension is None and place.pair is None:
        across = 0.0  # the left end of the row
    return None if across is None or down is None else (across, down)


def _on_curve(panel: Panel, state: Exploration, place: ViewPlace) -> tuple[float, float] | None:
    curve, x = _curve(panel, state, place), _across(panel, place)
    if curve is None or x is None:
        return None
    if panel.name == "histogram" or place.value is None:
        height = _height(curve, x)
        return None if height is None else (x, height)
    if panel.y.powers:
        return (x, math.log10(place.value)) if place.value > 0 else None
    return x, place.value


def _across(panel: Panel, place: ViewPlace) -> float | None:
    if panel.name == "histogram" and place.value is not None:
        return place.value
    origin = panel.x.origin or 0
    if place.view == "frequencies" and place.pair is not None:
        return float(place.pair - origin)
    if place.view == "waves" and place.position is not None:
        return float(place.position - origin)
    return panel.cursor[0]


def _curve(panel: Panel, state: Exploration, place: ViewPlace) -> Curve | None:
    if place.view != "waves" or place.dimension is None:
        return panel.curves[place.encoding] if place.encoding < len(panel.curves) else None
    if place.encoding > len(state.pins):
        return None
    pin = state.pins[place.encoding - 1] if place.encoding else None
    name, _ = names_of_curve(state, int(place.dimension), pin)
    return next((curve for curve in panel.curves if curve.name == name), None)


def _height(curve: Curve, x: float) -> float | None:
    exact = curve.value_at(x)
    if exact is None or math.isfinite(exact):
        return exact
    places = np.flatnonzero(np.isfinite(curve.y))
    if not len(places):
        return None
    nearest = places[np.abs(curve.x[places] - x).argmin()]
    return float(curve.y[nearest])
