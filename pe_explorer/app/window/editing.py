"""Actions that change the positions and the encoding, and undo or redo changes."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer import exploration
from pe_explorer.app.window.actions import WindowAction
from pe_explorer.app.window.filter_dialog import HistoryDialog
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.model.history import History
from pe_explorer.pictures.heatmap import Heatmap

_ZOOM_FACTOR = 0.5  # factor by which zooming in shortens the range of positions


class EditCommands(QObject):
    """Actions that zoom and move the range of positions, pin the encoding, undo and redo."""

    reported = Signal(str)  # message about a completed action

    def __init__(self, window: QWidget, model: Model, history: History) -> None:
        super().__init__(window)
        self._window, self._model, self._history = window, model, history

    @Slot()
    def zoom_in(self) -> None:
        self._model.set(**exploration.zoom_range(self._model.state, _ZOOM_FACTOR))

    @Slot()
    def zoom_out(self) -> None:
        self._model.set(**exploration.zoom_range(self._model.state, 1 / _ZOOM_FACTOR))

    @Slot()
    def go_to_cursor(self) -> None:
        self._model.set(**exploration.centre_range(self._model.state))

    @Slot()
    def go_to_zero(self) -> None:
        self._model.set(**exploration.return_to_0(self._model.state))

    @Slot()
    def show_all_dimensions(self) -> None:
        self._model.set_options(Heatmap.name, first=0, dimensions=0)

    @Slot()
    def reset_zoom(self) -> None:
        self._model.set(**exploration.reset_range(self._model.state))
        self.show_all_dimensions()

    @Slot()
    def set_reference(self) -> None:
        self._model.set(reference=self._model.state.position)

    @Slot()
    def pin(self) -> None:
        before = self._model.state.pins
        self._model.set(**exploration.add_pin(self._model.state))
        self._model.emit_changes()
        pins = self._model.state.pins
        if pins != before:  # at the maximum number of pins, no pin is added
            self.reported.emit(f"Pinned {exploration.make_full_name(pins[-1].encoding)}.")

    @Slot()
    def reset(self) -> None:
        self._model.playhead.pause()
        self._model.apply(Exploration(opened=self._model.state.opened), "reset everything")

    def set_actions(self, actions: Mapping[str, WindowAction]) -> None:
        """Name ``undo`` and ``redo`` after their next steps; disable an action without a step."""
        self._undo_action, self._redo_action = actions["undo"], actions["redo"]
        stack = self._history.stack
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        self._name_undo(stack.undoText())
        self._name_redo(stack.redoText())

    @Slot()
    def undo(self) -> None:
        self._model.emit_changes()  # so that a pending change becomes a separate step
        self._run("Undone", self._history.stack.undoText(), self._history.undo)

    @Slot()
    def redo(self) -> None:
        self._model.emit_changes()  # because a pending change discards the steps to redo
        self._run("Redone", self._history.stack.redoText(), self._history.redo)

    def _run(self, verb: str, step: str, change: Callable[[], None]) -> None:
        change()
        self._model.emit_changes()
        self.reported.emit(f"{verb}: {step}." if step else "There is nothing to undo or redo.")

    @Slot()
    def show_history(self) -> None:
        HistoryDialog(self._window, self._history.stack).open()

    @Slot(str)
    def _name_undo(self, step: str) -> None:
        _name_action(self._undo_action, "&Undo", step)

    @Slot(str)
    def _name_redo(self, step: str) -> None:
        _name_action(self._redo_action, "&Redo", step)


def _name_action(action: WindowAction, verb: str, step: str) -> None:
    name = step.replace("&", "&&")  # a single & would mark a mnemonic
    action.setText(f"{verb}: {name}" if name else verb)
    action.setEnabled(bool(name))
    action.show_help()
