"""Sentences in a figure: why it has nothing to show, or shows little."""

from __future__ import annotations

from collections.abc import Iterator

from pe_explorer.figures._look import ASCENT, GAP, LINE, Look
from pe_explorer.figures.page import Text
from pe_explorer.pictures.figure import Figure, Panel, Rectangle

__all__ = ["above", "draw_above", "draw_centred"]

_WIDEST = 0.9  # of the area


def above(figure: Figure, width: float, look: Look) -> list[str]:
    """Return the lines that stand above a figure that shows something, so as to cover nothing."""
    if figure.note is None or not figure.panels:
        return []
    if len(figure.panels) == 1 and _is_empty(figure.panels[0]):
        return []
    return look.wrapped(figure.note.sentence, width)


def _is_empty(panel: Panel) -> bool:
    """Return whether nothing is drawn inside a panel."""
    if panel.cells is not None or any(curve.visible for curve in panel.curves):
        return False
    return all(rectangle.empty for rectangle in panel.hatched)


def draw_above(lines: list[str], room: Rectangle, look: Look) -> Iterator[Text]:
    """Yield lines at the top of a room."""
    for number, line in enumerate(lines):
        base = room.top + (ASCENT + number * LINE) * look.size
        x = room.left + room.width / 2
        yield Text(line, x, base, look.size, look.colours.muted, "middle")


def draw_centred(sentence: str, area: Rectangle, look: Look) -> Iterator[Text]:
    """Yield a sentence in the middle of an area."""
    lines = look.wrapped(sentence, _WIDEST * area.width)
    first = area.top + (area.height - len(lines) * LINE * look.size) / 2
    for number, line in enumerate(lines):
        base = first + (ASCENT + GAP / 2 + number * LINE) * look.size
        x = area.left + area.width / 2
        yield Text(line, x, base, look.size, look.colours.muted, "middle")
