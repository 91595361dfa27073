"""The bits of the position, compared with Python integers."""

import math
import re
from fractions import Fraction

import numpy as np

from pe_explorer import encodings
from tests.support import definitions


class Definition(definitions.Definition):
    called = "binary"
    sets = ({"dim": 60},)

    def element(self, p, j):
        return Fraction(math.floor(p) >> j & 1)

    def block_mean(self, start, block, j):
        """Return the mean of bit j, which is floor(p/2^j) - 2·floor(p/2^(j+1))."""

        def floors(stop, divisor):  # the sum of floor(p/divisor) over 0 <= p < stop
            q, r = divmod(stop, divisor)
            return divisor * q * (q - 1) // 2 + q * r

        def ones(stop):
            return floors(stop, 1 << j) - 2 * floors(stop, 2 << j)

        return Fraction(ones(start + block) - ones(start), block)

    def longest_period(self):
        return 2.0**self.e.dim

    def said(self, line, p, j):
        bit, number = re.fullmatch(r"bit (\d+) of (-?\d+)", line).groups()
        return int(number) >> int(bit) & 1


def test_bits_of_a_fractional_position():
    e = encodings.create("binary", dim=8)
    assert np.array_equal(e.table([0.9, 7.5, -0.1, -8.5]), e.table([0, 7, -1, -9]))


def test_bits_of_a_table_longer_than_a_chunk():
    table = encodings.create("binary", dim=3).table(range(100_000))
    assert np.array_equal(table @ [1, 2, 4], np.arange(100_000) % 8)
