"""Principal components, compared with singular value decompositions."""

import math
import threading
import tracemalloc
from concurrent.futures import CancelledError

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import encodings
from pe_explorer.analysis import projection
from pe_explorer.analysis.projection import compute_neighbour_share
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.progress import Progress
from tests.support.samples import samples
from tests.support.sinusoids import sinusoid


def no_report(share):
    pass


def by_singular_values(rows, components):
    """Return scores, components, variance and its share from NumPy's decomposition."""
    centred = rows - rows.mean(axis=0)
    u, s, v = np.linalg.svd(centred, full_matrices=False)
    variance = s**2 / (len(rows) - 1)
    total = centred.var(axis=0, ddof=1).sum()
    selected = slice(components)
    return u[:, selected] * s[selected], v[selected], variance[selected], variance[selected] / total


def assert_same(found, expected, atol=1e-10):
    scores, components, variance, ratio = expected
    np.testing.assert_allclose(found.variance, variance, rtol=1e-11, atol=atol * variance[0])
    np.testing.assert_allclose(found.ratio, ratio, rtol=1e-11, atol=atol)
    signs = np.sign((found.components * components).sum(axis=1))
    np.testing.assert_allclose(found.components, components * signs[:, None], atol=atol)
    np.testing.assert_allclose(found.scores, scores * signs, atol=atol * np.abs(scores).max())


@pytest.mark.parametrize(
    "shape", [(2, 2), (2, 300), (300, 2), (7, 50), (400, 60), (30, 900), (40, 5000), (150, 200)]
)
@pytest.mark.parametrize("components", [1, 2, 5, 100])
def test_pca_of_any_shape_matches_svd(shape, components):
    rows = np.random.default_rng(3).normal(size=shape) + 100
    if components > min(shape):
        with pytest.raises(EncodingError, match="components"):
            projection.pca(rows, components)
        return
    scores, directions, variance, ratio = projection.pca(rows, components)
    selected = slice(min(components, shape[0] - 1))  # the other directions are arbitrary
    of_rank = projection.Projection(
        scores[:, selected], directions[selected], variance[selected], ratio[selected]
    )
    assert_same(of_rank, by_singular_values(rows, selected.stop))
    assert variance[selected.stop :] == pytest.approx(0, abs=1e-12 * variance[0])
    np.testing.assert_allclose(directions @ directions.T, np.eye(components), atol=1e-12)


@pytest.mark.parametrize("e", samples(dim=16, head_dim=16, heads=16), ids=lambda e: e.name)
def test_pca_of_every_encoding_matches_svd(e):
    """Rows on a line and slow bits have fewer directions than components."""
    rows = e.table(e.first_range)
    actual = projection.pca(rows, 3)
    _, _, variance, ratio = by_singular_values(rows, 3)
    np.testing.assert_allclose(actual.variance, variance, rtol=1e-10, atol=1e-12 * variance[0])
    np.testing.assert_allclose(actual.ratio, ratio, rtol=1e-10, atol=1e-12)
    centred = rows - rows.mean(axis=0)
    np.testing.assert_allclose(
        actual.scores, centred @ actual.components.T, rtol=0, atol=1e-12 * np.abs(centred).max()
    )


def test_signs_of_components_are_reproducible():
    """The first of the largest scores is positive, even if another one is equally large."""
    rows = sinusoid(range(1000), 128)
    actual = projection.pca(rows)
    largest = np.abs(actual.scores).argmax(axis=0)
    assert actual.scores[0, 0] == pytest.approx(-actual.scores[999, 0])
    assert actual.scores[0, 0] > 0
    assert (np.abs(actual.scores[largest, [0, 1]]) > 0).all()
    again = projection.pca(rows)
    for part, same in zip(actual, again, strict=True):
        np.testing.assert_array_equal(part, same)
    turned = projection.pca(-rows)
    np.testing.assert_allclose(turned.scores, actual.scores, atol=1e-10)


