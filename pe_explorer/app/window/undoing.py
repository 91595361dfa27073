"""Undo and redo as the Edit menu has them.

Named after what they would do, with a list of the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from pe_explorer.app.window.history_dialog import HistoryDialog
from pe_explorer.model import Model
from pe_explorer.model.history import History

__all__ = ["Undoing"]


class Undoing(QObject):
    """Takes changes back, does them again, and lists them."""

    reported = Signal(str)
    """What was done, in a sentence."""

    def __init__(self, window: QWidget, model: Model, history: History) -> None:
        super().__init__(window)
        self._window, self._model, self._history = window, model, history
        self._actions: Mapping[str, QAction] = {}
        history.stack.undoTextChanged.connect(self._name_undo)
        history.stack.redoTextChanged.connect(self._name_redo)

    def name(self, actions: Mapping[str, QAction]) -> None:
        """Name the actions ``undo`` and ``redo`` after their steps from now on."""
        self._actions = actions

    @Slot()
    def undo(self) -> None:
        """Take back the last change."""
        stack = self._history.stack
        self._step("Undone", self._history.undo, stack.canUndo, stack.undoText)

    @Slot()
    def redo(self) -> None:
        """Do again what was taken back."""
        stack = self._history.stack
        self._step("Done again", self._history.redo, stack.canRedo, stack.redoText)

    def _step(
        self,
        what: str,
        step: Callable[[], None],
        possible: Callable[[], bool],
        text: Callable[[], str],
    ) -> None:
        self._model.announce()  # what is under way is a step, too
        told = (
            f"{what}: {text()}." if possible() else "There is nothing to take back or to do again."
        )
        step()
        self._model.announce()
        self.reported.emit(told)

    @Slot()
    def show_history(self) -> None:
        """List the changes."""
        HistoryDialog(self._window, self._history.stack).open()

    @Slot(str)
    def _name_undo(self, step: str) -> None:
        self._rename("undo", "&Undo", step)

    @Slot(str)
    def _name_redo(self, step: str) -> None:
        self._rename("redo", "&Redo", step)

    def _rename(self, key: str, verb: str, step: str) -> None:
        if key in self._actions:
            self._actions[key].setText(
                f"{verb} {step.replace('&', '&&')}".rstrip()
            )  # a single & would mark a key
