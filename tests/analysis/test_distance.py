"""Distances against SciPy and sums of 80-digit cosines."""

import math
from itertools import product

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import _tables, distance, likeness, score_bound
from pe_explorer.encodings import EncodingError, Steady, Stored
from pe_explorer.numeric import rotation
from pe_explorer.progress import CancelledError
from tests.support import oracles, truth
from tests.support.measures import usual_distances
from tests.support.samples import samples
from tests.support.tables_in_files import numbers, put

ENCODINGS = [
    *(e for e in samples(dim=6, head_dim=6, heads=6) if not isinstance(e, Stored)),
    encodings.create("sinusoidal", dim=7),
    encodings.create("sinusoidal", dim=7, spacing="endpoint"),
    encodings.create("sinusoidal", dim=1),
    encodings.create("sinusoidal", dim=5, waves="sine"),
    encodings.create("sinusoidal", dim=5, waves="cosine", layout="concatenated"),
    encodings.create("sinusoidal", dim=600, base=100, order="cos-sin", offset=-3, scale=0.3),
    encodings.create("rope", head_dim=12, partial_rotary_factor=0.5, layout="interleaved"),
    encodings.create("alibi", heads=5, symmetric=True),
]
CLOSED = ("cosine", "similarity", "dot", "normalised-dot", "sse", "euclidean")
"""The metrics that depend only on the offset, if rows consist of sine-cosine pairs."""

oracles.of_scheme("sinusoidal")  # load it first: hypothesis cannot import tests while it runs
every_metric = pytest.mark.parametrize("metric", distance.METRICS)


def is_of_pairs(e):
    return isinstance(e, Steady) and e.is_shift_invariant


def by_scipy(e, rows, cols, metric):
    return usual_distances(metric, e.table(rows), e.table(cols))


# SciPy

PLACES = [
    (range(1, 40), range(1, 40)),
    (range(1, 60, 3), range(58, 2, -4)),
    (range(50, 1, -2), range(47, 11, -2)),
    (range(5, 6), range(1, 60)),
    (range(60, 30, -1), [17]),
    ([33], [9]),
    ([7, 3, 3, 61, 12], range(1, 63, 5)),
    ([7, 3, 3, 61, 12], [2, 40, 41, 7, 7, 9]),
    ([7, 3, 3, 61, 12], [1.5, 22.25]),
    ([1.1, 60.7], [1.3, 5.0, 60.7]),
    (range(-9, -1), range(-30, -1, 4)),
]


@every_metric
def test_every_metric_matches_scipy(metric, sampled):
    tall = encodings.create("sinusoidal", dim=3), (range(300), range(-100, 900, 2))
    for e, (rows, cols) in [tall, *sampled([*product(ENCODINGS, PLACES)], 60)]:
        actual = distance.matrix(e, rows, cols, metric)
        assert (actual.shape, actual.dtype) == ((len(rows), len(cols)), np.float64)
        expected = by_scipy(e, rows, cols, metric)
        case = f"{e} {rows} {cols}"
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-13, err_msg=case)
        first = distance.matrix(e, rows[:1], cols, metric)[0]
        line = distance.from_reference(e, rows[0], cols, metric)
        np.testing.assert_array_equal(line, first, err_msg=case)


@every_metric
def test_vectors_are_measured_like_rows_and_titles_name_the_drawn_values(metric):
    rows = np.random.default_rng(2).normal(size=(2, 7))
    (expected,) = usual_distances(metric, rows[:1], rows[1:])[0]
    assert distance.measure_vector_distance(*rows, metric) == pytest.approx(expected, rel=1e-12)
    large = distance.measure_vector_distance(*rows * 2.0**1000, metric)
    if metric in ("cosine", "similarity", "correlation"):
        assert large == pytest.approx(expected, rel=1e-12)
    is_likeness, name = metric in ("cosine", "correlation"), distance.METRIC_NAMES[metric]
    is_similar = metric in ("similarity", "dot", "normalised-dot")
    assert likeness.to_similarity(0.25, metric) == (0.75 if is_likeness else 0.25)
    assert likeness.is_angle(metric) == (is_likeness or metric == "similarity")
    assert likeness.increases_with_similarity(metric) == (is_likeness or is_similar)
    drawn = "cosine similarity" if metric == "cosine" else name.removesuffix(" distance")
    drawn = drawn if is_likeness else name
    assert (distance.measure(metric), likeness.title(metric)) == (name, drawn)
    assert distance.measure(metric, "here") == f"{name} {'with' if is_similar else 'from'} here"
    by = "with" if is_likeness or is_similar else "from"
    assert likeness.title(metric, "here") == f"{drawn} {by} here"


