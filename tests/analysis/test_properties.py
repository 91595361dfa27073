"""The criteria of encodings, compared with brute force."""

import itertools
import tracemalloc
from concurrent.futures import CancelledError

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

from pe_explorer import encodings
from pe_explorer.analysis import distance, properties
from tests.support.measures import usual_distances
from tests.support.samples import sample, samples
from tests.support.sinusoids import sinusoid, turned
from tests.support.tables_in_files import put

WISHES = {
    "sinusoid": encodings.create("sinusoidal", dim=1024),
    "index": encodings.create("index", dim=16),
    "fraction": encodings.create("fraction", dim=16, length=30),
    "binary": encodings.create("binary", dim=16),
    "sines": encodings.create("sinusoidal", dim=1024, waves="sine"),
}
MEASURED = {  # range, growing steps by the Euclidean and by the cosine distance, the closest pair
    "sinusoid": ((-1, 1), 206, 206, 5.208),
    "index": ((1, 249), 248, 0, 4),
    "fraction": ((1 / 30, 8.3), 248, 0, 0.1333),
    "binary": ((0, 1), 93, 124, 1),
    "sines": ((-1, 1), 126, 128, 3.897),
}
ROWS = range(1, 250)


# The four criteria of document 002


@pytest.mark.parametrize("name", WISHES)
def test_criteria_match_brute_force(name):
    e, (ends, growing_steps, by_cosine, closest) = WISHES[name], MEASURED[name]
    table = e.table(ROWS)
    actual = properties.extremes(e, ROWS)
    assert tuple(number.value for number in actual) == pytest.approx(ends, abs=1e-6)
    for number, place in zip(actual, (table.argmin(), table.argmax()), strict=True):
        row, column = divmod(int(place), e.width)
        assert (number.position, number.column) == (ROWS[row], column)
        assert number.value == pytest.approx(table[row, column], abs=1e-15)
    growth = properties.growth(e, 1, ROWS, "euclidean")
    assert (growth.steps, growth.growing_steps, len(growth.exceptions)) == (
        248,
        growing_steps,
        248 - growing_steps,
    )
    assert properties.growth(e, 1, ROWS, "cosine").growing_steps == by_cosine
    pair, distances = properties.find_closest_pair(e, ROWS), squareform(pdist(table))
    np.fill_diagonal(distances, np.inf)
    assert pair.distance == pytest.approx(closest, abs=6e-4)
    assert pair.distance == pytest.approx(distances.min(), rel=1e-9)
    there = distances[pair.first - 1, pair.second - 1]
    assert there == pytest.approx(distances.min(), rel=1e-9)
    residual = properties.compute_shift_residual(e, ROWS, 10)
    assert (residual is not None) == (name == "sinusoid")
    assert residual is None or (residual.value < 2e-15 and residual.position in ROWS)
    if name != "fraction":  # only `fraction` depends on the length
        assert properties.compare_doubled_length(e, ROWS) is None
        return
    longer, number = properties.compare_doubled_length(e, ROWS)
    assert longer.parameters == {"dim": 16, "length": 60}
    assert (number.position, number.value) == (249, pytest.approx(249 / 60 - 249 / 30))


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_infinite_distances_do_not_grow(tmp_path, recwarn, metric):
    rows = np.outer([-1.7e308, 1.7e308, 1.7e308, 1.7e308], np.ones(4))
    e = encodings.create("learned", file=put(tmp_path / "t.npy", rows))
    actual = properties.growth(e, 0, range(4), metric)
    assert (actual.steps, actual.growing_steps, actual.exceptions) == (3, 1, (2, 3))
    assert [str(item.message) for item in recwarn] == []


def test_the_first_exception():
    actual = properties.growth(WISHES["sinusoid"], 1, ROWS, "cosine")
    assert (actual.first_exception, actual.is_decreasing) == (70, True)
    assert properties.growth(WISHES["index"], 1, ROWS, "euclidean").first_exception is None
    level = properties.growth(WISHES["index"], 9, ROWS, "cosine")
    assert (level.exceptions[:4], level.is_decreasing) == ((10, 8, 11, 7), False)
    wide = properties.growth(encodings.create("sinusoidal", dim=4096), 1, range(1, 251), "cosine")
    assert wide.exceptions == (246,)


