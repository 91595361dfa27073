"""One figure of a page: its items, and the positions of panels, legends, clocks and texts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pe_explorer.figures import _clocks, _panel, _sentence, _table
from pe_explorer.figures._bar import Bar, draw_bar, draw_bar_title
from pe_explorer.figures._data import InnerItems
from pe_explorer.figures._legend import PlacedLegend, draw_legend, place_legend_below
from pe_explorer.figures._look import ASCENT, GAP, LINE_HEIGHT, OVERHANG, TICK_LENGTH, Look
from pe_explorer.figures._panel import NO_MARGINS, Margins, PlacedPanel, place_panel
from pe_explorer.figures._panels import compute_outer_margins, find_min_room_factor, place_panels
from pe_explorer.figures.page import Item, PagePart, Source
from pe_explorer.pictures.figure import Figure, Panel, Rectangle

_BOLD_WIDTH_FACTOR = 1.2  # width of bold text, relative to regular text
_MAX_OVERHANG = 0.4  # maximum extension of a heading into the gap beside it, in font sizes
# Number of iterations; one is not enough, because the tick labels of either y axis move both areas.
_PASS_COUNT = 3


class PlacedFigure(NamedTuple):
    """A figure after layout, with the positions of its parts."""

    figure: Figure
    space: Rectangle  # space for the figure, below its letter
    margins: Margins  # margins around the areas
    sentence_lines: list[str]  # lines of the sentence above the panels
    panels: tuple[PlacedPanel, ...] = ()
    legends: tuple[PlacedLegend, ...] = ()  # legends below the panels
    clocks: Rectangle | None = None  # area of the clocks, if any
    bar: Bar | None = None  # colour bar of the clocks, if any

    @property
    def areas(self) -> tuple[Rectangle, ...]:
        """The areas of data: one for each panel, or one for all clocks."""
        return tuple(panel.area for panel in self.panels) or (self.clocks or self.space,)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """All colour bars of the figure."""
        return tuple(filter(None, (*(panel.bar for panel in self.panels), self.bar)))

    @property
    def needs_legends_below(self) -> bool:
        """Whether legends must move below the panels, because a legend does not fit inside."""
        is_legend_missing = (placed.panel.legend and not placed.legend for placed in self.panels)
        return not self.legends and any(is_legend_missing)

    def with_data(self, figure: Figure, look: Look) -> PlacedFigure:
        """Return a copy with the data of a figure that has the same layout."""
        panels = tuple(
            placed.with_data(panel, look, has_names=not self.legends)
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
        """The sentence that explains why the figure is empty; empty for a figure with content."""
        return self.figure.note.sentence if self.figure.note else ""

    def min_width(self, look: Look) -> float:
        """Return the minimum width of the figure, including margins."""
        areas = sorted(self.areas, key=lambda area: area.left)
        width = self.margins.left + self.margins.right + _panel.min_width(look)
        for left_area, right_area in itertools.pairwise(areas):
            if left_area.right < right_area.left:
                width += right_area.left - left_area.right + _panel.min_width(look)
        return width

    def compute_min_height(self, look: Look) -> float:
        """Return the minimum height of the areas."""
        if self.panels:
            return max(_panel.compute_min_height(panel.panel, look) for panel in self.panels)
        return 0.0 if self.sentence else _clocks.compute_min_height(look)

    def room_factor(self, look: Look) -> float:
        """Return the size of the smallest area relative to the smallest legible size.

        Return 0 if the table does not fit.
        """
        if _table.compute_width(self.figure.table, look) > self.space.width:
            return 0.0
        if self.panels:
            return find_min_room_factor(self.panels, look)
        if self.figure.clocks is None and self.sentence:
            return _sentence.room_factor(self.sentence, self.space, look)
        return _clocks.room_factor(self.figure.clocks, self.areas[0], look)


def place_figure(
    figure: Figure, space: Rectangle, look: Look, margins: Margins = NO_MARGINS
) -> PlacedFigure:
    """Place the parts of a figure, with margins of at least `margins`."""
    if not figure.panels:
        return _place_clocks(figure, space, look, margins)
    lines: list[str] = []
    figure = figure._replace(table=_table.fit(figure.table, space, look))
    table_height = _table.compute_height(figure.table, look)
    part, margins = _cut_bottom(space, margins, table_height)
    panels, legends = _place_panels_and_legends(figure, part, look, margins)
    sentence = figure.note.sentence if figure.note else ""
    if sentence and not _sentence.has_space(sentence, panels[figure.note_index], look):
        lines = look.wrap(sentence, space.width)
        part = cut_top(part, len(lines) * LINE_HEIGHT * look.size)
        panels, legends = _place_panels_and_legends(figure, part, look, margins)
    outer_margins = compute_outer_margins(panels, look)
    bottom = outer_margins.bottom + _compute_legend_height(legends, look) + table_height
    outer_margins = outer_margins._replace(bottom=bottom)
    if figure.note:  # ticks of an empty panel have no meaning
        panels = tuple(item.without_ticks if item.panel.is_empty else item for item in panels)
    return PlacedFigure(figure, space, outer_margins, lines, panels, legends)


def _cut_bottom(space: Rectangle, margins: Margins, height: float) -> tuple[Rectangle, Margins]:
    bottom = max(0.0, margins.bottom - height)
    return space._replace(height=space.height - height), margins._replace(bottom=bottom)


def cut_top(space: Rectangle, height: float) -> Rectangle:
    """Return the remaining space after removing a part of this height at the top."""
    return space._replace(top=space.top + height, height=space.height - height)


def _compute_legend_height(legends: Sequence[PlacedLegend], look: Look) -> float:
    gap = GAP * look.size
    return sum(legend.place.height + gap for legend in legends)


def _place_clocks(figure: Figure, space: Rectangle, look: Look, margins: Margins) -> PlacedFigure:
    overhang, right = OVERHANG * look.size, margins.right
    bar_space = cut_top(space, max(overhang, margins.top))
    bar_space = bar_space._replace(height=bar_space.height - max(overhang, margins.bottom))
    if bar := _clocks.make_clock_bar(figure.clocks, bar_space, look):
        right = max(right, bar.space)
    area = space._replace(width=max(1.0, space.width - right))
    bar_space = bar_space._replace(width=area.width)
    bar = _clocks.make_clock_bar(figure.clocks, bar_space, look)
    outer_margins = Margins(0.0, overhang, right, 0.0)
    return PlacedFigure(figure, space, outer_margins, [], clocks=area, bar=bar)


def _place_panels_and_legends(
    figure: Figure, space: Rectangle, look: Look, margins: Margins
) -> tuple[tuple[PlacedPanel, ...], tuple[PlacedLegend, ...]]:
    legends: list[PlacedLegend] = []
    for panel in figure.panels:
        if panel.legend:
            part, _ = _cut_bottom(space, margins, _compute_legend_height(legends, look))
            legends.append(place_legend_below(panel, part, look))
    part, margins = _cut_bottom(space, margins, _compute_legend_height(legends, look))
    return _place_all_panels(figure, part, look, margins), tuple(legends)


def _place_all_panels(
    figure: Figure, space: Rectangle, look: Look, margins: Margins
) -> tuple[PlacedPanel, ...]:
    """Place the panels of a figure; the first may be above the second and share its x axis."""
    upper, *other_panels = figure.panels
    if not upper.is_above_next_panel:
        return place_panels(figure, space, look, margins)
    lower, *other_panels = other_panels
    upper = upper._replace(is_above_next_panel=False)
    merged_panel = lower._replace(is_above_next_panel=True)  # represents both panels in the layout
    merged_figure = figure._replace(panels=(merged_panel, *other_panels))
    space_above, space_below = OVERHANG * look.size, (TICK_LENGTH + OVERHANG) * look.size
    for _ in range(_PASS_COUNT):
        joint_panel, *side_panels = place_panels(merged_figure, space, look, margins)
        outline, outer_margins = joint_panel.outer_rectangle, joint_panel.margins
        height = max(1.0, (joint_panel.area.height - space_above - space_below) / 2)
        part = outline._replace(height=outer_margins.top + height + space_below)
        upper_margins = outer_margins._replace(bottom=0.0)
        first = place_panel(upper, part, look, margins=upper_margins, has_x_labels=False)
        part = Rectangle(outline.left, part.bottom, outline.width, outline.bottom - part.bottom)
        second = place_panel(lower, part, look, margins=outer_margins._replace(top=0.0))
        left = max(first.margins.left, second.margins.left)
        if left <= outer_margins.left:
            break
        margins = margins._replace(left=left)
    return (first, second, *side_panels)


def draw_inside(placed: PlacedFigure, look: Look) -> Iterator[InnerItems]:
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
        yield from _table.draw_table(placed.figure.table, placed.space, look)


def list_parts(placed: PlacedFigure, number: int, look: Look) -> Iterator[PagePart]:
    """Yield the parts of a figure that can be edited, the uppermost first."""
    empty_source, space = Source("", ""), placed.space
    for panel in placed.panels:
        yield from _panel.list_parts(panel, number)
    if placed.clocks and placed.bar:
        place = placed.bar.outer_rectangle(placed.clocks)
        yield PagePart("bar", placed.bar.source, place, number)
    if table := placed.figure.table:
        height, words = (
            _table.compute_height(table, look),
            ("table", *(row[0] for row in table.rows)),
        )
        place = space._replace(top=space.bottom - height, height=height)
        yield PagePart("table", empty_source, place, number, words=words)
    if not placed.panels:
        yield PagePart(
            "panel", empty_source, placed.clocks or space, number, words=("names", "notes")
        )


def draw_above(placed: PlacedFigure, look: Look) -> Iterator[Item]:
    """Yield the letter, the heading and the sentence above the panels of a figure."""
    heading = placed.panels[0].panel.heading if placed.panels else ""
    letter = placed.figure.label.removesuffix(heading).strip()
    space, top = placed.space, placed.panels[0].area.top if heading else placed.space.top
    base = top - (LINE_HEIGHT - ASCENT) * look.size
    if heading and placed.panels[0].panel.has_heading:
        left = placed.panels[0].area.left
        if letter:
            left = max(left, space.left + look.width(letter) + look.size)
        text = look.truncate(heading, space.right - left + _MAX_OVERHANG * look.size)
        yield look.text(text, left, base)._replace(source=Source(heading, heading))
    if letter:
        letter = look.truncate(letter, space.width / _BOLD_WIDTH_FACTOR)
        yield look.text(letter, space.left, base)._replace(is_bold=True)
    yield from _sentence.draw_above(placed.sentence_lines, space, look)


def draw_sentence(placed: PlacedFigure, look: Look) -> Iterator[Item]:
    """Yield the sentence of a figure unless it is placed above the panels."""
    has_clocks = placed.figure.clocks is not None and placed.bar
    if placed.sentence and not placed.sentence_lines and not has_clocks:
        panels = placed.panels
        area = panels[placed.figure.note_index].area if panels else placed.space
        yield from _sentence.draw_centred_text(placed.sentence, area, look)
