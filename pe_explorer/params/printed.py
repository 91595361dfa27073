"""Formatting of numbers for readers: on the screen, in figures and in sentences.

Examples are ``2,559,196``, ``−0.25`` and ``3.3·10⁻¹⁶``. For commands, code and files
that programs read, use `format_real` and `format_whole`.
"""

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import lru_cache

DEFAULT_DIGITS = 4  # default number of significant digits

INFINITY_TEXT, NAN_TEXT = "∞", "not a number"

_MIN_EXPONENT = -4  # minimum decimal exponent of a number that is written without a power of ten
_MAX_PLAIN_DIGITS = 15  # maximum number of integer digits in a number without a power of ten
_MAX_ROUNDING_ERROR = 1e-12  # maximum relative difference that counts as a rounding error
_MIN_LARGE_NUMBER = 10**7  # smaller whole numbers are always written in full

_SUPERSCRIPT_DIGITS = str.maketrans("-−+0123456789", "⁻⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹")
_EXPONENT_PATTERN = re.compile(
    r"(?<![\w.\-/])([0-9][0-9,]*(?:\.[0-9]+)?)[eE]([+\-−]?)0*([0-9]+)(?!\w|\.\w)"
)
_POWER_PATTERN = re.compile(r"(?<=[0-9])\^([\-−]?[0-9]+)(?![\w.])")
_QUOTE_PATTERN = re.compile(r'(?<![\w={\[])"(\w[\w ]*)"(?![\w:])')  # no JSON, no code
_MINUS_PATTERN = re.compile(
    r"(?<![\w.)\]{}/-])-(?=\.?[0-9])"  # minus sign of a number
    r"|(?<=[\w)\]] )-(?= [\w(])"  # minus sign between two operands
)


def whole(number: int) -> str:
    """Format a whole number with all digits and thousands separators: ``2,559,196``."""
    return f"{number:,}".replace("-", "−")


def format_short_number(number: int) -> str:
    """Format a whole number exactly; large numbers use a power of ten if shorter: ``10¹²``."""
    if abs(number) < _MIN_LARGE_NUMBER:
        return whole(number)
    digits = len(str(number))
    power_text = _format(Decimal(number).normalize(_make_decimal_context(digits)), False, 0)
    return min(whole(number), power_text, key=len)


def format_rounded(
    number: float,
    digits: int = DEFAULT_DIGITS,
    *,
    sign: bool = False,
    longest: int = _MAX_PLAIN_DIGITS,
) -> str:
    """Round a number to `digits` significant digits: ``6.283``, ``54,412``, ``3.3·10⁻¹⁶``.

    The integer part is written in full, unless it has more than `longest` digits. Trailing
    zeros show that a number was rounded: 0.5 is unchanged, but 0.99999 becomes 1.000. If
    `sign` is set, positive numbers begin with ``+``.
    """
    if not math.isfinite(number):
        return _format_non_finite(number, sign)
    exact = Decimal(number)
    power = exact.adjusted()
    result = _make_decimal_context(max(digits, power + 1 if power < longest else 0)).plus(exact)
    if math.isclose(float(result), number, rel_tol=_MAX_ROUNDING_ERROR):
        result = result.normalize()
    return _format(result, sign, longest)


@lru_cache(1 << 10)
def brief(number: float, digits: int = DEFAULT_DIGITS) -> str:
    """Format a number briefly: ``6.283``, ``54,412`` or ``6.283·10¹²``."""
    return format_rounded(number, digits, longest=digits + 2)


def fine(number: float, *, sign: bool = False) -> str:
    """Format a number with six significant digits, for values at the cursor and for formulas."""
    return format_rounded(number, 6, sign=sign)


def format_percent(share: float, decimals: int = 2) -> str:
    """Format a fraction in percent; it becomes 100 % only if it is 1 up to rounding error."""
    smallest_step = 10.0**-decimals
    number = 100.0 if share > 1 - _MAX_ROUNDING_ERROR else min(100 * share, 100 - smallest_step)
    text = f"{number:.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.')} %"


