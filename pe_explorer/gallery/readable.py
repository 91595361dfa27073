"""Text with facts in it, and numbers as people read them."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping
from typing import Any

from pe_explorer.gallery.facts import Fact

_PLAIN_FROM, _PLAIN_BELOW = 1e-4, 1e15
_DIGITS, _MOST_DIGITS = 4, 7
_ROUNDING = 1e-12  # of a number: what does not count


def filled(text: str, facts: Mapping[str, Fact]) -> str:
    """Return a text with facts in the place of ``{name}``.

    ``{name:pair}`` is a number with its noun: 1 pair, 2 pairs. The nouns ``row`` and ``column``
    are called as the encoding calls them.

    Raises
    ------
    KeyError
        For a fact that there is not.
    ValueError
        If the braces in the text do not match.
    """
    return _Words(facts).vformat(text, (), facts)


def readable(number: float) -> str:
    """Return a number with four digits, or in full from 1,000 on.

    Only whole numbers look whole: those next to one get more digits.
    """
    if isinstance(number, int):
        return f"{number:,}".replace("-", "−")
    size = abs(number)
    if 1000 <= size < _PLAIN_BELOW:
        text = f"{size:,.0f}"
    elif size == 0 or _PLAIN_FROM <= size < _PLAIN_BELOW:
        text = _with_digits(size)
    else:
        exact, below = f"{size:.15e}".split("e")  # 10^-324 itself would be zero
        power = int(f"{size:.{_MOST_DIGITS - 1}e}".split("e")[1])
        digits = _with_digits(float(exact) / 10 ** (power - int(below)))
        text = f"{digits} · 10^{power}".replace("-", "−")
    return f"−{text}" if number < 0 else text


def _with_digits(size: float) -> str:
    text = ""
    for digits in range(_DIGITS, _MOST_DIGITS + 1):
        text = f"{size:#.{digits}g}"
        if float(text) != round(size):
            break
    number = float(text)
    if number == round(size) or math.isclose(number, size, rel_tol=_ROUNDING):
        return text.rstrip("0").rstrip(".")
    return text


class _Words(string.Formatter):
    """Writes facts as text."""

    def __init__(self, facts: Mapping[str, Fact]) -> None:
        self._facts = facts

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a fact as text, with its noun if it has one."""
        text = value if isinstance(value, str) else readable(value)
        return f"{text} {self._noun(value, format_spec)}" if format_spec else text

    def _noun(self, number: Any, noun: str) -> str:
        one, several = noun, f"{noun}s"
        if noun in ("row", "column"):
            one, several = str(self._facts[one]), str(self._facts[several])
        return one if number == 1 else several
