"""Events of the program: actions, files, dialogs, docks, gallery, lessons and the window."""

from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from pe_explorer import encodings, pictures
from pe_explorer.app.output.work_dialog import FileDialog
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.app.window.palette import PaletteDialog
from pe_explorer.app.window.start_cards import CardButton
from pe_explorer.exploration import changes
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.lessons import lessons
from tests.endurance.by_hand import button, click, combo, key, press, text
from tests.endurance.desk import alive, described, kind, reachable
from tests.endurance.inputs import TABLE_WAYS, TEXTS, change_table
from tests.support.lessons import doing

_ACTIONS = (*(action.key for action in ACTIONS), *("undo", "redo", "pin") * 3)
_SIZES = ((900, 640), (900, 640), (640, 480), (100, 100), (1280, 800))
_OF_PANES = ("maximise", "next_pane", "close_pane", "own_window", "lock", "reset_layout")
_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
_WORDS = ("base", "rope", "wave", "far", "sine", "a b c", "zzz", "0", "heat", "lesson", "shift")
_ARROWS = ("Down", "Up", "Left", "Right", "PageDown")


def _choose_file(desk, chooser, pick):
    if pick.random() < 0.8:
        chooser.selectFile(desk.target(pick))
    if reachable(chooser):
        (chooser.accept if pick.random() < 0.7 else chooser.reject)()


@kind(8, on=lambda desk: [desk.dialog] if desk.dialog else [])
def answer(desk, pick, dialog):
    yield described(dialog)
    if isinstance(dialog, QtWidgets.QMessageBox):
        pick.choice(dialog.buttons()).click()
    elif isinstance(dialog, QtWidgets.QFileDialog):
        _choose_file(desk, dialog, pick)
    elif (way := pick.random()) < 0.3:
        dialog.accept()
    elif way < 0.6:
        dialog.reject()
    else:
        within = pick.choice((click, text, combo, button, key))(desk, pick)
        next(within)  # its words, which follow those of the answer
        yield from within


@kind(8, answer)
def action(desk, pick):
    name = pick.choice(_ACTIONS)
    yield name
    desk.act(name)


@kind(2, answer)
def menu(desk, pick):
    opened = pick.choice(desk.window.menuBar().findChildren(QtWidgets.QMenu, options=_DIRECT))
    yield opened.title()
    opened.popup(desk.window.mapToGlobal(QPoint(20, 30)))
    for _ in range(pick.randrange(1, 12)):
        if reachable(opened):
            press(opened, pick, "Down")
    yield 0
    if reachable(opened):
        press(opened, pick, "Return", "Right", "Escape")


@kind(0.3)
def undo_all(desk, pick):
    window, stack = desk.window, desk.window.history.stack
    yield f"{stack.index()} steps"
    window.model.playhead.pause()
    window.model.emit_changes()
    before, index = window.model.state, stack.index()
    while stack.canUndo():
        window.history.undo()
    while stack.index() < index and stack.canRedo():
        window.history.redo()
    window.model.emit_changes()
    if differing := changes(before, window.model.state):
        states = f"{differing}\n{before}\n{window.model.state}"
        desk.faults.add("undo and redo of everything lead to another state", states)
    desk.faults.expect("steps are not those that there were", abs(stack.index() - index), 0)


@kind(1)
def play(desk, pick):
    names = ("play", *pick.choices(("faster", "slower"), k=pick.randrange(4)))
    yield " ".join(names)
    for name in names:
        desk.act(name)
    yield pick.randrange(40)


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


@kind(0.7, answer)
def save(desk, pick):
    name = pick.choice(("save", "save_as"))
    yield name
    desk.act(name)
    yield 0
    if isinstance(chooser := desk.dialog, QtWidgets.QFileDialog):
        _choose_file(desk, chooser, pick)


@kind(4)
def rummage(desk, pick):
    way = pick.choice(("drag", "drag", "Delete", "F2", "menu"))
    yield way
    if desk.dialog is None and desk.window.isVisible():
        desk.act(pick.choice(("open", "open", "save_as")))
        yield 20  # Qt reads the folder in a thread
    chooser, views = desk.dialog, desk.visible(QtWidgets.QAbstractItemView)
    shown = [view for view in views if _entries(view)]
    if not isinstance(chooser, QtWidgets.QFileDialog) or not reachable(chooser) or not shown:
        return
    view = pick.choice(shown)
    source, target = pick.choice(_entries(view)), pick.choice(_entries(view))
    view.setFocus()
    view.setCurrentIndex(source)
    if way == "drag":
        # Without a display, Qt does not perform drags, so the dropped data are given to the model.
        model = view.model()
        takes = model.flags(target) & Qt.ItemFlag.ItemIsDropEnabled
        if view.dragEnabled() and view.acceptDrops() and takes and source != target:
            model.dropMimeData(model.mimeData([source]), Qt.DropAction.MoveAction, -1, -1, target)
    elif way == "menu":
        if entries := [each for each in chooser.findChildren(QAction) if each.isEnabled()]:
            pick.choice(entries).trigger()
    else:
        press(view, pick, way)
        editor = QApplication.focusWidget()
        if way == "F2" and isinstance(editor, QLineEdit) and view.isAncestorOf(editor):
            QTest.keyClicks(editor, pick.choice(("renamed", "..", "folder", "a.json")))
            press(editor, pick, "Return")


