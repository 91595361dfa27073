"""Undo and redo: a stack of named steps between explorations, recorded from the model."""

import time
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from pe_explorer import exploration, pictures
from pe_explorer.analysis.comparison import ShowOption
from pe_explorer.encodings import Unknown, find_axes
from pe_explorer.exploration import CURSOR_FIELDS, TRANSIENT_FIELDS, Exploration, changes
from pe_explorer.model.model import Model
from pe_explorer.params import Choice, Declared, FileName, Parameter, declared, printed

_MERGE_SECONDS = 0.8  # maximum time in seconds between changes to the same fields in one undo step


class History(QObject):
    """The undo history of the exploration, excluding transient fields such as the cursor.

    Quick successive changes to the same fields, for example while zooming or typing a
    number, are one step. All changes during a drag (`Model.gesture`) are also one step,
    regardless of its duration.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._model = model
        self._applied_state: Exploration | None = None  # set by undo or redo, but not emitted yet
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(1000)
        model.changed.connect(self._record)

    @Slot()
    def undo(self) -> None:
        """Undo the last step, even if its change has not been announced yet."""
        self._model.emit_changes()
        self.stack.undo()

    @Slot()
    def redo(self) -> None:
        self._model.emit_changes()
        self.stack.redo()

    def apply(self, state: Exploration, fields_to_keep: frozenset[str]) -> None:
        """Replace the model's exploration, but keep the current values of `fields_to_keep`."""
        current = self._model.state.intention
        fields = {field: getattr(current, field) for field in fields_to_keep}
        self._applied_state = state = state.with_(**fields)
        self._model.replace(state)

    @Slot(object, object)
    def _record(self, old: Exploration, new: Exploration) -> None:
        """Push a step for the change, or replace the last step if the change continues it.

        Qt's `mergeWith` is not used because PySide6 keeps references to merged commands, so
        every frame of a drag would stay in memory.
        """
        before, self._applied_state = self._applied_state or old, None
        fields = changes(before, new)
        if not fields:
            return
        # Steps store unresolved explorations, because files may change before a step is undone.
        name = self._model.applied_step_name
        step = _UndoStep(self, before.intention, new.intention, fields, name)
        step.gesture = self._model.gesture.number
        index = self.stack.index()
        last = self.stack.command(index - 1) if index else None
        is_clean = index == self.stack.cleanIndex()  # a merge would lose the saved version
        if isinstance(last, _UndoStep) and not is_clean and step.is_continuation_of(last):
            step.merge(last)
            with QSignalBlocker(self.stack):  # prevents an additional menu layout in each frame
                self._remove_step(last)
        self.stack.push(step)  # also deletes the steps that could be redone
        if not changes(step.old, step.new):  # the merged step changes nothing
            self._remove_step(step)

    def _remove_step(self, last: QUndoCommand) -> None:
        """Remove the last step; Qt deletes obsolete commands without calling their `undo`."""
        last.setObsolete(True)
        self.stack.undo()


class _UndoStep(QUndoCommand):
    """A change from one exploration to another, which can be merged with the previous step.

    A step with a `name` replaces the whole exploration, so undoing the step also restores
    the cursor, the panes and the opened item. If a change turns positions into offsets or
    vice versa, undoing it also restores the cursor, because the meaning of the cursor's
    position changes.
    """

    def __init__(
        self,
        history: History,
        old: Exploration,
        new: Exploration,
        fields: frozenset[str],
        name: str,
    ) -> None:
        super().__init__(name or make_step_name(old, new))
        self._history, self.old, self.new, self._fields = history, old, new, fields
        self._fields_to_keep = frozenset() if name else TRANSIENT_FIELDS
        if have_different_rows(old, new):
            self._fields_to_keep -= CURSOR_FIELDS
        self._is_click = self._fields_to_keep != TRANSIENT_FIELDS or "pins" in fields
        self.gesture: int | None = None  # number of the drag; None for any other change
        self._creation_time = time.monotonic()
        self._is_pushed = False

    def is_continuation_of(self, last: "_UndoStep") -> bool:
        """Return whether this step and the previous step, `last`, are one step for the user."""
        if self._fields != last._fields or self._is_click or last._is_click:
            return False
        is_recent = self._creation_time - last._creation_time <= _MERGE_SECONDS
        return self.gesture == last.gesture and (self.gesture is not None or is_recent)

    def merge(self, last: "_UndoStep") -> None:
        self.old = last.old
        self.setText(make_step_name(self.old, self.new))

    def undo(self) -> None:
        self._history.apply(self.old, self._fields_to_keep)

    def redo(self) -> None:
        if self._is_pushed:  # False when Qt pushes the step, whose change is already applied
            self._history.apply(self.new, self._fields_to_keep)
        self._is_pushed = True


