"""The grammar of numbers as people write them; the decimal mark is a point in every language.

- ``1_500``, ``1 500``: 1500, with any usual, narrow or non-breaking space, or ``٬``
- ``1,500``: 1500 where only whole numbers are read; else refused, because it could be 1.5
- ``10,000``, ``1,500.5``: thousands everywhere, as ``1,234,567`` is
- ``0,125``, ``1.000,5``: refused, because a decimal comma is meant and a point is to be written
- ``1.500``, ``1.000``: 1.5 and 1; refused where only whole numbers are read
- ``−3.3·10⁻¹⁶``, ``١٫٥``: as numbers are printed here, and digits of any script
"""

import math
import re
import unicodedata
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from pe_explorer.params.errors import quoted, with_remedy

NUMBERS_HELP = (
    "Numbers may be written 1_000_000, 1e12, 10^12, 2^53, 64*1024, 8k (8000; also M, G and T) or "
    "8Ki (8192; also Mi, Gi and Ti). The decimal mark is a point."
)
_UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_UNITS |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
_HUGE, _TINY = Decimal("1e400"), Decimal("1e-400")  # beyond every limit and every float64
_LARGEST_POWER = 10**7  # stands for every larger power
_MOST_DIGITS, _MOST_FACTORS = 100_000, 100  # of a product that is computed exactly
_LONGEST = 60  # characters of a number with separators
_ROUGHLY = Context(prec=20, Emax=MAX_EMAX, Emin=MIN_EMIN)

