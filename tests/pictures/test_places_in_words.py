"""Where words say that something is, is where the figure has it."""

import math

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.spots import Spot, Where, spot
from tests.support.exhibits import drawn

E = encodings.create("sinusoidal", dim=18, base=1e4)
PINS = (Pin(encodings.create("sinusoidal", dim=18, base=1e2), "small"),)
STATE = Exploration(encoding=E, start=5, count=40, reference=7, pins=PINS)


def set_up(view, state=STATE, /, **options):
    """Return an exploration with options of a view, and its figure."""
    state = pictures.with_options(state, view, **options)
    return drawn(state, view), resolve(state, DirectStore())


def found(view, where, state=STATE, /, **options):
    """Return the spot of a place in a view, by the place's own words."""
    figure, resolved = set_up(view, state, **options)
    return figure, spot(figure, resolved, Where(view, **where))


def value_in(figure, spot):
    """Return the number that the figure has there."""
    return figure.panel(spot.panel).value_at(spot.x, spot.y)


# -- cells -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("position", "dimension"), [(5, 0), (11, 3), (44, 17)])
@pytest.mark.parametrize("upward", [True, False])
def test_a_cell_of_the_heatmap(position, dimension, upward):
    where = {"position": position, "dimension": dimension}
    figure, there = found("heatmap", where, upward=upward)
    assert there == Spot("cells", dimension, position - 5)
    assert value_in(figure, there) == pytest.approx(E.table([position])[0, dimension])


def test_a_pair_a_row_and_a_column_of_the_heatmap():
    assert found("heatmap", {"position": 9, "pair": 4})[1] == Spot("cells", 8, 4)
    assert found("heatmap", {"position": 9})[1] == Spot("cells", 0, 4)
    assert found("heatmap", {"dimension": 9})[1] == Spot("cells", 9, 0)


def test_columns_that_are_shown_alone_or_by_pairs():
    place = {"position": 9, "dimension": 9}
    assert found("heatmap", place, first=8, dimensions=4)[1] == Spot("cells", 1, 4)
    assert found("heatmap", place, first=10, dimensions=4)[1] is None
    assert found("heatmap", place, quantity="angle", pairs=True)[1] == Spot("cells", 4, 4)


def test_rows_of_the_second_window():
    figure, there = found("heatmap", {"position": 103, "dimension": 2}, second=100)
    assert there == Spot("second", 2, 3)
    assert value_in(figure, there) == pytest.approx(E.table([103])[0, 2])
    assert found("heatmap", {"position": 99, "dimension": 2}, second=100)[1] is None


def test_what_is_not_shown_is_nowhere():
    assert found("heatmap", {"position": 4, "dimension": 0})[1] is None
    assert found("heatmap", {"position": 45, "dimension": 0})[1] is None
    assert found("distances", {"position": 45}, part="curve")[1] is None
    assert found("clocks", {"pair": 9})[1] is None
    assert found("frequencies", {"pair": 9})[1] is None


# -- curves ----------------------------------------------------------------------------------------


def test_a_point_of_the_curve_of_distances():
    figure, there = found("distances", {"position": 30}, part="both")
    (near, far) = E.table([7, 30])
    cosine = 1 - near @ far / np.linalg.norm(near) / np.linalg.norm(far)
    assert there == ("curve", 25, pytest.approx(cosine))
    assert value_in(figure, there) == pytest.approx(cosine)
    _, pinned = found("distances", {"position": 30, "encoding": 1}, part="curve")
    near, far = PINS[0].encoding.table([7, 30])
    assert pinned.y == pytest.approx(1 - near @ far / 9)
    _, there = found("distances", {"position": 30, "value": 0.25}, part="curve")
    assert there == ("curve", 25, 0.25)
    assert found("distances", {"position": 30, "encoding": 2}, part="curve")[1] is None


def test_a_cell_of_the_matrix_of_distances():
    where = {"position": 30, "other": 12}
    for part in ("both", "matrix"):
        figure, there = found("distances", where, part=part)
        assert there == Spot("matrix", 7, 25)
        one, two = E.table([12, 30])
        assert value_in(figure, there) == pytest.approx(1 - one @ two / 9)


def test_a_bar_of_the_histogram():
    figure, there = found("distances", {"value": 0.5}, part="histogram")
    assert (there.panel, there.x) == ("histogram", 0.5)
    assert there.y == figure.panels[0].curves[0].value_at(0.5)


