"""Figures are described whole and without Qt: axes, cells, curves, marks, colours, values."""

import math
import threading
from fractions import Fraction

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.colours import maps
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.figure import Curve, PanelAxis
from pe_explorer.pictures.pixels import NO_VALUE, Size, colour_indices
from tests.support.cases import for_each

FAR = 10**15
SIZE = Size(300, 200)


def figure_of(name, size=SIZE, **fields):
    state = resolve(Exploration(**fields), DirectStore())
    picture = pictures.find(name)
    numbers = picture.compute(state, size, threading.Event())
    return picture.figure(state, numbers)


def sines(p, j, dim=8, base=1e4):
    angle = p / base ** (2 * (j // 2) / dim)
    return np.sin(angle) if j % 2 == 0 else np.cos(angle)


def test_a_heatmap_is_cells_between_two_axes():
    e = encodings.create("sinusoidal", dim=8)
    (panel,) = figure_of("heatmap", encoding=e, start=-3, count=20).panels
    assert (panel.x.title, panel.x.origin, panel.x.count) == ("dimension", 0, 8)
    assert (panel.y.title, panel.y.origin, panel.y.count) == ("position", -3, 20)
    assert (panel.y.low, panel.y.high, panel.y.down) == (-0.5, 19.5, True)
    assert panel.cells.limits == (-1.0, 1.0)
    assert panel.cells.colour_map in maps.DIVERGING
    assert panel.cells.values.shape == panel.cells.indices.shape == (20, 8)
    assert not panel.curves


def test_the_number_under_a_point_is_that_of_its_cell():
    e = encodings.create("sinusoidal", dim=8)
    (panel,) = figure_of("heatmap", encoding=e, start=-3, count=20).panels
    for row in (0, 7, 19):
        for column in (0, 3, 7):
            truth = sines(row - 3, column)
            for off in (-0.49, 0.0, 0.49):
                found = panel.value_at(column + off, row + off)
                assert found == pytest.approx(truth, abs=1e-12)
    assert panel.value_at(-0.6, 0) is None
    assert panel.value_at(0, 19.6) is None


def test_a_cell_of_many_positions_is_their_mean_and_covers_them():
    e = encodings.create("sinusoidal", dim=8)
    (panel,) = figure_of("heatmap", Size(8, 10), encoding=e, count=1000).panels
    place = panel.cells.place
    assert (place.left, place.top, place.width, place.height) == (-0.5, -0.5, 8, 1000)
    truth = np.mean([sines(p, 2) for p in range(300, 400)])
    assert panel.value_at(2, 355) == pytest.approx(truth, abs=1e-12)


def test_colours_are_those_of_the_values():
    cells = figure_of("heatmap", count=50).panels[0].cells
    low, high = cells.limits
    expected = (cells.values - low) / (high - low) * 254
    assert np.abs(cells.indices - expected).max() <= 0.5 + 1e-9


def test_axes_far_away_count_from_a_whole_number():
    (panel,) = figure_of("heatmap", start=FAR, count=10).panels
    assert (panel.y.origin, panel.y.low) == (FAR, -0.5)


def test_distances_are_curves_beside_a_matrix():
    e, other = encodings.create("sinusoidal", dim=8), encodings.create("sinusoidal", dim=6)
    pins = (Pin(other, "six", "teal"),)
    figure = figure_of("distances", encoding=e, count=40, reference=5, pins=pins)
    curves, matrix = figure.panels
    assert [curve.name for curve in curves.legend] == ["d = 8", "six"]
    assert [curve.colour for curve in curves.curves] == ["accent", "teal"]
    assert [mark.x for mark in curves.marks] == [5.0]
    assert curves.y.title == "cosine distance from position 5"
    assert curves.y.low < 0 < curves.y.high
    rows = np.array([[sines(p, j) for j in range(8)] for p in range(40)])
    lengths = np.linalg.norm(rows, axis=1)
    cosines = 1 - rows @ rows.T / np.outer(lengths, lengths)
    np.testing.assert_allclose(curves.curves[0].y, cosines[5], atol=1e-12)
    np.testing.assert_allclose(matrix.cells.values, cosines, atol=1e-12)
    assert curves.value_at(11.3, 0.0) == pytest.approx(cosines[5, 11], abs=1e-12)
    assert matrix.value_at(11.3, 7.6) == pytest.approx(cosines[8, 11], abs=1e-12)


def test_one_curve_needs_no_legend_and_a_far_reference_no_mark():
    curves, _ = figure_of("distances", count=40, reference=FAR).panels
    assert curves.legend == curves.marks == ()


def test_a_curve_ends_where_its_numbers_do():
    curve = Curve("c", np.array([0.5, 2.5, 4.5]), np.array([1.0, np.nan, 3.0]))
    assert curve.value_at(-0.5) == curve.value_at(1.4) == 1.0
    assert np.isnan(curve.value_at(2.5))
    assert curve.value_at(5.5) == 3.0
    assert curve.value_at(-0.6) is curve.value_at(5.6) is None
    assert curve.visible
    assert not curve._replace(y=np.full(3, np.nan)).visible


def test_rows_that_there_are_not_are_hatched(tmp_path):
    np.save(tmp_path / "t.npy", np.arange(12.0).reshape(6, 2))
    e = encodings.create("learned", file=str(tmp_path / "t.npy"))
    (panel,) = figure_of("heatmap", encoding=e, start=-2, count=10).panels
    above, below = panel.hatched
    assert (above.top, above.height) == (-0.5, 2)
    assert (below.top, below.height) == (7.5, 2)
    assert (panel.cells.indices[:2] == NO_VALUE).all()
    assert panel.value_at(0, 2) == 0.0


def test_clocks_are_points_on_circles():
    e = encodings.create("sinusoidal", dim=8)
    face = figure_of("clocks", encoding=e, count=10).clocks
    scale = face.grid.radius * face.grid.ratio
    for pair in range(4):
        angles = np.arange(10) / 1e4 ** (2 * pair / 8)
        np.testing.assert_allclose(face.x[:, pair] / scale, np.sin(angles), atol=1e-6)
        np.testing.assert_allclose(-face.y[:, pair] / scale, np.cos(angles), atol=1e-6)


@for_each("name", pictures.names())
def test_each_says_in_a_sentence_what_is_shown(name):
    status = figure_of(name).status
    assert status.startswith(f"{pictures.find(name).title}: ")
    assert status.endswith(".")


@for_each("name", pictures.names())
def test_an_empty_figure_has_the_axes_of_the_full_one(name):
    state = Exploration(count=30)
    frame, figure = pictures.find(name).frame(state), figure_of(name, count=30)
    for empty, full in zip(frame.panels, figure.panels, strict=True):
        if full.trail is None:
            assert (empty.x, empty.y.title) == (full.x, full.y.title)
        else:  # how much of the variance an axis holds is known with the points
            assert full.x.title.split(",")[0] == empty.x.title
            assert full.y.title.split(",")[0] == empty.y.title


@pytest.mark.parametrize(
    ("count", "status"),
    [
        (40, "Distances: every position is shown."),
        (150, "Distances: every position is on the curve; exact means of 2 × 2 positions "),
        (3000, "Distances: exact means of 10 positions for each pixel of the curve, of 30 × 30 "),
    ],
)
def test_the_status_of_distances_tells_what_a_pixel_stands_for(count, status):
    assert figure_of("distances", Size(300, 100), count=count).status.startswith(status)


@pytest.mark.parametrize("largest", [5e-324, 1e-310, 1.0, 1e307, 1.79e308])
def test_colours_of_limits_as_far_apart_as_can_be(largest):
    """Of each number, how far it is from the lower limit to the upper, in exact fractions."""
    values = [largest, -largest, 0.0, largest / 4]
    low, high = Fraction(-largest), Fraction(largest)
    shares = [(Fraction(value) - low) / (high - low) for value in values]
    (found,) = colour_indices(np.array([values]), (-largest, largest)).tolist()
    assert found == [math.floor(share * 254 + Fraction(1, 2)) for share in shares]
    axis = PanelAxis("value", -largest, largest)
    np.testing.assert_allclose([axis.part(value) for value in values], np.array(shares, float))
