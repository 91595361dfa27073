"""Distances from a reference, of all pairs and their histogram, against formulas written anew."""

import threading
from typing import ClassVar

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

from pe_explorer import encodings, pictures
from pe_explorer.analysis import distance
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.pictures.distances import Distances, bin_words, pair_at
from pe_explorer.pictures.pixels import Size
from tests.support.sinusoids import sinusoid
from tests.support.wanted import NOTHING, Drawn


class Definition(Drawn):
    with_options: ClassVar = {"--part histogram": NOTHING}


WIDE = Size(1000, 1000)
D128 = encodings.create("sinusoidal", dim=128)
D1024 = encodings.create("sinusoidal", dim=1024)


def explored(part, **fields):
    return pictures.with_options(Exploration(**fields), "distances", part=part)


def computed(state, size=WIDE):
    return Distances.compute(state, size, threading.Event())


def curve(e, start, count, size=WIDE, **fields):
    """Return the distances from the reference."""
    state = explored("curve", encoding=e, start=start, count=count, **fields)
    (found,) = computed(state, size).curves
    return found


def matrix(e, count, start=0, **fields):
    state = explored("matrix", encoding=e, start=start, count=count, **fields)
    return computed(state).matrix.values


# -- from a reference ------------------------------------------------------------------------------


def test_index_and_fraction():
    index = encodings.create("index", dim=16)
    np.testing.assert_allclose(
        curve(index, 1, 30, reference=1, metric="euclidean"), 4 * np.arange(30.0), atol=1e-12
    )
    assert not curve(index, 1, 30, reference=1).any()
    fraction = encodings.create("fraction", dim=16, length=30)
    assert distance.between(fraction, 1, 2, "euclidean") == pytest.approx(4 / 30)
    assert distance.between(encodings.create("fraction", dim=16, length=5), 1, 2, "euclidean") == (
        pytest.approx(0.8)
    )


# -- of all pairs ----------------------------------------------------------------------------------


def test_the_matrix_of_250():
    found = matrix(D1024, 250)
    wanted = squareform(pdist(sinusoid(np.arange(250), 1024), "cosine"))
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    assert not found.diagonal().any()
    assert found.max() == pytest.approx(0.663366, abs=5e-7)
    assert {abs(p - q) for p, q in np.argwhere(found == found.max())} == {248}
    for separation in (1, 29, 248):
        assert np.ptp(found.diagonal(separation)) == 0
    np.testing.assert_array_equal(found[1, 1:], found[0, :-1])
    np.testing.assert_allclose((found[0, 30], found[1, 30]), (0.43628, 0.43230), atol=5e-6)
    steps = matrix(D1024, 250, metric="manhattan").diagonal(1)
    np.testing.assert_allclose((steps.min(), steps.max()), (66.57, 71.59), atol=5e-3)


@pytest.mark.parametrize("metric", ["chebyshev", "correlation", "manhattan"])
def test_a_pixel_of_many_pairs_shows_the_middle_one(metric):
    state = explored("matrix", encoding=D128, count=1000, metric=metric)
    shown = computed(state, Size(100, 100)).matrix
    middles = np.arange(100) * 10 + 4
    name = {"manhattan": "cityblock"}.get(metric, metric)
    rows = sinusoid(middles, 128)
    np.testing.assert_allclose(shown.values, cdist(rows, rows, name), atol=1e-9)
    figure = Distances.figure(state, computed(state, Size(100, 100)))
    assert figure.panels[0].badge == "middle of 10 × 10 positions"
    assert "samples of 10 × 10 positions" in figure.status


def test_a_row_of_equal_numbers_says_why_it_has_no_correlation():
    index = encodings.create("index", dim=4)
    state = Exploration(encoding=index, count=9, metric="correlation", position=3, second=4)
    inspection = Distances.inspect(state, threading.Event())
    assert inspection.lack == "A row of equal numbers correlates with nothing."
    for part in ("curve", "matrix", "histogram"):
        numbers = computed(explored(part, encoding=index, count=9, metric="correlation"))
        assert "correlat" in numbers.note
    chebyshev = curve(index, 0, 9, metric="chebyshev")
    np.testing.assert_array_equal(chebyshev, np.arange(9.0))


def test_a_correlation_that_rounding_decides_is_called_not_determined():
    e = encodings.create("sinusoidal", dim=8, base=1 + 2**-52, scale=1e-6, waves="sine")
    fields = {"encoding": e, "start": 1, "count": 6, "metric": "correlation"}
    state = Exploration(**fields, position=3, second=4, reference=2)
    inspection = Distances.inspect(state, threading.Event())
    assert [value.text for value in inspection.values[:2]] == ["not determined"] * 2
    assert inspection.brief == (
        "correlation distance from q not determined",
        "from r not determined",
    )
    assert inspection.lack.endswith("so the correlation is not determined.")
    for part, unknown in (("both", "5 of 6"), ("curve", "5 of 6"), ("matrix", "30 of 36")):
        shown = explored(part, **fields, reference=2)
        status = Distances.figure(shown, computed(shown)).status
        assert f" {unknown} are not determined: their rows are nearly constant." in status
    for reference in (2, 100):  # of 2 itself there is one number, which is no curve
        alone = explored("curve", **fields, reference=reference)
        assert "so nearly equal that its correlation" in computed(alone).note


