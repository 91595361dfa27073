"""Distances against the documents' numbers, SciPy, and sums of 80-digit cosines."""

import math
from concurrent.futures import CancelledError
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.spatial.distance import cdist

from pe_explorer import encodings
from pe_explorer.analysis import _offsets, _tables, distance
from pe_explorer.encodings import EncodingError, Stored, Waves
from pe_explorer.numeric import rotation
from tests.support import truth
from tests.support.cases import for_each
from tests.support.oracles import definition
from tests.support.samples import sample, samples

SCIPY = {
    "cosine": "cosine",
    "euclidean": "euclidean",
    "sse": "sqeuclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "correlation": "correlation",
}
ENCODINGS = [
    *(e for e in samples(dim=6, head_dim=6, heads=6) if not isinstance(e, Stored)),
    encodings.create("sinusoidal", dim=7),
    encodings.create("sinusoidal", dim=7, spacing="endpoint"),
    encodings.create("sinusoidal", dim=1),
    encodings.create("sinusoidal", dim=5, waves="sine"),
    encodings.create("sinusoidal", dim=5, waves="cosine", layout="concatenated"),
    encodings.create("sinusoidal", dim=600, base=100, order="cos-sin", offset=-3, scale=0.3),
]
INVARIANT = [e for e in ENCODINGS if e.name == "sinusoidal" and e.shift_invariant]

CLOSED = ("cosine", "similarity", "dot", "normalised-dot", "sse", "euclidean")
"""The metrics that depend on the offset where rows are made up of sine-cosine pairs."""

every_encoding = for_each("e", ENCODINGS, ids=str)
every_metric = for_each("metric", distance.METRICS)


def by_scipy(e, rows, cols, metric):
    u, v = e.table(rows), e.table(cols)
    if metric in ("dot", "normalised-dot"):
        return u @ v.T * (1 if metric == "dot" else 2 / e.width)
    if metric == "similarity":
        return 1 - cdist(u, v, "cosine")
    found = cdist(u, v, SCIPY[metric])
    if metric == "correlation":  # SciPy's mean of equal numbers may differ from them
        found[np.ptp(u, axis=1) == 0] = np.nan
        found[:, np.ptp(v, axis=1) == 0] = np.nan
    return found


def versine(e, offset):
    """Return Σ (1 - cos(Δ·ω)) over the pairs of `e`, to 80 digits."""
    waves = definition(e)
    turned = (waves.frequency(i) * offset for i in range(waves.count))
    return sum(1 - truth.mp.cos(angle) for angle in turned)


def closed_form(e, offset, metric):
    v = versine(e, offset)
    return float(
        {
            "dot": e.pairs - v,
            "normalised-dot": 2 * (e.pairs - v) / e.width,
            "cosine": v / e.pairs,
            "similarity": 1 - v / e.pairs,
            "sse": 2 * v,
            "euclidean": truth.mp.sqrt(2 * v),
        }[metric]
    )


# The documents


@pytest.mark.parametrize(
    ("p", "q", "printed"),
    [
        (1, 2, 0.026488616022189992),
        (1, 3, 0.09339161307513),
        (1, 30, 0.4323030365719962),
        (30, 31, 0.02648861602218988),
    ],
)
def test_numbers_printed_in_document_002(p, q, printed):
    assert distance.between(encodings.create("sinusoidal", dim=1024), p, q) == pytest.approx(
        printed, rel=1e-12
    )


