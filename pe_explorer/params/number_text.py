"""Reading and writing of numbers as people write them.

The decimal mark is a point, in every language. What stands between digits besides is read only
where it can mean one thing:

=======================  ================================================================
``1_500``                1500: an underscore is no decimal mark anywhere
``1 500``                1500 with any usual, narrow or non-breaking space, or ``٬``
``1,500``                1500 where only whole numbers are read, else refused: it could be 1.5
``10,000`` ``1,500.5``   thousands everywhere, as ``1,234,567`` is
``0,125`` ``1.000,5``    refused: a decimal comma is meant, and a point is to be written
``1.500`` ``1.000``      1.5 and 1; refused where only whole numbers are read
=======================  ================================================================

Digits of any script are read, ``٫`` as the point, ``−`` as the minus, and ``3.3·10⁻¹⁶`` as it is
printed. How numbers are printed for people is in `printed`.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from pe_explorer.params.errors import quoted, with_remedy

NUMBERS_HELP = (
    "Numbers may be written 1_000_000, 1e12, 10^12, 2^53, 64*1024, 8k (8000; also M, G and T) or "
    "8Ki (8192; also Mi, Gi and Ti). The decimal mark is a point."
)
"""What can be typed into a field or a flag for a number."""

_BY_NAME = {2**53: "2^53", -(2**53): "-2^53"}  # easier to read, and `whole_number` reads it
_SUFFIXES = {
    "": 1,
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
    "Ti": 2**40,
}
_MOST_MAGNITUDE = 400  # 10 to this power is beyond every limit, 1 divided by it below any float64
_ALMOST_0 = Fraction(1, 10**_MOST_MAGNITUDE)  # stands for every number that is nearer to 0
_LARGEST_WHOLE = 10**40  # larger whole numbers are beyond every limit
_MOST_DIGITS = 100_000  # of a product, which is computed exactly
_MOST_FACTORS = 100  # of a product
_LARGEST_POWER = 10**9  # stands for every larger power
_LONGEST = 40  # characters of a number in a remedy

_ASCII_SIGNS = {"\N{MINUS SIGN}": "-", "×": "*", "·": "*", "\N{ARABIC DECIMAL SEPARATOR}": "."}
_SPACES = " \u00a0\u2009\u202f\N{ARABIC THOUSANDS SEPARATOR}"
_SPACE = re.compile(f"[{_SPACES}]")
_MARK = re.compile(r"([.,])")
_INNER_UNDERSCORE = re.compile(r"(?<=[0-9])_(?=[0-9])")
_FACTOR = re.compile(rf"([+-]?)([0-9.,{_SPACES}]*[0-9.,])((?:[eE][+-]?[0-9]+)?)([A-Za-z]*)")
_POWER = re.compile(r"[+-]?[0-9]+")
_INFINITE = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)
_SPACED = re.compile(rf"[1-9][0-9]{{0,2}}(?:[{_SPACES}][0-9]{{3}})+")
_SPACED_FRACTION = re.compile(rf"(?:[0-9]{{3}}[{_SPACES}])+[0-9]{{1,3}}")
_PLAIN = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_COMMAS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?")
_DECIMAL_COMMA = re.compile(r"(?:[0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+")
_POINTS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}")
_ONE_POINT = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_RAISED = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_EXPONENT = re.compile(r"e([+-]?)0*")

_WORD = re.compile(r"[^ \t\r\n;]+")
_BRACKETED = re.compile(r"\s*\[(.*)\]\s*", re.DOTALL)

_CONTEXT = Context(prec=20, Emax=MAX_EMAX, Emin=MIN_EMIN)


class SpellingError(ValueError):
    """A text that is no number, or could be two.

    Attributes
    ----------
    fault : str
        What is wrong with it.
    remedy : str
        How to write what may be meant; empty where nobody knows.
    """

    def __init__(self, fault: str, remedy: str = "") -> None:
        self.fault = fault
        self.remedy = remedy
        super().__init__(with_remedy(fault, remedy) if remedy else fault)


class TooLargeError(OverflowError):
    """A number far beyond every limit; `negative` says to which side."""

    def __init__(self, text: str, *, negative: bool) -> None:
        self.negative = negative
        super().__init__(f"{quoted(text)} is too large")


def whole_number(text: str) -> int:
    """Read a whole number: ``50``, ``1_000_000``, ``1,000,000``, ``1e12``, ``2^53``, ``64*1024``.

    It is exact, however many digits it has. A fraction may be part of it: ``1.5k`` is 1500.

    Raises
    ------
    SpellingError
        If the text is no number, could be two, or has a fraction.
    TooLargeError
        If it is far beyond every limit.
    """
    negative, size = _product(text, "whole number", _whole_digits)
    if size > _LARGEST_WHOLE:
        raise TooLargeError(text, negative=negative)
    if size.denominator != 1:
        raise SpellingError(f"{quoted(text)} is not a whole number")
    return -size.numerator if negative else size.numerator


def written_whole(value: int) -> str:
    """Return text that `whole_number` reads back as an equal number."""
    return _BY_NAME.get(value) or str(value)


def real_number(text: str) -> float:
    """Read a number: ``2.5``, ``1e-5``, ``10,000.5``, ``10^-3``, ``2*3.5``; it is rounded once.

    What is beyond float64 is infinite. The least numbers are rounded like all others, ``3e-324``
    to 5e-324, but none to 0.

    Raises
    ------
    SpellingError
        If the text is no number, could be two, or is nearer to 0 than any float64.
    """
    if _INFINITE.fullmatch(text.strip()):
        return float(text)
    try:
        negative, size = _product(text, "number", _real_digits)
        found = size.numerator / size.denominator
    except TooLargeError as error:
        return -math.inf if error.negative else math.inf
    except OverflowError:  # of the division: only now its size is known
        found = math.inf
    if size and not found:
        fault = f"{quoted(text)} is nearer to 0 than any number but 0 itself"
        raise SpellingError(fault, "write 0 if that is meant")
    return -found if negative else found


def written_real(value: float) -> str:
    """Return the shortest text that `real_number` reads back as an equal number."""
    text = repr(float(value)).removesuffix(".0")
    short = f"{value:.0e}"
    if abs(value) >= 1e6 and float(short) == value:
        text = short
    return _EXPONENT.sub(_short_exponent, text)


def _short_exponent(found: re.Match[str]) -> str:
    return "e-" if found[1] == "-" else "e"


def number_words(text: str) -> Iterator[str]:
    """Return what stands between the spaces and semicolons of a list of numbers.

    Between brackets, as JSON writes lists, commas separate, too.
    """
    bracketed = _BRACKETED.fullmatch(text)
    words = bracketed[1].replace(",", " ") if bracketed else text
    return (found[0] for found in _WORD.finditer(words))


# -- products and powers ---------------------------------------------------------------------------


class _Factor(NamedTuple):
    """A number without its sign, what its suffix stands for, and the power of both."""

    negative: bool
    base: Decimal
    unit: int
    power: int

    @property
    def magnitude(self) -> float:
        """Which power of ten it is, about."""
        if not self.base:
            return -math.inf
        adjusted = self.base.adjusted()
        leading = float(self.base.scaleb(-adjusted, _CONTEXT))
        return self.power * (adjusted + math.log10(leading * self.unit))

    @property
    def digits(self) -> int:
        """How many digits it takes to compute it exactly, about."""
        _, digits, exponent = self.base.as_tuple()
        return abs(self.power) * (len(digits) + abs(int(exponent)) + len(str(self.unit)))

    @property
    def value(self) -> Fraction:
        """What it is, exactly."""
        return (Fraction(self.base) * self.unit) ** self.power


_ReadDigits = Callable[[str, str, str], str]
"""Returns the digits of a number and its point, of what is between its sign and the rest."""


def _product(text: str, kind: str, read_digits: _ReadDigits) -> tuple[bool, Fraction]:
    """Return whether a product is negative, and its size, exactly or at most `_ALMOST_0`.

    Nothing is computed before it is known how large it is and how many digits that takes.
    """
    try:
        factors = _factors(text, read_digits)
    except SpellingError as error:
        fault = error.fault or f"{quoted(text)} is not a {kind}"
        raise SpellingError(fault, error.remedy) from None
    negative = sum(factor.negative for factor in factors) % 2 == 1
    magnitude = sum(factor.magnitude for factor in factors)
    if magnitude > _MOST_MAGNITUDE:
        raise TooLargeError(text, negative=negative)
    if magnitude == -math.inf:
        return negative, Fraction(0)
    if magnitude < -_MOST_MAGNITUDE:
        return negative, _ALMOST_0
    if sum(factor.digits for factor in factors) > _MOST_DIGITS:
        raise SpellingError(f"{quoted(text)} has too many digits")
    return negative, math.prod((factor.value for factor in factors), start=Fraction(1))


def _factors(text: str, read_digits: _ReadDigits) -> list[_Factor]:
    plain = _INNER_UNDERSCORE.sub("", _in_ascii(text.strip())).replace("**", "^")
    parts = plain.split("*", _MOST_FACTORS)
    if len(parts) > _MOST_FACTORS:
        raise SpellingError(f"{quoted(text)} has more than {_MOST_FACTORS} factors")
    return [_factor(part.strip(), read_digits) for part in parts]


def _factor(text: str, read_digits: _ReadDigits) -> _Factor:
    """Return a factor; its sign is not raised to its power."""
    number, raised, power_text = (part.strip() for part in text.partition("^"))
    power = _bounded(power_text) if raised else 1
    found = _FACTOR.fullmatch(number)
    if found is None:
        raise SpellingError("")
    sign, body, exponent, suffix = found.groups()
    if suffix not in _SUFFIXES:
        raise _unknown_suffix(number, suffix)
    digits = read_digits(sign, _unspaced(body), f"{exponent}{suffix}")
    if not _PLAIN.fullmatch(digits):
        raise SpellingError("")
    shift = _bounded(exponent[1:]) if exponent else 0
    base = Decimal(f"{digits}e{shift}")
    if not base and power <= 0:
        raise SpellingError("")
    return _Factor(sign == "-", base, _SUFFIXES[suffix], power)


def _bounded(text: str) -> int:
    """Read a power; one that is beyond every limit becomes the largest."""
    if not _POWER.fullmatch(text):
        raise SpellingError("")
    digits = text.lstrip("+-0") or "0"
    size = int(digits) if len(digits) < len(str(_LARGEST_POWER)) else _LARGEST_POWER
    return -size if text.startswith("-") else size


def _unknown_suffix(number: str, suffix: str) -> SpellingError:
    """Return what to write for a suffix; a K is a thousand to some, and 1024 to others."""
    plain = number.removesuffix(suffix)
    if suffix == "K":
        remedy = f"write {_short(plain)}k or {_short(plain)}Ki"
        return SpellingError(f"{quoted(number)} could be thousands or units of 1024", remedy)
    known = {known.lower(): known for known in _SUFFIXES}
    meant = known.get(suffix.lower())
    return SpellingError("", f"write {_short(plain)}{meant}" if meant else "")


# -- separators ------------------------------------------------------------------------------------


def _in_ascii(text: str) -> str:
    """Return a text with the usual digits, point, minus and times."""
    if text.isascii():
        return text
    with_powers = _RAISED.sub(lambda found: f"^{found[0].translate(_LOWERED)}", text)
    return "".join(map(_ascii_sign, with_powers))


def _ascii_sign(character: str) -> str:
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return _ASCII_SIGNS.get(character, character)


def _unspaced(body: str) -> str:
    """Return digits without the spaces between groups of three."""
    parts = _MARK.split(body)
    for place, part in enumerate(parts):
        grouped = _SPACED_FRACTION if place else _SPACED
        if grouped.fullmatch(part):
            parts[place] = _SPACE.sub("", part)
    return "".join(parts)


def _whole_digits(sign: str, body: str, rest: str) -> str:
    """Return digits without commas, which can only stand between thousands."""
    if _COMMAS.fullmatch(body):
        return body.replace(",", "")
    if "," in body:
        remedy = "put commas between groups of three digits, as in 1,000,000"
        if plain := _with_point(sign, body, rest):
            remedy += f", or write {plain} with a decimal point"
        raise SpellingError("", remedy)
    if _ONE_POINT.fullmatch(body) and not rest:
        raise _two_meanings(f"{sign}{body}", ".", "leave the point and what follows it out")
    return _refuse_points(sign, body, rest)


def _real_digits(sign: str, body: str, rest: str) -> str:
    """Return digits without commas; refuse those that may be decimal commas."""
    if _COMMAS.fullmatch(body):
        if body.count(",") == 1 and "." not in body and not body.endswith(",000"):
            raise _two_meanings(f"{sign}{body}{rest}", ",", "leave the comma out, or write a point")
        return body.replace(",", "")
    if plain := _with_point(sign, body, rest):
        raise SpellingError("", f"write a point: {plain}")
    return _refuse_points(sign, body, rest)


def _with_point(sign: str, body: str, rest: str) -> str:
    """Return a number with a point for its decimal comma; an empty text where it has none."""
    if not _DECIMAL_COMMA.fullmatch(body):
        return ""
    before, _, after = body.replace(".", "").partition(",")
    return _short(f"{sign}{before or 0}.{after}{rest}")


def _refuse_points(sign: str, body: str, rest: str) -> str:
    """Return digits, if there are no points between thousands."""
    if _POINTS.fullmatch(body):
        plain = _short(f"{sign}{body.replace('.', '')}{rest}")
        raise SpellingError("", f"leave the points out: {plain}")
    return body


def _two_meanings(number: str, mark: str, remedy: str) -> SpellingError:
    """Return what a mark with three digits behind it could mean: thousands or a fraction."""
    before, _, after = number.partition(mark)
    fraction = after[:3].rstrip("0")
    rest = after[3:]
    smaller = f"{before}.{fraction}{rest}" if fraction else f"{before}{rest}"
    larger = number.replace(mark, "")
    return SpellingError(f"{quoted(number)} could be {_short(larger)} or {_short(smaller)}", remedy)


def _short(number: str) -> str:
    """Return a number as it is shown in a remedy."""
    return number if len(number) <= _LONGEST else f"{number[:_LONGEST]}…"
