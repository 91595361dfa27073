"""The colour bar of a panel, with its values and title."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.colours import maps
from pe_explorer.colours.themes import DARK
from pe_explorer.figures._look import ASCENT, DESCENT, GAP, LINE_HEIGHT, TICK_LENGTH, Look
from pe_explorer.figures._ticks import Ticks, compute_ticks, draw_ticks
from pe_explorer.figures.overrides import BAR_TITLE
from pe_explorer.figures.page import Item, PageImage, PageText, Source
from pe_explorer.pictures.figure import Panel, PanelAxis, Rectangle, make_whole_axis
from pe_explorer.pictures.pixels import NO_VALUE_INDEX

Colours = npt.NDArray[np.uint8]

NO_COLOURS: Colours = np.zeros((0, 4), dtype=np.uint8)
"""The colours of a bar that reserves space but is not drawn."""

_GAP_BESIDE, _GAP_ABOVE = 0.8, 0.6  # gaps between the data area and the bar, in font sizes
_THICKNESS = 1.0  # thickness of the bar, in font sizes


class Bar(NamedTuple):
    """A colour bar with its ticks and title, in points on the page."""

    axis: PanelAxis  # axis of the values that the colours represent
    strip: Rectangle  # rectangle of the bar, without tick labels and title
    ticks: Ticks
    title: list[str]  # lines of text; empty if no title is shown
    space: float  # width needed to the right of the area, or height needed above the area
    colours: Colours  # RGBA, shape (n, 4), from the lowest value to the highest
    is_horizontal: bool  # whether the bar is above the area
    panel_name: str = ""
    has_tips: tuple[bool, bool] = False, False
    """Whether the lower and upper ends are pointed, because values lie beyond them."""

    @property
    def gradient_area(self) -> Rectangle:
        """The rectangle of the colours, without the pointed ends."""
        low, high = (is_pointed * min(self.strip[2:]) for is_pointed in self.has_tips)
        left, top, width, height = self.strip
        if self.is_horizontal:
            return Rectangle(left + low, top, width - low - high, height)
        return Rectangle(left, top + high, width, height - low - high)

    def with_data(self, panel: Panel, look: Look) -> Bar:
        """Return a copy with the limits of a panel's cells and the panel's badge."""
        cells = panel.cells
        if cells is None:
            return self
        length = self.strip.width if self.is_horizontal else self.strip.height
        axis, ticks = cells.scale, self.ticks
        if axis != self.axis:
            is_vertical = not self.is_horizontal
            ticks = compute_ticks(axis, length, look, is_vertical=is_vertical, unit=cells.unit)
        title = ticks.replace_badge(self.title, panel.badge, length, look)
        return self._replace(axis=axis, ticks=ticks, title=title, has_tips=cells.has_clipped_values)

    @property
    def source(self) -> Source:
        """The title, with the key under which a style can replace the title."""
        return Source(f"{self.panel_name} {BAR_TITLE}".strip(), self.axis.title)

    def outer_rectangle(self, area: Rectangle) -> Rectangle:
        """Return the rectangle that encloses the colours, the tick labels and the title."""
        if self.is_horizontal:
            return Rectangle(area.left, area.top - self.space, area.width, self.space)
        return self.strip._replace(left=area.right, width=self.space)


def make_colour_table(colour_map: str) -> Colours:
    """Return the RGBA colours of a colour map, shape (256, 4).

    The colour with the index `NO_VALUE_INDEX` is transparent.
    """
    table = np.zeros((NO_VALUE_INDEX + 1, 4), dtype=np.uint8)
    table[:NO_VALUE_INDEX] = add_opacity(maps.table(colour_map, NO_VALUE_INDEX))
    return table


def make_order_colours(look: Look) -> Colours:
    """Return the RGB colours of ordered points, from the first to the last, shape (n, 3)."""
    if look.style.colours:
        return maps.table(look.style.colours)
    return maps.make_order_table(has_dark_background=look.colours is DARK)


def add_opacity(colours: Colours) -> Colours:
    """Convert RGB colours to opaque RGBA colours."""
    rgba = np.full((len(colours), 4), 255, dtype=np.uint8)
    rgba[:, :3] = colours
    return rgba


def make_bar(panel: Panel, area: Rectangle, look: Look, *, is_horizontal: bool) -> Bar | None:
    """Return the colour bar of a panel.

    The bar is to the right of the area, or above the area if `is_horizontal` is True.
    Return None if the panel has no colours or shares the bar of another panel, or if the
    style hides colour bars.
    """
    has_colours = panel.trail or panel.cells is not None or panel.y.origin is not None
    if not (look.style.colour_bar and panel.has_bar and has_colours):
        return None
    look, cells = look.bar_look, panel.cells
    if panel.trail is not None:
        bar = make_order_bar(area, panel.trail.counted_items, look, is_horizontal=is_horizontal)
        return bar._replace(panel_name=panel.name)
    axis, colours, unit, has_tips = PanelAxis("value", -1.0, 1.0), NO_COLOURS, "", (False, False)
    if cells is not None:
        axis, unit, has_tips = cells.scale, cells.unit, cells.has_clipped_values
        colours = make_colour_table(cells.colour_map)[:NO_VALUE_INDEX]
    bar = place_bar(area, axis, colours, look, unit, panel.badge, is_horizontal=is_horizontal)
    return bar._replace(has_tips=has_tips, panel_name=panel.name)


def make_order_bar(
    area: Rectangle, order: tuple[str, int, int], look: Look, *, is_horizontal: bool = False
) -> Bar:
    """Return the colour bar of ordered points.

    `order` contains the name of the points, the number of the first point, and the count.
    """
    axis = replace(make_whole_axis(*order), ticks=look.style.bar_ticks)
    colours = add_opacity(make_order_colours(look))
    return place_bar(area, axis, colours, look, is_horizontal=is_horizontal)


def place_bar(
    area: Rectangle,
    axis: PanelAxis,
    colours: Colours,
    look: Look,
    unit: str = "",
    badge: str = "",
    *,
    is_horizontal: bool = False,
) -> Bar:
    """Place a colour bar beside or above an area; if `colours` is empty, only reserve space.

    If there is space, the title includes `badge`, which states how positions that share a
    pixel are combined.
    """
    size = look.size
    length = area.width if is_horizontal else area.height
    ticks = compute_ticks(axis, length, look, is_vertical=not is_horizontal, unit=unit)
    title = ticks.fit_title(look, length, badge)
    if is_horizontal:
        top = area.top - (_GAP_ABOVE + _THICKNESS) * size
        strip = Rectangle(area.left, top, area.width, _THICKNESS * size)
        space, gap = (_GAP_ABOVE + _THICKNESS + TICK_LENGTH + GAP + ASCENT) * size, DESCENT
    else:
        left = area.right + _GAP_BESIDE * size
        strip = Rectangle(left, area.top, _THICKNESS * size, area.height)
        space, gap = (_GAP_BESIDE + _THICKNESS + TICK_LENGTH + GAP) * size, GAP
        space += ticks.space
    if title:
        space += (gap + LINE_HEIGHT * len(title)) * size
    return Bar(axis, strip, ticks, title, space, colours, is_horizontal)


def draw_bar(bar: Bar, look: Look) -> Iterator[Item]:
    """Yield the items of a colour bar, except for its title."""
    if not len(bar.colours):
        return
    strip, gradient_area, parts = bar.strip, bar.gradient_area, map(bar.axis.part, bar.ticks.places)
    if bar.is_horizontal:
        yield PageImage(bar.colours[None], gradient_area)
        places = [gradient_area.left + part * gradient_area.width for part in parts]
        yield from draw_ticks(bar.ticks, places, gradient_area.top, look, "above")
        ends = (gradient_area.left, strip.left), (gradient_area.right, strip.right)
        edges = strip.top, strip.bottom
    else:
        yield PageImage(bar.colours[::-1, None], gradient_area)
        places = [gradient_area.bottom - part * gradient_area.height for part in parts]
        yield from draw_ticks(bar.ticks, places, gradient_area.right, look, "right")
        ends = (gradient_area.bottom, strip.bottom), (gradient_area.top, strip.top)
        edges = strip.left, strip.right
    yield (border := look.border(gradient_area, look.colours.muted))
    colours = bar.colours[[0, -1], :3]
    for is_pointed, (base, tip), colour in zip(bar.has_tips, ends, colours, strict=True):
        if is_pointed:
            corners = [(base, edges[0]), (tip, sum(edges) / 2), (base, edges[1]), (base, edges[0])]
            points = np.array(corners)[:, :: 1 if bar.is_horizontal else -1]
            fill = f"#{colour.tobytes().hex()}"
            yield border._replace(points=points, is_rule=False, fill=fill)


def draw_bar_title(bar: Bar, look: Look) -> Iterator[PageText]:
    """Yield the lines of the title of a colour bar."""
    if not len(bar.colours):
        return
    size, (x, y) = look.size, bar.strip.centre
    if bar.is_horizontal:
        y = bar.strip.top - (TICK_LENGTH + GAP + ASCENT + DESCENT + LINE_HEIGHT - 1) * size
        for line in reversed(bar.title):
            yield look.text(line, x, y, "middle")
            y -= LINE_HEIGHT * size
        return
    x = bar.strip.right + bar.ticks.space + (TICK_LENGTH + GAP + GAP + LINE_HEIGHT - DESCENT) * size
    for line in bar.title:
        yield look.make_upward_text(line, x, y)
        x += LINE_HEIGHT * size
