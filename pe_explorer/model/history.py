"""Undo and redo: a stack of explorations, filled by the model's announcements."""

import time

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from pe_explorer.exploration import CURSOR, TRANSIENT, Exploration, changes
from pe_explorer.model.model import Model
from pe_explorer.model.step_names import have_other_rows, step_name

_MERGE_WITHIN = 0.8  # seconds between two changes of the same fields that become one step
_MOST_STEPS = 1000


class History(QObject):
    """Records every change of the exploration except those of the cursor.

    Dragging a slider, zooming or typing a number is one step each; so is a drag of
    `Model.gesture`, however long it takes.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._model = model
        self._applied: Exploration | None = None
        """The exploration that undo or redo has just set, until the model announces it."""
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(_MOST_STEPS)
        model.changed.connect(self._record)

    @Slot()
    def undo(self) -> None:
        """Undo the last step; a change that is not announced yet is a step, too."""
        self._model.announce()
        self.stack.undo()

    @Slot()
    def redo(self) -> None:
        """Redo the step that was undone last."""
        self._model.announce()
        self.stack.redo()

    def apply(self, state: Exploration, kept: frozenset[str]) -> None:
        """Show another exploration, but for the fields that are kept as they are now."""
        present = self._model.state.intention
        kept_fields = {field: getattr(present, field) for field in kept}
        self._applied = state = state.with_(**kept_fields)
        self._model.replace(state)

    @Slot(object, object)
    def _record(self, old: Exploration, new: Exploration) -> None:
        before = self._applied or old
        self._applied = None
        fields = changes(before, new)
        if fields:
            # A step holds intentions, not the tables of files, which may change until it is undone.
            step = _UndoStep(self, before.intention, new.intention, fields, self._model.applying)
            step.gesture = self._model.gesture.number
            self.stack.push(step)


class _UndoStep(QUndoCommand):
    """A change from one exploration to another; further changes of the same drag join it.

    Cursor, panes and what is open are undone with it where the whole exploration was replaced,
    which then has a `name`; the cursor also where positions became offsets, so that it means
    something else.
    """

    def __init__(
        self,
        history: History,
        old: Exploration,
        new: Exploration,
        fields: frozenset[str],
        name: str,
    ) -> None:
        super().__init__(name or step_name(old, new))
        self._history, self._old, self._new, self._fields = history, old, new, fields
        self._kept = TRANSIENT
        if name:
            self._kept = frozenset()
        elif have_other_rows(old, new):
            self._kept = TRANSIENT - CURSOR
        self._is_click = self._kept != TRANSIENT or "pins" in fields
        self.gesture: int | None = None
        """The number of its drag."""
        self._last = time.monotonic()
        self._pushed = False

    def id(self) -> int:
        """Return a number that is the same for all steps: Qt tries to merge those."""
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _UndoStep) or other._fields != self._fields:
            return False
        if self._is_click or other._is_click or self.gesture != other.gesture:
            return False
        if self.gesture is None and other._last - self._last > _MERGE_WITHIN:
            return False
        self._new, self._last = other._new, other._last
        self.setText(step_name(self._old, self._new))
        self.setObsolete(not changes(self._old, self._new))
        return True

    def undo(self) -> None:
        self._history.apply(self._old, self._kept)

    def redo(self) -> None:
        if self._pushed:  # when it is pushed, the model has the new state already
            self._history.apply(self._new, self._kept)
        self._pushed = True
