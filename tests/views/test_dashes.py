"""Curves are told apart without their colours: by dashes, and by names at their ends."""

import threading
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from pe_explorer import encodings, pictures
from pe_explorer.colours.dashes import DASHES
from pe_explorer.colours.themes import PIN_SHADES
from pe_explorer.exploration import PIN_COLOURS, DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.page import Circle, Polyline
from pe_explorer.figures.size import PRESETS, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_code import figure_code
from pe_explorer.pictures.figure import Curve, PanelAxis
from pe_explorer.widgets.curve import dashed_pen
from pe_explorer.widgets.theme import pin_shade
from tests.support.figures import items_of, page_with
from tests.support.gestures import settle
from tests.support.matplotlib_run import run_scripts
from tests.support.pages import colours

BASES = (30.0, 100.0, 300.0, 1000.0, 3000.0, 30_000.0, 1e5, 1e6)
PINS = tuple(
    Pin(encodings.create("sinusoidal", base=base), f"base {base:g}", colour)
    for base, colour in zip(BASES, PIN_COLOURS, strict=True)
)
WITH_CURVES = ("distances", "frequencies", "properties", "waves")
WHOLE_TURNS = 100_000  # positions in which every pair turns, so that no pair is shaded
LINES = {"line1": 7.0, "line2": 20.5}


