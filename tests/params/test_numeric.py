"""Numbers as parameters: what they take, what they refuse, and what they say then."""

import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_explorer.params import ParameterError, Real, Whole, whole_number
from tests.support.refusals import refusal

WIDTH = Whole(128, 1, 65_536, label="Width", help="Numbers.")
POSITION = Whole(0, -(2**53), 2**53, label="Position", help="Where.")
BASE = Real(1e4, 1.0, 1e12, above=True, label="Base", help="How slow.")
SCALE = Real(1.0, -1e6, 1e6, label="Scale", help="How far.")

NOT_NUMBERS = [True, False, np.True_, None, "7", b"7", [7], (), 1j, object]


# Whole numbers


@pytest.mark.parametrize(
    "value",
    [1, 65_536, 7.0, np.int8(7), np.uint64(7), np.float32(7), Fraction(14, 2)],
    ids=repr,
)
def test_whole_takes_whole_numbers_of_any_type(value):
    assert WIDTH.check("speed", value) == value
    assert type(WIDTH.check("speed", value)) is int


@pytest.mark.parametrize(
    "value",
    [*NOT_NUMBERS, math.nan, math.inf, -math.inf, np.float64("nan")],
    ids=repr,
)
def test_whole_refuses_what_is_no_number(value):
    message = refusal(WIDTH.check, value)
    assert "not a whole number" in message
    assert "1 to 65536" in message


@pytest.mark.parametrize(
    ("parameter", "value", "nearest"),
    [
        (WIDTH, 0, "1"),
        (WIDTH, 65_537, "65536"),
        (WIDTH, -(10**400), "1"),
        (WIDTH, 10**400, "65536"),
        (WIDTH, 1e300, "65536"),
        (WIDTH, np.int64(-5), "1"),
        (POSITION, 2**53 + 1, "2^53"),
        (POSITION, -(2**53) - 1, "-2^53"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_whole_beyond_the_limits_names_value_limits_and_nearest(parameter, value, nearest):
    message = refusal(parameter.check, value)
    assert str(int(value))[:40] in message
    assert parameter.limits in message
    assert message.endswith(f"the nearest valid value is {nearest}")
    legal = parameter.clamp(int(value))
    assert parameter.parse("speed", nearest) == parameter.check("speed", legal) == legal


@pytest.mark.parametrize(
    ("value", "nearest"),
    [
        (2.4, 2),
        (2.6, 3),
        (-0.5, 1),
        (1e5 + 0.5, 65_536),
        (np.float32(7.75), 8),
        (Fraction(1, 3), 1),
    ],
    ids=str,
)
def test_whole_offers_the_nearest_to_a_fraction(value, nearest):
    message = refusal(WIDTH.check, value)
    assert str(float(value)) in message
    assert message.endswith(f"the nearest is {nearest}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("50", 50),
        (" +50\n", 50),
        ("-8", -8),
        ("1_000_000", 10**6),
        ("1,000", 1000),
        ("1,000,000", 10**6),
        ("-12 345", -12_345),
        ("1\u2009000\u202f000", 10**6),
        ("1\u00a0000", 1000),
        ("1e12", 10**12),
        ("1E+3", 1000),
        ("1.5e3", 1500),
        ("7.0", 7),
        ("120e-1", 12),
        ("2^53", 2**53),
        ("-2^53", -(2**53)),
        ("2**10", 1024),
        ("2^0", 1),
        ("0" * 5000 + "7", 7),
        ("1e-0", 1),
    ],
    ids=lambda value: str(value)[:30],
)
def test_spellings_of_whole_numbers(text, value):
    assert whole_number(text) == value
    assert POSITION.parse("speed", text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "_",
        "x",
        "1x",
        "0x10",
        "1.5",
        "1e-3",
        "1e-999999999",
        "1,0000",
        "1,2",
        ",000",
        "1..2",
        "1 2",
        "nan",
        "inf",
        "-Infinity",
        "2^",
        "2^-1",
        "2^53.5",
        "2^2^2",
        "True",
    ],
)
def test_texts_that_are_no_whole_number(text):
    message = refusal(POSITION.parse, text)
    assert f"{text!r} is not a whole number" in message
    assert "-2^53 to 2^53" in message


@pytest.mark.parametrize(
    "text",
    ["1e999999999", "-1e999999999", "9" * 100_000, "1e400", "2^999", "1e99999999999999999999"],
    ids=lambda text: text[:30],
)
def test_huge_numbers_are_refused_at_once(text):
    start = time.thread_time()
    assert "-2^53 to 2^53" in refusal(POSITION.parse, text)
    assert "1 to 65536" in refusal(WIDTH.parse, text)
    assert time.thread_time() - start < 1  # second of work


@given(st.integers(-(2**53), 2**53) | st.sampled_from([2**53, -(2**53)]))
def test_whole_reads_what_it_writes(value):
    assert POSITION.parse("speed", POSITION.format(value)) == value


@given(st.integers())
def test_whole_clamps_to_the_nearest(value):
    nearest = WIDTH.clamp(value)
    assert WIDTH.check("speed", nearest) == nearest
    assert abs(nearest - value) == max(0, 1 - value, value - 65_536)


# Real numbers


@pytest.mark.parametrize(
    "value",
    [2, 1e12, 1.0000000000000002, np.float32(1.5), np.int16(3), Fraction(3, 2), 10**12],
    ids=repr,
)
def test_real_takes_numbers_of_any_type(value):
    assert BASE.check("speed", value) == value
    assert type(BASE.check("speed", value)) is float


@pytest.mark.parametrize("value", [*NOT_NUMBERS, math.nan, np.float32("nan")], ids=repr)
def test_real_refuses_what_is_no_number(value):
    message = refusal(BASE.check, value)
    assert "not a number" in message
    assert "above 1, at most 1e12" in message


@pytest.mark.parametrize(
    ("parameter", "value", "written", "nearest"),
    [
        (BASE, math.nextafter(1e12, math.inf), "1000000000000.0001", "1e12"),
        (BASE, math.inf, "inf", "1e12"),
        (SCALE, 10**400, "inf", "1e6"),
        (SCALE, -(10**400), "-inf", "-1e6"),
        (SCALE, np.float64(1e300), "1e300", "1e6"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_real_beyond_the_limits_names_value_limits_and_nearest(parameter, value, written, nearest):
    message = refusal(parameter.check, value)
    assert f"{written} is outside the limits ({parameter.limits})" in message
    assert message.endswith(f"the nearest valid value is {nearest}")
    assert parameter.check("speed", parameter.parse("speed", nearest)) == float(nearest)


@pytest.mark.parametrize(
    ("value", "written"),
    [(1.0, "1"), (1, "1"), (-3.5, "-3.5"), (-math.inf, "-inf")],
    ids=str,
)
def test_a_limit_that_is_excluded_offers_no_number_just_above_it(value, written):
    message = refusal(BASE.check, value)
    assert f"{written} is outside the limits ({BASE.limits})" in message
    assert message.endswith("; it must be greater than 1")


@pytest.mark.parametrize(
    ("text", "written", "remedy"),
    [
        ("1e400", "'1e400' is too large", "the nearest valid value is 1e12"),
        (" inf", "' inf' is too large", "the nearest valid value is 1e12"),
        ("-1e400", "'-1e400' is too small", "it must be greater than 1"),
    ],
)
def test_a_number_beyond_float64_is_quoted_as_it_was_typed(text, written, remedy):
    message = refusal(BASE.parse, text)
    assert message.endswith(f"{written} ({BASE.limits}); {remedy}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2.5", 2.5),
        (" 1e4 ", 1e4),
        ("10_000", 1e4),
        ("10,000.5", 10_000.5),
        ("1,000,000", 1e6),
        ("1e-5", 1e-5),
        ("-.5", -0.5),
        ("+3.", 3.0),
        ("0", 0.0),
    ],
)
def test_spellings_of_numbers(text, value):
    assert SCALE.parse("speed", text) == value


@pytest.mark.parametrize("text", ["", " ", "x", "1,5", "1..2", "0x10", "1e", "nan", "1 2", "2^10"])
def test_texts_that_are_no_number(text):
    message = refusal(SCALE.parse, text)
    assert f"{text or repr(text)}" in message
    assert "is not a number (-1e6 to 1e6)" in message


@pytest.mark.parametrize(
    "text",
    ["inf", "-inf", "1e999999999", "9" * 100_000, "1000001"],
    ids=lambda text: text[:30],
)
def test_texts_of_numbers_beyond_the_limits(text):
    assert "nearest valid value is" in refusal(SCALE.parse, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e4, "10000"),
        (0.5, "0.5"),
        (1e12, "1e12"),
        (1.5e300, "1.5e300"),
        (1e-5, "1e-5"),
        (-1e6, "-1e6"),
        (123_456_789.0, "123456789"),
        (5e-324, "5e-324"),
        (0.0, "0"),
    ],
)
def test_real_is_written_short(value, text):
    assert SCALE.format(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**15), 10**15).map(float))
