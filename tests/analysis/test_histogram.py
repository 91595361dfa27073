"""The distances of all pairs, compared with every single pair and with SciPy."""

import itertools
import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from pe_explorer import encodings
from pe_explorer.analysis import distance, histogram
from pe_explorer.encodings import LIMIT, EncodingError
from tests.support.sinusoids import sinusoid
from tests.support.tables_in_files import put

D1024 = encodings.create("sinusoidal", dim=1024)


def all_pairs(found):
    """Return all distances, each repeated by its weight."""
    return np.repeat(found.distances, found.weights.astype(int))


def test_the_distribution_of_250_positions():
    actual = histogram.spread(D1024, range(250))
    expected = np.sort(pdist(sinusoid(np.arange(250), 1024), "cosine"))
    np.testing.assert_allclose(all_pairs(actual), expected, atol=1e-12)
    assert (actual.pairs, actual.undefined_count, actual.sample_size) == (31_125, 0, 0)
    assert actual.mean == pytest.approx(expected.mean(), abs=1e-12)
    assert actual.median == pytest.approx(np.median(expected), abs=1e-12)
    near, _, far = actual.shares([-1.0, 0.1, 0.5, 2.0])
    assert (near, far) == pytest.approx((0.016, 0.614), abs=5e-4)
    assert (actual.earlier_positions[-1], actual.later_positions[-1]) == (0, 248)


@pytest.mark.parametrize("metric", distance.METRICS)
@pytest.mark.parametrize(
    "e",
    [
        encodings.create("index", dim=3),
        encodings.create("fraction", dim=3, length=7),
        encodings.create("binary", dim=6),
        encodings.create("sinusoidal", dim=6, waves="sine"),
        encodings.create("rope", head_dim=8),
        encodings.create("alibi", heads=4),
    ],
    ids=lambda e: e.name,
)
def test_the_distribution_matches_all_pairs(e, metric):
    positions = e.first_range[:12]
    actual = histogram.spread(e, positions, metric)
    pairs = itertools.combinations(positions, 2)
    expected = np.array([distance.between(e, p, q, metric) for p, q in pairs])
    assert (actual.pairs, actual.undefined_count) == (66, np.isnan(expected).sum())
    expected = np.sort(expected[np.isfinite(expected)])
    np.testing.assert_allclose(all_pairs(actual), expected, rtol=1e-9, atol=1e-12)
    if len(expected):
        assert actual.median == pytest.approx(np.median(expected), rel=1e-9, abs=1e-12)
    for measured, p, q in zip(
        actual.distances, actual.earlier_positions, actual.later_positions, strict=True
    ):
        again = distance.between(e, int(p), int(q), metric)
        assert again == pytest.approx(measured, rel=1e-9, abs=1e-12)


def test_the_median_of_an_even_number_of_pairs_is_a_mean():
    e = encodings.create("index", dim=1)
    actual = histogram.spread(e, range(4), "euclidean")  # 1 1 1 2 2 3
    assert (actual.pairs, actual.median, actual.mean) == (6, 1.5, 10 / 6)
    assert actual.shares([0, 1.5, 2.5, 4]).tolist() == [1 / 2, 1 / 3, 1 / 6]
    in_bins = [actual.find_pair_between(low, low + 1) for low in range(5)]
    assert in_bins == [None, (0, 1), (0, 2), (0, 3), None]


