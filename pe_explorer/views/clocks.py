"""The clocks: each pair of sine and cosine is a hand on a unit circle that turns at its own
pace.
"""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from pe_explorer.encodings import Waves, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.encodings.abilities.needs import Need
from pe_explorer.model import Exploration, Model
from pe_explorer.params import Choice, Whole, declare, declared
from pe_explorer.views._clock_canvas import Canvas
from pe_explorer.views._clock_face import Face, Grid, arrange, drawn, face
from pe_explorer.views.base import Options, Size, View
from pe_explorer.widgets.editors import ChoiceEditor

__all__ = ["ClockOptions", "Clocks"]


@dataclass(frozen=True)
class ClockOptions(Options):
    """Which clocks are shown, and which way round they go."""

    first: int = declare(
        Whole(
            0,
            0,
            32_767,
            label="First pair",
            symbol="i",
            unit="pair",
            help="The first clock shown, where not all of them fit.",
        )
    )
    direction: str = declare(
        Choice(
            "sin-cos",
            {
                "sin-cos": "x is the sine, y the cosine: clockwise from twelve",
                "cos-sin": "x is the cosine, y the sine: counter-clockwise from three",
            },
            label="Direction",
            symbol="(x, y)",
            help="Which wave of a pair is across and which is up, and so which way the hands turn.",
        )
    )


@dataclass(frozen=True)
class Area(Size):
    """Device pixels of the clocks' area.

    Their ratio to pixels, and the height of the texts below a clock, in pixels.
    """

    ratio: float = 1.0
    text: float = 28.0


