"""Numbers that are meant, beside texts that people type for them.

What a text means is known before it is written, as a fraction; nothing here reads a text.
"""

import math
from fractions import Fraction
from typing import NamedTuple

from PySide6.QtCore import QLocale

LOCALES = ("C", "en_GB", "de_DE", "de_CH", "fr_FR", "ar_EG")
"""Whose separators are typed, and which the program runs in."""

_SIGNS = (("", 1), ("", 1), ("", 1), ("+", 1), ("-", -1), ("\N{MINUS SIGN}", -1))
_EXTREMES = (
    *(("5", -324), ("3", -324), ("2", -324), ("1", -400), ("22250738585072014", -324)),
    *(("1", 308), ("17976931348623157", 292), ("17976931348623159", 292)),
)
"""Digits and powers of ten at the ends of float64."""
_SUFFIXES = {
    **dict(zip("kMGT", (1000**power for power in range(1, 5)), strict=True)),
    **dict(zip(("Ki", "Mi", "Gi", "Ti"), (1024**power for power in range(1, 5)), strict=True)),
}
_POWERS = (-400, -330, -20, -3, 0, 2, 9, 300, 400)


class Spelling(NamedTuple):
    """A text and the number that somebody means by it.

    What is not clear may be refused, but not read as another number.
    """

    text: str
    meant: Fraction
    clear: bool = True


def random_spelling(pick, locale, *, whole):
    """Return a number in one of the ways of writing, of which that of the locale is one."""
    text, meant, *clear = _local(pick, locale, whole) if pick.random() < 0.3 else _way(pick, whole)
    sign, by = pick.choice(_SIGNS)
    return Spelling(sign + text, by * meant, *clear)


def _way(pick, whole):
    way = pick.choice(("plain", "grouped", "exponent", "power", "product", "suffix", "extreme"))
    digits, size = _number(pick, whole, 4)
    if way == "plain":
        return _number(pick, whole)
    if way == "grouped":
        digits = _integer(pick)
        return _grouped(digits, "_"), Fraction(int(digits))
    if way == "exponent":
        power = pick.randint(0, 12) if whole else pick.choice(_POWERS)
        plus = pick.choice(("", "+")) if power >= 0 else ""
        return f"{digits}{pick.choice('eE')}{plus}{power}", size * Fraction(10) ** power
    if way == "power":
        base, size = _number(pick, whole, 2)
        if not size:
            base, size = "2", Fraction(2)
        power = pick.randint(0 if whole else -30, 60)
        return f"{base}{pick.choice(('^', '**', ' ^ '))}{power}", size**power
    if way == "product":
        factors = [_number(pick, whole, 5) for _ in range(pick.randint(2, 4))]
        texts, sizes = zip(*factors, strict=True)
        return pick.choice(("*", " * ", "×")).join(texts), math.prod(sizes)
    if way == "suffix":
        suffix, unit = pick.choice(list(_SUFFIXES.items()))
        return f"{digits}{suffix}", size * unit
    if whole:
        size = 2**53 + pick.randint(-3, 3)
        return pick.choice((str(size), f"{size}e0", f"{size}.0")), Fraction(size)
    digits, power = pick.choice(_EXTREMES)
    return f"{digits}e{power}", int(digits) * Fraction(10) ** power


def _integer(pick, most=16):
    """Return digits without a leading zero, many of them zeros and threes of them."""
    digits = pick.choice(("1", "2", "15", "125", "1000", "12345", "1048576", ""))
    return digits or str(pick.randrange(10 ** pick.randint(1, most)))


def _decimals(pick):
    return pick.choice(("5", "25", "125", "500", "001", "10", "0001", str(pick.randrange(10**9))))


def _number(pick, whole, most=16):
    before = _integer(pick, most)
    if whole or pick.random() < 0.3:
        return before, Fraction(int(before))
    after = _decimals(pick)
    return f"{before}.{after}", Fraction(int(before + after), 10 ** len(after))


def _local(pick, name, whole):
    """Return a number as it is written in a country; where it could be two, it is not clear."""
    locale = QLocale(name)
    point, group = locale.decimalPoint(), locale.groupSeparator()
    before = pick.choice(("0", _integer(pick, 3), _integer(pick)))
    after = "" if whole else pick.choice(("", _decimals(pick)))
    if point == "," and not after.strip("0"):
        after = ""  # 10,000 is ten thousand everywhere, and so is 1,500.0
    grouped = pick.random() < 0.5 and len(before) > 3
    text = _grouped(before, group) if grouped else before
    if not whole and group == "." and text.count(".") == 1 and not after:
        text = before  # 1.500 is 1.5, as the point is the mark
    text = f"{text}{point}{after}" if after else text
    zero = ord(locale.zeroDigit())
    typed = "".join(chr(zero + int(c)) if c in "0123456789" else c for c in text)
    is_clear = (not grouped and point != ",") or name == "ar_EG" or text.isdecimal()
    return typed, Fraction(int(before + after), 10 ** len(after)), is_clear


def _grouped(digits, mark):
    """Return digits with a mark before each three."""
    first = len(digits) % 3 or 3
    threes = [digits[place : place + 3] for place in range(first, len(digits), 3)]
    return mark.join((digits[:first], *threes))
