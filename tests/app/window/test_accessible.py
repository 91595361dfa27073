"""What a screen reader finds in the window and its dialogs, and where the keyboard alone leads."""

import importlib
import pkgutil
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QGroupBox,
    QLabel,
    QMenu,
    QMessageBox,
    QTabBar,
    QWidget,
)

import pe_explorer
from pe_explorer.app.document.backups import Backup, RecoveryDialog
from pe_explorer.app.trouble.trouble import ReportDialog
from pe_explorer.widgets.dialogs import (
    Button,
    FileChooser,
    ask_question,
    ask_to_replace,
    show_message,
)
from tests.app.windows import close_dialogs
from tests.support.gestures import settle

WITH_TOOLTIPS = {
    getattr(QAccessible.Role, role)
    for role in ("PushButton", "ButtonMenu", "CheckBox", "ComboBox", "EditableText", "Slider")
}


@pytest.fixture
def full(window, qtbot):
    """The window with all panels open, more parameters, a pin, and the cards."""
    for side in ("encoding", "explain"):
        window.sides.open(side)
    window.panel.form.fold_button.click()
    window.editing.pin()
    window.start_cards.open()
    qtbot.waitUntil(lambda: bool(window.start_cards.cards))
    settle(window.model)
    return window


def role_of(widget):
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.role() if interface else None


def visible_below(interface):
    """Return what a screen reader can go to in a widget, from the outside to the inside."""
    found = []
    for place in range(interface.childCount()):
        child = interface.child(place)
        if child is not None and child.isValid() and not child.state().invisible:
            found += [child, *visible_below(child)]
    return found


def name_of(interface):
    """Return what is read; of a list, Qt gives what is chosen there, and its label by relation."""
    widget = interface.object()
    if isinstance(widget, QComboBox):
        return widget.accessibleName()
    return interface.text(QAccessible.Text.Name).strip()


def assert_named(widget, least):
    """Check that all controls have names, and siblings of one kind different ones.

    Cells and scroll bars belong to a table or an area that has a name itself.
    """
    found = []
    for each in visible_below(QAccessible.queryAccessibleInterface(widget)):
        actions = each.actionInterface()
        usable = each.state().focusable or (actions is not None and actions.actionNames())
        if usable and each.role() not in (QAccessible.Role.Cell, QAccessible.Role.ScrollBar):
            found.append(each)
    assert len(found) >= least
    assert [(each.role(), each.object()) for each in found if not name_of(each)] == []
    widgets = [each for each in found if isinstance(each.object(), QWidget)]
    siblings = Counter((it.object().parent(), it.role(), name_of(it)) for it in widgets)
    assert [key[1:] for key, number in siblings.items() if number > 1] == []


def press_tab():
    popup = QApplication.activePopupWidget()
    QTest.keyClick(QApplication.focusWidget() or popup, Qt.Key.Key_Tab)
    settle()
    return QApplication.focusWidget()


def tab_stops():
    """Return what Tab goes to, from where the focus is until it is back there."""
    stops = [QApplication.focusWidget()]
    while (stop := press_tab()) is not stops[0]:
        stops.append(stop)
        assert len(stops) < 300, "Tab never comes back"
    return stops