@every_metric
def test_empty_positions_give_empty_matrices(metric):
    for e in (encodings.create("sinusoidal"), encodings.create("binary")):
        for rows, cols in (([], [1, 2]), ([1, 2], []), (range(0), range(0)), (range(3), range(0))):
            assert distance.matrix(e, rows, cols, metric).shape == (len(rows), len(cols))


@pytest.mark.parametrize("positions", [range(-2, 3), range(-100, 101), range(50, -51, -5)])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [("index", {}), ("binary", {}), ("sinusoidal", {"waves": "sine"}), ("sinusoidal", {"dim": 1})],
)
def test_a_row_of_zeros_has_no_direction_in_any_range(name, parameters, positions):
    e = encodings.create(name, **parameters)
    assert math.isnan(distance.between(e, 5, 0))
    assert distance.between(e, 0, 1, "euclidean") > 0
    is_zero = np.array([p == 0 for p in positions])
    np.testing.assert_array_equal(np.isnan(distance.from_reference(e, 5, positions)), is_zero)
    whole = distance.matrix(e, positions, positions)
    np.testing.assert_array_equal(np.isnan(whole), is_zero | is_zero[:, None])


# Exact values


@pytest.mark.parametrize("metric", ["cosine", "dot", "sse", "euclidean"])
def test_many_scattered_positions_match_the_closed_form(metric):
    """Many positions are compared by tables, few by the closed form."""
    e, pick = encodings.create("sinusoidal", dim=16), np.random.default_rng(5)
    rows, cols = pick.integers(-(2**52), 2**52, 150), pick.integers(-(10**6), 10**6, 140)
    cols[3] = rows[7]
    actual = distance.matrix(e, rows, cols, metric)
    by_forms = np.concatenate([distance.matrix(e, rows[i : i + 5], cols, metric)
                               for i in range(0, 150, 5)])  # fmt: skip
    np.testing.assert_allclose(actual, by_forms, rtol=1e-14, atol=3e-15)
    assert actual[7, 3] == (8 if metric == "dot" else 0)


# Cost


@pytest.fixture
def evaluated(monkeypatch):
    """The number of phases per wave in each call of `rotation.sweep`."""
    counts = []
    sweep = rotation.sweep

    def counted(turns, half_steps, *rest):
        counts.append(len(half_steps))
        return sweep(turns, half_steps, *rest)

    monkeypatch.setattr(rotation, "sweep", counted)
    return counts


