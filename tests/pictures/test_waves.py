"""The curves of the waves and the numbers read off them, against formulas written anew."""

import itertools
import math
import threading
from typing import ClassVar

import numpy as np
import pytest
from scipy.spatial import distance as scipy_distance

from pe_explorer import encodings, pictures
from pe_explorer.analysis.distance import METRICS
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.gestures import OnScreen, Pointer
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.waves import WavesPicture
from tests.support.printed import value_of
from tests.support.samples import sample, samples
from tests.support.wanted import WAVES, Drawn


class Definition(Drawn):
    """It needs nothing but rows, or waves where angles are shown."""

    with_options: ClassVar = {"--quantity angle": WAVES}


TWO = {"dim": 2, "base": 16.0, "waves": "cosine"}
"""The two cosine waves of the second document: cos p and cos(p / 4)."""


def state_of(options, **fields):
    wanted = pictures.with_options(Exploration(**fields), "waves", **options)
    return resolve(wanted, DirectStore())


def figure_of(pixels=800, /, encoding=None, options=None, **fields):
    if encoding is None:
        encoding = encodings.create("sinusoidal", **TWO)
    state = state_of(options or {}, encoding=encoding, **fields)
    numbers = WavesPicture.compute(state, Size(pixels, 300), threading.Event())
    return WavesPicture.figure(state, numbers)


def read(figure):
    """Return the columns of numbers, and the distances by the titles of two lines."""
    titles, rows = figure.table.titles[1:], figure.table.rows
    texts = [row[1:] for row in rows]
    heights = [
        list(map(value_of, row))
        for row, name in zip(texts, rows, strict=True)
        if " p = " not in name[0]
    ]
    distances = {}
    for place, row in enumerate(texts[len(heights) :]):
        for other, text in enumerate(row):
            if text:
                distances[titles[place], titles[other]] = value_of(text)
    return np.array(heights).T, distances


def two_cosines(*positions):
    return np.array([[math.cos(p), math.cos(p / 4)] for p in positions])


def curve(figure, name):
    (found,) = (each for each in figure.panels[0].curves if each.name == name)
    return found


def dict_values(figure):
    heights, distances = read(figure)
    return heights, tuple(distances.values())


def test_each_distance_stands_between_its_two_lines():
    options = {"dimensions": [0, 1], "line1": 1, "line2": 2, "line3": 9}
    heights, distances = read(figure_of(options=options, count=26, metric="euclidean"))
    np.testing.assert_allclose(heights, two_cosines(1, 2, 9), atol=5e-5)
    pairs = list(itertools.combinations(("p = 1", "p = 2", "p = 9"), 2))
    apart = scipy_distance.pdist(two_cosines(1, 2, 9))
    assert list(distances) == pairs
    assert list(distances.values()) == pytest.approx(apart, rel=5e-4)  # four digits


# -- two exhibits ----------------------------------------------------------------------------------


def test_002_fraction():
    e = encodings.create("fraction", dim=16, length=30)
    pin = Pin(encodings.create("fraction", dim=16, length=5), "length 5")
    options = {"dimensions": [0], "line1": 1, "line2": 2}
    figure = figure_of(800, e, options, count=31, pins=(pin,), metric="euclidean")
    own, pinned = curve(figure, "L = 30: dimension 0"), curve(figure, "length 5: dimension 0")
    assert own.value_at(1.0) == pytest.approx(0.0333, abs=5e-5)
    is_drawn = np.isfinite(pinned.y)
    np.testing.assert_allclose(pinned.y[is_drawn], pinned.x[is_drawn] / 5)
    at_1, at_30 = (pinned.x[is_drawn].searchsorted(p) for p in (1, 30))
    assert pinned.y[is_drawn][at_1] == pytest.approx(0.2, abs=0.02)
    assert pinned.y[is_drawn][at_30] == pytest.approx(6, abs=0.05)
    assert is_drawn.all()
    assert pinned.dashes(figure.panels[0].y)
    assert figure.panels[0].y.high > 6  # beyond 0..1
    for length, step in ((30, 0.1333), (5, 0.8)):
        all_of_it = encodings.create("fraction", dim=16, length=length)
        rows = np.array([1, 2])[:, None] / length * np.ones(16)
        assert scipy_distance.euclidean(*rows) == pytest.approx(step, abs=5e-5)
        half = {**options, "dimensions": range(8)}  # no more curves are drawn than eight
        _, (apart,) = dict_values(figure_of(800, all_of_it, half, metric="euclidean"))
        assert apart == pytest.approx(step / math.sqrt(2), abs=1e-4)
        state = state_of(options, encoding=all_of_it, metric="euclidean")
        rows_apart = dict(map(tuple_of, WavesPicture.inspect(state, threading.Event()).values))
        assert float(rows_apart["Rows, 1 to 2"]) == pytest.approx(step, abs=5e-5)


