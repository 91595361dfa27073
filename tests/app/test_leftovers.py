"""What a window leaves behind when it is gone: nothing, and without waiting for garbage to be
collected.
"""

from collections import Counter

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication

from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.model import Model
from tests.support.gestures import settle
from tests.support.leftovers import clear_up


def kinds(things):
    return Counter(type(thing).__name__ for thing in things)


def objects():
    """Count the objects of Qt that Python knows, by their type."""
    return kinds(thing for thing in shiboken6.getAllValidWrappers() if isinstance(thing, QObject))


def used_and_closed():
    """Use a window, with a picture of it, dialogs and a view in its own window, and close it."""
    window = MainWindow(Model())
    window.show()
    settle(window.model)
    window.model.set_encoding(dim=64)
    window.actions_by_key["copy_picture"].trigger()
    for key in ("export_data", "export_picture", "export_figure", "print_figure"):
        window.actions_by_key[key].trigger()
    window.actions_by_key["own_window"].trigger()
    settle(window.model)
    window.leave()
    window.deleteLater()


def gone():
    for _ in range(2):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_no_widget_remains_before_garbage_is_collected_and_a_second_window_adds_nothing(qapp):
    clear_up()
    before, counts = set(QApplication.allWidgets()), []
    for _ in range(2):
        used_and_closed()
        gone()
        assert kinds(set(QApplication.allWidgets()) - before) == Counter()
        clear_up()
        counts.append(objects())
    assert counts[1] - counts[0] == Counter()
    QApplication.clipboard().clear()
