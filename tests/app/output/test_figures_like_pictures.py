"""A figure has the limits, colours and directions of the picture that it is of."""

import threading

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.app.output.figure_order import Order, figures_of
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.model.steps import at_once
from pe_explorer.pictures.pixels import Size

S = encodings.create
PINS = (Pin(S("sinusoidal", base=300.0), "base 300", "magenta"),)
TABLE = S("index", dim=8)  # whose numbers have no known limits


@pytest.mark.parametrize(
    ("name", "fields", "options"),
    [
        *(
            ("distances", {"metric": metric, "count": count, "pins": PINS}, {})
            for metric in ("cosine", "euclidean", "dot", "manhattan")
            for count in (50, 300)
        ),
        ("heatmap", {"encoding": TABLE, "count": 40}, {}),
        ("heatmap", {"pins": PINS, "show": "difference"}, {}),
        ("waves", {"encoding": TABLE}, {}),
        ("frequencies", {"pins": PINS}, {}),
        ("shift", {}, {"part": "residual"}),
        ("tokens", {"encoding": TABLE}, {}),
        ("properties", {}, {}),
    ],
)
def test_limits_colours_and_directions_are_those_of_the_picture(name, fields, options):
    state = Exploration(**{"encoding": S("sinusoidal"), **fields})
    state = resolve(pictures.with_options(state, name, **options), DirectStore())
    picture, size = pictures.find(name), FigureSize(174, 110, "mm")
    shown = picture.figure(state, picture.compute(state, Size(800, 500), threading.Event()))
    (figure,) = at_once(figures_of(Order(name, state, Style.default(), size)))
    assert figure.panels
    for panel in figure.panels:
        seen = shown.panel(panel.name)
        for axis, there in ((panel.x, seen.x), (panel.y, seen.y)):
            assert (axis.low, axis.high) == pytest.approx(
                (there.low, there.high), abs=1e-3 * there.length
            )
            assert axis.down == there.down
        if panel.cells is not None:
            assert panel.cells.limits == pytest.approx(seen.cells.limits, rel=1e-9)
            assert panel.cells.colour_map == seen.cells.colour_map
