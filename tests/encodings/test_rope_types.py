"""RoPE types, compared with 80 digits and with published numbers."""

import math
import re

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.encodings.rope_types import TYPES
from pe_explorer.exploration import Pin, make_short_name
from pe_explorer.files.snippet import snippet
from pe_explorer.flags import format_pin, parse_pins
from pe_explorer.params import declared, drop_unused_fields
from tests.support.definitions import FAR, mp, worked_out
from tests.support.oracles import definition

pytestmark = pytest.mark.usefixtures("few_decimals")
KINDS = declared(encodings.find("rope"))


def rope(rope_type="default", **parameters):
    return encodings.create("rope", rope_type=rope_type, **parameters)


def frequencies(e):
    return definition(e).frequencies()


def largest_error(e):
    """Return the largest relative error of the frequencies."""
    pairs = zip(e.frequencies(), frequencies(e), strict=True)
    return max(float(abs(mp.mpf(float(a)) - b) / b) if b else abs(a) for a, b in pairs)


@pytest.mark.parametrize("rope_type", ["yarn", "longrope"])
def test_queries_and_keys_are_multiplied_by_the_attention_factor(rope_type):
    e = rope(rope_type, head_dim=8, partial_rotary_factor=0.5)
    x = np.random.default_rng(4).normal(size=(3, 8))
    turned, factor = e.rotate(x, [0, 7, 10**6]), float(definition(e).amplitude)
    assert factor > 1
    assert e.value_range == (-e.attention_factor, e.attention_factor)
    assert e.pair_weight * e.pairs == pytest.approx(np.square(e.table([5])).sum(), rel=1e-14)
    lengths = np.linalg.norm(x[:, :4], axis=1)
    np.testing.assert_allclose(np.linalg.norm(turned[:, :4], axis=1), factor * lengths)
    np.testing.assert_array_equal(turned[:, 4:], x[:, 4:])
    assert e.score([0])[0] == 1


# -- special cases ---------------------------------------------------------------------------------

CORNERS = [
    rope("yarn", beta_fast=1.0, beta_slow=1.0),  # the ramp is one pair wide
    rope("yarn", beta_fast=1.0, beta_slow=1.0, truncate=False),  # the ends of the ramp are equal
    rope("yarn", original_max_position_embeddings=4, factor=0.5),  # the ramp is reversed
    rope("yarn", rope_theta=1.01, original_max_position_embeddings=2**53, attention=1.5),
    rope("yarn", factor=1.0),
    rope("yarn", rope_theta=10.0, original_max_position_embeddings=1000),  # ramp beyond all pairs
    rope("yarn", head_dim=2, factor=1.5),
    rope("llama3", original_max_position_embeddings=2),
    rope("llama3", original_max_position_embeddings=2**53),
    rope("llama3", factor=1.0),
    rope("longrope"),  # without lists
    rope("longrope", factor=1.0),
    rope("dynamic"),
    rope("dynamic", sequence_length=8192),
    rope("dynamic", sequence_length=8193),
    rope("longrope", long_factor=[2.0] * 64, sequence_length=8192, factor=1.5),
    rope("longrope", long_factor=[2.0] * 64, sequence_length=8193),
    rope("proportional", head_dim=10, partial_rotary_factor=0.5),
    rope("proportional", head_dim=2, partial_rotary_factor=0.3),
    rope("proportional", head_dim=6, partial_rotary_factor=0.34),
]
EVERY = [*CORNERS, *(rope(**parameters) for parameters in definition(rope()).sets)]


