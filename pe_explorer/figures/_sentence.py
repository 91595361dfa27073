"""Sentences in a figure that explain why the figure is empty or nearly empty."""

from collections.abc import Iterator

from pe_explorer.figures._look import ASCENT, GAP, LINE, Look, filled
from pe_explorer.figures._panel import PlacedPanel
from pe_explorer.figures.page import Item, PageText
from pe_explorer.pictures.figure import Rectangle

_WIDEST = 0.9  # maximum width of a sentence, as a fraction of the area's width
_PAD = 0.6  # gap between the sentence and the edge of its background, in font sizes


def has_room(sentence: str, place: PlacedPanel, look: Look) -> bool:
    """Return whether a sentence fits into a panel without covering anything."""
    area, panel = place.area, place.panel
    has_curve = any(curve.visible for curve in panel.curves)
    if panel.cells is not None or has_curve or not all(places.empty for places in panel.hatched):
        return False
    lines = _lines(sentence, area, look)
    _, _, width, height = _behind(lines, area, look)
    return width <= area.width and height <= area.height


def room_factor(sentence: str, room: Rectangle, look: Look) -> float:
    """Return the size of the available space relative to the space that a sentence needs."""
    lines = _lines(sentence, room, look)
    _, _, width, height = _behind(lines, room, look)
    return min(room.width / width, room.height / height)


def _lines(sentence: str, area: Rectangle, look: Look) -> list[str]:
    pad = 2 * _PAD * look.size
    return look.wrapped(sentence, _WIDEST * area.width - pad)


def _behind(lines: list[str], area: Rectangle, look: Look) -> Rectangle:
    pad = 2 * _PAD * look.size
    width = look.widest(lines) + pad
    height = len(lines) * LINE * look.size + pad
    x, y = area.middle
    left = x - width / 2
    return Rectangle(left, y - height / 2, width, height)


def draw_above(lines: list[str], room: Rectangle, look: Look) -> Iterator[PageText]:
    """Yield lines at the top of the available space."""
    middle, _ = room.middle
    base = room.top + ASCENT * look.size
    for line in lines:
        text = look.text(line, middle, base, "middle")
        yield text._replace(colour=look.colours.muted)
        base += LINE * look.size


def draw_centred(sentence: str, area: Rectangle, look: Look) -> Iterator[Item]:
    """Yield a sentence with a background in the middle of an area."""
    lines = _lines(sentence, area, look)
    behind = _behind(lines, area, look)
    yield filled(behind, look.colours.raised)
    middle, _ = area.middle
    base = behind.top + _PAD * look.size
    base += (ASCENT + GAP / 2) * look.size
    for line in lines:
        yield look.text(line, middle, base, "middle")
        base += LINE * look.size
