"""Distances of random encodings and positions, compared with 80 digits."""

import math
import random
from itertools import product

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.encodings import Steady
from pe_explorer.numeric.turns import Turns
from tests.support import truth
from tests.support.oracles import definition

mp = truth.mp
LIMIT = 2**53
BASES = [1 + 2**-52, 1 + 1e-9, 1.1, math.e, 1e4, 1e12]
SCALES = [1.0] * 3 + [0.25, -1 / 3, 1e3, 1e6, 1e-6, 1e-12, 1e-20, 1e-77, 1e-100, math.pi, math.tau]
CLOSED = ("cosine", "similarity", "dot", "normalised-dot", "sse", "euclidean")
STEPS = [1, 1, 2, 3, 22, 355, 10**6]


def some_encoding(pick):
    return encodings.create(
        "sinusoidal",
        dim=pick.choice([1, 2, 3, 4, 5, 8, 9, 17]),
        base=pick.choice([*BASES, 10 ** pick.uniform(0.1, 12)]),
        scale=pick.choice([*SCALES, 10 ** pick.uniform(-15, 6)]),
        offset=pick.choice([0, 0, 1, -5, 1000, LIMIT, -LIMIT]),
        layout=pick.choice(["interleaved", "concatenated"]),
        spacing=pick.choice(["paper", "endpoint"]),
        order=pick.choice(["sin-cos", "cos-sin"]),
        waves=pick.choice(["both", "both", "sine", "cosine"]),
    )


def some_positions(pick, how):
    """Return a position and others near and far: a range, scattered or fractional positions."""
    if how == "fractional":
        at = pick.uniform(-1e6, 1e6)
        return at, [at + pick.choice([0.25, 1.0, 1e-3]), pick.uniform(-100, 100), at, 1e-200]
    near, far, power = pick.randint(-100, 100), pick.randint(-LIMIT, LIMIT), pick.randint(0, 53)
    centre = pick.choice([0, near, far, LIMIT, -LIMIT, 2**power])
    step = pick.choice(STEPS)
    if how == "range":
        first = max(-LIMIT, min(centre - 4 * step, LIMIT - 8 * step))
        return centre, range(first, first + 9 * step, step)
    beside = centre + pick.choice([0, 1, -1, 3, 10])
    others = [beside, pick.randint(-LIMIT, LIMIT), -centre, centre - step]
    return centre, [max(-LIMIT, min(other, LIMIT)) for other in others]


def assert_right(value, expected, e, metric):
    """Check the documented accuracy: relative 1e-12, or 1e-15 of the largest possible value."""
    if mp.isnan(expected):
        assert math.isnan(value)
        return
    largest = {"dot": e.width, "similarity": 1}.get(metric, 2)
    is_coarse = metric in ("similarity", "dot", "normalised-dot") or (
        metric in ("cosine", "correlation") and not (isinstance(e, Steady) and e.is_shift_invariant)
    )
    if metric == "correlation" and e.width == 2:  # it is always 0 or 2
        is_coarse = True
    squared = 1e-150 if metric == "euclidean" else 1e-300
    most = 1e-12 * abs(expected) + (1e-15 * largest if is_coarse else squared)
    assert abs(expected - mp.mpf(float(value))) <= most


def differs(e, p):
    """Return whether the numbers of a row deviate from their mean by a tenth of their size."""
    row = [definition(e).element(mp.mpf(p), j) for j in range(e.width)]
    mean = mp.fsum(row) / len(row)
    return mp.fsum((x - mean) ** 2 for x in row) > mp.fsum(x * x for x in row) / 100


@pytest.mark.parametrize("how", ["range", "scattered", "fractional"])
@pytest.mark.parametrize("metric", distance.METRICS)
def test_distances_are_as_accurate_as_documented(metric, how, sampled):
    for seed in sampled(range(12), 6):
        pick = random.Random(f"{metric} {how} {seed}")
        e = some_encoding(pick)
        p, others = some_positions(pick, how)
        row = distance.from_reference(e, p, others, metric)
        column = distance.matrix(e, others, [p], metric)[:, 0]
        for q, value, mirrored in zip(others, row, column, strict=True):
            if metric == "correlation" and not (differs(e, p) and differs(e, q)):
                continue  # deviations of nearly equal numbers are inaccurate
            expected = truth.distance(e, p, q, metric)
            for actual in (value, mirrored, distance.between(e, p, q, metric)):
                assert_right(actual, expected, e, metric)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.sampled(15)