@pytest.mark.parametrize(
    ("rows", "part", "words"),
    [
        ([[1.7e308], [-1.7e308], [1e308]], "curve", "too large to be drawn"),
        ([[0.0], [1e308], [1.2e308]], "curve", "too large to be drawn"),
        ([[0.0], [1e307], [1.2e308]], "curve", ""),
        ([[0.0], [5e-324], [1e-300]], "curve", "too small to be drawn"),
        ([[0.0], [5e-324], [0.0], [5e-324]], "histogram", "too small to be drawn"),
        ([[1.7e308], [1e308], [-1e306]], "histogram", "too large to be drawn"),
        ([[0.0], [1.0], [1e300]], "histogram", ""),
    ],
)
def test_distances_that_no_axis_reaches_are_a_sentence(tmp_path, rows, part, words):
    np.save(tmp_path / "rows.npy", rows)
    e = encodings.create("learned", file=str(tmp_path / "rows.npy"))
    state = explored(part, encoding=e, count=len(rows), metric="euclidean")
    figure = Distances.figure(state, computed(state))
    assert (figure.note is not None) == bool(words)
    assert words in (figure.note.sentence if figure.note else "")
    for axis in (figure.panels[0].x, figure.panels[0].y):
        assert np.isfinite([axis.low, axis.length]).all()
        assert axis.length > 1e-290


def test_one_number_is_no_curve(tmp_path):
    np.save(tmp_path / "rows.npy", [[1.0, 2.0], [0.0, 0.0], [0.0, 0.0]])
    e = encodings.create("learned", file=str(tmp_path / "rows.npy"))
    numbers = computed(explored("curve", encoding=e, count=3))
    assert numbers.note == (
        "Only one of the positions shown has a cosine distance from position 0; "
        "choose another metric."
    )
    assert not computed(explored("curve", encoding=e, count=3, metric="euclidean")).note


# -- the histogram ---------------------------------------------------------------------------------


def test_how_distances_of_250_positions_spread():
    state = explored("histogram", encoding=D1024, count=250)
    numbers = computed(state)
    figure = Distances.figure(state, numbers)
    assert figure.status == (
        "Distances: 31,125 pairs: mean 0.5023, median 0.5320, "
        "from 0.02649 (0 and 1) to 0.6634 (0 and 248)."
    )
    (panel,) = figure.panels
    assert (panel.name, panel.x.title) == ("histogram", "cosine distance of two positions")
    apart = pdist(sinusoid(np.arange(250), 1024), "cosine")
    counts, _ = np.histogram(apart, np.arange(1, 35) * 0.02)
    np.testing.assert_allclose(panel.curves[0].y, 100 * counts / 31_125, atol=1e-9)
    assert panel.value_at(0.577, 0.0) == pytest.approx(100 * counts[27] / 31_125)
    assert sum(bar.width * bar.height for bar in panel.bars) == pytest.approx(0.02 * 100)
    assert (panel.x.low, panel.x.high) == (pytest.approx(0.02), pytest.approx(0.68))
    low, high = 0.56, 0.58
    pair = pair_at(numbers.histogram, 0.577)
    assert low <= distance.between(D1024, *pair) < high
    words = bin_words(numbers.histogram, 0.577)
    share = 100 * counts[27] / 31_125
    assert words == f"0.56 to 0.58: {share:.3g} % of pairs, such as {pair[0]} and {pair[1]}"
    assert pair_at(numbers.histogram, 0.05) is None
    assert bin_words(numbers.histogram, 0.05) == "0.04 to 0.06: 0 % of pairs"
    assert bin_words(numbers.histogram, 5.0) == ""
    place = Distances.with_cursor(state.with_(position=1, second=30), figure).panels[0].cursor
    assert place == (pytest.approx(0.4323030365719961), None)


def test_pins_spread_in_the_same_bins():
    pins = (
        Pin(encodings.create("sinusoidal", dim=128, base=100.0), "short"),
        Pin(encodings.create("alibi"), "bias"),
    )
    state = explored("histogram", encoding=D128, count=60, pins=pins)
    figure = Distances.figure(state, computed(state))
    current, short, bias = figure.panels[0].curves
    edges = np.append(current.x - (current.x[1] - current.x[0]) / 2, 9)
    for found, base in ((current, 1e4), (short, 100.0)):
        apart = pdist(sinusoid(np.arange(60), 128, base), "cosine")
        counts, _ = np.histogram(apart, edges)
        np.testing.assert_allclose(found.y, 100 * counts / len(apart), atol=1e-9)
        assert found.x is current.x
    assert not bias.visible
    assert "Not drawn: bias" in figure.status
    assert (current.stepped, short.stepped) == (True, True)


def test_very_many_pairs_are_told_to_be_some():
    state = explored("histogram", encoding=D128, start=-(10**15), count=10**15)
    numbers = computed(state)
    status = Distances.figure(state, numbers).status
    assert status.startswith("Distances: 20,000 pairs, spread evenly over all 5·10²⁹: mean ")
    np.testing.assert_allclose(numbers.histogram.of_current.mean, 1.0, atol=0.01)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"encoding": D128, "count": 1}, "One position makes no pair; show more positions."),
        (
            {"encoding": encodings.create("index"), "count": 5, "metric": "correlation"},
            "so none can correlate; choose another metric.",
        ),
    ],
)
def test_without_pairs_a_sentence_says_so(fields, says):
    state = explored("histogram", **fields)
    figure = Distances.figure(state, computed(state))
    assert figure.note.sentence.endswith(says)
    assert says in figure.status


def test_rows_without_a_direction_are_counted():
    sines = encodings.create("sinusoidal", dim=8, waves="sine")
    state = explored("histogram", encoding=sines, count=10)
    status = Distances.figure(state, computed(state)).status
    assert status.startswith("Distances: 45 pairs, 9 of them without a distance: mean ")
