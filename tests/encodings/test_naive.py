"""Index, fraction and binary against plain Python numbers, which are exact."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_explorer import encodings
from pe_explorer.encodings import Waves
from pe_explorer.encodings.abilities import needs
from tests.support import truth

FAR = [
    0,
    1,
    7,
    8,
    -1,
    -2,
    10**12 + 3,
    2**52 - 1,
    -(2**52),
    2**53 - 1,
    2**53,
    -(2**53) + 1,
    -(2**53),
]
NAIVE = [
    encodings.create("index", dim=2),
    encodings.create("fraction", dim=2, length=7),
    encodings.create("binary", dim=62),
]

every_naive = pytest.mark.parametrize("e", NAIVE, ids=lambda e: e.name)


def test_documents_examples():
    """Document 002: the position in every dimension, then divided by the length of the sequence."""
    assert encodings.create("index", dim=3).table([1, 2]).tolist() == [[1, 1, 1], [2, 2, 2]]
    assert encodings.create("fraction", dim=2, length=5).table([1, 5]).tolist() == [
        [0.2, 0.2],
        [1, 1],
    ]
    assert encodings.create("binary", dim=4).table(range(6, 9)).tolist() == [
        [0, 1, 1, 0],
        [1, 1, 1, 0],
        [0, 0, 0, 1],
    ]


def test_index_at_far_and_fractional_positions():
    e = encodings.create("index", dim=3)
    for positions in (FAR, [0.1, -2.5, 1e15 + 0.125]):
        assert e.table(positions).tolist() == [[p] * 3 for p in positions]


@pytest.mark.parametrize("length", [1, 3, 50, 2**53 - 1, 2**53])
def test_fraction_is_rounded_once(length):
    e = encodings.create("fraction", dim=2, length=length)
    for positions in (FAR, [0.1, -2.5, 1e15 + 0.125]):
        assert e.table(positions).tolist() == [[float(Fraction(p) / length)] * 2 for p in positions]


@pytest.mark.parametrize("dim", [1, 16, 54, 70])
def test_binary_is_twos_complement(dim):
    e = encodings.create("binary", dim=dim)
    for positions in (FAR, range(-300, 300), range(2**53, 2**53 - 300, -7)):
        digits = [format(p % 2**dim, f"0{dim}b")[::-1] for p in positions]
        assert e.table(positions).tolist() == [[float(d) for d in row] for row in digits]


def test_binary_of_a_fraction_is_that_of_the_whole_number_below():
    e = encodings.create("binary", dim=8)
    assert np.array_equal(e.table([0.9, 7.5, -0.1, -8.5]), e.table([0, 7, -1, -9]))


def test_binary_has_no_memory_of_its_blocks():
    """A table longer than the blocks that it is made in."""
    table = encodings.create("binary", dim=3).table(range(100_000))
    assert np.array_equal(table @ [1, 2, 4], np.arange(100_000) % 8)


@every_naive
@pytest.mark.parametrize("block", [1, 2, 3, 8, 100])
@pytest.mark.parametrize("start", [0, -777, 2**53 - 300, -(2**53)])
def test_block_means_by_brute_force(e, block, start):
    means = e.block_means(start, block, 3)
    for i in range(3):
        for j in {0, 1, 2, e.dim - 1} & set(range(e.dim)):
            exact = (
                sum(
                    truth.element(e, p, j)
                    for p in range(start + i * block, start + (i + 1) * block)
                )
                / block
            )
            assert means[i, j] == pytest.approx(float(exact), rel=2**-52, abs=0)


@given(
    e=st.sampled_from(NAIVE),
    start=st.integers(-(2**53), 2**52),
    block=st.integers(1, 10**12) | st.just(10**12),
    rows=st.integers(1, 4),
)
@settings(max_examples=200)
def test_block_means_of_any_blocks(e, start, block, rows):
    assert truth.block_mean_error(e, start, block, rows, range(e.dim)) <= 2**-52


def test_block_means_are_rounded_once():
    block, start = 10**12, -(2**53) + 5
    index, binary = encodings.create("index", dim=1), encodings.create("binary", dim=60)
    assert index.block_means(start, block, 2).tolist() == [
        [float(Fraction(2 * (start + i * block) + block - 1, 2))] for i in range(2)
    ]
    ones = [
        [truth.block_mean(binary, start + i * block, block, j) for j in range(60)] for i in range(2)
    ]
    assert binary.block_means(start, block, 2).tolist() == [
        [float(mean) for mean in row] for row in ones
    ]


@every_naive
def test_without_waves(e):
    assert not isinstance(e, Waves)
    assert e.name in needs.waves(e)
    assert e.name in needs.pairs(e)


def test_the_largest_blocks():
    """All positions from -2^53 on in one block: the means are those of whole periods."""
    block = 2**53
    assert encodings.create("binary", dim=54).block_means(-(2**53), block, 2).tolist() == [
        [0.5] * 53 + [1.0],
        [0.5] * 53 + [0.0],
    ]
    assert encodings.create("index", dim=1).block_means(-(2**53), block, 2).tolist() == [
        [-(2.0**52)],
        [math.nextafter(2.0**52, 0)],
    ]
