"""What views paint: the curves, marks, names and dots of the figure that describes them."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.widgets.theme import colours, find_pin_shade
from tests.support.gestures import inside, play_on, settle, spot, wait_for_worker
from tests.support.images import pixels
from tests.support.samples import sample

S = encodings.create
PINS = (Pin(S("sinusoidal", base=50.0), "base 50", "magenta"),)
CURVES = [
    ("distances", {"part": "curve"}, {}),
    ("distances", {"part": "curve", "below": "sse"}, {"pins": PINS}),
    ("distances", {"part": "histogram"}, {}),
    ("frequencies", {}, {"pins": PINS}),
    ("frequencies", {"quantity": "wavelength", "axis": "linear"}, {}),
    ("waves", {}, {"count": 20}),
    ("shift", {"part": "residual", "k": 5}, {"encoding": sample("index"), "count": 20}),
    ("projection", {"show": "current pinned"}, {"pins": PINS}),
    ("compare", {}, {"encoding": S("rope"), "pins": (Pin(S("rope", rope_theta=1e6), "b"),)}),
]


def picture(view):
    return pixels(view.grab().toImage())[..., ::-1]


def near(image, place, wanted, reach=1):
    """Return how far the nearest shade around a pixel is from the wanted one."""
    x, y = place.x(), place.y()
    around = image[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
    return np.abs(around - np.array(wanted)).max(axis=-1).min()


def shade(colour):
    return QColor(colour).getRgb()[:3]


def shade_of(curve, view):
    accent = colours(view.palette()).accent
    is_own = curve.colour == "accent"
    return shade(accent if is_own else find_pin_shade(curve.colour, view.palette()))


def area(view, panel):
    """Return left, top, right and bottom of a panel's area."""
    corners = [inside(view, panel, *corner) for corner in ((0, 0), (1, 1))]
    return [value for corner in corners for value in (corner.x(), corner.y())]


@pytest.mark.parametrize(("name", "options", "fields"), CURVES)
def test_curves_go_through_their_numbers(show, name, options, fields):
    view = show(name, 900, 600, options, **{"position": 10**6, "dimension": 0, **fields})
    wait_for_worker(view.model)
    image, checked = picture(view), 0
    for panel in view.snapshot.figure.panels:
        visible = [curve for curve in panel.curves if curve.is_visible]
        for curve in visible:
            x, y = curve.outline
            wanted = shade_of(curve, view)
            at = [k for k in np.linspace(1, len(x) - 2, 30).astype(int) if np.isfinite(y[k])]
            off = [near(image, spot(view, panel.name, x[k], y[k]), wanted, 2) for k in at]
            checked += 1
            # Others may cover a curve, and dashes have gaps.
            share = 0.65 if curve is visible[0] else 0.3
            assert np.mean(np.array(off) < 110) > share, (panel.name, curve.name)
    assert checked


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("heatmap", {}),
        ("heatmap", {"second": 20}),
        ("distances", {}),
        ("distances", {"below": "dot"}),
        ("frequencies", {}),
        ("waves", {}),
        ("shift", {}),
        ("shift", {"part": "tables"}),
        ("tokens", {}),
        ("compare", {}),
        ("context", {}),
        ("properties", {}),
        ("projection", {}),
    ],
)
def test_cursor_and_preview_are_marked_at_their_places(show, name, options):
    """Between two places of the cursor, the picture differs along the marks of both alone."""
    e = S("rope", head_dim=12) if name in ("compare", "context") else S("sinusoidal", dim=12)
    pins = (Pin(replace(e, layout=e.layout), "same"),) if name == "compare" else ()
    view = show(name, 1000, 600, options, count=50, encoding=e, pins=pins)
    first, then = ({"position": p, "dimension": d, "second": 2 * p} for p, d in ((10, 4), (30, 9)))
    view.redraw()  # also where the numbers are known already
    view.model.set(**first)
    wait_for_worker(view.model)
    before = picture(view)
    view.model.point_at(**then)
    settle(view.model)
    pointed = picture(view)
    view.model.point_at()
    view.model.set(**then)
    wait_for_worker(view.model)
    after, checked = picture(view), 0
    assert (before != after).any()
    if name == "projection":
        return
    # Of another cursor these two show other numbers.
    old = [] if name in ("properties", "tokens") else [(first, after)]
    for fields, image in ((then, pointed), (then, after), *old):
        places = view.get_picture(view.model.state.with_(**fields)).find_cursor_points()
        changed = (image != before).any(axis=-1)
        for panel in view.snapshot.figure.panels:
            left, top, right, bottom = area(view, panel.name)
            x, y = places.get(panel.name, (None, None))
            if panel.name == "matrix" and name == "shift":
                # The cell has a frame, because lines would cross the numbers in cells.
                x, y = x - 0.5, y - 0.5
                left, top = spot(view, panel.name, x, y).toTuple()
                right, bottom = spot(view, panel.name, x + 1, y + 1).toTuple()
            if x is not None:
                at = spot(view, panel.name, x, panel.y.low).x()
                checked += 1
                assert changed[top + 9 : bottom - 9, at - 1 : at + 2].any(axis=1).mean() > 0.2
            if y is not None:
                at = spot(view, panel.name, panel.x.low, y).y()
                checked += 1
                assert changed[at - 1 : at + 2, left + 9 : right - 9].any(axis=0).mean() > 0.2
    assert checked


