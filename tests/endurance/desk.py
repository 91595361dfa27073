"""The real window as in `pe_explorer.app.run`, its contents, and the registry of events.

An event is a generator. It first yields a description of what it will do, for the journal that
survives a crash, and then acts. Later it yields numbers of milliseconds for which the event loop
runs before the event continues.
"""

from contextlib import contextmanager
from random import Random

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QApplication, QDialog

from pe_explorer.app.document.backups import Autosave
from pe_explorer.app.settings.settings import SettingsFile, find_settings_path, find_state_folder
from pe_explorer.app.window.main_window import MainWindow
from tests.endurance import inputs
from tests.endurance.mutations import damaged

_TARGETS = ("a.npy", "b.npy", "a.csv", "a.png", "b.png", "saved.json", "é😀.json", "session 0.json")
_HOSTILE_TARGETS = ("x.txt", "no/such.npy", f"{'y' * 240}.npy", f"{'y' * 240}.png", "folder")
_HOSTILE_TARGETS += ("", "~nobody/a.npy", "loop.npy", "a\nb.csv")


class Desk:
    def __init__(self, app, folder, faults, seed):
        self.app, self.folder, self.faults = app, folder, faults
        self.tables = inputs.write_tables(folder, Random(f"{seed} tables"))
        self.files = inputs.write_files(folder, Random(f"{seed} files"), self.tables)
        self.open()

    def open(self):
        self.settings = SettingsFile(find_settings_path(), self.app)
        self.window = MainWindow(settings=self.settings)
        self.window.resize(900, 640)  # small windows are drawn faster
        self.window.places.restore()
        self.window.show()
        unsaved = find_state_folder()
        autosave = Autosave(unsaved, self.window, interval=100)
        autosave.failed.connect(self.window.warn)
        self.window.document.autosave = autosave
        self.window.files.offer_backups(unsaved)
        self.window.model.worker.failed.connect(self.faults.receive_failure)
        self.window.activateWindow()

    def close(self):
        self.window.leave()
        self.settings.refresh()
        self.settings.deleteLater()
        self.window.deleteLater()
        del self.window, self.settings

    def reopen(self, pick):
        self.close()
        path = find_settings_path()
        if path.is_file() and pick.random() < 0.4:
            path.write_bytes(damaged(path.read_bytes(), pick))
        self.open()

    @property
    def dialog(self):
        """The dialog that must be answered first; None without a dialog."""
        widget = self.app.activeModalWidget()
        return widget if isinstance(widget, QDialog) else None

    @property
    def top(self):
        """The reachable widget: a menu, a dialog or the window."""
        return self.app.activePopupWidget() or self.app.activeModalWidget() or self.window

    def act(self, name):
        self.window.actions_by_key[name].trigger()

    def visible(self, kind):
        return [it for it in self.top.findChildren(kind) if alive(it) and it.isEnabled()]

    def somewhere(self, pick):
        """Return a random reachable widget, and a point in it."""
        top = self.top
        point = QPoint(pick.randrange(max(1, top.width())), pick.randrange(max(1, top.height())))
        child = top.childAt(point)
        return (child, child.mapFrom(top, point)) if alive(child) else (top, point)

    def target(self, pick):
        name = pick.choice(_TARGETS if pick.random() < 0.8 else _HOSTILE_TARGETS)
        return str(self.folder / name) if name and not name.startswith("~") else name


@contextmanager
def plain_window(width, height, settings=None):
    window = MainWindow(settings=settings)
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
    return widget is not None and shiboken6.isValid(widget) and widget.isVisible()


def reachable(widget):
    """Return whether input reaches a widget, because no menu and no dialog is open above it."""
    first = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    return alive(widget) and (first in (None, widget) or first.isAncestorOf(widget))


def described(widget):
    """Return a short description of a widget that is equal in all runs."""
    text = widget.text()[:30] if callable(getattr(widget, "text", None)) else ""
    name = widget.accessibleName() or widget.objectName() or widget.windowTitle() or text
    return f"{type(widget).__name__} {name!r}"


KINDS = {}
"""The weight of each kind of event, and the function that creates it, by name."""


def kind(weight, in_dialogs=None, on=None):
    """Return a decorator that registers a function of a desk and random numbers as an event.

    While a dialog is open, the event `in_dialogs` is sent instead. `on` returns the widgets of a
    desk from which one is chosen for the function; if there are none, a key is pressed.
    """

    def register(begin):
        def event(desk, pick):
            if in_dialogs and desk.dialog:
                yield from in_dialogs(desk, pick)
            elif in_dialogs and not desk.window.isVisible():
                yield "the window was closed under a menu that is still open"
            elif on is None:
                yield from begin(desk, pick)
            elif widgets := on(desk):
                yield from begin(desk, pick, pick.choice(widgets))
            else:
                yield from KINDS["key"][1](desk, pick)

        KINDS[begin.__name__] = weight, event
        return event

    return register


def chosen(seed, number):
    """Return the name and function of an event, and a source of random numbers.

    They depend only on the seed and the number of the event, so that a seed replays the same events
    regardless of their duration.
    """
    pick = Random(f"{seed} {number}")
    name = pick.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
    return name, KINDS[name][1], pick
