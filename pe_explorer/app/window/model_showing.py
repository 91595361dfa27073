"""Brings a model's configuration to the screen: its page, and the views that show it."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from pe_explorer.app.window.right_panel import RightPanel
from pe_explorer.app.window.shown_model import ShownModel
from pe_explorer.app.window.sides import Sides
from pe_explorer.app.window.workspace import Workspace


class ModelShowing(QObject):
    """Shows the page about an opened model, and enables its action while there is one."""

    def __init__(
        self,
        shown_model: ShownModel,
        right_panel: RightPanel,
        sides: Sides,
        workspace: Workspace,
        action: QAction,
    ) -> None:
        """`action` asks for the page."""
        super().__init__(shown_model)
        self._shown_model, self._right_panel = shown_model, right_panel
        self._sides, self._workspace, self._action = sides, workspace, action
        shown_model.changed.connect(self._show_action)
        self._show_action()

    @Slot()
    def prepare(self) -> None:
        """Make what shows a model while its file is chosen or dragged: then it is there sooner."""
        # What none needs at the start; of `saving`, that it is there when a file is read.
        from pe_explorer.app.document import saving  # noqa: F401
        from pe_explorer.exploration.layer_types import MODEL_VIEWS

        self._right_panel.prepare()
        self._sides.prepare("explain")
        for name in MODEL_VIEWS:
            self._workspace.pane(name)

    @Slot()
    def open_panel(self) -> None:
        """Open the panel beside the pictures before they are made, so that they are made once.

        No drawer comes over them.
        """
        if not self._sides.is_drawer("explain"):
            self._right_panel.await_model()
            self._sides.open("explain")
            self._sides.place()

    @Slot()
    def show(self) -> None:
        """Show the page about a model that was opened."""
        self._right_panel.turn_to_model()

    @Slot()
    def _show_action(self) -> None:
        """Enable the action of the page only while there is one."""
        self._action.setEnabled(self._shown_model.described is not None)