def test_special_cases_equal_the_definition():
    assert [e for e in CORNERS if largest_error(e) > 1e-15] == []
    for e in EVERY:
        assert e.attention_factor == pytest.approx(float(definition(e).amplitude), rel=1e-15)
        exact = [float(each) for each in frequencies(e)]
        np.testing.assert_allclose(e.compute_code_angles([1])[0], exact, rtol=1e-6, err_msg=str(e))
        for pair in sorted({0, e.pairs // 2, e.pairs - 1}):
            column = list(e.wave_indices).index(pair)
            value, tolerance = worked_out(e.explain(3, column)[0], {"p": 3})
            assert abs(value - definition(e).element(3, column)) <= tolerance, (e, pair)


RAMP = ("original_max_position_embeddings", "beta_fast", "beta_slow", "truncate")
BANDS = ("original_max_position_embeddings", "low_freq_factor", "high_freq_factor")
IDLE = [  # the parameters without effect
    (rope("yarn"), ()),
    (rope("yarn", factor=1.0), RAMP),
    (rope("yarn", head_dim=2, factor=1.0), (*RAMP, "rope_theta", "layout")),
    (rope("yarn", original_max_position_embeddings=4), ()),  # it changes the attention factor
    (rope("yarn", original_max_position_embeddings=4, attention=2.0), ("factor",)),
    (rope("llama3", factor=1.0), BANDS),
    (rope("llama3", head_dim=2, factor=1.0), (*BANDS, "rope_theta", "layout")),
    (rope("llama3", original_max_position_embeddings=2**53), ("factor",)),
    (rope("longrope", sequence_length=8192), ("long_factor",)),
    (rope("longrope", sequence_length=8193), ("short_factor",)),
    (rope("longrope", factor=1.0), ("long_factor", "original_max_position_embeddings")),
    (rope("longrope", factor=1.0, sequence_length=9), ("long_factor",)),
    (rope("longrope", attention=2.0), ("long_factor", "factor", BANDS[0])),
    (rope("longrope", attention=2.0, sequence_length=8193), ("short_factor", "factor")),
    (rope("proportional", partial_rotary_factor=0.01), ("factor", "rope_theta", "layout")),
    (rope("proportional", partial_rotary_factor=0.02), ("rope_theta",)),
    (rope("proportional", partial_rotary_factor=0.04), ()),
]


def test_parameters_without_effect_are_named():
    for e, names in IDLE:
        assert set(e.ineffective_parameters) == set(names), e


REASONS = [  # encoding, pair, numbers in the reason for its frequency, and a word of the reason
    (rope("linear"), 3, [], "factor"),
    (rope("dynamic", sequence_length=8192), 3, [], "not exceed"),
    (
        rope("dynamic", sequence_length=16_384),
        3,
        [f"{1e4 * 5 ** (128 / 126):.6g}", "10000"],
        "base",
    ),
    (rope("ntk"), 3, [f"{1e4 * 4 ** (128 / 126):.6g}", "10000"], "base"),
    (rope("yarn"), 25, ["25", "25"], "does not change"),
    (rope("yarn"), 32, ["32", "28", "25", "50"], "%"),
    (rope("yarn", truncate=False), 32, ["32", "25.9", "25.760962", "49.843361"], "%"),
    (rope("yarn"), 50, ["50", "50"], "factor divides"),
    (rope("longrope", sequence_length=8192), 3, ["8,192"], "not exceed"),
    (rope("longrope", sequence_length=8193), 3, ["8,192"], "long list"),
    (rope("proportional", partial_rotary_factor=0.5), 31, [], "factor"),
    (rope("proportional", partial_rotary_factor=0.5), 32, ["32", "64"], "only"),
]


def test_reasons_for_frequencies_have_the_right_numbers():
    for e, pair, numbers, word in REASONS:
        why = dict(e.reading(3, pair))["Why"]
        assert re.findall(r"\d[\d,.]*(?<![,.])", why) == numbers, why
        assert word in why
    assert "Why" not in dict(rope().reading(3, 3))


def test_a_reversed_ramp_changes_no_pair_or_all():
    for parameters, factor, ends in (
        ({"original_max_position_embeddings": 4}, 1, ("from 0 to -3", "does not change")),
        ({"rope_theta": 2.0}, 4, ("from 342 to 127", "the factor divides")),
    ):
        e, plain = rope("yarn", **parameters), rope(**parameters)
        np.testing.assert_allclose(e.frequencies(), plain.frequencies() / factor, rtol=1e-15)
        assert [words for words in ends if words not in e.explain(1, 5)[-1]] == []


def test_the_end_of_a_ramp_is_rounded_exactly():
    """For these bases, the end differs from a whole number in the 30th digit."""
    length, pair = 32_768, 20
    for theta in np.nextafter(1e6, np.array([0.0, 2e6])):
        theta = float(theta)
        with mp.workdps(60):
            turns = length / (2 * mp.pi) * mp.mpf(theta) ** (-mp.mpf(2 * pair) / 128)
            beta = float(turns)
            exact = 128 * mp.log(length / (2 * mp.pi * mp.mpf(beta))) / (2 * mp.log(theta))
        e = rope("yarn", rope_theta=theta, original_max_position_embeddings=length, beta_fast=beta)
        unchanged_count = np.isclose(e.frequencies(), e.unscaled.frequencies(), rtol=1e-12).sum()
        assert unchanged_count == int(mp.floor(exact)) + 1
        np.testing.assert_allclose(table_by(snippet(e, range(3))), e.table(range(3)), atol=1e-12)


# -- published numbers -----------------------------------------------------------------------------


def slowing(e):
    return e.unscaled.frequencies() / e.frequencies()


def test_a_base_beyond_float32_gives_angles_of_0():
    lengths = {"original_max_position_embeddings": 2, "sequence_length": 2**53}
    e = rope("dynamic", head_dim=4, factor=1e12, **lengths)
    np.testing.assert_array_equal(e.compute_code_angles(np.arange(3)), [[0, 0], [1, 0], [2, 0]])


def test_yarn_as_published_for_qwen():
    e = rope("yarn", rope_theta=1e6, original_max_position_embeddings=32_768)
    share = (30 - 23) / (40 - 23)  # of frequencies, not of wavelengths
    assert slowing(e)[30] == pytest.approx(1 / (1 - share + share / 4), rel=1e-12)
    assert [int(np.isclose(slowing(e), by).sum()) for by in (1, 4)] == [24, 24]
    assert e.wavelengths()[[0, -1]] == pytest.approx([2 * math.pi, 20_253_023.176], rel=1e-9)
    assert e.attention_factor == pytest.approx(1.138629436, rel=1e-9)


def test_longrope_uses_the_long_list_above_the_training_length():
    lists = {"short_factor": [1.5] * 64, "long_factor": [3.0] * 64}
    for length, by in [(None, 1.5), (8191, 1.5), (8192, 1.5), (8193, 3.0)]:
        e = rope("longrope", sequence_length=length, **lists)
        np.testing.assert_allclose(slowing(e), by, rtol=1e-14)
        assert e.attention_factor == pytest.approx(math.sqrt(1 + math.log(4) / math.log(8192)))


def test_bands_of_llama3():
    e = rope("llama3", factor=8.0, rope_theta=5e5, low_freq_factor=1.25, high_freq_factor=4.5)
    defined = definition(e)
    turns = [8192 * defined.paper(pair) / (2 * mp.pi) for pair in range(64)]
    counts = {by: int(np.isclose(slowing(e), by).sum()) for by in (1, 8)}
    assert counts == {1: sum(t > 4.5 for t in turns), 8: sum(t < 1.25 for t in turns)}
    for pair, often in enumerate(turns):
        why = dict(e.reading(3, pair))["Why"]
        hundredths = f"{min(float(often), math.floor(often) + 0.99):,.2f}"
        ends = ["4.5"] if often > 4.5 else ["1.25"] if often < 1.25 else ["1.25", "4.5"]
        numbers = [str(pair), hundredths, "8,192", *ends]
        assert re.findall(r"\d[\d,.]*(?<![,.])(?:e[+-]\d+)?", why) == numbers
        assert ("does not change" in why) == (often > 4.5)
        assert ("factor divides" in why) == (often < 1.25)
        assert ("interpolated" in why) == (1.25 < often < 4.5)
        formula = e.explain(3, pair)[0]
        value, tolerance = worked_out(formula, {"p": 3})
        assert abs(value - defined.element(3, pair)) <= tolerance
        assert (" / 8" in formula, "s_" in formula) == (often < 1.25, 1.25 < often < 4.5)


# -- code and names --------------------------------------------------------------------------------


def table_by(code):
    names = {}
    exec(code, names)
    return np.asarray(names["table"])


def test_code_of_special_cases_computes_the_table():
    betas = {"beta_fast": math.nextafter(32.0, math.inf), "beta_slow": 32.0}
    for e in (*CORNERS, rope("yarn", **betas, truncate=False)):
        table = table_by(snippet(e, range(40)))
        np.testing.assert_allclose(table, e.table(range(40)), atol=1e-12, err_msg=str(e))


@pytest.mark.parametrize("rope_type", TYPES)
def test_names_code_and_pins_contain_only_used_parameters(rope_type):
    long = [1.0 + i / 64 for i in range(64)]
    e = rope(rope_type, factor=3.0, short_factor=long, beta_fast=40.0, low_freq_factor=0.5)
    takes = TYPES[rope_type].has_parameter
    first, name = snippet(e, range(3)).splitlines()[0], make_short_name(e)
    for word in ("factor", "short_factor", "beta_fast", "low_freq_factor"):
        assert (f" {word}=" in first) == takes(word), word
    assert ("s=3" in name) == takes("factor")
    assert len(name) <= 80
    assert len(first) < 400  # a list of 64 numbers is shortened
    (read,) = parse_pins([format_pin(Pin(e, "one"))])
    assert read.encoding == drop_unused_fields(e)
    np.testing.assert_array_equal(read.encoding.table(FAR), e.table(FAR))


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.when])
def test_a_typed_parameter_of_another_type_is_refused(name):
    kind = KINDS[name]
    wrong = next(word for word in TYPES if word not in kind.when)
    text = "on" if name == "truncate" else "3"
    with pytest.raises(
        ValueError, match=rf"{name.replace('_', '-')}: .*rope-type {wrong}.* [Ll]eave it out"
    ) as caught:
        parse_pins([f"rope rope_type={wrong} {name}={text}"])
    assert all(word in str(caught.value) for word in kind.when[1:])
    assert getattr(rope(wrong, **{name: kind.default}), name) == kind.default  # legal in Python
