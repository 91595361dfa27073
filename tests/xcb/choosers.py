"""`python -m tests.xcb.choosers KIND FOLDER`: everything that a mouse can do to files in a dialog.

Opens one of the program's dialogs for files with a folder of files, drags each entry onto each
other one, and presses keys and entries of menus, all by xdotool on a real X server. Prints what
was done, and which of it changed something on disk. A timer acts, as Qt waits within a drag.
"""

import json
import os
import subprocess
import sys
import time
import traceback
from itertools import permutations, product
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, QPoint, QTimer, QUrl, Slot
from PySide6.QtWidgets import QApplication

from pe_explorer.app.application import Application
from pe_explorer.app.window.main_window import MainWindow
from tests.endurance.tree import tree

ENTRIES = ("apples", "pears", "table.npy")  # two folders and a file
KEYS = {"": [], "Ctrl+": ["ctrl"], "Shift+": ["shift"]}
PATIENCE = 30.0
STEP = "0.01"  # seconds between moves of the mouse


def seen(kind):
    windows = [it for it in QApplication.topLevelWidgets() if isinstance(it, kind)]
    return next((window for window in windows if window.isVisible()), None)


def button(parent, *texts):
    """Return the visible button whose text begins with one of some words, if there is one."""
    buttons = [b for b in parent.findChildren(QtWidgets.QPushButton) if b.isVisible()]
    return next((b for b in buttons if b.text().replace("&", "").startswith(texts)), None)


def later(act):
    """Do something that may begin a loop of its own, in which the timer goes on."""
    QTimer.singleShot(0, act)


def by_action(key, *texts):
    """Return a function that opens a dialog by an action, and clicks on buttons in it."""

    def open_it(window):
        later(window.actions_by_key[key].trigger)
        for text in texts:
            later(button((yield lambda: seen(QtWidgets.QDialog)), text).click)

    return open_it


def print_to_file(window):
    """Open the print dialog of Qt, and from there the one for its file."""

    def browse_button():
        windows = QApplication.topLevelWidgets()
        buttons = (it.findChild(QtWidgets.QToolButton, "fileBrowser") for it in windows)
        return next(filter(None, buttons), None)

    yield from by_action("print_figure", "Print")(window)
    later((yield browse_button).click)


def locate(window):
    window.model.set_encoding("learned", file="/nowhere/gone.npy")
    window.model.emit_changes()
    later((yield lambda: button(window.panel, "Locate", "Choose")).click)


OPENERS = {
    "open": by_action("open"),
    "save": by_action("save_as"),
    "export figure": by_action("export_figure", "Choose"),
    "export data": by_action("export_data", "Choose"),
    "locate": locate,
    "print to file": print_to_file,
}