def _entries(view):
    model, root = view.model(), view.rootIndex()
    return [model.index(row, 0, root) for row in range(model.rowCount(root))] if model else []


@kind(3, answer)
def export(desk, pick):
    name = pick.choice(("export_data", "export_data", "export_picture", "export_figure"))
    count = pick.choice((None, 1, 1000, 1_000_000)) if name == "export_data" else None
    yield f"{name} of {count or 'the'} positions"
    if count:
        desk.window.model.set(count=count)
    desk.act(name)
    yield 0
    dialog = desk.dialog
    if not isinstance(dialog, FileDialog):
        return
    for field in dialog.findChildren(QLineEdit):
        if field.accessibleName() in ("Width", "Height"):
            field.setText(str(pick.randrange(240, 900)))
    for box in dialog.findChildren(QtWidgets.QComboBox):
        box.setCurrentIndex(pick.randrange(box.count()))
    dialog.target.setText(desk.target(pick))
    dialog.start_button.click()
    for _ in range(2):
        yield pick.randrange(60)  # milliseconds until the work is cancelled
        if isinstance(question := desk.dialog, QtWidgets.QMessageBox):  # replaces a file
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
    (name, moved), (_, other) = pick.choices(sorted(sides.docks.items()), k=2)
    area = Qt.DockWidgetArea(1 << pick.randrange(4))  # left, right, top or bottom
    bar = pick.choice(window.findChildren(QtWidgets.QToolBar, options=_DIRECT))
    ways = {
        "fold": lambda: desk.act(name),
        "open": lambda: sides.open(name),
        "bar": lambda: bar.toggleViewAction().trigger(),
        "page": lambda: window.right_panel.pages().tabs.setCurrentIndex(pick.randrange(3)),
    }
    if not sides.is_drawer(name):
        ways["float"] = lambda: moved.setFloating(not moved.isFloating())
        ways["move"] = lambda: window.addDockWidget(area, moved)
        if moved is not other:
            ways["tabify"] = lambda: window.tabifyDockWidget(moved, other)
            along = pick.choice(list(Qt.Orientation))
            ways["split"] = lambda: window.splitDockWidget(moved, other, along)
    way = pick.choice(list(ways))
    yield f"{way} {moved.objectName()}"
    ways[way]()


@kind(4, answer)
def pane(desk, pick):
    window, workspace, name = desk.window, desk.window.workspace, pick.choice(pictures.names())
    shown = workspace.pane(pick.choice(workspace.shown_views))
    splitter = pick.choice(workspace.splits.findChildren(QtWidgets.QSplitter) or [None])
    ways = {
        "rail": lambda: window.rail.buttons[name].click(),
        "beside": lambda: workspace.show_view(name, should_add_pane=True),
        "arrange": lambda: desk.act(pick.choice(list(ARRANGEMENTS))),
        "header": lambda: pick.choice(shown.findChildren(QtWidgets.QToolButton)).click(),
        "splitter": lambda: splitter.setSizes([pick.randrange(500) for _ in range(4)]),
        "own": shown.own_window_button.click,
        "action": lambda: desk.act(pick.choice(_OF_PANES)),
    }
    way = pick.choice(("rail", *ways))
    yield f"{way} {name}"
    ways[way]()


@kind(1.5)
def resize(desk, pick):
    width, height = pick.choice((*_SIZES, (pick.randrange(200, 1400), pick.randrange(200, 1000))))
    yield f"{width} x {height}"
    desk.window.resize(width, height)


@kind(0.4, answer)
def theme(desk, pick):
    chosen = pick.choice(desk.window.menus.themes.actions())
    yield chosen.text()
    chosen.trigger()


@kind(0.5)
def close(desk, pick):
    way = pick.choice(("close", "leave"))
    yield way
    if way == "leave":
        desk.window.leave()
        if desk.dialog:
            desk.dialog.reject()
    elif not desk.dialog:
        desk.window.close()


