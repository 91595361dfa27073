"""Panes in separate windows."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from pe_explorer.app.application import TITLE
from pe_explorer.app.settings.settings import Place
from pe_explorer.app.window.pane import Pane
from pe_explorer.widgets.keys import presses_button
from pe_explorer.widgets.layouts import column_in

_WINDOW_OFFSET = 24  # offset in pixels between windows at the same place


class OwnWindows(QObject):
    """Panes in separate windows, which stay in front of the main window."""

    closed = Signal(str)  # name of the view whose window the user has closed

    def __init__(self, home: QWidget) -> None:
        """Create no window yet; `home` is the parent of panes without a separate window."""
        super().__init__(home)
        self._home = home
        self._windows: dict[str, _OwnWindow] = {}
        self._actions: list[QAction] = []

    def set_actions(self, actions: Iterable[QAction]) -> None:
        """Make the shortcuts of actions work in these windows too."""
        self._actions = list(actions)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._windows)

    @property
    def places(self) -> dict[str, Place]:
        boxes = {name: QRect(w.pos(), w.size()) for name, w in self._windows.items()}
        return {name: place_of(box) for name, box in boxes.items()}

    def open(self, pane: Pane, place: Place | None = None) -> None:
        """Show a pane in a separate window, on an available screen.

        Without a `place`, the window is placed beside the main window or, if there is no room, over
        the panes.
        """
        free = QRect(*place.pixels) if place else self._free_place(pane)
        window = self._windows[pane.name] = _OwnWindow(pane, self._home)
        geometry = on_screen(free, window)
        window.resize(geometry.size())
        window.move(geometry.topLeft())
        window.closed.connect(self.close)
        window.addActions(self._actions)
        pane.view.setFocus()  # otherwise the first choice in the header gets the focus
        window.show()
        # At the start, the main window is shown after this one and would cover it.
        front = QTimer(window, singleShot=True, interval=0)
        front.timeout.connect(window.raise_)
        front.start()

    def _free_place(self, pane: Pane) -> QRect:
        main = self._home.window()
        frame, inside = main.frameGeometry(), main.geometry()
        sides = frame.width() - inside.width()
        title = max(32, frame.height() - inside.height())  # full-screen windows have no title bar
        target = QRect(pane.mapToGlobal(QPoint(0, 0)), pane.size() + QSize(sides, title))
        room = main.screen().availableGeometry()
        spot = _beside(frame, target, room)
        if spot is None:
            panes = QRect(self._home.mapToGlobal(QPoint(0, 0)), self._home.size())
            visible = panes.intersected(room) if panes.intersects(room) else room
            spot = QRect(target.topLeft(), target.size().boundedTo(visible.size()))
            spot = _moved_into(visible, spot)
        corners = [window.pos() for window in self._windows.values()]
        while spot.topLeft() in corners:  # two windows at the same place would hide each other
            spot.setTopLeft(spot.topLeft() + QPoint(_WINDOW_OFFSET, _WINDOW_OFFSET))
        return QRect(spot.topLeft(), spot.size() - QSize(sides, title))

    def activate(self, name: str) -> None:
        self._windows[name].activateWindow()

    def take_back(self, name: str) -> None:
        window = self._windows.pop(name)
        window.pane.hide()
        window.pane.setParent(self._home)
        window.blockSignals(True)
        window.close()
        window.deleteLater()

    @Slot(str)
    def close(self, name: str) -> None:
        """Close the window of a view."""
        if name in self._windows:
            self.take_back(name)
            self.closed.emit(name)


class _OwnWindow(QWidget):
    """A top-level window for one pane."""

    closed = Signal(str)

    def __init__(self, pane: Pane, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.pane = pane
        self.setWindowTitle(f"{pane.view.picture.title} - {TITLE}")
        self.resize(pane.size())
        column_in(self, pane)
        pane.show()

    def event(self, event: QEvent) -> bool:
        return presses_button(event) or super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit(self.pane.name)


def place_of(box: QRect, *words: str) -> Place:
    """Return the place of a rectangle, with keywords."""
    return Place((box.x(), box.y(), box.width(), box.height()), words)


def on_screen(place: QRect, window: QWidget) -> QRect:
    """Return the nearest place on an available screen, because the old screen may be gone."""
    screen = QGuiApplication.screenAt(place.center()) or window.screen()
    room = screen.availableGeometry()
    size = place.size().boundedTo(room.size())
    return _moved_into(room, QRect(place.topLeft(), size))


def _beside(frame: QRect, place: QRect, room: QRect) -> QRect | None:
    """Return a place on any side of a window; None if no side has enough room."""
    corners = (
        QPoint(frame.right() + 1, place.top()),
        QPoint(frame.left() - place.width(), place.top()),
        QPoint(place.left(), frame.bottom() + 1),
        QPoint(place.left(), frame.top() - place.height()),
    )
    for corner in corners:
        moved = _moved_into(room, QRect(corner, place.size()))
        if room.contains(moved) and not moved.intersects(frame):
            return moved
    return None


def _moved_into(room: QRect, place: QRect) -> QRect:
    """Return a rectangle shifted into `room` as little as possible, with its corner inside."""
    left = min(place.left(), room.right() + 1 - place.width())
    top = min(place.top(), room.bottom() + 1 - place.height())
    return QRect(QPoint(max(left, room.left()), max(top, room.top())), place.size())