def piece(colour, length=120):
    """Return which pixels of a level line are drawn in the dashes of a colour."""
    image = QImage(length, 1, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.setPen(dashed_pen(QColor("white"), 1, DASHES[colour]))
    painter.drawLine(0, 0, length, 0)
    painter.end()
    return np.frombuffer(image.constBits(), dtype=np.uint8)[:length] > 127


def test_every_colour_of_a_pin_has_dashes_of_its_own(qapp):
    assert set(DASHES) == set(PIN_COLOURS)
    pieces = {colour: piece(colour) for colour in DASHES}
    for colour, found in pieces.items():
        on, off = sum(DASHES[colour][::2]), sum(DASHES[colour][1::2])
        assert found.mean() == pytest.approx(on / (on + off), abs=0.08)
    for one, other in combinations(pieces.values(), 2):
        assert (one ^ other).sum() >= 20


@pytest.mark.parametrize(("turns", "dashed"), [(1, True), (11, True), (13, False), (400, False)])
def test_a_curve_of_too_many_turns_has_no_gaps(turns, dashed):
    x = np.linspace(0.0, 1.0, 40 * turns + 1)
    y, axis = np.sin(2 * np.pi * turns * x), PanelAxis("y", -1.0, 1.0)
    assert Curve("a pin", x, y, "green").dashes(axis) == (DASHES["green"] if dashed else ())


def test_the_current_curve_and_those_without_a_name_have_no_gaps():
    x, axis = np.arange(9.0), PanelAxis("y", 0.0, 8.0)
    for curve in (Curve("current", x, x), Curve("", x, x, "green")):
        assert curve.dashes(axis) == ()
    for y in (np.full(9, np.nan), np.array([-1.7e308, 1.7e308] * 4 + [np.inf])):
        assert Curve("a pin", x, y, "green").dashes(axis) in ((), DASHES["green"])


def shaded(image, shade):
    """Return which pixels of a picture have a colour."""
    red, green, blue = QColor(shade).getRgb()[:3]
    return (abs(image[..., :3].astype(int) - (red, green, blue)) < 60).all(axis=-1)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_level_curve_has_them_on_the_screen(show, qapp, theme, ratio):
    qapp.set_theme(theme)
    options = {"quantity": "frequency", "axis": "linear"}
    for pin in PINS[:3]:  # a single wave is a level line
        e = encodings.create("sinusoidal", dim=2)
        view = show("frequencies", encoding=e, pins=(Pin(e, "one", pin.colour),), options=options)
        view.plots["curve"].curve_set.lines[0].hide()  # which lies over it
        image = QImage(view.size() * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        view.render(image)
        found = shaded(colours(image), pin_shade(pin.colour, view.palette()))
        row = found[found.sum(axis=1).argmax()]
        drawn = row[np.flatnonzero(row)[0] : np.flatnonzero(row)[-1]]
        on, off = sum(DASHES[pin.colour][::2]), sum(DASHES[pin.colour][1::2])
        assert drawn.mean() == pytest.approx(on / (on + off), abs=0.1)
        edges = np.flatnonzero(np.diff(drawn.astype(int)) == 1)
        period = (on + off) * ratio / (len(DASHES[pin.colour]) // 2)
        assert np.diff(edges).mean() == pytest.approx(period, rel=0.1)


@pytest.mark.parametrize("name", WITH_CURVES)
def test_a_page_has_them(name):
    style = Style(legend="inside")
    page = page_with(name, pins=PINS[:3], size=PRESETS["two-columns"], style=style)
    lines = items_of(page, Polyline)
    for pin in PINS[:3]:
        light, _ = PIN_SHADES[pin.colour]
        of_pin = [line for line in lines if line.colour == light]
        scales = {
            tuple(np.divide(line.dashes, DASHES[pin.colour]).round(9))
            for line in of_pin
            if line.dashes
        }
        (scale,) = scales  # one for curves and legend
        assert len(set(scale)) == 1
        assert [line for line in of_pin if line.clip and line.dashes]
        assert [line for line in of_pin if not line.clip and line.dashes]


def test_a_script_gives_matplotlib_the_same_ones():
    state, size = resolve(Exploration(pins=PINS[:4]), DirectStore()), FigureSize(174, 120, "mm")
    style, never = Style(dpi=72.0), threading.Event()
    scripts = [figure_code((name,), state, style, size, "", never) for name in WITH_CURVES]
    for found in run_scripts(scripts):
        lines = [line for ax in found["axes"] for line in ax["lines"]]
        patterns = {tuple(line["dashes"]) for line in lines if line["dashes"]}
        for pin in PINS[:4]:
            wanted = 0.75 * np.array(DASHES[pin.colour])
            same = [each for each in patterns if len(each) == len(wanted)]
            assert any(np.allclose(each, wanted, atol=0.05) for each in same)


# -- names at the ends -----------------------------------------------------------------------------


def places_of(view):
    """Return where the names stand, with their texts, in pixels of the plot."""
    legend = view.plots["curve"].curve_set.legend
    texts = [text for text, _ in legend._rows]
    return list(zip(texts, legend._ends, strict=False)), legend


def test_names_stand_at_the_ends_of_curves_where_all_have_room(show):
    view = show("frequencies", pins=PINS[:3], count=WHOLE_TURNS)
    view.model.set(name="mine")
    settle(view.model)
    places, legend = places_of(view)
    assert [text for text, _ in places] == ["mine", "base 30", "base 100", "base 300"]
    plot = view.plots["curve"]
    for (_, place), line in zip(places, plot.curve_set.lines, strict=True):
        x, y = line.getData()
        end = plot.box.mapFromView(QPointF(x[-1], y[-1]))
        assert 0 <= place.right() <= plot.box.width()
        assert abs(end.y() - place.center().y()) < 3 * place.height()
    for (_, one), (_, other) in combinations(places, 2):
        assert not one.intersects(other)
    assert legend.names == tuple(text for text, _ in places)


def test_where_one_has_no_room_a_legend_names_them_all(show):
    same = tuple(Pin(PINS[0].encoding, f"pin {n}", tuple(PIN_COLOURS)[n]) for n in range(4))
    view = show("frequencies", pins=same, count=WHOLE_TURNS)
    places, legend = places_of(view)
    assert not places
    assert len(legend.texts) == 5
    view.model.set(pins=PINS[:2])
    settle(view.model)
    assert places_of(view)[0]


# -- dots ------------------------------------------------------------------------------------------


def test_dots_stand_where_lines_cross_waves_and_nowhere_else(show):
    e = encodings.create("sinusoidal", dim=16)
    view = show("waves", encoding=e, options={**LINES, "dimensions": (0, 1, 4)}, pins=PINS[:1])
    dots = view.curve_plot.curve_set.dots
    x, y = dots.getData()
    wanted = [
        (p, f(p * 1e4 ** (-pair / 8)))
        for p in LINES.values()
        for f, pair in ((np.sin, 0), (np.cos, 0), (np.sin, 2))
    ]
    np.testing.assert_allclose(np.column_stack([x, y]), wanted, atol=1e-12)
    view.set_options(line1=None, line2=None)
    settle(view.model)
    assert not len(dots.getData()[0])


def test_a_page_has_the_dots():
    options = {"waves": pictures.find("waves").Options(**LINES)}
    page = page_with("waves", options=options, size=PRESETS["two-columns"])
    discs = [each for each in items_of(page, Circle) if each.fill]
    assert len(discs) == 2 * 4  # two lines, two pairs
