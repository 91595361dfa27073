"""Curves are told apart without their colours: each pin has a marker on its curve."""

import json
import subprocess
import sys
import threading
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from pe_explorer import encodings, pictures
from pe_explorer.colours.markers import MARKERS
from pe_explorer.colours.themes import PIN_SHADES
from pe_explorer.exploration import PIN_COLOURS, DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.page import Line
from pe_explorer.figures.size import PRESETS, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_code import code_of_figure
from pe_explorer.pictures.figure import Axis, Curve
from pe_explorer.pictures.pixels import Size
from pe_explorer.widgets.curve import draw_marker
from pe_explorer.widgets.theme import pin_shade
from tests.support.figures import items_of, measure, page_with
from tests.support.matplotlib_run import run_scripts
from tests.support.pages import colours

SHAPES = """
import json
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
print(json.dumps({code: name for code, name in Line2D.markers.items() if isinstance(code, str)}))
"""
BASES = (30.0, 100.0, 300.0, 1000.0, 3000.0, 30_000.0, 1e5, 1e6)
PINS = tuple(
    Pin(encodings.create("sinusoidal", base=base), f"base {base:g}", colour)
    for base, colour in zip(BASES, PIN_COLOURS, strict=True)
)
WITH_CURVES = ("distances", "frequencies", "properties", "waves")


