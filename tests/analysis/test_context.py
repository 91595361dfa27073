"""Which pairs never turned in training, and which of them meet new angles at a longer length."""

import math

import numpy as np
import pytest
from mpmath import mp, mpf, pi

from pe_explorer import encodings
from pe_explorer.analysis import context
from tests.configs.formulas import frequencies

mp.dps = 40
QWEN = {"head_dim": 128, "rope_theta": 1e6}
LONG = {"factor": 4.0, "original_max_position_embeddings": 32768}


def rope(**parameters):
    return encodings.create("rope", **parameters)


def expected(e, trained, target):
    """Return pairs that turned, that stay within and that meet new angles, by the definition."""
    plain = frequencies({**e.parameters, "rope_type": "default"})
    turned, within, new = [], [], []
    for pair, (old, now) in enumerate(zip(plain, frequencies(e.parameters), strict=True)):
        if trained * old >= 2 * pi:
            turned.append(pair)
        elif target * now >= trained * old * (1 + mpf(10) ** -12):
            new.append(pair)
        else:
            within.append(pair)
    return turned, within, new


CASES = {  # parameters, changed and unturned pairs, the new ones, the worst ratio, the longest
    "plain": ({}, 0, 24, range(40, 64), 4.0, 32768),
    "ntk": ({"rope_type": "ntk", "factor": 4.0}, 63, 24, range(40, 63), 1.66, None),
    "linear": ({"rope_type": "linear", "factor": 4.0}, 64, 24, (), None, 131072),
    "yarn": ({"rope_type": "yarn", **LONG}, 40, 24, (), None, 131072),
    "llama3": ({"rope_type": "llama3", **LONG}, 30, 24, (), None, 131072),
    "dynamic": (
        {"rope_type": "dynamic", "sequence_length": 131072, **LONG}, 63, 24, (), None, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_qwen_at_four_times_its_length(name):
    parameters, changed, unturned, new, ratio, longest = CASES[name]
    e = rope(**QWEN, **parameters)
    found = context.report(e, 32768, 131072)
    by_definition = expected(e, 32768, 131072)
    assert (found.turned.tolist(), found.within.tolist(), found.new.tolist()) == by_definition
    assert (len(found.turned), found.new.tolist()) == (64 - unturned, list(new))
    if ratio is None:
        assert found.worst is None
    else:
        assert found.worst == (40, pytest.approx(ratio, abs=0.005))
    if longest:
        assert found.longest == longest
    both = zip(
        frequencies({**e.parameters, "rope_type": "default"}),
        frequencies(e.parameters),
        strict=True,
    )
    wanted = [pair for pair, (old, now) in enumerate(both) if abs(now / old - 1) > mpf(10) ** -12]
    assert context.changed(e).tolist() == wanted
    assert len(wanted) == changed


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