def test_every_control_has_a_name_and_a_tooltip_and_tab_goes_round_and_back(full):
    for page in range(3):
        full.right_panel.pages().tabs.setCurrentIndex(page)
        settle(full.model)
        assert_named(full, least=90)
        own = [
            widget
            for widget in full.findChildren(QWidget)
            if widget.isVisible() and widget.window() is full and role_of(widget) in WITH_TOOLTIPS
            # not what Qt makes: a part of a bar of tabs or tools, or of a list
            if not isinstance(widget.parent(), QTabBar | QComboBox)
            and not widget.objectName().startswith("qt_")
        ]
        assert len(own) > 60
        assert [widget.accessibleName() for widget in own if not widget.toolTip()] == []
        full.panel.preset_combo.setFocus(Qt.FocusReason.TabFocusReason)
        stops = tab_stops()
        assert len(set(stops)) == len(stops)
        for place in (full.panel, full.rail, full.transport, full.right_panel):
            assert any(place.isAncestorOf(stop) for stop in stops), place
        assert set(full.start_cards.cards) <= set(stops)
        for name in full.workspace.shown_views:
            pane = full.workspace.pane(name)
            assert {
                pane.title,
                pane.more,
                pane.maximise_button,
                pane.own_window_button,
                pane.view,
            } <= {*stops}
    back = []
    for _ in stops:
        back.append(QApplication.focusWidget())
        QTest.keyClick(back[-1], Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert back == [stops[0], *reversed(stops[1:])]
    names = [stop.accessibleName() for stop in stops if full.panel.isAncestorOf(stop)]
    assert names == [
        *("Preset", "Encoding", "Width", "Width slider", "Base", "Base slider", "Waves"),
        *("Hide more parameters", "Layout", "Spacing", "Order", "Offset", "Offset slider"),
        *("Scale", "Scale slider", "Start", "Start slider", "Count", "Count slider"),
    ]


def test_every_control_of_the_gallery_and_of_a_lesson_has_a_name(window, qtbot):
    window.sides.open("explain")
    window.centre.show_gallery()
    qtbot.waitUntil(lambda: bool(window.centre.page.cards))
    settle(window.model)
    assert_named(window.centre, least=50)
    for place in (0, 5):
        progress = window.lesson_walk.find_progress("waves")._replace(last_step=place)
        window.settings.change(lessons={"waves": progress})
        window.lesson_walk.begin("waves")
        settle(window.model)
        assert window.lesson_walk.number == place
        assert_named(window.centre.strip, least=2)
        assert_named(window.right_panel, least=8)


# -- dialogs ---------------------------------------------------------------------------------------


class Answer(QWidget):
    def receive(self, button):
        """Take the answer of a question."""


def recovery(window):
    backups = [Backup(Path(f"/unsaved/{n}.json"), 1e9 + n, problem=f"{n}: no") for n in range(2)]
    RecoveryDialog(window, backups).open()


def trouble(window):
    ReportDialog(window, "Unexpected error", "Go on.", "details", "Traceback: a").open()


def question(window):
    buttons = {Button.Save: "&Save", Button.Discard: "&Discard", Button.Cancel: "Cancel"}
    ask_question(window, "Save?", "Unsaved changes.", buttons, Button.Save, Answer(window).receive)


def replacing(window):
    ask_to_replace(window, Path("/somewhere/a.json"), Answer(window).receive)


def message(window):
    show_message(window, "Not opened", "There is no such file.")


def chooser(window):
    FileChooser(window, "Open", "Sessions (*.json)").open()


BY_ACTION = ["show_keys", "show_about", "show_history", "find", "print_figure"] + [
    f"export_{what}" for what in ("figure", "picture", "data")
]
OTHERS = (recovery, trouble, question, replacing, message, chooser)


def controls_are_named_and_tab_goes_down(dialog, least):
    """A stop may be above the one before only where a column or the whole dialog begins anew."""
    if not isinstance(dialog, QFileDialog):  # Qt's own, whose controls nobody here has made
        assert_named(dialog, least=least)
        assert dialog.windowTitle() or isinstance(dialog, QMessageBox)
    assert dialog.isAncestorOf(QApplication.focusWidget()), "the keys are somewhere else"
    found = tab_stops()
    assert all(dialog.isAncestorOf(widget) for widget in found)
    enabled = [
        each for each in dialog.findChildren(QWidget) if each.isVisible() and each.isEnabled()
    ]
    controls = {each for each in enabled if each.focusPolicy() & Qt.FocusPolicy.TabFocus}
    # A list that can be typed in is one stop: its line.
    lines = {each.lineEdit() for each in dialog.findChildren(QComboBox) if each.isEditable()}
    assert {each for each in controls - {*found} if each.focusProxy() not in found} <= lines
    boxes = [widget.rect().translated(widget.mapTo(dialog, QPoint())) for widget in found]
    ups = [new for old, new in pairwise(boxes) if new.bottom() < old.top() and new.x() <= old.x()]
    assert len(ups) <= 1


def test_every_control_of_a_dialog_has_a_name_and_tab_reaches_it_from_above_to_below(window):
    window.editing.pin()  # so that there are steps in the history
    settle(window.model)
    kinds = set()
    for opens in (*BY_ACTION, *OTHERS):
        window.actions_by_key[opens].trigger() if opens in BY_ACTION else opens(window)
        settle(window.model)
        found = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog)]
        (dialog,) = [each for each in found if each.isVisible()]
        kinds.add(type(dialog))
        controls_are_named_and_tab_goes_down(dialog, least=2 if opens in BY_ACTION else 1)
        assert letters_lead_to_one_thing(texts_in(dialog)), opens
        close_dialogs(window)
    assert every_dialog() <= {kind.__name__ for kind in kinds}


def every_dialog():
    """Return the names of the dialogs of the program that are made as they are."""
    for module in pkgutil.walk_packages(pe_explorer.__path__, "pe_explorer."):
        if not module.name.rpartition(".")[2].startswith("_"):
            importlib.import_module(module.name)
    waiting, names = [QDialog], set()
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        names |= {each.__name__ for each in below if each.__module__.startswith("pe_explorer.")}
    return names - {"WorkDialog", "FileDialog", "FilterDialog", "_PrinterChooser"}


# -- letters that are pressed with Alt -------------------------------------------------------------


def letters_lead_to_one_thing(texts):
    letters = Counter(QKeySequence.mnemonic(text).toString() for text in texts)
    del letters[""]
    return set(letters.values()) <= {1}


def texts_in(window):
    """Return the texts on a window that Alt can lead to: labels of fields, groups and buttons."""
    found = [
        widget
        for kind in (QAbstractButton, QGroupBox, QLabel)
        for widget in window.findChildren(kind)
        if widget.window() is window and not widget.isHidden()
    ]
    named = [each for each in found if not isinstance(each, QLabel) or each.buddy()]
    return [each.title() if isinstance(each, QGroupBox) else each.text() for each in named]


def test_no_letter_is_taken_twice_in_the_window_or_in_a_menu(window):
    menus = [action.text() for action in window.menuBar().actions()]
    assert all(not QKeySequence.mnemonic(text).isEmpty() for text in menus)
    assert letters_lead_to_one_thing(menus + texts_in(window))
    for menu in window.findChildren(QMenu):
        texts = [action.text() for action in menu.actions() if action.isVisible()]
        assert letters_lead_to_one_thing(texts), menu.title()
