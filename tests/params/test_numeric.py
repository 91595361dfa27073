"""Numbers as parameters: what they take, what they refuse, and what they say then."""

import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer.params import ParameterError, Real, Whole, whole_number
from tests.support.cases import for_each
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


@for_each(
    "value",
    [*NOT_NUMBERS, math.nan, math.inf, -math.inf, np.float64("nan")],
    ids=repr,
)
def test_whole_refuses_what_is_no_number(value):
    message = refusal(WIDTH.check, value)
    assert "not a whole number" in message
    assert "1 to 65536" in message


@for_each(
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


@for_each(
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
        ("10^12", 10**12),
        ("10**12", 10**12),
        ("64*1024", 2**16),
        ("64 × 1024", 2**16),
        ("8k", 8000),
        ("8Ki", 8192),
        ("1.5k", 1500),
        ("2M", 2 * 10**6),
        ("3Gi", 3 * 2**30),
        ("-4T", -4 * 10**12),
        ("2Ti^1", 2**41),
        ("8k^2", 64 * 10**6),
        ("-2^2", -4),
        ("-2*-3^3", 54),
        ("2.5*2", 5),
        ("10^1000*10^-998", 100),
        ("94906265*94906265", 9_007_199_136_250_225),
        ("1,500", 1500),
        ("1,500e3", 1_500_000),
        ("1,500.0", 1500),
        ("1_500", 1500),
        ("1_0", 10),
        ("1\u066c500", 1500),
        ("\u0661\u0662\u0663", 123),
        ("１２", 12),
        ("\u22128", -8),
        ("1.500e3", 1500),
        ("0.000", 0),
    ],
    ids=lambda value: str(value)[:30],
)
def test_spellings_of_whole_numbers(text, value):
    assert whole_number(text) == value
    assert POSITION.parse("speed", text) == value


@for_each(
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
        "2^0.5",
        "9^9^9",
        "64*",
        "*2",
        "2***3",
        "0^-1",
        "0^0",
        "1__0",
        "1_",
        "0 125",
        "01,500",
        "1,50",
        "12,34",
        "0,125",
        "1,5",
        "-0,5",
        "1,500,00",
        "1.000,5",
        "1.000.000",
        "1 000,500",
        "1'000",
        "8b",
        "8kk",
        "8 k",
        "8 KI",
        "8KI",
        "8m",
        "2*x",
        "1e5.5",
        "nan*1",
        "1e-400",
        "10^-400",
    ],
)
def test_texts_that_are_no_whole_number(text):
    message = refusal(POSITION.parse, text)
    assert f"{text!r} is not a whole number" in message
    assert "-2^53 to 2^53" in message


GROUPS = "put commas between groups of three digits, as in 1,000,000"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1,50", f"{GROUPS}, or write 1.50 with a decimal point"),
        ("0,125", f"{GROUPS}, or write 0.125 with a decimal point"),
        ("-1.000,5", f"{GROUPS}, or write -1000.5 with a decimal point"),
        ("1,0,5", GROUPS),
        ("1.000.000", "leave the points out: 1000000"),
        ("1.500", "leave the point and what follows it out"),
        ("8KI", "write 8Ki"),
        ("8K", "write 8k or 8Ki"),
    ],
)
def test_what_may_be_meant_is_told(text, says):
    message = refusal(POSITION.parse, text)
    assert message.startswith(f"speed: {text!r} ")
    assert message.endswith(f" (-2^53 to 2^53); {says}")


@pytest.mark.parametrize(
    ("text", "two"),
    [("1.500", "1500 or 1.5"), ("-1.000", "-1000 or -1"), ("12.340", "12340 or 12.34")],
)
def test_a_point_before_three_digits_has_two_meanings_where_numbers_are_whole(text, two):
    assert f"{text!r} could be {two} (-2^53 to 2^53)" in refusal(POSITION.parse, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3^40", 12157665459056928801),
        ("999999999999*999999999999", 999999999998000000000001),
        ("1e40", 10**40),
        ("1" * 40, int("1" * 40)),
    ],
)
def test_whole_numbers_are_exact_beyond_float64(text, value):
    assert whole_number(text) == value


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("-1e400", "-2^53"),
        ("2*-10^400", "-2^53"),
        ("\u221210^400", "-2^53"),
        ("-2*-10^400", "2^53"),
    ],
)
def test_the_nearest_valid_number_has_the_sign_of_the_product(text, nearest):
    assert refusal(POSITION.parse, text).endswith(f"the nearest valid value is {nearest}")


HUGE = [
    *("9^9^9", "10^999999999", "-10^9999999999999", "10^" + "9" * 100_000, "1e" + "9" * 100_000),
    *("*".join(["99999999"] * 111_111), "2*" * 500_000 + "2", "1.0000001^999999999"),
    *("10^999999999*10^-999999999", "1" * 10**6 + "," + "1" * 10**6, "1,000" * 10**5, "_1" * 10**6),
    *(
        "0." + "1" * 10**6,
        "1" * 10**6 + "k",
        "1.000" * 10**5,
        "1 000" * 10**5,
        " " * 10**6 + "1" * 99,
    ),
]


