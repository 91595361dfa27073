"""The docks of the main window: one for each panel and view that is not in the middle."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

__all__ = ["add_docks", "arrange"]

_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
_AREAS = {
    "encoding": Qt.DockWidgetArea.LeftDockWidgetArea,
    "inspector": Qt.DockWidgetArea.RightDockWidgetArea,
}
"""Where docks are at first; all others are at the bottom."""

_WIDTHS = {"encoding": 286, "inspector": 282}
_HEIGHT = 330  # of those at the bottom


def add_docks(
    window: QMainWindow, contents: Mapping[str, tuple[str, QWidget]]
) -> dict[str, QDockWidget]:
    """Give a window a dock for each of some widgets, and return the docks by name.

    `contents` has the title and the widget of each dock by its name.
    """
    window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
    window.setCorner(Qt.Corner.BottomRightCorner, _BOTTOM)
    docks = {}
    for name, (title, content) in contents.items():
        dock = docks[name] = QDockWidget(title, window)
        dock.setObjectName(f"dock.{name}")
        content.setAutoFillBackground(True)  # so that a change in it does not repaint the dock
        dock.setWidget(content)
        window.addDockWidget(_AREAS.get(name, _BOTTOM), dock)
    return docks


def arrange(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
    """Give the docks the sizes that they have at first."""
    sides = [docks[name] for name in _WIDTHS]
    widths = list(_WIDTHS.values())
    window.resizeDocks(sides, widths, Qt.Orientation.Horizontal)
    bottom = [dock for name, dock in docks.items() if name not in _AREAS]
    heights = [_HEIGHT] * len(bottom)
    window.resizeDocks(bottom, heights, Qt.Orientation.Vertical)
    shares = [2] + [3] * (len(bottom) - 1)
    window.resizeDocks(bottom, shares, Qt.Orientation.Horizontal)
