"""Brings a model's configuration to the screen: its page, and the views that show it."""

from PySide6.QtCore import QObject, Slot

from pe_explorer.app.window.right_panel import RightPanel
from pe_explorer.app.window.sides import Sides
from pe_explorer.app.window.workspace import Workspace


class ModelShowing(QObject):
    """Makes room for the page about a model, and what shows it, before the model is there."""

    def __init__(self, right_panel: RightPanel, sides: Sides, workspace: Workspace) -> None:
        super().__init__(sides)
        self._right_panel, self._sides, self._workspace = right_panel, sides, workspace

    @Slot()
    def prepare(self) -> None:
        """Make what shows a model while its file is chosen or dragged: then it is there sooner."""
        # What none needs at the start; of `saving`, that it is there when a file is read.
        from pe_explorer.app.document import saving  # noqa: F401
        from pe_explorer.exploration.layer_types import MODEL_VIEWS

        self._right_panel.parts()
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