class _FittedLabel(QLabel):
    """Shows the longest of some texts that fits."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: tuple[str, ...] = ("",)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("00,000–00,000") + 2)

    def set_texts(self, *texts: str) -> None:
        """Choose from other texts, the longest first."""
        self._texts = texts
        self.setAccessibleName(texts[0])
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        fitting = (
            text
            for text in self._texts
            if self.fontMetrics().horizontalAdvance(text) <= self.width()
        )
        self.setText(next(fitting, self._texts[-1]))


class Clocks(View):
    """A unit circle for every pair: the shown positions as points, a hand at the cursor."""

    name: ClassVar[str] = "clocks"
    title: ClassVar[str] = "Clocks"
    rank: ClassVar[int] = 20
    help: ClassVar[str] = (
        "Each pair of sine and cosine as a clock. Click chooses a pair, and a position near a "
        "point; the wheel shows other pairs."
    )
    gestures: ClassVar[tuple[tuple[str, str], ...]] = (("Wheel", "show other pairs"),)
    Options: ClassVar[type[Options]] = ClockOptions

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = Canvas()
        self.range = _FittedLabel()
        self.back = _button(Qt.ArrowType.LeftArrow, "Previous pairs")
        self.forth = _button(Qt.ArrowType.RightArrow, "Next pairs")
        parameter = declared(ClockOptions)["direction"]
        assert isinstance(parameter, Choice)
        self.direction = ChoiceEditor("direction", parameter, self)
        self.direction.combo.setFocusPolicy(
            Qt.FocusPolicy.TabFocus
        )  # a click leaves the keys with the clocks
        self._encoding: Waves | None = None
        self._wave_of = np.empty(0, dtype=np.int64)
        self._lay_out(parameter)

    def _lay_out(self, parameter: Choice) -> None:
        self.header = QWidget()
        header = QHBoxLayout(self.header)
        header.setContentsMargins(8, 4, 8, 2)
        header.setSpacing(6)
        header.addWidget(self.range, 1)
        header.addWidget(self.back)
        header.addWidget(self.forth)
        self._caption = QLabel(parameter.label)
        self._caption.setBuddy(self.direction.combo)
        header.addWidget(self._caption)
        header.addWidget(self.direction.combo)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.canvas, 1)

    def hide_controls(self) -> None:
        self.header.hide()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            (model.playhead.moved, self._moved),
            (self.canvas.pointed, self._point),
            (self.canvas.left, self._leave),
            (self.canvas.picked, self._pick),
            (self.canvas.scrolled, self._scroll),
            (self.canvas.restyled, self.redraw),
            (self.back.clicked, self._page_back),
            (self.forth.clicked, self._page_forth),
            (self.direction.edited, self.set_option),
        ]

    # -- the picture -------------------------------------------------------------------------

    def size_in_pixels(self) -> Area:
        size, ratio = self.canvas.size(), self.ratio
        return Area(
            round(size.width() * ratio),
            round(size.height() * ratio),
            ratio,
            self.canvas.text_height(2 if self.marks_cursor else 1),
        )

    @classmethod
    def need(cls, state: Exploration) -> Need:  # noqa: ARG003 - whatever its options are
        return needs.pairs

    @staticmethod
    def cost(state: Exploration, size: Size) -> float:
        grid = _arranged(state, size)
        return grid.shown * len(drawn(state.positions, grid.shown))

    @staticmethod
    def compute(state: Exploration, size: Size, cancelled: threading.Event) -> tuple[Face, Size]:
        """Return a page of clocks."""
        if cancelled.is_set():
            raise CancelledError
        clockwise = _options(state).direction == "sin-cos"
        return face(_waves(state), state.positions, _arranged(state, size), clockwise), size

    def show_picture(self, state: Exploration, picture: tuple[Face, Size]) -> None:
        self._encoding = _waves(state)
        self._show_direction(state, enabled=True)
        shown, size = picture
        self.canvas.show_face(shown, QSize(size.width, size.height))
        self._show_range(*_range_texts(shown.grid))
        if self.marks_cursor:
            self.show_cursor(state)  # other clocks, other hands
        self.set_status(_status(state, shown))

    def say(self, sentence: str) -> None:
        self.canvas.say(sentence)

    def show_lack(self, state: Exploration, sentence: str) -> None:
        self._encoding = None
        self._show_direction(state, enabled=False)
        self.canvas.say(sentence)
        self._show_range("no pairs")

    def _show_direction(self, state: Exploration, *, enabled: bool) -> None:
        """Show which way round the hands go; without hands it is no choice."""
        self.direction.display(_options(state).direction)
        for widget in (self._caption, self.direction.combo):
            widget.setEnabled(enabled)

    def _show_range(self, *texts: str) -> None:
        self.range.set_texts(*texts)
        grid = self.canvas.face.grid if self.canvas.face else None
        for button, more in (
            (self.back, grid and grid.first > 0),
            (self.forth, grid and grid.first + grid.shown < grid.pairs),
        ):
            button.setVisible(grid is not None and grid.shown < grid.pairs)
            button.setEnabled(bool(more))

    def show_cursor(self, state: Exploration) -> None:
        """Turn the hands to the cursor, and to what the play-head is ahead of it."""
        shown, encoding = self.canvas.face, self._encoding
        if shown is None or encoding is None:
            return
        self._place_hands(shown, encoding, state, self.model.playhead.fraction)

    def _place_hands(self, shown: Face, encoding: Waves, state: Exploration, ahead: float) -> None:
        turns = []
        for clock, per_position in enumerate(shown.frequencies / (2 * np.pi)):
            whole, fraction = encoding.turn(shown.grid.first + clock, state.position)
            carry, fraction = divmod(fraction + ahead * float(per_position), 1.0)
            turns.append((whole + int(carry), fraction))
        self.canvas.set_hands(turns, state.position, self._clock_of(shown, encoding, state))

    def _clock_of(self, shown: Face, encoding: Waves, state: Exploration) -> int | None:
        """Return which clock the dimension of the cursor belongs to, None where it needs no mark or
        is not shown.
        """
        wave = int(encoding.wave_of[min(state.dimension, encoding.width - 1)])
        clock = (
            wave - shown.grid.first if wave < encoding.pairs > 1 else -1
        )  # one alone needs no mark
        return clock if 0 <= clock < shown.grid.shown else None

    def show_preview(self, state: Exploration | None) -> None:
        """Show lighter hands, too, where the mouse points at another position, and a frame round
        its pair.
        """
        shown, encoding = self.canvas.face, self._encoding
        if state is None or shown is None or encoding is None:
            self.canvas.set_preview((), None)
            return
        there = state.position != self.model.state.position
        clocks = range(shown.grid.shown) if there else ()
        parts = [encoding.turn(shown.grid.first + clock, state.position)[1] for clock in clocks]
        self.canvas.set_preview(parts, self._clock_of(shown, encoding, state))

    @Slot(float)
    def _moved(self, ahead: float) -> None:
        shown, encoding = self.canvas.face, self._encoding
        if self.isVisible() and shown is not None and encoding is not None:
            self._place_hands(shown, encoding, self.model.state, ahead)

    # -- what the user does --------------------------------------------------------------------

    @Slot(int, object)
    def _point(self, clock: int, position: int | None) -> None:
        self.model.point_at(**self._at(clock, position))

    @Slot()
    def _leave(self) -> None:
        self.model.point_at()

    @Slot(int, object)
    def _pick(self, clock: int, position: int | None) -> None:
        self.model.set(**self._at(clock, position))

    def _at(self, clock: int, position: int | None) -> dict[str, int]:
        """Return the first dimension of a clock's pair, and the position of the point that the
        mouse is near, if it is.
        """
        shown = self.canvas.face
        assert shown is not None
        dimension = shown.dimensions[clock][0]
        return (
            {"dimension": dimension}
            if position is None
            else {"dimension": dimension, "position": position}
        )

    @Slot(int)
    def _scroll(self, rows: int) -> None:
        if self.canvas.face is not None:
            self._go(rows * self.canvas.face.grid.columns)

    @Slot()
    def _page_back(self) -> None:
        if self.canvas.face is not None:
            self._go(-self.canvas.face.grid.shown)

    @Slot()
    def _page_forth(self) -> None:
        if self.canvas.face is not None:
            self._go(self.canvas.face.grid.shown)

    def _go(self, pairs: int) -> None:
        """Show clocks further on, as far as there are any."""
        assert self.canvas.face is not None
        grid = self.canvas.face.grid
        last = grid.pairs - grid.shown
        first = min(max(min(self.options.first, last) + pairs, 0), last)
        if first != self.options.first:
            self.set_options(first=first)


def _button(arrow: Qt.ArrowType, name: str) -> QToolButton:
    button = QToolButton(arrowType=arrow, autoRaise=True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(name)
    button.setToolTip(f"{name}; the wheel goes row by row")
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)  # the row stays as it is
    button.setSizePolicy(policy)
    return button


def _options(state: Exploration) -> ClockOptions:
    options = state.options[Clocks.name]
    assert isinstance(options, ClockOptions)
    return options


def _waves(state: Exploration) -> Waves:
    """Return the encoding, which has the pairs that clocks need."""
    e = require_known(state.encoding)
    assert isinstance(e, Waves)
    return e


def _arranged(state: Exploration, size: Size) -> Grid:
    """Return the grid for an area."""
    area = size if isinstance(size, Area) else Area(size.width, size.height)
    width, height = area.width / area.ratio, area.height / area.ratio
    pairs, first = _waves(state).pairs, _options(state).first
    return arrange(pairs, width, height, area.text, area.ratio, first)


def _range_texts(grid: Grid) -> tuple[str, ...]:
    last = grid.first + grid.shown - 1
    which = f"{grid.first:,}" if grid.shown == 1 else f"{grid.first:,}–{last:,}"
    return (
        f"pair{'s' * (grid.shown > 1)} {which} of {grid.pairs:,}",
        f"{which} of {grid.pairs:,}",
        which,
    )


def _status(state: Exploration, shown: Face) -> str:
    grid, step = shown.grid, -(-state.count // len(shown.positions))
    clocks = f"{grid.shown:,} of {grid.pairs:,} pair{'s' * (grid.pairs > 1)}"
    e = _waves(state)
    row, several = e.rows.name, state.count > 1
    if step > 1:
        points = (
            f"points are {len(shown.positions):,} of {state.count:,} {e.rows.plural}, one at "
            f"random in {step:,}, dark to bright"
        )
    elif several:
        points = f"each point is one {row}, the first dark, the last bright"
    else:
        points = f"the point is the one {row} shown"
    lone = bool((np.bincount(e.wave_of[e.wave_of >= 0]) < 2).any())
    left = f"; the last {e.columns.name} has no partner, so no clock" if lone else ""
    return f"Clocks: {clocks}; {points}{left}."
