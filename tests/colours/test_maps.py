"""Tables of colour maps, compared with those in pyqtgraph and matplotlib."""

import matplotlib as mpl
import numpy as np
import pyqtgraph as pg
import pytest

from pe_explorer.colours import maps

PUBLISHED = {
    "blue-red": "CET-D1A",
    "red-blue": "CET-D1A",
    "viridis": "viridis",
    "cividis": "cividis",
    "grey": "CET-L1",
    "cyclic": "CET-C2",
    "cyclic-two": "CET-CBC1",
}
OWN = ("soft", "hues")
MATPLOTLIB_MAPS = ("coolwarm", "coolwarm_r", "RdBu", "RdBu_r", "hsv")


def test_every_colour_map_has_a_table():
    known = {*PUBLISHED, *MATPLOTLIB_MAPS, *OWN}
    assert {*maps.VALUE_MAPS, *maps.ANGLE_MAPS, maps.ORDER_MAP} == known
    assert {*MATPLOTLIB_MAPS, "viridis", "viridis_r"} == maps.MATPLOTLIB_MAPS
    assert set(maps.VALUE_MAPS) > maps.DIVERGING_MAPS


@pytest.mark.parametrize("name", PUBLISHED)
def test_tables_match_the_published_maps(name):
    for size in (2, 100, 255, 256, 1000):
        expected = pg.colormap.get(PUBLISHED[name]).getLookupTable(nPts=size, alpha=False)
        actual = maps.table(name, size)
        np.testing.assert_array_equal(actual[::-1] if name == "red-blue" else actual, expected)


@pytest.mark.parametrize("name", [*MATPLOTLIB_MAPS, "viridis", "viridis_r"])
def test_tables_match_matplotlib(name):
    colours = 255 * mpl.colormaps[name](np.arange(256))[:, :3]
    for size in (255, 256):
        places = np.linspace(0, 255, size)
        expected = [np.interp(places, np.arange(256), channel) for channel in colours.T]
        assert np.abs(maps.table(name, size) - np.transpose(expected)).max() <= 1.6


def test_backwards_reverses_the_colours():
    for name in maps.VALUE_MAPS:
        other = maps.reverse_map(name)
        assert maps.reverse_map(other) == name
        np.testing.assert_array_equal(maps.table(other, 9), maps.table(name, 9)[::-1])
    for has_dark_background, first in ((False, 0), (True, maps.DARK_COLOUR_COUNT)):
        table = maps.make_order_table(has_dark_background=has_dark_background)
        np.testing.assert_array_equal(table, maps.table(maps.ORDER_MAP)[first:])


def test_is_dark_compares_with_middle_grey():
    for name in (*maps.VALUE_MAPS, *maps.ANGLE_MAPS):
        for size in (255, 256):  # grey contains the middle grey itself
            brightness = maps.table(name, size).astype(int) @ (299, 587, 114)
            np.testing.assert_array_equal(maps.find_dark_colours(name, size), brightness < 128_000)
            assert len(maps.table(name)) == len(maps.find_dark_colours(name)) == 256


def lightness(colours):
    """Return L* of CIELAB, of sRGB colours from 0 to 255."""
    c = colours / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    y = linear @ (0.2126, 0.7152, 0.0722)
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, 24389 / 27 * y)


def test_the_default_value_map_is_uniform_and_not_dark():
    shades = lightness(maps.table("soft", 255).astype(float))
    assert 40 <= shades[[0, -1]].min() <= shades[[0, -1]].max() <= 45
    assert shades[127] >= 95
    np.testing.assert_allclose(shades, shades[::-1], atol=0.7)  # symmetric
    steps = np.diff(shades[:128])
    assert steps.min() > 0
    np.testing.assert_allclose(shades[:128], np.linspace(shades[0], shades[127], 128), atol=0.7)


def test_the_default_angle_map_is_cyclic():
    table = maps.table("hues").astype(float)
    assert abs(table[0] - table[-1]).max() <= 8
    assert 55 <= lightness(table).min() <= lightness(table).max() <= 88
    steps = np.abs(np.diff(table, axis=0)).sum(axis=1)
    assert steps.max() < 4 * np.median(steps)


def test_diverging_maps_are_grey_in_the_middle():
    for name in maps.DIVERGING_MAPS:
        colours = maps.table(name, 255).astype(int)
        spread = np.ptp(colours, axis=1)
        assert spread[127] <= 12, name
        assert spread[[0, 254]].min() > 80, name
    white = maps.table("RdBu", 255)[127] / 255  # document 003: almost white at zero
    np.testing.assert_allclose(white, (0.966, 0.967, 0.968), atol=5e-3)


def test_cyclic_maps_end_as_they_begin():
    for name in maps.ANGLE_MAPS:
        first, last = maps.table(name)[[0, -1]] / 255
        if name == "hsv":  # document 003 claims that its first and last colours are equal
            np.testing.assert_allclose(first, (1, 0, 0), atol=2e-3)
            np.testing.assert_allclose(last, (1, 0, 0.094), atol=3e-3)
        else:
            assert abs(first - last).max() <= 8 / 255, name
