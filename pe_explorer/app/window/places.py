"""The stored positions and sizes of the window, its panels and its panes."""

from dataclasses import replace

from PySide6.QtCore import QObject, QRect, QSize, Qt, Slot
from PySide6.QtWidgets import QMainWindow

from pe_explorer import pictures
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.app.window.bars import Bars
from pe_explorer.app.window.own_windows import fit_to_screen, make_place
from pe_explorer.app.window.sides import Sides
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.exploration.panes import ARRANGEMENTS, add_view_beside

_INITIAL_SIZE = QSize(1440, 900)
_SMALL_SCREEN = QSize(1280, 800)  # maximum size of a screen on which the first window is maximised
_WINDOW_FRAME_SIZE = QSize(4, 32)  # size in pixels that a window manager adds for the frame
_WINDOW_STATES = {
    "full": Qt.WindowState.WindowFullScreen,
    "maximised": Qt.WindowState.WindowMaximized,
    "normal": Qt.WindowState.WindowNoState,
}


class Places(QObject):
    """The stored positions and sizes of a window, its panels and its panes; they can be reset."""

    def __init__(
        self, window: QMainWindow, sides: Sides, workspace: Workspace, settings: SettingsFile
    ) -> None:
        super().__init__(window)
        self._window, self._sides, self._workspace = window, sides, workspace
        self._settings = settings

    def begin(self, bars: Bars) -> None:
        """Set the initial places, which `reset` restores for panels and bars."""
        space = self._window.screen().availableSize() - _WINDOW_FRAME_SIZE
        self._window.resize(_INITIAL_SIZE.boundedTo(space))
        self._bars = bars
        self._sides.move_to({})
        self._initial_bar_places = self._bars.places

    def restore(self) -> None:
        settings = self._settings.settings
        if place := settings.window:
            self._window.setGeometry(fit_to_screen(QRect(*place.pixels), self._window))
            self._window.setWindowState(_WINDOW_STATES[place.words[0]])
            self._bars.move_to(settings.bars)
            self._sides.move_to(settings.panels)
            self._sides.fit()
        elif self._window.screen().size().boundedTo(_SMALL_SCREEN) == self._window.screen().size():
            self._window.setWindowState(Qt.WindowState.WindowMaximized)
        self._workspace.splits.sizes = settings.sizes
        self._workspace.open_own_windows(settings.own_windows)

    def store(self) -> None:
        workspace, state = self._workspace, self._window.windowState()
        word = next(word for word, flag in _WINDOW_STATES.items() if flag in state)
        self._settings.change(
            window=make_place(self._window.normalGeometry(), word),
            panels=self._sides.places,
            bars=self._bars.places,
            panes=workspace.panes,
            maximised=workspace.maximised,
            sizes={**dict.fromkeys(ARRANGEMENTS), **workspace.splits.sizes},
            own_windows={**dict.fromkeys(pictures.names()), **workspace.own_windows.places},
        )

    @Slot()
    def reset(self) -> None:
        """Restore all panels, bars and splitters, and move all views back into the panes."""
        self._bars.move_to(self._initial_bar_places)
        self._sides.move_to({})
        self._sides.fit()
        workspace = self._workspace
        panes, own_window_names = workspace.panes, workspace.own_windows.names
        for name in own_window_names:
            panes = add_view_beside(panes, name)
        if own_window_names:
            panes = replace(panes, views=tuple(sorted(panes.views, key=pictures.names().index)))
        workspace.set_panes(panes, maximised=False)
        for name in workspace.own_windows.names:  # views for which no pane was free
            workspace.own_windows.close(name)
        workspace.splits.sizes = {}

    @Slot()
    def full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ _WINDOW_STATES["full"])