@kind(1, answer)
def gallery(desk, pick):
    way = pick.choice(("toggle", "search", "search", "group", "card", "card", "arrows", "close"))
    words = pick.choice((*_WORDS, *TEXTS[-8:]))
    yield f"{way} {words[:20]!r}"
    if way == "toggle":
        desk.act("gallery")
        return
    desk.window.centre.show_gallery()
    for _ in range(2):  # the cards appear later
        yield 0
    page = desk.window.centre.page
    if desk.dialog or not alive(page):
        return
    groups = [button for button in page.findChildren(QtWidgets.QToolButton) if button.text()]
    cards = [card for card in page.findChildren(CardButton) if card.isVisible()]
    buttons = {"group": groups, "card": cards, "close": [page.close_button]}
    if buttons.get(way):
        pick.choice(buttons[way]).click()
    elif way == "search":
        page.search.setText(words)
        if pick.random() < 0.5:
            press(page.search, pick, "Return")
    elif way == "arrows":
        page.search.setFocus()
        for _ in range(pick.randrange(1, 6)):
            focused = QApplication.focusWidget()
            if focused and page.isAncestorOf(focused):
                press(focused, pick, *_ARROWS)


@kind(1.5, answer)
def exhibit(desk, pick):
    way = pick.choice(("open", "open", "open", "next_exhibit", "previous_exhibit", "strip"))
    name = pick.choice(list(exhibits()))
    yield f"{way} {name}"
    if way == "open":
        desk.window.exhibit_walk.open(name)
    elif way == "strip":
        button = pick.choice(("restore", "close", "exhibits", "back", "next"))
        getattr(desk.window.centre.strip, f"{button}_button").click()
    else:
        desk.act(way)


@kind(2.5, answer)
def lesson(desk, pick):
    way = pick.choice(("guess", "guess", "do", "do", "do", "next", "skip", "back", "leave"))
    name = pick.choice(list(lessons()))
    yield f"{way} {name}"
    walk = desk.window.lesson_walk
    if walk.lesson is None:
        walk.begin(name)
    elif way == "guess":
        desk.window.right_panel.show_explanation()
        question = desk.window.right_panel.pages().explanation.page.lesson.guess
        choices = [button for button in question.choices if button.isVisible()]
        if reachable(question) and not choices:
            question.field.setText(pick.choice(TEXTS))
        if reachable(question):
            guesses = choices or [question.guess_button]
            pick.choice([question.skip_button, *guesses * 4]).click()
    elif way == "do":
        desk.window.model.apply(doing(walk.step), "what a step asks")
    else:
        go_forward = desk.window.centre.strip.go_forward
        {"next": go_forward, "skip": walk.skip, "back": walk.go_back, "leave": walk.leave}[way]()


@kind(1, answer)
def attempt(desk, pick):
    page = desk.window.right_panel.pages().explanation.page
    rows = [row for row in (*page.tries, *page.exhibit.tries) if reachable(row.button)]
    yield f"one of {len(rows)}"
    if rows:
        pick.choice(rows).button.click()
    else:
        desk.window.right_panel.show_explanation()


@kind(0.5, answer)
def start_card(desk, pick):
    shown = [card for card in desk.window.start_cards.cards if card.isVisible()]
    yield f"one of {len(shown)}"
    if shown:
        pick.choice(shown).click()
    else:
        desk.act("start_here")


@kind(1, answer)
def palette(desk, pick):
    words = pick.choice((*_WORDS, *pictures.names(), *encodings.names(), *TEXTS[-8:]))
    yield f"{words[:20]!r}"
    desk.act("find")
    yield 0
    opened = desk.dialog
    if not isinstance(opened, PaletteDialog):
        return
    opened.line.setText(words[: pick.randrange(1, 40)])
    for _ in range(pick.randrange(4)):
        press(opened.line, pick, *_ARROWS)
    yield 0
    if reachable(opened):
        press(opened.line, pick, "Return", "Return", "Return", "Escape")


@kind(1.7)
def clipboard(desk, pick):
    copies = ("copy_code", "copy_command", "copy_picture")
    what = pick.choice((*copies, "text", "nothing", "picture", "files"))
    yield what
    board, data = QApplication.clipboard(), QMimeData()
    if what in copies and not desk.dialog:
        desk.act(what)
    elif what == "text":
        board.setText(pick.choice(TEXTS))
    elif what == "nothing":
        board.clear()
    elif what == "picture":
        board.setImage(QImage(3, 2, QImage.Format.Format_RGB32))
    elif what == "files":
        data.setUrls([QUrl.fromLocalFile(name) for name in desk.files[:3]])
        board.setMimeData(data)
    fields = desk.visible(QLineEdit)
    if fields and reachable(field := pick.choice(fields)):
        field.setFocus()
        field.paste()
