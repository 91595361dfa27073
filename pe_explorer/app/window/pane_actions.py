"""Actions with a mark at the present choice: the arrangement, and the menu of a view."""

from collections.abc import Mapping

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from pe_explorer.app.window.pane import Pane
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.exploration.panes import ARRANGEMENTS

_MENU_GROUPS = (
    ("copy_value", "copy_picture", "copy_code", "copy_figure_code", "copy_command"),
    ("export_figure", "export_picture", "export_data"),
    ("reset_zoom",),
    ("maximise", "own_window", "close_pane"),
)
"""Actions in the menu of a view, by their keys, in groups."""


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