# -- names of steps --------------------------------------------------------------------------------

_ENCODING_FIELDS = frozenset({"encoding", "start", "count", "reference", "metric"})
_SEVERAL_CHANGES = "several changes"
_MAX_NAME_LENGTH = 28  # maximum number of characters in the name of a pin or encoding

_StepName = tuple[str, str]  # description of a change; suffix with the new value or an empty string


def make_step_name(old: Exploration, new: Exploration) -> str:
    """Return the name of a step in the format of Qt's undo stack.

    The first line contains the new value and appears in the list of steps. The second line
    omits the value and appears in the menu, which would otherwise be laid out again in every
    frame of a drag.
    """
    name, value = _describe_change(old, new)
    return f"{name}{value}\n{name}" if value else name


def have_different_rows(old: Exploration, new: Exploration) -> bool:
    """Return whether positions became offsets or vice versa."""
    old_encoding, new_encoding = old.encoding, new.encoding
    if isinstance(old_encoding, Unknown) or isinstance(new_encoding, Unknown):
        return False
    return old_encoding.rows != new_encoding.rows


def _describe_change(old: Exploration, new: Exploration) -> _StepName:
    fields = changes(old, new)
    # Removing the last pin resets `show`, so a change of `show` can belong to a change of pins.
    if fields & {"pins", "compared"} and fields <= {"pins", "compared", "show"}:
        return _describe_pins(old, new), ""
    if "encoding" in fields and _is_encoding_change(fields, old, new):
        before, after = old.encoding, new.encoding
        if isinstance(after, Unknown):
            return f"encoding {_shorten_name(after.label)}", ""
        if isinstance(before, Unknown) or type(before) is not type(after):
            return f"encoding {after.format_name()}", ""
        return _describe_field(before, after)
    if fields <= {"start", "count"}:
        if "count" not in fields:
            return "move", f" to {new.start:,}"
        rows, _ = find_axes(new.encoding)
        return "zoom", f" to {rows.format_count(new.count)}"
    if len(fields) > 1:
        return _SEVERAL_CHANGES, ""
    (field,) = fields
    if field == "show" and new.show == ShowOption.DIFFERENCE:
        return declared(type(new))[field].label.lower(), f" {exploration.make_difference_name(new)}"
    if field.startswith("options."):
        picture = pictures.find(field.removeprefix("options."))
        name, value = _describe_field(picture(old).options, picture(new).options)
        return f"{picture.title} {name}", f":{value}" if value else ""
    return _describe_field(old, new)


def _is_encoding_change(fields: frozenset[str], old: Exploration, new: Exploration) -> bool:
    if fields <= {"encoding", "metric"}:
        return len(fields) == 1 or type(old.encoding) is not type(new.encoding)
    return fields <= _ENCODING_FIELDS and have_different_rows(old, new)


def _describe_pins(old: Exploration, new: Exploration) -> str:
    if len(new.pins) > len(old.pins):
        pin = next((pin for pin in new.pins if pin not in old.pins), new.pins[-1])
        return f"pin {_shorten_name(pin.name)}"
    if len(new.pins) < len(old.pins):
        pin = next((pin for pin in old.pins if pin not in new.pins), old.pins[-1])
        return f"unpin {_shorten_name(pin.name)}"
    pairs = zip(old.pins, new.pins, strict=True)
    changed_pins = [(before, after) for before, after in pairs if before != after]
    if len(changed_pins) == 1:
        before, after = changed_pins[0]
        action = "rename" if before.name != after.name else "recolour"
        return f"{action} {_shorten_name(before.name)}"
    if new.pin and not changed_pins:
        return f"compare with {_shorten_name(new.pin.name)}"
    return "several pin changes"


def _describe_field(old: Declared, new: Declared) -> _StepName:
    parameters = declared(type(new))
    before, after = vars(old), vars(new)
    changed_names = [name for name in parameters if after[name] != before[name]]
    if len(changed_names) != 1:
        return _SEVERAL_CHANGES, ""
    (name,) = changed_names
    value = _format(parameters[name], after[name])
    return parameters[name].label.lower(), f" {value}" if value else ""


def _format(parameter: Parameter, value: Any) -> str:
    text = parameter.format(value)
    if isinstance(parameter, Choice):
        return parameter.texts.get(value, text)
    if isinstance(value, int | float):
        return printed.format_plain_number(text)
    return parameter.get_last_part(value) if isinstance(parameter, FileName) else text


def _shorten_name(name: str) -> str:
    return name if len(name) <= _MAX_NAME_LENGTH else f"{name[: _MAX_NAME_LENGTH - 1].rstrip()}…"
