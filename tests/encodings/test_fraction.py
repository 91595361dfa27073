"""The position divided by the length of the sequence, compared with exact fractions."""

from fractions import Fraction

import pytest

from pe_explorer import encodings
from tests.support.definitions import FAR, Line


class Definition(Line):
    called = "fraction"
    sets = ({"length": 7},)
    refused = (({"length": 0}, ["length", "0", "1 to 2^53", "nearest valid value is 1"]),)

    @property
    def step(self):
        return Fraction(1, self.e.length)

    def symbols(self, p, j):
        return {"p": p, "N": self.e.length}


@pytest.mark.parametrize("length", [1, 3, 50, 2**53 - 1, 2**53])
def test_fraction_is_rounded_once(length):
    e = encodings.create("fraction", dim=2, length=length)
    for positions in (FAR, [0.1, -2.5, 1e15 + 0.125]):
        assert e.table(positions).tolist() == [[float(Fraction(p) / length)] * 2 for p in positions]
