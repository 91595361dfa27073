"""Points in their order on a page: a line through them in their colours, and a disc for each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pe_explorer.figures._axes import Axes
from pe_explorer.figures._bar import order_colours
from pe_explorer.figures._look import PIXEL, Look
from pe_explorer.figures.page import Circle, Dots, Item, Line
from pe_explorer.pictures.trail import Trail

__all__ = ["draw_trail"]

_THIN = 0.6  # of the width of other lines: they shall not hide the points
_RING = 2.5  # pixels of the screen between a point and the ring round it


def draw_trail(trail: Trail | None, axes: Axes, look: Look) -> Iterator[Item]:
    """Yield the lines, the points, and a ring round that of the cursor if it is wanted."""
    if trail is None or not trail.visible:
        return
    colours, pixel = order_colours(look), PIXEL * look.size
    places = np.column_stack([axes.across(trail.x), axes.down(trail.y)])
    for shade, part in trail.parts(len(colours)):
        if len(places[part]) < 2:  # the last point alone
            continue
        colour = f"#{colours[shade].tobytes().hex()}"
        yield Line(places[part], colour, _THIN * look.style.line_width, clip=axes.area)
    radius = trail.radius * pixel
    yield Dots(places, radius, colours[trail.shades(len(colours))])
    if look.style.cursor == "show" and trail.marked is not None:
        x, y = places[trail.marked].tolist()
        yield Circle(x, y, radius + _RING * pixel, look.colours.cursor, pixel)
