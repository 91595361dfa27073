"""Numbers that are meant, beside texts that people type for them.

What a text means is known before it is written, as a fraction; nothing here reads a text.
"""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import NamedTuple

from PySide6.QtCore import QLocale

LOCALES = ("C", "en_GB", "de_DE", "de_CH", "fr_FR", "ar_EG")
"""Whose separators are typed, and which the program runs in."""

_LIMIT = 2**53
_EXTREMES = (
    *(("5", -324), ("3", -324), ("2", -324), ("1", -400), ("22250738585072014", -324)),
    *(("1", 308), ("17976931348623157", 292), ("17976931348623159", 292)),
)
"""Digits and powers of ten at the ends of float64."""
_SUFFIXES = {
    **dict(zip("kMGT", (1000**power for power in range(1, 5)), strict=True)),
    **dict(zip(("Ki", "Mi", "Gi", "Ti"), (1024**power for power in range(1, 5)), strict=True)),
}


class Spelling(NamedTuple):
    """A text and the number that somebody means by it.

    Attributes
    ----------
    text : str
    meant : Fraction
    clear : bool
        Whether it must be read. What is not clear may be refused, but not read as another number.
    """

    text: str
    meant: Fraction
    clear: bool = True


def random_spelling(pick: Random, locale: str, *, whole: bool) -> Spelling:
    """Return a number in one of the ways of writing, which the locale is one of."""
    ways: tuple[Callable[[Random, bool], Spelling], ...]
    ways = (_plain, _underscores, _exponent, _power, _product, _suffix, _extreme)
    way = pick.choice((None, None, None, *ways))
    return way(pick, whole) if way else _local(pick, locale, whole)


def _sign(pick: Random) -> tuple[str, int]:
    return pick.choice((("", 1), ("", 1), ("", 1), ("+", 1), ("-", -1), ("\N{MINUS SIGN}", -1)))


def _integer(pick: Random, most: int = 16) -> str:
    """Return digits without a leading zero, many of them zeros and threes of them."""
    digits = pick.choice(("1", "2", "15", "125", "1000", "12345", "1048576", ""))
    return digits or str(pick.randrange(10 ** pick.randint(1, most)))


def _fraction(pick: Random) -> str:
    return pick.choice(("5", "25", "125", "500", "001", "10", "0001", str(pick.randrange(10**9))))


def _number(pick: Random, whole: bool, most: int = 16) -> tuple[str, Fraction]:
    """Return digits with a point, and what they are; a whole number without one."""
    before = _integer(pick, most)
    if whole or pick.random() < 0.3:
        return before, Fraction(int(before))
    after = _fraction(pick)
    return f"{before}.{after}", Fraction(int(before + after), 10 ** len(after))


def _plain(pick: Random, whole: bool) -> Spelling:
    (sign, by), (digits, size) = _sign(pick), _number(pick, whole)
    return Spelling(f"{sign}{digits}", by * size)


def _underscores(pick: Random, whole: bool) -> Spelling:
    (sign, by), before = _sign(pick), _integer(pick)
    return Spelling(f"{sign}{_grouped(before, '_')}", Fraction(by * int(before)))


def _exponent(pick: Random, whole: bool) -> Spelling:
    (sign, by), (digits, size) = _sign(pick), _number(pick, whole, 5)
    power = pick.randint(0, 12) if whole else pick.choice((-400, -330, -20, -3, 0, 2, 9, 300, 400))
    mark = pick.choice("eE")
    plus = pick.choice(("", "+")) if power >= 0 else ""
    return Spelling(f"{sign}{digits}{mark}{plus}{power}", by * size * _raised(10, power))


def _power(pick: Random, whole: bool) -> Spelling:
    sign, by = _sign(pick)
    base, size = _number(pick, whole, 2)
    if not size:
        base, size = "2", Fraction(2)
    power = pick.randint(0, 60) if whole else pick.randint(-30, 60)
    raised = pick.choice(("^", "**", " ^ "))
    return Spelling(f"{sign}{base}{raised}{power}", by * _raised(size, power))


def _product(pick: Random, whole: bool) -> Spelling:
    times = pick.choice(("*", " * ", "×"))
    (sign, by), texts, found = _sign(pick), [], Fraction(1)
    for _ in range(pick.randint(2, 4)):
        text, size = _number(pick, whole, 5)
        texts.append(text)
        found *= size
    return Spelling(f"{sign}{times.join(texts)}", by * found)


def _suffix(pick: Random, whole: bool) -> Spelling:
    (sign, by), (digits, size) = _sign(pick), _number(pick, whole, 4)
    suffix, unit = pick.choice(list(_SUFFIXES.items()))
    return Spelling(f"{sign}{digits}{suffix}", by * size * unit)


def _extreme(pick: Random, whole: bool) -> Spelling:
    """Return what is at a limit, or just beside it."""
    sign, by = _sign(pick)
    if whole:
        size = _LIMIT + pick.randint(-3, 3)
        text = pick.choice((str(size), f"{size}e0", f"{size}.0"))
        return Spelling(f"{sign}{text}", Fraction(by * size))
    digits, power = pick.choice(_EXTREMES)
    return Spelling(f"{sign}{digits}e{power}", by * Fraction(int(digits)) * _raised(10, power))


def _local(pick: Random, name: str, whole: bool) -> Spelling:
    """Return a number as it is written in a country; where it could be two, it is not clear."""
    locale = QLocale(name)
    point, group = locale.decimalPoint(), locale.groupSeparator()
    (sign, by), before = _sign(pick), pick.choice(("0", _integer(pick, 3), _integer(pick)))
    after = "" if whole else pick.choice(("", _fraction(pick)))
    if point == "," and not after.strip("0"):
        after = ""  # 10,000 is ten thousand everywhere, and so is 1,500.0
    grouped = pick.random() < 0.5 and len(before) > 3
    text = _grouped(before, group) if grouped else before
    if not whole and grouped and group == "." and "," not in text and not after:
        text = before if text.count(".") == 1 else text  # 1.500 is 1.5, as the point is the mark
    text = f"{text}{point}{after}" if after else text
    meant = Fraction(int(before + after), 10 ** len(after))
    zero = ord(locale.zeroDigit())
    typed = "".join(chr(zero + int(c)) if c in "0123456789" else c for c in text)
    is_clear = (not grouped and point != ",") or name == "ar_EG"
    return Spelling(f"{sign}{typed}", by * meant, is_clear or text.isdecimal())


def _grouped(digits: str, mark: str) -> str:
    """Return digits with a mark before each three."""
    first = len(digits) % 3 or 3
    threes = [digits[place : place + 3] for place in range(first, len(digits), 3)]
    return mark.join((digits[:first], *threes))


def _raised(base: int | Fraction, power: int) -> Fraction:
    """Return a power by repeated multiplication."""
    found = Fraction(1)
    for _ in range(abs(power)):
        found *= base
    return found if power >= 0 else 1 / found
