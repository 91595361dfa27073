"""Index, fraction and binary, compared with Python numbers, which are exact."""

from hypothesis import given, settings, strategies as st

from pe_explorer import encodings
from tests.support import truth

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
def test_block_means_are_exact(e, start, block, rows):
    assert truth.block_mean_error(e, start, block, rows, range(e.dim)) <= 2**-52
