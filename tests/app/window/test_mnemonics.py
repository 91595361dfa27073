"""Letters that are pressed with Alt: each leads to one thing in a window, or in a menu."""

from collections import Counter

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QDialog, QGroupBox, QLabel, QMenu

from tests.support.gestures import settle
from tests.support.windows import open_dialog


def letter(text):
    """Return the letter that Alt and a text lead to, or an empty text."""
    return QKeySequence.mnemonic(text).toString().removeprefix("Alt+")


def twice(texts):
    """Return the texts that share a letter with another one."""
    letters = Counter(letter(text) for text in texts)
    return [text for text in texts if letter(text) and letters[letter(text)] > 1]


def in_window(window):
    """Return the texts on a window that Alt can lead to: menus, labels of fields, buttons."""
    texts = []
    if hasattr(window, "menuBar"):
        texts += [action.text() for action in window.menuBar().actions()]
    for kind in (QAbstractButton, QGroupBox, QLabel):
        for widget in window.findChildren(kind):
            if widget.window() is not window or widget.isHidden():
                continue
            text = widget.title() if kind is QGroupBox else widget.text()
            if kind is not QLabel or widget.buddy():
                texts.append(text)
    return texts


def test_no_letter_is_taken_twice_in_the_window(window):
    assert twice(in_window(window)) == []
    assert all(letter(action.text()) for action in window.menuBar().actions())


def test_no_letter_is_taken_twice_in_a_menu(window):
    for menu in window.findChildren(QMenu):
        texts = [action.text() for action in menu.actions() if action.isVisible()]
        assert twice(texts) == [], menu.title()


def test_no_letter_is_taken_twice_in_a_dialog(window):
    for key in ("export_figure", "export_picture", "export_data", "print_figure"):
        dialog = open_dialog(window, key, QDialog)
        assert twice(in_window(dialog)) == [], key
        dialog.reject()
        settle()
