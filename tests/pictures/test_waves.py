"""The curves of the waves and the numbers read off them, against formulas written anew."""

import itertools
import math
from typing import ClassVar

import numpy as np
import pytest
from scipy.spatial import distance as scipy_distance

from pe_explorer import encodings
from pe_explorer.analysis.distance import METRICS
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import Pin
from pe_explorer.pictures.gestures import Pointer
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.waves import WavesPicture
from tests.support.measures import usual_distances
from tests.support.printed import value_of
from tests.support.requirements import STEADY, PictureRequirements
from tests.support.samples import sample, samples
from tests.support.states import figure_of as shown, inspection_of_view, snapshot, state_of


class Definition(PictureRequirements):
    """It needs nothing but rows, or waves where angles are shown."""

    with_options: ClassVar = {"--quantity angle": STEADY}


TWO = encodings.create("sinusoidal", dim=2, base=16.0, waves="cosine")
"""The two cosine waves of the second document: cos p and cos(p / 4)."""
SINES = encodings.create("sinusoidal")


def figure_of(e=TWO, options=None, pixels=800, **fields):
    return shown("waves", options, Size(pixels, 300), encoding=e, **fields)


def read(figure):
    """Return the columns of numbers, and the distances by the titles of two lines."""
    titles, rows = figure.table.titles[1:], figure.table.rows
    names, texts = [row[0] for row in rows], [row[1:] for row in rows]
    count = sum(" p = " not in name for name in names)
    heights = [[value_of(text) for text in row] for row in texts[:count]]
    distances = {
        (titles[place], titles[other]): value_of(text)
        for place, row in enumerate(texts[count:])
        for other, text in enumerate(row)
        if text
    }
    return np.array(heights).T, distances


def two_cosines(*positions):
    return np.array([[math.cos(p), math.cos(p / 4)] for p in positions])


def names_of(figure):
    return [curve.name.removeprefix("dimension ") for curve in figure.panels[0].curves]


def curve(figure, name):
    (found,) = (each for each in figure.panels[0].curves if each.name == name)
    return found


@pytest.mark.parametrize("name", encodings.names())
def test_curves_go_through_the_numbers_of_their_dimensions(name):
    e = sample(name, dim=12)
    pin, start = Pin(sample(name, dim=12), "same", "teal"), e.first_range.start
    figure = figure_of(e, {"dimensions": [0, 2]}, start=start, count=9, pins=(pin,))
    table = e.table(range(start, start + 9))
    axis = figure.panels[0].y
    for each in figure.panels[0].curves:
        column = 2 if each.name.endswith("2") else 0
        for place, number in enumerate(table[:, column]):
            assert each.find_value(place) == pytest.approx(number, abs=0.02 * axis.length)
    assert [each.colour for each in figure.panels[0].curves].count("teal") == 2
    assert axis.low <= table[:, [0, 2]].min() <= table[:, [0, 2]].max() <= axis.high


def test_each_distance_stands_between_its_two_lines():
    options = {"dimensions": [0, 1], "line1": 1, "line2": 2, "line3": 9}
    heights, distances = read(figure_of(options=options, count=26, metric="euclidean"))
    np.testing.assert_allclose(heights, two_cosines(1, 2, 9), atol=5e-5)
    assert list(distances) == list(itertools.combinations(("p = 1", "p = 2", "p = 9"), 2))
    apart = scipy_distance.pdist(two_cosines(1, 2, 9))
    assert list(distances.values()) == pytest.approx(apart, rel=5e-4)  # four digits