def title(curve):
    return curve.name.removeprefix("dimension ")


def tuple_of(value):
    return value.name, value.text


def test_004_index():
    pin = Pin(encodings.create("sinusoidal", dim=8), "sine")
    e = encodings.create("index", dim=8)
    options = {"dimensions": [0], "line1": 50}
    figure = figure_of(800, e, options, start=1, count=50, pins=(pin,))
    heights, _ = read(figure)
    assert heights.tolist() == [[50.0]]
    sine = curve(figure, "sine: dimension 0").y
    assert np.nanmax(np.abs(sine)) <= 1
    assert np.nanmax(np.abs(sine)) > 0.99


# -- what is drawn ---------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS)
def test_distances_are_those_of_the_numbers_read_off(metric):
    e = encodings.create("sinusoidal", dim=16)
    options = {"dimensions": [0, 3, 9], "line1": 4.25, "line2": 30}
    heights, (apart,) = dict_values(figure_of(800, e, options, metric=metric))
    frequencies = 10_000.0 ** (-np.array([0, 2, 8]) / 16)
    angles = np.outer([4.25, 30], frequencies)
    exact = np.column_stack([np.sin(angles[:, 0]), np.cos(angles[:, 1]), np.cos(angles[:, 2])])
    np.testing.assert_allclose(heights, exact, atol=5e-5)
    wanted = {
        "cosine": scipy_distance.cosine,
        "similarity": lambda u, v: 1 - scipy_distance.cosine(u, v),
        "dot": np.dot,
        "normalised-dot": lambda u, v: 2 * np.dot(u, v) / 3,
        "euclidean": scipy_distance.euclidean,
        "sse": scipy_distance.sqeuclidean,
        "manhattan": scipy_distance.cityblock,
        "chebyshev": scipy_distance.chebyshev,
        "correlation": scipy_distance.correlation,
    }[metric](*exact)
    assert apart == pytest.approx(wanted, rel=5e-4)  # four digits


@pytest.mark.parametrize(
    ("e", "columns"),
    [
        (encodings.create("sinusoidal"), [0, 1, 42, 43]),
        (encodings.create("sinusoidal", layout="concatenated"), [0, 42, 64, 106]),
        (encodings.create("sinusoidal", **TWO), [0, 1]),
        (encodings.create("sinusoidal", dim=1), [0]),
        (encodings.create("rope", head_dim=8), [0, 1, 8, 9]),
        (encodings.create("index"), [0]),
        (encodings.create("alibi"), [0, 1, 2, 3]),
    ],
)
def test_without_a_list_there_are_the_first_pair_and_a_slower_one(e, columns):
    figure = figure_of(800, e)
    assert [title(each) for each in figure.panels[0].curves] == list(map(e.column_title, columns))


def test_more_than_eight_dimensions_are_thinned_out():
    e = encodings.create("sinusoidal")
    figure = figure_of(800, e, {"dimensions": range(0, 128, 2)})
    drawn = [title(each) for each in figure.panels[0].curves]
    assert drawn == ["0", "18", "36", "54", "72", "90", "108", "126"]
    assert "8 of 64 are drawn" in figure.status
    assert len({each.colour for each in figure.panels[0].curves}) == 8


def test_dimensions_that_there_are_not_are_told():
    figure = figure_of(options={"dimensions": [1, 2, 300]}, count=9)
    assert [title(each) for each in figure.panels[0].curves] == ["1"]
    assert "Not drawn: dimension 2 and 1 more, as there are only 2 dimensions." in figure.status


