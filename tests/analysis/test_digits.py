"""Distances of any two positions, near or far, long rows or short, against 80 digits: made at
random, with a seed.
"""

import math
import random
from functools import partial

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.encodings import Waves
from pe_explorer.numeric.turns import Turns
from tests.support import truth
from tests.support.cases import for_each

LIMIT = 2**53
DIMS = [1, 2, 3, 4, 5, 8, 9, 17]
BASES = [1 + 2**-52, 1 + 1e-9, 1.1, math.e, 1e4, 1e12]
SCALES = [
    1.0,
    1.0,
    1.0,
    0.25,
    -1 / 3,
    1e3,
    1e6,
    1e-6,
    1e-12,
    1e-20,
    1e-100,
    math.pi,
    2 * math.pi,
    1e-77,
]
OFFSETS = [0, 0, 1, -5, 1000, LIMIT, -LIMIT]
STEPS = [1, 1, 2, 3, 22, 355, 10**6]


def some_encoding(pick):
    return encodings.create(
        "sinusoidal",
        dim=pick.choice(DIMS),
        base=pick.choice([*BASES, 10 ** pick.uniform(0.1, 12)]),
        scale=pick.choice([*SCALES, 10 ** pick.uniform(-15, 6)]),
        offset=pick.choice(OFFSETS),
        layout=pick.choice(["interleaved", "concatenated"]),
        spacing=pick.choice(["paper", "endpoint"]),
        order=pick.choice(["sin-cos", "cos-sin"]),
        waves=pick.choice(["both", "both", "sine", "cosine"]),
    )


def some_positions(pick, how):
    """Return a position, and others near it and far from it: a range, scattered, or fractional
    ones.
    """
    centre = pick.choice(
        [
            0,
            pick.randint(-100, 100),
            pick.randint(-LIMIT, LIMIT),
            LIMIT,
            -LIMIT,
            2 ** pick.randint(0, 53),
        ]
    )
    if how == "range":
        step = pick.choice(STEPS)
        first = max(-LIMIT, min(centre - 4 * step, LIMIT - 8 * step))
        return centre, range(first, first + 9 * step, step)
    if how == "scattered":
        others = [
            centre + pick.choice([0, 1, -1, 3, 10]),
            pick.randint(-LIMIT, LIMIT),
            -centre,
            centre - pick.choice(STEPS),
        ]
        return centre, [max(-LIMIT, min(other, LIMIT)) for other in others]
    at = pick.uniform(-1e6, 1e6)
    return at, [at + pick.choice([0.25, 1.0, 1e-3]), pick.uniform(-100, 100), at, 1e-200]


def assert_right(value, expected, e, metric):
    """As `distance` promises: to 1e-12 of itself; inner products and angles of lone waves to 1e-15
    of the largest.
    """
    if truth.mp.isnan(expected):
        assert math.isnan(value)
        return
    size, error = abs(expected), abs(truth.mp.mpf(float(value)) - expected)
    largest = {"dot": e.width, "similarity": 1}.get(metric, 2)
    coarse = metric in ("similarity", "dot", "normalised-dot") or (
        metric in ("cosine", "correlation") and not (isinstance(e, Waves) and e.shift_invariant)
    )
    if metric == "correlation" and e.width == 2:  # it is 0 or 2, whatever the numbers are
        coarse = True
    squared = 1e-150 if metric == "euclidean" else 1e-300
    assert error <= 1e-12 * size + (1e-15 * largest if coarse else squared)


def differs(e, p):
    """Return whether the numbers of a row differ from their mean by a tenth of their size."""
    row = [truth.element(e, truth.mp.mpf(p), j) for j in range(e.width)]
    mean = truth.mp.fsum(row) / len(row)
    deviations = truth.mp.fsum((x - mean) ** 2 for x in row)
    return deviations > truth.mp.fsum(x * x for x in row) / 100


@for_each("how", ["range", "scattered", "fractional"])
@for_each("metric", distance.METRICS)
@for_each("seed", range(12))
def test_distances_have_the_digits_that_are_promised(metric, how, seed):
    pick = random.Random(f"{metric} {how} {seed}")
    e = some_encoding(pick)
    p, others = some_positions(pick, how)
    row = distance.from_reference(e, p, others, metric)
    column = distance.matrix(e, others, [p], metric)[:, 0]
    for q, value, mirrored in zip(others, row, column, strict=True):
        if metric == "correlation" and not all(map(partial(differs, e), (p, q))):
            continue  # of nearly equal numbers, the differences from their mean have few digits
        expected = truth.distance(e, p, q, metric)
        for found in (value, mirrored, distance.between(e, p, q, metric)):
            assert_right(found, expected, e, metric)


