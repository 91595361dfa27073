"""The model: holds the exploration and announces its changes; drags and the lock of the cursor."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer import exploration, pictures
from pe_explorer.exploration import DirectStore, Exploration, HeldTables, Resolved, Store, resolve
from pe_explorer.model.playhead import PlayHead
from pe_explorer.model.store import TableStore
from pe_explorer.model.worker import Worker
from pe_explorer.params import ParameterError


class CursorLock(QObject):
    """Whether the mouse cannot move the cursor; typing, arrow keys and playing still do."""

    REFUSAL = "The cursor is locked, so that a click leaves it where it is; unlock it first."

    changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.on = False

    @Slot(bool)
    def set(self, on: bool) -> None:
        if on != self.on:
            self.on = on
            self.changed.emit(on)

    @Slot()
    def toggle(self) -> None:
        self.set(not self.on)


class Gesture(QObject):
    """Whether the user is dragging something: all changes of one drag are one step of undo."""

    bounded = Signal()  # a drag begins or ends; earlier changes do not belong to it

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._begun = 0
        self._on = False

    @property
    def number(self) -> int | None:
        """The number of the drag, which counts up; None while there is none."""
        return self._begun if self._on else None

    def begin(self) -> None:
        """Begin a drag; no effect if one is open."""
        if not self._on:
            self.bounded.emit()
            self._begun += 1
            self._on = True

    @Slot()
    def end(self) -> None:
        """End the drag: later changes are other steps of undo."""
        if self._on:
            self.bounded.emit()
            self._on = False


class Model(QObject):
    """Holds one frozen `Exploration` and swaps it for another.

    `set` takes effect at once; the announcement `changed(old, new)` follows when control
    returns to the event loop, one for any number of sets, none if nothing differs.

    `preview` is the exploration with its cursor where the mouse points. It is announced in the
    same way, by `previewed`, but it is not part of the document: it is neither saved nor undone.
    """

    changed = Signal(object, object)
    previewed = Signal()
    refused = Signal(str)  # a sentence on input that was refused; the state is unchanged

    def __init__(self, state: Exploration | None = None, *, waits: bool = True) -> None:
        """Begin with an exploration.

        A model that `waits` reads files at once, in the GUI thread; others read them in
        threads. One that waits and begins with a resolved exploration, for pictures, has the
        tables of that and reads no files.
        """
        super().__init__()
        self.worker = Worker(self)
        first = state or Exploration()
        self.store: Store
        if not waits:
            self.store = TableStore(self.worker, self)
            self.store.changed.connect(self._resolve_anew)
        else:
            self.store = HeldTables(first) if isinstance(first, Resolved) else DirectStore()
        self._state = resolve(first, self.store)
        self._announced = self._state
        self.applying = ""  # what `apply` is announcing; empty for other changes
        self.preview: Resolved | None = None  # None if the mouse points at nothing
        self._announced_preview: Resolved | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.announce)
        self.playhead = PlayHead(lambda: self._state, self.set, self)
        self.playhead.playing_changed.connect(self._end_preview)
        self.lock = CursorLock(self)
        self.lock.changed.connect(self._end_preview)
        self.gesture = Gesture(self)
        self.gesture.bounded.connect(self.announce)

    @Slot()
    def look_at_files(self) -> None:
        """Check whether the files whose tables are shown have changed."""
        if isinstance(self.store, TableStore):
            self.store.look()
        else:
            self._resolve_anew()

    @property
    def state(self) -> Resolved:
        """The exploration, with the tables that are loaded."""
        return self._state

    def replace(self, state: Exploration) -> None:
        """Replace the whole exploration; one without panes keeps the present ones."""
        if state.panes is None and self._state.panes is not None:
            state = state.with_(panes=self._state.panes)
        self._take(resolve(state, self.store))

    @Slot()
    def _resolve_anew(self) -> None:
        self._take(resolve(self._state, self.store))

    def _take(self, state: Resolved) -> None:
        if _differ(state, self._state):
            self._state = state
            self.preview = None  # the place under the mouse may have moved
            self._timer.start()

    @property
    def state_at_pointer(self) -> Resolved:
        """The exploration with the cursor under the mouse, or else where it is set."""
        return self.preview or self._state

    def point_at(self, **cursor: int) -> None:
        """Preview another position or dimension, or none, until something changes.

        While the cursor plays or is locked there is no preview, and none where the values are not
        legal: the mouse moves too often for messages.
        """
        there = self._state
        if not (self.playhead.playing or self.lock.on):
            with suppress(ParameterError):
                there = resolve(self._state.with_(**cursor), self.store)
        self.preview = there if there != self._state else None
        self._timer.start()

    @Slot()
    def _end_preview(self) -> None:
        self.point_at()

    def pick(self, **cursor: int) -> None:
        """Set the cursor by a click of the mouse, unless it is locked."""
        if self.lock.on:
            self.refused.emit(self.lock.REFUSAL)
        else:
            self.set(**cursor)

    def apply(self, state: Exploration, name: str) -> None:
        """Replace the exploration and its cursor, as one step of undo with a name."""
        self.announce()  # so that changes before it are a separate step
        self.replace(state)
        self.applying = name
        self.announce()
        self.applying = ""

    def try_change(self, change: Callable[..., Exploration], /, *args: Any, **fields: Any) -> bool:
        """Replace the exploration by what `change` makes of it, if that is legal; report if not."""
        try:
            self.replace(change(self._state, *args, **fields))
        except ParameterError as error:
            self.refused.emit(error.sentence)
            return False
        return True

    def set(self, **fields: Any) -> bool:
        """Change fields of the exploration; return whether the values were legal."""
        return self.try_change(Exploration.with_, **fields)

    def set_options(self, view: str, **fields: Any) -> bool:
        """Change options of one view, unless they are unavailable on this machine; see `set`."""
        if lack := pictures.unavailable_reason(view, fields, self._state):
            self.refused.emit(lack)
            return False
        return self.try_change(pictures.with_options, view, **fields)

    def set_encoding(self, name: str | None = None, **parameters: Any) -> bool:
        """Change parameters, or the encoding, which keeps shared parameters; see `set`."""
        return self.try_change(exploration.with_encoding, name, **parameters)

    def choose_encoding(self, name: str) -> bool:
        """Change the encoding, with parameters whose pictures show something; see `set`."""
        return self.try_change(exploration.with_chosen, name)

    @Slot()
    def announce(self) -> None:
        """Announce now what changed since the last announcement."""
        self._timer.stop()
        old, new = self._announced, self._state
        self._announced = new
        if _differ(old, new):
            self.worker.yield_to_gui()
            self.changed.emit(old, new)
        if self.preview != self._announced_preview:
            self._announced_preview = self.preview
            self.previewed.emit()

    def close(self) -> None:
        """Stop the timers and threads."""
        self.playhead.pause()
        self._timer.stop()  # last, as a pause starts it
        if isinstance(self.store, TableStore):
            self.store.close()
        self.worker.close()


def _differ(old: Exploration, new: Exploration) -> bool:
    return old != new or old.opened is not new.opened
