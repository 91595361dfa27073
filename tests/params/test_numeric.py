"""Numbers as parameters: legal values and errors."""

import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer.params import ParameterError, Real, Whole, parse_whole_number
from pe_explorer.params.number_text import SpellingError
from tests.params.refusals import refusal

WIDTH = Whole(128, 1, 65_536, label="Width", help="Numbers.")
POSITION = Whole(0, -(2**53), 2**53, label="Position", help="Where.")
BASE = Real(1e4, 1.0, 1e12, excludes_low=True, label="Base", help="How slow.")
SCALE = Real(1.0, -1e6, 1e6, label="Scale", help="How far.")
ANY = Real(0.0, -math.inf, math.inf, label="Any", help="Any.")


def shortened(value):
    return str(value)[:30]


@pytest.mark.parametrize(
    ("parameter", "kind", "values"),
    [
        (WIDTH, int, [1, 65_536, 7.0, np.int8(7), np.uint64(7), np.float32(7), Fraction(14, 2)]),
        (BASE, float, [2, 1e12, 1 + 2**-52, np.float32(1.5), np.int16(3), Fraction(3, 2), 10**12]),
    ],
)
def test_numbers_of_any_type_are_converted(parameter, kind, values):
    for value in values:
        checked = parameter.check("speed", value)
        assert (type(checked), checked) == (kind, value)
    assert type(Real(1, 0, 2, label="Speed", help="How fast.").default) is float
    assert type(Whole(np.int8(1), 0, 2, label="Speed", help="How fast.").default) is int


@pytest.mark.parametrize(
    "value",
    [True, False, np.True_, None, "7", b"7", [7], (), 1j, object, math.nan, np.float32("nan")],
    ids=repr,
)
def test_values_other_than_numbers_are_refused(value):
    assert "a whole number from 1 to 65536, got" in refusal(WIDTH.check, value)
    assert "a number above 1, at most 1e12, got" in refusal(BASE.check, value)


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_infinity_is_refused(value):
    assert "a whole number" in refusal(WIDTH.check, value)
    for parameter in (SCALE, ANY):
        for text in (refusal(parameter.check, value), refusal(parameter.parse, str(value))):
            assert "nearest valid value is" in text
    for value in (10**400, np.float32("-inf")):
        assert "nearest valid value is" in refusal(ANY.check, value)


@pytest.mark.parametrize(
    ("parameter", "value", "written", "nearest"),
    [
        (WIDTH, 0, "0", "1"),
        (WIDTH, 65_537, "65537", "65536"),
        (WIDTH, -(10**400), "-1000000000", "1"),
        (WIDTH, 10**400, "1000000000", "65536"),
        (WIDTH, 1e300, "1000000000000000", "65536"),
        (WIDTH, np.int64(-5), "-5", "1"),
        (POSITION, 2**53 + 1, "9007199254740993", "2^53"),
        (POSITION, -(2**53) - 1, "-9007199254740993", "-2^53"),
        (BASE, math.nextafter(1e12, math.inf), "1000000000000.0001", "1e12"),
        (BASE, math.inf, "inf", "1e12"),
        (SCALE, 10**400, "inf", "1e6"),
        (SCALE, -(10**400), "-inf", "-1e6"),
        (SCALE, np.float64(1e300), "1e300", "1e6"),
    ],
    ids=shortened,
)
def test_an_error_beyond_the_limits_names_the_nearest_value(parameter, value, written, nearest):
    message = refusal(parameter.check, value)
    assert f", got {written}" in message
    assert parameter.limits in message
    assert message.endswith(f" {nearest}.")
    legal = parameter.parse("speed", nearest)
    assert legal == parameter.check("speed", legal)
    assert legal == parameter.clamp(value if isinstance(parameter, Real) else int(value))


@pytest.mark.parametrize(
    ("value", "nearest"),
    [(2.4, 2), (2.6, 3), (-0.5, 1), (1e5 + 0.5, 2**16), (np.float32(7.75), 8), (Fraction(1, 3), 1)],
)
def test_an_error_for_a_fraction_names_the_nearest_whole_number(value, nearest):
    message = refusal(WIDTH.check, value)
    assert str(float(value)) in message
    assert message.endswith(f" {nearest}.")


@pytest.mark.parametrize(
    ("value", "written"), [(1.0, "1"), (1, "1"), (-3.5, "-3.5"), (-math.inf, "-inf")]
)
def test_an_error_at_an_excluded_limit_names_the_limit(value, written):
    message = refusal(BASE.check, value)
    assert f"{BASE.limits}, got {written}." in message
    assert message.endswith("must be greater than 1.")


