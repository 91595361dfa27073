"""Templates: texts with ``{facts}`` in braces, which are parsed once.

``{name}`` is a fact in the usual format, and ``{name:form}`` is a fact in one of the
`FORMATTERS`. Any other word after the colon is a noun: ``{pairs:pair}`` gives ``1 pair`` or
``2 pairs``. The nouns ``row``, ``column`` and ``wave`` are replaced by the nouns of the
encoding. ``{pairs:turns|turn}`` gives only the word, in the form that agrees with the
number. A list or an array is replaced by its length. In ``{name?}``, a fact also counts
as missing if it is 0, false or empty. True and False become empty strings.
"""

import string
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Protocol

from pe_explorer.params import capitalise, printed

FORMATTERS: Mapping[str, Callable[[Any], str]] = {
    "title": capitalise,
    "short": printed.brief,  # for labels with little space
    "factor": printed.factor,
    "squared_factor": lambda factor: printed.factor(factor**2),
    "percent": printed.format_percent,
    "about_percent": lambda share: printed.format_percent(share, 1),
    "tenths": lambda number: f"{number:.1f}",
    "digits": printed.exact,  # the fewest digits that identify the number
    "error": printed.error,  # a rounding error
    "fine": printed.fine,  # a number at the cursor
    "signed": lambda number: printed.fine(number, sign=True),
    "sixth": lambda number: f"{number + 0.0:+.6f}",  # `+ 0.0` removes the sign of -0.0
    "full": lambda number: f"{number:.12g}",
    "turns": printed.turns,
    "degrees": printed.degrees,  # an angle within a turn
    "exact_degrees": lambda angle: printed.degrees(angle, 10),
    "exact": lambda number: repr(float(number)),
    "plain": str,  # without thousands separators
}  # the formats of facts, by name

_TemplatePiece = tuple[str, str | None, bool, Callable[[Any], str], str]
"""A literal text, and the fact after it, which is None at the end of a template.

The elements are the text, the name of the fact, whether 0 counts as missing, the format
and the noun."""

_PLURALS = {"row": "rows", "column": "columns", "wave": "wave_plural"}
"""The facts that name rows, columns and waves, each with the fact for its plural."""


class FactSource(Protocol):
    """Facts by name, for example a mapping."""

    def get(self, name: str, /) -> Any:
        """Return a fact, or None if it is missing."""


def fill(text: str, facts: FactSource) -> str:
    """Replace ``{facts}`` with their values; return "" if one is missing or the text invalid."""
    parts = []
    try:
        pieces = _parse_template(text)
    except ValueError:  # not a valid template
        return ""
    for literal, name, is_required, write, noun in pieces:
        parts.append(literal)
        if name is not None:
            value = facts.get(name)
            if not isinstance(value, str) and hasattr(value, "__len__"):
                value = len(value)
            if value is None or (is_required and not value):
                return ""
            parts.append(write(value))
            if noun:
                parts.append(f" {facts.get(noun if abs(value) == 1 else _PLURALS[noun])}")
    return "".join(parts)


def format_value(value: Any) -> str:
    """Format a value: integers exactly, other numbers with three significant digits."""
    if isinstance(value, str | bool):
        return value if isinstance(value, str) else ""
    return printed.whole(value) if isinstance(value, int) else printed.format_rounded(value, 3)


@cache
def _parse_template(text: str) -> tuple[_TemplatePiece, ...]:
    pieces: list[_TemplatePiece] = []
    for literal, name, form, _ in string.Formatter().parse(text):
        write, noun = FORMATTERS.get(form or "", format_value), form if form in _PLURALS else ""
        if form and form not in FORMATTERS and not noun:
            write = partial(_format_count, form)
        is_required, name = (name or "").endswith("?"), name and name.removesuffix("?")
        pieces.append((literal, name, is_required, write, noun or ""))
    return tuple(pieces)


def _format_count(words: str, number: float) -> str:
    singular_noun, _, plural = words.partition("|")
    word = singular_noun if abs(number) == 1 else plural or f"{singular_noun}s"
    return word if plural else f"{format_value(number)} {word}"
