"""Parse numbers as people write them; the decimal mark is a point in every language.

- ``1_500``, ``1 500``, ``1٬500``: 1500; the space may be normal, narrow or non-breaking
- ``1,500``: 1500 for whole numbers; error for real numbers, because it could mean 1.5
- ``10,000``, ``1,500.5``, ``1,234,567``: numbers with thousands separators
- ``0,125``, ``1.000,5``: errors, because the decimal mark is a comma
- ``1.500``, ``1.000``: 1.5 and 1 for real numbers; errors for whole numbers
- ``−3.3·10⁻¹⁶``, ``١٫٥``: numbers as this program prints them, and digits of any script
"""

import math
import re
import unicodedata
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from pe_explorer.params.errors import format_fault, quote_value, with_remedy

NUMBERS_HELP = (
    "You can write numbers as 1_000_000, 1e12, 10^12, 2^53, 64*1024, 8k (8000; also M, G and T) or "
    "8Ki (8192; also Mi, Gi and Ti). Use a point as the decimal mark."
)
_UNIT_FACTORS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_UNIT_FACTORS |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
_MAX_ESTIMATE = Decimal("1e400")  # larger than all parameter limits and the range of float64
_MIN_ESTIMATE = 1 / _MAX_ESTIMATE
_MAX_EXPONENT = 10**7  # maximum magnitude of an exponent; larger ones are clamped
_MAX_DIGITS, _MAX_FACTORS = 100_000, 100  # maximum digit and factor counts of an exact product
_MAX_LENGTH = 60  # maximum number of characters in a number for which a correction is suggested
_ESTIMATE_CONTEXT = Context(prec=20, Emax=MAX_EMAX, Emin=MIN_EMIN)

