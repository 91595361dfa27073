"""Limits of colours and axes, up to the largest numbers that float64 has."""

import threading

import numpy as np
import pytest

from pe_explorer import encodings, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.pictures.distances import Distances
from pe_explorer.pictures.heatmap import Heatmap
from pe_explorer.pictures.limits import limit_above
from pe_explorer.pictures.pixels import Size
from pe_explorer.quantities import Asked

LARGEST = float(np.finfo(np.float64).max)
RANDOM = np.random.default_rng(8).uniform(-1.0, 1.0, (60, 24))
TABLES = {
    "of either sign": RANDOM * LARGEST,
    "above zero": np.abs(RANDOM) * LARGEST,
    "everywhere": np.full((60, 24), 1e308),
    "with infinities": np.where(
        RANDOM > 0.9, np.inf, np.where(RANDOM < -0.9, np.nan, RANDOM * 1e308)
    ),
    "of any size": np.sign(RANDOM) * 10.0 ** (600 * np.abs(RANDOM) - 300).clip(-300, 308),
}
SIZE = Size(700, 400)


@pytest.fixture
def learned(tmp_path):
    def learned(numbers):
        np.save(tmp_path / "large.npy", numbers)
        return encodings.create("learned", file=str(tmp_path / "large.npy"))

    return learned


@pytest.mark.parametrize(
    ("values", "limit"),
    [
        ([0.0], 1.0),
        ([], 1.0),
        ([1.0], 1.0),
        ([5e-324], 1.0),
        ([7.6e-17], 1e-16),
        ([-0.12], 0.15),
        ([1.6, -1.2], 2.0),
        ([-3.1, 2.0], 5.0),
        ([4e15], 5e15),
        ([7.6e306], 1e307),
        ([1e307, 4e307], 5e307),
    ],
)
def test_the_least_round_number_that_no_value_passes(values, limit):
    assert limit_above(np.array(values)) == pytest.approx(limit, rel=1e-15)


@pytest.mark.parametrize("most", [5.1e307, 7.6e307, -1e308, LARGEST])
def test_from_below_zero_to_above_it_is_never_too_far(most):
    limit = limit_above(np.array([most, 1.0]))
    assert limit == pytest.approx(5e307, rel=1e-15)
    assert np.isfinite(limit - -limit)


@pytest.mark.parametrize("other", [np.nan, np.inf, -np.inf])
def test_what_is_no_finite_number_has_no_part_in_limits(other):
    assert limit_above(np.array([other, 1.2])) == 1.5


def drawn(picture, e, size=SIZE, **fields):
    state = Exploration(e, **{"count": 60, **fields})
    return picture.figure(state, picture.compute(state, size, threading.Event()))


@pytest.mark.parametrize("numbers", TABLES.values(), ids=TABLES)
def test_large_numbers_are_shown_without_a_warning(learned, numbers):
    e = learned(numbers)
    assert drawn(Heatmap, e).panels[0].cells is not None
    for metric in ("cosine", "manhattan", "dot", "euclidean", "sse"):
        assert drawn(Distances, e, metric=metric).panel("matrix").cells is not None


def test_values_beyond_the_limits_have_the_colours_at_the_ends(learned):
    numbers = np.array([[1e308, -1e308, 2.5e307, 0.0]])
    state = Exploration(learned(numbers), count=1)
    shown = Heatmap.compute(state, Size(100, 100), threading.Event())
    assert shown.limits == pytest.approx((-5e307, 5e307), rel=1e-15)
    np.testing.assert_array_equal(shown.indices, [[254, 0, 191, 127]])


def test_a_difference_of_large_numbers_and_of_none(learned):
    e = learned(np.where(RANDOM > 0.5, np.nan, RANDOM * 1e308))
    pin = Pin(encodings.create("index", dim=24), "index")
    state = Exploration(e, count=60, pins=(pin,), show="difference")
    for height in (100, 20):  # single rows, and means of blocks
        shown = Heatmap.compute(state, Size(100, height), threading.Event())
        assert shown.limits == pytest.approx((-5e307, 5e307), rel=1e-15)


def test_a_large_number_everywhere_has_limits_around_it(learned):
    state = Exploration(learned(TABLES["everywhere"]))
    low, high = Heatmap.compute(state, Size(100, 100), threading.Event()).limits
    assert low < 1e308 < high


def test_why_there_is_no_curve(learned):
    e = learned(RANDOM * LARGEST)
    note = drawn(Distances, e, metric="dot").note
    assert "finite" in note.sentence
    assert "zeros" not in note.sentence
    for number, offered in ((0.0, "euclidean"), (np.nan, "")):
        table = RANDOM.copy()
        table[0] = number
        note = drawn(Distances, learned(table)).note
        assert "zeros" in note.sentence
        assert ("not finite" in note.sentence) == bool(np.isnan(number))
        assert note.metric == offered


def test_curves_reach_up_to_the_largest_limits(learned):
    table = np.linspace(0.0, 4e307, 60)[:, None]
    y = drawn(Distances, learned(table), metric="manhattan").panels[0].y
    assert (y.low, y.high) == pytest.approx((-0.03 * 5e307, 1.03 * 5e307))


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_pixels_without_a_finite_number_are_told(learned, number):
    table = RANDOM.copy()
    table[30, 3] = number
    e = learned(table)

    def told(**fields):
        return "no finite number" in drawn(Heatmap, e, **fields).status

    assert told()
    assert told(count=1000)
    assert not told(start=31, count=40)  # with rows that there are not, which are hatched
    right = {"heatmap": Heatmap.Options(first=4, dimensions=3)}
    assert not told(count=1000, options=right)
    assert "finite" not in drawn(Heatmap, learned(RANDOM)).status


def test_no_distance_from_numbers_that_are_not_finite(learned):
    table = RANDOM.copy()
    table[3, 2] = np.nan
    asked = Asked(Subject("current", learned(table)), range(60), reference=3)
    with pytest.raises(EncodingError, match="has numbers that are not finite"):
        quantities.data("distances", asked)