@for_each("text", HUGE, ids=lambda text: text[:20])
def test_what_would_take_long_is_refused_at_once(text):
    start = time.thread_time()
    for parse in (POSITION.parse, SCALE.parse):
        assert len(refusal(parse, text)) < 300
    assert time.thread_time() - start < 1  # second of work


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


@for_each("value", [*NOT_NUMBERS, math.nan, np.float32("nan")], ids=repr)
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


@for_each(
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
        ("10^4", 1e4),
        ("10^-3", 0.001),
        ("3^-1", 1 / 3),
        ("2*3.5", 7.0),
        ("0.1*3", 0.3),  # rounded once, unlike 0.1 * 3 of Python
        ("1.5k", 1500.0),
        ("0.5Ki", 512.0),
        ("10^400*10^-400", 1.0),
        ("1.0001^10000", 2.718145926825225),
        ("10,000", 1e4),
        ("-100,000", -1e5),
        ("1,500.5", 1500.5),
        ("1,500.", 1500.0),
        ("10,000e1", 1e5),
        ("1.500", 1.5),
        ("1 500", 1500.0),
        ("1\u202f500.25", 1500.25),
        ("0.123\u2009456", 0.123456),
        ("\u0661\u066b\u0665", 1.5),
        ("\u0661\u066c\u0665\u0660\u0660", 1500.0),
        ("\u22120.5", -0.5),
        ("5e-324", 5e-324),
        ("3e-324", 5e-324),
        ("2.5e-324", 5e-324),
        ("1e-300", 1e-300),
        ("0e-400", 0.0),
        ("0*10^999999999", 0.0),
    ],
)
def test_spellings_of_numbers(text, value):
    assert SCALE.parse("speed", text) == value


@for_each(
    "text",
    [
        *("", " ", "x", "1,5", "1..2", "0x10", "1e", "nan", "1 2", "2^0.5", "64*", "0 125", "1,"),
        *("1,5.2", "1,000,5", "1,2,3", "8b", "1٫5٫5", "1''000"),
    ],
)
def test_texts_that_are_no_number(text):
    message = refusal(SCALE.parse, text)
    assert f"{text or repr(text)}" in message
    assert "is not a number (-1e6 to 1e6)" in message


@for_each(
    ("text", "point"),
    [
        *(("0,125", "0.125"), ("0,001", "0.001"), ("-0,5", "-0.5"), ("1,00", "1.00")),
        *(("0,000", "0.000"), ("1234,567", "1234.567"), (",5", "0.5"), ("01,500", "01.500")),
        *(("1.000,5", "1000.5"), ("1.234.567,8e-2", "1234567.8e-2"), ("1 000,5", "1000.5")),
        *(("1_000,500", "1000.500"), ("2,5e3", "2.5e3"), ("2*0,5", "0.5"), ("0,5k", "0.5k")),
        *(("\u0660,\u0665", "0.5"), ("1\u00a0234,5", "1234.5")),
    ],
)
def test_a_decimal_comma_is_refused_with_the_number_to_write(text, point):
    message = refusal(SCALE.parse, text)
    remedy = f"is not a number (-1e6 to 1e6); write a point: {point}"
    assert message == f"speed: {text!r} {remedy}"
    number = message.rpartition(" ")[2]
    assert SCALE.parse("speed", number) == float(number.replace("k", "e3"))


@pytest.mark.parametrize(
    ("text", "two"),
    [
        *(("1,500", "1500 or 1.5"), ("-1,500", "-1500 or -1.5"), ("12,345", "12345 or 12.345")),
        *(
            ("1,500e3", "1500e3 or 1.5e3"),
            ("10,010", "10010 or 10.01"),
            ("1,500k", "1500k or 1.5k"),
        ),
    ],
)
def test_a_comma_before_three_digits_has_two_meanings(text, two):
    says = f"{text!r} could be {two} (-1e6 to 1e6); leave the comma out, or write a point"
    assert refusal(SCALE.parse, text) == f"speed: {says}"


@pytest.mark.parametrize(
    "text", ["1e-400", "-1e-400", "2.4e-324", "10^-999999999", "0." + "0" * 400 + "1"]
)
def test_what_would_become_0_is_refused(text):
    message = refusal(SCALE.parse, text)
    assert "is nearer to 0 than any number but 0 itself (-1e6 to 1e6)" in message
    assert message.endswith("; write 0 if that is meant")


def test_zero_keeps_its_sign():
    assert [math.copysign(1, SCALE.parse("speed", text)) for text in ("-0", "-0.0e5", "0")] == [
        -1,
        -1,
        1,
    ]


@given(st.fractions(), st.integers(-40, 40))
def test_products_and_powers_are_rounded_once(fraction, power):
    anything = Real(0.0, -math.inf, math.inf, label="Any", help="Any.")
    text = f"{fraction.numerator}*{fraction.denominator}^-1*10^{power}"
    assert anything.parse("speed", text) == float(fraction * Fraction(10) ** power)


@pytest.mark.parametrize(
    "text",
    ["inf", "-inf", "1e999999999", "9" * 100_000, "1000001"],
    ids=lambda text: text[:30],
)
def test_texts_of_numbers_beyond_the_limits(text):
    assert "nearest valid value is" in refusal(SCALE.parse, text)


@for_each(
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
