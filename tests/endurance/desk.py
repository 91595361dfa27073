"""The real window as `pe_explorer.app.run` opens it, and what can be found in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from pe_explorer.app.application import Application
from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.document.recovery import Recovery
from pe_explorer.app.settings.settings import settings_path, state_folder
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.params import ParameterError
from tests.endurance import inputs
from tests.endurance.faults import Faults
from tests.endurance.mutations import damaged

_Widget = TypeVar("_Widget", bound=QWidget)
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

    def __init__(self, app: Application, folder: Path, faults: Faults, seed: int) -> None:
        self.app, self.folder, self.faults = app, folder, faults
        self.tables = inputs.write_tables(folder, Random(f"{seed} tables"))
        self.files = inputs.write_files(folder, Random(f"{seed} files"), self.tables)
        self.open()

    def open(self) -> None:
        """Open a window with settings, recovery and autosave."""
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
        self.window.model.worker.failed.connect(self._judge)
        self.window.activateWindow()

    def close(self) -> None:
        """Close the window without a question, and delete it."""
        self.window.leave()
        self.settings.close()
        self.settings.deleteLater()
        self.window.deleteLater()
        del self.window, self.settings

    def reopen(self, pick: Random) -> None:
        """Open another window, perhaps with settings that were damaged meanwhile."""
        self.close()
        path = settings_path()
        if path and path.is_file() and pick.random() < 0.4:
            path.write_bytes(damaged(path.read_bytes(), pick))
        self.open()

    @property
    def is_open(self) -> bool:
        """Whether the window is on the screen."""
        return self.window.isVisible()

    @property
    def dialog(self) -> QDialog | None:
        """The dialog that has to be answered first, if there is one."""
        widget = self.app.activeModalWidget()
        return widget if isinstance(widget, QDialog) else None

    @property
    def top(self) -> QWidget:
        """What a person can reach now: a menu, a dialog or the window."""
        return self.app.activePopupWidget() or self.app.activeModalWidget() or self.window

    def visible(self, *kinds: type[_Widget]) -> list[_Widget]:
        """Return the widgets of some classes that can be used now, the oldest first."""
        found = [widget for kind in kinds for widget in self.top.findChildren(kind)]
        return [widget for widget in found if alive(widget) and widget.isEnabled()]

    def somewhere(self, pick: Random) -> tuple[QWidget, QPoint]:
        """Return a widget at a random point of what can be reached, and the point in it."""
        top = self.top
        point = QPoint(pick.randrange(max(1, top.width())), pick.randrange(max(1, top.height())))
        child = top.childAt(point)
        return (child, child.mapFrom(top, point)) if alive(child) else (top, point)

    def canvases(self) -> list[QWidget]:
        """Return what the views that can be seen are drawn on."""
        shown = [view for view in self.window.workspace.built.values() if view.isVisible()]
        return [view.stage.canvas.viewport() if hasattr(view, "stage") else view for view in shown]

    def target(self, pick: Random) -> str:
        """Return the name of a file to write, some of them impossible."""
        name = pick.choice(_TARGETS if pick.random() < 0.8 else _HOSTILE_TARGETS)
        return str(self.folder / name) if name and not name.startswith("~") else name

    def _judge(self, owner: str, error: Exception) -> None:
        """Take a failure of the worker for a fault, unless a sentence reports it."""
        if not isinstance(error, ParameterError | OSError | MemoryError):
            self.faults.add_exception(f"in the worker, for {owner}", error)


@contextmanager
def plain_window(width: int, height: int) -> Iterator[MainWindow]:
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


def alive(*widgets: QWidget | None) -> bool:
    """Whether widgets are still there, and seen."""
    return all(it is not None and shiboken6.isValid(it) and it.isVisible() for it in widgets)


def reachable(widget: QWidget) -> bool:
    """Whether a person's input comes to a widget: no menu and no dialog is in its way."""
    first = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    return alive(widget) and (first in (None, widget) or first.isAncestorOf(widget))


def described(widget: QWidget) -> str:
    """Return what a widget is, in a few words that are the same in every run."""
    text = getattr(widget, "text", None)
    name = widget.accessibleName() or widget.objectName() or widget.windowTitle()
    name = name or (text()[:30] if callable(text) else "")
    return f"{type(widget).__name__} {name!r}" if name else type(widget).__name__
