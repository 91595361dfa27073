"""A curve in a vector file has every position, or says what stands for many."""

import numpy as np
import pytest

from pe_explorer import pictures
from pe_explorer.analysis import distance
from pe_explorer.app.output.figure_order import Order, laid_out
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.figures import matplotlib_figure
from pe_explorer.figures.page import PageText, Polyline
from pe_explorer.figures.size import parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.model.steps import at_once

pytestmark = pytest.mark.usefixtures("qapp")  # which measures texts
WIDTHS = ("84x60mm", "174x80mm")


def state_of(count, **fields):
    """Return what shows the curve of distances from position 0 of so many positions."""
    state = pictures.with_options(Exploration(count=count, **fields), "distances", part="curve")
    return resolve(state, DirectStore())


def page_of(count, size):
    order = Order("distances", state_of(count), Style(), parse_figure_size(size))
    return at_once(laid_out(order))


def lines_of(page):
    """Return the points of the curves: of the lines with most points, the first drawn first."""
    lines = [
        it.points for it in page.items if isinstance(it, Polyline) and it.width and not it.rule
    ]
    most = max(map(len, lines))
    return [points for points in lines if len(points) == most]


def assert_same_course(points, numbers):
    """Assert that heights on a page are numbers of an axis that grows upwards."""
    slope, origin = np.polyfit(numbers, points[:, 1], 1)
    assert slope < 0
    np.testing.assert_allclose(points[:, 1], slope * numbers + origin, atol=1e-6)


def texts_of(page):
    return " ".join(item.text for item in page.items if isinstance(item, PageText))


@pytest.mark.parametrize("size", WIDTHS)
def test_a_curve_of_4096_positions_has_them_all_on_any_paper(size):
    page = page_of(4096, size)
    (line,) = lines_of(page)
    assert_same_course(line, distance.from_reference(Exploration().encoding, 0, range(4096)))


@pytest.mark.parametrize("size", WIDTHS)
def test_beyond_20000_positions_the_edges_are_the_least_and_the_greatest(size):
    count = 50_000
    page = page_of(count, size)
    edges = lines_of(page)
    columns = len(edges[0])
    block = -(-count // columns)
    assert f"least to greatest of {block} positions" in texts_of(page)
    each = distance.from_reference(Exploration().encoding, 0, range(block * columns))
    high, low = sorted(edges, key=lambda points: points[:, 1].mean())
    blocks = each.reshape(columns, block)
    assert_same_course(high, blocks.max(axis=1))
    assert_same_course(low, blocks.min(axis=1))


def test_beyond_ten_million_positions_the_mean_is_drawn_within_bounds():
    page = page_of(10**8, "84x60mm")
    assert len(lines_of(page)) == 1
    assert "within proven bounds" in texts_of(page)


@pytest.mark.parametrize("metric", ["similarity", "manhattan"])
def test_scripts_draw_the_same_edges(metric):
    count = 50_000
    figure = matplotlib_figure("distances", state_of(count, metric=metric), dpi=300.0)
    edges = (line.get_ydata() for line in figure.axes[0].lines if len(line.get_xdata()) > 2)
    low, high = sorted(edges, key=np.mean)
    block = -(-count // len(low))
    each = distance.from_reference(Exploration().encoding, 0, range(block * len(low)), metric)
    np.testing.assert_allclose(low, each.reshape(-1, block).min(axis=1), atol=1e-9)
    np.testing.assert_allclose(high, each.reshape(-1, block).max(axis=1), atol=1e-9)
