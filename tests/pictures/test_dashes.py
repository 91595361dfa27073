"""Curves are distinguishable by dashes without colours, and end where their numbers do."""

from itertools import combinations

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.colours.dashes import DASHES
from pe_explorer.colours.themes import PIN_SHADES
from pe_explorer.exploration import PIN_COLOURS, Pin
from pe_explorer.figures.page import Polyline
from pe_explorer.figures.size import PRESETS
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Curve
from tests.support.figures import items_of, page_with

PINS = [
    Pin(encodings.create("sinusoidal", base=base), f"base {base:g}", colour)
    for base, colour in zip((30.0, 100.0, 300.0), PIN_COLOURS, strict=False)
]


def piece(colour, length=120):
    """Return which pixels of a level line are drawn in the dashes of a colour."""
    steps, pattern = np.arange(length), np.cumsum(DASHES[colour])
    return np.searchsorted(pattern, steps % pattern[-1], side="right") % 2 == 0


def test_every_colour_of_a_pin_has_dashes_of_its_own():
    assert set(DASHES) == set(PIN_COLOURS)
    for one, other in combinations(map(piece, DASHES), 2):
        assert (one ^ other).sum() >= 20


def test_a_curve_ends_where_its_numbers_do():
    curve = Curve("c", np.array([0.5, 2.5, 4.5]), np.array([1.0, np.nan, 3.0]))
    assert curve.find_value(-0.5) == curve.find_value(1.4) == 1.0
    assert np.isnan(curve.find_value(2.5))
    assert curve.find_value(5.5) == 3.0
    assert curve.find_value(-0.6) is curve.find_value(5.6) is None
    assert curve.is_visible
    assert not curve._replace(y=np.full(3, np.nan)).is_visible


@pytest.mark.parametrize("name", ["distances", "frequencies", "properties"])
def test_a_page_has_them(name):
    style = Style(legend="inside")
    page = page_with(name, pins=PINS, size=PRESETS["two-columns"], style=style)
    for pin in PINS:
        light, _ = PIN_SHADES[pin.colour]
        dashed = [each for each in items_of(page, Polyline) if each.colour == light and each.dashes]
        scales = np.array([np.divide(line.dashes, DASHES[pin.colour]) for line in dashed])
        np.testing.assert_allclose(scales, scales[0, 0])  # one for curves and legend
        assert {bool(line.clip) for line in dashed} == {True, False}


@pytest.mark.parametrize("texts", [(), (("base 30: dimension 1", "slow"),)])
@pytest.mark.parametrize("count", [1, 2])
def test_no_two_curves_of_waves_look_the_same(count, texts):
    style = Style(legend="inside", texts=texts)
    page = page_with("waves", pins=PINS[:count], size=PRESETS["two-columns"], style=style)
    lines = [each for each in items_of(page, Polyline) if not each.is_rule and not each.fill]
    for is_legend in (False, True):
        drawn = [(it.colour, it.dashes) for it in lines if bool(it.clip) != is_legend]
        assert len(set(drawn)) == len(drawn) == 4 * (1 + count)
    if count == 1:  # there are eight dashes
        assert len({line.dashes for line in lines if line.clip}) == 8