def test_heights_lead_from_the_axis_to_the_curve():
    options = {"line1": 1, "line2": 2.5, "line3": 100, "heights": True}
    figure = figure_of(options=options, count=9)
    leading = [each for each in figure.panels[0].curves if not each.name]
    ends = [(each.x[0], each.x[-1], np.nanmax(each.y)) for each in leading]
    heights = two_cosines(1, 2.5)
    wanted = [(-0.5, p, h) for p, row in zip((1, 2.5), heights, strict=True) for h in row]
    np.testing.assert_allclose(ends, wanted)
    assert [(mark.x, mark.label) for mark in figure.panels[0].marks] == [
        (1, "p = 1"),
        (2.5, "p = 2.5"),
    ]
    assert figure.table.titles == ("", "p = 1", "p = 2.5", "p = 100")


@pytest.mark.parametrize("name", ["binary", "alibi", "learned"])
def test_lines_read_the_nearest_whole_position_where_there_are_only_such(name):
    e = sample(name)
    between, whole = (figure_of(800, e, {"line1": place}) for place in (2.7, 3))
    assert between.table == whole.table
    assert f"whole {e.rows.plural} only" in between.status


def test_far_away_it_says_that_curves_turn_in_each_pixel_and_leads_back():
    e = encodings.create("sinusoidal", dim=8)
    figure = figure_of(500, e, {"dimensions": [0, 7]}, start=10**15, count=10**9)
    assert "in which every curve turns at least once" in figure.note.sentence
    assert figure.note.period == pytest.approx(2 * math.pi * 1000)
    assert figure.panels[0].badge == "least to greatest of 2,000,000 positions"
    assert "all turn faster than pixels can show" in figure.status
    nearer = figure_of(500, e, {"dimensions": [0, 7]}, count=10**4)
    assert nearer.note is None
    assert [title(each) for each in nearer.panels[0].curves] == ["7", "0"]  # which covers nothing


def test_pins_that_cannot_be_drawn_are_told():
    pins = (
        Pin(sample("alibi"), "heads"),
        Pin(encodings.create("sinusoidal", dim=4), "narrow"),
    )
    e = encodings.create("sinusoidal")
    figure = figure_of(800, e, {"dimensions": [60]}, pins=pins)
    assert "heads has no curve" in figure.status
    assert "narrow has no curve: it has none of these dimensions." in figure.status
    assert [each.lack != "" for each in figure.panels[0].curves] == [False, True, True]


def test_where_there_are_no_rows_it_leads_to_them():
    e = sample("learned")
    figure = figure_of(800, e, start=10**6)
    assert figure.note.rows == e.domain
    (before, after) = figure.panels[0].hatched
    assert before.width == 50
    assert after.empty


@pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)
def test_the_curve_nearest_to_the_mouse_is_its_dimension(e):
    state = state_of({"dimensions": [0, 1]}, encoding=e)
    table = e.table(range(e.domain[0], 1))[-1] if e.domain[-1] < 3 else e.table([3])[0]
    drawn, at = OnScreen(state, None, None), Pointer("curves", 3, float(table[1]) + 1e-9)
    column = WavesPicture.pointed_at(state, drawn, at)["dimension"]
    assert column in (0, 1)
    if e.name == "sinusoidal":
        assert column == 1


NEARLY_CONSTANT = {"dim": 8, "base": 1 + 2**-52, "scale": 1e-6, "waves": "sine"}


def test_a_correlation_that_rounding_decides_is_called_not_determined():
    e = encodings.create("sinusoidal", **NEARLY_CONSTANT)
    options = {"dimensions": (0, 3, 7), "line1": 2.0, "line2": 3.0}
    fields = {"encoding": e, "count": 9, "metric": "correlation"}
    figure = figure_of(options=options, **fields)
    assert figure.table.rows[-1][-1] == "not determined"
    assert figure.status.endswith("is not determined.")
    state = state_of(options, **fields)
    found = WavesPicture.inspect(state, threading.Event())
    values = {value.name: value.text for value in found.values}
    assert values["Read off, 2 to 3"] == values["Rows, 2 to 3"] == "not determined"


