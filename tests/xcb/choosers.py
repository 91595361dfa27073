"""`python -m tests.xcb.choosers KIND FOLDER`: everything that a mouse can do to files in a dialog.

Opens one of the program's dialogs for files with a folder of files, drags each entry onto each
other one, and presses keys and entries of menus, all by xdotool on a real X server. Prints what
was done, and which of it changed something on disk. A thread acts, as Qt waits within a drag.
"""

import json
import os
import subprocess
import sys
import threading
import time
import traceback
from functools import partial
from itertools import permutations, product
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QUrl, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QToolButton,
)

from pe_explorer.app.application import Application
from pe_explorer.app.window.main_window import MainWindow

ENTRIES = ("apples", "pears", "table.npy")  # two folders and a file
KEYS = {"": [], "Ctrl+": ["ctrl"], "Shift+": ["shift"]}
PATIENCE = 30.0
STEP = "0.01"  # seconds between moves of the mouse


def snapshot(folder):
    found = sorted(folder.rglob("*"))
    contents = (path.read_bytes() if path.is_file() else b"" for path in found)
    return {
        str(path): (path.stat().st_mtime_ns, content)
        for path, content in zip(found, contents, strict=True)
    }


class Desk(QObject):
    """The window and its dialogs, asked by the thread that acts; it counts drags that begin."""

    asked = Signal(object, object)
    posted = Signal(object)

    def __init__(self, window):
        super().__init__()
        self.window, self.drags = window, 0
        self.asked.connect(self.answer, Qt.ConnectionType.BlockingQueuedConnection)
        self.posted.connect(self.run, Qt.ConnectionType.QueuedConnection)

    @Slot(object, object)
    def answer(self, function, answers):
        answers.append(function())

    @Slot(object)
    def run(self, function):
        function()

    def ask(self, function):
        """Return what a function returns in the thread of the window."""
        answers = []
        self.asked.emit(function, answers)
        return answers[0]

    def comes(self, function, patience=PATIENCE):
        """Return what a function returns in the thread of the window, once it is something."""
        end = time.monotonic() + patience
        while not (found := self.ask(function)) and time.monotonic() < end:
            time.sleep(0.05)
        return found

    def wait_for(self, function):
        """Return what a function returns, or fail if that is nothing for long."""
        found = self.comes(function)
        assert found, f"nothing came: {function}"
        return found

    def eventFilter(self, watched, event):  # noqa: N802
        self.drags += event.type() == QEvent.Type.DragEnter
        return False


def seen(kind):
    """Return the visible window of a kind, if there is one."""
    return next(
        (w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible()), None
    )


def button(parent, *texts):
    """Return the visible button whose text begins with one of some words."""
    buttons = [b for b in parent.findChildren(QPushButton) if b.isVisible()]
    return next(b for b in buttons if b.text().replace("&", "").startswith(texts))


def by_action(key, *texts):
    """Return a function that opens a dialog by an action, and clicks on buttons in it."""

    def open_it(desk):
        desk.posted.emit(desk.window.actions_by_key[key].trigger)
        for text in texts:
            opened = desk.wait_for(lambda: seen(QDialog))
            desk.posted.emit(button(opened, text).click)

    return open_it


def print_to_file(desk):
    """Open the print dialog of Qt, and from there the one for its file."""
    by_action("print_figure", "Print")(desk)
    browse = desk.wait_for(_browse_button)
    desk.posted.emit(browse.click)


def _browse_button():
    buttons = (w.findChild(QToolButton, "fileBrowser") for w in QApplication.topLevelWidgets())
    return next((each for each in buttons if each), None)


def locate(desk):
    """Look for the file of a table that is gone."""
    desk.ask(lambda: desk.window.model.set_encoding("learned", file="/nowhere/gone.npy"))
    desk.ask(desk.window.model.announce)
    desk.posted.emit(button(desk.window.panel, "Locate", "Choose").click)


OPENERS = {
    "open": by_action("open"),
    "save": by_action("save_as"),
    "export figure": by_action("export_figure", "Choose"),
    "export data": by_action("export_data", "Choose"),
    "locate": locate,
    "print to file": print_to_file,
}