def test_document_002_is_wrong_about_monotony():
    """Its caption says that distances from position 1 increase monotonically; its own formula
    denies it.
    """
    column = np.arange(1024)
    angles = np.arange(250)[:, None] / np.power(10_000, 2 * (column // 2) / 1024)
    table = np.where(column % 2 == 0, np.sin(angles), np.cos(angles))
    expected = cdist(table[1:2], table, "cosine")[0]
    found = distance.from_reference(encodings.create("sinusoidal", dim=1024), 1, range(250))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert (np.diff(found[1:]) < 0).any()


def test_curves_of_document_003():
    """Dot products and squared differences around position 20, by the notebook's own lines."""
    angles = (
        np.arange(50)[:, np.newaxis] * ((1 / 10_000) ** np.linspace(0, 1, 512 // 2))[np.newaxis, :]
    )
    pos_encoding = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
    e = encodings.create("sinusoidal", dim=512, spacing="endpoint", layout="concatenated")
    dots = distance.from_reference(e, 20, range(50), "dot")
    sse = distance.from_reference(e, 20, range(50), "sse")
    np.testing.assert_allclose(dots, np.dot(pos_encoding, pos_encoding[20]), rtol=1e-12)
    np.testing.assert_allclose(
        sse, np.sum((pos_encoding - pos_encoding[20]) ** 2, axis=1), rtol=1e-11, atol=1e-24
    )
    assert dots.argmax() == sse.argmin() == 20


# SciPy


@every_encoding
@every_metric
@for_each(
    ("rows", "cols"),
    [
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
    ],
    ids=str,
)
def test_every_metric_is_scipys(e, metric, rows, cols):
    found = distance.matrix(e, rows, cols, metric)
    assert found.shape == (len(rows), len(cols))
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, by_scipy(e, rows, cols, metric), rtol=1e-12, atol=1e-13)
    assert np.array_equal(
        distance.from_reference(e, rows[0], cols, metric),
        distance.matrix(e, rows[:1], cols, metric)[0],
        equal_nan=True,
    )


@every_metric
def test_tables_taller_and_wider_than_the_blocks(metric):
    e = encodings.create("sinusoidal", dim=3)
    rows, cols = range(300), range(-100, 900, 2)
    np.testing.assert_allclose(
        distance.matrix(e, rows, cols, metric),
        by_scipy(e, rows, cols, metric),
        rtol=1e-12,
        atol=1e-13,
    )


@every_metric
@for_each(
    ("rows", "cols"),
    [([], [1, 2]), ([1, 2], []), (range(0), range(0)), (range(3), range(0))],
    ids=str,
)
def test_no_positions(metric, rows, cols):
    for e in (encodings.create("sinusoidal"), encodings.create("binary")):
        assert distance.matrix(e, rows, cols, metric).shape == (len(rows), len(cols))


@pytest.mark.parametrize(
    "e",
    [
        encodings.create("index"),
        encodings.create("binary"),
        encodings.create("sinusoidal", dim=4, waves="sine"),
    ],
    ids=str,
)
def test_a_zero_vector_has_no_direction(e):
    found = distance.matrix(e, [0, 1], [0, 1, 3])
    assert np.array_equal(np.isnan(found), [[True, True, True], [True, False, False]])
    assert distance.between(e, 0, 1, "euclidean") > 0


# Exact values


@for_each("metric", CLOSED)
@for_each("scale", [1.0, 1e-5, 1e6])
def test_closed_forms_at_far_positions(metric, scale):
    """Relative to their size: the distance of neighbours must not be what is left of a
    cancellation.
    """
    e = encodings.create("sinusoidal", dim=64, scale=scale)
    rows, cols = [2**53, 2**53 - 1, -(2**53)], [2**53, 2**53 - 2, 10**12 + 3, -5, -(2**53)]
    expected = [[closed_form(e, p - q, metric) for q in cols] for p in rows]
    found = distance.matrix(e, rows, cols, metric)
    rounding = {"dot": 3e-14, "normalised-dot": 1e-15, "similarity": 1e-15}.get(metric, 0)
    np.testing.assert_allclose(found, expected, rtol=0 if rounding else 1e-12, atol=rounding)


@given(e=st.sampled_from(INVARIANT), p=st.integers(-(2**53), 2**53), q=st.integers(-(2**53), 2**53))
@settings(max_examples=100)
def test_any_two_positions(e, p, q):
    assert distance.between(e, p, q) == pytest.approx(
        closed_form(e, p - q, "cosine"), rel=1e-13, abs=1e-300
    )
    assert distance.between(e, p, q, "dot") == pytest.approx(
        closed_form(e, p - q, "dot"), abs=1e-15 * e.width
    )
    for metric in ("similarity", "normalised-dot"):
        exact = closed_form(e, p - q, metric)
        assert distance.between(e, p, q, metric) == pytest.approx(exact, rel=0, abs=1e-15)


@given(
    start=st.integers(-(2**52), 2**52),
    steps=st.tuples(*2 * [st.integers(-(10**9), 10**9).filter(bool)]),
    counts=st.tuples(*2 * [st.integers(1, 30)]),
)
@settings(max_examples=100)
def test_any_two_progressions(start, steps, counts):
    """The lattice of offsets puts every value in its place."""
    e = encodings.create("sinusoidal", dim=2, scale=1e-3)
    rows, cols = (range(start, start + s * n, s) for s, n in zip(steps, counts, strict=True))
    expected = [[closed_form(e, p - q, "dot") for q in cols] for p in rows]
    np.testing.assert_allclose(distance.matrix(e, rows, cols, "dot"), expected, rtol=0, atol=1e-14)


# Cost


@pytest.fixture
def evaluated(monkeypatch):
    """How many phases of every wave each call of `rotation.sweep` was asked for."""
    counts = []
    sweep = rotation.sweep

    def counted(turns, half_steps, *rest):
        counts.append(len(half_steps))
        return sweep(turns, half_steps, *rest)

    monkeypatch.setattr(rotation, "sweep", counted)
    return counts


def test_a_large_matrix_takes_one_evaluation_per_offset(evaluated):
    e = encodings.create("sinusoidal", dim=64)
    found = distance.matrix(e, range(4000), range(4000))
    assert 0 < sum(evaluated) <= 7999
    assert found.shape == (4000, 4000)
    for p, q in [(0, 0), (0, 3999), (3999, 0), (1234, 1235), (3000, 77)]:
        assert found[p, q] == pytest.approx(closed_form(e, p - q, "cosine"), rel=1e-12, abs=1e-30)


@pytest.mark.parametrize(
    ("rows", "cols", "most"),
    [
        (range(0, 3000, 3), range(0, -3000, -3), 1999),
        (range(0, 2000, 2), range(1, 2001, 2), 1999),
        (range(5), range(10**15, 10**15 + 5), 9),
        (range(0, 10**12, 10**9), range(7, 10**12, 10**9), 1999),
        ([0, 1, 3, 7, 7, 7], [0, 1, 3, 7], 13),
        (range(0, 7 * 10**6, 7 * 10**4), range(0, 11 * 10**6, 11 * 10**4), 10_000),
    ],
    ids=str,
)
def test_evaluations_are_few_for_all_kinds_of_positions(evaluated, rows, cols, most):
    distance.matrix(encodings.create("sinusoidal", dim=8), rows, cols)
    assert 0 < sum(evaluated) <= most


# Means over blocks


def brute_force_means(e, rows, cols, metric):
    positions = [range(start, start + block * count) for start, block, count in (rows, cols)]
    return (
        by_scipy(e, *positions, metric)
        .reshape(rows[2], rows[1], cols[2], cols[1])
        .mean(axis=(1, 3))
    )


BLOCKS = [
    ((3, 8, 5), (3, 8, 5)),
    ((50, 7, 6), (2, 7, 4)),
    ((1, 4, 9), (60, 10, 3)),
    ((1, 1, 9), (7, 5, 3)),
    ((2, 1, 5), (4, 1, 7)),
]


@every_encoding
@every_metric
@for_each(("rows", "cols"), BLOCKS, ids=str)
def test_means_that_are_called_exact_are(e, metric, rows, cols):
    """And no others: the rest are the values between the blocks' middle positions."""
    found = distance.matrix_block_means(e, rows, cols, metric)
    assert found.shape == (rows[2], cols[2])
    if distance.mean_is_exact(e, metric) or rows[1] == cols[1] == 1:
        expected = brute_force_means(e, rows, cols, metric)
    elif metric == "euclidean" and isinstance(e, Waves) and e.shift_invariant:
        expected = np.sqrt(brute_force_means(e, rows, cols, "sse"))
    else:
        middles = [
            range(start + (block - 1) // 2, start + block * count, block)
            for start, block, count in (rows, cols)
        ]
        expected = by_scipy(e, *middles, metric)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14 * e.width)


@pytest.mark.parametrize(("rows", "cols"), BLOCKS[:4], ids=str)
def test_means_that_are_not_called_exact_are_not(rows, cols):
    e = encodings.create("sinusoidal", dim=6)
    for metric in distance.METRICS:
        close = np.allclose(
            distance.matrix_block_means(e, rows, cols, metric),
            brute_force_means(e, rows, cols, metric),
            rtol=1e-9,
        )
        assert close == distance.mean_is_exact(e, metric) == (metric in set(CLOSED) - {"euclidean"})


@pytest.mark.parametrize(
    "e", [encodings.create("index"), encodings.create("sinusoidal", dim=7)], ids=str
)
def test_without_shift_invariance_only_dot_products_are_exact(e):
    exact = [metric for metric in distance.METRICS if distance.mean_is_exact(e, metric)]
    assert exact == ["dot", "normalised-dot"]


@for_each("scale", [1.0, 1e-6, 3e-12])
@for_each(
    ("rows", "cols"),
    [
        ((0, 10**12, 3), (0, 10**12, 4)),
        ((-(2**53), 10**12, 2), (2**53 - 2 * 10**12, 10**12, 2)),
        ((5, 10**12, 2), (-7, 10**9, 3)),
    ],
    ids=str,
)
def test_means_over_vast_blocks(scale, rows, cols):
    """The mean product of two blocks is the product of their mean rows."""
    e = encodings.create("sinusoidal", dim=6, base=100, scale=scale)
    means = [
        [[truth.block_mean(e, start + i * block, block, j) for j in range(6)] for i in range(count)]
        for start, block, count in (rows, cols)
    ]
    dots = np.array(
        [[float(sum(a * b for a, b in zip(u, v, strict=True))) for v in means[1]] for u in means[0]]
    )
    for metric, expected in {
        "dot": dots,
        "normalised-dot": dots / 3,
        "cosine": 1 - dots / 3,
        "similarity": dots / 3,
        "sse": 2 * (3 - dots),
        "euclidean": np.sqrt(2 * (3 - dots)),
    }.items():
        np.testing.assert_allclose(
            distance.matrix_block_means(e, rows, cols, metric), expected, rtol=1e-13, atol=1e-14
        )


def test_means_cost_one_evaluation_per_offset_of_blocks(evaluated):
    e = encodings.create("sinusoidal", dim=16)
    distance.matrix_block_means(e, (0, 10**9, 500), (-7, 10**9, 400))
    assert 0 < sum(evaluated) <= 899


# Errors


@for_each(
    ("call", "words"),
    [
        (
            lambda e: distance.between(e, 0, 1, "cosin"),
            ["metric", "'cosin'", "manhattan", "did you mean 'cosine'?"],
        ),
        (lambda e: distance.from_reference(e, 0, [1], ""), ["metric", "''", "euclidean"]),
        (lambda e: distance.matrix(e, [0], [1], "Dot"), ["metric", "'Dot'", "dot"]),
        (lambda e: distance.mean_is_exact(e, "l2"), ["metric", "'l2'"]),
        (
            lambda e: distance.matrix_block_means(e, (0, 1, 1), (0, 1, 1), "sze"),
            ["metric", "did you mean 'sse'?"],
        ),
        (lambda e: distance.matrix(e, [math.nan], [1]), ["rows", "nan"]),
        (lambda e: distance.matrix(e, [1], [2**53 + 1]), ["cols", str(2**53 + 1), "2^53"]),
        (lambda e: distance.matrix(e, [[1]], [1]), ["rows", "(1, 1)"]),
        (lambda e: distance.matrix(e, [1], ["x"]), ["cols"]),
        (lambda e: distance.matrix_block_means(e, (0, 0, 1), (0, 1, 1)), ["block", "0"]),
        (lambda e: distance.matrix_block_means(e, (0, 1, 1), (2**53, 2, 1)), ["rows", "2^53"]),
    ],
)
@for_each("name", ["sinusoidal", "index"])
def test_errors(name, call, words):
    with pytest.raises(EncodingError) as caught:
        call(encodings.create(name))
    assert caught.value.name == words[0]
    assert [word for word in words if word not in str(caught.value)] == []


@for_each("positions", [range(-2, 3), range(-10, 10), range(-100, 101), range(50, -51, -5)])
@for_each(
    "e",
    [encodings.create("sinusoidal", dim=8, waves="sine"), encodings.create("sinusoidal", dim=1)],
)
def test_a_row_of_zeros_has_no_direction_wherever_the_range_begins(e, positions):
    assert math.isnan(distance.between(e, 5, 0))
    found = distance.from_reference(e, 5, positions)
    assert [math.isnan(value) for value in found] == [p == 0 for p in positions]
    whole = distance.matrix(e, positions, positions)
    np.testing.assert_array_equal(
        np.isnan(whole), [[0 in (p, q) for q in positions] for p in positions]
    )


@pytest.mark.parametrize("metric", ["cosine", "dot", "sse", "euclidean"])
def test_many_scattered_positions(metric, monkeypatch):
    e, pick = encodings.create("sinusoidal", dim=16), np.random.default_rng(5)
    rows, cols = pick.integers(-(2**52), 2**52, 150), pick.integers(-(10**6), 10**6, 140)
    cols[3] = rows[7]
    by_tables = distance.matrix(e, rows, cols, metric)
    monkeypatch.setattr(_offsets, "_CLOSED_FORM_OFFSETS", math.inf)
    np.testing.assert_allclose(
        by_tables, distance.matrix(e, rows, cols, metric), rtol=1e-14, atol=3e-15
    )
    assert by_tables[7, 3] == (8 if metric == "dot" else 0)


# -- progress, and stopping -----------------------------------------------------------------------

MOST_BETWEEN_LOOKS = 2**24  # numbers compared: a tenth of a second

WIDE = [
    ("binary", 65_536, 300, "manhattan"),
    ("binary", 65_536, 300, "cosine"),
    ("binary", 65_536, 300, "dot"),
    ("sinusoidal", 4096, 300, "manhattan"),
]


@for_each(("name", "dim", "count", "metric"), WIDE)
@for_each("block", [1, 10])
def test_wide_tables_are_compared_in_blocks_that_can_be_stopped(name, dim, count, metric, block):
    e, shares = encodings.create(name, dim=dim), []

    def stop(share):
        shares.append(share)
        if len(shares) == 3:
            raise CancelledError

    with pytest.raises(CancelledError):
        distance.matrix_block_means(e, (0, block, count), (0, block, count), metric, stop)
    numbers = (
        count * count * dim / (8 if metric == "dot" else 1)
    )  # those are multiplied, not compared
    assert [share * numbers <= MOST_BETWEEN_LOOKS * k for k, share in enumerate(shares, 1)] == [
        True
    ] * 3
    assert 0 < shares[0] < shares[1] < shares[2] < 1


@pytest.mark.parametrize(("metric", "block"), [("cosine", 1), ("cosine", 1000), ("dot", 1000)])
def test_closed_forms_of_many_waves_can_be_stopped(metric, block):
    e, shares = encodings.create("sinusoidal", dim=65_536), []
    distance.matrix_block_means(e, (0, block, 500), (0, block, 500), metric, shares.append)
    numbers = 999 * e.pairs
    assert np.diff([0.0, *shares]).max() * numbers <= MOST_BETWEEN_LOOKS
    assert (np.diff(shares) > 0).all()
    assert shares[-1] == 1


@for_each("metric", distance.METRICS)
@for_each("name", encodings.names())
def test_progress_changes_no_number(name, metric):
    e, positions, shares = sample(name, dim=6), np.arange(40) ** 2, []
    plain = distance.matrix(e, positions, positions, metric)
    np.testing.assert_array_equal(
        distance.matrix(e, positions, positions, metric, shares.append), plain
    )
    np.testing.assert_array_equal(
        distance.from_reference(e, 3, positions, metric, shares.append),
        distance.from_reference(e, 3, positions, metric),
    )
    assert all(0 < share <= 1 for share in shares)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("part", [1.0, 0.5])
def test_rows_of_rotary_encodings_have_closed_forms(layout, part):
    """A pair stands in a row twice, so products are twice those of the pairs."""
    e = sample("rope", head_dim=12, partial_rotary_factor=part, layout=layout)
    rows, cols = range(-5, 40, 3), [0, 7, 7, -2, 1000]
    for metric in distance.METRICS:
        expected = by_scipy(e, rows, cols, metric)
        np.testing.assert_allclose(
            distance.matrix(e, rows, cols, metric), expected, rtol=1e-12, atol=1e-13
        )
    pairs = int(12 * part) // 2
    far, near = 2**53 - 1, -(2**52)
    frequencies = [truth.mp.mpf(10) ** (-truth.mp.mpf(4 * i) / pairs) for i in range(pairs)]
    products = truth.mp.fsum(truth.mp.cos((far - near) * w) for w in frequencies)
    assert distance.between(e, far, near, "dot") == pytest.approx(float(2 * products), abs=1e-14)
    assert distance.between(e, far, near, "sse") == pytest.approx(
        float(4 * (pairs - products)), rel=1e-13
    )
    assert distance.between(e, far, near) == pytest.approx(float(1 - products / pairs), rel=1e-13)


@for_each("metric", ["dot", "cosine", "sse", "euclidean"])
@for_each("blocks", [((3, 4, 5), (-7, 4, 6)), ((3, 4, 5), (-7, 2, 6))], ids=["equal", "unequal"])
def test_block_means_of_rotary_rows(metric, blocks):
    e = sample("rope", head_dim=8)
    found = distance.matrix_block_means(e, *blocks, metric)
    (first, size, rows), (second, other, columns) = blocks
    singles = by_scipy(
        e,
        range(first, first + size * rows),
        range(second, second + other * columns),
        "sse" if metric == "euclidean" else metric,
    )
    means = singles.reshape(rows, size, columns, other).mean(axis=(1, 3))
    np.testing.assert_allclose(
        found, np.sqrt(means) if metric == "euclidean" else means, rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("symmetric", [False, True])
def test_rows_of_biases_are_compared_like_all_rows(symmetric):
    e = sample("alibi", heads=5, symmetric=symmetric)
    for metric in distance.METRICS:
        expected = by_scipy(e, range(-9, -1), range(-30, -1, 4), metric)
        found = distance.matrix(e, range(-9, -1), range(-30, -1, 4), metric)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("many", [1, 7, 10**9])
def test_products_of_means_are_the_same_however_many_are_read_at_once(tmp_path, monkeypatch, many):
    from tests.support.tables_in_files import numbers, put

    array = numbers(300, 5).astype(float)
    e = encodings.create("learned", file=put(tmp_path / "pe.npy", numbers(300, 5)))
    monkeypatch.setattr(_tables, "_CHUNK_LEFT", 5 * 10 * many)
    rows = array[20:270].reshape(25, 10, 5).mean(axis=1)
    columns = array[3:300].reshape(11, 27, 5).mean(axis=1)
    found = distance.matrix_block_means(e, (20, 10, 25), (3, 27, 11), "dot")
    np.testing.assert_allclose(found, rows @ columns.T, rtol=1e-12, atol=1e-12)


def test_far_biases_are_as_far_apart_as_near_ones():
    """The slopes of 12 heads are 2^-1 to 2^-8, and 2^-0.5 to 2^-3.5."""
    slopes = [2.0**-n for n in range(1, 9)] + [2 ** -(n / 2) for n in (1, 3, 5, 7)]
    wanted = {
        "euclidean": math.sqrt(math.fsum(slope**2 for slope in slopes)),
        "sse": math.fsum(slope**2 for slope in slopes),
        "manhattan": math.fsum(slopes),
        "chebyshev": slopes[8],
        "cosine": 0.0,
        "correlation": 0.0,
    }
    for symmetric in (False, True):
        e = encodings.create("alibi", heads=12, symmetric=symmetric)
        for metric, value in wanted.items():
            found = distance.between(e, -9 * 10**15, 1 - 9 * 10**15, metric)
            assert found == pytest.approx(value, rel=1e-14)
        assert distance.between(e, -5, 5, "cosine") == (0 if symmetric else 2)
    one_head = encodings.create("alibi", heads=1)
    assert math.isnan(distance.between(one_head, 3, 4, "correlation"))


def stored(folder, rows):
    np.save(folder / "rows.npy", rows)
    return encodings.create("learned", file=str(folder / "rows.npy"))


def exactly(rows):
    """Return rows of mpmath numbers."""
    return [[truth.mp.mpf(number) for number in row] for row in rows]


def test_distances_of_the_smallest_and_largest_numbers(tmp_path):
    rows = [[1e200, -1e200, 3.0], [2e200, 1e-200, 5e-324], [3e-200, 1e-200, 0.0], [1.7e308, 0, 0]]
    e, mp = stored(tmp_path, rows), truth.mp
    with mp.workdps(700):
        for i, u in enumerate(exactly(rows)):
            for j, v in enumerate(exactly(rows)):
                steps = [abs(a - b) for a, b in zip(u, v, strict=True)]
                wanted = {
                    "euclidean": mp.sqrt(mp.fdot(steps, steps)),
                    "manhattan": mp.fsum(steps),
                    "chebyshev": max(steps),
                }
                for metric, value in wanted.items():
                    found = distance.between(e, i, j, metric)
                    assert abs(found - value) <= 1e-14 * value


def test_products_that_are_too_large_on_their_way_only(tmp_path):
    e = stored(tmp_path, [[1.7e308, 1.7e308, 1.7e308], [1.0, 1.0, -1.0], [1e-300, 0.0, 2e-300]])
    found = distance.matrix(e, range(3), range(3), "dot")
    assert found[0, 1] == pytest.approx(1.7e308, rel=1e-14)
    assert found[0, 2] == pytest.approx(5.1e8, rel=1e-14)
    assert found[0, 0] == math.inf
    e = stored(tmp_path, [[1e308, 1e308, 0.2], [1.7e308, -1.7e308, 0.2]])
    assert math.isnan(distance.between(e, 0, 1, "dot"))  # 0.04, of which rounding leaves nothing


def angle(u, v, metric):
    """Return 1 - cos of two rows of mpmath numbers, each less its mean by correlation."""
    mp = truth.mp
    if metric == "correlation":
        u, v = ([number - mp.fsum(row) / len(row) for number in row] for row in (u, v))
    lengths = [mp.sqrt(mp.fdot(row, row)) for row in (u, v)]
    apart = [a / lengths[0] - b / lengths[1] for a, b in zip(u, v, strict=True)]
    return mp.fdot(apart, apart) / 2


@pytest.mark.parametrize("metric", ["cosine", "correlation"])
def test_rows_of_nearly_the_same_direction(tmp_path, metric):
    rows = np.array([[1.1, 2.3, 3.7, -0.9], [1.1, 2.3, 3.7, -0.9], [2.2, 4.6, 7.4, -1.8]])
    rows[1:] += np.array([[3e-12], [4e-11]]) * [1.0, -2.0, 0.5, 0.0]
    for size in (1.0, 2.0**1020, 2.0**-900):
        e = stored(tmp_path, rows * size)
        found = distance.matrix(e, range(3), range(3), metric)
        for (i, j), value in np.ndenumerate(found):
            u, v = exactly(rows[[i, j]])
            assert value == pytest.approx(float(angle(u, v, metric)), rel=1e-12, abs=0)


def test_correlations_of_the_smallest_and_largest_numbers(tmp_path):
    for size in (5e-324, 2.0**1023, 1.0):
        rows = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]) * size
        e = stored(tmp_path, rows)
        found = distance.matrix(e, range(3), range(3), "correlation")
        np.testing.assert_allclose(found, 1.5 * (1 - np.eye(3)), rtol=1e-14)
    e = stored(tmp_path, [[1.7e308, -1.7e308], [-1.7e308, 1.7e308], [-1e308, 1e308]])
    found = distance.matrix(e, range(3), range(3), "correlation")
    np.testing.assert_allclose(found, [[0, 2, 2], [2, 0, 0], [2, 0, 0]], atol=1e-15)


NEARLY_CONSTANT = {"dim": 8, "base": 1 + 2**-52, "scale": 1e-6, "waves": "sine"}


def test_a_correlation_that_rounding_decides_is_not_determined():
    """To 60 digits it is 4e-35; of float64 numbers, rounding alone would make it 0.764."""
    e = encodings.create("sinusoidal", **NEARLY_CONSTANT)
    found = distance.matrix(e, range(1, 4), range(1, 4), "correlation")
    np.testing.assert_array_equal(np.isnan(found), ~np.eye(3, dtype=bool))
    assert distance.is_undetermined(e, 1, 2, "correlation")
    assert not distance.is_undetermined(e, 1, 2, "cosine")
    assert not distance.is_undetermined(e, 1, 1, "correlation")
    index = encodings.create("index", dim=3)  # whose rows are constant
    assert not distance.is_undetermined(index, 1, 2, "correlation")


@pytest.mark.parametrize("scale", [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 0.1, 1.0])
def test_a_correlation_has_the_digits_that_are_right(scale):
    e, mp = encodings.create("sinusoidal", dim=6, scale=scale, waves="cosine"), truth.mp
    positions = [1, 2, 5, 40, 90]
    found = distance.matrix(e, positions, positions, "correlation")
    rows = [[truth.element(e, mp.mpf(p), j) for j in range(6)] for p in positions]
    known = 0
    for (i, j), value in np.ndenumerate(found):
        wanted = angle(rows[i], rows[j], "correlation")
        digits = len(repr(float(value)).split("e")[0].replace(".", "").strip("0"))
        if not math.isnan(value):
            known += i != j
            relative = 1e-12 if digits >= 12 else 10.0 ** (1 - digits)
            assert abs(value - wanted) <= relative * wanted + 1e-30
    assert known == 20 or scale < 0.1
    assert known > 0 or scale < 1e-3


def test_neighbours_are_measured_one_by_one():
    e = encodings.create("sinusoidal", dim=6)
    for count, metric in product((0, 1, 2, 90), ("manhattan", "euclidean")):
        found = distance.between_neighbours(e, range(5, 5 + count), metric)
        wanted = [distance.between(e, p, p + 1, metric) for p in range(5, 4 + count)]
        np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_a_row_of_equal_numbers_correlates_with_none_not_even_itself():
    """Every cosine is 1 at position 0; those of -1 and 1 are equal."""
    e = encodings.create("sinusoidal", dim=5, base=math.pi, waves="cosine", scale=1000.0)
    found = distance.matrix(e, range(-2, 2), range(-2, 2), "correlation")
    rows = [[math.cos(1000 * p * math.pi ** (-j / 5)) for j in range(5)] for p in (-2, -1, 1)]
    others = np.ix_([0, 1, 3], [0, 1, 3])
    np.testing.assert_allclose(found[others], 1 - np.corrcoef(rows), atol=1e-14)
    assert np.isnan(found[2]).all()
    assert np.isnan(found[:, 2]).all()
