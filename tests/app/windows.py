"""What somebody does in the main window, and what it opens: dialogs, message boxes and files."""

import threading
import time

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QPushButton

from tests.support.gestures import settle

SAVE, DISCARD, CANCEL = (
    getattr(QMessageBox.StandardButton, name) for name in ("Save", "Discard", "Cancel")
)
PATIENCE = 60.0
"""Seconds that a test waits for a file."""


def wait_until_idle(window):
    """Let everything happen, the work of the files' thread included."""
    end = time.monotonic() + PATIENCE
    settle(window.model if window.isVisible() else None)
    while not window.files.worker.is_idle:
        assert time.monotonic() < end, "the file is not done with"
        time.sleep(0.002)
        settle(window.model if window.isVisible() else None)
    settle(window.model if window.isVisible() else None)


def change(window, **fields):
    window.model.set(**fields)
    settle(window.model)


def encode(window, *name, **parameters):
    """Choose an encoding, or parameters of it."""
    window.model.set_encoding(*name, **parameters)
    settle(window.model)


def click_on(window, widget):
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    settle(window.model)


def press_key(window, widget, key, *modifiers):
    QTest.keyClick(widget, key, *modifiers)
    settle(window.model)


def go_to(window, name):
    """Show a view as the rail does, in the active pane or where it is, and return it."""
    window.workspace.show_view(name)
    settle(window.model)
    return window.view(name)


def open_inspector(window):
    """Open the numbers at the cursor beside the panes: they are read only while they are seen."""
    window.sides.open("explain")
    parts = window.right_panel.pages()
    parts.tabs.setCurrentWidget(parts.inspector)
    settle(window.model)
    assert parts.inspector.isVisible()


def trigger(window, key):
    """Choose an action by its key, as the menu does: after the changes before are announced."""
    window.model.emit_changes()
    window.actions_by_key[key].trigger()
    wait_until_idle(window)


def set_up_in(window):
    return window.model.state.intention.with_(panes=None)


def wait_for_preview(qtbot, dialog):
    qtbot.waitUntil(lambda: not dialog.figure_form.preview.is_busy)


def message_boxes(window):
    return visible_dialogs(window, QMessageBox)


def close_message(window):
    """Return the text of the message that is open, and close it."""
    boxes = message_boxes(window)
    text = boxes[0].text() if boxes else ""
    for box in boxes:
        box.reject()
    wait_until_idle(window)
    return text


def answer_message(window, button):
    (box,) = message_boxes(window)
    box.button(button).click()
    wait_until_idle(window)


def start_anew(window):
    trigger(window, "new")
    if message_boxes(window):
        answer_message(window, DISCARD)


def choose_file(window, path):
    accept_file(window, path)
    wait_until_idle(window)


def accept_file(window, path):
    (dialog,) = visible_dialogs(window, QFileDialog)
    dialog.selectedFiles = lambda: [str(path)]  # what somebody has clicked on or typed
    dialog.done(QFileDialog.DialogCode.Accepted)


def drop_file(window, path, actions=Qt.DropAction.CopyAction, keys=Qt.KeyboardModifier.NoModifier):
    """Drop a file on the window, from a program that allows some actions; return the event."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    place = QPoint(50, 50).toPointF()
    event = QDropEvent(place, actions, data, Qt.MouseButton.LeftButton, keys)
    event.ignore()
    window.drop_target.eventFilter(window, event)
    wait_until_idle(window)
    return event


def set_up_exploration(window):
    """Change something of every kind, and return the exploration."""
    window.model.set_encoding("sinusoidal", dim=20, base=123.5)
    window.model.set(start=10**15, count=77, position=10**15 + 3, reference=10**15, metric="dot")
    window.model.set_options("heatmap", values="viridis")
    settle(window.model)
    return window.model.state


def save_exploration(window, path):
    state = set_up_exploration(window)
    trigger(window, "save_as")
    choose_file(window, path)
    return state


def open_dialog(window, key, kind):
    window.actions_by_key[key].trigger()
    settle()
    (dialog,) = visible_dialogs(window, kind)
    return dialog


def let_go_once_cancelled(dialog, go_on):
    """Let a writer go on when it is no longer wanted; return the thread that waits for that."""

    def wait(worker, owner):
        while worker.is_busy(owner):
            time.sleep(0.001)
        go_on.set()

    waiting = threading.Thread(target=wait, args=(dialog.parent().model.worker, dialog.TASK_OWNER))
    waiting.start()
    return waiting


def click_button(parent, text):
    (button,) = [one for one in parent.findChildren(QPushButton) if one.text() == text]
    button.click()


def choose_item(combo, name):
    combo.setCurrentIndex(combo.findData(name))


def visible_dialogs(window, kind):
    return [dialog for dialog in window.findChildren(kind) if dialog.isVisible()]


def close_dialogs(window):
    for dialog in visible_dialogs(window, QDialog):
        dialog.reject()
    settle(window.model)
