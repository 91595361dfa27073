"""Undo and redo in the Edit menu, named after the step they are about, and the list of steps."""

from collections.abc import Mapping

from PySide6.QtCore import (
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QUndoStack
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QUndoView,
    QWidget,
)

from pe_explorer.app.window.filter_dialog import FilterDialog
from pe_explorer.model import Model
from pe_explorer.model.history import History

_NOTHING = "Nothing to undo or redo."
_LEAST_ROW_HEIGHT = 22  # pixels, as in the palette


class Undoing(QObject):
    """Undoes and redoes changes, and lists them."""

    reported = Signal(str)
    """A sentence on what was done."""

    def __init__(self, window: QWidget, model: Model, history: History) -> None:
        super().__init__(window)
        self._window, self._model, self._history = window, model, history

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
        """Undo the last change."""
        self._model.announce()  # a change that is not announced yet is a step, too
        stack = self._history.stack
        sentence = f"Undone: {stack.undoText()}." if stack.canUndo() else _NOTHING
        self._history.undo()
        self._model.announce()
        self.reported.emit(sentence)

    @Slot()
    def redo(self) -> None:
        """Redo the change that was undone last."""
        self._model.announce()
        stack = self._history.stack
        sentence = f"Redone: {stack.redoText()}." if stack.canRedo() else _NOTHING
        self._history.redo()
        self._model.announce()
        self.reported.emit(sentence)

    @Slot()
    def show_history(self) -> None:
        """List the changes."""
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


class _StepRows(QStyledItemDelegate):
    """Shows a step as a sentence begins, in a row that is easily hit."""

    def displayText(self, step: str, locale: QLocale | QLocale.Language) -> str:
        return f"{step[:1].upper()}{step[1:]}"

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return super().sizeHint(option, index).expandedTo(QSize(0, _LEAST_ROW_HEIGHT))


class HistoryDialog(FilterDialog):
    """The changes, newest last; a click goes back to one, or forward again."""

    def __init__(self, parent: QWidget, stack: QUndoStack) -> None:
        steps = QUndoView(stack)
        super().__init__(parent, "History", steps)
        self.steps = steps
        self.steps.setEmptyLabel("At the start")
        self.steps.setItemDelegate(_StepRows(self.steps))
        self.steps.setAccessibleName("Changes")
        self.resize(320, 420)
        self.steps.setFocus()

    def texts(self) -> list[str]:
        model = self.steps.model()
        return [model.index(row, 0).data() or "" for row in range(model.rowCount())]
