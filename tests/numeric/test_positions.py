"""Exact forms of positions, and blocks."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pe_explorer.numeric.positions import (
    LIMIT,
    as_column,
    check_blocks,
    clip_positions,
    count_positions,
    find_blocks_inside,
    is_whole,
    list_doubled_centres,
    shift_range,
    to_positions,
    to_whole_number,
)
from pe_explorer.params import ParameterError


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([3, 5, 7], range(3, 9, 2)),
        (np.array([9.0, 6.0, 3.0]), range(9, 0, -3)),
        ([5], range(5, 6)),
        (range(5, 6, 9), range(5, 6)),
        ((), range(0)),
        (range(4, 4), range(0)),
        (range(-LIMIT, LIMIT + 1), range(-LIMIT, LIMIT + 1)),
    ],
    ids=str,
)
def test_equally_spaced_positions_become_a_range(given, expected):
    found = to_positions(given)
    assert isinstance(found, range)
    assert found == expected


@pytest.mark.parametrize(
    ("given", "dtype"),
    [([1, 2, 4], "int64"), ([4, 4], "int64"), ([0.5, 1], "float64"), ([1, 2, 4, 4], "int64")],
    ids=str,
)
def test_other_positions_become_an_array(given, dtype):
    found = to_positions(given)
    assert found.dtype == dtype
    assert found.tolist() == given
    assert is_whole(found) == (dtype == "int64")
    for positions in (found, range(4, -5, -3)):
        assert as_column(positions).tolist() == [[float(p)] for p in positions]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ([LIMIT + 1], "got 9007199254740993"), ([0.5, LIMIT + 2.0], "from -2^53 to 2^53"),
        ([1, np.nan], "emove"), ("12", "shape"), ([[1]], "(1, 1)"), (np.array([True]), "bool"),
        (range(10**30), "from -2^53 to 2^53"), (range(0, -(10**30), -1), "from -2^53 to 2^53"),
        ([10**30], "from -2^53 to 2^53"), (np.array([1, "x"], object), "'x'"), (["1"], "<U1"),
        ([[1], [2, 3]], "cannot be read"), (np.array([2**64 - 1], np.uint64), "from -2^53 to 2^53"),
    ],
)  # fmt: skip
@pytest.mark.sampled(20)
def test_invalid_positions_raise_a_parameter_error(given, word):
    with pytest.raises(ParameterError, match=r"^places: .") as caught:
        to_positions(given, "places")
    assert type(caught.value) is ParameterError
    assert word in caught.value.problem


def test_whole_numbers_and_blocks_are_limited():
    assert to_whole_number(7.0, "p") == 7
    with pytest.raises(ParameterError, match=r"p: .* from 1 to 7, got 8"):
        to_whole_number(8, "p", 1, 7)
    for blocks in ((0, 10, 3), (LIMIT - 19, 10, 2), (LIMIT, 7, 0), (-LIMIT, 1, 1)):
        assert check_blocks(*blocks) == blocks
    for blocks, max_rows in (((LIMIT - 9, 10, 2), 1), ((LIMIT - 18, 10, 2), 1), ((LIMIT, 2, 1), 0)):
        with pytest.raises(ParameterError, match=f"^rows: .* at most {max_rows} rows"):
            check_blocks(*blocks)
    for blocks in ((0, 0, 1), (0, 1, -1)):
        with pytest.raises(ParameterError, match="got "):
            check_blocks(*blocks)


def test_ranges_are_shifted_and_blocks_have_centres():
    assert shift_range(range(3, 9, 2), -4) == range(-1, 5, 2)
    for start, block in ((3, 4), (-7, 1), (0, 5)):
        firsts = [start + row * block for row in range(3)]
        assert list(list_doubled_centres(start, block, 3)) == [2 * p + block - 1 for p in firsts]


@pytest.mark.parametrize("domain", [range(10), range(-7, 3), range(5, 6), range(0)], ids=str)
def test_blocks_inside_a_domain_lie_wholly_in_it(domain):
    for start, block in product([-20, -3, 0, 2, 9], [1, 2, 3, 7]):
        first = [start + k * block for k in range(12)]
        inside = [k for k in range(12) if {first[k], first[k] + block - 1} <= set(domain)]
        assert list(find_blocks_inside(start, block, 12, domain)) == inside


@given(st.integers(-50, 50), st.integers(0, 60), st.integers(-9, 9).filter(bool))
def test_positions_in_a_domain_for_any_step(start, count, step):
    positions = range(start, start + count * step, step)
    for domain in (range(-7, 31), range(5, 5)):
        assert list(clip_positions(positions, domain)) == [p for p in positions if p in domain]


def test_length_of_ranges_too_long_for_len():
    assert count_positions(range(0, 10**30, 3)) == (10**30 + 2) // 3
    assert count_positions(range(5, 0, -2)) == 3
    assert count_positions(np.arange(4)) == 4
