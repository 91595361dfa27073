"""The view of clocks: hands that follow the cursor and playback, and pages of clocks."""

from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar

from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from pe_explorer import pictures
from pe_explorer.encodings import Steady
from pe_explorer.exploration import Exploration, ResolvedState, resolve
from pe_explorer.figures.page import ClockPoints
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.model import Model
from pe_explorer.pictures.clock_face import ClockGrid
from pe_explorer.pictures.clocks import (
    ClockArea,
    ClockOptions,
    Clocks,
    compute_turns,
    find_clock_index,
)
from pe_explorer.pictures.figure import Figure
from pe_explorer.views._clock_hands import Hands
from pe_explorer.views._clock_turning import TurnController
from pe_explorer.views._header import Header, ValueReceiver
from pe_explorer.views._page_items import pixels
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.fonts import choose_text
from pe_explorer.widgets.keys import CURSOR_MOVES


class ClockPage:
    """The page of clocks, which follows the cursor's dimension until the user scrolls."""

    def __init__(self) -> None:
        self.first: int | None = None  # first pair of the page; None to use the option `first`
        self.dimension: int | None = None  # last known dimension of the cursor; None if unknown
        self._is_following_cursor = False

    def stop_following(self, state: Exploration) -> None:
        """Use the page from the options until the dimension of the cursor changes."""
        self.dimension, self._is_following_cursor, self.first = state.dimension, False, None

    def follow(self, state: Exploration) -> bool:
        """Follow the cursor if the dimension has changed; return whether the dimension changed."""
        has_changed = state.dimension != self.dimension
        if has_changed:
            self.dimension, self._is_following_cursor = state.dimension, True
        return has_changed

    def fit(self, state: Exploration, area: ClockArea) -> ClockArea:
        if self._is_following_cursor and not Clocks(state).is_unavailable():
            self.first = Clocks(state).find_cursor_page(replace(area, first=self.first))
        return replace(area, first=self.first)


