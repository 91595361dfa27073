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
    6.2831853: "6.283", 1e15: "10¹⁵", 1e-300: "10⁻³⁰⁰",
}  # fmt: skip


def test_numbers_as_they_are_printed():
    assert {number: printed.rounded(number) for number in PRINTED} == PRINTED
    assert printed.rounded(-0.0) == "0"


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
    "12345.6789": "12,345.6789", "all": "all", "": "",
}  # fmt: skip


def test_what_a_field_has_is_printed_while_it_is_not_edited_and_read_where_it_is():
    assert {typed: printed.alone(typed) for typed in SHOWN} == SHOWN
    assert [real_number(text) for text in ("3.3·10⁻¹⁶", "10⁻⁵", "2⁵³")] == [3.3e-16, 1e-5, 2**53]
    assert [whole_number(text) for text in ("−2·10³", "2⁵³")] == [-2000, 2**53]
