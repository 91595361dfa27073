"""The numbers of cells, written into them where there is room."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pe_explorer.colours.maps import is_dark, table
from pe_explorer.figures._axes import Axes
from pe_explorer.figures._bar import levels_of
from pe_explorer.figures._look import ASCENT, BASE, LINE, Look, filled
from pe_explorer.figures.page import Item
from pe_explorer.pictures.axis_numbers import WIDEST_NUMBER, cell_text
from pe_explorer.pictures.figure import Cells, Rectangle
from pe_explorer.pictures.pixels import NO_VALUE, colour_indices

__all__ = ["draw_cell_numbers", "indices_of"]

_SIZE = 0.8  # as a part of the font's


def indices_of(cells: Cells, look: Look) -> npt.NDArray[np.uint8]:
    """Return the colours of cells for the levels of a style."""
    levels = levels_of(cells, look)
    return cells.indices if levels == cells.levels else colour_indices(cells.values, levels)


def draw_cell_numbers(axes: Axes, look: Look) -> Iterator[Item]:
    """Yield the number of each cell, if all have room for theirs."""
    cells, size = axes.panel.cells, _SIZE * look.size
    if cells is None or not cells.numbered:
        return
    rows, columns = cells.values.shape
    place = axes.place(cells.place)
    width, height = place.width / columns, place.height / rows
    if width < look.width(f"{WIDEST_NUMBER} ") * _SIZE or height < LINE * size:
        return
    indices = indices_of(cells, look)
    white = is_dark(cells.colour_map, NO_VALUE)
    colours = table(cells.colour_map, NO_VALUE)
    for (row, column), value in np.ndenumerate(cells.values):
        text, index = cell_text(value), indices[row, column]
        x = place.left + (column + 0.5) * width
        down = row if axes.panel.y.down else rows - 1 - row
        y = place.top + (down + 0.5) * height + BASE * size
        if not text or not axes.area.left < x < axes.area.right:
            continue
        if look.style.cursor == "show":  # its dashes would be read as minus signs
            behind = look.width(text) * _SIZE + size
            ground = Rectangle(x - behind / 2, y - ASCENT * size, behind, size)
            yield filled(ground, f"#{colours[index].tobytes().hex()}")
        colour = "#ffffff" if white[index] else "#000000"
        yield look.text(text, x, y, "middle")._replace(colour=colour, size=size)
