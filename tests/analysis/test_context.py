"""Pairs that do not complete a turn in training, and unseen angles at longer lengths."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import context


def rope(**parameters):
    return encodings.create("rope", **parameters)


def test_a_target_within_training_has_no_unseen_angles():
    for target in (1, 4096):
        actual = context.report(rope(head_dim=128), 4096, target)
        assert (len(actual.within), actual.new.size, actual.longest) == (18, 0, 4096)  # of Llama 2


def test_a_pair_that_does_not_rotate_has_no_unseen_angles():
    e = rope(head_dim=8, rope_type="proportional", partial_rotary_factor=0.5, factor=1.0)
    actual = context.report(e, 4, 1000)
    assert actual.within.tolist() == [2, 3]
    assert actual.longest == 4


def test_the_longest_length_is_infinite_if_every_pair_turned():
    actual = context.report(rope(head_dim=2), 7, 2**53)
    assert actual.turned.tolist() == [0]
    assert actual.longest == math.inf
    assert context.report(rope(head_dim=2), 6, 7).new.tolist() == [0]


def test_sinusoids_are_compared_without_scaling():
    e = encodings.create("sinusoidal", dim=128)
    actual = context.report(e, 512, 1024)
    wavelengths = 2 * np.pi * 1e4 ** (np.arange(64) / 64)
    assert actual.new.tolist() == np.flatnonzero(wavelengths > 512).tolist()


@pytest.mark.parametrize("length", [0, -1, 2**53 + 1, 1.5, True, "8k"])
def test_invalid_lengths_are_refused(length):
    for ask in (context.report, context.base_for):
        with pytest.raises(encodings.EncodingError, match="trained"):
            ask(rope(), length, 10)
        with pytest.raises(encodings.EncodingError, match="target"):
            ask(rope(), 10, length)


LONG = {"factor": 4.0, "original_max_position_embeddings": 4096}


@pytest.mark.parametrize(
    ("e", "trained", "target", "lengths"),
    [
        (rope(), None, None, (50, 200)),
        (rope(), 10, None, (10, 40)),
        (rope(), None, 7, (50, 7)),
        (rope(), 2**52, None, (2**52, 2**53)),
        (rope(rope_type="linear", factor=2.5), None, None, (50, 125)),
        (rope(rope_type="linear", factor=1.0), None, None, (50, 200)),
        (rope(rope_type="yarn", **LONG), None, None, (4096, 16_384)),
        (rope(rope_type="yarn", **LONG), 100, 300, (100, 300)),
        (rope(rope_type="dynamic", sequence_length=9000, **LONG), None, None, (4096, 9000)),
        (encodings.create("sinusoidal"), None, None, (50, 200)),
    ],
)
@pytest.mark.sampled(10)
def test_lengths_default_to_the_scheme(e, trained, target, lengths):
    assert context.resolve_lengths(e, trained, target, 50) == lengths


def test_some_types_depend_on_the_length_in_use():
    for e, grows in ((rope(rope_type="dynamic", **LONG), True), (rope(), False)):
        for trained, target in ((4096, 8192), (4096, 4096), (4096, 100)):
            actual = context.adapt_to_length(e, trained, target)
            is_longer = grows and target > trained
            assert actual == (replace(e, sequence_length=target) if is_longer else e)
        turns = context.turns(e, 4096, 8192)
        used = context.adapt_to_length(e, 4096, 8192)
        both = 4096 * rope().frequencies(), 8192 * used.frequencies()
        np.testing.assert_allclose(turns, np.transpose(both) / (2 * np.pi), rtol=1e-14)


def test_pairs_that_a_scaling_changes_and_those_that_it_speeds_up():
    lists = (0.5, 1.0, 4.0, 1 + 1e-13)
    e = rope(head_dim=8, rope_type="longrope", short_factor=lists, sequence_length=10)
    assert context.find_changed_pairs(e).tolist() == [0, 2]
    assert context.compute_speed_ups(e) == {0: pytest.approx(2.0, rel=1e-12)}
    assert context.find_changed_pairs(rope()).tolist() == []
    assert context.compute_speed_ups(rope()) == {}
    still = rope(head_dim=8, rope_type="proportional", partial_rotary_factor=0.5, factor=1.0)
    assert context.find_changed_pairs(still).tolist() in ([], [2, 3])
    assert context.compute_speed_ups(still) == {}


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [(0, 0, False), (0, 1, True), (10**12, 10**12 + 1, False), (-5, 5, True), (7, 7, False),
     (10**12, 10**12 - 1, True), (10**12 - 1, 10**12 - 2, True), (10**13, 10**13 - 9, False)],
)  # fmt: skip
def test_frequencies_differ_from_a_relative_1e_12_on(one, other, differ):
    assert context.differ(one, other) == context.differ(other, one) == differ


def test_first_unturned_and_with_base():
    assert context.find_first_incomplete_pair(rope(), 7) == 1
    assert context.find_first_incomplete_pair(rope(), 6) == 0
    assert context.find_first_incomplete_pair(rope(head_dim=2), 7) is None
    assert context.find_first_incomplete_pair(encodings.create("sinusoidal", scale=0.0), 7) is None
    for rope_type in ("linear", "yarn", "default"):
        e = context.replace_base(rope(rope_type=rope_type), 5e5)
        assert (e.rope_type, e.rope_theta, context.find_base(e)) == ("default", 5e5, 5e5)
    assert context.find_base(context.replace_base(encodings.create("sinusoidal"), 7.0)) == 7.0
