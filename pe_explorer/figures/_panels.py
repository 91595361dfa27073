"""The panels of a figure, side by side or stacked, with aligned edges."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pe_explorer.figures._look import Look
from pe_explorer.figures._panel import Margins, PlacedPanel, is_square, place_panel
from pe_explorer.pictures.figure import Figure, Panel, Rectangle

_PanelPair = tuple[PlacedPanel, PlacedPanel]

PANEL_GAP = 1.0  # gap between panels or figures, in multiples of the font size
_MIN_WIDE_RATIO = 1.25  # minimum width / height for trying panels side by side first
_GOOD_ROOM_FACTOR = 1.25  # value of `room_factor` from which no other arrangements are tried
_AMPLE_ROOM_FACTOR = 2.0  # `room_factor` above which larger values do not matter
_MAX_WIDTH, _MAX_HEIGHT = 0.67, 0.6  # maximum fractions of width and height for the second panel
_MARGIN_ROUNDS = 2  # number of iterations; one is not enough, because margins move the other panel
_BALANCING_ROUNDS = 6  # number of iterations that make two panels equally large


def place_panels(
    figure: Figure, space: Rectangle, look: Look, margins: Margins
) -> tuple[PlacedPanel, ...]:
    """Place the panels of a figure, with margins of at least `margins` at the outer edges."""
    if len(figure.panels) == 1:
        (panel,) = figure.panels
        result = place_panel(panel, space, look, margins=margins)
        # A bar does not fit between a heading and its panel.
        # A bar beside a square panel in a tall room would make both sides of the square shorter.
        has_room = space.width >= space.height or not is_square(panel)
        has_room &= result.room_factor(look) >= _GOOD_ROOM_FACTOR
        if result.bar is None or panel.heading or has_room:
            return (result,)
        alternative_panel = place_panel(panel, space, look, margins=margins, has_bar_above=True)
        return (max(result, alternative_panel, key=lambda panel: panel.room_factor(look)),)
    first, second = figure.panels
    two_panels = _TwoPanels(first, second, space, look, margins, figure.share)

    def rate_pair(pair: _PanelPair) -> tuple[float, bool, float, bool, float]:
        factor, (_, second) = find_min_room_factor(pair, look), pair
        has_titles = all(panel.has_y_title for panel in pair)
        criteria = min(1.0, factor), has_titles, min(_AMPLE_ROOM_FACTOR, factor)
        return *criteria, not second.has_bar_above, second.area.width

    def has_good_pair(candidates: Sequence[_PanelPair]) -> bool:
        return any(find_min_room_factor(pair, look) >= _GOOD_ROOM_FACTOR for pair in candidates)

    first_choice, second_choice = two_panels.list_side_by_side_pairs, two_panels.list_stacked_pairs
    if space.width < _MIN_WIDE_RATIO * space.height:
        first_choice, second_choice = second_choice, first_choice
    candidates = list(first_choice())
    if not has_good_pair(candidates):
        candidates += second_choice()
    if not has_good_pair(candidates):
        candidates += [two_panels.balance(*pair) for pair in candidates if _are_side_by_side(*pair)]
    best_pair = max(candidates, key=rate_pair)
    if two_panels.has_tables and _are_side_by_side(*best_pair):
        for _ in range(_BALANCING_ROUNDS):
            best_pair = two_panels.balance(*best_pair)
    narrow_panel, wide_panel = sorted(best_pair, key=lambda panel: panel.outer_rectangle.width)
    if first.x == second.x and narrow_panel.margins.bottom <= wide_panel.margins.bottom:
        return tuple(panel._replace(bottom_title=narrow_panel.bottom_title) for panel in best_pair)
    return best_pair


def _are_side_by_side(first: PlacedPanel, second: PlacedPanel) -> bool:
    return first.area.right <= second.area.left


def find_min_room_factor(panels: Sequence[PlacedPanel], look: Look) -> float:
    """Return the smallest `room_factor` of the panels."""
    return min(panel.room_factor(look) for panel in panels)


def compute_outer_margins(panels: Sequence[PlacedPanel], look: Look) -> Margins:
    """Return the margins around all areas of a figure."""
    first, last = panels[0], panels[-1]
    left, top, _, _ = first.margins
    _, _, right, bottom = last.margins
    if _are_side_by_side(first, last):  # the free space above a square is not a margin
        top = max(panel.compute_top_margin(look) for panel in panels)
    return Margins(left, top, right, bottom)


class _TwoPanels(NamedTuple):
    """Two panels that can be placed side by side or stacked."""

    first: Panel
    second: Panel
    space: Rectangle
    look: Look
    margins: Margins  # minimum margins around both panels
    share: float | None  # fraction of the space for the second panel; None for a computed fraction

    @property
    def gap(self) -> float:
        """The gap between the panels in points."""
        return PANEL_GAP * self.look.size

    @property
    def has_tables(self) -> bool:
        """Whether both panels show tables, which need the same size for comparison."""
        return self.first.x == self.second.x and not is_square(self.second)

    def list_side_by_side_pairs(self) -> Iterator[_PanelPair]:
        """Yield arrangements of both panels side by side.

        If the second panel is square and space is short, also yield an arrangement with its
        colour bar above the square.
        """
        max_width = (self.share or _MAX_WIDTH) * (self.space.width - self.gap)
        pair = self.place_side_by_side(max_width, has_bar_above=False)
        yield pair
        has_room = find_min_room_factor(pair, self.look) >= 1
        if is_square(self.second) and not (has_room and all(panel.has_y_title for panel in pair)):
            yield self.place_side_by_side(max_width, has_bar_above=True)

    def balance(self, first: PlacedPanel, second: PlacedPanel) -> _PanelPair:
        """Place both panels side by side with more equal widths, unless `share` is set."""
        if self.share is not None:
            return first, second
        excess = second.area.width - first.area.width
        max_width = second.outer_rectangle.width - excess / 2
        return self.place_side_by_side(max_width, has_bar_above=second.has_bar_above)

    def place_side_by_side(self, max_width: float, *, has_bar_above: bool) -> _PanelPair:
        """Place both panels side by side, aligned at the bottom.

        The second panel is at most `max_width` wide.
        """
        space, bottom = self.space, self.margins.bottom
        for _ in range(_MARGIN_ROUNDS):
            second = self.place_second_panel(max_width, bottom, has_bar_above=has_bar_above)
            top = self.margins.top if has_bar_above else second.area.top - space.top
            margins = Margins(self.margins.left, top, 0.0, bottom)
            width = second.outer_rectangle.left - self.gap - space.left
            first = self.place(self.first, space._replace(width=width), margins)
            bottom = max(first.margins.bottom, second.margins.bottom)
        return first, second

    def place_second_panel(
        self, max_width: float, bottom: float, *, has_bar_above: bool
    ) -> PlacedPanel:
        """Place the second panel at the right edge, without free space beside a square panel."""
        margins = self.margins._replace(left=0.0, bottom=bottom)
        if has_bar_above:
            margins = margins._replace(right=0.0)
        part = self.space._replace(left=self.space.right - max_width, width=max_width)
        panel = self.place(self.second, part, margins, has_bar_above=has_bar_above)
        if not is_square(self.second):
            return panel
        width = panel.outer_rectangle.width
        part = self.space._replace(left=self.space.right - width, width=width)
        return self.place(self.second, part, panel.margins, has_bar_above=has_bar_above)

    def list_stacked_pairs(self) -> Iterator[_PanelPair]:
        """Yield an arrangement of the first panel above the second.

        The areas are aligned at the left and, if their x axes are equal, also at the right.
        """
        space, left, right = self.space, self.margins.left, self.margins.right
        height = (self.share or _MAX_HEIGHT) * (space.height - self.gap)
        for _ in range(_BALANCING_ROUNDS if self.has_tables else _MARGIN_ROUNDS):
            margins = self.margins._replace(left=left, top=0.0)
            if self.has_tables:
                margins = margins._replace(right=right)
            part = space._replace(top=space.bottom - height, height=height)
            second = self.place(self.second, part, margins)
            if is_square(self.second):
                side = second.outer_rectangle.height
                part = space._replace(top=space.bottom - side, height=side)
                second = self.place(self.second, part, margins)
            part = space._replace(height=second.outer_rectangle.top - self.gap - space.top)
            margins = Margins(left, self.margins.top, self.margins.right, 0.0)
            if self.first.x == self.second.x:
                margins = margins._replace(right=max(right, space.right - second.area.right))
            first = self.place(self.first, part, margins)
            left = max(first.margins.left, second.margins.left)
            if self.has_tables:
                right = max(first.margins.right, second.margins.right)
                if self.share is None:
                    height += (first.area.height - second.area.height) / 2
        yield first, second

    def place(
        self, panel: Panel, space: Rectangle, margins: Margins, *, has_bar_above: bool = False
    ) -> PlacedPanel:
        return place_panel(
            panel, space, self.look, margins=margins, is_in_corner=True, has_bar_above=has_bar_above
        )