def test_what_is_read_off_of_short_rows_has_their_digits():
    """Of sin(ωp) near 0 the angle between two positions is that of their products with ω."""
    e = encodings.create("sinusoidal", dim=4, base=16.0, scale=1e-9, waves="sine")
    options = {"dimensions": (0, 1, 2, 3), "line1": 1.0, "line2": 2.0}
    figure = figure_of(options=options, encoding=e, count=9, metric="cosine")
    assert value_of(figure.table.rows[-1][-1]) < 1e-30  # sines of angles twice as large are, too


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], "too large to be drawn"),
        ([[0.0, 5e-324], [5e-324, 0.0]], "too small to be drawn"),
        ([[0.0, 1e300], [-1e300, 5.0]], ""),
    ],
)
def test_numbers_that_no_axis_reaches_are_a_sentence(tmp_path, rows, words):
    np.save(tmp_path / "rows.npy", rows)
    e = encodings.create("learned", file=str(tmp_path / "rows.npy"))
    figure = figure_of(encoding=e, count=2)
    assert words in (figure.note.sentence if figure.note else "")
    assert (figure.note is None) == (not words)
    axis = figure.panels[0].y
    assert np.isfinite([axis.low, axis.length]).all()
    assert axis.length > 0


# -- angles ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [0, -7, 10**6])
@pytest.mark.parametrize("one_turn", [False, True])
def test_angles_are_straight_lines_or_begin_again_after_a_turn(start, one_turn):
    options = {
        "quantity": "angle",
        "angle_turns": "one" if one_turn else "all",
        "dimensions": [0, 1],
    }
    options |= {"line1": start + 2, "line2": start + 2.5, "line3": start + 9}
    figure = figure_of(options=options, start=start, count=26)
    for name, frequency in (("dimension 0", 1.0), ("dimension 1", 0.25)):
        drawn = curve(figure, name)
        exact = (start + drawn.x) * frequency
        if one_turn:
            away = (drawn.y - exact + math.pi) % math.tau - math.pi
            assert np.nanmax(np.abs(away)) < 1e-9
            assert np.nanmin(drawn.y) >= 0
            assert np.nanmax(drawn.y) < math.tau
            rises = np.diff(drawn.y)
            assert (rises[np.isfinite(rises)] > 0).all()  # nothing joins the two ends of a turn
            assert np.isnan(drawn.y).sum() in range(1, 6)
        else:
            np.testing.assert_allclose(drawn.y, exact, atol=1e-9)
    heights, distances = read(figure)
    places = np.array([start + 2, start + 2.5, start + 9])
    exact = np.outer(places, [1, 0.25])
    np.testing.assert_allclose(heights, exact % math.tau if one_turn else exact, rtol=1e-3)
    assert not distances
    assert figure.panels[0].y.title.startswith("angle")
    assert "angles of dimensions 0 and 1" in figure.status


def test_fast_angles_within_a_turn_are_drawn_as_a_range():
    options = {"quantity": "angle", "angle_turns": "one", "dimensions": [0]}
    drawn = curve(figure_of(100, options=options, count=10**6), "dimension 0")
    assert {*drawn.band.low.tolist()} == {0.0}
    assert {*drawn.band.high.tolist()} == {math.tau}
    raw = curve(
        figure_of(100, options=options | {"angle_turns": "all"}, count=10**6), "dimension 0"
    )
    np.testing.assert_allclose(raw.y, raw.x, atol=1e-8)


def test_a_pin_without_waves_has_no_angles():
    pins = (Pin(encodings.create("index", dim=2), "counted", "teal"),)
    figure = figure_of(options={"quantity": "angle"}, pins=pins)
    (of_pin,) = (each for each in figure.panels[0].curves if each.name.startswith("counted"))
    assert not len(of_pin.x)
    assert "counted has no curve" in figure.status


def test_angles_are_exported_as_they_are_shown():
    for options, expected in (({}, "table"), ({"quantity": "angle"}, "radians")):
        assert WavesPicture.exported(state_of(options)) == (expected, "current")


def test_what_has_no_waves_says_what_helps():
    state = state_of({"quantity": "angle"}, encoding=encodings.create("binary"))
    assert WavesPicture.is_lacking(state)
    assert WavesPicture.remedy(state) == "show the values instead"