def test_block_means_are_as_accurate(seed):
    """For the Euclidean distance, it is the root of the mean square."""
    pick = random.Random(seed)
    dim, base = pick.choice([2, 4, 8]), pick.choice(BASES)
    scale = pick.choice([1.0, 0.25, 1e-3, 1e-6, 1e-12, 1e-30])
    e = encodings.create("sinusoidal", dim=dim, base=base, scale=scale)
    start = pick.choice([0, -7, 2**50, -(2**53)])
    block = pick.choice([2, 5, 10**3, 10**6, 10**9, 10**12])
    other = pick.choice([block, pick.choice([1, 2, 3, 10**6])])
    rows, columns = (start, block, 3), (start + pick.choice([0, 1, block]), other, 3)
    actual = {item: distance.matrix_block_means(e, rows, columns, item) for item in CLOSED}
    for i, k in product(range(3), repeat=2):
        with mp.workdps(400):
            u, v = (
                [definition(e).block_mean(first + at * size, size, j) for j in range(e.width)]
                for (first, size, _), at in ((rows, i), (columns, k))
            )
            dot = mp.fdot(u, v)  # the mean product equals the product of mean rows
            versine = e.pairs - dot
            expected = {
                "cosine": versine / e.pairs,
                "sse": 2 * versine,
                "euclidean": mp.sqrt(2 * versine),
                "dot": dot,
                "normalised-dot": dot / e.pairs,
                "similarity": dot / e.pairs,
            }
        for metric, exact in expected.items():
            assert_right(actual[metric][i, k], exact, e, metric)


def test_short_rows_keep_their_direction():
    """Rounding errors dominate tables of sines near their zeros."""
    steep = {"dim": 9, "base": 1 + 2**-52, "waves": "sine", "scale": 2 * math.pi}
    for offset in (-5, 0, 5):
        e = encodings.create("sinusoidal", offset=offset, **steep)
        for p, q in [(LIMIT, -LIMIT), (LIMIT, 7), (-LIMIT, 7), (3, 8), (5, 7)]:
            expected = truth.distance(e, p, q, "cosine")
            assert_right(distance.between(e, p, q), expected, e, "cosine")
            assert_right(distance.from_reference(e, p, range(q, q + 9))[0], expected, e, "cosine")
    tiny = encodings.create("sinusoidal", dim=5, waves="sine", scale=1e-100)
    actual = distance.matrix(tiny, [-7, 0, 9], [-1, 2])
    np.testing.assert_allclose(actual, [[0, 2], [math.nan] * 2, [2, 0]], rtol=0, atol=1e-15)
    # the deviations of the first row are twice those of the second, except for a small change
    h = 2.0**-24
    rows = np.array([[-0.25, 0.25 + h, 0.75 - h], [1.0, 2.0, 3.0]])
    actual = distance.measure_vector_distance(*rows, "correlation")
    assert actual == pytest.approx(1.5 * h**2 + 3 * h**3, rel=1e-12, abs=0)  # from its series


def test_close_distances_are_evaluated_once_per_offset(monkeypatch):
    """If all rows are close, sines are computed per offset and sum, not per cell."""
    taken = []
    precise = Turns.compute_precise_phasors

    def counted(self, half_steps):
        taken.append(len(half_steps))
        return precise(self, half_steps)

    monkeypatch.setattr(Turns, "compute_precise_phasors", counted)
    e = encodings.create("sinusoidal", dim=16, scale=1e-9)
    actual = distance.matrix(e, range(300), range(300), "manhattan")
    assert 0 < sum(taken) <= 10_000
    assert actual[7, 9] == pytest.approx(float(truth.distance(e, 7, 9, "manhattan")), rel=1e-13)
    taken.clear()
    usual = encodings.create("sinusoidal", dim=128)
    assert distance.matrix(usual, range(300), range(300), "manhattan")[3, 3] == 0
    assert taken == []
