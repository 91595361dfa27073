"""Exact ranges of distances in blocks, and their bounds."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.analysis.ranges import MAX_EXACT_POSITIONS, compute_distance_ranges
from pe_explorer.encodings import EncodingError
from tests.support.samples import sample

METRICS = tuple(distance.METRICS)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", ["sinusoidal", "binary", "alibi"])
def test_exact_ranges_match_all_positions(name, metric):
    e = sample(name)
    start, block, count = 3, 37, 20
    actual = compute_distance_ranges(e, 5, (start, block, count), metric)
    assert actual.is_exact
    each = distance.from_reference(e, 5, range(start, start + block * count), metric)
    blocks = each.reshape(count, block)
    is_known = ~np.isnan(blocks).all(axis=1)
    for ends, of_all in ((actual.low, np.nanmin), (actual.high, np.nanmax)):
        exact = of_all(blocks[is_known], axis=1)
        np.testing.assert_allclose(ends[is_known], exact, rtol=1e-9, atol=1e-12)
    assert np.isnan(actual.low[~is_known]).all()


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("base", [100.0, 1e9])
def test_all_distances_are_within_their_bounds(metric, base):
    e = encodings.create("sinusoidal", dim=16, base=base)
    block = MAX_EXACT_POSITIONS // 8
    start = -3 * block
    shares = []
    actual = compute_distance_ranges(e, 7, (start, block, 9), metric, shares.append)
    if actual is None:
        assert not distance.has_closed_form(e, metric)
        return
    assert (actual.is_exact, shares[-1]) == (False, 1)
    random = np.random.default_rng(7)
    for number in range(9):
        first = start + number * block
        places = [first, first + block - 1, *random.integers(first, first + block, 2000)]
        inside = distance.from_reference(e, 7, np.array(places), metric)
        assert (actual.low[number] <= inside + 1e-9).all()
        assert (inside - 1e-9 <= actual.high[number]).all()


def test_bounds_are_tight_for_slow_waves():
    """With a large base, most waves rotate little within a block, so the bounds are tight."""
    e = encodings.create("sinusoidal", dim=64, base=1e12)
    actual = compute_distance_ranges(e, 0, (0, 2 * MAX_EXACT_POSITIONS // 1000, 1000), "cosine")
    assert not actual.is_exact
    assert actual.low[-1] > 0.0
    assert actual.high.max() < 2.0
    assert np.median(actual.high - actual.low) < 1.5
    slow, first = encodings.create("sinusoidal", dim=2, scale=1e-7), 100 * np.arange(100_001)
    actual = compute_distance_ranges(slow, 0, (0, 100, len(first)))
    assert not actual.is_exact
    np.testing.assert_allclose(actual.low, 1 - np.cos(1e-7 * first), atol=1e-12)
    np.testing.assert_allclose(actual.high, 1 - np.cos(1e-7 * (first + 99)), atol=1e-12)


def test_an_unknown_metric_is_refused():
    with pytest.raises(EncodingError, match="metric"):
        compute_distance_ranges(sample("sinusoidal"), 0, (0, 10, 10), "cosin")
