"""Curves are told apart without their colours: by dashes, and by names at their ends."""

import threading
from itertools import combinations

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.colours.dashes import DASHES
from pe_explorer.colours.themes import PIN_SHADES
from pe_explorer.exploration import PIN_COLOURS, DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.page import Circle, Polyline
from pe_explorer.figures.size import PRESETS, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_code import figure_code
from pe_explorer.pictures.figure import Curve, PanelAxis
from tests.support.figures import items_of, page_with
from tests.support.matplotlib_run import run_scripts

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
    steps, pattern = np.arange(length), np.cumsum(DASHES[colour])
    return np.searchsorted(pattern, steps % pattern[-1], side="right") % 2 == 0


def test_every_colour_of_a_pin_has_dashes_of_its_own():
    assert set(DASHES) == set(PIN_COLOURS)
    for one, other in combinations(map(piece, DASHES), 2):
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


# -- dots ------------------------------------------------------------------------------------------


def test_a_page_has_the_dots():
    options = {"waves": pictures.find("waves").Options(**LINES)}
    page = page_with("waves", options=options, size=PRESETS["two-columns"])
    discs = [each for each in items_of(page, Circle) if each.fill]
    assert len(discs) == 2 * 4  # two lines, two pairs
