"""Text with facts in it, and numbers as people read them."""

import string
from collections.abc import Mapping
from typing import Any

from pe_explorer.gallery.facts import Fact
from pe_explorer.params import printed


def filled(text: str, facts: Mapping[str, Fact]) -> str:
    """Return a text with facts in the place of ``{name}``.

    ``{name:pair}`` is a number with its noun: 1 pair, 2 pairs. The nouns ``row`` and ``column``
    become those of the encoding.

    Raises
    ------
    KeyError
        For a fact that is missing.
    ValueError
        If the braces in the text do not match.
    """
    return printed.text(_FactFormatter(facts).vformat(text, (), facts))


def readable(number: float) -> str:
    """Return a number with all its digits if it is whole, else with four of them."""
    return printed.whole(number) if isinstance(number, int) else printed.rounded(number)


class _FactFormatter(string.Formatter):
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
