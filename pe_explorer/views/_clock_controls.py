"""The row above the clocks: which pairs are seen, the way to others, and the direction."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from pe_explorer.params import Choice, declared
from pe_explorer.pictures.clock_face import Grid
from pe_explorer.pictures.clocks import ClockOptions
from pe_explorer.widgets.editors import ChoiceEditor

__all__ = ["ClockControls"]


class ClockControls(QWidget):
    """Shows which pairs are seen, and has the controls of the clocks."""

    def __init__(self) -> None:
        super().__init__()
        self.range = _FittedLabel()
        self.back = _button(Qt.ArrowType.LeftArrow, "Previous pairs")
        self.forth = _button(Qt.ArrowType.RightArrow, "Next pairs")
        parameter = declared(ClockOptions)["direction"]
        assert isinstance(parameter, Choice)
        self.direction = ChoiceEditor("direction", parameter, self)
        # A click leaves the keys with the clocks.
        self.direction.combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._caption = QLabel(parameter.label)
        self._caption.setBuddy(self.direction.combo)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 2)
        row.setSpacing(6)
        row.addWidget(self.range, 1)
        for widget in (self.back, self.forth, self._caption, self.direction.combo):
            row.addWidget(widget)

    def display(self, options: ClockOptions, grid: Grid | None) -> None:
        """Show the options, and which clocks are seen; `grid` is None where there are none."""
        self.direction.display(options.direction)
        for widget in (self._caption, self.direction.combo):
            widget.setEnabled(grid is not None)
        self.range.set_texts(*_range_texts(grid))
        several_pages = grid is not None and grid.shown < grid.pairs
        before = grid is not None and grid.first > 0
        after = grid is not None and grid.first + grid.shown < grid.pairs
        for button, more in ((self.back, before), (self.forth, after)):
            button.setVisible(several_pages)
            button.setEnabled(more)


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
        metrics, room = self.fontMetrics(), self.width()
        fitting = [text for text in self._texts if metrics.horizontalAdvance(text) <= room]
        self.setText(fitting[0] if fitting else self._texts[-1])


def _button(arrow: Qt.ArrowType, name: str) -> QToolButton:
    button = QToolButton(arrowType=arrow, autoRaise=True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(name)
    button.setToolTip(f"{name}; the wheel goes row by row")
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)  # the row stays as it is
    button.setSizePolicy(policy)
    return button


def _range_texts(grid: Grid | None) -> tuple[str, ...]:
    """Return which pairs are shown, in longer and shorter texts."""
    if grid is None:
        return ("no pairs",)
    pairs, which = "pair", f"{grid.first:,}"
    if grid.shown > 1:
        last = grid.first + grid.shown - 1
        pairs, which = "pairs", f"{which}–{last:,}"
    of_all = f"{which} of {grid.pairs:,}"
    return f"{pairs} {of_all}", of_all, which
