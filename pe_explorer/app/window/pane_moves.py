"""What menus, keys and the headers of the panes do with panes, and the menu of a pane."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from pe_explorer import pictures
from pe_explorer.app.window.pane import Pane
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.exploration import panes as moves
from pe_explorer.exploration.panes import ARRANGEMENTS

_MENU_GROUPS = (
    ("copy_value", "copy_picture", "copy_code", "copy_figure_code", "copy_command"),
    ("export_figure", "export_picture", "export_data"),
    ("reset_zoom",),
    ("maximise", "own_window", "close_pane"),
)
"""Actions in the menu of a view, by their keys, in groups."""


class PaneMoves(QObject):
    """Goes from pane to pane, maximises and closes them, and gives them windows of their own."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._own_windows = workspace.own_windows
        workspace.pane_built.connect(self._connect)

    @Slot(object)
    def _connect(self, pane: Pane) -> None:
        pane.exchanged.connect(self._exchange)
        pane.maximise_asked.connect(self._toggle_maximised)
        pane.own_window_asked.connect(self._toggle_own_window)

    @property
    def _active(self) -> str:
        return self._workspace.active.picture.name

    # -- actions, by the names in the table ------------------------------------------------------

    @Slot()
    def next_pane(self) -> None:
        """Go to the next pane."""
        self._go(1)

    @Slot()
    def previous_pane(self) -> None:
        """Go to the pane before."""
        self._go(-1)

    def _go(self, steps: int) -> None:
        names = (*self._workspace.panes.views, *self._own_windows.names)
        index = names.index(self._active) + steps
        self._workspace.focus(names[index % len(names)])

    @Slot()
    def maximise(self) -> None:
        """Let the active pane fill the place of all, or no longer."""
        self._toggle_maximised(self._active)

    @Slot()
    def close_pane(self) -> None:
        """Put the active view away; the last one stays."""
        name = self._active
        if name in self._own_windows.names:
            self._own_windows.close(name)
        else:
            self._workspace.set_panes(moves.closed(self._workspace.panes, name), maximised=False)

    @Slot()
    def own_window(self) -> None:
        """Give the active view a window of its own, or put it back."""
        self._toggle_own_window(self._active)

    # -- what the header of a pane asks for ------------------------------------------------------

    @Slot(str, str)
    def _exchange(self, old: str, new: str) -> None:
        panes = self._workspace.panes
        if new in self._own_windows.names:
            self._own_windows.activate(new)
        elif old in panes.views:
            self._workspace.set_panes(moves.swapped(panes, old, new))
            self._workspace.focus(new)
        else:
            self._own_windows.close(old)
            self._workspace.show_view(new)

    @Slot(str)
    def _toggle_maximised(self, name: str) -> None:
        if name in self._own_windows.names:
            return
        maximised = not self._workspace.maximised
        self._workspace.set_panes(moves.put_in(self._workspace.panes, name), maximised)
        self._workspace.focus(name)

    @Slot(str)
    def _toggle_own_window(self, name: str) -> None:
        if name in self._own_windows.names:
            self._workspace.show_view(name, beside=True)
            return
        panes = self._workspace.panes
        if len(panes.views) == 1:  # something has to take its place
            taken = (name, *self._own_windows.names)
            others = [other for other in pictures.names() if other not in taken]
            if not others:
                return
            panes = moves.swapped(panes, name, moves.usual_first(others)[0])
        self._workspace.splits.remember()
        self._own_windows.open(self._workspace.pane(name))
        self._workspace.set_panes(moves.closed(panes, name), maximised=False)
        self._workspace.focus(name)


class FocusWatcher(QObject):
    """Makes the pane that gets the focus the active one; docks and bars leave it as it is.

    While panes are arranged Qt gives the focus of what is hidden to any other widget: nobody asked
    for that, and the panes must not be arranged anew in the middle of it.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, _: QWidget | None, new: QWidget | None) -> None:
        if not self._workspace.attached or self._workspace.arranging or new is None:
            return
        for name in self._workspace.shown:
            if self._workspace.pane(name).isAncestorOf(new):
                self._workspace.activate(name)
                return


class Arrangements(QActionGroup):
    """The actions that arrange the panes; the present arrangement is checked."""

    def __init__(self, workspace: Workspace, actions: Mapping[str, QAction]) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        for name in ARRANGEMENTS:
            action = actions[name]
            action.setData(name)
            action.setCheckable(True)
            self.addAction(action)
        self.triggered.connect(self._arrange)
        workspace.shown_changed.connect(self._show_present)

    @Slot(QAction)
    def _arrange(self, action: QAction) -> None:
        self._workspace.arrange(action.data())
        self._show_present()

    @Slot()
    def _show_present(self) -> None:
        present = self._workspace.arrangement
        for action in self.actions():
            action.setChecked(action.data() == present)


class PaneMenu(QMenu):
    """The menu of a view: what can be done with its picture, its data and its pane."""

    def __init__(
        self, window: QWidget, workspace: Workspace, actions: Mapping[str, QAction]
    ) -> None:
        super().__init__(window)
        for keys in _MENU_GROUPS:
            self.addSeparator()
            self.addActions([actions[key] for key in keys])
        workspace.pane_built.connect(self._connect)

    @Slot(object)
    def _connect(self, pane: Pane) -> None:
        pane.menu_asked.connect(self.popup)
