"""The real window as `pe_explorer.app.run` opens it, what can be found in it, and kinds of events.

An event is a generator. It first yields what it is going to do, in words, for the journal that
outlives a crash, and then does it. What it yields later is a number of milliseconds for which
the event loop runs before it goes on.
"""

from contextlib import contextmanager
from random import Random

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QApplication, QDialog

from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.document.recovery import Recovery
from pe_explorer.app.settings.settings import settings_path, state_folder
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from tests.endurance import inputs
from tests.endurance.mutations import damaged

_TARGETS = ("a.npy", "b.npy", "a.csv", "a.png", "b.png", "saved.json", "é😀.json", "session 0.json")
_HOSTILE_TARGETS = (
    *("x.txt", "no/such.npy", "y" * 240 + ".npy", "y" * 240 + ".png", "folder"),
    *("", "~nobody/a.npy", "loop.npy", "a\nb.csv"),
)


class Desk:
    """Holds the window; opens it again when it was closed."""

    def __init__(self, app, folder, faults, seed):
        self.app, self.folder, self.faults = app, folder, faults
        self.tables = inputs.write_tables(folder, Random(f"{seed} tables"))
        self.files = inputs.write_files(folder, Random(f"{seed} files"), self.tables)
        self.open()

    def open(self):
        self.settings = SettingsFile(settings_path(), self.app)
        self.window = MainWindow(settings=self.settings)
        self.window.resize(900, 640)  # small ones are drawn faster
        self.window.places.restore()
        self.window.show()
        unsaved = state_folder()
        autosave = Autosave(unsaved, self.window, every=100)
        autosave.failed.connect(self.window.warn)
        self.window.document.back_up(autosave)
        Recovery(self.window, self.window.files, autosave, unsaved)
        self.window.model.worker.failed.connect(self.faults.receive_failure)
        self.window.activateWindow()

    def close(self):
        self.window.leave()
        self.settings.close()
        self.settings.deleteLater()
        self.window.deleteLater()
        del self.window, self.settings

    def reopen(self, pick):
        """Open another window, perhaps with settings that were damaged meanwhile."""
        self.close()
        path = settings_path()
        if path.is_file() and pick.random() < 0.4:
            path.write_bytes(damaged(path.read_bytes(), pick))
        self.open()

    @property
    def is_open(self):
        return self.window.isVisible()

    @property
    def dialog(self):
        """The dialog that has to be answered first, if there is one."""
        widget = self.app.activeModalWidget()
        return widget if isinstance(widget, QDialog) else None

    @property
    def top(self):
        """A menu, a dialog or the window: what a person can reach now."""
        return self.app.activePopupWidget() or self.app.activeModalWidget() or self.window

    def act(self, name):
        self.window.actions_by_key[name].trigger()

    def visible(self, kind):
        found = self.top.findChildren(kind)
        return [widget for widget in found if alive(widget) and widget.isEnabled()]

    def somewhere(self, pick):
        """Return a widget at a random point of what can be reached, and the point in it."""
        top = self.top
        point = QPoint(pick.randrange(max(1, top.width())), pick.randrange(max(1, top.height())))
        child = top.childAt(point)
        return (child, child.mapFrom(top, point)) if alive(child) else (top, point)

    def target(self, pick):
        """Return the name of a file to write, some of them impossible."""
        name = pick.choice(_TARGETS if pick.random() < 0.8 else _HOSTILE_TARGETS)
        return str(self.folder / name) if name and not name.startswith("~") else name


@contextmanager
def plain_window(width, height):
    """Show a window without settings, and delete it in the end."""
    window = MainWindow()
    window.resize(width, height)
    window.show()
    try:
        yield window
    finally:
        window.leave()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def alive(widget):
    """Whether a widget is still there, and visible."""
    return widget is not None and shiboken6.isValid(widget) and widget.isVisible()


def reachable(widget):
    """Whether a person's input comes to a widget: no menu and no dialog is in its way."""
    first = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    return alive(widget) and (first in (None, widget) or first.isAncestorOf(widget))


def described(widget):
    """Return what a widget is, in a few words that are the same in every run."""
    text = getattr(widget, "text", None)
    name = widget.accessibleName() or widget.objectName() or widget.windowTitle()
    name = name or (text()[:30] if callable(text) else "")
    return f"{type(widget).__name__} {name!r}" if name else type(widget).__name__


KINDS = {}
"""The weight of each kind of event, and the function that begins it, by name."""


def kind(weight, in_dialogs=None, on=None):
    """Return a decorator that registers a function of desk and random numbers as a kind of event.

    If `in_dialogs` is given, that is sent in its place while a dialog is open. If `on` is given, it
    returns widgets of a desk, of which the function gets one; without any, a key is pressed.
    """

    def register(begin):
        def event(desk, pick):
            if in_dialogs and desk.dialog:
                yield from in_dialogs(desk, pick)
            elif in_dialogs and not desk.is_open:
                yield "the window was closed under a menu that is still open"
            elif on is None:
                yield from begin(desk, pick)
            elif widgets := on(desk):
                yield from begin(desk, pick, pick.choice(widgets))
            else:
                yield from instead(desk, pick)

        KINDS[begin.__name__] = weight, event
        return event

    return register


def instead(desk, pick):
    """Press a key, because what was to be used is not there."""
    pressed = KINDS["key"][1](desk, pick)
    yield f"not possible; {next(pressed)}"
    yield from pressed


def chosen(seed, number):
    """Return name and function of the kind of an event, and the random numbers that it may use.

    They depend on nothing else, so that a seed replays the same events whatever the worker's
    threads were doing, and however long it took.
    """
    pick = Random(f"{seed} {number}")
    weights = [weight for weight, _ in KINDS.values()]
    name = pick.choices(list(KINDS), weights)[0]
    return name, KINDS[name][1], pick
