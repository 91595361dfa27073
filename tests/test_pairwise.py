"""The samples of products that tests run over."""

from itertools import combinations, product

import pytest

from tests.support.pairwise import pairwise

FACTORS = [
    [range(3), "abcdefg", range(4), range(5)],
    [range(12), range(20), range(4), range(5)],
    [range(2)] * 8,
    [range(4), range(1), range(3)],
]


@pytest.mark.parametrize("factors", FACTORS, ids=str)
def test_any_two_values_meet(factors):
    rows = pairwise(*factors)
    for one, other in combinations(range(len(factors)), 2):
        met = {(row[one], row[other]) for row in rows}
        assert met == set(product(factors[one], factors[other]))
    sizes = sorted(map(len, factors))
    assert sizes[-1] * sizes[-2] <= len(rows) <= 1.5 * sizes[-1] * sizes[-2] + 8
    assert rows == pairwise(*factors)
    assert len(set(rows)) == len(rows)


def test_two_factors_are_their_product():
    assert pairwise("ab", "cde") == list(product("ab", "cde"))
    assert pairwise("ab", "") == []
