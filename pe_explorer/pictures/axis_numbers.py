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
    digits = str(abs(number)).rstrip("0")
    if abs(number) < _PLAIN:
        return str(number)
    power = len(str(abs(number))) - 1
    return f"{'-' if number < 0 else ''}{digits[0]}{'.' + digits[1:] if digits[1:] else ''}e{power}"