class ClocksView(PageView):
    """A unit circle for each pair, with positions as points and a hand at the cursor."""

    picture = Clocks
    columns_changed = Signal()  # the visible columns may have changed
    min_width_with_bar: ClassVar[int] = 400
    _picture_status: str  # status without the sentence about a turn

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hands = Hands(self)
        self.hands.installEventFilter(self.mouse_label)
        self.canvas.scene().addItem(self.hands.item)
        self.turn_controller = TurnController(self.hands, self)
        self.turn_controller.sentence_changed.connect(self._show_turn)
        self._encoding: Steady | None = None  # the encoding of the displayed clocks
        self._page = ClockPage()

    def make_header(self) -> Header:
        self.controls = ClockControls(self.set_option)
        return self.controls

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().list_connections(model),
            (self.hands.hovered, self._hover_clock),
            (self.hands.mouse_exited, self._end_hover),
            (self.hands.clicked, self._click_clock),
            (self.hands.scrolled, self._scroll),
            (self.hands.style_changed, self.redraw),
            (self.controls.scrolled, self._scroll),
            (model.changed, self.turn_controller.forget_turn),
        ]

    def synchronise(self) -> None:
        has_cursor = self._page.dimension is not None or self.options.first == 0
        if has_cursor and not self.target.is_for_export:
            self._page.follow(self.model.state)
        super().synchronise()

    @Slot(object, object)
    def _follow_change(self, old: Exploration, new: Exploration) -> None:
        first = self._page.first
        if _get_page(old) != _get_page(new):
            self._page.stop_following(new)
        elif self._page.follow(new):
            self.is_stale |= self.is_blank or self.compute_size_in_pixels().first != first
        super()._follow_change(old, new)

    def visible_state(self, state: ResolvedState) -> ResolvedState:
        face, options = self.hands.face, self.options
        if face is None:
            return state
        first = options.first if options.spread else face.grid.first
        # Limit the page to the visible pairs, because a larger page could begin at an earlier pair.
        most = face.grid.clock_count if first and not options.spread else options.most
        fields = {"first": first, "most": most, "columns": face.grid.columns}
        if all(getattr(options, name) == value for name, value in fields.items()):
            return state
        return resolve(pictures.with_options(state, self.picture.name, **fields), self.model.store)

    def _with_known_data(self, state: Exploration, frame: Figure) -> Figure:
        face, e = self.figure.clocks, state.encoding
        if face is None or not isinstance(e, Steady):
            return frame
        counted_items = e.rows.name, state.start, state.count
        return frame._replace(clocks=face._replace(counted_items=counted_items))

    def compute_size_in_pixels(self) -> ClockArea:
        area = super().compute_size_in_pixels()
        if not isinstance(area, ClockArea):  # no room for a clock
            return ClockArea(0, 0)
        return self._page.fit(self.model.state, area)

    def show_figure(self, state: Exploration, figure: Figure, *, is_coarse: bool) -> None:
        assert figure.clocks is not None
        assert isinstance(state.encoding, Steady)
        self._encoding, self._picture_status = state.encoding, figure.status
        super().show_figure(state, figure, is_coarse=is_coarse)
        self.controls.display(self.get_picture(state).options, figure.clocks.grid)
        if self.target.has_cursor_mark:
            self.show_cursor(state)  # new clocks need hands

    def show_page(self, figure: Figure, *, has_new_data: bool = True) -> None:
        if figure.clocks is not None and self._encoding is not None and self.target.has_cursor_mark:
            index = find_clock_index(self._encoding, figure.clocks, self.model.state.dimension)
            figure = figure._replace(clocks=figure.clocks._replace(marked_index=index))
        super().show_page(figure, has_new_data=has_new_data)
        items = self.layers.data[0] if self.layers.data else ()
        points = next((item for item in items if isinstance(item, ClockPoints)), None)
        if points is None:
            self.hands.clear()
        else:
            rect, scale = pixels(points.place), points.pixel / UNIT_POINTS["px"]
            self.hands.show_face(points.face, rect, self.canvas.pos(), scale)
        self.columns_changed.emit()

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of the visible clocks; empty if all clocks or no clocks are visible."""
        face = self.hands.face
        if face is None or face.grid.clock_count == face.grid.pairs:
            return ()
        return tuple(chain.from_iterable(face.dimensions))

    def locate(self, panel: str, x: float, y: float) -> QPointF | None:
        point = QPointF(x, y) * self.hands.scale + self.hands.corner
        return None if self.hands.face is None else self.hands.mapTo(self, point)

    def show_unavailable(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._encoding = None
        super().show_unavailable(state, frame, sentence)
        self.controls.display(self.get_picture(state).options, None)

    def show_cursor(self, state: Exploration) -> None:
        """Turn the hands to the cursor or, during playback, to the interpolated position."""
        face, e = self.hands.face, self._encoding
        if face is not None and e is not None:
            if find_clock_index(e, face, state.dimension) != face.marked_index:
                self.show_page(self.figure, has_new_data=False)
            text_turns, lead = compute_turns(e, face, state.position), self.model.playhead.lead
            turns = compute_turns(e, face, state.position, lead) if lead else text_turns
            self.hands.set_hands(turns, state.position, text_turns)

    def show_preview(self, state: Exploration | None) -> None:
        """Show lighter hands and a frame at the hovered point, or where a drag started."""
        face, e = self.hands.face, self._encoding
        state = self.turn_controller.start_state or state
        if state is None or face is None or e is None:
            self.hands.set_preview((), None)
            return
        fractions: list[float] = []
        if state.position != self.model.state.position:
            fractions = [fraction for _, fraction in compute_turns(e, face, state.position)]
        self.hands.set_preview(fractions, find_clock_index(e, face, state.dimension))

    def _make_cursor_fields(self, clock_index: int, position: int | None) -> dict[str, int]:
        assert self.hands.face is not None
        fields = {"dimension": self.hands.face.dimensions[clock_index][0]}
        if position is not None:
            fields["position"] = position
        return fields

    @Slot(int, object)
    def _hover_clock(self, clock_index: int, position: int | None) -> None:
        self.model.point_at(self.picture.name, **self._make_cursor_fields(clock_index, position))

    @Slot()
    def _end_hover(self) -> None:
        self.model.point_at()

    @Slot(int, object)
    def _click_clock(self, clock_index: int, position: int | None) -> None:
        self.model.set_cursor(**self._make_cursor_fields(clock_index, position))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        unit, steps = CURSOR_MOVES.get(Qt.Key(event.key()), ("dimension", 0))
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_turn_key = modifiers == Qt.KeyboardModifier.ShiftModifier and unit != "dimension"
        if is_turn_key and self.is_attached and not self.is_blank:
            self.turn_controller.step(steps, unit)
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _show_turn(self, sentence: str) -> None:
        self._set_status(sentence or self._picture_status)

    @Slot(int)
    def _scroll(self, pairs: int) -> None:
        grid = self.hands.face.grid if self.hands.face is not None else None
        if grid is None or not grid.is_consecutive:
            return
        first = min(max(grid.first + pairs, 0), grid.pairs - grid.clock_count)
        if first != grid.first:
            self._page.stop_following(self.model.state)
            self.set_options(first=first)
            self.redraw()  # needed if the options already contain this page


def _get_page(state: Exploration) -> tuple[int, str]:
    options = Clocks(state).options
    return options.first, options.pairs


class ClockControls(Header):
    """Header fields that show the visible pairs and switch to other pages."""

    scrolled = Signal(int)  # number of pairs to scroll, negative for earlier pairs

    def __init__(self, choose: ValueReceiver) -> None:
        super().__init__(ClockOptions)
        self.range = _FittedLabel()
        self.back = _make_button(Qt.ArrowType.LeftArrow, "Previous pairs")
        self.forward_button = _make_button(Qt.ArrowType.RightArrow, "Next pairs")
        self.add(
            self.range, self.back, self.forward_button, stretch=100
        )  # fill the remaining width
        self.back.clicked.connect(self._change_page)
        self.forward_button.clicked.connect(self._change_page)
        self.pairs = self.add_option("pairs", choose, has_label=False)
        self._page_size = 0  # number of visible pairs

    @Slot()
    def _change_page(self) -> None:
        self.scrolled.emit(-self._page_size if self.sender() is self.back else self._page_size)

    def display(self, options: ClockOptions, grid: ClockGrid | None) -> None:
        """Show the options and the pairs of a grid, or no pairs if `grid` is None."""
        self.pairs.display(options.pairs)
        self.range.set_texts(*_format_range(grid))
        has_previous = has_next = False
        if grid is not None and grid.is_consecutive:
            self._page_size = grid.clock_count
            has_previous = grid.first > 0
            has_next = grid.first + grid.clock_count < grid.pairs
        self.back.setEnabled(has_previous)
        self.forward_button.setEnabled(has_next)
        for button in (self.back, self.forward_button):
            button.setVisible(has_previous or has_next)


class _FittedLabel(QLabel):
    """A label that shows the longest fitting variant of its text."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: tuple[str, ...] = ("",)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("00,000–00,000") + 2)

    def set_texts(self, *texts: str) -> None:
        self._texts = texts
        self.setAccessibleName(texts[0])
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        text = choose_text(self._texts, self.fontMetrics(), self.width())
        self.setText(text or self._texts[-1])


def _make_button(arrow: Qt.ArrowType, name: str) -> QToolButton:
    button = QToolButton(arrowType=arrow, autoRaise=True)
    button.setAccessibleName(name)
    button.setToolTip(f"{name}; scroll to move row by row")
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)  # so that the row does not move
    button.setSizePolicy(policy)
    return button


def _format_range(grid: ClockGrid | None) -> tuple[str, ...]:
    if grid is None:
        return ("no pairs",)
    if not grid.is_consecutive:
        ratio = f"{grid.clock_count:,} of {grid.pairs:,}"
        return f"{ratio} pairs", ratio, f"{grid.clock_count:,}"
    noun, numbers = "pair", f"{grid.first:,}"
    if grid.clock_count > 1:
        noun, numbers = "pairs", f"{grid.first:,}–{grid.numbers[-1]:,}"
    ratio = f"{numbers} of {grid.pairs:,}"
    return f"{noun} {ratio}", ratio, numbers
