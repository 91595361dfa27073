"""Brings a model's configuration to the screen: its page, and the views that show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from pe_explorer.app.window.main_window import MainWindow


class ModelShowing(QObject):
    """Shows the page about a model that is opened, and lets it be asked for while there is one."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        files, shown_model = window.files, window.shown_model
        files.configuration_opened.connect(shown_model.take)
        files.configuration_opened.connect(self._show)
        for announcing in (files.choosing, window.drop_target.configuration_near):
            announcing.connect(self._prepare)
        shown_model.changed.connect(self._show_action)
        self._show_action()

    @Slot()
    def _prepare(self) -> None:
        """Make what shows a model while its file is chosen or dragged: then it is there sooner."""
        from pe_explorer.exploration.layer_types import VIEWS  # not needed at the start

        self._window.right_panel.prepare()
        for name in VIEWS:
            self._window.view(name)

    @Slot()
    def _show(self) -> None:
        """Show the page about a model that was opened; no drawer comes over its pictures."""
        self._window.right_panel.turn_to_model()
        if not self._window.sides.is_drawer("explain"):
            self._window.sides.open("explain")

    @Slot()
    def _show_action(self) -> None:
        """Let the page be asked for only while there is one."""
        is_shown = self._window.shown_model.described is not None
        self._window.actions_by_key["model"].setEnabled(is_shown)