def test_the_shift_residual_matches_the_rows():
    e = encodings.create("sinusoidal", dim=6)
    residual = np.abs(e.table(range(40)) @ turned(6, 1e4, 3) - e.table(range(3, 43))).max()
    assert properties.compute_shift_residual(e, range(40), 3).value == pytest.approx(
        residual, abs=1e-15
    )
    assert properties.compute_shift_residual(sample("learned"), range(40)) is None


# The closest pair, by brute force


def by_brute_force(e, positions, metric):
    table = e.table(positions)
    distances = usual_distances(metric, table, table)
    np.fill_diagonal(distances, np.inf)
    return np.nan_to_num(distances, nan=np.inf, posinf=np.inf)


@pytest.mark.parametrize("metric", ["cosine", "euclidean", "manhattan", "chebyshev", "correlation"])
@pytest.mark.parametrize(
    "e", [*samples(dim=12, head_dim=12), WISHES["sines"]], ids=lambda e: e.name
)
def test_closest_pair_matches_brute_force(e, metric, monkeypatch):
    start = e.first_range.start
    positions = range(start, start + 70)
    distances = by_brute_force(e, positions, metric)
    least = distances.min()
    for chunk in (2**21, 700):  # all together, and in blocks of ten rows
        monkeypatch.setattr("pe_explorer.analysis.properties._DISTANCES_PER_CHUNK", chunk)
        actual = properties.find_closest_pair(e, positions, metric)
        if np.isinf(least):
            assert actual is None
            continue
        pair = distances[actual.first - start, actual.second - start]
        for value in (actual.distance, pair):
            assert value == pytest.approx(least, rel=1e-6, abs=1e-12)
        assert actual.first < actual.second


def test_closest_pair_of_equal_and_too_few_rows():
    e = encodings.create("binary", dim=3)
    actual = properties.find_closest_pair(e, range(1, 40))
    assert (actual.first, actual.second, actual.distance) == (1, 9, 0)
    assert properties.find_closest_pair(e, range(1, 2)) is None
    line = encodings.create("index", dim=3)
    assert properties.find_closest_pair(line, range(2), "cosine") is None  # 0 has no direction
    assert properties.find_closest_pair(line, range(1, 9), "cosine").distance == 0


def test_closest_pair_reports_progress_and_can_be_cancelled():
    shares = []

    def report(share):
        shares.append(share)
        if len(shares) == 3:
            raise CancelledError

    with pytest.raises(CancelledError):
        properties.find_closest_pair(WISHES["sines"], range(4000), "euclidean", report)
    assert 0 == shares[0] < shares[1] < shares[2] < 1


# Similar positions


