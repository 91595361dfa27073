"""Panels one below the other on the same lower axis: they take the place of a single panel."""

from pe_explorer.figures._look import OVER, TICK, Look
from pe_explorer.figures._panel import Margins, PlacedPanel, placed
from pe_explorer.figures._panels import placed_panels
from pe_explorer.pictures.figure import Figure, Panel, Rectangle

_ROUNDS = 3  # of placing, as the numbers of either upright axis move both areas


def placed_figure_panels(
    figure: Figure, room: Rectangle, look: Look, least: Margins
) -> tuple[PlacedPanel, ...]:
    """Return the panels of a figure, none with less around it than `least` at the room's edges."""
    first = figure.panels[0]
    if not first.upper:
        return placed_panels(figure, room, look, least)
    lower, *others = figure.panels[1:]
    both = lower._replace(upper=True)  # it has the numbers below, and so stands for both
    merged = figure._replace(panels=(both, *others))
    for _ in range(_ROUNDS):
        whole, *beside = placed_panels(merged, room, look, least)
        pair = _divided(whole, first, lower, look)
        left = max(panel.around.left for panel in pair)
        if left <= whole.around.left:
            break
        least = least._replace(left=left)
    return (*pair, *beside)


def _divided(
    whole: PlacedPanel, upper: Panel, lower: Panel, look: Look
) -> tuple[PlacedPanel, PlacedPanel]:
    """Return two panels of equal height in the place of one."""
    outer, around = whole.outer, whole.around
    above, below = OVER * look.size, (TICK + OVER) * look.size
    height = max(1.0, (whole.area.height - above - below) / 2)
    room = outer._replace(height=around.top + height + below)
    rest = Rectangle(outer.left, room.bottom, outer.width, outer.bottom - room.bottom)
    least = around._replace(bottom=0.0)
    first = placed(upper._replace(upper=False), room, look, least=least, numbered=False)
    least = around._replace(top=0.0)
    return first, placed(lower, rest, look, least=least)
