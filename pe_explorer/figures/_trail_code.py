"""Points in their order as lines of a script for matplotlib."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pe_explorer.colours.themes import Colours
from pe_explorer.figures._clock_code import bar_of_order, order_map_lines
from pe_explorer.figures._code_text import SEEN, AxisCode, array_lines
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Panel, whole_numbers
from pe_explorer.pictures.trail import Trail

__all__ = ["trail_lines"]

_PIXEL = 0.75  # points to a pixel of the screen

_LINES = """\
path = np.column_stack([x, y])
path = np.stack([path[:-1], path[1:]], axis=1)
norm = plt.Normalize({low!r}, {high!r})
look = dict(cmap=colours, norm=norm)
ax.add_collection(LineCollection(path, array=order[:-1], linewidth={width!r}, zorder=1, **look))
dots = ax.scatter(x, y, s={area!r}, c=order, zorder=2, **look)
"""
_CURSOR = "ax.plot(x[{0}], y[{0}], color={1!r}, marker='o', markersize={2!r}, fillstyle='none')"


def trail_lines(trail: Trail, panel: Panel, style: Style, colours: Colours) -> Iterator[str]:
    """Yield lines that draw the points of a panel on the axes `ax`, with their colour bar."""
    if not trail.visible:
        return
    seen = SEEN * panel.x.length
    yield from array_lines("x", trail.x, seen)
    yield from array_lines("y", trail.y, seen)
    bar = AxisCode(whole_numbers(*trail.counted), labelled=style.labels)
    numbers = np.array([bar.at(number) for number in trail.numbers])
    yield from array_lines("order", numbers)
    yield from order_map_lines(colours)
    *_, count = trail.counted
    radius, width = _PIXEL * trail.radius, 0.6 * style.line_width
    area = round(np.pi * radius**2, 2)
    lines = _LINES.format(low=bar.at(0), high=bar.at(count - 1), area=area, width=width)
    yield from lines.splitlines()
    if style.cursor == "show" and trail.marked is not None:
        yield _CURSOR.format(trail.marked, colours.cursor, round(2 * radius + 4, 2))
    if style.colour_bar:
        yield bar_of_order(bar, "ax")