@pytest.mark.parametrize("count", [10**6, 10**12, 2**53])
def test_many_separations_are_sampled_evenly(count):
    e = encodings.create("sinusoidal", dim=16, base=50.0)
    start = -(count // 2)
    actual = histogram.spread(e, range(start, start + count))
    assert actual.sample_size == len(actual.distances) == histogram.SAMPLE_SIZE
    assert actual.pairs == count * (count - 1) // 2
    # Over this many positions, the angles of every wave are uniformly distributed.
    assert actual.mean == pytest.approx(1.0, abs=0.01)
    spread = math.sqrt(1 / 16)  # the deviation of a mean of 8 cosines
    deviation = np.sqrt(np.mean((actual.distances - 1) ** 2))
    assert deviation == pytest.approx(spread, abs=0.01)
    assert actual.earlier_positions.min() >= start
    assert actual.later_positions.max() < start + count
    # Each of equal parts of all pairs, sorted by separation, has one sample.
    apart, parts = (
        np.sort(actual.later_positions - actual.earlier_positions).astype(float),
        np.arange(actual.sample_size),
    )
    nearer, within = (actual.sample_size * (1 - (1 - n / count) ** 2) for n in (apart - 1, apart))
    assert (nearer < parts + 1 + 1e-6).all()
    assert (within > parts - 1e-6).all()
    again = histogram.spread(e, range(start, start + count))
    np.testing.assert_array_equal(actual.distances, again.distances)


def test_many_positions_are_sampled():
    e = encodings.create("binary", dim=12)
    actual = histogram.spread(e, range(4096), "manhattan")
    assert 0 < actual.sample_size == len(actual.distances) <= 499_500
    expected = np.array([math.comb(12, k) for k in range(13)]) / 4096
    bins = np.arange(-0.5, 13)
    np.testing.assert_allclose(actual.shares(bins), expected, atol=0.01)
    wide = histogram.spread(e, range(LIMIT - 10**9, LIMIT), "manhattan")
    assert wide.later_positions.max() < LIMIT


def test_bins_have_round_edges_and_contain_all_pairs():
    actual = histogram.spread(D1024, range(250))
    edges = histogram.edges([actual])
    np.testing.assert_allclose(edges, np.arange(1, 35) * 0.02, atol=1e-15)
    counts, _ = np.histogram(pdist(sinusoid(np.arange(250), 1024), "cosine"), edges)
    assert counts.sum() == 31_125
    np.testing.assert_allclose(actual.shares(edges) * 31_125, counts, atol=1e-6)
    for (low, high), count in zip(itertools.pairwise(edges), counts, strict=True):
        pair = actual.find_pair_between(low, high)
        assert (pair is None) == (count == 0)
        assert pair is None or low <= distance.between(D1024, *pair) < high


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_equal_distances_are_in_the_middle_bin(metric):
    e = encodings.create("index", dim=2)
    actual = histogram.spread(e, range(1, 3), metric)
    shares = actual.shares(histogram.edges([actual]))
    np.testing.assert_array_equal(shares, (0, 1, 0))


def test_pairs_without_a_distance_are_counted():
    e = encodings.create("sinusoidal", dim=4, waves="sine")
    actual = histogram.spread(e, range(10))
    assert (actual.pairs, actual.undefined_count) == (45, 9)  # row 0 is all zeros
    none = histogram.spread(encodings.create("index"), range(5), "correlation")
    assert (none.undefined_count, len(none.distances)) == (10, 0)
    assert not len(histogram.edges([none]))


def test_an_unknown_metric_is_refused():
    with pytest.raises(EncodingError, match="metric"):
        histogram.spread(D1024, range(5), "cosin")


EXTREME = [
    [[0.0], [5e-324], [0.0], [5e-324]],
    [[0.0], [1e-310], [5e-310]],
    [[1.7e308], [-5e306], [0.0]],
    [[0.0], [5e306], [1.7e308], [1.75e308]],
]


@pytest.mark.parametrize("metric", ["euclidean", "dot", "manhattan"])
@pytest.mark.parametrize("rows", EXTREME)
def test_bins_of_the_smallest_and_largest_numbers_contain_all_pairs(tmp_path, rows, metric):
    e = encodings.create("learned", file=put(tmp_path / "rows.npy", np.array(rows)))
    actual = histogram.spread(e, range(len(rows)), metric)
    bins = histogram.edges([actual])
    assert (np.diff(bins) > 0).all()
    assert np.isfinite(bins).all()
    assert actual.shares(bins).sum() == pytest.approx(1)
    if metric != "dot":  # many products are infinite
        numbers = [Fraction(number) for (number,) in rows]
        apart = [abs(a - b) for a, b in itertools.combinations(numbers, 2)]
        mean, median = float(statistics.mean(apart)), float(statistics.median(apart))
        assert actual.mean == pytest.approx(mean, rel=1e-12, abs=5e-324)
        assert actual.median == pytest.approx(median, rel=1e-12, abs=5e-324)


def test_bins_cover_very_large_products_of_both_signs(tmp_path):
    rows = np.array([[1.3e154, 0.0], [1.3e154, 1.0], [-1.3e154, 0.0]])
    e = encodings.create("learned", file=put(tmp_path / "rows.npy", rows))
    actual = histogram.spread(e, range(3), "dot")  # ±1.69e308
    shares = actual.shares(histogram.edges([actual]))
    assert shares[0] == pytest.approx(2 / 3)
    assert shares.sum() == pytest.approx(1)


def test_bins_as_narrow_as_rounding_contain_all_pairs():
    e = encodings.create(
        "sinusoidal", dim=2, base=1e12, spacing="endpoint", waves="cosine", offset=1, scale=1e-6
    )
    actual = histogram.spread(e, range(3), "dot")
    assert actual.shares(histogram.edges([actual])).sum() == pytest.approx(1)
