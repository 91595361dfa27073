"""Space: it presses, opens and types where it has a meaning, and is the window's elsewhere."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QToolButton,
    QVBoxLayout,
)

from pe_explorer.panels.follower import ModelFollower
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.sliders import Slider


class Panel(ModelFollower):
    def list_connections(self, model):
        return []

    def synchronise(self):
        pass


@pytest.fixture
def window(qtbot):
    """A window with Space as a shortcut, and a panel in it."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.panel = Panel()
    QVBoxLayout(window.panel)
    window.setCentralWidget(window.panel)
    window.play = QAction("Play", window, shortcut=QKeySequence("Space"))
    window.addAction(window.play)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    return window


def put(qtbot, window, widget):
    window.panel.layout().addWidget(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(widget.hasFocus)
    return widget


def test_space_is_for_buttons_boxes_and_lines_that_have_the_focus(window, qtbot):
    with qtbot.assertNotEmitted(window.play.triggered):
        for kind in (QPushButton, QToolButton, QCheckBox):
            button = put(qtbot, window, kind())
            with qtbot.waitSignal(button.clicked):
                qtbot.keyClick(button, Qt.Key.Key_Space)
        line = put(qtbot, window, QLineEdit())
        qtbot.keyClick(line, Qt.Key.Key_Space)
        assert line.text() == " "
        combo = put(qtbot, window, Combo())
        for name in ("one", "two"):
            combo.add(name, name, "")
        qtbot.keyClick(combo, Qt.Key.Key_Space)
        qtbot.waitUntil(combo.view().isVisible)
        qtbot.keyClick(combo.view(), Qt.Key.Key_Down)
        qtbot.keyClick(combo.view(), Qt.Key.Key_Space)
    combo.hidePopup()
    QApplication.processEvents()


def test_space_is_the_windows_elsewhere(window, qtbot):
    slider = put(qtbot, window, Slider())
    for widget in (slider, window.panel, window):
        with qtbot.waitSignal(window.play.triggered):
            qtbot.keyClick(widget, Qt.Key.Key_Space)
    button = put(qtbot, window, QPushButton())
    with qtbot.waitSignal(window.play.triggered):
        window.play.setShortcut(QKeySequence("Ctrl+Space"))
        qtbot.keyClick(button, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