@settings(max_examples=300)
def test_real_reads_what_it_writes(value):
    anything = Real(0.0, -math.inf, math.inf, label="Any", help="Any.")
    assert anything.parse("speed", anything.format(value)) == value


@pytest.mark.parametrize(
    "value",
    [math.inf, -math.inf, 10**400, np.float32("-inf")],
    ids=lambda value: str(value)[:9],
)
def test_real_without_limits_is_finite_all_the_same(value):
    anything = Real(0.0, -math.inf, math.inf, label="Any", help="Any.")
    assert "nearest valid value is" in refusal(anything.check, value)
    assert "nearest valid value is" in refusal(anything.parse, "inf" if value > 0 else "-inf")


@pytest.mark.parametrize(
    "made",
    [(Whole, 0, 1, 5), (Real, 6.0, 1.0, 5.0), (Whole, "3", 1, 5), (Real, None, 1.0, 5.0)],
    ids=repr,
)
def test_a_default_is_legal(made):
    kind, *values = made
    with pytest.raises(ParameterError, match=r"^Speed: "):
        kind(*values, label="Speed", help="How fast.")


def test_a_default_has_the_type_of_its_kind():
    assert type(Real(1, 0, 2, label="Speed", help="How fast.").default) is float
    assert type(Whole(np.int8(1), 0, 2, label="Speed", help="How fast.").default) is int


@given(st.floats(allow_nan=False))
def test_real_clamps_to_the_nearest(value):
    nearest = BASE.clamp(value)
    assert BASE.check("speed", nearest) == nearest
    assert nearest == (value if 1 < value <= 1e12 else 1e12 if value > 1e12 else 1 + 2**-52)