@pytest.mark.parametrize(
    ("dim", "position"),
    [(2, 710), (4, 622), (6, 132), (8, 63), (10, 6), (12, 6), (16, 6), (128, 12), (1024, 69)],
)
def test_the_most_similar_position_to_0(dim, position):
    best = properties.find_similar_positions(
        encodings.create("sinusoidal", dim=dim), 0, range(1001)
    )[0]
    alike = sinusoid(range(1001), dim) @ sinusoid([0], dim)[0] / (dim // 2)
    falling_until = int((np.diff(alike) > 0).argmax())
    assert best.position == position == falling_until + alike[falling_until:].argmax()
    assert 1 - best.distance == pytest.approx(alike[position], abs=1e-12)


def rough_table(rows, width, seed):
    """Return rows that drift slowly, with noise, like learned ones."""
    pick = np.random.default_rng(seed)
    steps = pick.normal(size=(rows, width)).cumsum(axis=0)
    slow = np.stack([np.convolve(column, np.ones(25) / 25, "same") for column in steps.T], axis=1)
    slow /= np.linalg.norm(slow, axis=1, keepdims=True)
    return slow + 0.006 * pick.normal(size=(rows, width))


@pytest.mark.parametrize("metric", ["dot", "cosine", "euclidean"])
def test_the_valley_ends_at_a_quarter_of_the_way_to_the_median(tmp_path, metric):
    table = rough_table(601, 48, seed=29)
    e = encodings.create("learned", file=put(tmp_path / "rough.npy", table))
    for place in (0, 100, 381, 600):
        likeness = table @ table[place]
        if metric != "dot":
            likeness = -cdist(table[[place]], table, metric)[0]
        sides = [(1, likeness[place:]), (-1, likeness[place::-1])]
        every = np.concatenate([side for _, side in sides if len(side) > 1])
        edge, peaks = 0.75 * likeness[place] + 0.25 * np.sort(every)[len(every) // 2], []
        for sign, side in sides:
            is_past = False
            for n in range(1, len(side)):
                is_past |= bool(side[n - 1] <= edge and side[n] > side[n - 1])
                if is_past and side[n - 1] < side[n] >= [*side, -np.inf][n + 1]:
                    peaks.append((-side[n], place + sign * n))
        actual = properties.find_similar_positions(e, place, range(601), metric, limit=6)
        assert [item.position for item in actual] == [there for _, there in sorted(peaks)[:6]]


def test_similar_positions_on_both_sides():
    e = encodings.create("sinusoidal", dim=8)
    actual = properties.find_similar_positions(e, 500, range(400, 601))
    assert {actual[0].position, actual[1].position} == {437, 563}
    assert (
        properties.find_similar_positions(e, 0, range(3))
        == properties.find_similar_positions(e, 0, range(1))
        == ()
    )
    assert (
        properties.find_similar_positions(encodings.create("index"), 0, range(9)) == ()
    )  # no direction
    assert (
        properties.find_similar_positions(encodings.create("index"), 5, range(1, 90), "euclidean")
        == ()
    )


@pytest.mark.parametrize(
    ("dim", "position"), [(2, 6), (8, 6), (10, 6), (12, 14_495), (14, 18_246), (16, None)]
)
def test_first_nearer_finds_the_first_position_closer_than_the_neighbour(dim, position):
    e = encodings.create("sinusoidal", dim=dim)
    for metric in ("cosine", "similarity"):
        actual = properties.find_first_nearer_row(
            e, 0, range(100_001 if dim == 16 else 20_000), metric
        )
        assert (actual.position if actual else None) == position


def test_a_table_that_is_not_reproducible_is_detected():
    result = itertools.count(3.0, 2.0)

    class Restless(encodings.Encoding):
        width = 2

        def _fill(self, positions, out):
            out[:] = next(result), np.nan

    assert properties.measure_repetition(Restless(), range(4)) == 2.0


def test_extremes_ignore_nan_and_infinity(tmp_path):
    rows = np.array([[np.nan, 2.0], [-np.inf, 1.0], [np.inf, 2.0]])
    e = encodings.create("learned", file=put(tmp_path / "t.npy", rows))
    low, high = properties.extremes(e, range(3))
    assert (low, high) == ((1, 1, 1.0), (0, 1, 2.0))
    none = encodings.create("learned", file=put(tmp_path / "n.npy", rows[:, :1]))
    assert properties.extremes(none, range(3)) is None


def test_many_similar_positions_take_little_memory():
    e, positions = encodings.create("binary", dim=8), range(200_000)
    distance.from_reference(e, 0, range(2), "euclidean")
    peaks = []
    for measure in (
        lambda: distance.from_reference(e, 0, positions, "euclidean"),
        lambda: properties.find_similar_positions(e, 0, positions, "euclidean"),
    ):
        tracemalloc.start()
        measure()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


@pytest.mark.parametrize("metric", ["euclidean", "sse", "cosine"])
def test_closest_pair_of_rows_with_a_large_offset(tmp_path, metric):
    """For 60 rows around 10^8, the products of the first 1,000 pairs would seem equal."""
    near = np.random.default_rng(8).normal(size=(60, 4))
    near[57] = near[41] + 1e-4
    rows = near + np.array([1e8, 2e8, -1e8, 3e8])
    e = encodings.create("learned", file=put(tmp_path / "rows.npy", rows))
    actual = properties.find_closest_pair(e, range(60), metric)
    assert (actual.first, actual.second) == (41, 57)


def test_steps_without_a_distance_are_not_counted():
    e = encodings.create("sinusoidal", dim=8, base=1 + 2**-52, scale=1e-6, waves="sine")
    assert properties.growth(e, 3, range(1, 9), "correlation").steps == 0
