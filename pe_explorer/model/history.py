"""Undo and redo: a stack of named steps between explorations, recorded from the model."""

import time
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from pe_explorer import pictures
from pe_explorer.analysis.comparison import Show
from pe_explorer.encodings import Unknown, axes_of
from pe_explorer.exploration import CURSOR, TRANSIENT, Exploration, changes, difference_name
from pe_explorer.model.model import Model
from pe_explorer.params import Choice, Declared, FileName, Parameter, declared, printed

# Maximum time in seconds between two changes of the same fields that become one step.
_MERGE_WITHIN = 0.8
_MAX_STEPS = 1000


class History(QObject):
    """The undo history of all changes of the exploration, except changes of the cursor.

    Dragging a slider, zooming or typing a number is one step. A drag during `Model.gesture` is also
    one step, regardless of its duration.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._model = model
        self._applied: Exploration | None = None  # set by undo or redo, but not announced yet
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(_MAX_STEPS)
        model.changed.connect(self._record)

    @Slot()
    def undo(self) -> None:
        """Undo the last step, which may be an unannounced change."""
        self._model.announce()
        self.stack.undo()

    @Slot()
    def redo(self) -> None:
        self._model.announce()
        self.stack.redo()

    def apply(self, state: Exploration, fields_to_keep: frozenset[str]) -> None:
        """Set the model to another exploration, except for the given fields."""
        current = self._model.state.intention
        fields = {field: getattr(current, field) for field in fields_to_keep}
        self._applied = state = state.with_(**fields)
        self._model.replace(state)

    @Slot(object, object)
    def _record(self, old: Exploration, new: Exploration) -> None:
        before = self._applied or old
        self._applied = None
        fields = changes(before, new)
        if fields:
            # Steps hold intentions, not tables, because files may change before a step is undone.
            step = _UndoStep(self, before.intention, new.intention, fields, self._model.applying)
            step.gesture = self._model.gesture.number
            self._push(step)

    def _push(self, step: "_UndoStep") -> None:
        """Push a step, or replace the last step if the new step continues it.

        Qt's `mergeWith` is not used, because PySide6 keeps references to merged commands, so that
        every frame of a drag would stay in memory.
        """
        index = self.stack.index()
        last = self.stack.command(index - 1) if index else None
        is_clean = index == self.stack.cleanIndex()  # the saved version must stay reachable by undo
        if isinstance(last, _UndoStep) and not is_clean and step.continues(last):
            step.begin_with(last)
            with QSignalBlocker(self.stack):  # otherwise the menu is laid out twice per frame
                self._remove(last)
        self.stack.push(step)  # also deletes the steps to redo
        if step.is_without_effect:
            self._remove(step)

    def _remove(self, last: QUndoCommand) -> None:
        """Remove the last step without undoing it, because Qt deletes obsolete commands."""
        last.setObsolete(True)
        self.stack.undo()


class _UndoStep(QUndoCommand):
    """A change from one exploration to another, which can continue the previous step.

    A step with a `name` replaces the whole exploration, so undoing it also restores the cursor, the
    panes and the opened item. If positions become offsets, undoing also restores the cursor,
    because its meaning has changed.
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
        self._fields_to_keep = TRANSIENT
        if name:
            self._fields_to_keep = frozenset()
        elif have_other_rows(old, new):
            self._fields_to_keep = TRANSIENT - CURSOR
        self._is_click = self._fields_to_keep != TRANSIENT or "pins" in fields
        self.gesture: int | None = None  # number of the drag that made the change, or None
        self._time = time.monotonic()
        self._pushed = False

    def continues(self, last: "_UndoStep") -> bool:
        """Return whether this step and the last one are one step for the user."""
        if self._fields != last._fields or self._is_click or last._is_click:
            return False
        if self.gesture != last.gesture:
            return False
        return self.gesture is not None or self._time - last._time <= _MERGE_WITHIN

    def begin_with(self, last: "_UndoStep") -> None:
        self._old = last._old
        self.setText(step_name(self._old, self._new))

    @property
    def is_without_effect(self) -> bool:
        """Whether the step leads back to its start."""
        return not changes(self._old, self._new)

    def undo(self) -> None:
        self._history.apply(self._old, self._fields_to_keep)

    def redo(self) -> None:
        if self._pushed:  # a newly pushed step is already applied
            self._history.apply(self._new, self._fields_to_keep)
        self._pushed = True


# -- names of steps --------------------------------------------------------------------------------


