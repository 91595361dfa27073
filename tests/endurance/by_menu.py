"""Events of the program: its actions, files, dialogs, docks, and the window itself."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QSplitter,
    QToolBar,
    QToolButton,
)

from pe_explorer import pictures
from pe_explorer.app.output.work_dialog import FileDialog
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.exploration import changes
from pe_explorer.exploration.panes import ARRANGEMENTS
from tests.endurance.by_hand import button, click, combo, key, text
from tests.endurance.desk import described, instead, kind, reachable
from tests.endurance.inputs import TABLE_WAYS, change_table

_ACTIONS = (
    *(action.key for action in ACTIONS),
    *("undo", "redo", "pin", "play", "save", "save_as") * 3,
)
_SIDES = ("Left", "Right", "Top", "Bottom")
_AREAS = [getattr(Qt.DockWidgetArea, f"{side}DockWidgetArea") for side in _SIDES]
_ORIENTATIONS = (Qt.Orientation.Horizontal, Qt.Orientation.Vertical)
_IN_MENUS = (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Escape)
_SIZES = ((900, 640), (900, 640), (640, 480), (100, 100), (1280, 800))
_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
_LONG = 60  # milliseconds within which an export is cancelled


@kind(8)
def answer(desk, pick):
    dialog = desk.dialog
    if dialog is None:
        yield from instead(desk, pick)
        return
    yield described(dialog)
    if isinstance(dialog, QMessageBox):
        pick.choice(dialog.buttons()).click()
    elif isinstance(dialog, QFileDialog):
        _choose_file(desk, dialog, pick)
    elif (way := pick.random()) < 0.3:
        dialog.accept()
    elif way < 0.6:
        dialog.reject()
    else:
        within = pick.choice((click, text, combo, button, key))(desk, pick)
        next(within)  # its words, after those of the answer
        yield from within


@kind(8, answer)
def action(desk, pick):
    name = pick.choice(_ACTIONS)
    yield name
    desk.act(name)


@kind(2, answer)
def menu(desk, pick):
    opened = pick.choice(desk.window.menuBar().findChildren(QMenu, options=_DIRECT))
    yield opened.title()
    opened.popup(desk.window.mapToGlobal(QPoint(20, 30)))
    for _ in range(pick.randrange(1, 12)):
        if reachable(opened):
            QTest.keyClick(opened, Qt.Key.Key_Down)
    yield 0
    if reachable(opened):
        QTest.keyClick(opened, pick.choice(_IN_MENUS))


@kind(0.3)
def undo_all(desk, pick):
    """Everything is undone and done again: what was set up is the same then."""
    window, stack = desk.window, desk.window.history.stack
    yield f"{stack.index()} steps"
    window.model.playhead.pause()
    window.model.announce()
    before, index = window.model.state, stack.index()
    while stack.canUndo():
        window.history.undo()
    while stack.index() < index and stack.canRedo():
        window.history.redo()
    window.model.announce()
    if differing := changes(before, window.model.state):
        states = f"{differing}\n{before}\n{window.model.state}"
        desk.faults.add("undo and redo of everything lead to another state", states)
    desk.faults.expect("steps are not those that there were", abs(stack.index() - index), 0)


@kind(3)
def wait(desk, pick):
    milliseconds = pick.choice((0, 1, 5, 20, 50))
    yield f"{milliseconds} ms"
    yield milliseconds


@kind(1.5)
def open_file(desk, pick):
    name = pick.choice(desk.files)
    yield name.rpartition("/")[2][:40]
    desk.window.files.open_file(name)


@kind(0.7)
def drop(desk, pick):
    names = [pick.choice(desk.files) for _ in range(pick.choice((1, 1, 1, 0, 2)))]
    yield ", ".join(name.rpartition("/")[2][:40] for name in names)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(name) for name in names])
    actions = pick.choice((Qt.DropAction.CopyAction, Qt.DropAction.MoveAction))
    held = actions, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(5, 5), *held)
    entering.ignore()
    QApplication.sendEvent(desk.window, entering)
    if entering.isAccepted():
        QApplication.sendEvent(desk.window, QDropEvent(QPointF(5, 5), *held))


def _choose_file(desk, chooser, pick):
    if pick.random() < 0.8:
        chooser.selectFile(desk.target(pick))
    if reachable(chooser):
        (chooser.accept if pick.random() < 0.7 else chooser.reject)()


@kind(3)
def export(desk, pick):
    """Something is exported, data often with more rows than fit, and often cancelled soon after."""
    name = pick.choice(("export_data", "export_data", "export_picture", "export_figure"))
    count = pick.choice((None, 1, 1000, 1_000_000)) if name == "export_data" else None
    yield f"{name} of {count or 'the'} positions"
    if count:
        desk.window.model.set(count=count)
    if not desk.dialog:
        desk.act(name)
    yield 0
    dialog = desk.dialog
    if not isinstance(dialog, FileDialog):
        return
    for field in dialog.findChildren(QLineEdit):
        if field.accessibleName() in ("Width", "Height"):
            field.setText(str(pick.randrange(240, 900)))
    for box in dialog.findChildren(QComboBox):
        box.setCurrentIndex(pick.randrange(box.count()))
    dialog.target.setText(desk.target(pick))
    dialog.go.click()
    for _ in range(2):
        yield pick.randrange(_LONG)
        if isinstance(question := desk.dialog, QMessageBox):  # to replace a file
            pick.choice(question.buttons()).click()
    if reachable(dialog) and pick.random() < 0.8:
        dialog.reject()


@kind(2)
def learned(desk, pick):
    name = pick.choice(desk.tables)
    yield name.rpartition("/")[2]
    desk.window.model.set_encoding("learned", file=name, row_offset=pick.choice((0, 0, 2, 10**6)))


@kind(2)
def table(desk, pick):
    name, way = pick.choice(desk.tables), pick.choice(TABLE_WAYS)
    yield f"{way}: {name.rpartition('/')[2]}"
    change_table(Path(name), way, pick)


@kind(3, answer)
def dock(desk, pick):
    window, sides = desk.window, desk.window.sides
    name, beside = pick.choice(sorted(sides.docks)), pick.choice(sorted(sides.docks))
    moved, other = sides.docks[name], sides.docks[beside]
    way = pick.choice(("fold", "fold", "open", "float", "tabify", "move", "split", "bar", "page"))
    yield f"{way} {moved.objectName()}"
    if way == "fold":
        desk.act(name)
    elif way == "open":
        sides.open(name)
    elif way == "bar":
        pick.choice(window.findChildren(QToolBar, options=_DIRECT)).toggleViewAction().trigger()
    elif way == "page":
        window.right_panel.parts().tabs.setCurrentIndex(pick.randrange(3))
    elif sides.is_drawer(name):
        return
    elif way == "float":
        moved.setFloating(not moved.isFloating())
    elif way == "move":
        window.addDockWidget(pick.choice(_AREAS), moved)
    elif moved is not other:
        if way == "tabify":
            window.tabifyDockWidget(moved, other)
        else:
            window.splitDockWidget(moved, other, pick.choice(_ORIENTATIONS))


@kind(4, answer)
def pane(desk, pick):
    window, name = desk.window, pick.choice(pictures.names())
    way = pick.choice(("rail", "rail", "beside", "arrange", "header", "splitter", "action"))
    yield f"{way} {name}"
    if not desk.is_open:  # it was closed under a menu that is still open
        return
    if way == "rail":
        window.rail.buttons[name].click()
    elif way == "beside":
        window.workspace.show_view(name, beside=True)
    elif way == "arrange":
        desk.act(pick.choice(list(ARRANGEMENTS)))
    elif way == "header":
        shown = window.workspace.pane(pick.choice(window.workspace.shown))
        pick.choice(shown.findChildren(QToolButton)).click()
    elif way == "splitter":
        splitter = pick.choice(window.workspace.splits.findChildren(QSplitter))
        splitter.setSizes([pick.randrange(500) for _ in range(splitter.count())])
    else:
        keys = ("maximise", "next_pane", "close_pane", "own_window", "lock", "reset_layout")
        desk.act(pick.choice(keys))


@kind(1.5)
def resize(desk, pick):
    width, height = pick.choice((*_SIZES, (pick.randrange(200, 1400), pick.randrange(200, 1000))))
    yield f"{width} x {height}"
    desk.window.resize(width, height)


@kind(0.4)
def theme(desk, pick):
    chosen = pick.choice(desk.window.menus.themes.actions())
    yield chosen.text()
    if not desk.dialog:
        chosen.trigger()


@kind(0.5)
def close(desk, pick):
    """The window is closed: with all its questions, or whatever is under way, as by a kill."""
    way = pick.choice(("close", "leave"))
    yield way
    if way == "leave":
        desk.window.leave()
        if desk.dialog:
            desk.dialog.reject()
    elif not desk.dialog:
        desk.window.close()
