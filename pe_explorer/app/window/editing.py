"""What menus and keys do with the positions, the encoding and the steps of undo."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from pe_explorer.app.window.filter_dialog import HistoryDialog
from pe_explorer.exploration import Exploration, back_to_0, centred, first_shown, pinned, zoomed
from pe_explorer.model import Model
from pe_explorer.model.history import History
from pe_explorer.pictures.heatmap import Heatmap

_ZOOM_FACTOR = 0.5  # of a zoom by menu or key
_NOTHING = "Nothing to undo or redo."


class Editing(QObject):
    """Zooms and moves through the positions of a model, pins its encoding, undoes and redoes."""

    reported = Signal(str)
    """A sentence on what was done."""

    def __init__(self, window: QWidget, model: Model, history: History) -> None:
        super().__init__(window)
        self._window, self._model, self._history = window, model, history

    # -- positions and pins --------------------------------------------------------------------

    @Slot()
    def zoom_in(self) -> None:
        self._model.set(**zoomed(self._model.state, _ZOOM_FACTOR))

    @Slot()
    def zoom_out(self) -> None:
        self._model.set(**zoomed(self._model.state, 1 / _ZOOM_FACTOR))

    @Slot()
    def to_cursor(self) -> None:
        self._model.set(**centred(self._model.state))

    @Slot()
    def to_zero(self) -> None:
        self._model.set(**back_to_0(self._model.state))

    @Slot()
    def all_dimensions(self) -> None:
        self._model.set_options(Heatmap.name, first=0, dimensions=0)

    @Slot()
    def reset_zoom(self) -> None:
        self._model.set(**first_shown(self._model.state))
        self.all_dimensions()

    @Slot()
    def set_reference(self) -> None:
        self._model.set(reference=self._model.state.position)

    @Slot()
    def pin(self) -> None:
        before = self._model.state.pins
        self._model.set(**pinned(self._model.state))
        self._model.announce()
        pins = self._model.state.pins
        if pins != before:  # the number of pins is limited
            self.reported.emit(f"Pinned as {pins[-1].name}.")

    @Slot()
    def reset(self) -> None:
        self._model.playhead.pause()
        self._model.apply(Exploration(opened=self._model.state.opened), "reset everything")

    # -- steps of undo -------------------------------------------------------------------------

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Keep the actions ``undo`` and ``redo`` named after their steps, greyed without one."""
        self._undo_action, self._redo_action = actions["undo"], actions["redo"]
        stack = self._history.stack
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        stack.canUndoChanged.connect(self._undo_action.setEnabled)
        stack.canRedoChanged.connect(self._redo_action.setEnabled)
        self._undo_action.setEnabled(stack.canUndo())
        self._redo_action.setEnabled(stack.canRedo())

    @Slot()
    def undo(self) -> None:
        self._model.announce()  # a change that is not announced yet is a step, too
        stack = self._history.stack
        sentence = f"Undone: {stack.undoText()}." if stack.canUndo() else _NOTHING
        self._history.undo()
        self._model.announce()
        self.reported.emit(sentence)

    @Slot()
    def redo(self) -> None:
        self._model.announce()
        stack = self._history.stack
        sentence = f"Redone: {stack.redoText()}." if stack.canRedo() else _NOTHING
        self._history.redo()
        self._model.announce()
        self.reported.emit(sentence)

    @Slot()
    def show_history(self) -> None:
        HistoryDialog(self._window, self._history.stack).open()

    @Slot(str)
    def _name_undo(self, step: str) -> None:
        self._undo_action.setText(_with_step("&Undo", step))

    @Slot(str)
    def _name_redo(self, step: str) -> None:
        self._redo_action.setText(_with_step("&Redo", step))


def _with_step(verb: str, step: str) -> str:
    """Return the text of a menu entry; a single & in it would mark a key."""
    name = step.replace("&", "&&")
    return f"{verb}: {name}" if name else verb
