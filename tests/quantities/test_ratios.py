"""Frequencies against those of the pin."""

import math

import numpy as np
import pytest

from pe_explorer import encodings, quantities
from pe_explorer.encodings import EncodingError
from tests.support.oracles import definition
from tests.support.samples import sample
from tests.support.wanted import WAVES, Written, asked, numbers_of


class Definition(Written):
    needs = WAVES
    differs = True

    @staticmethod
    def check(found, defined, positions):
        """Compare with what an encoding without a pin is compared with: itself, unscaled."""
        plain = getattr(defined, "unscaled", defined.frequency)
        both = [(defined.frequency(i), plain(i)) for i in range(defined.count)]
        exact = [float(one / other) if other else 1.0 for one, other in both]
        np.testing.assert_allclose(found, exact, rtol=3e-16)


def test_two_types_pair_by_pair():
    long = {"factor": 4.0, "original_max_position_embeddings": 32_768, "rope_theta": 1e6}
    e, other = (encodings.create("rope", rope_type=each, **long) for each in ("yarn", "llama3"))
    found = numbers_of("ratios", e, other)
    exact = [float(definition(e).frequency(i) / definition(other).frequency(i)) for i in range(64)]
    np.testing.assert_allclose(found, exact, rtol=3e-16)


def test_other_columns_and_other_widths():
    e, other = sample("rope", head_dim=128), sample("sinusoidal", dim=64)
    found = numbers_of("ratios", e, other)
    np.testing.assert_allclose(found, 1e4 ** (np.arange(32) * (2 / 64 - 2 / 128)), rtol=1e-14)
    assert numbers_of("ratios", other, e).shape == (32,)


def test_a_pair_that_stands_still_on_one_side():
    whole, part = (
        encodings.create("rope", head_dim=8, rope_type="proportional", factor=1.0, **part)
        for part in ({}, {"partial_rotary_factor": 0.5})
    )
    assert numbers_of("ratios", whole, part).tolist() == [1, 1, math.inf, math.inf]
    assert numbers_of("ratios", part, whole).tolist() == [1, 1, 0, 0]


def test_without_angles():
    rope, alibi = sample("rope"), sample("alibi")
    for pair in ((rope, alibi), (alibi, rope)):
        with pytest.raises(EncodingError, match="no angles"):
            quantities.data("ratios", asked(*pair))


@pytest.mark.parametrize("show", ["current", "pinned", "difference"])
def test_it_is_of_both_whatever_is_shown(show):
    rope, sine = sample("rope"), sample("sinusoidal")
    subject = quantities.subject_of("ratios", show, rope, sine)
    assert subject.encodings == (rope, sine)
    assert quantities.subject_of("table", "pinned", rope, sine).encodings == (sine,)
