"""Templates: texts with ``{facts}`` in braces, which are parsed once.

``{name}`` is a fact as people read it, ``{name:form}`` in another of the `FORMS`, and with any
other word a number with its noun: ``{pairs:pair}`` is 1 pair, 2 pairs. The nouns ``row``,
``column`` and ``wave`` become those of the encoding.
"""

import string
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pe_explorer.params import capitalised, printed

FORMS: Mapping[str, Callable[[Any], str]] = {
    "title": capitalised,
    "short": printed.brief,  # where there is little room
    "factor": printed.factor,
    "percent": printed.percent,
    "about_percent": lambda share: printed.percent(share, 1),
    "tenths": lambda number: f"{number:.1f}",
    "fine": printed.fine,  # a number that is read at the cursor
    "full": lambda number: f"{number:.12g}",
    "degrees": lambda number: f"{number:.2f}°",
    "exact_degrees": lambda number: f"{number:.10f}°",
    "exact": lambda number: repr(float(number)),
    "plain": str,  # without separators
}
"""How facts are written, where that is not as usual."""

_PLURALS = {"row": "rows", "column": "columns", "wave": "wave_plural"}
"""The facts that are nouns of the encoding, and those that are their plurals."""


def filled(text: str, facts: Mapping[str, Any]) -> str:
    """Return a text with facts in the place of their names.

    Raises
    ------
    LookupError
        For a fact that is missing.
    ValueError
        If the text is no template.
    """
    parts = []
    for plain, name, form in _parsed(text):
        parts.append(plain)
        if name is not None:
            parts.append(_written(facts[name], form, facts))
    return "".join(parts)


def filled_text(text: str, facts: Mapping[str, Any]) -> str:
    """Return a text with its facts, or an empty one where a fact is missing."""
    try:
        return filled(text, facts)
    except (LookupError, ValueError):
        return ""


def readable(number: float) -> str:
    """Return a number with all its digits if it is whole, else with four of them."""
    return printed.whole(number) if isinstance(number, int) else printed.rounded(number)


@cache
def _parsed(text: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return the pieces of a template: a plain text, and the name and form of the fact after it."""
    pieces = list(string.Formatter().parse(text))
    if any(conversion for *_, conversion in pieces):
        raise ValueError(text)
    return tuple((plain, name, form or "") for plain, name, form, _ in pieces)


def _written(value: Any, form: str, facts: Mapping[str, Any]) -> str:
    if form in FORMS:
        return FORMS[form](value)
    text = value if isinstance(value, str) else readable(value)
    if not form:
        return text
    if form in _PLURALS:
        return f"{text} {facts[form if value == 1 else _PLURALS[form]]}"
    return f"{text} {form if value == 1 else f'{form}s'}"
