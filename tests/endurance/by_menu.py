"""Events of the program: its actions, files, dialogs, docks, and the window itself."""

from pathlib import Path
from random import Random

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
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
from tests.endurance.by_hand import button, click, combo, instead, key, text
from tests.endurance.desk import Desk, described, reachable
from tests.endurance.inputs import TABLE_WAYS, change_table
from tests.endurance.kinds import Event, kind

_ACTIONS = (*(action.key for action in ACTIONS), *("undo", "redo", "pin") * 3)
_AREAS = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.TopDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
_ORIENTATIONS = (Qt.Orientation.Horizontal, Qt.Orientation.Vertical)
_IN_MENUS = (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Escape)
_SIZES = ((900, 640), (900, 640), (640, 480), (100, 100), (1280, 800))
_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
_LONG = 60  # milliseconds within which an export is cancelled


# -- dialogs -----------------------------------------------------------------------------------


@kind(8)
def answer(desk: Desk, pick: Random) -> Event:
    """Whatever dialog is there is answered, closed, or filled in."""
    dialog = desk.dialog
    if dialog is None:
        yield from instead(desk, pick)
        return
    yield described(dialog)
    if isinstance(dialog, QMessageBox):
        pick.choice(dialog.buttons()).click()
    elif isinstance(dialog, QFileDialog):
        _choose_file(desk, dialog, pick)
    else:
        yield from _handled(desk, dialog, pick)


def _handled(desk: Desk, dialog: QDialog, pick: Random) -> Event:
    way = pick.random()
    if way < 0.3:
        dialog.accept()
    elif way < 0.6:
        dialog.reject()
    else:
        within = pick.choice((click, text, combo, button, key))(desk, pick)
        next(within)  # its words, after those of the answer
        yield from within


# -- actions ---------------------------------------------------------------------------------


@kind(8, answer)
def action(desk: Desk, pick: Random) -> Event:
    name = pick.choice(_ACTIONS)
    yield name
    desk.window.actions_by_key[name].trigger()


@kind(2, answer)
def menu(desk: Desk, pick: Random) -> Event:
    """A menu is opened, and an entry chosen with the arrow keys."""
    opened = pick.choice(desk.window.menuBar().findChildren(QMenu, options=_DIRECT))
    yield opened.title()
    opened.popup(desk.window.mapToGlobal(QPoint(20, 30)))
    for _ in range(pick.randrange(1, 12)):
        if not reachable(opened):
            return
        QTest.keyClick(opened, Qt.Key.Key_Down)
    yield 0
    if reachable(opened):
        QTest.keyClick(opened, pick.choice(_IN_MENUS))


@kind(1)
def copy(desk: Desk, pick: Random) -> Event:
    """Something is copied, and pasted where it does not belong."""
    name = pick.choice(("copy_code", "copy_command", "copy_picture"))
    fields = desk.visible(QLineEdit)
    yield name
    if not desk.dialog:
        desk.window.actions_by_key[name].trigger()
    if fields and reachable(field := pick.choice(fields)):
        field.setFocus()
        field.paste()


@kind(0.3)
def undo_all(desk: Desk, pick: Random) -> Event:
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


@kind(1)
def play(desk: Desk, pick: Random) -> Event:
    speeds = pick.choices(("faster", "slower"), k=pick.randrange(4))
    yield " ".join(("play", *speeds))
    for name in ("play", *speeds):
        desk.window.actions_by_key[name].trigger()
    yield pick.randrange(40)


@kind(3)
def wait(desk: Desk, pick: Random) -> Event:
    """Nothing: timers and threads go on."""
    milliseconds = pick.choice((0, 1, 5, 20, 50))
    yield f"{milliseconds} ms"
    yield milliseconds


# -- files -----------------------------------------------------------------------------------


@kind(1.5)
def open_file(desk: Desk, pick: Random) -> Event:
    name = pick.choice(desk.files)
    yield name.rpartition("/")[2][:40]
    desk.window.files.open_file(name)


@kind(0.7)
def drop(desk: Desk, pick: Random) -> Event:
    names = [pick.choice(desk.files) for _ in range(pick.choice((1, 1, 1, 0, 2)))]
    yield ", ".join(name.rpartition("/")[2][:40] for name in names)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(name) for name in names])
    actions = pick.choice((Qt.DropAction.CopyAction, Qt.DropAction.MoveAction))
    left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(5, 5), actions, data, left, plain)
    entering.ignore()
    QApplication.sendEvent(desk.window, entering)
    if entering.isAccepted():
        QApplication.sendEvent(desk.window, QDropEvent(QPointF(5, 5), actions, data, left, plain))


@kind(0.7)
def save(desk: Desk, pick: Random) -> Event:
    name = pick.choice(("save", "save_as"))
    yield name
    if not desk.dialog:
        desk.window.actions_by_key[name].trigger()
    yield 0
    if isinstance(chooser := desk.dialog, QFileDialog):
        _choose_file(desk, chooser, pick)


@kind(1.5)
def export_data(desk: Desk, pick: Random) -> Event:
    """Data are exported, often more than fit, and often cancelled soon after."""
    count = pick.choice((None, 1, 1000, 1_000_000))
    yield f"{count or 'the'} positions"
    if count:
        desk.window.model.set(count=count)
    yield from _exported(desk, pick, "export_data")


