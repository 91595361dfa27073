"""How whole numbers are written beside an axis: exact, and short."""

from __future__ import annotations

__all__ = ["notation", "short"]

_PLAIN = 10**7  # numbers below this are written in full


def notation(start: int, count: int) -> tuple[int, int]:
    """Return (offset, power): axis numbers are (position - offset) / 10^power, and stay short."""
    largest = max(abs(start), abs(start + count - 1))
    if largest < _PLAIN:
        return 0, 0
    if count * 1000 >= largest:
        return 0, 3 * ((len(str(largest)) - 1) // 3)
    grid = 10 ** (len(str(count)) + 1)
    offset = start // grid * grid
    return offset, notation(start - offset, count)[1]


def short(number: int) -> str:
    """Return an exact whole number, without a long tail of zeros."""
    if abs(number) < _PLAIN:
        return str(number)
    digits = str(abs(number))
    power = len(digits) - 1
    mantissa = f"{digits[0]}.{digits[1:]}".rstrip("0").rstrip(".")
    sign = "-" if number < 0 else ""
    return f"{sign}{mantissa}e{power}"