@pytest.mark.parametrize(
    ("rows", "components", "sentence"),
    [
        ([[1.0, 2.0]], 1, "at least 2 rows, got 1"),
        (np.empty((0, 3)), 1, "at least 2 rows, got 0"),
        ([[0.1, 0.2]] * 9, 2, "are all equal"),
        ([[1.0, 2.0], [3.0, np.nan]], 1, "NaN"),
        ([[1.0, 2.0], [3.0, np.inf]], 1, "NaN"),
        (np.eye(3)[:2], 3, "3 is not from 1 to 2, .* 2 rows of 3 columns"),
        (np.eye(3)[:2], 0, "0 is not from 1 to 2"),
        (np.eye(3), 1.5, "components"),
        ([1.0, 2.0], 1, "shape"),
        ([["a"]], 1, "cannot be read as numbers"),
    ],
)
def test_invalid_rows_are_refused_in_one_sentence(rows, components, sentence):
    with pytest.raises(EncodingError, match=sentence) as exc_info:
        projection.pca(rows, components)
    assert "\n" not in str(exc_info.value)
    assert exc_info.value.name in ("rows", "components")


def test_pca_reports_progress_and_can_be_cancelled():
    shares, rows = [], np.random.default_rng(5).normal(size=(200, 250))
    projection.pca(rows, progress=shares.append)
    assert len(shares) > 3
    assert [0, *shares, 1] == sorted([0, *shares, 1])
    assert shares[-1] > 0.5
    for last in (0, 1, len(shares) // 2, len(shares) - 1):
        calls = []

        def stop(share, last=last, calls=calls):
            calls.append(share)
            if len(calls) > last:
                raise CancelledError

        with pytest.raises(CancelledError):
            projection.pca(rows, progress=stop)
        assert len(calls) == last + 1


@pytest.mark.parametrize(
    ("shape", "most"),
    [((40_000, 64), 1.5), ((1_000_000, 1), 3.3), ((300_000, 4), 2.3), ((60, 8000), 5.5)],
)
def test_pca_takes_a_few_times_the_memory_of_the_rows(shape, most):
    """Two to three times; up to five for few long rows."""
    rows = np.random.default_rng(0).normal(size=shape)
    tracemalloc.start()
    try:
        projection.pca(rows, min(2, shape[1]))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most * rows.nbytes


def test_long_rows_are_computed_in_chunks():
    e, parts = encodings.create("sinusoidal", dim=8192), []
    rows = projection.compute_chunked_rows(e, range(200), parts.append)
    np.testing.assert_array_equal(rows[64:128], e.table(range(64, 128)))
    assert parts == [0.0, 0.32, 0.64, 0.96]


FAR = [
    ("index", {"dim": 16}, 4e15, 16),
    ("fraction", {"dim": 4, "length": 50}, 9e15, 4 / 50**2),
    ("fraction", {"dim": 3, "length": LIMIT}, -9e15, 3 / LIMIT**2),
    ("alibi", {"heads": 12}, 9e15, None),
    ("alibi", {"heads": 12, "symmetric": True}, -9e15, None),
]


@pytest.mark.parametrize("count", [2, 5])
def test_far_rows_on_a_line_are_projected_accurately(count):
    for name, parameters, start, square in FAR:
        e = encodings.create(name, **parameters)
        rows = projection.compute_relative_rows(e, range(int(start), int(start) + count), no_report)
        steps = np.abs(np.arange(count) - (count - 1) / 2) * math.sqrt(square or slopes_squared())
        actual = projection.pca(rows, 1).scores[:, 0]
        np.testing.assert_allclose(np.abs(actual), steps, rtol=1e-14, atol=1e-14 * steps[0])


def slopes_squared():
    """Return the sum of the squared slopes of twelve heads: 8 powers of 2^-1, 4 of 2^-0.5."""
    return sum(4.0**-n for n in range(1, 9)) + sum(2.0**-n for n in (1, 3, 5, 7))


def test_very_slow_waves_are_projected_accurately():
    """All columns except the cosines grow linearly."""
    for scale in (1e-12, 1e-100):
        e = encodings.create("sinusoidal", dim=4, base=100.0, scale=scale)
        for start in (0, 10**9 if scale == 1e-100 else 1000):
            rows = projection.compute_relative_rows(e, range(start, start + 3), no_report)
            step = scale * math.sqrt(1 + 0.1**2)  # the frequencies are 1 and 1/10
            scores = projection.pca(rows).scores[:, 0]
            np.testing.assert_allclose(
                np.abs(scores), [step, 0, step], rtol=1e-12, atol=1e-15 * step
            )


def test_a_common_offset_costs_no_accuracy():
    rows = np.array([[1e15, 3.0], [1e15, 4.0], [1e15, 5.0]])
    actual = np.abs(projection.pca(rows).scores[:, 0])
    np.testing.assert_allclose(actual, [1, 0, 1], rtol=1e-15)


def test_very_large_and_small_differences_are_projected():
    rows = np.array([[1.7e308, -1.7e308], [-1.7e308, 1.7e308], [1e308, 1e308], [0, 0]])
    actual, small = projection.pca(rows), projection.pca(rows / 1e300)
    np.testing.assert_allclose(actual.components, small.components, rtol=1e-12)
    np.testing.assert_allclose(actual.ratio, small.ratio, rtol=1e-12)
    np.testing.assert_allclose(actual.scores[:, 1], small.scores[:, 1] * 1e300, rtol=1e-12)
    assert np.isinf(actual.scores[:2, 0]).all()  # 2.4e308
    least = 5e-324
    scores = projection.pca([[0.0], [4 * least], [0.0], [4 * least]], 1).scores[:, 0]
    np.testing.assert_array_equal(np.abs(scores), 4 * [2 * least])
    shared = projection.pca([[1e308, 0.0], [1e308, 2e-300]]).scores[:, 0]
    np.testing.assert_allclose(np.abs(shared), [1e-300, 1e-300], rtol=1e-15)


def test_weak_components_are_accurate():
    along, across = np.array([1.0, 2.0, 2.0]) / 3, np.array([2.0, 1.0, -2.0]) / 3
    lengths, offsets = np.array([-3.0, -1, 1, 3]), np.array([1.0, -1, -1, 1]) * 1e-10
    rows = np.outer(lengths, along) + np.outer(offsets, across)
    actual = np.abs(projection.pca(rows).scores[:, 1])
    np.testing.assert_allclose(actual, np.abs(offsets), rtol=1e-4)  # rows have errors of 1e-16


def test_neighbours_of_rows_with_a_large_offset():
    rows = np.outer(np.arange(40.0) ** 1.5, np.arange(1.0, 7.0))
    for shared in (0.0, 1e9):
        assert compute_neighbour_share(rows + shared, threading.Event()) == 1


@pytest.mark.parametrize("width", [1, 4, 5, 30])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_share_of_neighbours_matches_brute_force(width, size, monkeypatch):
    monkeypatch.setattr("pe_explorer.analysis.projection._DISTANCES_PER_CHUNK", 1000)
    for rows in (2, 3, 90):
        steps = np.random.default_rng(rows).normal(size=(rows, width))
        table = size * (steps.cumsum(axis=0) + 4 * steps)
        apart = cdist(table, table)
        np.fill_diagonal(apart, np.inf)
        beside = np.abs(np.subtract.outer(np.arange(rows), np.arange(rows))) == 1
        expected = (np.where(beside, apart, np.inf).min(axis=1) == apart.min(axis=1)).mean()
        progress = Progress()
        assert compute_neighbour_share(table, progress) == expected
        assert progress.share == (88 / 90 if rows == 90 else 0)
    assert 0 < expected < 1
    twice = np.repeat(table[::9], 2, axis=0)[:-1]  # only the last row has no equal neighbour
    assert compute_neighbour_share(twice, threading.Event()) >= 18 / 19
    progress.set()
    with pytest.raises(CancelledError):
        compute_neighbour_share(table, progress)