def turns(number: float | Fraction, part: float = 0.0) -> str:
    """Format a number of turns with two decimals, such as ``15.76 turns``.

    A fraction of a turn is never rounded up to a whole turn. To keep the fraction of a
    large number precise, pass its whole turns as `number` and the fraction as `part`.
    """
    whole_turns, remainder = divmod(number, 1)
    part += float(remainder)
    if number < 0 and part:
        whole_turns, part = whole_turns + 1, 1 - part
    hundredths = f"{min(part, 0.99):.2f}".removeprefix("0")
    sign = "−" if number < 0 and (whole_turns or hundredths != ".00") else ""
    return f"{sign}{abs(int(whole_turns)):,}{hundredths} turns"


def degrees(angle: float, decimals: int = 2) -> str:
    """Format an angle of less than one turn in degrees; never round it to ±360°."""
    limit = 360 - 10.0**-decimals
    return f"{max(-limit, min(angle, limit)):z.{decimals}f}°"


def factor(number: float) -> str:
    """Format a factor, such as an attention factor, with five significant digits."""
    return format_rounded(number, 5)


def error(number: float, *, sign: bool = False) -> str:
    """Format a rounding error with two significant digits."""
    return format_rounded(number, 2, sign=sign)


def exact(number: float) -> str:
    """Format a number with the digits that distinguish it from all other float64 numbers."""
    if not math.isfinite(number):
        return _format_non_finite(number, False)
    short_number = Decimal(repr(float(number))).normalize()
    return _format(short_number, False, _MAX_PLAIN_DIGITS + 1)  # 2^53 is written with all 16 digits


def format_scientific(mantissa: str, power: int) -> str:
    """Format a mantissa times a power of ten: ``2·10⁻⁷``, or ``10⁻⁷`` for the mantissa 1."""
    power_of_ten = f"10{to_superscript(str(power))}"
    return power_of_ten if mantissa == "1" else f"{mantissa}·{power_of_ten}"


def to_superscript(digits: str) -> str:
    """Return digits and signs as superscripts: ``⁻⁵²``."""
    return digits.translate(_SUPERSCRIPT_DIGITS)


def text(sentence: str) -> str:
    """Return a string with proper minus signs, superscripts and quotation marks.

    Use this function for texts that contain unformatted numbers, but not for commands, code
    or files that programs read.
    """
    if "-" in sentence:
        sentence = _MINUS_PATTERN.sub("−", sentence)
    if "e" in sentence or "E" in sentence:
        sentence = _EXPONENT_PATTERN.sub(_format_exponent, sentence)
    if "^" in sentence:
        sentence = _POWER_PATTERN.sub(lambda match: to_superscript(match[1]), sentence)
    if '"' in sentence:
        sentence = _QUOTE_PATTERN.sub("“\\1”", sentence)
    return sentence


def format_plain_number(number: str) -> str:
    """Format a number for people, from its text in a field or a file, such as ``1e-5``."""
    plain = number.removeprefix("-")
    if plain.isascii() and plain.isdigit():
        return whole(int(number))
    integer, point, decimals = plain.partition(".")
    if integer.isdecimal() and decimals.isdecimal():
        sign = "−" if number.startswith("-") else ""
        return f"{sign}{int(integer):,}{point}{decimals}"
    return text(number)


def _format_exponent(match: re.Match[str]) -> str:
    mantissa, sign, power = match.groups()
    return format_scientific(mantissa, int(power) if sign in ("", "+") else -int(power))


def _make_decimal_context(digits: int) -> Context:
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)


def _format_non_finite(number: float, sign: bool) -> str:
    if math.isnan(number):
        return NAN_TEXT
    return f"{'−' if number < 0 else '+' if sign else ''}{INFINITY_TEXT}"


def _format(number: Decimal, sign: bool, longest: int) -> str:
    size, power = number.copy_abs(), number.adjusted()
    text = "0"
    if size and _MIN_EXPONENT <= power < longest:
        text = f"{size:,f}"
    elif size:
        mantissa = size.scaleb(-power, _make_decimal_context(len(size.as_tuple().digits)))
        text = format_scientific(f"{mantissa:f}", power)
    return f"{'−' if number < 0 else '+' if sign else ''}{text}"
