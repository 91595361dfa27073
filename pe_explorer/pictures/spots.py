"""Where a place that words name is in a figure: a row, a pair or a cell as a point of a panel."""

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
_PAIR_PANELS = ("matrix", "after", "before")  # of two positions or words; the first match wins


class Where(NamedTuple):
    """A place that words name, in numbers of the exploration; None for what it does not name.

    A row without a column is meant at its left end, a column without a row at its first one.
    """

    view: str
    position: float | None = None  # between two positions, too, where curves go on there
    dimension: int | None = None
    pair: int | None = None  # of columns
    other: int | None = None  # a second position, where two are compared
    row: float | None = None  # of the matrix of a shift; between two rows, too
    column: float | None = None
    value: float | None = None  # the height in a curve, where it is not that of the curve itself
    encoding: int = 0  # whose curve: 0 for the current encoding's, 1 for the first pin's


class Spot(NamedTuple):
    """A point of a figure.

    It is in units of the panel's axes, from their origins; on a page of clocks in logical pixels.
    """

    panel: str  # its name; "clocks" for a page of clocks
    x: float
    y: float


def spot(figure: Figure, state: Exploration, where: Where) -> Spot | None:
    """Return where a place is in the figure of its view, None where the figure does not show it.

    It is where the cursor would be marked, and on a curve, the curve's height there.
    """
    there = _with_cursor_at(state, where)
    marked = pictures.picture_of(where.view, there).with_cursor(figure)
    if marked.clocks is not None:
        return _on_clock(marked.clocks, where)
    compares_two = where.other is not None or where.row is not None

    def misfit(panel: Panel) -> tuple[bool, int]:
        is_pair = panel.name in _PAIR_PANELS
        rank = _PAIR_PANELS.index(panel.name) if is_pair and compares_two else 0
        return is_pair != compares_two, rank

    for panel in sorted(marked.panels, key=misfit):
        if (trail := panel.trail) is not None:
            point = trail.marked
            found = None if point is None else (float(trail.x[point]), float(trail.y[point]))
        else:
            found = _on_curve(panel, state, where) if panel.curves else _in_cells(panel, where)
        if found is None:
            continue
        x, y = found
        if panel.x.low <= x <= panel.x.high and panel.y.low <= y <= panel.y.high:
            return Spot(panel.name, float(x), float(y))
    return None


def _with_cursor_at(state: Exploration, where: Where) -> Exploration:
    position = state.start if where.position is None else math.floor(where.position)
    fields: dict[str, Any] = {"position": position}
    if where.dimension is not None:
        fields["dimension"] = where.dimension
    if where.pair is not None:
        fields |= column_of_wave(state.encoding, where.pair)
    if where.other is not None:
        fields["second"] = where.other
    return dataclasses.replace(state, **fields)


def _on_clock(page: Face, where: Where) -> Spot | None:
    clock = page.marked
    if clock is None and page.grid.pairs == 1:
        clock = 0
    if clock is None or where.pair not in (None, page.grid.numbers[clock]):
        return None
    x, y = page.grid.centres[clock]
    if where.position is not None:
        angle = math.tau * page.hands[clock]
        sine, cosine = math.sin(angle), math.cos(angle)
        right, up = (sine, cosine) if page.clockwise else (cosine, sine)
        x, y = x + page.grid.radius * right, y - page.grid.radius * up
    return Spot(_CLOCKS, x, y)


def _in_cells(panel: Panel, where: Where) -> tuple[float, float] | None:
    left, top = panel.x.origin or 0, panel.y.origin or 0
    if where.row is not None and where.column is not None:
        return where.column - left, where.row - top
    across, down = panel.cursor
    if where.other is not None:
        across = float(where.other - left)
    elif where.dimension is None and where.pair is None:
        across = 0.0  # the left end of the row
    return None if across is None or down is None else (across, down)


def _on_curve(panel: Panel, state: Exploration, where: Where) -> tuple[float, float] | None:
    curve, x = _curve(panel, state, where), _across(panel, where)
    if curve is None or x is None:
        return None
    if panel.name == "histogram" or where.value is None:
        height = _height(curve, x)
        return None if height is None else (x, height)
    if panel.y.powers:
        return (x, math.log10(where.value)) if where.value > 0 else None
    return x, where.value


def _across(panel: Panel, where: Where) -> float | None:
    if panel.name == "histogram" and where.value is not None:
        return where.value
    origin = panel.x.origin or 0
    if where.view == "frequencies" and where.pair is not None:
        return float(where.pair - origin)
    if where.view == "waves" and where.position is not None:
        return float(where.position - origin)
    return panel.cursor[0]


def _curve(panel: Panel, state: Exploration, where: Where) -> Curve | None:
    if where.view != "waves" or where.dimension is None:
        shown = panel.curves[where.encoding : where.encoding + 1]
        return shown[0] if shown else None
    encodings = (None, *state.pins)[where.encoding : where.encoding + 1]
    if not encodings:
        return None
    name, _ = names_of_curve(state, int(where.dimension), encodings[0])
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
