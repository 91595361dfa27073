"""The row above the clocks: which pairs are seen, and the ways to others."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton

from pe_explorer.pictures.clock_face import ClockGrid
from pe_explorer.pictures.clocks import ClockOptions
from pe_explorer.views._header import Header
from pe_explorer.widgets.fonts import first_fitting

_STRETCH = 100  # of the widgets that take the room that others leave


class ClockControls(Header):
    """Shows which pairs are seen, and has the ways to others."""

    paged = Signal(int)
    """Show clocks so many pairs further on."""

    def __init__(self, choose: Callable[[str, object], None]) -> None:
        super().__init__(ClockOptions)
        self.range = _FittedLabel()
        self.back = _button(Qt.ArrowType.LeftArrow, "Previous pairs")
        self.forth = _button(Qt.ArrowType.RightArrow, "Next pairs")
        self.add(self.range, self.back, self.forth, stretch=_STRETCH)
        self.back.clicked.connect(self._page_back)
        self.forth.clicked.connect(self._page_forth)
        self.pairs = self.add_option("pairs", choose, labelled=False)
        self._page = 0
        """How many pairs are seen."""

    @Slot()
    def _page_back(self) -> None:
        self.paged.emit(-self._page)

    @Slot()
    def _page_forth(self) -> None:
        self.paged.emit(self._page)

    def display(self, options: ClockOptions, grid: ClockGrid | None) -> None:
        """Show the options, and which clocks are seen; `grid` is None where there are none."""
        self.pairs.display(options.pairs)
        self.range.set_texts(*_range_texts(grid))
        several_pages = before = after = False
        if grid is not None:
            self._page = grid.shown
            several_pages = grid.shown < grid.pairs and grid.in_a_row
            before = grid.first > 0
            after = grid.first + grid.shown < grid.pairs
        self.back.setEnabled(before)
        self.forth.setEnabled(after)
        for button in (self.back, self.forth):
            button.setVisible(several_pages)


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
        fitting = first_fitting(self._texts, self.fontMetrics(), self.width())
        self.setText(fitting or self._texts[-1])


def _button(arrow: Qt.ArrowType, name: str) -> QToolButton:
    button = QToolButton(arrowType=arrow, autoRaise=True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(name)
    button.setToolTip(f"{name}; the wheel goes row by row")
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)  # the row stays as it is
    button.setSizePolicy(policy)
    return button


def _range_texts(grid: ClockGrid | None) -> tuple[str, ...]:
    """Return which pairs are shown, in longer and shorter texts."""
    if grid is None:
        return ("no pairs",)
    if not grid.in_a_row:
        of_all = f"{grid.shown:,} of {grid.pairs:,}"
        return f"{of_all} pairs", of_all, f"{grid.shown:,}"
    noun, which = "pair", f"{grid.first:,}"
    if grid.shown > 1:
        noun = "pairs"
        which = f"{which}–{grid.numbers[-1]:,}"
    of_all = f"{which} of {grid.pairs:,}"
    return f"{noun} {of_all}", of_all, which
