"""Limits of colours and axes, up to the largest numbers that float64 has."""

import threading

import numpy as np
import pytest

from pe_explorer import encodings, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.pictures.heatmap import Heatmap
from pe_explorer.pictures.limits import limit_above
from pe_explorer.pictures.pixels import Size
from pe_explorer.quantities import Asked
from tests.support.cases import for_each
from tests.support.gestures import wait_for_worker
from tests.support.notes import offer

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
every_table = pytest.mark.parametrize("numbers", TABLES.values(), ids=TABLES)


@pytest.fixture
def learned(tmp_path):
    def learned(numbers):
        np.save(tmp_path / "large.npy", numbers)
        return encodings.create("learned", file=str(tmp_path / "large.npy"))

    return learned


@for_each(
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


@every_table
@pytest.mark.parametrize("name", ["heatmap", "distances"])
def test_large_numbers_are_shown_without_a_warning(show, learned, name, numbers):
    view = show(name, width=700, height=400, encoding=learned(numbers), count=60)
    metrics = (
        ("cosine", "manhattan", "dot", "euclidean", "sse") if name == "distances" else ("cosine",)
    )
    for metric in metrics:
        view.model.set(metric=metric)
        wait_for_worker(view.model)
        assert view.status.startswith(view.picture.title)
        plot = view.plot if name == "heatmap" else view.matrix_plot
        assert plot.image.isVisible()
        view.grab()


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


def test_why_there_is_no_curve_of_large_numbers(show, learned):
    view = show("distances", encoding=learned(RANDOM * LARGEST), count=60, metric="dot")
    wait_for_worker(view.model)
    assert "Position 0 has no finite dot product with any row shown" in view.stage.sentence
    assert "zeros" not in view.stage.sentence


def test_curves_reach_up_to_the_largest_limits(show, learned):
    """A view box of its own accord would end at 1e307, and show something else there."""
    table = np.linspace(0.0, 4e307, 60)[:, None]
    view = show("distances", encoding=learned(table), count=60, metric="manhattan")
    wait_for_worker(view.model)
    low, high = view.curve_plot.box.viewRange()[1]
    assert low == pytest.approx(-0.03 * 5e307)
    assert high == pytest.approx(1.03 * 5e307)


WHITE = "White: no finite number."


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_pixels_without_a_finite_number_are_told(show, learned, number):
    table = RANDOM.copy()
    table[30, 3] = number
    view = show("heatmap", encoding=learned(table), count=60)
    wait_for_worker(view.model)
    assert view.status.count(WHITE) == 1
    view.model.set(start=31, count=40)  # with rows that there are not, which are hatched
    wait_for_worker(view.model)
    assert WHITE not in view.status
    view.model.set(start=0, count=1000)
    wait_for_worker(view.model)
    assert WHITE in view.status
    view.set_options(first=4)
    view.set_options(dimensions=3)
    wait_for_worker(view.model)
    assert WHITE not in view.status


def test_what_is_finite_everywhere_is_not_told(show, learned):
    view = show("heatmap", encoding=learned(RANDOM), count=60)
    wait_for_worker(view.model)
    assert view.status.startswith("Heatmap: ")
    assert WHITE not in view.status


def test_a_reference_of_no_finite_numbers_is_no_row_of_zeros(show, learned):
    table = RANDOM.copy()
    table[0] = np.nan
    view = show("distances", encoding=learned(table), count=60)
    wait_for_worker(view.model)
    problem = "Position 0 has only zeros, or numbers that are not finite, so no angle"
    assert view.stage.sentence.startswith(problem)
    view.model.set(encoding=learned(np.where(np.arange(60)[:, None] == 0, 0.0, RANDOM)))
    wait_for_worker(view.model)
    assert view.stage.sentence.startswith("Position 0 has only zeros, so no angle")


@pytest.mark.parametrize(("number", "offered"), [(0.0, "Use Euclidean distance"), (np.nan, "")])
def test_a_metric_is_offered_only_where_it_shows_something(show, learned, number, offered):
    table = RANDOM.copy()
    table[0] = number
    view = show("distances", encoding=learned(table), count=60)
    wait_for_worker(view.model)
    assert "so no angle can be measured from it" in view.stage.sentence
    assert offer(view).isVisible() == bool(offered)
    assert offer(view).text() == offered


def test_no_distance_from_numbers_that_are_not_finite(learned):
    table = RANDOM.copy()
    table[3, 2] = np.nan
    asked = Asked(Subject("current", learned(table)), range(60), reference=3)
    with pytest.raises(EncodingError, match="has numbers that are not finite"):
        quantities.data("distances", asked)
