"""Index, fraction and binary against plain Python numbers, which are exact."""

import math

from hypothesis import given, settings, strategies as st

from pe_explorer import encodings
from tests.support import truth
from tests.support.oracles import definition

NAIVE = [
    encodings.create("index", dim=2),
    encodings.create("fraction", dim=2, length=7),
    encodings.create("binary", dim=62),
]


@given(
    e=st.sampled_from(NAIVE),
    start=st.integers(-(2**53), 2**52),
    block=st.integers(1, 10**12) | st.just(10**12),
    rows=st.integers(1, 4),
)
@settings(max_examples=80)
def test_block_means_of_any_blocks(e, start, block, rows):
    assert truth.block_mean_error(e, start, block, rows, range(e.dim)) <= 2**-52


def test_block_means_are_rounded_once():
    block, start = 10**12, -(2**53) + 5
    for e in (encodings.create("index", dim=1), encodings.create("binary", dim=60)):
        exact = [
            [float(definition(e).block_mean(start + i * block, block, j)) for j in range(e.dim)]
            for i in range(2)
        ]
        assert e.block_means(start, block, 2).tolist() == exact


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
