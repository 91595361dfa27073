"""The colour bar of a panel, with its values and title."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.colours import maps
from pe_explorer.colours.themes import DARK
from pe_explorer.figures._look import ASCENT, DESCENT, GAP, LINE, TICK, Look
from pe_explorer.figures._ticks import Ticks, draw_numbers, ticks_of
from pe_explorer.figures.overrides import BAR
from pe_explorer.figures.page import Item, PageImage, PageText, Source
from pe_explorer.pictures.figure import Panel, PanelAxis, Rectangle, whole_numbers
from pe_explorer.pictures.pixels import NO_VALUE

Colours = npt.NDArray[np.uint8]

_BESIDE, _ABOVE = 0.8, 0.6  # gap between the area and the bar, in font sizes
_STRIP = 1.0  # thickness of the bar, in font sizes
_UNKNOWN_AXIS = PanelAxis("value", -1.0, 1.0)
NO_COLOURS: Colours = np.zeros((0, 4), dtype=np.uint8)


class Bar(NamedTuple):
    """A colour bar."""

    axis: PanelAxis  # axis of values from the lower to the upper end of the bar
    strip: Rectangle
    ticks: Ticks
    title: list[str]  # lines of the title
    room: float  # width to the right of the area, or height above the area, that the bar needs
    colours: Colours  # RGBA, shape (n, 4), from the lower end to the upper end
    horizontal: bool  # whether the bar is above the area
    panel_name: str = ""
    clipped: tuple[bool, bool] = False, False
    """Whether the lower and upper ends are pointed, because values lie beyond them."""

    @property
    def scale(self) -> Rectangle:
        """The rectangle of the colour gradient, without the pointed ends."""
        low, high = (pointed * min(self.strip[2:]) for pointed in self.clipped)
        left, top, width, height = self.strip
        if self.horizontal:
            return Rectangle(left + low, top, width - low - high, height)
        return Rectangle(left, top + high, width, height - low - high)

    @property
    def length(self) -> float:
        """The length of the bar."""
        return self.strip.width if self.horizontal else self.strip.height

    def with_data(self, panel: Panel, look: Look) -> Bar:
        """Return a copy with the limits of a panel's cells and the panel's badge."""
        cells = panel.cells
        if cells is None:
            return self
        axis, ticks = cells.scale, self.ticks
        if axis != self.axis:
            upright = not self.horizontal
            ticks = ticks_of(axis, self.length, look, upright=upright, unit=cells.unit)
        title = ticks.retitled(self.title, panel.badge, self.length, look)
        return self._replace(axis=axis, ticks=ticks, title=title, clipped=cells.clipped)

    @property
    def source(self) -> Source:
        """The key of the title, by which a style can replace the title."""
        return Source(f"{self.panel_name} {BAR}".strip(), self.axis.title)

    def place_at(self, area: Rectangle) -> Rectangle:
        """Return the space for gradient, values and title, beside or above an area."""
        if self.horizontal:
            return Rectangle(area.left, area.top - self.room, area.width, self.room)
        return self.strip._replace(left=area.right, width=self.room)


def colour_table(colour_map: str) -> Colours:
    """Return the 255 colours of a map and the transparent `NO_VALUE`, shape (256, 4)."""
    colours = maps.table(colour_map, NO_VALUE)
    table = np.zeros((NO_VALUE + 1, 4), dtype=np.uint8)
    table[:NO_VALUE] = opaque(colours)
    return table


def order_colours(look: Look) -> Colours:
    """Return the colours of ordered points, from the first to the last, shape (n, 3)."""
    if look.style.colours:
        return maps.table(look.style.colours)
    return maps.order_table(on_dark=look.colours is DARK)


def opaque(colours: Colours) -> Colours:
    """Return colours with an opaque alpha channel."""
    rgba = np.full((len(colours), 4), 255, dtype=np.uint8)
    rgba[:, :3] = colours
    return rgba


def bar_of(panel: Panel, area: Rectangle, look: Look, *, horizontal: bool) -> Bar | None:
    """Return the colour bar of a panel, or None without colours or if the style hides the bar.

    The bar is to the right of the area, or above the area if it is `horizontal`.
    """
    has_scale = panel.trail or panel.cells is not None or panel.y.origin is not None
    if not (look.style.colour_bar and panel.has_bar and has_scale):
        return None
    look, cells = look.of_bars, panel.cells
    if panel.trail is not None:
        bar = order_bar(area, panel.trail.counted, look, horizontal=horizontal)
    elif cells is None:
        bar = placed_bar(
            area, _UNKNOWN_AXIS, NO_COLOURS, look, "", panel.badge, horizontal=horizontal
        )
    else:
        colours = colour_table(cells.colour_map)[:NO_VALUE]
        unit, badge = cells.unit, panel.badge
        bar = placed_bar(area, cells.scale, colours, look, unit, badge, horizontal=horizontal)
        bar = bar._replace(clipped=cells.clipped)
    return bar._replace(panel_name=panel.name)


def order_bar(
    area: Rectangle, order: tuple[str, int, int], look: Look, *, horizontal: bool = False
) -> Bar:
    """Return the colour bar of ordered points; `order` has their name, first number and count."""
    axis = replace(whole_numbers(*order), ticks=look.style.bar_ticks)
    return placed_bar(area, axis, opaque(order_colours(look)), look, horizontal=horizontal)


def placed_bar(
    area: Rectangle,
    axis: PanelAxis,
    colours: Colours,
    look: Look,
    unit: str = "",
    badge: str = "",
    *,
    horizontal: bool = False,
) -> Bar:
    """Place a colour bar beside or above an area; without colours, only reserve its space.

    The `badge`, which states how positions are combined in a pixel, is part of the title if there
    is space.
    """
    size = look.size
    length = area.width if horizontal else area.height
    ticks = ticks_of(axis, length, look, upright=not horizontal, unit=unit)
    title = ticks.title_lines(look, length, badge)
    if horizontal:
        top = area.top - (_ABOVE + _STRIP) * size
        strip = Rectangle(area.left, top, area.width, _STRIP * size)
        room, apart = (_ABOVE + _STRIP + TICK + GAP + ASCENT) * size, DESCENT
    else:
        left = area.right + _BESIDE * size
        strip = Rectangle(left, area.top, _STRIP * size, area.height)
        room, apart = (_BESIDE + _STRIP + TICK + GAP) * size, GAP
        room += ticks.room
    if title:
        room += (apart + LINE * len(title)) * size
    return Bar(axis, strip, ticks, title, room, colours, horizontal)


# -- drawing -------------------------------------------------------------------------------------


def draw_bar(bar: Bar, look: Look) -> Iterator[Item]:
    """Yield the items of a colour bar, except for its title."""
    if not len(bar.colours):
        return
    strip, scale, parts = bar.strip, bar.scale, map(bar.axis.part, bar.ticks.places)
    if bar.horizontal:
        yield PageImage(bar.colours[None], scale)
        places = [scale.left + part * scale.width for part in parts]
        yield from draw_numbers(bar.ticks, places, scale.top, look, "above")
        ends = (scale.left, strip.left), (scale.right, strip.right)
        edge, opposite = strip.top, strip.bottom
    else:
        yield PageImage(bar.colours[::-1, None], scale)
        places = [scale.bottom - part * scale.height for part in parts]
        yield from draw_numbers(bar.ticks, places, scale.right, look, "right")
        ends = (scale.bottom, strip.bottom), (scale.top, strip.top)
        edge, opposite = strip.left, strip.right
    yield (border := look.border(scale, look.colours.muted))
    for is_pointed, (base, tip), colour in zip(
        bar.clipped, ends, bar.colours[[0, -1], :3], strict=True
    ):
        if is_pointed:
            corners = [(base, edge), (tip, (edge + opposite) / 2), (base, opposite), (base, edge)]
            points = np.array(corners)[:, :: 1 if bar.horizontal else -1]
            fill = f"#{colour.tobytes().hex()}"
            yield border._replace(points=points, rule=False, fill=fill)


def draw_bar_title(bar: Bar, look: Look) -> Iterator[PageText]:
    """Yield the lines of text of the title of a colour bar."""
    if not len(bar.colours):
        return
    size, (middle, half_way) = look.size, bar.strip.middle
    if bar.horizontal:
        base = bar.strip.top - (TICK + GAP + ASCENT + DESCENT + LINE - 1) * size
        for line in reversed(bar.title):
            yield look.text(line, middle, base, "middle")
            base -= LINE * size
        return
    base = bar.strip.right + bar.ticks.room
    base += (TICK + GAP + GAP + LINE - DESCENT) * size
    for line in bar.title:
        yield look.upward(line, base, half_way)
        base += LINE * size