WHOLE_NUMBERS = {
    "50": 50, " +50\n": 50, "-8": -8, "1_000_000": 10**6, "1,000": 1000, "1,000,000": 10**6,
    "-12 345": -12_345, "1\u2009000\u202f000": 10**6, "1\u00a0000": 1000, "1e12": 10**12,
    "1E+3": 1000, "1.5e3": 1500, "7.0": 7, "120e-1": 12, "2^53": 2**53, "-2^53": -(2**53),
    "2**10": 1024, "2^0": 1, "0" * 5000 + "7": 7, "1e-0": 1, "10^12": 10**12, "10**12": 10**12,
    "64*1024": 2**16, "64 × 1024": 2**16, "8k": 8000, "8Ki": 8192, "1.5k": 1500, "2M": 2 * 10**6,
    "3Gi": 3 * 2**30, "-4T": -4 * 10**12, "2Ti^1": 2**41, "8k^2": 64 * 10**6, "-2^2": -4,
    "-2*-3^3": 54, "2.5*2": 5, "10^1000*10^-998": 100, "1,500": 1500, "1,500e3": 1_500_000,
    "94906265*94906265": 9_007_199_136_250_225, "1,500.0": 1500, "1_500": 1500, "1_0": 10,
    "1\u066c500": 1500, "\u0661\u0662\u0663": 123, "１２": 12, "\u22128": -8, "1.500e3": 1500,
    "0.000": 0,
}  # fmt: skip


@pytest.mark.parametrize("text", WHOLE_NUMBERS, ids=shortened)
def test_notations_of_whole_numbers(text):
    assert parse_whole_number(text) == POSITION.parse("speed", text) == WHOLE_NUMBERS[text]


def test_0_may_have_a_word():
    parameter = Whole(0, 0, 99, zero_word="all", label="Rows", help="How many.")
    assert parameter.limits == "0 to 99; 0 is all"
    assert [parameter.format(value) for value in (0, 7)] == ["all", "7"]
    assert [parameter.parse("rows", text) for text in (" ALL ", "0", "7")] == [0, 0, 7]
    for value, nearest in ((-1, "all"), (100, "99")):
        assert refusal(parameter.check, value).endswith(f" is {nearest}.")
    refusal(WIDTH.parse, "")


def test_whole_numbers_are_exact_beyond_float64():
    assert parse_whole_number("3^40") == 3**40
    assert parse_whole_number("999999999999*999999999999") == 999999999999**2
    assert parse_whole_number("1e40") == 10**40
    assert parse_whole_number("1" * 40) == int("1" * 40)
    with pytest.raises(SpellingError):
        parse_whole_number(str(10**40 + 1))


def test_corrections_are_offered_for_up_to_60_characters():
    for digits, is_written in (("1" * 58, True), ("1" * 59, False)):
        for text in (f"{digits}KI", f"0,{digits}"):
            message = refusal(SCALE.parse, text)
            assert (digits in message.partition("… ")[2]) == is_written


NO_WHOLE_NUMBERS = """
    - _ x 1x 0x10 1.5 1e-3 1e-999999999 1,0000 1,2 ,000 1..2 nan inf -Infinity 2^ 2^-1 2^53.5 2^2^2
    2^0.5 9^9^9 64* *2 2***3 0^-1 0^0 1__0 1_ 01,500 1,50 12,34 0,125 1,5 -0,5 1,500,00 1.000,5
    1.000.000 1'000 8b 8kk 8KI 8m 2*x 1e5.5 nan*1 1e-400 10^-400
"""


@pytest.mark.parametrize(
    "text", [*NO_WHOLE_NUMBERS.split(), "", " ", "1 2", "0 125", "1 000,500", "8 k", "8 KI"]
)
def test_texts_that_are_not_whole_numbers_are_refused(text):
    message = refusal(POSITION.parse, text)
    assert f"got {text!r}" in message
    assert "-2^53 to 2^53" in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,50", ["1,000,000", " 1.50 "]),
        ("0,125", ["1,000,000", " 0.125 "]),
        ("-1.000,5", ["1,000,000", " -1000.5 "]),
        ("1,0,5", ["1,000,000"]),
        ("1.000.000", [" 1000000"]),
        ("8KI", [" 8Ki"]),
        ("8K", [" 8k or 8Ki"]),
        *((text, [" -2^53"]) for text in ("-1e400", "2*-10^400", "\u221210^400")),
        ("-2*-10^400", [" 2^53"]),
    ],
)
def test_errors_offer_corrections(text, words):
    problem, quoted, rest = refusal(POSITION.parse, text).partition(f", got {text!r}")
    assert quoted
    assert problem.endswith(POSITION.limits)
    assert [word for word in words if word not in f"{rest.removesuffix('.')} "] == []


