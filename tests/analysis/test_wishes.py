"""All criteria together: measured positions and metrics."""

import math

import pytest

from pe_explorer.analysis import distance, properties, wishes
from pe_explorer.analysis.windows import windows
from pe_explorer.encodings import LIMIT
from tests.support.samples import sample

SINES, BITS = sample("sinusoidal", dim=64), sample("binary", dim=64)


@pytest.mark.parametrize("most", [1, 2, 5, 8, 50])
def test_around_returns_the_nearest_positions(most):
    for positions in (range(20), range(-7, 1), range(5, 6)):
        for place in range(-12, 30):
            actual = wishes.find_nearest_positions(positions, place, most)
            assert len(actual) == min(most, len(positions))
            left = set(positions) - set(actual)
            farthest = max(abs(position - place) for position in actual)
            assert left == set(positions) - set(positions[positions.index(actual[0]) :][:most])
            assert all(abs(position - place) >= farthest for position in left)


def test_a_second_range_has_the_length_of_the_first():
    for positions, start, second in (
        (range(0, 10, 2), 100, range(100, 110, 2)),
        (range(0, 10, 2), -LIMIT, range(-LIMIT, 10 - LIMIT, 2)),
        (range(3, 13, 3), LIMIT, range(LIMIT - 9, LIMIT + 3, 3)),
        (range(9, -1, -1), -LIMIT, range(9 - LIMIT, -LIMIT - 1, -1)),
    ):
        assert windows(positions, start) == (positions, second)
        assert windows(positions, None) == (positions,)


def test_the_number_of_measured_positions_is_limited():
    shown = range(10**7)
    for e in (SINES, BITS):
        actual = [
            len(wishes.find_measurable_positions(item, shown, 5_000_000, "cosine"))
            for item in (e, sample(e.name, dim=2 * e.dim))
        ]
        by_rows = 2**22 // e.dim
        assert actual[0] == (by_rows if e is SINES else math.isqrt(4 * 10**9 // (64 + 60)))
        assert actual[1] < actual[0]
        assert wishes.find_measurable_positions(e, range(3, 40), 7, "cosine") == range(3, 40)
    middle = wishes.find_measurable_positions(SINES, shown, 5_000_000, "cosine")
    assert abs(middle[0] + middle[-1] - 10**7) <= 2
    inside = sample("learned")
    assert wishes.find_measurable_positions(inside, range(-5, 10**6), 0, "cosine") == inside.domain
    assert len(wishes.find_measurable_positions(sample("binary", dim=52), range(2), 0, "dot")) == 2


def test_pairs_are_compared_by_a_distance():
    for metric in distance.METRICS:
        base = distance.find_base_metric(metric)
        assert wishes.choose_pair_metric(metric) == ("euclidean" if base == "dot" else base)
    for metric in ("dot", "cosine", "euclidean"):
        assert wishes.count_compared_pairs(SINES, 12, metric) == 0
        assert wishes.count_compared_pairs(BITS, 12, metric) == 72


@pytest.mark.parametrize("metric", ["euclidean", "dot", "cosine"])
@pytest.mark.parametrize("name", ["sinusoidal", "fraction", "binary"])
def test_evidence_contains_each_measurement(name, metric):
    e, positions, shares = sample(name, dim=8), range(2, 60), []
    actual = wishes.measure(e, positions, 3, metric, shares.append)
    of_pairs = "cosine" if metric == "cosine" else "euclidean"
    assert actual == wishes.Evidence(
        positions=positions,
        extremes=properties.extremes(e, positions),
        longer=properties.compare_doubled_length(e, positions),
        max_repeat_difference=0.0,
        closest_positions=properties.find_closest_pair(e, positions, of_pairs),
        growth=properties.growth(e, 3, positions, metric),
        residual=properties.compute_shift_residual(e, positions),
    )
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1


def test_growth_needs_a_distance_from_the_reference():
    for e, reference, metric in ((BITS, 0, "cosine"), (sample("learned"), -1, "euclidean")):
        assert wishes.measure(e, range(1, 9), reference, metric, bool).growth is None
