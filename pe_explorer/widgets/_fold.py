"""The button above what is seldom needed, which shows and hides it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

__all__ = ["Fold"]


class Fold(QToolButton):
    """Shows and hides the fields that are seldom changed, and says how many of them were."""

    turned = Signal(bool)
    """Whether they are to be seen from now on."""

    def __init__(self, unfolded: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_unfolded = unfolded
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip("<p>Shows and hides the parameters that are seldom changed.</p>")
        self.clicked.connect(self.turn)
        self.count(0)
        self._show_state()

    @Slot()
    def turn(self) -> None:
        """Show what is hidden, or hide what is shown."""
        self._is_unfolded = not self._is_unfolded
        self._show_state()
        self.turned.emit(self._is_unfolded)

    def count(self, changed: int) -> None:
        """Say how many of the fields are not at their defaults."""
        self.setText(f"More ({changed} changed)" if changed else "More")

    def _show_state(self) -> None:
        arrows = Qt.ArrowType
        self.setArrowType(arrows.DownArrow if self._is_unfolded else arrows.RightArrow)
        verb = "Hide" if self._is_unfolded else "Show"
        self.setAccessibleName(f"{verb} more parameters")
