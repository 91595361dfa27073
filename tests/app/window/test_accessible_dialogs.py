"""Every dialog by keyboard alone, and what a screen reader finds in it."""

import importlib
import pkgutil
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QFileDialog, QMessageBox, QWidget

import pe_explorer
from pe_explorer.app.document.autosave import Backup
from pe_explorer.app.document.recovery_dialog import RecoveryDialog
from pe_explorer.app.trouble.trouble import TroubleDialog
from pe_explorer.widgets.file_chooser import FileChooser
from pe_explorer.widgets.messages import Button, ask, ask_to_replace, show_message
from tests.support.accessible import assert_named, is_stop, press
from tests.support.gestures import settle
from tests.support.windows import close_dialogs

BY_ACTION = ["show_keys", "show_about", "show_history", "find", "print_figure"] + [
    f"export_{what}" for what in ("figure", "picture", "data")
]
MOST_STOPS = 100


class Answer(QWidget):
    """Takes the answer of a question."""

    def receive(self, button):
        self.button = button


def recovery(window):
    backups = [Backup(Path(f"/unsaved/{n}.json"), 1e9 + n, problem=f"{n}: no") for n in range(2)]
    RecoveryDialog(window, backups).open()


def trouble(window):
    dialog = TroubleDialog(window, "/state/log", True)
    dialog.show_exceptions(["Traceback: a", "Traceback: b"], 2)
    dialog.open()


def question(window):
    buttons = {Button.Save: "&Save", Button.Discard: "&Discard", Button.Cancel: "Cancel"}
    answer = Answer(window)
    ask(window, "Save?", "There are unsaved changes.", buttons, Button.Save, answer.receive)


def replacing(window):
    ask_to_replace(window, Path("/somewhere/a.json"), Answer(window).receive)


def message(window):
    show_message(window, "Not opened", "There is no such file.")


def chooser(window):
    FileChooser(window, "Open", "Sessions (*.json)").open()


OTHERS = {
    each.__name__: each for each in (recovery, trouble, question, replacing, message, chooser)
}


def opened(window, name):
    """Open a dialog, and return it."""
    if name in OTHERS:
        OTHERS[name](window)
    else:
        window.actions_by_key[name].trigger()
    settle(window.model)
    found = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog)]
    (dialog,) = [each for each in found if each.isVisible()]
    return dialog


@pytest.fixture
def show(window):
    """Return a function that opens a dialog by its name, in place of the one before."""
    window.navigation.pin()  # so that there are steps in the history
    settle(window.model)

    def show(name):
        close_dialogs(window)
        return opened(window, name)

    yield show
    close_dialogs(window)


def stops_of(dialog):
    """Return what Tab goes to, from where the keys are at first until it is back there."""
    first = QApplication.focusWidget()
    assert dialog.isAncestorOf(first), "the keys are somewhere else"
    found = [first]
    while len(found) < MOST_STOPS:
        press(Qt.Key.Key_Tab)
        if QApplication.focusWidget() is first:
            return found
        found.append(QApplication.focusWidget())
    raise AssertionError("Tab never comes back")


def place_of(widget, dialog):
    return widget.mapTo(dialog, QPoint(0, 0))


@pytest.mark.parametrize("name", [*BY_ACTION, *OTHERS])
def test_every_control_has_a_name_and_tab_reaches_it_from_above_to_below(show, name):
    """A stop may be above the one before only where a column or the whole dialog begins anew."""
    dialog = show(name)
    if not isinstance(dialog, QFileDialog):  # Qt's own, whose controls nobody here has made
        assert_named(dialog, least=2 if name in BY_ACTION else 1)
        assert dialog.windowTitle() or isinstance(dialog, QMessageBox)
    found = stops_of(dialog)
    assert all(dialog.isAncestorOf(widget) for widget in found)
    controls = {each for each in dialog.findChildren(QWidget) if is_stop(each) and each.isEnabled()}
    # A list that can be typed in is one stop: its line.
    lines = {each.lineEdit() for each in dialog.findChildren(QComboBox) if each.isEditable()}
    missed = {each for each in controls - set(found) if each.focusProxy() not in found} - lines
    assert missed == set()
    ups = 0
    for before, after in pairwise(found):
        old, new = place_of(before, dialog), place_of(after, dialog)
        ups += new.y() + after.height() <= old.y() and new.x() <= old.x()
    assert ups <= 1


def test_there_are_no_other_dialogs(qapp):
    """A dialog that is new belongs above."""
    for module in pkgutil.walk_packages(pe_explorer.__path__, "pe_explorer."):
        if not module.name.rpartition(".")[2].startswith("_"):
            importlib.import_module(module.name)
    waiting, names = [QDialog], set()
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        names |= {each.__name__ for each in below if each.__module__.startswith("pe_explorer.")}
    abstract = {"WorkDialog", "FileDialog", "FilterDialog"}
    of_qt = {"QFileDialog", "_PrinterChooser"}
    assert names - abstract - of_qt == {
        *("AboutDialog", "DataDialog", "FigureDialog", "HistoryDialog", "KeysDialog", "Palette"),
        *("PictureDialog", "PrintDialog", "RecoveryDialog", "TroubleDialog"),
    }