_SUPERSCRIPT_PATTERN = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SUPERSCRIPT_TRANSLATION = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_ASCII_REPLACEMENTS = str.maketrans("−×·٫\u00a0\u2009\u202f", "-**.   ")
_FACTOR_PATTERN = re.compile(
    r"\s*(([+-]?)([\d., ٬]*[\d.,])((?:[eE][+-]?\d+)?)([A-Za-z]*))\s*(?:\^\s*([+-]?\d+)\s*)?"
)
_SPACE_GROUPS_PATTERN = re.compile(
    r"(?:^[1-9]\d{0,2}(?:[ ٬]\d{3})+|(?<=[.,])(?:\d{3}[ ٬])+\d{1,3})(?![^.,])"
)
_NUMBER_PATTERN = re.compile(r"\d+(\.\d*)?|\.\d+|[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_ONE_COMMA_PATTERN = re.compile(r"\d+,(?!000)\d{3}")
_POINT_GROUPS_PATTERN = re.compile(r"[1-9]\d{0,2}(\.\d{3})+")
_DECIMAL_COMMA_PATTERN = re.compile(r"(\d*|[1-9]\d{0,2}(?:\.\d{3})+),(\d+)")


class SpellingError(ValueError):
    """The error for a string that is ambiguous or not a number.

    `cause` continues the message "expected a number, got TEXT", or is empty. `excess_sign` is
    the sign of a whole number that is too large; in all other cases, it is 0.
    """

    def __init__(self, fault: str, remedy: str = "", cause: str = "", excess_sign: int = 0) -> None:
        self.fault, self.remedy = f"{fault}{cause}", remedy
        self.cause, self.excess_sign = cause, excess_sign
        super().__init__(with_remedy(self.fault, remedy))


def parse_whole_number(text: str) -> int:
    """Parse a whole number exactly; raise `SpellingError` for other strings."""
    sign, size = _parse_product(text, is_whole=True)
    if size > 10**40:
        raise SpellingError(f"{quote_value(text)} is too large", excess_sign=sign)
    if size.denominator != 1:
        raise SpellingError(format_fault("a whole number", text))
    return sign * size.numerator


def parse_real_number(text: str) -> float:
    """Parse a number exactly and round it to float64, or to infinity if it is too large.

    Raise `SpellingError` for a string that is not a number, and for a number other than 0
    that float64 would round to 0.
    """
    if re.fullmatch(r"[+-]?(inf|infinity|nan)", text.strip(), re.IGNORECASE):
        return float(text)
    sign, size = _parse_product(text, is_whole=False)
    try:
        number = size.numerator / size.denominator
    except OverflowError:
        number = math.inf
    if size and not number:
        cause = ", which is too close to 0 for float64"
        raise SpellingError(format_fault("a number", text), "write 0 instead", cause)
    return math.copysign(number, sign)


def _parse_product(text: str, *, is_whole: bool) -> tuple[int, Fraction]:
    fault = format_fault("a whole number" if is_whole else "a number", text)
    if not text.isascii():
        text = _SUPERSCRIPT_PATTERN.sub(
            lambda match: f"^{match[0].translate(_SUPERSCRIPT_TRANSLATION)}", text
        )
        text = "".join(str(unicodedata.decimal(c, c)) for c in text.translate(_ASCII_REPLACEMENTS))
    text = re.sub(r"(?<=\d)_(?=\d)", "", text).replace("**", "^")
    parts = text.split("*", _MAX_FACTORS)  # with too many factors, the last part is not a number
    factors = [_parse_factor(fault, part, is_whole) for part in parts]
    sign, estimate = math.prod(factor[0] for factor in factors), Decimal(1)
    for _, base, unit, power, _ in factors:  # estimated, because exact powers can be huge
        size = _ESTIMATE_CONTEXT.power(_ESTIMATE_CONTEXT.multiply(base, unit), power)
        estimate = _ESTIMATE_CONTEXT.multiply(estimate, size)
    if not _MIN_ESTIMATE <= estimate <= _MAX_ESTIMATE:
        return sign, Fraction(min(max(estimate, _MIN_ESTIMATE), _MAX_ESTIMATE) if estimate else 0)
    if sum(digits for *_, digits in factors) > _MAX_DIGITS:
        raise SpellingError(fault, cause=", which has too many digits")
    powers = ((Fraction(base) * unit) ** power for _, base, unit, power, _ in factors if power)
    return sign, math.prod(powers, start=Fraction(1))


def _parse_factor(fault: str, text: str, is_whole: bool) -> tuple[int, Decimal, int, int, int]:
    """Return the sign, number, unit and power of a factor, and a bound on its digit count."""
    match = _FACTOR_PATTERN.fullmatch(text)
    if not match:
        raise SpellingError(fault)
    number, sign, body, exponent, suffix, power_text = match.groups()
    if suffix not in _UNIT_FACTORS:
        remedy, cause, stem = "", "", number.removesuffix(suffix)
        similar_units = [unit for unit in _UNIT_FACTORS if unit.lower() == suffix.lower()]
        if similar_units and len(number) <= _MAX_LENGTH:
            remedy = f"write {stem}{similar_units[0]}"
            if suffix == "K":
                remedy, cause = f"write {stem}k or {stem}Ki", ", where K could mean 1000 or 1024"
        raise SpellingError(fault, remedy, cause)
    digits = _parse_digits(fault, body, sign, f"{exponent}{suffix}", is_whole)
    shift, power = (
        int(max(-_MAX_EXPONENT, min(_MAX_EXPONENT, float(power_digits))))
        for power_digits in (exponent[1:] or "0", power_text or "1")
    )
    base, unit = Decimal(f"{digits}e{shift}"), _UNIT_FACTORS[suffix]
    if not base and power <= 0:
        raise SpellingError(fault)
    digit_count = abs(power) * (len(digits) + abs(shift) + len(str(unit)))
    return int(f"{sign}1"), base, unit, power, digit_count


def _parse_digits(fault: str, body: str, sign: str, ending: str, is_whole: bool) -> str:
    body = _SPACE_GROUPS_PATTERN.sub(lambda match: re.sub("[ ٬]", "", match[0]), body)
    if _NUMBER_PATTERN.fullmatch(body):
        remedy = "remove the comma, or use a decimal point"
        ambiguous_match = _ONE_COMMA_PATTERN.fullmatch(body)
        if is_whole:
            remedy = "write it without points"
            ambiguous_match = _POINT_GROUPS_PATTERN.fullmatch(body + ending)
        if not ambiguous_match:
            return body.replace(",", "")
        text_as_decimal = f"{sign}{body}".replace(",", ".").rstrip("0").rstrip(".")
        text_as_whole = f"{sign}{body}".replace(",", "").replace(".", "")
        cause = f", which could mean {text_as_whole}{ending} or {text_as_decimal}{ending}"
        raise SpellingError(fault, remedy, cause)
    if len(body) > _MAX_LENGTH:
        raise SpellingError(fault)
    if _POINT_GROUPS_PATTERN.fullmatch(body):
        raise SpellingError(fault, f"remove the points: {sign}{body.replace('.', '')}{ending}")
    decimal_text = ""
    if comma_match := _DECIMAL_COMMA_PATTERN.fullmatch(body):
        integer = comma_match[1].replace(".", "") or "0"
        decimal_text = f"{sign}{integer}.{comma_match[2]}{ending}"
    remedy = decimal_text and f"use a decimal point: {decimal_text}"
    if is_whole and "," in body:
        remedy = "put commas between groups of three digits, as in 1,000,000"
        remedy += decimal_text and f", or use a decimal point: {decimal_text}"
    raise SpellingError(fault, remedy)
