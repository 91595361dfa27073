"""Reading and writing of numbers as people write them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from pe_explorer.params.errors import quoted

__all__ = ["real_number", "whole_number", "written_real", "written_whole"]

_MOST_DIGITS = 40  # of a typed whole number; far above every limit, and cheap to convert
_BY_NAME = {2**53: "2^53", -(2**53): "-2^53"}  # easier to read, and `whole_number` reads it

_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)[_, \u00a0\u2009\u202f](?=\d{3}(?!\d))")
_POWER_OF_TWO = re.compile(r"([+-]?)2(?:\^|\*\*)(\d{1,3})")
_EXPONENT = re.compile(r"e([+-]?)0*")


def whole_number(text: str) -> int:
    """Read a whole number: ``50``, ``1_000_000``, ``1,000,000``, ``1e12``, ``2^53``.

    Raises
    ------
    ValueError
        If the text is no number or has a fraction.
    OverflowError
        If it is far beyond every limit.
    """
    plain = _unspaced(text)
    if power := _POWER_OF_TWO.fullmatch(plain):
        sign, exponent = power.groups()
        return int(f"{sign}1") << int(exponent)
    try:
        number = Decimal(plain)
    except InvalidOperation:
        raise ValueError(f"{quoted(text)} is not a whole number") from None
    if not number.is_finite():
        raise ValueError(f"{quoted(text)} is not a whole number")
    if number and number.adjusted() > _MOST_DIGITS:
        raise OverflowError(f"{quoted(text)} is too large")
    if number != number.to_integral_value():
        raise ValueError(f"{quoted(text)} is not a whole number")
    return int(number)


def written_whole(value: int) -> str:
    """Return text that `whole_number` reads back as an equal number."""
    return _BY_NAME.get(value) or str(value)


def real_number(text: str) -> float:
    """Read a number: ``2.5``, ``1e-5``, ``10,000.5``; raises `ValueError` for anything else."""
    try:
        return float(_unspaced(text))
    except ValueError:
        raise ValueError(f"{quoted(text)} is not a number") from None


def written_real(value: float) -> str:
    """Return the shortest text that `real_number` reads back as an equal number."""
    text = repr(float(value)).removesuffix(".0")
    short = f"{value:.0e}"
    if abs(value) >= 1e6 and float(short) == value:
        text = short
    return _EXPONENT.sub(_short_exponent, text)


def _short_exponent(found: re.Match[str]) -> str:
    return "e-" if found[1] == "-" else "e"


def _unspaced(text: str) -> str:
    """Return `text` without the separators that people put between thousands."""
    return _BETWEEN_THOUSANDS.sub("", text.strip()).replace("_", "")