class Hands(threading.Thread):
    """Acts on one dialog until something changed on disk, or all is done."""

    def __init__(self, desk, kind, home):
        super().__init__(daemon=True)
        self.desk, self.kind, self.home = desk, kind, home
        self.folder = home / "files"
        self.done = []
        self.changed = ""
        self.error = ""

    def run(self):
        try:
            self.act()
        except BaseException as error:
            self.error = "".join(traceback.format_exception(error))
        finally:
            self.desk.posted.emit(QApplication.exit)  # `quit` would ask to save

    def act(self):
        OPENERS[self.kind](self.desk)
        self.chooser = self.desk.wait_for(lambda: seen(QFileDialog))
        self.desk.ask(self.set_up)
        time.sleep(1.0)
        before = snapshot(self.home)
        for gesture, act in self.gestures():
            self.desk.wait_for(self.is_ready)
            act()
            time.sleep(0.05)
            self.put_away()
            self.done.append(gesture)
            if snapshot(self.home) != before:
                self.changed = gesture
                return

    def set_up(self):
        # A filter of the application in Python meets objects that are half deleted, and crashes.
        for view in self.chooser.findChildren(QAbstractItemView):
            view.viewport().installEventFilter(self.desk)
        self.chooser.setDirectory(str(self.folder))
        self.chooser.setNameFilter("Any (*)")
        places = (self.home, self.folder / "pears")
        self.chooser.setSidebarUrls([QUrl.fromLocalFile(str(place)) for place in places])
        self.chooser.setGeometry(30, 40, 900, 500)  # Qt may not hear of a window manager's place

    def is_ready(self):
        """Return whether the dialog shows the files, after what was entered by a click, too."""
        if self.chooser.directory().absolutePath() != str(self.folder):
            self.chooser.setDirectory(str(self.folder))
        return all(name in self.places("listView") for name in ENTRIES)

    # -- places on the screen --------------------------------------------------------------------

    def places(self, name):
        """Return where the entries of a view are on the screen, by their texts."""
        view = self.chooser.findChild(QAbstractItemView, name)
        model, root, found = view.model(), view.rootIndex(), {}
        for index in (model.index(row, 0, root) for row in range(model.rowCount(root))):
            rect = view.visualRect(index)
            middle = QPoint(rect.left() + 24, rect.center().y())
            found[str(index.data())] = view.viewport().mapToGlobal(middle)
        return found

    def show_view(self, name):
        key = "listModeButton" if name == "listView" else "detailModeButton"
        self.chooser.findChild(QToolButton, key).click()

    # -- gestures --------------------------------------------------------------------------------

    def gestures(self):
        for name in ("listView", "treeView"):
            self.desk.ask(partial(self.show_view, name))
            time.sleep(0.2)
            places, side = (self.desk.ask(partial(self.places, each)) for each in (name, "sidebar"))
            drags = [(f"{a} to {b}", places[a], places[b]) for a, b in permutations(ENTRIES, 2)]
            for a, b in (("apples", "pears"), ("table.npy", "pears")):
                drags.append((f"{a} to the sidebar", places[a], side[b]))
            drags.append(("from the sidebar", side["pears"], places["apples"]))
            for (keys, held), (words, source, target) in product(KEYS.items(), drags):
                yield f"{name}: {keys}drag {words}", partial(self.drag, source, target, held)
            out = self.desk.ask(self.outside)
            yield f"{name}: drag out of the dialog", partial(self.drag, places["table.npy"], out)
            for source, place in ((entry, places[entry]) for entry in ENTRIES):
                for key in ("Delete", "F2", "shift+Delete"):
                    yield f"{name}: {key} on {source}", partial(self.press, place, key)
                for number in range(len(self.entries_of_menu(place))):
                    words = f"{name}: entry {number} of the menu of {source}"
                    yield words, partial(self.choose, place, number)

    def outside(self):
        """Return a place in the window of the program, beside the dialog."""
        self.chooser.move(0, 0)
        frame = self.desk.window.centralWidget()
        return frame.mapToGlobal(QPoint(frame.width() - 20, frame.height() - 20))

    def drag(self, source, target, held=()):
        steps = [QPoint(source.x() + 4 * n, source.y()) for n in range(1, 5)]
        steps += [source + (target - source) * part / 4 for part in range(1, 5)]
        steps += [target + QPoint(1, 0), target]
        moves = [word for step in steps for word in (*move(step), "sleep", STEP)]
        down, up = ([word for key in held for word in (way, key)] for way in ("keydown", "keyup"))
        begin = (*move(source), "mousedown", "1", *down, "sleep", STEP)
        xdotool(*begin, *moves, "mouseup", "1", *up)

    def press(self, place, key):
        xdotool(*move(place), "click", "1", "sleep", "0.05", "key", key, "sleep", "0.1")

    def menu_at(self, place):
        self.desk.wait_for(lambda: not seen(QMenu))
        for _ in range(5):  # a slow machine may miss a click
            xdotool(*move(place), "sleep", STEP, "click", "3")
            if self.desk.comes(lambda: seen(QMenu), 3.0):
                break
        return self.desk.wait_for(lambda: seen(QMenu))

    def entries_of_menu(self, place):
        menu = self.menu_at(place)
        places = self.desk.ask(lambda: middles(menu))
        xdotool("key", "Escape")
        return places

    def choose(self, place, number):
        menu = self.menu_at(place)
        entry = self.desk.ask(lambda: middles(menu))[number]
        xdotool(*move(entry), "click", "1", "sleep", "0.1")

    def put_away(self):
        """Say yes to a question, end what asks for a name, and type where a name is edited."""
        if self.desk.ask(lambda: seen(QMenu)):
            xdotool("key", "Escape")
        if box := self.desk.ask(lambda: seen(QMessageBox)):
            self.desk.posted.emit(button(box, "Yes", "OK", "Close").click)
        elif asking := self.desk.ask(lambda: seen(QInputDialog)):
            self.desk.posted.emit(asking.reject)
        elif self.desk.ask(is_editing):
            xdotool("key", "z", "z", "Return")
        else:
            return
        time.sleep(0.2)
        self.desk.wait_for(lambda: not (seen(QMessageBox) or seen(QInputDialog)))


def is_editing():
    field = QApplication.focusWidget()
    return isinstance(field, QLineEdit) and isinstance(
        field.parentWidget().parentWidget(), QAbstractItemView
    )


def middles(menu):
    actions = [each for each in menu.actions() if not each.isSeparator()]
    return [menu.mapToGlobal(menu.actionGeometry(action).center()) for action in actions]


def move(place):
    return "mousemove", str(place.x()), str(place.y())


def xdotool(*words):
    subprocess.run(["xdotool", *words], check=True, timeout=PATIENCE)


def main():
    kind, home = sys.argv[1], Path(sys.argv[2])
    app = Application("light")
    app.setDoubleClickInterval(1)  # no two clicks here are meant as one
    window = MainWindow()
    window.resize(1000, 700)
    window.show()
    desk = Desk(window)
    hands = Hands(desk, kind, home)
    hands.start()
    app.exec()
    found = {name: getattr(hands, name) for name in ("done", "changed", "error")}
    print(json.dumps({**found, "drags": desk.drags}))
    sys.stdout.flush()
    os._exit(0)  # without a question about what is unsaved


if __name__ == "__main__":
    main()
