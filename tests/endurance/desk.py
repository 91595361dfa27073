"""The real window as `pe_explorer.app.run` opens it, and what can be found in it."""

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

_TARGETS = (
    *("a.npy", "b.npy", "a.csv", "a.png", "b.png"),
    *("saved.json", "é😀.json", "session 0.json"),
)
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
        assert unsaved is not None
        autosave = Autosave(unsaved, self.window, every=100)
        autosave.failed.connect(self.window.dialogs.warn)
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
        if path and path.is_file() and pick.random() < 0.4:
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
        return self.app.activePopupWidget() or self.app.activeModalWidget() or self.window

    def visible(self, *kinds):
        found = [widget for kind in kinds for widget in self.top.findChildren(kind)]
        return [widget for widget in found if alive(widget) and widget.isEnabled()]

    def somewhere(self, pick):
        top = self.top
        point = QPoint(pick.randrange(max(1, top.width())), pick.randrange(max(1, top.height())))
        child = top.childAt(point)
        return (child, child.mapFrom(top, point)) if alive(child) else (top, point)

    def target(self, pick):
        name = pick.choice(_TARGETS if pick.random() < 0.8 else _HOSTILE_TARGETS)
        return str(self.folder / name) if name and not name.startswith("~") else name


@contextmanager
def plain_window(width, height):
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
