"""A figure has the limits, colours and directions of the view that it is of."""

import pytest

from pe_explorer import encodings
from pe_explorer.app.output.figure_order import Order, figures_of
from pe_explorer.exploration import Pin
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.model.steps import at_once
from tests.support.gestures import wait_for_worker

S = encodings.create
PINS = (Pin(S("sinusoidal", base=300.0), "base 300", "magenta"),)
TABLE = S("index", dim=8)  # whose numbers have no known limits

STATES = [
    ("distances", {"metric": metric, "count": count, "pins": PINS}, {})
    for metric in ("cosine", "euclidean", "dot", "manhattan")
    for count in (50, 300)
]
STATES += [
    ("heatmap", {"encoding": TABLE, "count": 40}, {}),
    ("heatmap", {"pins": PINS, "show": "difference"}, {}),
    ("waves", {"encoding": TABLE}, {}),
    ("frequencies", {"pins": PINS}, {}),
    ("shift", {}, {"part": "residual"}),
    ("tokens", {"encoding": TABLE}, {}),
    ("properties", {}, {}),
]


@pytest.mark.parametrize(("name", "fields", "options"), STATES)
def test_limits_colours_and_directions_are_those_of_the_view(show, name, fields, options):
    view = show(name, 900, 600, options, **{"encoding": S("sinusoidal"), **fields})
    wait_for_worker(view.model)
    size = FigureSize(174, 110, "mm")
    (figure,) = at_once(figures_of(Order(name, view.model.state, Style.default(), size)))
    assert figure.panels
    for panel in figure.panels:
        seen = view.drawn.figure.panel(panel.name)
        for axis, there in ((panel.x, seen.x), (panel.y, seen.y)):
            assert (axis.low, axis.high) == pytest.approx(
                (there.low, there.high), abs=1e-3 * there.length
            )
            assert axis.down == there.down
        if panel.cells is not None:
            assert panel.cells.limits == pytest.approx(seen.cells.limits, rel=1e-9)
            assert panel.cells.colour_map == seen.cells.colour_map