@pytest.mark.parametrize(
    ("parameter", "text", "two"),
    [
        *((POSITION, text, two) for text, two in [
            ("1.500", "1500 or 1.5"), ("-1.000", "-1000 or -1"), ("12.340", "12340 or 12.34"),
        ]),
        *((SCALE, text, two) for text, two in [
            ("1,500", "1500 or 1.5"), ("-1,500", "-1500 or -1.5"), ("12,345", "12345 or 12.345"),
            ("1,500e3", "1500e3 or 1.5e3"), ("10,010", "10010 or 10.01"),
            ("1,500k", "1500k or 1.5k"),
        ]),
    ],
)  # fmt: skip
def test_ambiguous_separators_are_refused(parameter, text, two):
    message = refusal(parameter.parse, text)
    assert f"{parameter.limits}, got {text!r}, which could mean {two}. " in message
    assert ("without points" if parameter is POSITION else "the comma") in message


HUGE = [
    "9^9^9", "10^999999999", "-10^9999999999999", "10^" + "9" * 100_000, "1e" + "9" * 100_000,
    "*".join(["99999999"] * 111_111), "2*" * 500_000 + "2", "1.0000001^999999999",
    "10^999999999*10^-999999999", "1" * 10**6 + "," + "1" * 10**6, "1,000" * 10**5, "_1" * 10**6,
    "0." + "1" * 10**6, "1" * 10**6 + "k", "1.000" * 10**5, "1 000" * 10**5,
    " " * 10**6 + "1" * 99, "1e999999999", "-1e999999999", "9" * 100_000, "1e400", "2^999",
    "1e99999999999999999999",
]  # fmt: skip


@pytest.mark.parametrize("text", HUGE, ids=lambda text: text[:20])
def test_expensive_numbers_are_refused_quickly(text):
    start = time.thread_time()
    for parameter in (WIDTH, POSITION, SCALE):
        message = refusal(parameter.parse, text)
        assert parameter.limits in message
        assert len(message) < 300
    assert time.thread_time() - start < 1  # second of work


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0." + "1" * 99_997, 1 / 9),
        ("0." + "1" * 100_001, None),
        ("1e49997*1e-49997", 1.0),
        ("1e49999*1e-49999", None),
        ("1Ti^3571*1Ti^-3571", 1.0),  # 14 digits with its unit
        ("1Ti^3572*1Ti^-3572", None),
        ("*".join(["1"] * 101), 1.0),
        ("*".join(["1"] * 102), None),
    ],
    ids=shortened,
)
def test_exact_products_have_limits(text, value):
    if value is None:
        refusal(SCALE.parse, text)
    else:
        assert SCALE.parse("speed", text) == value


@pytest.mark.parametrize(
    ("text", "written", "remedy"),
    [
        ("1e400", "'1e400'", "nearest valid value is 1e12"),
        (" inf", "' inf'", "nearest valid value is 1e12"),
        ("-1e400", "'-1e400'", "must be greater than 1"),
    ],
)
def test_an_error_quotes_a_number_beyond_float64_as_typed(text, written, remedy):
    problem, _, advice = refusal(BASE.parse, text).partition(". ")
    assert problem == f"speed: expected a number {BASE.limits}, got {written}"
    assert remedy in advice


NUMBERS = {
    "2.5": 2.5, " 1e4 ": 1e4, "10_000": 1e4, "10,000.5": 10_000.5, "1,000,000": 1e6, "1e-5": 1e-5,
    "-.5": -0.5, "+3.": 3.0, "0": 0.0, "10^4": 1e4, "10^-3": 0.001, "3^-1": 1 / 3, "2*3.5": 7.0,
    "0.1*3": 0.3,  # rounded once, unlike 0.1 * 3 of Python
    "1.5k": 1500.0, "0.5Ki": 512.0, "10^400*10^-400": 1.0, "1.0001^10000": 2.718145926825225,
    "10,000": 1e4, "-100,000": -1e5, "1,500.5": 1500.5, "1,500.": 1500.0, "10,000e1": 1e5,
    "1.500": 1.5, "1 500": 1500.0, "1\u202f500.25": 1500.25, "0.123\u2009456": 0.123456,
    "\u0661\u066b\u0665": 1.5, "\u0661\u066c\u0665\u0660\u0660": 1500.0, "\u22120.5": -0.5,
    "5e-324": 5e-324, "3e-324": 5e-324, "2.5e-324": 5e-324, "1e-300": 1e-300, "0e-400": 0.0,
    "0*10^999999999": 0.0,
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS, ids=ascii)
def test_notations_of_numbers(text):
    assert SCALE.parse("speed", text) == NUMBERS[text]