LINES = [
    ("heatmap", {}, {"cells": "y"}),
    ("heatmap", {"second": 0}, {"cells": "y", "second": "y"}),
    ("waves", {}, {"curves": "x"}),
    ("distances", {"part": "both"}, {"curve": "x", "matrix": "y"}),
    ("shift", {"part": "residual"}, {"residual": "x"}),
    ("tokens", {}, {"rows": "y"}),
    ("properties", {}, {"likeness": "x"}),
]


@pytest.mark.parametrize(("name", "options", "lines"), LINES)
def test_a_played_cursor_is_between_two_positions_where_the_encoding_has_values(
    show, name, options, lines, computed
):
    view = show(name, 900, 700, options, position=3, dimension=2, count=8)
    wait_for_worker(view.model)
    calls = computed(view)

    def marks():
        items = view.canvas.scene().items()
        marks = [each for each in items if type(each).__name__ == "CursorMark"]
        return [each for each in marks if each.isVisible()]

    def is_marked(panel, axis, place):
        here = view.locate(panel, place, place) - view.canvas.pos()
        found = [getattr(mark.boundingRect().center(), axis)() for mark in marks()]
        return any(abs(each - getattr(here, axis)()) < 1e-6 for each in found)

    for ahead in (0.0, 0.25, 0.9):
        play_on(view.model, ahead)
        for panel, axis in lines.items():
            assert is_marked(panel, axis, 3 + ahead)
            assert is_marked(panel, axis, 3.0) == (ahead == 0)
    view.model.playhead.is_stepwise = True
    play_on(view.model, 0.5)
    view.redraw()
    settle(view.model)
    assert all(is_marked(panel, axis, 3.0) for panel, axis in lines.items())
    view.model.playhead.is_stepwise = False
    play_on(view.model, 0.5)
    assert not any(is_marked(panel, axis, 3.0) for panel, axis in lines.items())
    assert calls == []  # no number is computed for it
    if name in ("heatmap", "distances", "waves"):
        for e in ("binary", "learned"):
            view.model.set(encoding=sample(e))
            wait_for_worker(view.model)
            play_on(view.model, 0.5)
            assert all(is_marked(panel, axis, 3.0) for panel, axis in lines.items())
    view.model.set(position=7)  # the last one
    settle(view.model)
    play_on(view.model, 0.5)
    assert all(is_marked(panel, axis, 7.0) for panel, axis in lines.items())


def test_the_mark_of_the_mouse_is_lighter_than_that_of_the_cursor(show):
    view = show("heatmap", position=10)
    view.model.point_at(position=40, dimension=100)
    settle(view.model)
    image = picture(view)

    def covered(row):
        start, end = (spot(view, "cells", column, row) for column in (13, 95))
        line = image[start.y() - 1 : start.y() + 2, start.x() : end.x()]
        return ((line == 0) | (line == 255)).all(axis=2).any(axis=0).mean()

    cursor, preview, neither = covered(10), covered(40), covered(25)
    assert cursor > 0.95  # a line that covers what is below it
    assert 0.3 < preview - neither < 0.8  # dots, with what is below between them


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["cosine", "dot", "euclidean"])
@pytest.mark.parametrize("reference", [0, 25, 49])
def test_names_and_equal_pins_hide_no_curve(show, metric, reference):
    pins = (*PINS, replace(PINS[0], encoding=S("sinusoidal")))
    view = show("distances", metric=metric, reference=reference, pins=pins, position=10**6)
    curve, image = view.snapshot.figure.panels[0].curves[0], picture(view)
    places = [spot(view, "curve", x, y) for x, y in zip(curve.x, curve.y, strict=True)]
    seen = [near(image, place, shade_of(curve, view), 2) < 70 for place in places]
    assert np.mean(seen) >= 0.85


@pytest.mark.parametrize("name", ["heatmap", "distances"])
def test_axes_have_titles_and_numbers_and_a_blank_one_none(show, name):
    panel = {"heatmap": "cells", "distances": "curve"}[name]

    def strips():
        left, top, right, bottom = area(view, panel)
        image = picture(view)
        ground = image[top + 1, 1]
        beside, below = image[top:bottom, : left - 6], image[bottom + 7 :, left:right]
        return [(strip != ground).any(axis=-1).sum() for strip in (beside, below)]

    view = show(name, options={"part": "curve"} if name == "distances" else {})
    drawn = strips()
    view.model.set_encoding("learned")
    settle(view.model)
    assert view.is_blank
    blank = strips()
    assert all(0 < less < more for less, more in zip(blank, drawn, strict=True))
    view.model.set(encoding=sample("alibi"), metric="euclidean")
    settle(view.model)
    assert strips() != drawn  # offsets and heads in the place of positions and dimensions


def test_the_cursor_is_below_a_line_and_the_dots_where_it_meets_waves(show):
    view = show("waves", 900, 600, {"line1": 3}, count=20, position=10**6)
    before = picture(view)
    view.model.set(position=3)
    settle(view.model)
    assert [dot for dot in view.snapshot.figure.panels[0].dots if dot.x == 3]
    assert (picture(view) == before).all()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_shaded_has_a_colour_of_the_theme(show, qapp, theme):
    qapp.set_theme(theme)
    shaded, bars = (
        ("frequencies", "shaded_areas", "raised_background"),
        ("context", "bars", "area_fill"),
    )
    for name, parts, colour in (shaded, bars):
        view = show(name, encoding=S("rope", head_dim=16), position=10**6)
        (panel, *_), image, off = view.snapshot.figure.panels, picture(view), []
        for part in getattr(panel, parts):
            x, y = part.left + 0.3 * part.width, part.top + 0.6 * part.height
            wanted = shade(getattr(colours(view.palette()), colour))
            off.append(near(image, spot(view, panel.name, x, y), wanted))
        assert np.median(off) <= 4
