"""What a screen reader finds in a widget, and where the keyboard alone leads."""

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from tests.support.gestures import settle

MOST_STOPS = 300
PARTS = {QAccessible.Role.Cell, QAccessible.Role.ScrollBar}
"""What belongs to a table or an area that has a name itself."""


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


def is_control(interface):
    """Return whether it takes the focus or can be clicked."""
    actions = interface.actionInterface()
    usable = interface.state().focusable or (actions is not None and actions.actionNames())
    return bool(usable) and interface.role() not in PARTS


def controls(widget):
    interface = QAccessible.queryAccessibleInterface(widget)
    return [each for each in visible_below(interface) if is_control(each)]


def assert_named(widget, least):
    """Check that all controls have names, and siblings of one kind different ones."""
    found = controls(widget)
    assert len(found) >= least
    nameless = [(each.role(), each.object()) for each in found if not name_of(each)]
    assert nameless == []
    siblings = Counter()
    for each in found:
        if isinstance(each.object(), QWidget):
            siblings[each.object().parent(), each.role(), name_of(each)] += 1
    assert [key[1:] for key, number in siblings.items() if number > 1] == []


def press(key):
    """Press a key where the focus is."""
    popup = QApplication.activePopupWidget()
    QTest.keyClick(QApplication.focusWidget() or popup, key)
    settle()


def is_stop(widget):
    """Return whether Tab stops at a widget."""
    return widget.isVisible() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def tab_stops():
    """Return what Tab goes to, from where the focus is until it is back there."""
    first = QApplication.focusWidget()
    stops = [first]
    press(Qt.Key.Key_Tab)
    while QApplication.focusWidget() is not first:
        stops.append(QApplication.focusWidget())
        assert len(stops) < MOST_STOPS, "Tab never comes back"
        press(Qt.Key.Key_Tab)
    return stops
