"""A curve in a vector file has every position, or says what stands for many."""

import numpy as np
import pytest

from pe_explorer.analysis import distance
from pe_explorer.app.output.figure_order import FigureJob, lay_out_figures
from pe_explorer.encodings import create
from pe_explorer.figures.page import Polyline
from pe_explorer.figures.style import Style
from pe_explorer.model.steps import run_now
from tests.support.figures import items_of, sized, words_of
from tests.support.states import state_of

pytestmark = pytest.mark.usefixtures("qapp")  # which measures texts
every_width = pytest.mark.parametrize("size", ["84x60mm", "174x80mm"])


def page_of(count, size):
    """Return a page with the curve of distances from position 0 to `count` positions."""
    state = state_of("distances", {"part": "curve"}, count=count)
    return run_now(lay_out_figures(FigureJob("distances", state, Style(), sized(size))))


def exact(count, metric="cosine"):
    return distance.from_reference(create("sinusoidal"), 0, range(count), metric)


def lines_of(page):
    """Return the points of the curves: of the lines with most points, the first drawn first."""
    lines = [it.points for it in items_of(page, Polyline) if it.width and not it.is_rule]
    most = max(map(len, lines))
    return [points for points in lines if len(points) == most]


def assert_same_course(points, numbers):
    """Assert that heights on a page are numbers of an axis that grows upwards."""
    slope, origin = np.polyfit(numbers, points[:, 1], 1)
    assert slope < 0
    np.testing.assert_allclose(points[:, 1], slope * numbers + origin, atol=1e-6)


@every_width
def test_a_curve_of_4096_positions_has_them_all_on_any_paper(size):
    (line,) = lines_of(page_of(4096, size))
    assert_same_course(line, exact(4096))


@every_width
def test_beyond_20000_positions_the_edges_are_the_least_and_the_greatest(size):
    page = page_of(50_000, size)
    high, low = sorted(lines_of(page), key=lambda points: points[:, 1].mean())
    block = -(-50_000 // len(high))
    assert f"least to greatest of {block} positions" in " ".join(words_of(page))
    blocks = exact(block * len(high)).reshape(len(high), block)
    assert_same_course(high, blocks.max(axis=1))
    assert_same_course(low, blocks.min(axis=1))


def test_beyond_ten_million_positions_the_mean_is_drawn_within_bounds():
    page = page_of(10**8, "84x60mm")
    assert len(lines_of(page)) == 1
    assert "within proven bounds" in " ".join(words_of(page))
