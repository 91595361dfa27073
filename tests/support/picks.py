"""Picking from a list as a person does it."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication


def picked_with_mouse(qtbot, combo, row):
    """Open the list of a combo box and pick a row, both with the mouse."""
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(combo, left, pos=QPoint(combo.width() // 2, combo.height() // 2))
    view = combo.view()
    qtbot.waitUntil(view.isVisible)
    qtbot.wait(QApplication.doubleClickInterval() + 50)  # a release just after a press is ignored
    index = combo.model().index(row, 0)
    view.scrollTo(index)
    place = view.visualRect(index).center()
    qtbot.mouseMove(view.viewport(), place)
    qtbot.mouseClick(view.viewport(), left, pos=place)
    qtbot.waitUntil(lambda: not view.isVisible())