@pytest.mark.parametrize("metric", METRICS)
def test_distances_are_those_of_the_numbers_read_off_and_of_whole_rows(metric):
    e = encodings.create("sinusoidal", dim=16)
    options = {"dimensions": [0, 3, 9], "line1": 4.25, "line2": 30}
    heights, distances = read(figure_of(e, options, metric=metric))
    angles = np.outer([4.25, 30], 10_000.0 ** (-np.array([0, 2, 8]) / 16))
    exact = np.column_stack([np.sin(angles[:, 0]), np.cos(angles[:, 1]), np.cos(angles[:, 2])])
    np.testing.assert_allclose(heights, exact, atol=5e-5)
    (wanted,) = usual_distances(metric, exact[:1], exact[1:])[0]
    assert [*distances.values()] == [pytest.approx(wanted, rel=5e-4)]  # four digits
    _, texts = inspection_of_view("waves", {**options, "line1": 4}, encoding=e, metric=metric)
    rows = e.table([4, 30])
    (whole,) = usual_distances(metric, rows[:1], rows[1:])[0]
    assert float(texts["Rows, 4 to 30"]) == pytest.approx(whole, rel=5e-4)
    (read_off,) = usual_distances(metric, rows[:1, [0, 3, 9]], rows[1:, [0, 3, 9]])[0]
    assert float(texts["Read off, 4 to 30"]) == pytest.approx(read_off, rel=5e-4)


@pytest.mark.parametrize("metric", METRICS)
def test_single_values_have_a_distance_but_no_direction(metric):
    e, options = (
        encodings.create("sinusoidal", dim=16),
        {"dimensions": [3], "line1": 4, "line2": 30},
    )
    _, texts = inspection_of_view("waves", options, encoding=e, metric=metric)
    has_direction = metric in ("cosine", "similarity", "correlation")
    assert (texts["Read off, 4 to 30"] == "–") == has_direction


@pytest.mark.parametrize(
    ("e", "columns"),
    [
        (SINES, [0, 1, 42, 43]),
        (encodings.create("sinusoidal", layout="concatenated"), [0, 42, 64, 106]),
        (TWO, [0, 1]),
        (encodings.create("sinusoidal", dim=1), [0]),
        (encodings.create("rope", head_dim=8), [0, 1, 8, 9]),
        (encodings.create("index"), [0]),
        (encodings.create("alibi"), [0, 1, 2, 3]),
    ],
    ids=str,
)
def test_without_a_list_there_are_the_first_pair_and_a_slower_one(e, columns):
    assert names_of(figure_of(e)) == list(map(e.format_column_title, columns))


def test_dimensions_are_thinned_out_to_eight_and_absent_ones_are_reported():
    figure = figure_of(SINES, {"dimensions": range(0, 128, 2)})
    assert names_of(figure) == ["0", "18", "36", "54", "72", "90", "108", "126"]
    assert "8 of 128 dimensions, evenly chosen from the 64 selected" in figure.status
    assert len({each.colour for each in figure.panels[0].curves}) == 8
    figure = figure_of(options={"dimensions": [1, 2, 300]}, count=9)
    assert names_of(figure) == ["1"]
    for fact in ("2 dimensions are not drawn", "only 2 dimensions"):
        assert fact in figure.status


def test_heights_lead_from_the_axis_to_the_curve():
    options = {"line1": 1, "line2": 2.5, "line3": 100, "heights": True}
    figure = figure_of(options=options, count=9)
    (panel,) = figure.panels
    ends = [(each.x[0], each.x[-1], np.nanmax(each.y)) for each in panel.curves if not each.name]
    heights = two_cosines(1, 2.5)
    wanted = [(-0.5, p, h) for p, row in zip((1, 2.5), heights, strict=True) for h in row]
    np.testing.assert_allclose(ends, wanted)
    assert [(mark.x, mark.label) for mark in panel.marks] == [(1, "p = 1"), (2.5, "p = 2.5")]
    dots = sorted((dot.x, dot.y) for dot in panel.dots)
    np.testing.assert_allclose(dots, sorted(end[1:] for end in wanted))
    assert figure.table.titles == ("", "p = 1", "p = 2.5", "p = 100")


@pytest.mark.parametrize("name", ["binary", "alibi", "learned"])
def test_lines_read_the_nearest_whole_position_where_there_are_only_such(name):
    e = sample(name)
    between, whole = (figure_of(e, {"line1": place}) for place in (2.7, 3))
    assert between.table == whole.table
    assert f"integer {e.rows.plural}" in between.status