def shape(colour, pixels=41):
    """Return which pixels a marker covers."""
    image = QImage(pixels, pixels, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    middle = pixels / 2
    draw_marker(painter, MARKERS[colour], (middle, middle), pixels / 3, QColor("white"))
    painter.end()
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(pixels, -1)
    return rows[:, :pixels] > 127


def test_every_colour_of_a_pin_has_a_shape_of_its_own(qapp):
    assert set(MARKERS) == set(PIN_COLOURS)
    shapes = {colour: shape(colour) for colour in MARKERS}
    for one, other in combinations(shapes, 2):
        union = (shapes[one] | shapes[other]).sum()
        assert (shapes[one] ^ shapes[other]).sum() > 0.15 * union, (one, other)
    areas = [each.sum() for each in shapes.values()]
    assert max(areas) < 1.8 * min(areas)  # none looks as if it were more important


def test_matplotlib_knows_the_shapes():
    done = subprocess.run(
        [sys.executable, "-c", SHAPES], capture_output=True, text=True, check=True, timeout=120
    )
    names = json.loads(done.stdout)
    called = {colour: names[marker.code] for colour, marker in MARKERS.items()}
    assert called == {
        "magenta": "circle",
        "green": "square",
        "gold": "triangle_up",
        "violet": "thin_diamond",
        "brown": "triangle_down",
        "teal": "x_filled",
        "orange": "star",
        "ink": "plus_filled",
    }


@pytest.mark.parametrize("points", [1, 2, 5, 6, 7, 50, 10_000])
def test_markers_are_few_far_apart_and_on_numbers(points):
    x = np.arange(points, dtype=float)
    y = np.where(x % 5 == 3, np.nan, np.sin(x))
    low, high = (points // 4) - 0.5, points - 0.5
    for colour in MARKERS:
        places = Curve("a pin", x, y, colour).with_marker(Axis("x", low, high))
        assert np.isfinite(y[places]).all()
        assert ((x[places] >= low) & (x[places] <= high)).all()
        there = int((np.isfinite(y) & (x >= low)).sum())
        assert len(places) == min(6, there)
        if there > 50:
            gaps = np.diff(x[places])
            assert gaps.max() - gaps.min() <= 2
            assert abs(gaps.mean() - (high - low) / 6) < 2


def test_equal_curves_have_their_markers_at_different_places():
    x = np.arange(200.0)
    axis = Axis("x", 0.0, 199.0)
    places = [set(Curve("a", x, x, colour).with_marker(axis).tolist()) for colour in MARKERS]
    assert len(set.union(*places)) == 6 * len(MARKERS)


def test_the_current_curve_and_those_without_a_name_have_none():
    x = np.arange(9.0)
    for curve in (Curve("current", x, x), Curve("", x, x, "green")):
        assert not len(curve.with_marker(Axis("x", 0.0, 8.0)))


def blobs(found):
    """Return the middles of what is thicker than a line, of some pixels."""
    thick = found.copy()
    for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
        thick &= np.roll(found, step, axis)
    left, middles = set(zip(*np.nonzero(thick), strict=True)), []
    while left:
        blob, todo = [], [left.pop()]
        while todo:
            row, column = todo.pop()
            blob.append((row, column))
            near = {(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)}
            todo += near & left
            left -= near
        middles.append(np.mean(blob, axis=0))
    return middles


def in_shade(image, shade):
    """Return which pixels of a picture have a colour."""
    red, green, blue = QColor(shade).getRgb()[:3]
    return (abs(image[..., :3].astype(int) - (red, green, blue)) < 40).all(axis=-1)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", WITH_CURVES)
def test_the_window_draws_them_on_curves_and_in_legends(show, qapp, name, theme):
    qapp.set_theme(theme)
    pins = PINS[0], replace(PINS[4], encoding=PINS[2].encoding)  # colours that no map has
    view = show(name, 1000, 700, pins=pins)
    grabbed = colours(view.grab().toImage())
    for pin in pins:
        found = blobs(in_shade(grabbed, pin_shade(pin.colour, view.palette())))
        expected = 6 if name != "waves" else 6 * 4  # two pairs, each a sine and a cosine
        in_legend = expected // 6
        assert 0.6 * expected + in_legend <= len(found) <= expected + in_legend, name


@pytest.mark.parametrize("name", WITH_CURVES)
def test_a_page_has_them_where_its_curves_are(name):
    page = page_with(name, pins=PINS[:3], size=PRESETS["two-columns"])
    lines = items_of(page, Line)
    marked = [line for line in lines if line.fill and not line.colour and line.clip]
    for pin in PINS[:3]:
        light, _ = PIN_SHADES[pin.colour]
        curves = [line for line in lines if line.colour == light and line.clip]
        markers = [line for line in marked if line.fill == light]
        assert len(markers) == len(curves) > 0
        for curve, group in zip(curves, markers, strict=True):
            shapes = np.split(group.points, np.flatnonzero(np.isnan(group.points[:, 0])))
            shapes = [each[np.isfinite(each[:, 0])] for each in shapes]
            middles = [(each.min(axis=0) + each.max(axis=0)) / 2 for each in shapes if len(each)]
            assert 4 <= len(middles) <= 6
            known = curve.points[np.isfinite(curve.points).all(axis=1)]
            for middle in middles:
                away = np.hypot(*(known - middle).T)
                assert away.min() < 1.0, "a marker is not on its curve"


def test_legends_of_pages_have_them():
    for size in ("one-column", "two-columns"):
        page = page_with("distances-curve", pins=PINS[:3], size=PRESETS[size])
        beside = [line for line in items_of(page, Line) if line.fill and not line.clip]
        shades = {PIN_SHADES[pin.colour][0] for pin in PINS[:3]}
        assert shades <= {line.fill for line in beside}


def test_a_script_gives_matplotlib_the_same_ones():
    state = resolve(Exploration(pins=PINS[:4]), DirectStore())
    scripts, figures = [], []
    for name in WITH_CURVES:
        picture = pictures.find(name)
        figure = picture.figure(state, picture.compute(state, Size(60, 64), threading.Event()))
        figures.append(figure)
        size = FigureSize(174, 120, "mm")
        scripts.append(code_of_figure(name, state, figure, Style(dpi=72.0), size, measure))
    for figure, found in zip(figures, run_scripts(scripts), strict=True):
        panels = [panel for panel in figure.panels if panel.curves]
        drawn = [line for ax in found["axes"] for line in ax["lines"]]
        in_legend = {line["marker"] for line in found["strokes"]}
        for curve in (curve for panel in panels for curve in panel.curves):
            if not curve.visible or curve.colour == "accent":
                continue
            code = MARKERS[curve.colour].code
            same = [line for line in drawn if line["marker"] == code]
            x, _ = curve.outline
            assert code in in_legend
            wanted = [curve.with_marker(panel.x).tolist() for panel in panels]
            assert any(line["markevery"] in wanted and len(line["x"]) == len(x) for line in same)
