"""The numbers that five documents give of distances, from formulas written anew."""

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
NOTEBOOK = encodings.create("sinusoidal", dim=512, layout="concatenated", spacing="endpoint")


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


def falling(distances):
    """Return at which steps the distance gets less."""
    return np.flatnonzero(np.diff(distances) < 0)


# -- from a reference ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dim", "count", "falls", "first"),
    [(1024, 250, 43, 68), (128, 250, 111, 11), (32, 250, 122, 4)],
)
def test_from_1_the_distance_first_falls(dim, count, falls, first):
    e = encodings.create("sinusoidal", dim=dim)
    found = curve(e, 1, count, reference=1)
    wanted = cdist(sinusoid([1], dim), sinusoid(np.arange(1, 1 + count), dim), "cosine")[0]
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    assert len(falling(found)) == falls
    assert falling(found)[0] == first  # from separation `first` to the next
    if dim == 1024:
        assert found[68] == pytest.approx(0.5226030, abs=5e-8)
        assert found[69] == pytest.approx(0.5225669, abs=5e-8)
        assert len(falling(found[:249])) == 42
        logarithm = (np.log(29) + 0.5772) / np.log(1e4)
        assert (logarithm, found[29]) == (
            pytest.approx(0.4283, abs=5e-5),
            pytest.approx(0.4323, abs=5e-5),
        )
        separations = np.log(np.arange(1, 250))
        assert np.corrcoef(separations, found[1:])[0, 1] ** 2 == pytest.approx(0.9983, abs=5e-5)


def test_very_wide_it_falls_once():
    found = curve(encodings.create("sinusoidal", dim=4096), 1, 250, reference=1)
    np.testing.assert_array_equal(falling(found), [244])


def test_the_four_printed_distances():
    printed = {
        (1, 2): 0.026488616022189884,
        (1, 3): 0.09339161307513005,
        (1, 30): 0.4323030365719961,
        (30, 31): 0.026488616022189884,
        (1000, 1001): 0.026488616022189884,
    }
    for (p, q), wanted in printed.items():
        assert distance.between(D1024, p, q) == pytest.approx(wanted, rel=1e-14)
    assert distance.between(D1024, 1, 2) == distance.between(D1024, 30, 31)
    found = curve(D1024, 1, 32, reference=1)
    assert found[2] / found[1] == pytest.approx(3.526, abs=5e-4)
    state = Exploration(encoding=D1024, start=1, count=32, reference=1, position=2, second=1)
    values = {
        value.name: value.text for value in Distances.inspect(state, threading.Event()).values
    }
    assert float(values["d(p, q)"]) == pytest.approx(0.026488616022189884, rel=1e-14)


def test_it_takes_thousands_of_positions_until_nothing_is_alike():
    found = 1 - curve(D1024, 0, 5000, Size(5000, 10))
    assert [int(np.flatnonzero(found < level)[0]) for level in (0.5, 0.25, 0.1, 0)] == [
        *(55, 498, 1719, 4075)
    ]
    assert found[4075] == pytest.approx(-0.0014, abs=5e-5)
    assert found[249] == pytest.approx(0.3372, abs=5e-5)
    for e, first in ((D128, 1707), (encodings.create("sinusoidal", dim=128, base=100.0), 59)):
        likeness = 1 - curve(e, 0, 2000, Size(2000, 10))
        assert np.flatnonzero(likeness < 0)[0] == first


@pytest.mark.parametrize(
    ("base", "neighbour", "half"), [(1e2, 0.05574, 5), (1e4, 0.02979, 46), (1e8, 0.01692, 725)]
)
def test_the_bargain_of_the_base(base, neighbour, half):
    found = curve(encodings.create("sinusoidal", dim=128, base=base), 0, 1000)
    assert found[1] == pytest.approx(neighbour, abs=5e-6)
    assert np.flatnonzero(1 - found < 0.5)[0] == half


def test_distance_is_not_linear():
    straight = curve(D128, 0, 33, metric="euclidean")
    np.testing.assert_allclose(straight[[1, 2, 4, 8]], (1.9526, 3.6382, 5.5523, 6.0464), atol=5e-5)
    ratios = straight[[2, 4, 8]] / straight[1]
    np.testing.assert_allclose(ratios, (1.86, 2.84, 3.10), atol=5e-3)
    angular = curve(D128, 0, 33)
    wanted = (0.029786, 0.103408, 0.240843, 0.285617)
    np.testing.assert_allclose(angular[[1, 2, 4, 8]], wanted, atol=5e-7)
    narrow = curve(encodings.create("sinusoidal", dim=4), 0, 33, metric="euclidean")
    assert falling(narrow)[0] == 3
    assert narrow[6] == pytest.approx(0.2885, abs=5e-5)