def test_far_away_it_says_that_curves_turn_in_each_pixel_and_leads_back():
    e, options = encodings.create("sinusoidal", dim=8), {"dimensions": [0, 7]}
    figure = figure_of(e, options, 500, start=10**15, count=10**9)
    assert "2,000,000 positions" in figure.note.sentence
    assert figure.note.period == pytest.approx(2 * math.pi * 1000)
    assert figure.panels[0].badge == "least to greatest of 2,000,000 positions"
    assert "2 curves" in figure.status
    nearer = figure_of(e, options, 500, count=10**4)
    assert nearer.note is None
    assert names_of(nearer) == ["7", "0"]  # which covers nothing


def test_pins_that_cannot_be_drawn_are_reported():
    narrow, counted = encodings.create("sinusoidal", dim=4), encodings.create("index", dim=2)
    pins = (Pin(sample("alibi"), "heads"), Pin(narrow, "narrow"), Pin(counted, "counted"))
    pins += (Pin(Unknown("xpos", {}, "xpos is not known"), "later"),)
    figure = figure_of(SINES, {"dimensions": [60]}, pins=pins)
    for name in ("heads", "narrow", "counted", "later"):
        assert f"{name} has no curve" in figure.status
    (own, *others) = figure.panels[0].curves
    assert own.is_visible
    assert [(each.is_visible, bool(each.missing_reason)) for each in others] == [(False, True)] * 4
    figure = figure_of(options={"quantity": "angle"}, pins=pins[2:])
    assert "counted has no curve" in figure.status


def test_one_row_is_a_line_in_the_middle_and_where_there_are_none_it_leads_to_them():
    e = sample("learned")
    assert figure_of(e, start=10**6).note.rows == e.domain
    axis = figure_of(e, {"dimensions": [0]}, count=1).panels[0].y
    assert (axis.low + axis.high) / 2 == pytest.approx(e.table([0])[0, 0])


@pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)
def test_the_curve_nearest_to_the_mouse_is_its_dimension(e):
    state = state_of("waves", {"dimensions": [0, 1]}, encoding=e)
    table = e.table(range(e.domain[0], 1))[-1] if e.domain[-1] < 3 else e.table([3])[0]
    drawn = snapshot("waves", {"dimensions": [0, 1]}, encoding=e)
    at = Pointer("curves", 3, float(table[1]) + 1e-9)
    column = WavesPicture(state).find_pointer_fields(drawn, at)["dimension"]
    assert column in (0, 1)
    assert column == 1 or e.name != "sinusoidal"


@pytest.mark.parametrize("start", [0, -7, 10**6])
@pytest.mark.parametrize("one_turn", [False, True])
def test_angles_are_read_off_whole_or_within_a_turn(start, one_turn):
    turns = "one" if one_turn else "all"
    options = {"quantity": "angle", "angle_turns": turns, "dimensions": [0, 1]}
    options |= {"line1": start + 2, "line2": start + 2.5, "line3": start + 9}
    figure = figure_of(options=options, start=start, count=26)
    heights, distances = read(figure)
    places = np.array([start + 2, start + 2.5, start + 9])
    exact = np.outer(places, [1, 0.25])
    np.testing.assert_allclose(heights, exact % math.tau if one_turn else exact, rtol=1e-3)
    assert not distances
    assert figure.panels[0].y.title.startswith("angle")


def test_fast_angles_within_a_turn_are_drawn_as_a_range():
    options = {"quantity": "angle", "angle_turns": "one", "dimensions": [0]}
    drawn = curve(figure_of(options=options, pixels=100, count=10**6), "dimension 0")
    assert {*drawn.band.low.tolist()} == {0.0}
    assert {*drawn.band.high.tolist()} == {math.tau}
    options["angle_turns"] = "all"
    raw = curve(figure_of(options=options, pixels=100, count=10**6), "dimension 0")
    np.testing.assert_allclose(raw.y, raw.x, atol=1e-8)


def test_angles_are_exported_as_they_are_shown_and_values_are_offered_without_waves():
    for options, expected in (({}, "table"), ({"quantity": "angle"}, "radians")):
        picture = WavesPicture(state_of("waves", options))
        assert (picture.quantity_name(), picture.show) == (expected, "current")
    state = state_of("waves", {"quantity": "angle"}, encoding=sample("binary"))
    assert WavesPicture(state).is_unavailable()
    assert "values" in WavesPicture(state).remedy()
