"""The panels of a figure, side by side or stacked, with aligned edges."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pe_explorer.figures._look import Look
from pe_explorer.figures._panel import Margins, PlacedPanel, is_square, placed
from pe_explorer.pictures.figure import Figure, Panel, Rectangle

_Pair = tuple[PlacedPanel, PlacedPanel]

APART = 1.0  # gap between panels or figures, in font sizes
_BESIDE_FROM = 1.25  # aspect ratio (width / height) from which panels are placed side by side
_ROOMY = 1.25  # room factor from which no other arrangements are tried
_AMPLE = 2.0  # room factor above which a larger size is no advantage
_WIDEST, _HIGHEST = 0.67, 0.6  # maximum fractions of a figure for its second panel
_ROUNDS = 2  # iterations of placing, because the needs of one panel move the other
_BALANCING_ROUNDS = 6  # iterations of making two panels equally large


def placed_panels(
    figure: Figure, room: Rectangle, look: Look, least: Margins
) -> tuple[PlacedPanel, ...]:
    """Place the panels of a figure, with margins of at least `least` at the outer edges."""
    if len(figure.panels) == 1:
        (panel,) = figure.panels
        return (_alone(panel, room, look, least),)
    first, second = figure.panels
    layouts = _TwoPanels(first, second, room, look, least, figure.share)

    def quality(panels: _Pair) -> tuple[float, bool, float, bool, float]:
        room_factor, second = least_room_factor(panels, look), panels[1]
        are_named = all(panel.is_named for panel in panels)
        return (
            min(1.0, room_factor),
            are_named,
            min(_AMPLE, room_factor),
            not second.bar_above,
            second.area.width,
        )

    def is_roomy(candidates: Sequence[_Pair]) -> bool:
        return any(least_room_factor(panels, look) >= _ROOMY for panels in candidates)

    preferred, fallback = layouts.beside, layouts.above
    if room.width < _BESIDE_FROM * room.height:
        preferred, fallback = fallback, preferred
    candidates = list(preferred())
    if not is_roomy(candidates):
        candidates += fallback()
    if not is_roomy(candidates):
        candidates += [layouts.balanced(*panels) for panels in candidates if _are_beside(*panels)]
    best = max(candidates, key=quality)
    if layouts.are_tables and _are_beside(*best):
        for _ in range(_BALANCING_ROUNDS):
            best = layouts.balanced(*best)
    return _with_one_title(*best)


def _are_beside(first: PlacedPanel, second: PlacedPanel) -> bool:
    return first.area.right <= second.area.left


def _alone(panel: Panel, room: Rectangle, look: Look, least: Margins) -> PlacedPanel:
    beside = placed(panel, room, look, least=least)
    # A bar does not fit between a heading and its panel.
    if beside.bar is None or panel.heading or beside.room_factor(look) >= _ROOMY:
        return beside
    above = placed(panel, room, look, least=least, bar_above=True)
    return max(beside, above, key=lambda panel: panel.room_factor(look))


def _with_one_title(first: PlacedPanel, second: PlacedPanel) -> _Pair:
    narrow, wide = first, second
    if wide.outer.width < narrow.outer.width:
        narrow, wide = wide, narrow
    is_enough = narrow.around.bottom <= wide.around.bottom
    if first.panel.x != second.panel.x or not is_enough:
        return first, second
    title = narrow.bottom_title
    return first._replace(bottom_title=title), second._replace(bottom_title=title)


def least_room_factor(panels: Sequence[PlacedPanel], look: Look) -> float:
    """Return the smallest size of the areas, relative to the smallest legible size."""
    return min(panel.room_factor(look) for panel in panels)


def outer_margins(panels: Sequence[PlacedPanel], look: Look) -> Margins:
    """Return the margins around all areas of a figure."""
    first, last = panels[0], panels[-1]
    left, top, _, _ = first.around
    _, _, right, bottom = last.around
    if _are_beside(first, last):  # the free space above a square is not a margin
        top = max(panel.needed_above(look) for panel in panels)
    return Margins(left, top, right, bottom)


class _TwoPanels(NamedTuple):
    """Arrangements of two panels with margins of at least `least`.

    `share` is the fraction of the space for the second panel; None chooses it automatically.
    """

    first: Panel
    second: Panel
    room: Rectangle
    look: Look
    least: Margins
    share: float | None

    @property
    def gap(self) -> float:
        return APART * self.look.size

    @property
    def are_tables(self) -> bool:
        """Whether both panels are tables, which need the same size for comparison."""
        return self.first.x == self.second.x and not is_square(self.second)

    def beside(self) -> Iterator[_Pair]:
        """Yield both panels side by side; a bar above a square is used only if it saves space."""
        most = (self.share or _WIDEST) * (self.room.width - self.gap)
        pair = self.in_a_row(most, bar_above=False)
        yield pair
        has_room = least_room_factor(pair, self.look) >= 1 and all(panel.is_named for panel in pair)
        if is_square(self.second) and not has_room:
            yield self.in_a_row(most, bar_above=True)

    def balanced(self, first: PlacedPanel, second: PlacedPanel) -> _Pair:
        """Return both panels side by side with equally wide areas, unless a share is set."""
        if self.share is not None:
            return first, second
        more = second.area.width - first.area.width
        most = second.outer.width - more / 2
        return self.in_a_row(most, bar_above=second.bar_above)

    def in_a_row(self, most: float, *, bar_above: bool) -> _Pair:
        """Return both panels side by side, bottom-aligned, the second at most `most` wide."""
        room, bottom = self.room, self.least.bottom
        for _ in range(_ROUNDS):
            second = self.on_the_right(most, bottom, bar_above=bar_above)
            top = self.least.top if bar_above else second.area.top - room.top
            least = Margins(self.least.left, top, 0.0, bottom)
            width = second.outer.left - self.gap - room.left
            first = self.placed(self.first, room._replace(width=width), least)
            bottom = max(first.around.bottom, second.around.bottom)
        return first, second

    def on_the_right(self, most: float, bottom: float, *, bar_above: bool) -> PlacedPanel:
        least = self.least._replace(left=0.0, bottom=bottom)
        if bar_above:
            least = least._replace(right=0.0)
        part = self.room._replace(left=self.room.right - most, width=most)
        panel = self.placed(self.second, part, least, bar_above=bar_above)
        if not is_square(self.second):
            return panel
        width = panel.outer.width
        part = self.room._replace(left=self.room.right - width, width=width)
        return self.placed(self.second, part, panel.around, bar_above=bar_above)

    def above(self) -> Iterator[_Pair]:
        """Yield both panels stacked and left-aligned.

        If their axes are equal, they are also right-aligned.
        """
        room, left, right = self.room, self.least.left, self.least.right
        shares_edges = self.first.x == self.second.x
        height = (self.share or _HIGHEST) * (room.height - self.gap)
        for _ in range(_BALANCING_ROUNDS if self.are_tables else _ROUNDS):
            least = self.least._replace(left=left, top=0.0)
            if self.are_tables:
                least = least._replace(right=right)
            part = room._replace(top=room.bottom - height, height=height)
            second = self.placed(self.second, part, least)
            if is_square(self.second):
                needed = second.outer.height
                part = room._replace(top=room.bottom - needed, height=needed)
                second = self.placed(self.second, part, least)
            upper = room._replace(height=second.outer.top - self.gap - room.top)
            least = Margins(left, self.least.top, self.least.right, 0.0)
            if shares_edges:
                least = least._replace(right=max(right, room.right - second.area.right))
            first = self.placed(self.first, upper, least)
            left = max(first.around.left, second.around.left)
            if self.are_tables:
                right = max(first.around.right, second.around.right)
                if self.share is None:
                    height += (first.area.height - second.area.height) / 2
        yield first, second

    def placed(
        self, panel: Panel, room: Rectangle, least: Margins, *, bar_above: bool = False
    ) -> PlacedPanel:
        return placed(panel, room, self.look, least=least, corner=True, bar_above=bar_above)