def test_dot_products_and_squared_errors_with_20():
    rows = np.outer(np.arange(100), 10.0 ** np.linspace(0, -4, 256))
    table = np.hstack([np.sin(rows), np.cos(rows)])
    dot = curve(NOTEBOOK, 0, 50, reference=20, metric="dot")
    np.testing.assert_allclose(dot, table[:50] @ table[20], atol=1e-10)
    wanted = {20: 256, 19: 249.12812516, 21: 249.12812516, 0: 157.95686745, 49: 145.36845206}
    np.testing.assert_allclose(dot[[*wanted]], [*wanted.values()], atol=5e-9)
    assert (np.diff(dot[:21]) > 0).all()
    assert (np.diff(dot[20:]) < 0).all()
    sse = curve(NOTEBOOK, 0, 50, reference=20, metric="sse")
    np.testing.assert_allclose(sse, 512 - 2 * dot, atol=1e-10)
    assert sse[19] == pytest.approx(13.74374968, abs=5e-9)
    np.testing.assert_allclose(sse[[0, 49]], (196.08626511, 221.26309587), atol=5e-9)
    longer = curve(NOTEBOOK, 0, 100, reference=20, metric="sse")
    assert falling(longer[20:])[0] == 43
    paper = encodings.create("sinusoidal", dim=512, layout="concatenated")
    other = curve(paper, 0, 50, reference=20, metric="dot")
    np.testing.assert_allclose(other[[0, 49]], (157.574, 144.938), atol=5e-4)


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


def test_rotary_scores_are_cosines():
    e = encodings.create("rope", head_dim=128)
    likeness = 1 - curve(e, 0, 4097, Size(4097, 10))
    np.testing.assert_allclose(
        likeness[[1, 10, 256, 4096]], (0.97021, 0.66906, 0.32070, -0.0529), atol=5e-5
    )
    assert np.flatnonzero(likeness < 0)[0] == 1707


def test_look_alikes():
    best = {
        2: (710, 1.000000, 0.540302),
        4: (622, 0.998690, 0.770126),
        6: (132, 0.982079, 0.846408),
        8: (63, 0.947950, 0.883814),
        16: (6, 0.805596, 0.935646),
    }
    for dim, (position, likeness, neighbour) in best.items():
        found = 1 - curve(encodings.create("sinusoidal", dim=dim), 0, 1001, Size(1001, 10))
        least = np.flatnonzero(np.diff(found) > 0)[0]
        assert least + found[least:].argmax() == position
        assert found[position] == pytest.approx(likeness, abs=5e-7)
        assert found[1] == pytest.approx(neighbour, abs=5e-7)


def test_a_lone_sine_spoils_the_ruler():
    seven = encodings.create("sinusoidal", dim=7)
    for start, wanted in ((0, 0.69613), (1000, 0.66639), (4000, 0.52289)):
        assert distance.between(seven, start, start + 10) == pytest.approx(wanted, abs=5e-6)
        six = distance.between(encodings.create("sinusoidal", dim=6), start, start + 10)
        eight = distance.between(encodings.create("sinusoidal", dim=8), start, start + 10)
        assert (six, eight) == (pytest.approx(0.64837, abs=5e-6), pytest.approx(0.57595, abs=5e-6))


def test_all_clocks_alike():
    near_1 = curve(encodings.create("sinusoidal", dim=128, base=1.001), 0, 50)
    np.testing.assert_allclose(near_1[[1, 3]], (0.45928, 1.98978), atol=5e-6)
    assert near_1[44] == pytest.approx(8.82e-5, abs=5e-8)


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


def test_sines_without_their_cosines():
    sines = encodings.create("sinusoidal", dim=1024, waves="sine")
    steps = matrix(sines, 250, metric="euclidean").diagonal(1)
    np.testing.assert_allclose((steps.min(), steps.max()), (3.897, 6.889), atol=5e-4)
    assert (steps.argmin(), steps.argmax()) == (2, 0)
    angular = matrix(sines, 250).diagonal(1)[1:]
    np.testing.assert_allclose((angular.min(), angular.max()), (0.0145, 0.1134), atol=5e-5)
    assert (angular.argmin() + 1, angular.argmax() + 1) == (1, 3)
    both = matrix(D1024, 250, metric="euclidean").diagonal(1)
    np.testing.assert_allclose(both, 5.2081, atol=5e-5)
    narrow = matrix(encodings.create("sinusoidal", dim=16, waves="sine"), 250, metric="euclidean")
    narrow = narrow.diagonal(1)
    np.testing.assert_allclose((narrow.min(), narrow.max()), (0.180, 1.154), atol=5e-4)


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