@for_each("metric", ["cosine", "sse", "euclidean"])
@for_each("seed", range(15))
def test_means_over_blocks_have_them_too(metric, seed):
    """The mean of a distance, but the root of a mean for Euclid's, where nothing but pairs makes up
    a row.
    """
    pick = random.Random(f"{metric} {seed}")
    e = encodings.create(
        "sinusoidal",
        dim=pick.choice([2, 4, 8]),
        base=pick.choice(BASES),
        scale=pick.choice([1.0, 0.25, 1e-3, 1e-6, 1e-12, 1e-30]),
    )
    start, block, other = (
        pick.choice([0, -7, 2**50]),
        pick.choice([2, 5, 10**3, 10**6]),
        pick.choice([1, 2, 3, 10**6]),
    )
    rows, columns = (
        (start, block, 3),
        (start + pick.choice([0, 1, block]), pick.choice([block, other]), 3),
    )
    found = distance.matrix_block_means(e, rows, columns, metric)
    for i in range(3):
        for k in range(3):
            with truth.mp.workdps(400):
                places = ((rows, i), (columns, k))
                u, v = (
                    [truth.block_mean(e, first + at * size, size, j) for j in range(e.width)]
                    for (first, size, _), at in places
                )
                versine = e.pairs - truth.mp.fsum(a * b for a, b in zip(u, v, strict=True))
                expected = {
                    "cosine": versine / e.pairs,
                    "sse": 2 * versine,
                    "euclidean": truth.mp.sqrt(2 * versine),
                }[metric]
            assert abs(truth.mp.mpf(float(found[i, k])) - expected) <= 1e-12 * expected


def test_rows_of_nearly_no_length_keep_their_direction():
    """Of sines near their zeros, a table's digits are no more than rounding."""
    for offset in (-5, 0, 5):
        e = encodings.create(
            "sinusoidal", dim=9, base=1 + 2**-52, waves="sine", offset=offset, scale=2 * math.pi
        )
        for p, q in [(LIMIT, -LIMIT), (LIMIT, 7), (-LIMIT, 7), (3, 8), (5, 7)]:
            for found in (
                distance.between(e, p, q),
                distance.from_reference(e, p, range(q, q + 9))[0],
            ):
                assert_right(found, truth.distance(e, p, q, "cosine"), e, "cosine")
    tiny = encodings.create("sinusoidal", dim=5, waves="sine", scale=1e-100)
    np.testing.assert_allclose(
        distance.matrix(tiny, [-7, 0, 9], [-1, 2]),
        [[0, 2], [math.nan, math.nan], [2, 0]],
        rtol=0,
        atol=1e-15,
    )


@for_each("name", ["index", "fraction"])
@for_each("metric", distance.METRICS)
def test_fractional_positions_on_a_line(name, metric):
    """Their differences are exact, and rows of tiny numbers have a direction like all others."""
    e = encodings.create(name, dim=3)
    places = [0.1, 0.1 + 2**-56, -3.5, 1e-300, 0.0]
    found = distance.matrix(e, places, places, metric)
    for i, p in enumerate(places):
        for k, q in enumerate(places):
            assert_right(found[i, k], _exact_on_a_line(e, p, q, metric), e, metric)


def _exact_on_a_line(e, p, q, metric):
    p, q = (truth.mp.mpf(x) / getattr(e, "length", 1) for x in (p, q))
    if metric == "cosine":
        return 1 - truth.mp.sign(p) * truth.mp.sign(q) if p and q else truth.mp.nan
    if metric == "similarity":
        return 1 - _exact_on_a_line(e, p, q, "cosine")
    if metric == "correlation":
        return truth.mp.nan
    distances = {
        "chebyshev": abs(p - q),
        "dot": 3 * p * q,
        "normalised-dot": 2 * p * q,
        "manhattan": 3 * abs(p - q),
        "sse": 3 * (p - q) ** 2,
    }
    return distances[metric] if metric in distances else truth.mp.sqrt(3) * abs(p - q)


def test_what_is_close_costs_no_more_than_its_offsets(monkeypatch):
    """In a matrix of which all is close, sines are taken of offsets and sums, not of cells."""
    taken = []
    precise = Turns.precise

    def counted(self, half_steps):
        taken.append(len(half_steps))
        return precise(self, half_steps)

    monkeypatch.setattr(Turns, "precise", counted)
    e = encodings.create("sinusoidal", dim=16, scale=1e-9)
    found = distance.matrix(e, range(300), range(300), "manhattan")
    assert 0 < sum(taken) <= 10_000
    assert found[7, 9] == pytest.approx(float(truth.distance(e, 7, 9, "manhattan")), rel=1e-13)
    taken.clear()
    usual = distance.matrix(
        encodings.create("sinusoidal", dim=128), range(300), range(300), "manhattan"
    )
    assert (taken, usual[3, 3]) == ([], 0.0)
