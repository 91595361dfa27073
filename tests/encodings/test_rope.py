"""Rotary encodings, compared with 80 digits and with rotations pair by pair."""

import math
from functools import cache, cached_property, lru_cache
from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError
from tests.support.definitions import REMEMBERED, Rotary, mp

TYPES = ("linear", "dynamic", "ntk", "yarn", "longrope", "llama3", "proportional")
LIST = [1.0 + 0.37 * i for i in range(24)]


class Definition(Rotary):
    called = "RoPE"
    sets = (
        *(
            {"head_dim": d, "partial_rotary_factor": part, "rope_theta": theta, "layout": layout}
            for d, part in [(64, 0.5), (256, 0.25), (80, 0.4), (96, 0.75), (192, 1 / 3)]
            for theta, layout in [(5e5, "half"), (22.5, "interleaved")]
        ),
        {"rope_type": "linear", "factor": 2.5, "rope_theta": 1e6},
        {"rope_type": "dynamic", "factor": 3.0, "sequence_length": 20_001},
        {"rope_type": "ntk", "factor": 0.4, "head_dim": 96, "partial_rotary_factor": 0.75},
        {"rope_type": "yarn", "rope_theta": 1e6, "original_max_position_embeddings": 32_768},
        {"rope_type": "yarn", "factor": 32.0, "truncate": False, "rope_theta": 1.5e5},
        {"rope_type": "longrope", "head_dim": 48, "long_factor": LIST, "sequence_length": 8193},
        {"rope_type": "longrope", "head_dim": 48, "short_factor": LIST, "attention": 1.19},
        {"rope_type": "llama3", "factor": 8.0, "rope_theta": 5e5, "layout": "interleaved"},
        {"rope_type": "proportional", "partial_rotary_factor": 0.25, "factor": 1.0},
    )
    refused = (
        ({"head_dim": 7}, ["head_dim", "7 channels", "even"]),
        ({"head_dim": 10, "partial_rotary_factor": 0.5},
         ["partial_rotary_factor", "= 5 channels", "even"]),
        ({"head_dim": 10, "partial_rotary_factor": 0.01},
         ["partial_rotary_factor", "= 0 channels", "2"]),
        ({"rope_type": "proportional", "head_dim": 9}, ["head_dim", "9 channels", "even"]),
        ({"head_dim": 0}, ["head_dim", "2 to 65536"]),
        ({"rope_theta": 1}, ["rope_theta", "above 1"]),
        ({"layout": "neox"}, ["layout", "half", "interleaved"]),
        ({"dim": 128}, ["dim", "not a parameter of rope", "head_dim"]),
        ({"rope_type": "su"}, ["rope_type", "longrope", "yarn"]),
        ({"rope_type": "linear", "factor": 0}, ["factor", "1e-6"]),
        ({"rope_type": "ntk", "head_dim": 2}, ["rope_type", "ntk", "2 channels"]),
        ({"rope_type": "dynamic", "head_dim": 2}, ["rope_type", "dynamic", "2 channels"]),
        ({"rope_type": "longrope", "long_factor": [1.0] * 48},
         ["long_factor", "48 numbers", "64 pairs"]),
        ({"rope_type": "longrope", "short_factor": [2]}, ["short_factor", "1 number", "64 pairs"]),
        ({"rope_type": "longrope", "short_factor": [0.0]}, ["short_factor", "number 1", "1e-6"]),
        ({"rope_type": "yarn", "beta_fast": 1, "beta_slow": 32}, ["beta_fast", "beta_slow"]),
        ({"rope_type": "llama3", "low_freq_factor": 4}, ["low_freq_factor", "high_freq_factor"]),
    )  # fmt: skip
    near: ClassVar = {
        "head_dim": [2, 4, 6],
        "partial_rotary_factor": [0.5, 1.0],
        "sequence_length": [None, 9000, 10**6],
        "attention": [None, 2.0],
        "short_factor": [(), *((2.0,) * pairs for pairs in (1, 2, 3, 24))],
        "long_factor": [(), *((2.0,) * pairs for pairs in (1, 2, 3, 24))],
    }

    @property
    def rotated(self):
        if self.e.rope_type == "proportional":
            return self.e.head_dim
        return math.floor(self.e.head_dim * self.e.partial_rotary_factor)

    @property
    def doubtful(self):
        """Parameters that may not change the few tested values because of rounding."""
        if self.e.rope_type == "yarn":
            ramp = {"beta_fast", "beta_slow", "truncate", "original_max_position_embeddings"}
            return {*ramp, "rope_theta", "factor"} if self.pairs == 1 else ramp
        if self.e.rope_type == "llama3":
            return {"low_freq_factor", "high_freq_factor", "original_max_position_embeddings"}
        return {"sequence_length"} if self.e.rope_type == "longrope" else set()

    def paper(self, i):
        return mp.mpf(self.e.rope_theta) ** (-mp.mpf(2 * i) / self.rotated)

    def frequency(self, i):
        return frequency(self.e, i)

    def unscaled(self, i):
        """Return the frequency of a pair without scaling; some pairs of `proportional` have 0."""
        is_still = self.e.rope_type == "proportional" and not self._proportional(i)
        return mp.mpf(0) if is_still else self.paper(i)

    @cached_property
    def amplitude(self):
        e, f = self.e, mp.mpf(self.e.factor)
        if e.rope_type not in ("yarn", "longrope"):
            return mp.mpf(1)
        if e.attention is not None:
            return mp.mpf(e.attention)
        if f <= 1:
            return mp.mpf(1)
        if e.rope_type == "yarn":
            return mp.log(f) / 10 + 1
        return mp.sqrt(1 + mp.log(f) / mp.log(e.original_max_position_embeddings))

    def _default(self, i):
        return self.paper(i)

    def _linear(self, i):
        return self.paper(i) / mp.mpf(self.e.factor)

    def _another_base(self, i, stretch):
        wide = mp.mpf(self.rotated)
        base = mp.mpf(self.e.rope_theta) * stretch ** (wide / (wide - 2))
        return base ** (-2 * i / wide)

    def _ntk(self, i):
        return self._another_base(i, mp.mpf(self.e.factor))

    def _dynamic(self, i):
        f, trained = mp.mpf(self.e.factor), mp.mpf(self.e.original_max_position_embeddings)
        length = max(self.e.sequence_length or 0, self.e.original_max_position_embeddings)
        return self._another_base(i, f * length / trained - (f - 1))

    def _yarn(self, i):
        e = self.e
        low, high = (
            self.rotated
            * mp.log(e.original_max_position_embeddings / (2 * mp.pi * mp.mpf(turns)))
            / (2 * mp.log(mp.mpf(e.rope_theta)))
            for turns in (e.beta_fast, e.beta_slow)
        )
        if e.truncate:
            low, high = mp.floor(low), mp.ceil(high)
        low, high = max(low, mp.mpf(0)), min(high, mp.mpf(self.rotated - 1))
        if low == high:
            high += mp.mpf(1) / 1000
        ramp = min(max((i - low) / (high - low), mp.mpf(0)), mp.mpf(1))
        return self.paper(i) / mp.mpf(e.factor) * ramp + self.paper(i) * (1 - ramp)

    def _longrope(self, i):
        e = self.e
        is_long = e.sequence_length and e.sequence_length > e.original_max_position_embeddings
        numbers = e.long_factor if is_long else e.short_factor
        return self.paper(i) / mp.mpf(numbers[i]) if numbers else self.paper(i)

    def _llama3(self, i):
        e, f = self.e, mp.mpf(self.e.factor)
        low, high = mp.mpf(e.low_freq_factor), mp.mpf(e.high_freq_factor)
        trained, length = e.original_max_position_embeddings, 2 * mp.pi / self.paper(i)
        if length < trained / high:
            return self.paper(i)
        if length > trained / low:
            return self.paper(i) / f
        smooth = (trained / length - low) / (high - low)
        return (1 - smooth) * self.paper(i) / f + smooth * self.paper(i)

    def _proportional(self, i):
        turning = int(self.e.partial_rotary_factor * self.e.head_dim // 2)
        return self.paper(i) / mp.mpf(self.e.factor) if i < turning else mp.mpf(0)

    def reading(self, p, j):
        facts = super().reading(p, j)
        if self.e.rope_type == "default":
            return facts
        i = self.wave(j)[0]
        frequency = self.frequency(i)
        divisor = self.paper(i) / frequency if frequency else mp.inf
        return {**facts, "Frequency divided by": divisor, "Why": None}


@cache
@lru_cache(REMEMBERED)
def frequency(e, pair):
    """Return the frequency of a pair to 80 digits."""
    return getattr(Definition(e), f"_{e.rope_type}")(pair)


def channels(e, pair):
    """Return the two channels of a pair."""
    half = math.floor(e.head_dim * e.partial_rotary_factor) // 2
    return (pair, pair + half) if e.layout == "half" else (2 * pair, 2 * pair + 1)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("part", [1.0, 0.5])
def test_rotate_changes_only_pairs(layout, part):
    e = encodings.create(
        "rope", head_dim=16, rope_theta=500.0, partial_rotary_factor=part, layout=layout
    )
    x = np.random.default_rng(5).normal(size=(2, 3, 4, 16))
    positions = [0, 3, 1000, 123_456]
    turned, expected = e.rotate(x, positions), x.copy()
    for pair in range(int(16 * part) // 2):
        a, b = channels(e, pair)
        assert e.channels.member_indices[[a, b]].tolist() == [0, 1]
        for row, p in enumerate(positions):
            angle = p * frequency(e, pair)
            c, s = float(mp.cos(angle)), float(mp.sin(angle))
            expected[..., row, a] = x[..., row, a] * c - x[..., row, b] * s
            expected[..., row, b] = x[..., row, b] * c + x[..., row, a] * s
    np.testing.assert_allclose(turned, expected, atol=1e-14)
    assert np.array_equal(turned[..., int(16 * part) :], x[..., int(16 * part) :])
    assert not np.shares_memory(turned, x)


def test_score_is_the_mean_of_cosines():
    e = encodings.create("rope", head_dim=20)
    offsets = [0, -1, 1, 17, -4096, 10**15 + 1, 2**53]
    for offset, score in zip(offsets, e.score(offsets), strict=True):
        exact = mp.fsum(mp.cos(offset * frequency(e, pair)) for pair in range(10)) / 10
        assert abs(mp.mpf(score) - exact) <= 1e-15
    ones = np.ones((1, 20))
    product = e.rotate(ones, [4096]) @ e.rotate(ones, [0]).T / 20
    assert e.score([-4096])[0] == pytest.approx(product[0, 0], abs=1e-13)
    assert e.score([0])[0] == 1


def test_invalid_queries_are_refused():
    e = encodings.create("rope", head_dim=8)
    for shape in ((8,), (4, 7), (3, 8), (2, 5, 8)):
        with pytest.raises(EncodingError, match=r"^x: .*\(\.\.\., 4, 8\)"):
            e.rotate(np.zeros(shape), range(4))
    x = np.ones((2, 8)) * 1j  # complex numbers are refused
    for queries in (x, x.astype("c8"), x.tolist(), x.astype(object), x.real + 0j):
        with pytest.raises(EncodingError, match=r"^x: (expected real|cannot be read as) numbers"):
            e.rotate(queries, range(2))


def test_formulas_of_frequencies_are_powers_of_the_base():
    e = encodings.create("rope", rope_theta=1e6)
    assert e.explain(5, 0)[0] == "cos(p · ω_0),  ω_0 = 1e6^0"
    assert e.explain(5, 3)[0] == "cos(p · ω_3),  ω_3 = 1e6^(-6/128)"
