"""Sinusoidal encodings, compared with 80 digits and with published formulas."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.support import truth
from tests.support.definitions import REMEMBERED, Waves, mp
from tests.support.pairwise import pairwise
from tests.support.sinusoids import CHOICES, encodings_of_width, sinusoidal

TIGHT = 1e-15  # the documented error of every value
BASES = [1.0000001, 1.5, 10.0, 1e4, 123_456.789, 1e12]
SCALES = [0.0, -1.0, 1e-14, 0.125, 2 * math.pi, -1e6, 1e6]

EVERY_CHOICE = [dict(zip(CHOICES, c, strict=True)) for c in itertools.product(*CHOICES.values())]


class Definition(Waves):
    called = "sinusoidal"
    sets = (
        {"waves": "sine"},
        {"dim": 1},
        {"dim": 2},
        {"dim": 1, "spacing": "endpoint"},
        {"dim": 7, "spacing": "endpoint", "base": 22.5, "scale": 2.0},
        {"scale": -0.3, "offset": 5, "layout": "concatenated", "order": "cos-sin"},
    )
    refused = (
        ({"dims": 3}, ["dims", "sinusoidal", "base", "'dim'?"]),
        ({"dim": 0}, ["dim", "0", "1 to 65536", "nearest valid value is 1"]),
        ({"dim": 65_537}, ["dim", "65537", "1 to 65536", "nearest valid value is 65536"]),
        ({"dim": 2.5}, ["dim", "2.5", "1 to 65536"]),
        ({"dim": True}, ["dim", "True"]),
        ({"base": 1}, ["base", "1", "1e12", "must be greater than 1"]),
        ({"base": math.nan}, ["base", "nan", "1e12"]),
        ({"layout": "interleave"}, ["layout", "'interleave'", "concatenated", "'interleaved'?"]),
    )
    near: ClassVar = {"dim": [1, 2, 3, 4, 7], "scale": [0.0, 1.0], "offset": [0, 3]}

    @property
    def abilities(self):
        met = {"waves", "steady", "code_angles"} if self.count else set()
        return met | ({"pairs"} if self.pairs else set())

    @property
    def pairs(self):
        return self.e.dim // 2 if self.e.waves == "both" else 0

    @property
    def count(self):
        return len({found[0] for j in range(self.e.dim) if (found := self.wave(j))})

    @property
    def origin(self):
        return self.e.offset

    def frequency(self, i):
        return frequency(self.e.base, self.e.scale, self.exponent(i))

    def exponent(self, i):
        if self.e.waves != "both":
            return Fraction(i, self.e.dim)
        if self.e.spacing == "endpoint":
            return Fraction(i, max(self.pairs - 1, 1))
        return Fraction(2 * i, self.e.dim)

    def wave(self, j):
        if self.e.waves != "both":
            return j, self.e.waves == "sine"
        firsts = self.pairs if self.e.spacing == "endpoint" else self.e.dim - self.pairs
        if self.e.layout == "interleaved":
            i, second = divmod(j, 2)
        else:
            i, second = (j, 0) if j < firsts else (j - firsts, 1)
        if i >= (self.pairs if second else firsts):
            return None
        return i, (self.e.order == "sin-cos") != second


@cache
@lru_cache(REMEMBERED)
def frequency(base, scale, exponent):
    """Return scale·base^-exponent."""
    return mp.mpf(scale) * mp.mpf(base) ** -(mp.mpf(exponent.numerator) / exponent.denominator)


# Values


@pytest.mark.parametrize(
    "positions",
    [
        range(50),
        range(2**53, -(2**53), -1_000_003_000_017),
        range(-(2**53), 2**53 + 1, 2**53),
        range(2**53, -(2**53) - 1, -(2**54)),
        range(10**15, 10**15 - 9999, -3),
        range(-500_000, 500_000),
        np.arange(300_001)[::-1] * 7,
        np.array([3]),
    ],
    ids=str,
)
def test_arithmetic_progressions_of_positions(positions):
    rows = np.unique(np.linspace(0, len(positions) - 1, 60).astype(int)).tolist()
    for e in (sinusoidal(dim=4), sinusoidal(dim=3), sinusoidal(dim=4, order="cos-sin")):
        assert truth.error(e, positions, rows, range(e.dim)) <= TIGHT


@given(
    e=encodings_of_width(1, 40),
    positions=st.lists(st.integers(-(2**53), 2**53), min_size=1, max_size=3),
)
@settings(max_examples=60)
def test_values_at_any_positions(e, positions):
    assert truth.error(e, positions, range(len(positions)), truth.some(e.dim)) <= TIGHT


@given(
    e=encodings_of_width(2, 9),
    start=st.integers(-(2**53), 2**53),
    step=st.integers(1, 2**40),
    count=st.integers(1, 2000),
)
@settings(max_examples=60)
def test_values_along_any_range(e, start, step, count):
    positions = (
        range(start, start + step * count, step)
        if start < 0
        else range(start, start - step * count, -step)
    )
    assert truth.error(e, positions, [0, count // 3, count - 1], range(e.dim)) <= TIGHT


NEAR = [0.1, -0.5, 1 / 3, 2.0, 20.999999999, 1e-300, -1234.56789, 999.0]
WIDE = [1e6 + 0.1, -1e9 - 0.7, 1e12 + 0.3, 1e15 + 0.125, -1e15 + 0.375]


@given(
    e=encodings_of_width(1, 7),
    positions=st.lists(
        st.floats(-1e15, 1e15) | st.sampled_from(NEAR + WIDE), min_size=1, max_size=4
    ),
    scale=st.sampled_from([1.0, 1e3, -0.3]) | st.floats(-1e3, 1e3),
)
@settings(max_examples=60)
def test_values_at_fractional_positions(e, positions, scale):
    e = replace(e, scale=scale, offset=0)
    assert truth.error(e, positions, range(len(positions)), range(e.dim)) <= TIGHT


# Means over blocks


@pytest.mark.parametrize("block", [1, 2, 3, 64, 1000, 999_983, 10**9, 10**12])
@pytest.mark.parametrize("start", [0, -(10**13) - 7, 2**53 - 3 * 10**12])
def test_block_means_of_many_frequencies(block, start):
    turn = 2 * math.pi
    parts = turn / block, turn / block * (1 + 1e-9), 3 * turn / block, turn - 0.1 / block
    for scale in (1.0, *SCALES, *parts, turn, -2 * turn, turn / 2, turn * (1 + 1e-12)):
        e = sinusoidal(dim=5, base=10, scale=scale)
        assert truth.block_mean_error(e, start, block, 3, range(5)) <= TIGHT


# Published formulas in NumPy, whose float64 is accurate to about 1e-14 here


@pytest.mark.parametrize("dim", [1, 6, 7, 1024])
def test_the_table_equals_the_formula_of_the_paper(dim):
    """Document 002: i = column, angle p / 10000^(2·(i // 2) / d), sines in the even columns."""
    column = np.arange(dim)
    angles = np.arange(60)[:, None] / np.power(10_000, 2 * (column // 2) / dim)
    expected = np.where(column % 2 == 0, np.sin(angles), np.cos(angles))
    np.testing.assert_allclose(sinusoidal(dim=dim).table(range(60)), expected, rtol=0, atol=1e-12)


# Frequencies


@pytest.mark.parametrize(
    ("choice", "dim", "base", "scale"), pairwise(EVERY_CHOICE, [1, 2, 7, 512], BASES, [-3.7, 1e-14])
)
@pytest.mark.sampled(50)
def test_frequencies_are_rounded_once(choice, dim, base, scale):
    e = sinusoidal(dim=dim, base=base, scale=scale, **choice)
    found, defined = e.frequencies().tolist(), Definition(e)
    assert len(found) == defined.count
    for wave, value in enumerate(found):
        assert abs(mp.mpf(value) - defined.frequency(wave)) <= 0.500001 * math.ulp(value)
    assert replace(e, scale=1.0).frequencies()[:1].tolist() == [1.0][: len(found)]


def test_the_slowest_frequency_of_each_spacing():
    assert sinusoidal(dim=18).frequencies()[-1] == pytest.approx(1e4 ** (-16 / 18), rel=1e-15)
    assert sinusoidal(dim=18, spacing="endpoint").frequencies()[-1] == 1e-4
    assert sinusoidal(dim=4, scale=0).wavelengths().tolist() == [math.inf, math.inf]
    assert sinusoidal(dim=7, spacing="endpoint").value(3, 6) == 0.0  # of no wave


@pytest.mark.parametrize("dim", [1, 7, 8])
def test_shift_invariance_requires_pairs_of_equal_weight(dim):
    """The squared length of rows equals the number of pairs only if all waves form pairs."""
    for choice in EVERY_CHOICE:
        e = sinusoidal(dim=dim, **choice)
        lengths = (e.table(range(-50, 50)) ** 2).sum(axis=1)
        assert e.is_shift_invariant is (e.pairs > 0 and np.allclose(lengths, e.pairs, rtol=1e-14))
    assert sinusoidal(dim=8, scale=0.0).is_shift_invariant is True


@pytest.mark.parametrize("scale", [5e-324, -2.2e-308, 1e-300, 1e-100, -1e-77, 1e-60, 3e-30, 1e6])
@pytest.mark.parametrize("base", [1 + 2**-52, 1e4, 1e12])
def test_frequencies_of_any_scale(base, scale):
    """Frequencies are accurate to a few ulp, even below 2.2e-308."""
    for choice in ({}, {"waves": "cosine"}, {"spacing": "endpoint"}):
        e = sinusoidal(dim=9, base=base, scale=scale, **choice)
        defined = Definition(e)
        exact = defined.frequencies()
        single_frequencies = [e.frequency(wave) for wave in range(len(exact))]
        assert single_frequencies == e.frequencies().tolist()
        for value, wavelength, frequency in zip(
            single_frequencies, e.wavelengths(), exact, strict=True
        ):
            assert abs(mp.mpf(value) - frequency) <= 1.1 * math.ulp(value)
            positions = float(2 * mp.pi / abs(frequency))  # inf where float64 ends
            assert wavelength == pytest.approx(positions, rel=1e-15)
