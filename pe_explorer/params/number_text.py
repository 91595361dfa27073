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
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from pe_explorer.params.errors import quoted, with_remedy

NUMBERS_HELP = (
    "Numbers may be written 1_000_000, 1e12, 10^12, 2^53, 64*1024, 8k (8000; also M, G and T) or "
    "8Ki (8192; also Mi, Gi and Ti). The decimal mark is a point."
)
"""What can be typed into a field or a flag for a number."""

_BY_NAME = {2**53: "2^53", -(2**53): "-2^53"}  # easier to read, and `whole_number` reads it
_SUFFIXES = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_SUFFIXES |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
_MOST_MAGNITUDE = 400  # 10 to this power is beyond every limit, 1 divided by it below any float64
_LARGEST_WHOLE = 10**40  # larger whole numbers are beyond every limit
_MOST_DIGITS, _MOST_FACTORS = 100_000, 100  # of a product, which is computed exactly
_LARGEST_POWER = 1e9  # stands for every larger power
_LONGEST = 40  # characters of a number in a remedy
_CONTEXT = Context(prec=20, Emax=MAX_EMAX, Emin=MIN_EMIN)

_ASCII_SIGNS = {"\N{MINUS SIGN}": "-", "×": "*", "·": "*", "\N{ARABIC DECIMAL SEPARATOR}": "."}
_SPACES = " \u00a0\u2009\u202f\N{ARABIC THOUSANDS SEPARATOR}"
_LOWERED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_RAISED = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_INNER_UNDERSCORE = re.compile(r"(?<=[0-9])_(?=[0-9])")
_INFINITE = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)
_FACTOR = re.compile(
    rf"\s*(([+-]?)([0-9.,{_SPACES}]*[0-9.,])((?:[eE][+-]?[0-9]+)?)([A-Za-z]*))\s*"
    r"(?:\^\s*([+-]?[0-9]+)\s*)?"
)
_SPACED = re.compile(rf"[1-9][0-9]{{0,2}}(?:[{_SPACES}][0-9]{{3}})+")
_SPACED_FRACTION = re.compile(rf"(?:[0-9]{{3}}[{_SPACES}])+[0-9]{{1,3}}")
_PLAIN = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_COMMAS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?")
_DECIMAL_COMMA = re.compile(r"(?:[0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+")
_POINTS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}")
_ONE_POINT = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")


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
    negative, size = _product(text, whole=True)
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
        negative, size = _product(text, whole=False)
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
    return re.sub(r"e\+?(-?)0*", r"e\1", text)


def number_words(text: str) -> Iterator[str]:
    """Return what stands between the spaces and semicolons of a list of numbers.

    Between brackets, as JSON writes lists, commas separate, too.
    """
    bracketed = re.fullmatch(r"\s*\[(.*)\]\s*", text, re.DOTALL)
    words = bracketed[1].replace(",", " ") if bracketed else text
    return (found[0] for found in re.finditer(r"[^ \t\r\n;]+", words))


def _product(text: str, *, whole: bool) -> tuple[bool, Fraction]:
    """Return whether a product is negative, and its size, exactly unless it is almost 0.

    Nothing is computed before it is known how large it is and how many digits that takes.
    """
    fault = f"{quoted(text)} is not a {'whole number' if whole else 'number'}"
    parts = _INNER_UNDERSCORE.sub("", _in_ascii(text)).replace("**", "^").split("*", _MOST_FACTORS)
    if len(parts) > _MOST_FACTORS:
        raise SpellingError(f"{quoted(text)} has more than {_MOST_FACTORS} factors")
    negative, magnitude, digit_count = False, 0.0, 0
    factors = []
    for part in parts:
        found = _FACTOR.fullmatch(part)
        if found is None:
            raise SpellingError(fault)
        number, sign, body, exponent, suffix, power_text = found.groups()
        if suffix not in _SUFFIXES:
            raise _unknown_suffix(fault, number, suffix)
        digits = _without_separators(fault, sign, _unspaced(body), f"{exponent}{suffix}", whole)
        if not _PLAIN.fullmatch(digits):
            raise SpellingError(fault)
        shift, power = _bounded(exponent[1:] or "0"), _bounded(power_text or "1")
        base, unit = Decimal(f"{digits}e{shift}"), _SUFFIXES[suffix]
        if not base and power <= 0:
            raise SpellingError(fault)
        negative ^= sign == "-"
        if power:  # otherwise the factor is 1, however many digits it would take to compute
            _, all_digits, exponent = base.as_tuple()
            digit_count += abs(power) * (len(all_digits) + abs(int(exponent)) + len(str(unit)))
            magnitude += power * (float(base.log10(_CONTEXT)) + math.log10(unit))
            factors.append((base, unit, power))
    if magnitude > _MOST_MAGNITUDE:
        raise TooLargeError(text, negative=negative)
    if magnitude < -_MOST_MAGNITUDE:
        return negative, Fraction(magnitude > -math.inf, 10**_MOST_MAGNITUDE)
    if digit_count > _MOST_DIGITS:
        raise SpellingError(f"{quoted(text)} has too many digits")
    size = math.prod(
        ((Fraction(base) * unit) ** power for base, unit, power in factors), start=Fraction(1)
    )
    return negative, size


