"""The curve by a second metric on the screen, below the first one."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from tests.support.gestures import click, double_click, inside, move, settle, spot, wheel
from tests.support.measures import MEASURES, usual_distances
from tests.support.notes import note

E = encodings.create("sinusoidal", dim=16, base=1000.0)
BELOW = {"part": "curve", "below": "sse"}


def canvases(view):
    """Return the names of the plots that are shown."""
    return {name for name, plot in view.plots.items() if view.stage.canvas_of(plot).isVisible()}


@pytest.mark.parametrize("part", ["curve", "both"])
def test_both_curves_are_drawn_over_the_same_positions(show, part):
    pins = (Pin(encodings.create("sinusoidal", dim=16, base=50.0), "short"),)
    options = {**BELOW, "part": part}
    view = show("distances", options=options, encoding=E, count=40, reference=6, pins=pins)
    upper, lower = view.curve_plot, view.plots["second-curve"]
    for plot, metric in ((upper, "cosine"), (lower, "sse")):
        for line, e in zip(plot.curve_set.lines, (E, pins[0].encoding), strict=True):
            x, y = line.getData()
            table = e.table(range(40))
            np.testing.assert_array_equal(x, np.arange(40))
            np.testing.assert_allclose(y, usual_distances(metric, table[[6]], table)[0], atol=1e-9)
        assert plot.left.labelText == f"{MEASURES[metric]} position 6"
        assert plot.mark.isVisible()
        assert plot.mark.value() == 6
    assert canvases(view) == {"curve", "second-curve"} | ({"matrix"} if part == "both" else set())
    places = [view.place_of(name, 6, 0).x() for name in ("curve", "second-curve")]
    assert places[0] == pytest.approx(places[1])
    assert upper.box.width() == lower.box.width()
    assert upper.box.height() == pytest.approx(lower.box.height(), abs=2)
    assert upper.bottom.labelText == ""
    assert upper.bottom.height() < 10 < lower.bottom.height()
    assert lower.bottom.labelText == "position"
    assert upper.curve_set.legend.isVisible()
    assert not lower.curve_set.legend.isVisible()


def test_without_it_the_first_curve_has_its_numbers_again(show):
    view = show("distances", options=BELOW, encoding=E, count=40)
    view.set_options(below="none")
    settle(view.model)
    assert canvases(view) == {"curve"}
    assert view.curve_plot.bottom.labelText == "position"
    assert view.curve_plot.bottom.height() > 20
    view.set_options(below="dot", part="matrix")
    settle(view.model)
    assert canvases(view) == {"matrix"}
    assert view.column.isHidden()
    assert view.stage.canvas_of(view.matrix_plot).size() == view.size()


def test_mouse_and_cursor_work_on_both(show):
    view = show("distances", options=BELOW, encoding=E, count=40)
    lower = view.plots["second-curve"]
    move(view, spot(view, lower, 11, 5.0))
    settle(view.model)
    assert view.curve_plot.preview_upright.value() == lower.preview_upright.value() == 11
    click(view, spot(view, lower, 12, 5.0))
    settle(view.model)
    assert view.model.state.position == 12
    assert view.curve_plot.upright.value() == lower.upright.value() == 12
    double_click(view, spot(view, lower, 30, 5.0))
    settle(view.model)
    assert view.model.state.reference == 30
    assert view.curve_plot.mark.value() == lower.mark.value() == 30
    wheel(view, inside(view, lower, 0.5, 0.5), 2)
    settle(view.model)
    assert view.model.state.count < 40


def test_the_border_between_both_curves_can_be_moved(show):
    view = show("distances", 600, 400, options=BELOW, encoding=E, count=40)
    handle = view.column.handle(1)
    assert handle.accessibleName() == "Border between both curves"
    before = view.stage.canvas_of(view.curve_plot).height()
    handle.setFocus()
    QTest.keyClick(handle, Qt.Key.Key_Down)
    settle(view.model)
    after = view.stage.canvas_of(view.curve_plot).height()
    assert after == before + 16
    view.resize(600, 800)  # the share stays
    settle(view.model)
    assert view.stage.canvas_of(view.curve_plot).height() / 800 == pytest.approx(
        after / 400, abs=0.01
    )


@pytest.mark.parametrize("size", [(300, 120), (340, 200), (336, 265)])
def test_where_there_is_little_room_both_are_equally_high(show, size):
    view = show("distances", *size, options={"below": "dot"}, encoding=E, count=40)
    assert canvases(view) == {"curve", "second-curve"}
    upper, lower = view.curve_plot.box.height(), view.plots["second-curve"].box.height()
    assert upper == pytest.approx(lower, abs=2)
    assert upper > 20
    assert view.choices.part_box.isVisibleTo(view.header)


def test_the_sentence_stands_over_the_curve_that_there_is_not(show):
    index = encodings.create("index", dim=3)
    options = {"part": "curve", "below": "cosine"}
    view = show("distances", 700, 600, options=options, encoding=index, metric="sse", count=9)
    assert view.stage.sentence.startswith("Position 0 has only zeros")
    place = note(view).geometry().center()
    area = view.stage.canvas_of(view.plots["second-curve"])
    assert area.geometry().contains(place)
    (line,) = view.curve_plot.curve_set.lines
    np.testing.assert_allclose(line.getData()[1], 3 * np.arange(9.0) ** 2)


def test_the_tip_says_what_pixels_are_of_each(show):
    options = {"part": "curve", "below": "manhattan"}
    view = show("distances", 700, 500, options=options, encoding=E, metric="sse", count=10**6)
    texts = [plot.badge.text for plot in (view.curve_plot, view.plots["second-curve"])]
    assert texts[0].startswith("mean of")
    assert texts[1].startswith("middle of")
    assert texts[0].partition(" ")[2] == texts[1].partition(" ")[2]
