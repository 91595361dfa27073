"""Panes in separate windows."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from pe_explorer.app.application import TITLE
from pe_explorer.app.settings.settings import Place
from pe_explorer.app.window.pane import Pane
from pe_explorer.widgets.keys import claim_space_key
from pe_explorer.widgets.layouts import lay_out_column

_WINDOW_OFFSET = 24  # offset in pixels between windows that would otherwise coincide


class OwnWindows(QObject):
    """Panes in separate windows, which stay in front of the main window."""

    closed = Signal(str)  # name of the view whose window the user has closed

    def __init__(self, home: QWidget) -> None:
        """Create the object without windows; `home` is the parent of panes in the main window."""
        super().__init__(home)
        self._pane_parent = home
        self._windows: dict[str, _OwnWindow] = {}
        self._actions: list[QAction] = []

    def set_actions(self, actions: Iterable[QAction]) -> None:
        """Make the shortcuts of actions work in the separate windows, too."""
        self._actions = list(actions)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._windows)

    @property
    def places(self) -> dict[str, Place]:
        return {name: make_place(QRect(w.pos(), w.size())) for name, w in self._windows.items()}

    def open(self, pane: Pane, place: Place | None = None) -> None:
        """Show a pane in a separate window, by default beside the main window or over the panes."""
        rect = QRect(*place.pixels) if place else self._find_free_rect(pane)
        window = self._windows[pane.name] = _OwnWindow(pane, self._pane_parent)
        rect = fit_to_screen(rect, window)
        window.resize(rect.size())
        window.move(rect.topLeft())
        window.closed.connect(self.close)
        window.addActions(self._actions)
        pane.view.setFocus()  # otherwise the first choice in the header gets the focus
        window.show()
        # Raise the window later, because at the start the main window is shown after this window.
        QTimer.singleShot(0, window, window.raise_)

    def _find_free_rect(self, pane: Pane) -> QRect:
        """Return a free rectangle for the window of a pane, without the window's frame."""
        main = self._pane_parent.window()
        frame, interior = main.frameGeometry(), main.geometry()
        sides = frame.width() - interior.width()
        title = max(32, frame.height() - interior.height())  # full-screen windows have no title bar
        target = QRect(pane.mapToGlobal(QPoint(0, 0)), pane.size() + QSize(sides, title))
        space = main.screen().availableGeometry()
        rect = _move_beside(frame, target, space)
        if rect is None:
            panes = QRect(self._pane_parent.mapToGlobal(QPoint(0, 0)), self._pane_parent.size())
            visible_area = panes.intersected(space) if panes.intersects(space) else space
            rect = QRect(target.topLeft(), target.size().boundedTo(visible_area.size()))
            rect = _move_into(visible_area, rect)
        corners = [window.pos() for window in self._windows.values()]
        while rect.topLeft() in corners:  # otherwise one window would hide another
            rect.setTopLeft(rect.topLeft() + QPoint(_WINDOW_OFFSET, _WINDOW_OFFSET))
        return QRect(rect.topLeft(), rect.size() - QSize(sides, title))

    def activate(self, name: str) -> None:
        self._windows[name].activateWindow()

    def take_back(self, name: str) -> None:
        window = self._windows.pop(name)
        window.pane.hide()
        window.pane.setParent(self._pane_parent)
        window.blockSignals(True)
        window.close()
        window.deleteLater()

    @Slot(str)
    def close(self, name: str) -> None:
        if name in self._windows:
            self.take_back(name)
            self.closed.emit(name)


class _OwnWindow(QWidget):
    closed = Signal(str)

    def __init__(self, pane: Pane, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.pane = pane
        self.setWindowTitle(f"{pane.view.picture.title} - {TITLE}")
        self.resize(pane.size())
        lay_out_column(self, pane)
        pane.show()

    def event(self, event: QEvent) -> bool:
        return claim_space_key(event) or super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit(self.pane.name)


def make_place(rect: QRect, *words: str) -> Place:
    """Return a rectangle and keywords as a `Place`."""
    return Place((rect.x(), rect.y(), rect.width(), rect.height()), words)


def fit_to_screen(rect: QRect, window: QWidget) -> QRect:
    """Return a rectangle that fits on an available screen, because the old screen may be gone."""
    screen = QGuiApplication.screenAt(rect.center()) or window.screen()
    space = screen.availableGeometry()
    return _move_into(space, QRect(rect.topLeft(), rect.size().boundedTo(space.size())))


def _move_beside(frame: QRect, rect: QRect, space: QRect) -> QRect | None:
    """Return a rectangle moved beside a window, or None if no side has enough space."""
    corners = (
        QPoint(frame.right() + 1, rect.top()),
        QPoint(frame.left() - rect.width(), rect.top()),
        QPoint(rect.left(), frame.bottom() + 1),
        QPoint(rect.left(), frame.top() - rect.height()),
    )
    for corner in corners:
        candidate = _move_into(space, QRect(corner, rect.size()))
        if space.contains(candidate) and not candidate.intersects(frame):
            return candidate
    return None


def _move_into(space: QRect, rect: QRect) -> QRect:
    """Return a rectangle moved as little as possible, with its top left corner in `space`."""
    left = min(rect.left(), space.right() + 1 - rect.width())
    top = min(rect.top(), space.bottom() + 1 - rect.height())
    return QRect(QPoint(max(left, space.left()), max(top, space.top())), rect.size())
