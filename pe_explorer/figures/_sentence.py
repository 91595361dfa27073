"""Sentences in a figure: why it has nothing to show, or shows little."""

from __future__ import annotations

from collections.abc import Iterator

from pe_explorer.figures._look import ASCENT, GAP, LINE, Look, filled
from pe_explorer.figures._panel import PlacedPanel
from pe_explorer.figures.page import Item, Text
from pe_explorer.pictures.figure import Panel, Rectangle

__all__ = ["draw_above", "draw_centred", "has_room"]

_WIDEST = 0.9  # of the area
_PAD = 0.6  # from the sentence to the edge of what is behind it, in font sizes


def has_room(sentence: str, place: PlacedPanel, look: Look) -> bool:
    """Return whether a sentence can stand inside a panel, where it covers nothing."""
    if not _is_empty(place.panel):
        return False
    _, _, width, height = _behind(_lines(sentence, place.area, look), place.area, look)
    return width <= place.area.width and height <= place.area.height


def _is_empty(panel: Panel) -> bool:
    """Return whether nothing is drawn inside a panel."""
    if panel.cells is not None or any(curve.visible for curve in panel.curves):
        return False
    return all(rectangle.empty for rectangle in panel.hatched)


def _lines(sentence: str, area: Rectangle, look: Look) -> list[str]:
    return look.wrapped(sentence, _WIDEST * area.width - 2 * _PAD * look.size)


def _behind(lines: list[str], area: Rectangle, look: Look) -> Rectangle:
    """Return what lines in the middle of an area take, with some room around them."""
    pad = 2 * _PAD * look.size
    width = look.widest(tuple(lines)) + pad
    height = len(lines) * LINE * look.size + pad
    left = area.left + (area.width - width) / 2
    top = area.top + (area.height - height) / 2
    return Rectangle(left, top, width, height)


def draw_above(lines: list[str], room: Rectangle, look: Look) -> Iterator[Text]:
    """Yield lines at the top of a room."""
    for number, line in enumerate(lines):
        base = room.top + (ASCENT + number * LINE) * look.size
        x = room.left + room.width / 2
        yield Text(line, x, base, look.size, look.colours.muted, "middle")


def draw_centred(sentence: str, area: Rectangle, look: Look) -> Iterator[Item]:
    """Yield a sentence in the middle of an area, on a ground of its own."""
    lines = _lines(sentence, area, look)
    behind = _behind(lines, area, look)
    yield filled(behind, look.colours.raised)
    first = behind.top + (_PAD + ASCENT + GAP / 2) * look.size
    for number, line in enumerate(lines):
        base = first + number * LINE * look.size
        x = area.left + area.width / 2
        yield Text(line, x, base, look.size, look.colours.text, "middle")