def _bounded(text: str) -> int:
    """Read a power; one that is beyond every limit becomes the largest."""
    return int(max(-_LARGEST_POWER, min(_LARGEST_POWER, float(text))))


def _unknown_suffix(fault: str, number: str, suffix: str) -> SpellingError:
    """Return what to write for a suffix; a K is a thousand to some, and 1024 to others."""
    plain = _short(number.removesuffix(suffix))
    if suffix == "K":
        problem = f"{quoted(number)} could be thousands or units of 1024"
        return SpellingError(problem, f"write {plain}k or {plain}Ki")
    meant = {known.lower(): known for known in _SUFFIXES}.get(suffix.lower())
    return SpellingError(fault, f"write {plain}{meant}" if meant else "")


def _in_ascii(text: str) -> str:
    if text.isascii():  # most are, and a pasted one may be long
        return text
    with_powers = _RAISED.sub(lambda found: f"^{found[0].translate(_LOWERED)}", text)
    return "".join(str(unicodedata.decimal(c, _ASCII_SIGNS.get(c, c))) for c in with_powers)


def _unspaced(body: str) -> str:
    parts = re.split(r"([.,])", body)
    for place, part in enumerate(parts):
        if (_SPACED_FRACTION if place else _SPACED).fullmatch(part):
            parts[place] = re.sub(f"[{_SPACES}]", "", part)
    return "".join(parts)


def _without_separators(fault: str, sign: str, body: str, rest: str, whole: bool) -> str:
    """Return digits without separators of thousands; refuse those that could be a decimal mark."""
    if _COMMAS.fullmatch(body):
        if not whole and body.count(",") == 1 and "." not in body and not body.endswith(",000"):
            raise _two_meanings(f"{sign}{body}{rest}", ",", "leave the comma out, or write a point")
        return body.replace(",", "")
    pointed = ""
    if _DECIMAL_COMMA.fullmatch(body):
        before, _, after = body.replace(".", "").partition(",")
        pointed = _short(f"{sign}{before or 0}.{after}{rest}")
    if "," in body and whole:
        remedy = "put commas between groups of three digits, as in 1,000,000"
        also = f", or write {pointed} with a decimal point" if pointed else ""
        raise SpellingError(fault, f"{remedy}{also}")
    if pointed:
        raise SpellingError(fault, f"write a point: {pointed}")
    if whole and _ONE_POINT.fullmatch(body) and not rest:
        remedy = "leave the point and what follows it out"
        raise _two_meanings(f"{sign}{body}", ".", remedy)
    if _POINTS.fullmatch(body):
        plain = _short(f"{sign}{body.replace('.', '')}{rest}")
        raise SpellingError(fault, f"leave the points out: {plain}")
    return body


def _two_meanings(number: str, mark: str, remedy: str) -> SpellingError:
    """Return what a mark with three digits behind it could mean: thousands or a fraction."""
    before, _, after = number.partition(mark)
    fraction, rest = after[:3].rstrip("0"), after[3:]
    smaller = _short(f"{before}.{fraction}{rest}" if fraction else f"{before}{rest}")
    larger = _short(number.replace(mark, ""))
    return SpellingError(f"{quoted(number)} could be {larger} or {smaller}", remedy)


def _short(number: str) -> str:
    return number if len(number) <= _LONGEST else f"{number[:_LONGEST]}…"