NO_NUMBERS = [
    "", " ", "x", "1,5", "1..2", "0x10", "1e", "nan", "1 2", "2^0.5", "64*", "0 125", "1,", "1,5.2",
    "1,000,5", "1,2,3", "8b", "1٫5٫5", "1''000",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_texts_that_are_not_numbers_are_refused(text):
    message = refusal(SCALE.parse, text)
    assert f"{text or repr(text)}" in message
    assert "a number from -1e6 to 1e6, got" in message


UNIT_POINTS = {
    "0,125": "0.125", "0,001": "0.001", "-0,5": "-0.5", "1,00": "1.00", "0,000": "0.000",
    "1234,567": "1234.567", ",5": "0.5", "01,500": "01.500", "1.000,5": "1000.5",
    "1.234.567,8e-2": "1234567.8e-2", "1 000,5": "1000.5", "1_000,500": "1000.500",
    "2,5e3": "2.5e3", "2*0,5": "0.5", "0,5k": "0.5k", "\u0660,\u0665": "0.5",
    "1\u00a0234,5": "1234.5",
}  # fmt: skip


@pytest.mark.parametrize("text", UNIT_POINTS, ids=ascii)
def test_an_error_for_a_decimal_comma_offers_a_point(text):
    point = UNIT_POINTS[text]
    message = refusal(SCALE.parse, text)
    assert f"from -1e6 to 1e6, got {text!r}" in message
    assert message.endswith(f" {point}.")
    assert SCALE.parse("speed", point) == float(point.replace("k", "e3"))


@pytest.mark.parametrize(
    "text", ["1e-400", "-1e-400", "2.4e-324", "10^-999999999", "0." + "0" * 400 + "1"]
)
def test_numbers_that_would_round_to_0_are_refused(text):
    message = refusal(SCALE.parse, text)
    assert "too close to 0 for float64" in message
    assert message.endswith("rite 0 instead.")


def test_zero_keeps_its_sign():
    zeros = [SCALE.parse("speed", text) for text in ("-0", "-0.0e5", "0")]
    assert [math.copysign(1, zero) for zero in zeros] == [-1, -1, 1]


@given(st.fractions(), st.integers(-40, 40))
def test_products_and_powers_are_rounded_once(fraction, power):
    text = f"{fraction.numerator}*{fraction.denominator}^-1*10^{power}"
    assert ANY.parse("speed", text) == float(fraction * Fraction(10) ** power)


WRITTEN = {
    1e4: "10000", 0.5: "0.5", 1e12: "1e12", 1.5e300: "1.5e300", 1e-5: "1e-5", -1e6: "-1e6",
    123_456_789.0: "123456789", 5e-324: "5e-324", 0.0: "0",
}  # fmt: skip


def test_numbers_are_formatted_briefly():
    assert {value: SCALE.format(value) for value in WRITTEN} == WRITTEN


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**15), 10**15).map(float))
@settings(max_examples=100)
def test_numbers_round_trip_through_text(value):
    assert ANY.parse("speed", ANY.format(value)) == value


@given(st.integers(-(2**53), 2**53) | st.sampled_from([2**53, -(2**53)]))
def test_whole_numbers_round_trip_through_text(value):
    assert POSITION.parse("speed", POSITION.format(value)) == value


@given(st.integers(), st.floats(allow_nan=False))
def test_clamp_returns_the_nearest_legal_number(whole, real):
    nearest = WIDTH.clamp(whole)
    assert WIDTH.check("speed", nearest) == nearest
    assert abs(nearest - whole) == max(0, 1 - whole, whole - 65_536)
    nearest = BASE.clamp(real)
    assert BASE.check("speed", nearest) == nearest
    assert nearest == (real if 1 < real <= 1e12 else 1e12 if real > 1e12 else 1 + 2**-52)


@pytest.mark.parametrize(
    ("kind", "values"), [(Whole, (0, 1, 5)), (Real, (6.0, 1.0, 5.0)), (Whole, ("3", 1, 5)),
                         (Real, (None, 1.0, 5.0))],
)  # fmt: skip
def test_a_default_is_legal(kind, values):
    with pytest.raises(ParameterError, match=r"^Speed: "):
        kind(*values, label="Speed", help="How fast.")
