"""Undo and redo: a stack of values, filled by the model's own announcements."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import CURSOR, Exploration, changes
from pe_explorer.model.model import Model
from pe_explorer.params import Declared, FileName, Parameter, declared

__all__ = ["History", "described"]

_GESTURE = 0.8  # seconds: changes of the same fields that follow each other faster are one step
_MOST = 1000
_LOOK = frozenset({"encoding", "start", "count", "reference"})  # what a change of scheme may set
_NAME = 28  # characters of a pin's name in the name of a step


class History(QObject):
    """Remembers every change of the exploration but those of the cursor.

    A drag of a slider, a zoom, a typed number are one step each.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._model = model
        self._applied: Exploration | None = None
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(_MOST)
        model.changed.connect(self._record)

    @Slot()
    def undo(self) -> None:
        """Take back the last step, with what is not announced yet."""
        self._model.announce()
        self.stack.undo()

    @Slot()
    def redo(self) -> None:
        """Do again what was taken back."""
        self._model.announce()
        self.stack.redo()

    def apply(self, state: Exploration, *, cursor: bool) -> None:
        """Show another value, with its `cursor` or with the cursor where it is."""
        now = self._model.state.intention
        kept = {} if cursor else {field: getattr(now, field) for field in CURSOR}
        self._applied = state.with_(**kept)
        self._model.replace(self._applied)

    @Slot(object, object)
    def _record(self, old: Exploration, new: Exploration) -> None:
        before, self._applied = self._applied or old, None
        if fields := changes(before, new):
            # Steps hold intentions: tables of files that have changed since are not kept.
            step = _Step(self, before.intention, new.intention, fields, self._model.applying)
            self.stack.push(step)


class _Step(QUndoCommand):
    """From one value to another; grows while the same gesture goes on.

    With a `name` the whole value was replaced, and the cursor goes back, too; so it does where
    positions became offsets, among which its place means something else.
    """

    def __init__(
        self,
        history: History,
        old: Exploration,
        new: Exploration,
        fields: frozenset[str],
        name: str,
    ) -> None:
        super().__init__(name or described(old, new))
        self._history, self._old, self._new, self._fields = history, old, new, fields
        self._whole = bool(name) or _of_other_rows(old, new)
        self._last = time.monotonic()
        self._pushed = False

    def id(self) -> int:
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if (
            not isinstance(other, _Step)
            or other._fields != self._fields
            or other._last - self._last > _GESTURE
        ):
            return False
        if (
            "pins" in self._fields or self._whole or other._whole
        ):  # a click is no gesture that goes on
            return False
        self._new, self._last = other._new, other._last
        self.setText(described(self._old, self._new))
        self.setObsolete(not changes(self._old, self._new))
        return True

    def undo(self) -> None:
        self._history.apply(self._old, cursor=self._whole)

    def redo(self) -> None:
        if self._pushed:  # the first time, it has been done already
            self._history.apply(self._new, cursor=self._whole)
        self._pushed = True


def described(old: Exploration, new: Exploration) -> str:
    """Return what changed as Qt's undo stack wants it.

    For the list of steps, then, on a line of its own, for the menu.

    The menu does without the value, which a drag changes with every frame: each time all that
    shows the action would be laid out anew.
    """
    what, value = _told(old, new)
    return f"{what} {value}\n{what}" if value else what


def _told(old: Exploration, new: Exploration) -> tuple[str, str]:
    """Return what changed in a few words, and to what, where that can be told."""
    fields = changes(old, new)
    if fields & {"pins", "compared"} and fields <= {
        "pins",
        "compared",
        "show",
    }:  # without pins there is nothing else to show
        return _of_pins(old, new), ""
    if "encoding" in fields and fields <= _LOOK and _of_other_rows(old, new):
        return _of_encoding(old, new)  # where the look at it begins goes without saying
    if len(fields) > 1 and fields != {"start", "count"}:
        return "several changes", ""
    if fields <= {"start", "count"}:
        rows = Encoding.rows if isinstance(new.encoding, Unknown) else new.encoding.rows
        shown = f"to {new.count:,} {rows.name if new.count == 1 else rows.plural}"
        return ("zoom", shown) if "count" in fields else ("move", f"to {new.start:,}")
    (field,) = fields
    if field == "encoding":
        return _of_encoding(old, new)
    if view := field.removeprefix("options.") if field.startswith("options.") else "":
        what, value = _of_fields(old.options[view], new.options[view])
        return f"{view}: {what}", value
    return _of_fields(old, new)


def _of_pins(old: Exploration, new: Exploration) -> str:
    if len(new.pins) != len(old.pins):
        fewer, more = sorted((old.pins, new.pins), key=len)
        pin = next((pin for pin in more if pin not in fewer), more[-1])
        return f"{'pin' if more is new.pins else 'unpin'} {_short(pin.name)}"
    changed = [(was, now) for was, now in zip(old.pins, new.pins, strict=True) if was != now]
    if len(changed) == 1:
        ((was, now),) = changed
        return f"{'colour of' if was.name == now.name else 'rename'} {_short(was.name)}"
    return f"compare with {_short(new.pin.name)}" if new.pin and not changed else "several pins"


def _short(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[: _NAME - 1].rstrip()}…"


def _of_other_rows(old: Exploration, new: Exploration) -> bool:
    """Whether positions became offsets, or the other way round."""
    was, now = old.encoding, new.encoding
    if isinstance(was, Unknown) or isinstance(now, Unknown):
        return False
    return was.rows != now.rows


def _of_encoding(old: Exploration, new: Exploration) -> tuple[str, str]:
    was, now = old.encoding, new.encoding
    if isinstance(now, Unknown):
        return f"encoding {_short(now.label)}", ""
    if type(was) is not type(now):
        return f"encoding {now.called()}", ""
    return _of_fields(was, now)


def _of_fields(old: Declared, new: Declared) -> tuple[str, str]:
    """Return the one declared field that differs, and its new value."""
    known, values = declared(type(new)), vars(new)
    changed = [name for name in known if values[name] != vars(old)[name]]
    if len(changed) != 1:
        return "several changes", ""
    (name,) = changed
    return known[name].label.lower(), _written(known[name], values[name])


def _written(kind: Parameter, value: Any) -> str:
    """Return a value in a few words; of a file, it is the name without the folder."""
    return kind.last_part(value) if isinstance(kind, FileName) else kind.format(value)