@kind(0.7)
def export_picture(desk: Desk, pick: Random) -> Event:
    yield "a picture"
    yield from _exported(desk, pick, "export_picture")


@kind(0.7)
def export_figure(desk: Desk, pick: Random) -> Event:
    yield "a figure"
    yield from _exported(desk, pick, "export_figure")


def _exported(desk: Desk, pick: Random, name: str) -> Event:
    if not desk.dialog:
        desk.window.actions_by_key[name].trigger()
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


def _choose_file(desk: Desk, chooser: QFileDialog, pick: Random) -> None:
    if pick.random() < 0.8:
        chooser.selectFile(desk.target(pick))
    if reachable(chooser):
        (chooser.accept if pick.random() < 0.7 else chooser.reject)()


@kind(2)
def learned(desk: Desk, pick: Random) -> Event:
    """A learned table is set up, by a name that may be that of no file."""
    name = pick.choice(desk.tables)
    yield name.rpartition("/")[2]
    desk.window.model.set_encoding("learned", file=name, row_offset=pick.choice((0, 0, 2, 10**6)))


@kind(2)
def table(desk: Desk, pick: Random) -> Event:
    """The file of a table is deleted, replaced, spoilt or restored, whatever shows it."""
    name, way = pick.choice(desk.tables), pick.choice(TABLE_WAYS)
    yield f"{way}: {name.rpartition('/')[2]}"
    change_table(Path(name), way, pick)


# -- the window ----------------------------------------------------------------------------------


@kind(3, answer)
def dock(desk: Desk, pick: Random) -> Event:
    """A panel is folded, floats, or is moved; a bar goes or comes."""
    window, docks = desk.window, desk.window.sides.docks
    name = pick.choice(sorted(docks))
    moved, other = docks[name], docks[pick.choice(sorted(docks))]
    way = pick.choice(("fold", "fold", "open", "float", "tabify", "move", "split", "bar", "page"))
    yield f"{way} {moved.objectName()}"
    if way == "fold":
        window.actions_by_key[name].trigger()
    elif way == "open":
        window.sides.open(name)
    elif way == "bar":
        bars = window.findChildren(QToolBar, options=_DIRECT)
        pick.choice(bars).toggleViewAction().trigger()
    elif way == "page":
        window.right_panel.parts().tabs.setCurrentIndex(pick.randrange(3))
    elif window.sides.is_drawer(name):
        return
    elif way == "float":
        moved.setFloating(not moved.isFloating())
    elif way == "tabify" and moved is not other:
        window.tabifyDockWidget(moved, other)
    elif way == "move":
        window.addDockWidget(pick.choice(_AREAS), moved)
    elif way == "split" and moved is not other:
        window.splitDockWidget(moved, other, pick.choice(_ORIENTATIONS))


@kind(4, answer)
def pane(desk: Desk, pick: Random) -> Event:
    """Another view is shown, the panes are arranged, one gets a window of its own or all place."""
    window = desk.window
    name = pick.choice(pictures.names())
    way = pick.choice(("rail", "rail", "beside", "arrange", "header", "splitter", "own", "action"))
    yield f"{way} {name}"
    if not desk.is_open:  # it was closed under a menu that is still open
        return
    shown = window.workspace.pane(pick.choice(window.workspace.shown))
    if way == "rail":
        window.rail.buttons[name].click()
    elif way == "beside":
        window.workspace.show_view(name, beside=True)
    elif way == "arrange":
        window.actions_by_key[pick.choice(list(ARRANGEMENTS))].trigger()
    elif way == "header":
        pick.choice(shown.findChildren(QToolButton)).click()
    elif way == "splitter":
        splitter = pick.choice(window.workspace.splits.findChildren(QSplitter))
        splitter.setSizes([pick.randrange(500) for _ in range(splitter.count())])
    elif way == "own":
        shown.own_window.click()
    else:
        keys = ("maximise", "next_pane", "close_pane", "own_window", "lock", "reset_layout")
        window.actions_by_key[pick.choice(keys)].trigger()


@kind(1.5)
def resize(desk: Desk, pick: Random) -> Event:
    width, height = pick.choice((*_SIZES, (pick.randrange(200, 1400), pick.randrange(200, 1000))))
    yield f"{width} x {height}"
    desk.window.resize(width, height)


@kind(0.4)
def theme(desk: Desk, pick: Random) -> Event:
    themes = desk.window.menus.themes.actions()
    chosen = pick.choice(themes)
    yield chosen.text()
    if not desk.dialog:
        chosen.trigger()


@kind(0.2)
def leave(desk: Desk, pick: Random) -> Event:
    """The window is closed without a question, whatever is under way, as by a plain kill."""
    yield desk.window.windowTitle()
    desk.window.leave()
    if desk.dialog:
        desk.dialog.reject()


@kind(0.3)
def close(desk: Desk, pick: Random) -> Event:
    """The window is closed, with all its questions; another is opened then."""
    yield desk.window.windowTitle()
    if not desk.dialog:
        desk.window.close()