_RAISED = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_ASCII = str.maketrans("−×·٫\u00a0\u2009\u202f", "-**.   ")
_FACTOR = re.compile(
    r"\s*(([+-]?)([\d., ٬]*[\d.,])((?:[eE][+-]?\d+)?)([A-Za-z]*))\s*(?:\^\s*([+-]?\d+)\s*)?"
)
_SPACED = re.compile(r"(?:^[1-9]\d{0,2}(?:[ ٬]\d{3})+|(?<=[.,])(?:\d{3}[ ٬])+\d{1,3})(?![^.,])")
_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+|[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_ONE_COMMA = re.compile(r"\d+,(?!000)\d{3}")
_POINTS = re.compile(r"[1-9]\d{0,2}(\.\d{3})+")
_DECIMAL_COMMA = re.compile(r"(\d*|[1-9]\d{0,2}(?:\.\d{3})+),(\d+)")


class SpellingError(ValueError):
    """A text that is no number or could be two; `beyond` is the sign of one beyond every limit."""

    def __init__(self, fault: str, remedy: str = "", beyond: int = 0) -> None:
        self.fault, self.remedy, self.beyond = fault, remedy, beyond
        super().__init__(with_remedy(fault, remedy) if remedy else fault)


def whole_number(text: str) -> int:
    """Read a whole number, exactly; raises `SpellingError`."""
    sign, size = _product(text, whole=True)
    if size > 10**40:
        raise SpellingError(f"{quoted(text)} is too large", beyond=sign)
    if size.denominator != 1:
        raise SpellingError(f"{quoted(text)} is not a whole number")
    return sign * size.numerator


def real_number(text: str) -> float:
    """Read a number, rounded once; what is beyond float64 is infinite. Raises `SpellingError`."""
    if re.fullmatch(r"[+-]?(inf|infinity|nan)", text.strip(), re.IGNORECASE):
        return float(text)
    sign, size = _product(text, whole=False)
    try:
        found = size.numerator / size.denominator
    except OverflowError:
        found = math.inf
    if size and not found:
        fault = f"{quoted(text)} is nearer to 0 than any number but 0 itself"
        raise SpellingError(fault, "write 0 if that is meant")
    return math.copysign(found, sign)


def _product(text: str, *, whole: bool) -> tuple[int, Fraction]:
    """Return the sign of a product, and its size: exactly, unless that is huge or tiny."""
    fault = f"{quoted(text)} is not a {'whole number' if whole else 'number'}"
    if not text.isascii():
        text = _RAISED.sub(lambda found: f"^{found[0].translate(_LOWERED)}", text)
        text = "".join(str(unicodedata.decimal(c, c)) for c in text.translate(_ASCII))
    text = re.sub(r"(?<=\d)_(?=\d)", "", text).replace("**", "^")
    parts = text.split("*", _MOST_FACTORS)  # what is left of too many has a "*" in it
    factors = [_factor(fault, part, whole) for part in parts]
    sign, estimate = math.prod(factor[0] for factor in factors), Decimal(1)
    for _, base, unit, power, _ in factors:  # an exact power may have millions of digits
        size = _ROUGHLY.power(_ROUGHLY.multiply(base, unit), power)
        estimate = _ROUGHLY.multiply(estimate, size)
    if not _TINY <= estimate <= _HUGE:
        return sign, Fraction(min(max(estimate, _TINY), _HUGE) if estimate else 0)
    if sum(digits for *_, digits in factors) > _MOST_DIGITS:
        raise SpellingError(f"{fault}: it has too many digits")
    exact = ((Fraction(base) * unit) ** power for _, base, unit, power, _ in factors if power)
    return sign, math.prod(exact, start=Fraction(1))


def _factor(fault: str, text: str, whole: bool) -> tuple[int, Decimal, int, int, int]:
    """Return the sign of a factor, its number, unit and power, and how many digits it has."""
    found = _FACTOR.fullmatch(text)
    if not found:
        raise SpellingError(fault)
    number, sign, body, exponent, suffix, power_text = found.groups()
    if suffix not in _UNITS:
        raise _unknown_suffix(fault, number, suffix)
    digits = _digits(fault, body, sign, f"{exponent}{suffix}", whole)
    shift, power = (
        int(max(-_LARGEST_POWER, min(_LARGEST_POWER, float(digits_of_power))))
        for digits_of_power in (exponent[1:] or "0", power_text or "1")
    )
    base, unit = Decimal(f"{digits}e{shift}"), _UNITS[suffix]
    if not base and power <= 0:
        raise SpellingError(fault)
    digit_count = abs(power) * (len(digits) + abs(shift) + len(str(unit)))
    return int(f"{sign}1"), base, unit, power, digit_count


def _unknown_suffix(fault: str, number: str, suffix: str) -> SpellingError:
    plain = number.removesuffix(suffix)
    meant = next((unit for unit in _UNITS if unit.lower() == suffix.lower()), "")
    if not meant or len(number) > _LONGEST:
        return SpellingError(fault)
    if suffix == "K":
        fault, meant = f"{quoted(number)} could be thousands or units of 1024", f"k or {plain}Ki"
    return SpellingError(fault, f"write {plain}{meant}")


def _digits(fault: str, body: str, sign: str, rest: str, whole: bool) -> str:
    """Return digits without separators of thousands; refuse those that could be a decimal mark."""
    body = _SPACED.sub(lambda found: re.sub("[ ٬]", "", found[0]), body)
    if _NUMBER.fullmatch(body):
        if not (_POINTS.fullmatch(body + rest) if whole else _ONE_COMMA.fullmatch(body)):
            return body.replace(",", "")
        smaller = f"{sign}{body}".replace(",", ".").rstrip("0").rstrip(".")
        larger = f"{sign}{body}".replace(",", "").replace(".", "")
        fault = f"{quoted(sign + body + rest)} could be {larger}{rest} or {smaller}{rest}"
        remedy = "leave the comma out, or write a point"
        raise SpellingError(fault, "leave the point and what follows it out" if whole else remedy)
    if len(body) > _LONGEST:
        raise SpellingError(fault)
    if _POINTS.fullmatch(body):
        raise SpellingError(fault, f"leave the points out: {sign}{body.replace('.', '')}{rest}")
    comma = _DECIMAL_COMMA.fullmatch(body)
    pointed = f"{sign}{comma[1].replace('.', '').rjust(1, '0')}.{comma[2]}{rest}" if comma else ""
    remedy = pointed and f"write a point: {pointed}"
    if whole and "," in body:
        remedy = "put commas between groups of three digits, as in 1,000,000"
        remedy += pointed and f", or write {pointed} with a decimal point"
    raise SpellingError(fault, remedy)
