"""The types of RoPE: against 80 digits, at odd corners, and against each trap of their formulas."""

import importlib.util
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError
from pe_explorer.encodings.rope_types import TYPES
from pe_explorer.exploration import Pin, short_name
from pe_explorer.files.snippet import LIBRARY_NAMES, snippet
from pe_explorer.flags import parse_pins, spelled_pin
from pe_explorer.params import declared, only_used
from tests.support.cases import for_each
from tests.support.definitions import FAR, mp
from tests.support.oracles import definition

KINDS = declared(encodings.find("rope"))


def rope(rope_type="default", **parameters):
    return encodings.create("rope", rope_type=rope_type, **parameters)


def frequencies(e):
    return [definition(e).frequency(i) for i in range(e.pairs)]


def largest_error(e):
    """Return the largest relative error of the frequencies, against 80 digits."""
    pairs = zip(e.frequencies(), frequencies(e), strict=True)
    return max(float(abs(mp.mpf(float(a)) - b) / b) if b else abs(a) for a, b in pairs)


@st.composite
def ropes(draw):
    """Return an encoding of any type, with any parameters that go together."""
    head_dim = 2 * draw(st.integers(1, 40))
    part = draw(st.sampled_from([1.0, 0.5, 0.25, 0.75, 1 / 3]))
    rope_type = draw(st.sampled_from(list(TYPES)))
    turned = TYPES[rope_type].turned(head_dim, part)
    numbers = st.lists(st.floats(1e-6, 1e12), min_size=turned // 2, max_size=turned // 2)
    lists = st.just([]) | numbers
    trained = draw(st.integers(2, 2**53) | st.sampled_from([2, 4, 6, 7, 4096, 8192, 131_072]))
    betas = sorted([draw(st.floats(1e-3, 1e3)), draw(st.floats(1e-3, 1e3))], reverse=True)
    low = draw(st.floats(1e-3, 1e3))
    try:
        return rope(
            rope_type,
            head_dim=head_dim,
            partial_rotary_factor=part,
            rope_theta=draw(st.floats(1.0001, 1e12)),
            factor=draw(st.floats(1e-6, 1e12) | st.sampled_from([1.0, 4.0, 40.0])),
            original_max_position_embeddings=trained,
            sequence_length=draw(
                st.sampled_from([None, 1, trained, min(trained + 1, 2**53)]) | st.integers(1, 2**53)
            ),
            short_factor=draw(lists),
            long_factor=draw(lists),
            beta_fast=betas[0],
            beta_slow=draw(st.sampled_from(betas)),
            truncate=draw(st.booleans()),
            low_freq_factor=low,
            high_freq_factor=low * draw(st.floats(1.001, 100)),
            attention=draw(st.sampled_from([None, 0.5, 1.19])),
        )
    except EncodingError as error:
        if error.name in ("head_dim", "partial_rotary_factor", "rope_type"):
            return rope(rope_type)
        raise


@given(ropes())
@settings(max_examples=300, deadline=None)
def test_frequencies_and_factors_are_the_definition(e):
    assert largest_error(e) <= 1e-15
    exact = definition(e).amplitude
    assert abs(mp.mpf(e.attention_factor) - exact) <= 4e-16 * exact


@given(ropes(), st.lists(st.integers(-(2**53), 2**53), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_tables_and_means_are_exact_at_any_position(e, positions):
    defined, size = definition(e), max(1.0, e.attention_factor)
    table = e.table(positions)
    for j in sorted({0, 1, e.rotary - 1, e.rotary, e.width - 1}):
        for row, p in enumerate(positions):
            exact = defined.element(p, j)
            assert abs(mp.mpf(float(table[row, j])) - exact) <= 1e-15 * size
        mean = defined.block_mean(-(10**12), 10**7, j)
        assert abs(mp.mpf(float(e.block_means(-(10**12), 10**7, 1)[0, j])) - mean) <= 1e-15 * size


@pytest.mark.parametrize("rope_type", ["yarn", "longrope"])
def test_queries_and_keys_are_multiplied_by_the_attention_factor(rope_type):
    e = rope(rope_type, head_dim=8, partial_rotary_factor=0.5)
    x = np.random.default_rng(4).normal(size=(3, 8))
    turned, factor = e.rotate(x, [0, 7, 10**6]), float(definition(e).amplitude)
    assert factor > 1
    lengths = np.linalg.norm(x[:, :4], axis=1)
    np.testing.assert_allclose(np.linalg.norm(turned[:, :4], axis=1), factor * lengths)
    np.testing.assert_array_equal(turned[:, 4:], x[:, 4:])
    assert e.score([0])[0] == 1


# -- odd corners -----------------------------------------------------------------------------------

QWEN = {"rope_theta": 1e6, "original_max_position_embeddings": 32_768}


@for_each(
    "e",
    [
        rope("yarn", beta_fast=1.0, beta_slow=1.0),  # the ramp is one pair wide
        rope("yarn", beta_fast=1.0, beta_slow=1.0, truncate=False),  # its ends are one number
        rope("yarn", original_max_position_embeddings=4),  # and in reverse
        rope("yarn", rope_theta=1.01, original_max_position_embeddings=2**53),
        rope("yarn", factor=1.0),
        rope("yarn", head_dim=2),
        rope("llama3", original_max_position_embeddings=2),
        rope("dynamic", sequence_length=8192),
        rope("dynamic", sequence_length=8193),
        rope("longrope", long_factor=[2.0] * 64, sequence_length=8192),
        rope("longrope", long_factor=[2.0] * 64, sequence_length=8193),
        rope("proportional", head_dim=10, partial_rotary_factor=0.5),
        rope("proportional", head_dim=2, partial_rotary_factor=0.3),
    ],
    ids=str,
)
def test_corners_are_as_defined(e):
    assert largest_error(e) <= 1e-15


def test_a_ramp_in_reverse_changes_no_pair_or_all_and_says_so():
    e = rope("yarn", original_max_position_embeddings=4)
    np.testing.assert_array_equal(e.frequencies(), rope().frequencies())
    assert e.explain(1, 5)[-1].endswith("in reverse, from 0 to -3, so its frequency stays.")
    e = rope("yarn", rope_theta=2.0)
    paper = rope(rope_theta=2.0).frequencies()
    np.testing.assert_allclose(e.frequencies(), paper / 4, rtol=1e-15)
    assert e.explain(1, 5)[-1].endswith("in reverse, from 342 to 127, so the whole factor counts.")


def test_a_ramp_s_end_is_rounded_by_its_exact_number():
    """A base for which the end is a whole number but for the 30th digit: float64 rounds it up."""
    length, pair = 32_768, 20
    for theta in np.nextafter(1e6, np.array([0.0, 2e6])):
        theta = float(theta)
        with mp.workdps(60):
            turns = length / (2 * mp.pi) * mp.mpf(theta) ** (-mp.mpf(2 * pair) / 128)
            beta = float(turns)
            exact = 128 * mp.log(length / (2 * mp.pi * mp.mpf(beta))) / (2 * mp.log(theta))
        e = rope("yarn", rope_theta=theta, original_max_position_embeddings=length, beta_fast=beta)
        kept = np.isclose(e.frequencies(), e.unscaled.frequencies(), rtol=1e-12).sum()
        assert kept == int(mp.floor(exact)) + 1
        found = {}
        exec(snippet(e, range(3)), found)
        np.testing.assert_allclose(found["table"], e.table(range(3)), atol=1e-12)


# -- traps -----------------------------------------------------------------------------------------


def slowing(e):
    return e.unscaled.frequencies() / e.frequencies()


def test_dynamic_counts_from_the_trained_length_on():
    """Not from 0: at the trained length nothing changes, and the exponent is R/(R - 2)."""
    np.testing.assert_array_equal(rope("dynamic").frequencies(), rope().frequencies())
    e = rope("dynamic", factor=2.0, sequence_length=16_384)
    assert slowing(e)[-1] == pytest.approx(2 * 2 - 1, rel=1e-12)
    assert slowing(e)[0] == 1


def test_a_base_too_large_for_float32_makes_angles_of_0_there():
    lengths = {"original_max_position_embeddings": 2, "sequence_length": 2**53}
    e = rope("dynamic", head_dim=4, factor=1e12, **lengths)
    np.testing.assert_array_equal(e.float32_angles(np.arange(3)), [[0, 0], [1, 0], [2, 0]])


def test_ntk_slows_the_slowest_pair_by_just_the_factor():
    """With the factor as a multiple of the base it would be by factor^(126/128)."""
    assert slowing(rope("ntk", factor=4.0))[-1] == pytest.approx(4, rel=1e-12)
    assert slowing(rope("ntk", factor=4.0, head_dim=96, partial_rotary_factor=0.5))[-1] == (
        pytest.approx(4, rel=1e-12)
    )


def test_yarn_s_ramp_is_limited_by_channels_not_by_pairs():
    """With R/2 - 1 as the last end, the ramp would be steeper."""
    narrow = rope("yarn", rope_theta=500.0, original_max_position_embeddings=20_000, head_dim=64)
    ends = [64 * math.log(20_000 / (2 * math.pi * r)) / (2 * math.log(500)) for r in (32, 1)]
    low, high = math.floor(ends[0]), min(math.ceil(ends[1]), 63)
    assert high > 31
    share = (31 - low) / (high - low)
    assert slowing(narrow)[-1] == pytest.approx(1 / (1 - share + share / 4), rel=1e-12)


def test_yarn_interpolates_frequencies_not_wavelengths():
    e = rope("yarn", **QWEN)
    share = (30 - 23) / (40 - 23)
    assert slowing(e)[30] == pytest.approx(1 / (1 - share + share / 4), rel=1e-12)
    assert [int(np.isclose(slowing(e), by).sum()) for by in (1, 4)] == [24, 24]
    assert e.wavelengths()[[0, -1]] == pytest.approx([2 * math.pi, 20_253_023.176], rel=1e-9)
    assert e.attention_factor == pytest.approx(1.138629436, rel=1e-9)


def test_yarn_without_truncation_has_a_ramp_between_pairs():
    """gpt-oss: 32 x 4,096, base 150,000."""
    given = {"head_dim": 64, "rope_theta": 150_000.0, "factor": 32.0}
    given["original_max_position_embeddings"] = 4096
    rounded, free = (rope("yarn", truncate=each, **given).frequencies() for each in (True, False))
    low, high = (64 * math.log(4096 / (2 * math.pi * r)) / (2 * math.log(150_000)) for r in (32, 1))
    share = (12 - low) / (high - low)
    paper = 150_000.0 ** (-24 / 64)
    assert free[12] == pytest.approx(paper * (1 - share + share / 32), rel=1e-12)
    assert abs(rounded[12] / free[12] - 1) > 0.01


def test_longrope_is_long_strictly_above_the_trained_length():
    lists = {"short_factor": [1.5] * 64, "long_factor": [3.0] * 64}
    for length, by in [(None, 1.5), (8191, 1.5), (8192, 1.5), (8193, 3.0)]:
        e = rope("longrope", sequence_length=length, **lists)
        np.testing.assert_allclose(slowing(e), by, rtol=1e-14)
        assert e.attention_factor == pytest.approx(math.sqrt(1 + math.log(4) / math.log(8192)))


def test_llama3_keeps_pairs_by_their_turns_not_by_their_number():
    e = rope("llama3", factor=8.0, rope_theta=5e5)
    lengths = 2 * math.pi * 5e5 ** (np.arange(64) / 64)
    assert np.isclose(slowing(e), 1).sum() == (lengths < 8192 / 4).sum() == 29
    assert np.isclose(slowing(e), 8).sum() == (lengths > 8192).sum() == 29
    mixed = slowing(e)[29:35]
    assert all(1 < before < after < 8 for before, after in pairwise(mixed))


def test_proportional_spaces_pairs_over_the_whole_head():
    """With the rotary width in the exponent, pair 1 would turn four times as fast."""
    e = rope("proportional", head_dim=512, rope_theta=1e6, partial_rotary_factor=0.25, factor=1.0)
    assert (e.rotary, e.pairs, int((e.frequencies() > 0).sum())) == (512, 256, 64)
    assert e.frequencies()[1] == pytest.approx(1e6 ** (-2 / 512), rel=1e-14)
    assert np.isinf(e.wavelengths()[64:]).all()
    x = np.ones((1, 512))
    np.testing.assert_array_equal(e.rotate(x, [9])[0, 64:256], 1.0)  # half: channels 64 + 256 on
    odd = rope("proportional", head_dim=10, partial_rotary_factor=0.5)  # int(0.5 · 10 // 2)
    assert int((odd.frequencies() > 0).sum()) == 2


def test_a_partial_width_scales_by_the_channels_that_turn():
    """GLM and Phi: D(r) and R/(R - 2) have the rotary width, not that of the head."""
    for rope_type in ("yarn", "ntk", "dynamic"):
        whole = rope(rope_type, head_dim=64, sequence_length=20_000)
        part = rope(rope_type, head_dim=128, partial_rotary_factor=0.5, sequence_length=20_000)
        np.testing.assert_array_equal(whole.frequencies(), part.frequencies())


# -- what is written -------------------------------------------------------------------------------


@for_each("library", [*filter(importlib.util.find_spec, LIBRARY_NAMES)])
@for_each("parameters", [{}, *definition(rope()).sets], ids=str)
def test_code_makes_the_table(library, parameters):
    e, found = rope(**parameters) if parameters else rope(), {}
    code = snippet(e, range(40), library)
    exec(code, found)
    np.testing.assert_allclose(np.asarray(found["table"]), e.table(range(40)), atol=1e-12)


def test_code_of_a_ramp_that_float64_cannot_tell_from_a_step():
    beta = math.nextafter(32.0, math.inf)
    e, found = rope("yarn", beta_fast=beta, beta_slow=32.0, truncate=False), {}
    exec(snippet(e, range(40)), found)
    np.testing.assert_allclose(found["table"], e.table(range(40)), atol=1e-12)


@for_each("rope_type", TYPES)
def test_names_code_and_pins_have_only_what_counts(rope_type):
    long = [1.0 + i / 64 for i in range(64)]
    e = rope(rope_type, factor=3.0, short_factor=long, beta_fast=40.0, low_freq_factor=0.5)
    takes = TYPES[rope_type].takes
    first, name = snippet(e, range(3)).splitlines()[0], short_name(e)
    for word in ("factor", "short_factor", "beta_fast", "low_freq_factor"):
        assert (f" {word}=" in first) == takes(word), word
    assert ("s=3" in name) == takes("factor")
    assert len(name) <= 80
    assert len(first) < 400  # a list of 64 numbers is not written out
    (read,) = parse_pins([spelled_pin(Pin(e, "one"))])
    assert read.encoding == only_used(e)
    np.testing.assert_array_equal(read.encoding.table(FAR), e.table(FAR))


@for_each("name", [name for name, kind in KINDS.items() if kind.when])
def test_a_value_of_another_type_is_refused_where_it_is_typed(name):
    kind = KINDS[name]
    wrong = next(word for word in TYPES if word not in kind.when)
    text = "on" if name == "truncate" else "3"
    with pytest.raises(ValueError, match="does not use it; leave it out, or choose") as caught:
        parse_pins([f"rope rope_type={wrong} {name}={text}"])
    assert all(word in str(caught.value) for word in kind.when[1:])
    assert getattr(rope(wrong, **{name: kind.default}), name) == kind.default  # but kept otherwise
