"""Attention with linear biases, against the definition in exact fractions."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.encodings import Bias, EncodingError
from pe_explorer.encodings.abilities.code import LIBRARIES
from tests.support import definitions
from tests.support.definitions import mp

FAR = [0, -1, 1, -49, 7, -(10**9) - 7, 10**15 + 3, 2**53, -(2**53)]


class Definition(definitions.Definition):
    called = "ALiBi"
    row, column, columns = "offset", "head", "heads"
    abilities = frozenset({"bias"})
    sets = ({"heads": 12, "symmetric": True}, {"heads": 3})
    refused = (
        ({"heads": 0}, ["heads", "1 to 65536"]),
        ({"heads": 2.5}, ["heads", "2.5"]),
        ({"symmetric": "sometimes"}, ["symmetric", "on or off"]),
        ({"dim": 8}, ["dim", "not a parameter of", "heads"]),
    )

    @property
    def width(self):
        return self.e.heads

    def slopes(self):
        return published_slopes(self.e.heads)

    def element(self, p, j):
        return published_slope(self.e.heads, j) * (-abs(p) if self.e.symmetric else mp.mpf(p))

    def block_mean(self, start, block, j):
        sides = range(start, min(start + block, 0)), range(max(start, 0), start + block)
        sums = [(side[0] + side[-1]) * len(side) // 2 for side in sides if side]
        total = -sum(map(abs, sums)) if self.e.symmetric else sum(sums)
        return published_slope(self.e.heads, j) * (mp.mpf(total) / block)

    def title(self, j):
        return f"head {j}"

    def symbols(self, p, j):
        return {"k": p, "q": 0, f"slope_{j}": published_slope(self.e.heads, j)}


def published_slope(heads, head):
    """Return a slope as in the paper's code, by recursion to the next power of two."""
    power = 2 ** (heads.bit_length() - 1)
    if head >= power:
        return published_slope(2 * power, 2 * (head - power))
    start = mp.mpf(2) ** (-(mp.mpf(2) ** -(mp.log(power, 2) - 3)))
    return start ** (head + 1)


def published_slopes(heads):
    return [published_slope(heads, head) for head in range(heads)]


@pytest.mark.parametrize("heads", range(1, 131))
@pytest.mark.sampled(50)
def test_slopes_are_those_of_the_paper(heads):
    slopes = -encodings.create("alibi", heads=heads).bias([-1])[:, 0]
    assert slopes.shape == (heads,)
    assert encodings.find("alibi").first_range == range(-49, 1)
    for slope, exact in zip(slopes, published_slopes(heads), strict=True):
        assert abs(mp.mpf(slope) / exact - 1) <= 2.5e-16


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_bias_at_offset_0_is_positive_zero(symmetric):
    e = encodings.create("alibi", heads=3, symmetric=symmetric)
    for zeros in (e.table(range(1)), e.table([0.5, 0.0])[1:], e.block_means(0, 1, 1)):
        assert (zeros == 0).all()
        assert not np.signbit(zeros).any()
    assert not np.signbit(e.block_means(-2, 1, 5)[2]).any()
    for start in (-3, -10, -14, -21, 1):  # 0 is within or at the end of a block
        means = e.table(range(start, start + 21)).reshape(3, 7, 3).mean(axis=1)
        np.testing.assert_allclose(e.block_means(start, 7, 3), means, rtol=1e-15)
    assert e.reading(0, 1) == (("Value", "0.0"),)
    assert e.explain(0, 1)[-1] == "= +0"
    names = {"np": np, "positions": np.arange(-2.0, 3.0)}
    exec("\n".join(e.code(LIBRARIES["numpy"])), names)
    np.testing.assert_array_equal(names["table"], e.table(range(-2, 3)))
    assert not np.signbit(names["table"][2]).any()


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("heads", [range(5), range(2, 4), range(0, 5, 2), range(4, -1, -1)])
def test_biases_of_selected_heads(symmetric, heads):
    e = encodings.create("alibi", heads=5, symmetric=symmetric)
    for offsets in (FAR, range(-9, 3), [-1.5, 0.25], []):
        selected = e.bias(offsets, heads)
        assert selected.shape == (len(heads), len(offsets))
        assert selected.flags.c_contiguous
        np.testing.assert_array_equal(selected, e.table(offsets)[:, list(heads)].T)
        inherited = np.empty_like(selected)  # of schemes that compute all heads
        Bias._fill_heads(e, e._check_positions(offsets)[0], heads, inherited)
        np.testing.assert_array_equal(inherited, selected)
    for missing_heads in (range(5, 6), range(4, 7), range(-1, 2)):
        with pytest.raises(EncodingError, match=r"^head: .*0 to 4"):
            e.bias([0], missing_heads)
