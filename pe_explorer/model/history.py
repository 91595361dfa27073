"""Undo and redo: a stack of explorations with named steps, filled by announcements of the model."""

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
        self._applied: Exploration | None = None  # set, but not announced yet
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
            self._push(step)

    def _push(self, step: "_UndoStep") -> None:
        """Push a step in place of the last one if it continues that, or else on top of it.

        Qt would merge the two by `mergeWith`, but PySide6 keeps a reference to every command that
        was pushed and merged, so each frame of a drag would stay in memory.
        """
        index = self.stack.index()
        last = self.stack.command(index - 1) if index else None
        is_clean = index == self.stack.cleanIndex()  # a clean step must stay reachable by undo
        if isinstance(last, _UndoStep) and not is_clean and step.continues(last):
            step.begin_with(last)
            with QSignalBlocker(self.stack):  # otherwise the menu would be laid out twice a frame
                self._remove(last)
        self.stack.push(step)  # also deletes what could be redone
        if step.is_without_effect:
            self._remove(step)

    def _remove(self, last: QUndoCommand) -> None:
        """Remove the last step without undoing it: Qt only deletes obsolete commands."""
        last.setObsolete(True)
        self.stack.undo()


class _UndoStep(QUndoCommand):
    """A change from one exploration to another; it may continue the one before it.

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
        self.gesture: int | None = None  # the number of its drag
        self._time = time.monotonic()
        self._pushed = False

    def continues(self, last: "_UndoStep") -> bool:
        """Return whether this step and the last one are one step to the user."""
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
        """Whether it leads back to where it began."""
        return not changes(self._old, self._new)

    def undo(self) -> None:
        self._history.apply(self._old, self._kept)

    def redo(self) -> None:
        if self._pushed:  # when it is pushed, the model has the new state already
            self._history.apply(self._new, self._kept)
        self._pushed = True


# -- names of steps --------------------------------------------------------------------------------


_PIN_FIELDS = frozenset({"pins", "compared", "show"})
_RANGE_FIELDS = frozenset({"start", "count"})
_ENCODING_FIELDS = frozenset({"encoding", "start", "count", "reference", "metric"})
_SEVERAL = "several changes"
_LONGEST_NAME = 28  # characters of the name of a pin or an encoding

_StepName = tuple[str, str]  # what changed, and its new value with a preposition, if any


def step_name(old: Exploration, new: Exploration) -> str:
    r"""Return the name of a step in the form that Qt's undo stack takes.

    The first line, with the new value, is for the list of steps. A second line, without it,
    is for the menu: while a slider is dragged the value changes with every frame, and a menu
    that showed it would be laid out each time.
    """
    what, value = _describe(old, new)
    return f"{what}{value}\n{what}" if value else what


def have_other_rows(old: Exploration, new: Exploration) -> bool:
    """Return whether positions became offsets, or the other way round."""
    before, after = old.encoding, new.encoding
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return False
    return before.rows != after.rows


def _describe(old: Exploration, new: Exploration) -> _StepName:
    fields = changes(old, new)
    # `show` goes back with the last pin.
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
        return _SEVERAL, ""
    (field,) = fields
    if field == "show" and new.show == Show.DIFFERENCE:
        return declared(type(new))[field].label.lower(), f" {difference_name(new)}"
    if field.startswith("options."):
        picture = pictures.find(field.removeprefix("options."))
        what, value = _describe_field(picture(old).options, picture(new).options)
        return f"{picture.title} {what}", f":{value}" if value else ""
    return _describe_field(old, new)


def _follows_encoding(fields: frozenset[str], old: Exploration, new: Exploration) -> bool:
    """Return whether all other changes follow from the encoding: its range, or its metric."""
    if fields <= {"encoding", "metric"}:
        return len(fields) == 1 or type(old.encoding) is not type(new.encoding)
    return fields <= _ENCODING_FIELDS and have_other_rows(old, new)


def _describe_pins(old: Exploration, new: Exploration) -> str:
    if len(new.pins) > len(old.pins):
        added = [pin for pin in new.pins if pin not in old.pins]
        pin = added[0] if added else new.pins[-1]
        return f"pin {_shortened(pin.name)}"
    if len(new.pins) < len(old.pins):
        removed = [pin for pin in old.pins if pin not in new.pins]
        pin = removed[0] if removed else old.pins[-1]
        return f"unpin {_shortened(pin.name)}"
    pairs = zip(old.pins, new.pins, strict=True)
    changed = [(before, after) for before, after in pairs if before != after]
    if len(changed) == 1:
        before, after = changed[0]
        what = "rename" if before.name != after.name else "colour of"
        return f"{what} {_shortened(before.name)}"
    if new.pin and not changed:
        return f"compare with {_shortened(new.pin.name)}"
    return "several pins"


def _describe_encoding(old: Exploration, new: Exploration) -> _StepName:
    before, after = old.encoding, new.encoding
    if isinstance(after, Unknown):
        return f"encoding {_shortened(after.label)}", ""
    if isinstance(before, Unknown) or type(before) is not type(after):
        return f"encoding {after.display_name()}", ""
    return _describe_field(before, after)


def _describe_field(old: Declared, new: Declared) -> _StepName:
    kinds = declared(type(new))
    before, after = vars(old), vars(new)
    changed = [name for name in kinds if after[name] != before[name]]
    if len(changed) != 1:
        return _SEVERAL, ""
    (name,) = changed
    kind = kinds[name]
    value = _format(kind, after[name])
    return kind.label.lower(), f" {value}" if value else ""


def _format(kind: Parameter, value: Any) -> str:
    if isinstance(kind, Choice):
        return kind.texts.get(value, kind.format(value))
    if isinstance(value, int | float):
        return printed.from_plain(kind.format(value))
    return kind.last_part(value) if isinstance(kind, FileName) else kind.format(value)


def _shortened(name: str) -> str:
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[: _LONGEST_NAME - 1].rstrip()}…"