_PIN_FIELDS = frozenset({"pins", "compared", "show"})
_RANGE_FIELDS = frozenset({"start", "count"})
_ENCODING_FIELDS = frozenset({"encoding", "start", "count", "reference", "metric"})
_SEVERAL_CHANGES = "several changes"
_MAX_NAME = 28  # maximum length of a name of a pin or encoding

_StepName = tuple[str, str]  # the change, and the new value with a preposition or an empty string


def step_name(old: Exploration, new: Exploration) -> str:
    """Return the name of a step in the format of Qt's undo stack.

    The first line, with the new value, is for the list of steps. The second line, without the
    value, is for the menu, which would otherwise be laid out again in every frame of a drag.
    """
    name, value = _describe(old, new)
    return f"{name}{value}\n{name}" if value else name


def have_other_rows(old: Exploration, new: Exploration) -> bool:
    """Return whether positions became offsets or vice versa."""
    old_encoding, new_encoding = old.encoding, new.encoding
    if isinstance(old_encoding, Unknown) or isinstance(new_encoding, Unknown):
        return False
    return old_encoding.rows != new_encoding.rows


def _describe(old: Exploration, new: Exploration) -> _StepName:
    fields = changes(old, new)
    # `show` is reset when the last pin is removed.
    if fields & {"pins", "compared"} and fields <= _PIN_FIELDS:
        return _describe_pins(old, new), ""
    if "encoding" in fields and _follows_encoding(fields, old, new):
        return _describe_encoding(old, new)
    if fields <= _RANGE_FIELDS:
        if "count" not in fields:
            return "move", f" to {new.start:,}"
        rows, _ = axes_of(new.encoding)
        return "zoom", f" to {rows.counted(new.count)}"
    if len(fields) > 1:
        return _SEVERAL_CHANGES, ""
    (field,) = fields
    if field == "show" and new.show == Show.DIFFERENCE:
        return declared(type(new))[field].label.lower(), f" {difference_name(new)}"
    if field.startswith("options."):
        picture = pictures.find(field.removeprefix("options."))
        name, value = _describe_field(picture(old).options, picture(new).options)
        return f"{picture.title} {name}", f":{value}" if value else ""
    return _describe_field(old, new)


def _follows_encoding(fields: frozenset[str], old: Exploration, new: Exploration) -> bool:
    if fields <= {"encoding", "metric"}:
        return len(fields) == 1 or type(old.encoding) is not type(new.encoding)
    return fields <= _ENCODING_FIELDS and have_other_rows(old, new)


def _describe_pins(old: Exploration, new: Exploration) -> str:
    if len(new.pins) > len(old.pins):
        added_pins = [pin for pin in new.pins if pin not in old.pins]
        pin = added_pins[0] if added_pins else new.pins[-1]
        return f"pin {_shorten(pin.name)}"
    if len(new.pins) < len(old.pins):
        removed_pins = [pin for pin in old.pins if pin not in new.pins]
        pin = removed_pins[0] if removed_pins else old.pins[-1]
        return f"unpin {_shorten(pin.name)}"
    pairs = zip(old.pins, new.pins, strict=True)
    changed_pins = [(before, after) for before, after in pairs if before != after]
    if len(changed_pins) == 1:
        before, after = changed_pins[0]
        action = "rename" if before.name != after.name else "recolour"
        return f"{action} {_shorten(before.name)}"
    if new.pin and not changed_pins:
        return f"compare with {_shorten(new.pin.name)}"
    return "several pin changes"


def _describe_encoding(old: Exploration, new: Exploration) -> _StepName:
    before, after = old.encoding, new.encoding
    if isinstance(after, Unknown):
        return f"encoding {_shorten(after.label)}", ""
    if isinstance(before, Unknown) or type(before) is not type(after):
        return f"encoding {after.display_name()}", ""
    return _describe_field(before, after)


def _describe_field(old: Declared, new: Declared) -> _StepName:
    parameters = declared(type(new))
    before, after = vars(old), vars(new)
    changed_names = [name for name in parameters if after[name] != before[name]]
    if len(changed_names) != 1:
        return _SEVERAL_CHANGES, ""
    (name,) = changed_names
    parameter = parameters[name]
    value = _format(parameter, after[name])
    return parameter.label.lower(), f" {value}" if value else ""


def _format(kind: Parameter, value: Any) -> str:
    if isinstance(kind, Choice):
        return kind.texts.get(value, kind.format(value))
    if isinstance(value, int | float):
        return printed.from_plain(kind.format(value))
    return kind.last_part(value) if isinstance(kind, FileName) else kind.format(value)


def _shorten(name: str) -> str:
    if len(name) <= _MAX_NAME:
        return name
    return f"{name[: _MAX_NAME - 1].rstrip()}…"
