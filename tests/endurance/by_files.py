"""Events in dialogs that show files: everything that might move, rename or delete one."""

from random import Random

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFileDialog, QLineEdit

from tests.endurance.desk import Desk, alive, reachable
from tests.endurance.kinds import Event, kind

_OPENING = ("open", "open", "save_as")


@kind(4)
def rummage(desk: Desk, pick: Random) -> Event:
    """Drag, delete or rename an entry of a file dialog; one is opened if there is none."""
    way = pick.choice(("drag", "drag", "Delete", "F2", "menu"))
    yield way
    if desk.dialog is None and desk.is_open:
        desk.window.actions_by_key[pick.choice(_OPENING)].trigger()
        yield 20  # Qt reads the folder in a thread
    chooser = desk.dialog
    views = chooser.findChildren(QAbstractItemView) if isinstance(chooser, QFileDialog) else []
    shown = [view for view in views if alive(view) and _entries(view)]
    if not shown or not reachable(chooser):
        return
    view = pick.choice(shown)
    source, target = pick.choice(_entries(view)), pick.choice(_entries(view))
    view.setFocus()
    view.setCurrentIndex(source)
    if way == "drag":
        # Without a display Qt carries no drag out: what is dropped is handed to the model.
        model = view.model()
        takes = model.flags(target) & Qt.ItemFlag.ItemIsDropEnabled
        if view.dragEnabled() and view.acceptDrops() and takes and source != target:
            model.dropMimeData(model.mimeData([source]), Qt.DropAction.MoveAction, -1, -1, target)
    elif way == "menu":
        if entries := [each for each in chooser.findChildren(QAction) if each.isEnabled()]:
            pick.choice(entries).trigger()
    else:
        QTest.keyClick(view, getattr(Qt.Key, f"Key_{way}"))
        editor = QApplication.focusWidget()
        if way == "F2" and isinstance(editor, QLineEdit) and view.isAncestorOf(editor):
            QTest.keyClicks(editor, pick.choice(("renamed", "..", "folder", "a.json")))
            QTest.keyClick(editor, Qt.Key.Key_Return)


def _entries(view: QAbstractItemView) -> list:
    """Return what a view shows of a folder."""
    model, root = view.model(), view.rootIndex()
    return [model.index(row, 0, root) for row in range(model.rowCount(root))] if model else []
