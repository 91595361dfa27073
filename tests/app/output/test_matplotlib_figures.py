"""Matplotlib draws what the exported picture shows: by the copied script, and by the function."""

import ast

import matplotlib as mpl
import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_explorer import encodings, figures, pictures
from pe_explorer.app.output.figure_files import image
from pe_explorer.app.output.figure_order import Order, figures_of, laid_out
from pe_explorer.app.output.figure_script import writing
from pe_explorer.app.output.figure_texts import measure_with
from pe_explorer.exploration import DirectStore, Exploration, Panes, Pin, resolve
from pe_explorer.figures.code import FigureCodeError, figure_code
from pe_explorer.figures.layout import NoRoomError
from pe_explorer.figures.size import PRESETS, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.flags import PLATE
from pe_explorer.model.steps import at_once
from pe_explorer.pictures.figure import Figure, Note
from tests.support.cases import for_each
from tests.support.images import pixels
from tests.support.matplotlib_run import run_scripts
from tests.support.pairwise import some_pairs

pytestmark = pytest.mark.usefixtures("qapp")

SHARE, OFF = 0.01, 96  # of the pixels may differ by more than this
SHAPES = {
    "one column": (PRESETS["one-column"], Style()),
    "two columns": (PRESETS["two-columns"], Style(dpi=150.0)),
    "dark slide": (FigureSize(1600, 900), Style(ground="dark")),
}


ORDERS = {
    f"{view}, {shape}": (view, *SHAPES[shape])
    for view, shape in some_pairs(pictures.names(), SHAPES, 3)
}
ORDERS |= {
    "waves with pins": ("waves", FigureSize(174, 90, "mm"), Style(dpi=200.0)),
    "distances upward": ("distances", PRESETS["square"], Style(upward=True, grid=True, dpi=150.0)),
    "heatmap with cursor": ("heatmap", FigureSize(3.3, 2.4, "in"), Style(cursor="show", dpi=200.0)),
    "clocks with cursor": ("clocks", PRESETS["one-column"], Style(cursor="show", font_size=6.0)),
    "plate": (PLATE, FigureSize(174, 150, "mm"), Style(title="All $three$", dpi=150.0)),
    "dark plate": (PLATE, FigureSize(1200, 1000), Style(ground="dark")),
}
PINS = tuple(
    Pin(encodings.create("sinusoidal", base=base), f"base ${base:g}$", colour)
    for base, colour in ((500.0, "magenta"), (50.0, "teal"))
)
FIELDS = {"waves with pins": {"pins": PINS}, "clocks with cursor": {"count": 3000}}


def order_of(case):
    view, size, style = ORDERS[case]
    panes = Panes(views=("heatmap", "clocks", "distances"))
    state = Exploration(panes=panes, position=7, dimension=5, **FIELDS.get(case, {}))
    return Order(view, resolve(state, DirectStore()), style, size)


def script_of(order):
    if order.what != PLATE:
        return at_once(writing(order.what, order.state, order.style, order.size))
    shown = at_once(figures_of(order))
    return figure_code(shown, order.style, order.size, measure_with(order.style.font))


def share_that_differs(one, other):
    """Return how much differs by much, in means over 3 by 3 pixels.

    Matplotlib leaves out what is no whole pixel at the top and at the right.
    """
    assert np.abs(np.subtract(one.shape, other.shape)).max() <= 1
    height, width = np.minimum(one.shape, other.shape)[:2] // 3
    means = (
        each[-3 * height :, : 3 * width].reshape(height, 3, width, 3, 3).mean(axis=(1, 3))
        for each in (one, other)
    )
    return (np.abs(np.subtract(*means)).max(axis=2) > OFF).mean()


@for_each("case", ORDERS)
def test_a_script_draws_what_is_exported(tmp_path, case):
    order, path = order_of(case), str(tmp_path / "drawn.png")
    run_scripts([f"{script_of(order)}figure.savefig({path!r})"])
    exported = pixels(image(at_once(laid_out(order)), order.dpi))
    assert share_that_differs(exported, pixels(QImage(path))) <= SHARE
    assert (exported != exported[0, 0]).any(axis=2).mean() > SHARE / 2  # there is much to be seen


def test_the_function_draws_what_is_exported(tmp_path):
    rcparams = dict(mpl.rcParams)
    for view, theme, fields in (
        ("properties", "light", {"font_size": 7.0, "dpi": 150.0}),
        ("clocks", "dark", {"cursor": "show", "dpi": 200.0}),
        ("distances", "light", {"title": "costs $5", "line_width": 3.0}),
    ):
        state = Exploration(pins=PINS, position=7)
        drawn = figures.matplotlib_figure(
            view, state, size=FigureSize(174, 90, "mm"), theme=theme, **fields
        )
        assert dict(mpl.rcParams) == rcparams
        with mpl.rc_context({"text.hinting": "none"}):
            drawn.savefig(tmp_path / f"{view}.png")
        style = Style(ground="dark" if theme == "dark" else "white", **fields)
        order = Order(view, resolve(state, DirectStore()), style, FigureSize(174, 90, "mm"))
        exported = pixels(image(at_once(laid_out(order)), order.dpi))
        found = pixels(QImage(str(tmp_path / f"{view}.png")))
        assert share_that_differs(exported, found) <= SHARE, view


def test_a_script_needs_nothing_but_numpy_and_matplotlib():
    script = script_of(order_of("plate"))
    imported = {node.module for node in ast.walk(ast.parse(script)) if hasattr(node, "module")}
    assert {name.partition(".")[0] for name in imported} == {"matplotlib"}
    assert "pe_explorer" not in script
    assert script == script_of(order_of("plate"))


def test_a_figure_without_room_or_numbers_has_no_script():
    state = order_of("plate").state
    small = FigureSize(20, 20, "mm")
    for view in ("distances", "clocks"):
        with pytest.raises(NoRoomError, match="20x20mm is too small for this figure in 8 points"):
            at_once(writing(view, state, Style(), small))
    empty, measure = Figure(note=Note("There is nothing here.")), measure_with("DejaVu Sans")
    with pytest.raises(FigureCodeError, match="nothing here; choose what can be shown"):
        figure_code([empty], Style(), PRESETS["slide"], measure)