@pytest.mark.parametrize(
    ("rows", "cols", "most"),
    [
        (range(2000), range(2000), 3999),
        (range(0, 3000, 3), range(0, -3000, -3), 1999),
        (range(0, 2000, 2), range(1, 2001, 2), 1999),
        (range(5), range(10**15, 10**15 + 5), 9),
        (range(0, 10**12, 10**9), range(7, 10**12, 10**9), 1999),
        ([0, 1, 3, 7, 7, 7], [0, 1, 3, 7], 13),
        (range(0, 7 * 10**6, 7 * 10**4), range(0, 11 * 10**6, 11 * 10**4), 10_000),
    ],
    ids=str,
)
def test_each_distinct_offset_is_evaluated_once(evaluated, rows, cols, most):
    e = encodings.create("sinusoidal", dim=8)
    actual = distance.matrix(e, rows, cols)
    assert 0 < sum(evaluated) <= most
    for i, k in product((0, len(rows) // 2, -1), (0, len(cols) // 3, -1)):
        exact = float(truth.distance(e, rows[i], cols[k], "cosine"))
        assert actual[i, k] == pytest.approx(exact, rel=1e-12, abs=1e-30)


def test_means_cost_one_evaluation_per_offset_of_blocks(evaluated):
    e = encodings.create("sinusoidal", dim=16)
    distance.matrix_block_means(e, (0, 10**9, 500), (-7, 10**9, 400))
    assert 0 < sum(evaluated) <= 899


# Means over blocks


def brute_force_means(e, rows, cols, metric):
    positions = [range(start, start + block * count) for start, block, count in (rows, cols)]
    singles = by_scipy(e, *positions, metric)
    return singles.reshape(rows[2], rows[1], cols[2], cols[1]).mean(axis=(1, 3))


BLOCKS = [
    ((3, 8, 5), (3, 8, 5)),
    ((50, 7, 6), (2, 7, 4)),
    ((1, 4, 9), (60, 10, 3)),
    ((1, 1, 9), (7, 5, 3)),
    ((2, 1, 5), (4, 1, 7)),
]


@every_metric
def test_exact_means_match_brute_force(metric):
    """Other means are the values at the centres of the blocks."""
    for e, (rows, cols) in product(ENCODINGS, BLOCKS):
        actual = distance.matrix_block_means(e, rows, cols, metric)
        assert actual.shape == (rows[2], cols[2])
        if distance.has_exact_mean(e, metric) or rows[1] == cols[1] == 1:
            expected = brute_force_means(e, rows, cols, metric)
        elif metric == "euclidean" and is_of_pairs(e):
            expected = np.sqrt(brute_force_means(e, rows, cols, "sse"))
        else:
            middles = [
                range(start + (block - 1) // 2, start + block * count, block)
                for start, block, count in (rows, cols)
            ]
            expected = by_scipy(e, *middles, metric)
        limits = {"rtol": 1e-12, "atol": 1e-14 * e.width, "err_msg": f"{e} {rows} {cols}"}
        np.testing.assert_allclose(actual, expected, **limits)


@every_metric
def test_inexact_means_differ_from_brute_force(metric):
    e = encodings.create("sinusoidal", dim=6)
    for rows, cols in BLOCKS[:4]:
        actual = distance.matrix_block_means(e, rows, cols, metric)
        is_close = np.allclose(actual, brute_force_means(e, rows, cols, metric), rtol=1e-9)
        is_exact = metric in CLOSED and metric != "euclidean"
        assert is_close == distance.has_exact_mean(e, metric) == is_exact
    for e in (encodings.create("index"), encodings.create("sinusoidal", dim=7)):
        assert distance.has_exact_mean(e, metric) == (metric in ("dot", "normalised-dot"))


@pytest.mark.parametrize("many", [1, 7, 10**9])
def test_products_of_means_do_not_depend_on_the_chunk_size(tmp_path, monkeypatch, many):
    array = numbers(300, 5).astype(float)
    e = encodings.create("learned", file=put(tmp_path / "pe.npy", numbers(300, 5)))
    monkeypatch.setattr(_tables, "_LEFT_CHUNK_SIZE", 5 * 10 * many)
    rows = array[20:270].reshape(25, 10, 5).mean(axis=1)
    columns = array[3:300].reshape(11, 27, 5).mean(axis=1)
    actual = distance.matrix_block_means(e, (20, 10, 25), (3, 27, 11), "dot")
    np.testing.assert_allclose(actual, rows @ columns.T, rtol=1e-12, atol=1e-12)


# Errors


@pytest.mark.parametrize(
    ("call", "name", "words"),
    [
        (lambda e: distance.between(e, 0, 1, "cosin"), "metric", ("'cosin'", "'cosine'")),
        (lambda e: distance.from_reference(e, 0, [1], ""), "metric", ("''", "euclidean")),
        (lambda e: distance.matrix(e, [0], [1], "Dot"), "metric", ("'Dot'", "'dot'")),
        (lambda e: distance.has_exact_mean(e, "l2"), "metric", ("'l2'",)),
        (lambda e: distance.measure_vector_distance([1.0], [1.0], "l2"), "metric", ("'l2'",)),
        (
            lambda e: distance.matrix_block_means(e, (0, 1, 1), (0, 1, 1), "sze"),
            "metric",
            ("'sse'",),
        ),
        (lambda e: distance.matrix(e, [math.nan], [1]), "rows", ("NaN",)),
        (lambda e: distance.matrix(e, [1], [2**53 + 1]), "cols", (str(2**53 + 1), "2^53")),
        (lambda e: distance.matrix(e, [1e30], [1]), "rows", ("got 1e+30", "2^53")),
        (lambda e: distance.matrix(e, [[1]], [1]), "rows", ("(1, 1)",)),
        (lambda e: distance.matrix(e, [1], ["x"]), "cols", ()),
        (lambda e: distance.matrix_block_means(e, (0, 0, 1), (0, 1, 1)), "block", ("0",)),
        (lambda e: distance.matrix_block_means(e, (0, 1, 1), (2**53, 2, 1)), "rows", ("2^53",)),
    ],
)
def test_errors_name_the_argument(call, name, words):
    for e in (encodings.create("sinusoidal"), encodings.create("index")):
        with pytest.raises(EncodingError) as exc_info:
            call(e)
        assert exc_info.value.name == name
        assert [word for word in words if word not in str(exc_info.value)] == []


# Progress and cancelling

MOST_BETWEEN_LOOKS = 2**24  # numbers compared: a tenth of a second


@pytest.mark.parametrize(
    ("name", "dim", "metric"),
    [
        ("binary", 65_536, "manhattan"),
        ("binary", 65_536, "cosine"),
        ("binary", 65_536, "dot"),
        ("sinusoidal", 4096, "manhattan"),
    ],
)
@pytest.mark.parametrize("block", [1, 10])
def test_comparing_wide_tables_can_be_cancelled(name, dim, metric, block):
    e, shares = encodings.create(name, dim=dim), []

    def stop(share):
        shares.append(share)
        if len(shares) == 3:
            raise CancelledError

    with pytest.raises(CancelledError):
        distance.matrix_block_means(e, (0, block, 120), (0, block, 120), metric, stop)
    numbers = 120**2 * dim / (8 if metric == "dot" else 1)  # products are faster than differences
    assert np.diff([0.0, *shares]).min() > 0
    assert shares[2] < 1
    assert all(share * numbers <= MOST_BETWEEN_LOOKS * k for k, share in enumerate(shares, 1))


@pytest.mark.parametrize(("metric", "block"), [("cosine", 1), ("cosine", 1000), ("dot", 1000)])
def test_closed_forms_of_many_waves_can_be_cancelled(metric, block):
    e, shares = encodings.create("sinusoidal", dim=65_536), []
    distance.matrix_block_means(e, (0, block, 500), (0, block, 500), metric, shares.append)
    steps = np.diff([0.0, *shares])
    assert steps.max() * 999 * e.pairs <= MOST_BETWEEN_LOOKS
    assert steps.min() > 0
    assert shares[-1] == 1


@every_metric
def test_progress_changes_no_number(metric):
    positions, shares = np.arange(40) ** 2, []
    for e in samples(dim=6):
        plain = distance.matrix(e, positions, positions, metric)
        reported = distance.matrix(e, positions, positions, metric, shares.append)
        np.testing.assert_array_equal(reported, plain)
        plain = distance.from_reference(e, 3, positions, metric)
        reported = distance.from_reference(e, 3, positions, metric, shares.append)
        np.testing.assert_array_equal(reported, plain)
    assert all(0 < share <= 1 for share in shares)


# Accuracy of extreme numbers


def test_far_biases_are_as_far_apart_as_near_ones():
    """The slopes of 12 heads are 2^-1 to 2^-8, and 2^-0.5 to 2^-3.5."""
    slopes = [2.0**-n for n in range(1, 9)] + [2 ** -(n / 2) for n in (1, 3, 5, 7)]
    expected = {
        "euclidean": math.sqrt(math.fsum(slope**2 for slope in slopes)),
        "sse": math.fsum(slope**2 for slope in slopes),
        "manhattan": math.fsum(slopes),
        "chebyshev": slopes[8],
        "cosine": 0.0,
        "correlation": 0.0,
    }
    for symmetric in (False, True):
        e = encodings.create("alibi", heads=12, symmetric=symmetric)
        for metric, value in expected.items():
            actual = distance.between(e, -9 * 10**15, 1 - 9 * 10**15, metric)
            assert actual == pytest.approx(value, rel=1e-14)
        assert distance.between(e, -5, 5, "cosine") == (0 if symmetric else 2)
    one_head = encodings.create("alibi", heads=1)
    assert math.isnan(distance.between(one_head, 3, 4, "correlation"))


def encoding_of_rows(folder, rows):
    return encodings.create("learned", file=put(folder / "rows.npy", np.array(rows)))


def test_distances_of_the_smallest_and_largest_numbers(tmp_path):
    rows = [[1e200, -1e200, 3.0], [2e200, 1e-200, 5e-324], [3e-200, 1e-200, 0.0], [1.7e308, 0, 0]]
    e = encoding_of_rows(tmp_path, rows)
    for i, j in product(range(4), repeat=2):
        for metric in ("euclidean", "manhattan", "chebyshev"):
            exact = truth.distance(e, i, j, metric)
            assert abs(distance.between(e, i, j, metric) - exact) <= 1e-14 * exact


def test_products_with_overflowing_intermediate_sums(tmp_path):
    e = encoding_of_rows(
        tmp_path, [[1.7e308, 1.7e308, 1.7e308], [1.0, 1.0, -1.0], [1e-300, 0.0, 2e-300]]
    )
    actual = distance.matrix(e, range(3), range(3), "dot")
    assert actual[0].tolist() == [
        math.inf,
        *(pytest.approx(x, rel=1e-14) for x in (1.7e308, 5.1e8)),
    ]
    e = encoding_of_rows(tmp_path, [[1e308, 1e308, 0.2], [1.7e308, -1.7e308, 0.2]])
    assert math.isnan(distance.between(e, 0, 1, "dot"))  # 0.04 is lost to rounding


@pytest.mark.parametrize("metric", ["cosine", "correlation"])
def test_small_angles_between_rows_are_accurate(tmp_path, metric):
    rows = np.array([[1.1, 2.3, 3.7, -0.9], [1.1, 2.3, 3.7, -0.9], [2.2, 4.6, 7.4, -1.8]])
    rows[1:] += np.array([[3e-12], [4e-11]]) * [1.0, -2.0, 0.5, 0.0]
    for size in (1.0, 2.0**1020, 2.0**-900):
        e = encodings.create("learned", file=put(tmp_path / f"{size}.npy", rows * size))
        for (i, j), value in np.ndenumerate(distance.matrix(e, range(3), range(3), metric)):
            exact = float(truth.distance(e, i, j, metric))
            assert value == pytest.approx(exact, rel=1e-12, abs=0)
            assert distance.between(e, i, j, metric) == value


def test_correlations_of_the_smallest_and_largest_numbers(tmp_path):
    for size in (5e-324, 2.0**1023, 1.0):
        e = encoding_of_rows(tmp_path, np.eye(3) * size)
        actual = distance.matrix(e, range(3), range(3), "correlation")
        np.testing.assert_allclose(actual, 1.5 * (1 - np.eye(3)), rtol=1e-14)
    e = encoding_of_rows(tmp_path, [[1.7e308, -1.7e308], [-1.7e308, 1.7e308], [-1e308, 1e308]])
    actual = distance.matrix(e, range(3), range(3), "correlation")
    np.testing.assert_allclose(actual, [[0, 2, 2], [2, 0, 0], [2, 0, 0]], atol=1e-15)


def test_a_correlation_dominated_by_rounding_is_nan():
    """The exact value is 4e-35; rounded float64 rows would give 0.764."""
    e = encodings.create("sinusoidal", dim=8, base=1 + 2**-52, scale=1e-6, waves="sine")
    actual = distance.matrix(e, range(1, 4), range(1, 4), "correlation")
    np.testing.assert_array_equal(np.isnan(actual), ~np.eye(3, dtype=bool))
    assert distance.is_undetermined(e, 1, 2, "correlation")
    waves = [
        distance.measure_vector_distance(*e.table([1, 2]), "correlation", by) for by in (1.0, 0.0)
    ]
    assert np.isnan(waves).tolist() == [True, False]
    assert not distance.is_undetermined(e, 1, 2, "cosine")
    assert not distance.is_undetermined(e, 1, 1, "correlation")
    index = encodings.create("index", dim=3)  # its rows are constant
    assert not distance.is_undetermined(index, 1, 2, "correlation")


@pytest.mark.parametrize("scale", [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 0.1, 1.0])
def test_a_correlation_is_rounded_to_accurate_digits(scale):
    e = encodings.create("sinusoidal", dim=6, scale=scale, waves="cosine")
    positions = [1, 2, 5, 40, 90]
    actual = distance.matrix(e, positions, positions, "correlation")
    known = 0
    for (i, j), value in np.ndenumerate(actual):
        expected = truth.distance(e, positions[i], positions[j], "correlation")
        digits = len(repr(float(value)).split("e")[0].replace(".", "").strip("0"))
        if not math.isnan(value):
            known += i != j
            relative = 1e-12 if digits >= 12 else 10.0 ** (1 - digits)
            assert abs(value - expected) <= relative * expected + 1e-30
    assert known == 20 or scale < 0.1
    assert known > 0 or scale < 1e-3


def test_distances_of_neighbours_match_single_distances():
    e = encodings.create("sinusoidal", dim=6)
    for count, metric in product((0, 1, 2, 90), ("manhattan", "euclidean")):
        actual = distance.measure_neighbours(e, range(5, 5 + count), metric)
        expected = [distance.between(e, p, p + 1, metric) for p in range(5, 4 + count)]
        np.testing.assert_allclose(actual, expected, rtol=1e-14)


def test_score_bound_is_the_mean_of_partial_sums():
    places = range(3, 900, 4)
    for parameters in ({"dim": 8}, {"dim": 7, "scale": -0.5, "offset": 9}, {"dim": 2, "base": 3.0}):
        e, shares = encodings.create("sinusoidal", **parameters), []
        waves = oracles.definition(e).frequencies()[: e.pairs]
        actual = score_bound.from_reference(e, 5, places, shares.append)
        for row in (0, 1, 100, len(places) - 1):
            terms = [truth.mp.expj(w * (places[row] - 5)) for w in waves]
            sizes = [abs(truth.mp.fsum(terms[:count])) for count in range(1, e.pairs + 1)]
            assert actual[row] == pytest.approx(float(sum(sizes) / e.pairs), rel=1e-13)
        assert np.diff([0, *shares]).min() > 0
        assert shares[-1] == 1


def test_rounding_size_and_are_varied():
    lone, pairs = (encodings.create("sinusoidal", dim=dim) for dim in (7, 8))
    yarn = encodings.create("rope", head_dim=4, rope_type="yarn", attention=3.0)
    for e, metric, size in (
        (lone, "dot", 7), (yarn, "dot", 72), (yarn, "normalised-dot", 18), (lone, "cosine", 1),
        (lone, "correlation", 1), (lone, "euclidean", 0), (pairs, "cosine", 0),
        (pairs, "similarity", 1), (encodings.create("index"), "dot", 0),
        (encodings.create("index"), "similarity", 1),
    ):  # fmt: skip
        assert distance.compute_rounding_size(e, metric) == size
    numbers = ([1.0, 1.0], [1.0, 2.0], [1.0, math.nan], [math.inf, 1.0])
    assert [distance.has_variation(np.array(number)) for number in numbers] == [
        False,
        True,
        False,
        False,
    ]


def test_a_constant_row_has_no_correlation_even_with_itself():
    """All cosines are 1 at position 0, and equal at -1 and 1."""
    e = encodings.create("sinusoidal", dim=5, base=math.pi, waves="cosine", scale=1000.0)
    actual = distance.matrix(e, range(-2, 2), range(-2, 2), "correlation")
    rows = [[math.cos(1000 * p * math.pi ** (-j / 5)) for j in range(5)] for p in (-2, -1, 1)]
    others = np.ix_([0, 1, 3], [0, 1, 3])
    np.testing.assert_allclose(actual[others], 1 - np.corrcoef(rows), atol=1e-14)
    assert np.isnan(actual[2]).all()
    assert np.isnan(actual[:, 2]).all()
    slow = encodings.create("sinusoidal", dim=5, base=50.0, waves="cosine", scale=3e-9)
    waves = oracles.definition(slow).frequencies()
    assert all(float(truth.mp.cos(w * p)) == 1 for w in waves for p in range(-3, 4))
    actual = distance.matrix(slow, range(-10, 11), range(-10, 11), "correlation")
    assert np.isnan(actual[7:14, 7:14]).all()


def test_an_overflowing_normalised_product_is_infinite(tmp_path):
    e = encodings.create("learned", file=put(tmp_path / "pe.npy", np.array([[1e308], [1.0]])))
    for metric, of_second in (("dot", 1e308), ("normalised-dot", math.inf)):
        actual = distance.from_reference(e, 0, range(2), metric)
        np.testing.assert_array_equal(actual, [math.inf, of_second])
