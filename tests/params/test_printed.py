"""Printed numbers, read back by `decimal`: they are the numbers to the digits that are shown."""

import math
from decimal import Decimal

import pytest
from hypothesis import example, given, strategies as st

from pe_explorer.params import printed
from pe_explorer.params.number_text import real_number, whole_number
from tests.support.printed import in_ascii

ANY = st.floats(allow_nan=False, allow_infinity=False)


def read(text):
    """Return what a printed number means, exactly."""
    plain = in_ascii(text).replace(",", "")
    return Decimal(plain.replace("10^", "1e"))


@given(ANY, st.integers(1, 17))
@example(1e-300, 4)
@example(2.0**53, 4)
@example(1e15, 6)
@example(0.99999, 4)
@example(5e-324, 17)
@example(-1.7976931348623157e308, 3)
def test_a_rounded_number_is_nearest_to_the_digits_shown(number, digits):
    text = printed.rounded(number, digits)
    if not number:
        assert text == "0"
        return
    true = Decimal(number)
    last = Decimal(1).scaleb(true.adjusted() - digits + 1)
    unit = min(last, Decimal(1)) if abs(true) < 10**15 else last
    # Zeros are left out where float64 itself is no nearer.
    slack = abs(true) * Decimal("1e-12")
    assert abs(read(text) - true) <= unit / 2 + slack, text


@given(ANY)
@example(1e-300)
@example(2.0**53)
@example(1e15)
@example(-0.1)
def test_an_exact_number_is_read_back(number):
    assert float(read(printed.exact(number))) == number
    assert real_number(printed.exact(number).replace(",", "")) == number


@given(st.integers(-(10**30), 10**30))
@example(2**53)
@example(0)
def test_a_whole_number_has_all_its_digits(number):
    assert int(printed.whole(number).replace(",", "").replace("−", "-")) == number
    assert whole_number(printed.whole(number)) == number
    assert int(read(printed.short(number))) == number
    assert len(printed.short(number)) <= len(printed.whole(number))


PRINTED = {
    0.0: "0", math.inf: "∞", -math.inf: "−∞", math.nan: "not a number",
    3.3e-16: "3.3·10⁻¹⁶", 2_559_196: "2,559,196", 0.5: "0.5", -0.25: "−0.25", 0.99999: "1.000",
    6.2831853: "6.283", 1e15: "10¹⁵", 1e-300: "10⁻³⁰⁰", -1.0: "−1", 196.0: "196", 999.96: "1,000",
    54410.143: "54,410", 471_172_428.3: "471,172,428", 5e-324: "4.941·10⁻³²⁴",
}  # fmt: skip


def test_numbers_as_they_are_printed():
    assert {number: printed.rounded(number) for number in PRINTED} == PRINTED
    assert printed.rounded(-0.0) == "0"


OTHERWISE = {
    printed.fine: {2 / 3: "0.666667", 1234567.8: "1,234,568", 1e-7: "10⁻⁷", math.inf: "∞"},
    printed.factor: {2 / 3: "0.66667", 1.0: "1", 12345.678: "12,346", -2e-9: "−2·10⁻⁹"},
    printed.error: {2 / 3: "0.67", -3.14e-16: "−3.1·10⁻¹⁶", 123.4: "123", math.nan: "not a number"},
    printed.exact: {2 / 3: "0.6666666666666666", 1e15: "1,000,000,000,000,000", 1e16: "10¹⁶",
                    2.5e-5: "2.5·10⁻⁵", 1e-4: "0.0001", 0.0: "0", -math.inf: "−∞"},
    printed.brief: {math.tau: "6.283", 54410.6: "54,411", 0.00031: "0.00031",
                    6.2831e12: "6.283·10¹²", math.inf: "∞"},
    printed.whole: {0: "0", 999: "999", -12345: "−12,345"},
    printed.short: {9_999_999: "9,999,999", 10**7: "10⁷", -(10**7): "−10⁷",
                    12_345_678: "12,345,678", 25 * 10**9: "2.5·10¹⁰"},
}  # fmt: skip


@pytest.mark.parametrize("write", OTHERWISE, ids=lambda write: write.__name__)
def test_numbers_as_they_are_printed_elsewhere(write):
    assert {number: write(number) for number in OTHERWISE[write]} == OTHERWISE[write]


def test_signs_and_long_whole_parts():
    assert [printed.fine(x, sign=True) for x in (0.5, -0.5, math.inf)] == ["+0.5", "−0.5", "+∞"]
    assert [printed.error(x, sign=True) for x in (0.0, 1e-9)] == ["+0", "+10⁻⁹"]
    told = [printed.rounded(123_456.7, longest=longest) for longest in (5, 6, 7)]
    assert told == ["1.235·10⁵", "123,457", "123,457"]
    assert [printed.rounded(x) for x in (1e-4, 1.25e-5, 9.99996)] == [
        "0.0001",
        "1.25·10⁻⁵",
        "10.00",
    ]


@given(ANY, st.integers(1, 8))
def test_a_sign_is_only_in_front(number, digits):
    text = printed.rounded(number, digits, sign=True)
    assert text[0] == ("−" if number < 0 else "+")
    assert text[1:] == printed.rounded(abs(number), digits)


@pytest.mark.parametrize(
    ("text", "printed_text"),
    [
        ("from -1 to 1e-05", "from −1 to 10⁻⁵"),
        ("3.3e-16 and 1.5E+20", "3.3·10⁻¹⁶ and 1.5·10²⁰"),
        ("up to 2^53, 10^−5", "up to 2⁵³, 10⁻⁵"),
        ("half-split, float32-5, 000-base-1e2, x1e5", "half-split, float32-5, 000-base-1e2, x1e5"),
    ],
)
def test_numbers_in_a_text_are_printed(text, printed_text):
    assert printed.text(text) == printed_text
    assert printed.text(printed_text) == printed_text


SHOWN = {
    "10000": "10,000", "-2559196": "−2,559,196", "1e-5": "10⁻⁵", "2^53": "2⁵³",
    "12345.6789": "12,345.6789", "all": "all", "": "", "-1234.5": "−1,234.5", "1234.x": "1234.x",
    "v.5": "v.5", "12e3": "12·10³",
}  # fmt: skip


def test_what_a_field_has_is_printed_while_it_is_not_edited_and_read_where_it_is():
    assert {typed: printed.from_plain(typed) for typed in SHOWN} == SHOWN
    assert [real_number(text) for text in ("3.3·10⁻¹⁶", "10⁻⁵", "2⁵³")] == [3.3e-16, 1e-5, 2**53]
    assert [whole_number(text) for text in ("−2·10³", "2⁵³")] == [-2000, 2**53]
