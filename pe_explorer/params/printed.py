"""Numbers as they are printed: on the screen, in figures and in sentences.

All that people read is written here: ``2,559,196``, ``−0.25``, ``3.3·10⁻¹⁶``. Commands, code and
files that programs read have numbers as `format_real` and `format_whole` write them.
"""

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import lru_cache

DIGITS = 4  # of a number in a sentence, in a table or beside a mark
FINE_DIGITS = 6  # of a number that is read at the cursor, and of those in its formula
FACTOR_DIGITS = 5  # of a factor of scores, cosines and sines
ERROR_DIGITS = 2  # of a rounding error

INFINITE, UNKNOWN = "∞", "not a number"

_LEAST_POWER = -4  # of ten; smaller numbers are written with a power
_MOST_WHOLE_DIGITS = 15  # of a number that is written without a power
_ROUNDING = 1e-12  # relative, that counts as a rounding error
_SHORT = 10**7  # whole numbers below this are written in full, wherever there is little room

_RAISED = str.maketrans("-−+0123456789", "⁻⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹")
_EXPONENT = re.compile(
    r"(?<![\w.\-/])([0-9][0-9,]*(?:\.[0-9]+)?)[eE]([+\-−]?)0*([0-9]+)(?!\w|\.\w)"
)
_POWER = re.compile(r"(?<=[0-9])\^([\-−]?[0-9]+)(?![\w.])")
_MINUS = re.compile(
    r"(?<![\w.)\]{}/-])-(?=\.?[0-9])"  # of a number
    r"|(?<=[\w)\]] )-(?= [\w(])"  # between two numbers
)


def whole(number: int) -> str:
    """Return a whole number with all its digits, and separators: ``2,559,196``."""
    return f"{number:,}".replace("-", "−")


def short(number: int) -> str:
    """Return a whole number, exactly, in few characters: ``10¹²``."""
    if abs(number) < _SHORT:
        return whole(number)
    digits = len(str(number))
    with_power = _signed(Decimal(number).normalize(_context(digits)), False, 0)
    return min(whole(number), with_power, key=len)


def rounded(
    number: float, digits: int = DIGITS, *, sign: bool = False, longest: int = _MOST_WHOLE_DIGITS
) -> str:
    """Return a number in so many digits: ``6.283``, ``54,412``, ``3.3·10⁻¹⁶``.

    Whole parts are written in full, unless they have more than `longest` digits. Zeros at the end
    are left out where nothing was rounded away: 0.5 stays 0.5, and 0.99999 is 1.000. With `sign`,
    positive numbers have one, too.
    """
    if not math.isfinite(number):
        return _not_finite(number, sign)
    exact = Decimal(number)
    power = exact.adjusted()
    found = _context(max(digits, power + 1 if power < longest else 0)).plus(exact)
    if math.isclose(float(found), number, rel_tol=_ROUNDING):
        found = found.normalize()
    return _signed(found, sign, longest)


@lru_cache(1 << 10)
def brief(number: float, digits: int = DIGITS) -> str:
    """Return a number where there is little room: ``6.283``, ``54,412`` or ``6.283·10¹²``."""
    return rounded(number, digits, longest=digits + 2)


def fine(number: float, *, sign: bool = False) -> str:
    """Return a number as it is read at the cursor."""
    return rounded(number, FINE_DIGITS, sign=sign)


def percent(share: float, decimals: int = 2) -> str:
    """Return a share in percent; what is not all is never rounded to all."""
    least = 10.0**-decimals
    number = 100.0 if share > 1 - _ROUNDING else min(100 * share, 100 - least)
    text = f"{number:.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.')} %"


def factor(number: float) -> str:
    """Return a factor of scores, or of cosines and sines."""
    return rounded(number, FACTOR_DIGITS)


def error(number: float, *, sign: bool = False) -> str:
    """Return a rounding error."""
    return rounded(number, ERROR_DIGITS, sign=sign)


def exact(number: float) -> str:
    """Return a number with as many digits as tell it from all other float64 numbers."""
    if not math.isfinite(number):
        return _not_finite(number, False)
    found = Decimal(repr(float(number))).normalize()
    return _signed(found, False, _MOST_WHOLE_DIGITS + 1)  # up to 2^53, and not beyond


def times_ten(mantissa: str, power: int) -> str:
    """Return a number times a power of ten: ``2·10⁻⁷``, and without a factor 1 ``10⁻⁷``."""
    raised_ten = f"10{raised(str(power))}"
    return raised_ten if mantissa == "1" else f"{mantissa}·{raised_ten}"


def raised(digits: str) -> str:
    """Return the digits and signs of a text raised: ``⁻⁵²``."""
    return digits.translate(_RAISED)


def text(sentence: str) -> str:
    """Return a text with its numbers as people read them: ``−`` for a minus, and raised powers.

    It is for texts of which parts are made elsewhere. Commands, code and files that programs read
    keep their hyphens.
    """
    if "-" in sentence:
        sentence = _MINUS.sub("−", sentence)
    if "e" in sentence or "E" in sentence:
        sentence = _EXPONENT.sub(_with_power, sentence)
    return _POWER.sub(lambda found: raised(found[1]), sentence) if "^" in sentence else sentence


def from_plain(number: str) -> str:
    """Return a number that a field or a file has, such as ``10000`` or ``1e-5``, for people."""
    plain = number.removeprefix("-")
    if plain.isascii() and plain.isdigit():
        return whole(int(number))
    before, point, after = number.partition(".")
    if after.isdecimal() and before.removeprefix("-").isdecimal():
        sign = "−" if before.startswith("-") else ""
        return f"{sign}{int(before.removeprefix('-')):,}{point}{after}"
    return text(number)


def _with_power(found: re.Match[str]) -> str:
    mantissa, sign, power = found.groups()
    return times_ten(mantissa, int(power) if sign in ("", "+") else -int(power))


def _context(digits: int) -> Context:
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)


def _not_finite(number: float, sign: bool) -> str:
    if math.isnan(number):
        return UNKNOWN
    return f"{'−' if number < 0 else '+' if sign else ''}{INFINITE}"


def _signed(number: Decimal, sign: bool, longest: int) -> str:
    negative = number < 0
    return f"{'−' if negative else '+' if sign else ''}{_written(number.copy_abs(), longest)}"


def _written(number: Decimal, longest: int) -> str:
    """Return all digits of a number, with a power of ten where it has too many zeros or digits."""
    power = number.adjusted()
    if not number:
        return "0"
    if _LEAST_POWER <= power < longest:
        return f"{number:,f}"
    mantissa = number.scaleb(-power, _context(len(number.as_tuple().digits)))
    return times_ten(f"{mantissa:f}", power)
