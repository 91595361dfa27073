"""Sentences in a figure that explain why the figure is empty or nearly empty."""

from collections.abc import Iterator

from pe_explorer.figures._look import ASCENT, GAP, LINE_HEIGHT, Look, make_rectangle
from pe_explorer.figures._panel import PlacedPanel
from pe_explorer.figures.page import Item, PageText
from pe_explorer.pictures.figure import Rectangle

_MAX_WIDTH = 0.9  # maximum width of a sentence, relative to the area
_PADDING = 0.6  # gap between the sentence and the edge of its background, in font sizes


def has_space(sentence: str, placed_panel: PlacedPanel, look: Look) -> bool:
    """Return whether a sentence fits into a panel without covering data."""
    area, panel = placed_panel.area, placed_panel.panel
    has_curve = any(curve.is_visible for curve in panel.curves)
    has_hatching = not all(place.is_empty for place in panel.hatched_areas)
    if panel.cells is not None or has_curve or has_hatching:
        return False
    _, (_, _, width, height) = _wrap(sentence, area, look)
    return width <= area.width and height <= area.height


def room_factor(sentence: str, space: Rectangle, look: Look) -> float:
    """Return the size of the available space relative to the space that a sentence needs."""
    _, (_, _, width, height) = _wrap(sentence, space, look)
    return min(space.width / width, space.height / height)


def _wrap(sentence: str, area: Rectangle, look: Look) -> tuple[list[str], Rectangle]:
    """Return the lines of a sentence and the rectangle of its background."""
    padding = 2 * _PADDING * look.size
    lines = look.wrap(sentence, _MAX_WIDTH * area.width - padding)
    width = look.max_width(lines) + padding
    height = len(lines) * LINE_HEIGHT * look.size + padding
    x, y = area.centre
    return lines, Rectangle(x - width / 2, y - height / 2, width, height)


def draw_above(lines: list[str], space: Rectangle, look: Look) -> Iterator[PageText]:
    """Yield lines of text at the top of the available space."""
    x, _ = space.centre
    base = space.top + ASCENT * look.size
    for line in lines:
        yield look.text(line, x, base, "middle")._replace(colour=look.colours.muted)
        base += LINE_HEIGHT * look.size


def draw_centred_text(sentence: str, area: Rectangle, look: Look) -> Iterator[Item]:
    """Yield a sentence with a background in the middle of an area."""
    lines, background = _wrap(sentence, area, look)
    yield make_rectangle(background, look.colours.raised_background)
    x, _ = area.centre
    base = background.top + _PADDING * look.size
    base += (ASCENT + GAP / 2) * look.size
    for line in lines:
        yield look.text(line, x, base, "middle")
        base += LINE_HEIGHT * look.size
