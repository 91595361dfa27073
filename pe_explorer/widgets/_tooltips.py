"""Tooltips of parameters and their values."""

import re

from pe_explorer.params import Parameter
from pe_explorer.widgets.labels import escaped, paragraph

_LONGEST_VALUE = 400  # characters of a value in a tooltip
_BREAK_AFTER = re.compile(r"[^\s\w]|\w{20}")
_ZERO_WIDTH_SPACE = "\u200b"


def parameter_tooltip(parameter: Parameter, without_effect: str = "") -> str:
    """Return the tooltip of a parameter: name, symbol, unit, help, limits.

    `without_effect` is the reason why it changes nothing now.
    """
    head = f"<b>{escaped(parameter.label)}</b>"
    if parameter.symbol:
        head += f" <i>{escaped(parameter.symbol)}</i>"
    if parameter.unit:
        head += f" ({escaped(parameter.unit)})"
    limits = f"{parameter.limits}; default {default_text(parameter)}"
    tooltip = f"<p>{head}<br>{escaped(parameter.help)}</p>"
    tooltip += paragraph(limits)
    if without_effect:
        tooltip += f"<p><b>No effect now:</b> {escaped(without_effect)}.</p>"
    return tooltip


def default_text(parameter: Parameter) -> str:
    """Return how the default is named in a sentence."""
    return parameter.format(parameter.default) or "none"


def breakable(text: str) -> str:
    """Return a text for a tooltip with places to break a line, as long paths have no spaces."""
    if len(text) > _LONGEST_VALUE:
        text = f"{text[:_LONGEST_VALUE]}…"
    return escaped(_BREAK_AFTER.sub(rf"\g<0>{_ZERO_WIDTH_SPACE}", text))
