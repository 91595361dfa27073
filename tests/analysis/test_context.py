"""Which pairs never turned in training, and which of them meet new angles at a longer length."""

import math

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import context


def rope(**parameters):
    return encodings.create("rope", **parameters)


def test_llama_3_1():
    e = rope(head_dim=128, rope_theta=5e5, rope_type="llama3", factor=8.0)
    found = context.report(e, 8192, 131072)
    assert (len(found.turned), len(found.within), len(found.new)) == (35, 0, 29)
    assert found.worst == (35, 2.0)
    assert found.longest == 65536
    assert context.report(e, 8192, 65536).new.size == 0
    assert context.report(e, 8192, 65537).new.size == 29


def test_a_target_within_the_trained_length_meets_no_new_angle():
    for target in (1, 4096):
        found = context.report(rope(head_dim=128), 4096, target)
        assert (len(found.within), found.new.size, found.longest) == (18, 0, 4096)  # of Llama 2


def test_a_pair_that_does_not_turn_meets_no_new_angle():
    e = rope(head_dim=8, rope_type="proportional", partial_rotary_factor=0.5, factor=1.0)
    found = context.report(e, 4, 1000)
    assert found.within.tolist() == [2, 3]
    assert found.longest == 4


def test_where_every_pair_turned_there_is_no_longest_length():
    found = context.report(rope(head_dim=2), 7, 2**53)
    assert found.turned.tolist() == [0]
    assert found.longest == math.inf
    assert context.report(rope(head_dim=2), 6, 7).new.tolist() == [0]


def test_sinusoids_count_as_they_are():
    e = encodings.create("sinusoidal", dim=128)
    found = context.report(e, 512, 1024)
    wavelengths = 2 * np.pi * 1e4 ** (np.arange(64) / 64)
    assert found.new.tolist() == np.flatnonzero(wavelengths > 512).tolist()


@pytest.mark.parametrize("length", [0, -1, 2**53 + 1, 1.5, True, "8k"])
def test_lengths_that_are_none(length):
    for ask in (context.report, context.base_for):
        with pytest.raises(encodings.EncodingError, match="trained"):
            ask(rope(), length, 10)
        with pytest.raises(encodings.EncodingError, match="target"):
            ask(rope(), 10, length)