class Hands(QObject):
    """Acts on one dialog until something changed on disk, or all is done; counts drags that begin.

    What acts yields a condition that has to come true before it goes on, and gets what that is.
    """

    def __init__(self, window, kind, home):
        super().__init__()
        self.window, self.home, self.folder = window, home, home / "files"
        self.done, self.changed, self.error, self.drags = [], "", "", 0
        self.acts = self.act(kind)
        self.wait_until(next(self.acts))
        self.timer = QTimer(self, interval=10)
        self.timer.timeout.connect(self.go_on)
        self.timer.start()

    def wait_until(self, condition):
        self.condition, self.end = condition, time.monotonic() + PATIENCE

    @Slot()
    def go_on(self):
        try:
            if found := self.condition():
                self.wait_until(self.acts.send(found))
            assert time.monotonic() < self.end, "nothing came"
        except StopIteration:
            QApplication.exit()  # `quit` would ask to save
        except Exception as error:
            self.error = "".join(traceback.format_exception(error))
            QApplication.exit()

    def act(self, kind):
        yield self.window.isVisible
        yield from OPENERS[kind](self.window)
        self.chooser = yield lambda: seen(QtWidgets.QFileDialog)
        self.set_up()
        yield pause(1.0)
        before = tree(self.home)
        for name, key in (("listView", "listModeButton"), ("treeView", "detailModeButton")):
            self.chooser.findChild(QtWidgets.QToolButton, key).click()
            yield pause(0.2)
            yield self.is_ready
            for gesture, act in (yield from self.gestures(name)):
                yield self.is_ready
                yield from act
                yield pause(0.05)
                yield from self.put_away()
                self.done.append(f"{name}: {gesture}")
                if tree(self.home) != before:
                    self.changed = self.done[-1]
                    return

    def eventFilter(self, watched, event):  # noqa: N802
        self.drags += event.type() == QEvent.Type.DragEnter
        return False

    def set_up(self):
        # A filter of the application in Python meets objects that are half deleted, and crashes.
        for view in self.chooser.findChildren(QtWidgets.QAbstractItemView):
            view.viewport().installEventFilter(self)
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

    def places(self, name):
        """Return where the entries of a view are on the screen, by their texts."""
        view = self.chooser.findChild(QtWidgets.QAbstractItemView, name)
        model, root, found = view.model(), view.rootIndex(), {}
        for index in (model.index(row, 0, root) for row in range(model.rowCount(root))):
            rect = view.visualRect(index)
            middle = QPoint(rect.left() + 24, rect.center().y())
            found[str(index.data())] = view.viewport().mapToGlobal(middle)
        return found

    def gestures(self, name):
        places, side = self.places(name), self.places("sidebar")
        drags = [(f"{a} to {b}", places[a], places[b]) for a, b in permutations(ENTRIES, 2)]
        for a, b in (("apples", "pears"), ("table.npy", "pears")):
            drags.append((f"{a} to the sidebar", places[a], side[b]))
        drags.append(("from the sidebar", side["pears"], places["apples"]))
        found = [
            (f"{keys}drag {words}", self.drag(source, target, held))
            for (keys, held), (words, source, target) in product(KEYS.items(), drags)
        ]
        frame = self.window.centralWidget()
        beside = frame.mapToGlobal(QPoint(frame.width() - 20, frame.height() - 20))
        found.append(("drag out of the dialog", self.drag(places["table.npy"], beside)))
        for source in ENTRIES:
            place = places[source]
            for key in ("Delete", "F2", "shift+Delete"):
                words = (*move(place), "click", "1", "sleep", "0.05", "key", key, "sleep", "0.1")
                found.append((f"{key} on {source}", xdotool(*words)))
            entries = yield from self.menu_at(place)
            yield from xdotool("key", "Escape")
            for number in range(len(entries)):
                words = f"entry {number} of the menu of {source}"
                found.append((words, self.choose(place, number)))
        return found

    def drag(self, source, target, held=()):
        steps = [QPoint(source.x() + 4 * n, source.y()) for n in range(1, 5)]
        steps += [source + (target - source) * part / 4 for part in range(1, 5)]
        steps += [target + QPoint(1, 0), target]
        moves = [word for step in steps for word in (*move(step), "sleep", STEP)]
        down, up = ([word for key in held for word in (way, key)] for way in ("keydown", "keyup"))
        begin = (*move(source), "mousedown", "1", *down, "sleep", STEP)
        return xdotool(*begin, *moves, "mouseup", "1", *up)

    def menu_at(self, place):
        """Open the menu at a place, and return where its entries are on the screen."""
        yield lambda: not seen(QtWidgets.QMenu)
        menu = None
        while not menu:  # a slow machine may miss a click
            yield from xdotool(*move(place), "sleep", STEP, "click", "3")
            end = time.monotonic() + 3.0
            yield lambda end=end: seen(QtWidgets.QMenu) or time.monotonic() > end
            menu = seen(QtWidgets.QMenu)
        actions = [each for each in menu.actions() if not each.isSeparator()]
        return [menu.mapToGlobal(menu.actionGeometry(action).center()) for action in actions]

    def choose(self, place, number):
        entries = yield from self.menu_at(place)
        yield from xdotool(*move(entries[number]), "click", "1", "sleep", "0.1")

    def put_away(self):
        """Say yes to a question, end what asks for a name, and type where a name is edited."""
        if seen(QtWidgets.QMenu):
            yield from xdotool("key", "Escape")
        field = QApplication.focusWidget()
        if box := seen(QtWidgets.QMessageBox):
            later(button(box, "Yes", "OK", "Close").click)
        elif asking := seen(QtWidgets.QInputDialog):
            later(asking.reject)
        elif isinstance(field, QtWidgets.QLineEdit) and isinstance(
            field.parentWidget().parentWidget(), QtWidgets.QAbstractItemView
        ):
            yield from xdotool("key", "z", "z", "Return")
        else:
            return
        yield pause(0.2)
        yield lambda: not (seen(QtWidgets.QMessageBox) or seen(QtWidgets.QInputDialog))


def move(place):
    return "mousemove", str(place.x()), str(place.y())


def xdotool(*words):
    process = subprocess.Popen(["xdotool", *words])
    yield lambda: process.poll() == 0


def pause(seconds):
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def main():
    app = Application("light")
    app.setDoubleClickInterval(1)  # no two clicks here are meant as one
    window = MainWindow()
    window.resize(1000, 700)
    window.show()
    hands = Hands(window, sys.argv[1], Path(sys.argv[2]))
    app.exec()
    attributes = ("done", "changed", "error", "drags")
    print(json.dumps({name: getattr(hands, name) for name in attributes}))
    sys.stdout.flush()
    os._exit(0)  # without a question about what is unsaved


if __name__ == "__main__":
    main()
