"""One figure of a page: the places of its panels, legends, clocks and text, and its items."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pe_explorer.figures import _clocks, _panel, _sentence, _table
from pe_explorer.figures._bar import Bar, draw_bar, draw_bar_title
from pe_explorer.figures._data import Inside
from pe_explorer.figures._legend import PlacedLegend, draw_legend, legend_below
from pe_explorer.figures._look import ASCENT, GAP, LINE, OVER, TICK, Look
from pe_explorer.figures._panel import NO_MARGINS, Margins, PlacedPanel, placed
from pe_explorer.figures._panels import least_room_factor, outer_margins, placed_panels
from pe_explorer.figures.page import Item, PagePart, Source
from pe_explorer.pictures.figure import Figure, Panel, Rectangle

_BOLD = 1.2  # width of bold text, relative to regular text
_LABEL_OVERHANG = 0.4  # part of a label that may extend into the gap between figures, in font sizes


class PlacedFigure(NamedTuple):
    """A figure after layout, with the places of its parts."""

    figure: Figure
    room: Rectangle  # all space below the letter
    around: Margins  # margins around the areas
    above: list[str]  # lines of the sentence above the panels
    panels: tuple[PlacedPanel, ...] = ()
    legends: tuple[PlacedLegend, ...] = ()  # legends below the panels
    clocks: Rectangle | None = None
    bar: Bar | None = None  # colour bar of the clocks

    @property
    def areas(self) -> tuple[Rectangle, ...]:
        """The areas of data: one for each panel, or one for clocks."""
        panels = tuple(panel.area for panel in self.panels)
        return panels or (self.clocks or self.room,)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """Its colour bars."""
        return tuple(filter(None, (*(panel.bar for panel in self.panels), self.bar)))

    @property
    def is_without_legend(self) -> bool:
        """Whether the legend does not fit inside the panels and is not below them."""
        return not self.legends and any(
            panel.panel.legend and not panel.legend for panel in self.panels
        )

    def with_data(self, figure: Figure, look: Look) -> PlacedFigure:
        """Return a copy with the data of a figure that has the same layout."""
        inside = not self.legends
        panels = tuple(
            placed.with_data(panel, look, has_names=inside)
            for placed, panel in zip(self.panels, figure.panels, strict=True)
        )
        return self._replace(figure=figure._replace(table=self.figure.table), panels=panels)

    @property
    def without_data(self) -> PlacedFigure:
        """A copy without data, so that a cached layout keeps no arrays alive."""
        panels = tuple(
            placed._replace(panel=Panel(placed.panel.name, placed.panel.x, placed.panel.y))
            for placed in self.panels
        )
        return self._replace(figure=Figure(table=self.figure.table), panels=panels)

    @property
    def sentence(self) -> str:
        """The reason that the figure is empty, or an empty string."""
        return self.figure.note.sentence if self.figure.note else ""

    def least_width(self, look: Look) -> float:
        """Return the minimum width, including margins."""
        areas = sorted(self.areas, key=lambda area: area.left)
        width = self.around.left + self.around.right + _panel.least_width(look)
        for left_area, right_area in itertools.pairwise(areas):
            if left_area.right < right_area.left:
                width += right_area.left - left_area.right + _panel.least_width(look)
        return width

    def least_height(self, look: Look) -> float:
        """Return the minimum height of the areas."""
        if self.panels:
            return max(_panel.least_height(panel.panel, look) for panel in self.panels)
        return 0.0 if self.sentence else _clocks.least_height(look)

    def room_factor(self, look: Look) -> float:
        """Return the size of the areas relative to the smallest legible size."""
        if _table.width_of(self.figure.table, look) > self.room.width:
            return 0.0
        if self.panels:
            return least_room_factor(self.panels, look)
        if self.figure.clocks is None and self.sentence:
            return _sentence.room_factor(self.sentence, self.room, look)
        return _clocks.room_factor(self.figure.clocks, self.areas[0], look)


def placed_figure(
    figure: Figure, room: Rectangle, look: Look, least: Margins = NO_MARGINS
) -> PlacedFigure:
    """Place the parts of a figure, with margins of at least `least`."""
    if not figure.panels:
        return _placed_clocks(figure, room, look, least)
    lines: list[str] = []
    figure = figure._replace(table=_table.fitted(figure.table, room, look))
    whole, taken = room, _table.height_of(figure.table, look)
    room, least = _without_bottom(room, taken), _less_below(least, taken)
    panels, legends = _with_legends(figure, room, look, least)
    sentence = figure.note.sentence if figure.note else ""
    if sentence and not _sentence.has_room(sentence, panels[figure.note_index], look):
        lines = look.wrapped(sentence, room.width)
        height = len(lines) * LINE * look.size
        rest = without_top(room, height)
        panels, legends = _with_legends(figure, rest, look, least)
    around = outer_margins(panels, look)
    bottom = around.bottom + _height_of(legends, look) + taken
    around = around._replace(bottom=bottom)
    if figure.note:  # as in the window, because ticks of an empty panel have no meaning
        panels = tuple(
            placed.without_numbers if placed.panel.is_empty else placed for placed in panels
        )
    return PlacedFigure(figure, whole, around, lines, panels, legends)


def _less_below(least: Margins, height: float) -> Margins:
    return least._replace(bottom=max(0.0, least.bottom - height))


def without_top(room: Rectangle, height: float) -> Rectangle:
    """Return the remaining space below the top part."""
    rest = _without_bottom(room, height)
    return rest._replace(top=room.top + height)


def _without_bottom(room: Rectangle, height: float) -> Rectangle:
    return room._replace(height=room.height - height)


def _height_of(legends: Sequence[PlacedLegend], look: Look) -> float:
    gap = GAP * look.size
    return sum(legend.place.height + gap for legend in legends)


def _placed_clocks(figure: Figure, room: Rectangle, look: Look, least: Margins) -> PlacedFigure:
    over = OVER * look.size
    bar_room = without_top(room, max(over, least.top))
    bar_room = _without_bottom(bar_room, max(over, least.bottom))
    taken = least.right
    if bar := _clocks.bar_of_order(figure.clocks, bar_room, look):
        taken = max(taken, bar.room)
    width = max(1.0, room.width - taken)
    area = room._replace(width=width)
    bar_room = bar_room._replace(width=width)
    bar = _clocks.bar_of_order(figure.clocks, bar_room, look)
    around = Margins(0.0, over, taken, 0.0)
    return PlacedFigure(figure, room, around, [], clocks=area, bar=bar)


def _with_legends(
    figure: Figure, room: Rectangle, look: Look, least: Margins
) -> tuple[tuple[PlacedPanel, ...], tuple[PlacedLegend, ...]]:
    legends: list[PlacedLegend] = []
    for panel in figure.panels:
        if panel.legend:
            rest = _without_bottom(room, _height_of(legends, look))
            legends.append(legend_below(panel, rest, look))
    taken = _height_of(legends, look)
    rest = _without_bottom(room, taken)
    panels = placed_figure_panels(figure, rest, look, _less_below(least, taken))
    return panels, tuple(legends)


# -- drawing -------------------------------------------------------------------------------------


def draw_inside(placed: PlacedFigure, look: Look) -> Iterator[Inside]:
    """Yield the items inside each area of a figure."""
    for panel in placed.panels:
        yield _panel.draw_inside(panel, look)
    if placed.figure.clocks is not None and placed.clocks:
        yield _clocks.draw_clocks(placed.figure.clocks, placed.clocks, look)


def draw_around(placed: PlacedFigure, look: Look) -> Iterator[Item]:
    """Yield the items around the areas of a figure."""
    yield from draw_above(placed, look)
    for panel in placed.panels:
        yield from _panel.draw_around(panel, look)
    for legend in placed.legends:
        yield from draw_legend(legend, look)
    if placed.bar:
        yield from draw_bar(placed.bar, look)
        yield from draw_bar_title(placed.bar, look)
    if placed.figure.table:
        yield from _table.draw_table(placed.figure.table, placed.room, look)


def parts_of(placed: PlacedFigure, number: int, look: Look) -> Iterator[PagePart]:
    """Yield the parts of a figure that can be edited, the uppermost first."""
    nothing, room = Source("", ""), placed.room
    for panel in placed.panels:
        yield from _panel.parts_of(panel, number)
    if placed.clocks and placed.bar:
        place = placed.bar.place_at(placed.clocks)
        yield PagePart("bar", placed.bar.source, place, number)
    if table := placed.figure.table:
        height, words = _table.height_of(table, look), ("table", *(row[0] for row in table.rows))
        place = room._replace(top=room.bottom - height, height=height)
        yield PagePart("table", nothing, place, number, words=words)
    if not placed.panels:
        yield PagePart("panel", nothing, placed.clocks or room, number, words=("names", "notes"))


def draw_above(placed: PlacedFigure, look: Look) -> Iterator[Item]:
    """Yield the letter, the heading and the sentence above the panels of a figure."""
    heading = placed.panels[0].panel.heading if placed.panels else ""
    letter = placed.figure.label.removesuffix(heading).strip()
    left, top = placed.room.left, placed.room.top
    if heading:
        begin, top, _, _ = placed.panels[0].area
        base = top - (LINE - ASCENT) * look.size
        if letter:
            begin = max(begin, left + look.width(letter) + look.size)
        room = placed.room.right - begin + _LABEL_OVERHANG * look.size
        text = look.text(look.cut(heading, room), begin, base)
        if placed.panels[0].panel.has_heading:
            yield text._replace(source=Source(heading, heading))
    if letter:
        base = top - (LINE - ASCENT) * look.size
        letter = look.cut(letter, placed.room.width / _BOLD)
        yield look.text(letter, left, base)._replace(bold=True)
    yield from _sentence.draw_above(placed.above, placed.room, look)


def draw_sentence(placed: PlacedFigure, look: Look) -> Iterator[Item]:
    """Yield the sentence inside a figure, if it is not above the panels."""
    has_clocks = placed.figure.clocks is not None and placed.bar
    if placed.sentence and not placed.above and not has_clocks:
        panels = placed.panels
        area = panels[placed.figure.note_index].area if panels else placed.room
        yield from _sentence.draw_centred(placed.sentence, area, look)


# -- one panel below the other, on the same lower axis ---------------------------------------------


_ROUNDS = 3  # iterations of placing, because the tick labels of either y axis move both areas


def placed_figure_panels(
    figure: Figure, room: Rectangle, look: Look, least: Margins
) -> tuple[PlacedPanel, ...]:
    """Place the panels of a figure, with margins of at least `least` at the outer edges."""
    first = figure.panels[0]
    if not first.upper:
        return placed_panels(figure, room, look, least)
    lower, *rest = figure.panels[1:]
    both = lower._replace(upper=True)  # represents both panels in the layout
    merged = figure._replace(panels=(both, *rest))
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
    outer, around = whole.outer, whole.around
    above, below = OVER * look.size, (TICK + OVER) * look.size
    height = max(1.0, (whole.area.height - above - below) / 2)
    room = outer._replace(height=around.top + height + below)
    rest = Rectangle(outer.left, room.bottom, outer.width, outer.bottom - room.bottom)
    least = around._replace(bottom=0.0)
    first = placed(upper._replace(upper=False), room, look, least=least, numbered=False)
    least = around._replace(top=0.0)
    return first, placed(lower, rest, look, least=least)