@pytest.mark.parametrize("axis", ["linear", "logarithmic"])
def test_a_wave_among_the_frequencies(axis):
    for encoding, base in enumerate((1e4, 1e2)):
        where = {"pair": 4, "encoding": encoding}
        _, there = found("frequencies", where, axis=axis)
        frequency = base ** (-8 / 18)
        height = math.log10(frequency) if axis == "logarithmic" else frequency
        assert there == ("curve", 4, pytest.approx(height))
    assert found("frequencies", {"dimension": 9}, axis=axis)[1].x == 4
    _, there = found("frequencies", {"pair": 4, "value": 0.1}, axis=axis)
    assert there.y == pytest.approx(-1 if axis == "logarithmic" else 0.1)


def test_a_place_on_a_wave_between_positions_too():
    for position in (7, 9.5):
        where = {"position": position, "dimension": 1}
        _, there = found("waves", where, dimensions=(0, 1))
        assert there == ("curves", position - 5, pytest.approx(math.cos(position), abs=0.02))
    _, there = found("waves", {"position": 7, "dimension": 1, "encoding": 1}, dimensions=(0, 1))
    assert there.y == pytest.approx(math.cos(7), abs=0.1)
    _, there = found("waves", {"position": 7}, dimensions=(0, 1))
    assert there.y == pytest.approx(math.sin(7), abs=0.02)
    assert found("waves", {"position": 7, "dimension": 5}, dimensions=(0, 1))[1] is None


# -- the others ------------------------------------------------------------------------------------


def test_a_clock_and_the_end_of_its_hand():
    figure, there = found("clocks", {"pair": 4})
    grid = figure.clocks.grid
    assert there == Spot("clocks", *grid.centres[4])
    _, there = found("clocks", {"pair": 4, "position": 30})
    angle = 30 * 1e4 ** (-8 / 18)
    x, y = grid.centres[4]
    assert there.x == pytest.approx(x + grid.radius * math.sin(angle))
    assert there.y == pytest.approx(y - grid.radius * math.cos(angle))
    _, there = found("clocks", {"pair": 4, "position": 30}, direction="cos-sin")
    assert there.x == pytest.approx(x + grid.radius * math.cos(angle))
    assert found("clocks", {"dimension": 9})[1] == Spot("clocks", x, y)


def test_the_only_clock_has_a_middle():
    alone = STATE.with_(encoding=encodings.create("sinusoidal", dim=2), pins=())
    figure, there = found("clocks", {"pair": 0}, alone)
    assert there == Spot("clocks", *figure.clocks.grid.centres[0])


def test_cells_of_the_matrix_of_a_shift():
    figure, there = found("shift", {"row": 1, "column": 0}, k=-10)
    assert there == Spot("matrix", 0, 1)
    assert value_in(figure, there) == pytest.approx(-math.sin(10))
    assert found("shift", {"dimension": 4})[1] == Spot("matrix", 4, 4)
    assert found("shift", {"row": 18, "column": 0})[1] is None


def test_rows_that_are_shifted_and_what_is_left():
    place = {"position": 9, "dimension": 2}
    assert found("shift", place, part="tables")[1] == Spot("moved", 2, 4)
    figure, there = found("shift", {"position": 9}, part="residual")
    assert (there.panel, there.x) == ("residual", 4)
    assert there.y == figure.panels[0].curves[0].y[4]


def test_a_point_of_the_projection():
    figure, there = found("projection", {"position": 30})
    trail = figure.panels[0].trail
    assert (there.panel, there.x, there.y) == ("points", trail.x[25], trail.y[25])
    assert trail.value_at(there.x, there.y) == 30
    assert found("projection", {"position": 99})[1] is None


def test_likeness_among_the_properties():
    figure, there = found("properties", {"position": 30})
    assert (there.panel, there.x) == ("likeness", 25)
    assert there.y == pytest.approx(figure.panels[0].curves[0].y[25])


def test_words_and_how_alike_they_are():
    begin = STATE.with_(start=0, count=8)
    place = {"position": 5, "dimension": 2}
    assert found("tokens", place, begin)[1] == Spot("rows", 2, 5)
    two = {"position": 4, "other": 0}
    assert found("tokens", two, begin, part="both")[1] == Spot("after", 0, 4)
    assert found("tokens", two, begin, part="similarity")[1].panel == "after"
    before = "She told only him that she loved him."
    figure, there = found("tokens", {"position": 2}, begin, part="moved", before=before)
    assert (there.panel, there.x) == ("moved", 2)
    assert there.y == pytest.approx(figure.panels[0].curves[0].y[2])
