"""Templates: texts with ``{facts}`` in braces, which are parsed once.

``{name}`` is a fact as people read it, ``{name:form}`` in another of the `FORMS`, and with any
other word a number with its noun: ``{pairs:pair}`` is 1 pair, 2 pairs. The nouns ``row``,
``column`` and ``wave`` become those of the encoding, and ``{pairs:turns|turn}`` is the word that
agrees with the number. Of a list or an array, the length is written. ``{name?}`` is missing, too,
where the fact is 0, false or empty, and writes nothing if it is true.
"""

import string
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Protocol

from pe_explorer.params import capitalised, printed

FORMS: Mapping[str, Callable[[Any], str]] = {
    "title": capitalised,
    "short": printed.brief,  # where there is little room
    "factor": printed.factor,
    "squared_factor": lambda factor: printed.factor(factor**2),
    "percent": printed.percent,
    "about_percent": lambda share: printed.percent(share, 1),
    "tenths": lambda number: f"{number:.1f}",
    "digits": printed.exact,  # the fewest digits that identify the number
    "error": printed.error,  # a rounding error
    "fine": printed.fine,  # a number that is read at the cursor
    "signed": lambda number: printed.fine(number, sign=True),
    "sixth": lambda number: f"{number + 0.0:+.6f}",  # without a minus before a zero
    "full": lambda number: f"{number:.12g}",
    "degrees": lambda number: f"{number:.2f}°",
    "exact_degrees": lambda number: f"{number:.10f}°",
    "exact": lambda number: repr(float(number)),
    "plain": str,  # without separators
}
"""The ways to write a fact that is not written as usual."""

_Piece = tuple[str, str | None, bool, Callable[[Any], str], str]
"""A plain text, the fact after it, whether 0 counts as missing, how to write it, and its noun."""

_PLURALS = {"row": "rows", "column": "columns", "wave": "wave_plural"}
"""The facts that are nouns of the encoding, and those that are their plurals."""


class Named(Protocol):
    """Facts by their names, such as a mapping."""

    def get(self, name: str, /) -> Any:
        """Return a fact, or None where it is missing."""


def filled(text: str, facts: Named) -> str:
    """Return a text with facts in the place of their names, or an empty one if one is missing."""
    parts = []
    try:
        pieces = _compiled(text)
    except ValueError:  # no template
        return ""
    for plain, name, is_needed, write, noun in pieces:
        parts.append(plain)
        if name is not None:
            value = facts.get(name)
            if not isinstance(value, str) and hasattr(value, "__len__"):
                value = len(value)
            if value is None or (is_needed and not value):
                return ""
            parts.append(write(value))
            if noun:
                parts.append(f" {facts.get(noun if value == 1 else _PLURALS[noun])}")
    return "".join(parts)


def readable(value: Any) -> str:
    """Return a text, or a number: a whole one in full, any other with four digits."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return ""
    return printed.whole(value) if isinstance(value, int) else printed.rounded(value)


@cache
def _compiled(text: str) -> tuple[_Piece, ...]:
    pieces: list[_Piece] = []
    for plain, name, form, _ in string.Formatter().parse(text):
        write, noun = FORMS.get(form or "", readable), form if form in _PLURALS else ""
        if form and form not in FORMS and not noun:
            write = partial(_counted, form)
        is_needed, name = (name or "").endswith("?"), name and name.removesuffix("?")
        pieces.append((plain, name, is_needed, write, noun or ""))
    return tuple(pieces)


def _counted(words: str, number: float) -> str:
    one, _, several = words.partition("|")
    word = one if number == 1 else several or f"{one}s"
    return word if several else f"{readable(number)} {word}"
