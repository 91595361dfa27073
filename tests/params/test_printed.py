"""Printed numbers, compared with `decimal`."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given, strategies as st

from pe_explorer.params import printed
from pe_explorer.params.number_text import parse_real_number, parse_whole_number
from tests.support.printed import in_ascii

ANY = st.floats(allow_nan=False, allow_infinity=False)


def read(text):
    """Return the exact value of a printed number."""
    plain = in_ascii(text).replace(",", "")
    return Decimal(plain.replace("10^", "1e"))


@given(ANY, st.integers(1, 17))
@example(1e-300, 4)
@example(2.0**53, 4)
@example(1e15, 6)
@example(0.99999, 4)
@example(5e-324, 17)
@example(-1.7976931348623157e308, 3)
def test_a_rounded_number_has_the_nearest_digits(number, digits):
    text = printed.format_rounded(number, digits)
    if not number:
        assert text == "0"
        return
    true = Decimal(number)
    last = Decimal(1).scaleb(true.adjusted() - digits + 1)
    unit = min(last, Decimal(1)) if abs(true) < 10**15 else last
    # Zeros may be left out within the accuracy of float64.
    slack = abs(true) * Decimal("1e-12")
    assert abs(read(text) - true) <= unit / 2 + slack, text


@given(ANY)
@example(1e-300)
@example(2.0**53)
@example(1e15)
@example(-0.1)
def test_an_exact_number_converts_back(number):
    assert float(read(printed.exact(number))) == number
    assert parse_real_number(printed.exact(number).replace(",", "")) == number


@given(st.integers(-(10**30), 10**30))
@example(2**53)
@example(0)
def test_a_whole_number_is_printed_exactly(number):
    assert int(printed.whole(number).replace(",", "").replace("−", "-")) == number
    assert parse_whole_number(printed.whole(number)) == number
    assert int(read(printed.format_short_number(number))) == number
    assert len(printed.format_short_number(number)) <= len(printed.whole(number))


PRINTED = {
    0.0: "0", math.inf: "∞", -math.inf: "−∞", math.nan: "not a number",
    3.3e-16: "3.3·10⁻¹⁶", 2_559_196: "2,559,196", 0.5: "0.5", -0.25: "−0.25", 0.99999: "1.000",
    6.2831853: "6.283", 1e15: "10¹⁵", 1e-300: "10⁻³⁰⁰", -1.0: "−1", 196.0: "196", 999.96: "1,000",
    54410.143: "54,410", 471_172_428.3: "471,172,428", 5e-324: "4.941·10⁻³²⁴",
}  # fmt: skip


def test_examples_of_rounded_numbers():
    assert {number: printed.format_rounded(number) for number in PRINTED} == PRINTED
    assert printed.format_rounded(-0.0) == "0"


OTHERWISE = {
    printed.fine: {2 / 3: "0.666667", 1234567.8: "1,234,568", 1e-7: "10⁻⁷", math.inf: "∞"},
    printed.factor: {2 / 3: "0.66667", 1.0: "1", 12345.678: "12,346", -2e-9: "−2·10⁻⁹"},
    printed.error: {2 / 3: "0.67", -3.14e-16: "−3.1·10⁻¹⁶", 123.4: "123", math.nan: "not a number"},
    printed.exact: {2 / 3: "0.6666666666666666", 1e15: "1,000,000,000,000,000", 1e16: "10¹⁶",
                    2.5e-5: "2.5·10⁻⁵", 1e-4: "0.0001", 0.0: "0", -math.inf: "−∞"},
    printed.brief: {math.tau: "6.283", 54410.6: "54,411", 0.00031: "0.00031",
                    6.2831e12: "6.283·10¹²", math.inf: "∞"},
    printed.whole: {0: "0", 999: "999", -12345: "−12,345"},
    printed.format_short_number: {9_999_999: "9,999,999", 10**7: "10⁷", -(10**7): "−10⁷",
                    12_345_678: "12,345,678", 25 * 10**9: "2.5·10¹⁰"},
}  # fmt: skip


@pytest.mark.parametrize("write", OTHERWISE, ids=lambda write: write.__name__)
def test_examples_of_other_formats(write):
    assert {number: write(number) for number in OTHERWISE[write]} == OTHERWISE[write]


def test_signs_and_long_integer_parts():
    assert [printed.fine(x, sign=True) for x in (0.5, -0.5, math.inf)] == ["+0.5", "−0.5", "+∞"]
    assert [printed.error(x, sign=True) for x in (0.0, 1e-9)] == ["+0", "+10⁻⁹"]
    texts = [printed.format_rounded(123_456.7, longest=longest) for longest in (5, 6, 7)]
    assert texts == ["1.235·10⁵", "123,457", "123,457"]
    assert [printed.format_rounded(x) for x in (1e-4, 1.25e-5, 9.99996)] == [
        "0.0001",
        "1.25·10⁻⁵",
        "10.00",
    ]


@given(ANY, st.integers(1, 8))
def test_a_sign_only_adds_its_character(number, digits):
    text = printed.format_rounded(number, digits, sign=True)
    assert text[0] == ("−" if number < 0 else "+")
    assert text[1:] == printed.format_rounded(abs(number), digits)


@pytest.mark.parametrize(
    ("text", "printed_text"),
    [
        ("from -1 to 1e-05", "from −1 to 10⁻⁵"),
        ("3.3e-16 and 1.5E+20", "3.3·10⁻¹⁶ and 1.5·10²⁰"),
        ("up to 2^53, 10^−5", "up to 2⁵³, 10⁻⁵"),
        ('the "soft" and the "sum" join', "the “soft” and the “sum” join"),
        ('{"base": 1}, f(x="y"), "a[b]"', '{"base": 1}, f(x="y"), "a[b]"'),
        ("half-split, float32-5, 000-base-1e2, x1e5", "half-split, float32-5, 000-base-1e2, x1e5"),
    ],
)
def test_numbers_in_a_text_are_formatted(text, printed_text):
    assert printed.text(text) == printed_text
    assert printed.text(printed_text) == printed_text


SHOWN = {
    "10000": "10,000", "-2559196": "−2,559,196", "1e-5": "10⁻⁵", "2^53": "2⁵³",
    "12345.6789": "12,345.6789", "all": "all", "": "", "-1234.5": "−1,234.5", "1234.x": "1234.x",
    "v.5": "v.5", "12e3": "12·10³",
}  # fmt: skip


def test_numbers_of_fields_are_formatted_and_parsed_back():
    assert {typed: printed.format_plain_number(typed) for typed in SHOWN} == SHOWN
    assert [parse_real_number(text) for text in ("3.3·10⁻¹⁶", "10⁻⁵", "2⁵³")] == [
        3.3e-16,
        1e-5,
        2**53,
    ]
    assert [parse_whole_number(text) for text in ("−2·10³", "2⁵³")] == [-2000, 2**53]


@given(st.integers(-(10**16), 10**16), st.floats(0, 1))
@example(15, 0.7563)
@example(0, 0.9964)
@example(112, 0.999999999)
@example(-1, 0.99995)
@example(-2, 0.001)
@example(7, 1.0)
def test_turns_are_the_nearest_hundredths_but_never_a_whole_turn_too_many(whole, part):
    exact, found = whole + Fraction(part), Fraction(read(printed.turns(whole, part).split()[0]))
    completed = int(abs(exact)) if part < 1 else abs(whole)  # a fraction can be rounded up to 1
    assert int(abs(found)) <= completed
    assert found * exact >= 0
    cap = completed + Fraction(99, 100)
    assert abs(min(abs(exact), cap) - abs(found)) <= Fraction(1, 200) + Fraction(1, 2**50)


@given(st.fractions(-(10**9), 10**9))
def test_turns_of_a_single_number_are_those_of_its_parts(turns):
    whole = math.floor(turns)
    assert printed.turns(turns) == printed.turns(whole, float(turns - whole))


def test_angles_are_never_rounded_to_a_whole_turn():
    for angle, text in ((359.999, "359.99°"), (-359.999, "-359.99°"), (-1e-9, "0.00°")):
        assert printed.degrees(angle) == text
    assert printed.degrees(math.nextafter(360, 0), 10) == "359.9999999999°"
