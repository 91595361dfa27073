"""Points in their order on a page: where they are, their colours, and the ring of the cursor."""

from dataclasses import replace

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.colours import maps
from pe_explorer.figures.page import Circle, Dots, PageImage, Polyline
from pe_explorer.figures.style import Style
from tests.support.figures import figures_of, items_of, page_with

FIELDS = {"encoding": encodings.create("sinusoidal", dim=32), "count": 60, "position": 7}


@pytest.mark.parametrize("ground", ["white", "dark"])
def test_each_position_is_a_dot_of_its_colour_on_one_scale(ground):
    style = Style(ground=ground)
    page = page_with("projection", style=style, **FIELDS)
    (figure,) = figures_of("projection", style=style, **FIELDS)
    trail = figure.panels[0].trail
    (dots,) = items_of(page, Dots)
    x, y = dots.centres.T
    scale = np.diff(x)[0] / np.diff(trail.x)[0]
    np.testing.assert_allclose(np.diff(x), scale * np.diff(trail.x), atol=1e-9 * page.width)
    np.testing.assert_allclose(np.diff(y), -scale * np.diff(trail.y), atol=1e-9 * page.width)
    table = maps.order_table(on_dark=ground == "dark")
    wanted = table[np.rint(np.arange(60) / 59 * (len(table) - 1)).astype(int)]
    np.testing.assert_array_equal(dots.colours, wanted)
    (bar,) = items_of(page, PageImage)
    np.testing.assert_array_equal(bar.cells[[0, -1], 0, :3], table[[-1, 0]])


def test_lines_join_all_dots_in_their_colours():
    page = page_with("projection", **FIELDS)
    (dots,) = items_of(page, Dots)
    colours = {f"#{colour.tobytes().hex()}" for colour in dots.colours}
    lines = [line for line in items_of(page, Polyline) if line.colour in colours and not line.rule]
    joined = np.concatenate([[lines[0].points[0]], *(line.points[1:] for line in lines)])
    np.testing.assert_allclose(joined, dots.centres)


def test_the_cursor_is_a_ring_if_it_is_wanted():
    style = Style()
    assert not items_of(page_with("projection", style=style, **FIELDS), Circle)
    page = page_with("projection", style=replace(style, cursor="show"), **FIELDS)
    (ring,), (dots,) = items_of(page, Circle), items_of(page, Dots)
    assert (ring.x, ring.y) == pytest.approx(tuple(dots.centres[7]))
    assert ring.radius > dots.radius
