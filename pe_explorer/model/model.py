"""The model, which holds the exploration and signals its changes.

The model also holds the current drag and the lock of the cursor.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer import exploration, pictures
from pe_explorer.exploration import DirectStore, Exploration, ResolvedState, ResolvedTables, resolve
from pe_explorer.model.playhead import PlayHead
from pe_explorer.model.store import TableStore
from pe_explorer.model.worker import Worker
from pe_explorer.params import ParameterError


class CursorLock(QObject):
    """A lock that prevents the mouse, but not keys or playback, from moving the cursor."""

    LOCK_HINT = "The cursor is locked, so a click does not move it. Unlock it first (Ctrl+Shift+P)."

    changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.is_locked = False

    @Slot(bool)
    def set(self, on: bool) -> None:
        if on != self.is_locked:
            self.is_locked = on
            self.changed.emit(on)

    @Slot()
    def toggle(self) -> None:
        self.set(not self.is_locked)


class Gesture(QObject):
    """The current drag of the user; all changes during a drag are one undo step."""

    about_to_change = Signal()  # emitted before a drag begins or ends, to announce earlier changes

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._gesture_count = 0
        self._is_active = False

    @property
    def number(self) -> int | None:
        """The number of the current drag, or None if there is no drag."""
        return self._gesture_count if self._is_active else None

    def begin(self) -> None:
        """Begin a drag, unless the user is already dragging."""
        if not self._is_active:
            self.about_to_change.emit()
            self._gesture_count += 1
            self._is_active = True

    @Slot()
    def end(self) -> None:
        """End the drag, so that later changes are separate undo steps."""
        if self._is_active:
            self.about_to_change.emit()
            self._is_active = False


class Model(QObject):
    """The holder of a frozen `Exploration`, which is replaced on every change.

    `set` takes effect immediately. The signal `changed(old, new)` follows when control
    returns to the event loop: once for several calls of `set`, and not at all if the
    exploration is the same as before.

    `preview` is the exploration with the cursor at the mouse. The signal `previewed`
    announces the preview in the same way. The preview is not part of the document, so it is
    neither saved nor undone.
    """

    changed = Signal(object, object)
    previewed = Signal()
    refused = Signal(str)  # reason why input was refused; the state is unchanged

    def __init__(self, state: Exploration | None = None, *, is_blocking: bool = True) -> None:
        """Create a model.

        If `is_blocking` is true, files are read in the GUI thread, otherwise in other threads.
        A blocking model that starts with a resolved exploration, for example to draw an image,
        uses the tables of the exploration and reads no files.
        """
        super().__init__()
        self.worker = Worker(self)
        state = state or Exploration()
        self.store: exploration.Store
        if is_blocking:
            self.store = (
                ResolvedTables(state) if isinstance(state, ResolvedState) else DirectStore()
            )
        else:
            self.store = TableStore(self.worker, self)
            self.store.changed.connect(self._resolve_again)
        self._state = resolve(state, self.store)
        self._emitted_state = self._state
        self.applied_step_name = ""  # name of the step while `apply` emits its signals
        self.preview: ResolvedState | None = None  # None if nothing is previewed
        self.hovered_view = ""  # name of the view under the mouse, or an empty string
        self._emitted_preview: tuple[str, ResolvedState | None] = "", None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.emit_changes)
        self.playhead = PlayHead(lambda: self._state, self.set, self)
        self.playhead.playing_changed.connect(self._end_preview)
        self.lock = CursorLock(self)
        self.lock.changed.connect(self._end_preview)
        self.gesture = Gesture(self)
        self.gesture.about_to_change.connect(self.emit_changes)

    @Slot()
    def check_files(self) -> None:
        """Check whether the files of the displayed tables have changed."""
        if isinstance(self.store, TableStore):
            self.store.check_files()
        else:
            self._resolve_again()

    @property
    def state(self) -> ResolvedState:
        """The exploration with the loaded tables."""
        return self._state

    def replace(self, state: Exploration) -> None:
        """Replace the exploration; keep the current panes if `state` specifies no panes."""
        if state.panes is None and self._state.panes is not None:
            state = state.with_(panes=self._state.panes)
        self._replace_state(resolve(state, self.store))

    @Slot()
    def _resolve_again(self) -> None:
        self._replace_state(resolve(self._state, self.store))

    def _replace_state(self, state: ResolvedState) -> None:
        if _differ(state, self._state):
            if state != self.preview:
                self.hovered_view = ""  # another position may be under the mouse now
            self._state, self.preview = state, None
            self._timer.start()

    @property
    def state_at_pointer(self) -> ResolvedState:
        """The exploration with the cursor at the mouse, or `state` if there is no preview."""
        return self.preview or self._state

    def point_at(self, view: str = "", /, **cursor: int) -> None:
        """Preview another position or dimension until the next change.

        `view` is the name of the view under the mouse. A call without `cursor` ends the
        preview. Nothing is previewed during playback or while the cursor is locked. Invalid
        values end the preview without a message, because the mouse moves often.
        """
        preview, self.hovered_view = self._state, ""
        if not (self.playhead.is_playing or self.lock.is_locked):
            with suppress(ParameterError):
                preview = resolve(self._state.with_(**cursor), self.store)
                self.hovered_view = view if cursor else ""
        self.preview = preview if preview != self._state else None
        self._timer.start()

    @Slot()
    def _end_preview(self) -> None:
        self.point_at()

    def set_cursor(self, **cursor: int) -> None:
        """Set the cursor after a mouse click, unless the cursor is locked."""
        if self.lock.is_locked:
            self.refused.emit(self.lock.LOCK_HINT)
        else:
            self.set(**cursor)

    def apply(self, state: Exploration, name: str) -> None:
        """Replace the exploration, including the cursor, as one named undo step."""
        self.emit_changes()  # so that earlier changes become a separate undo step
        self.replace(state)
        self.applied_step_name = name
        self.emit_changes()
        self.applied_step_name = ""

    def try_change(self, change: Callable[..., Exploration], /, *args: Any, **fields: Any) -> bool:
        """Replace the exploration with the result of `change`; return whether that is valid.

        If the result is invalid, keep the exploration and emit `refused`.
        """
        try:
            self.replace(change(self._state, *args, **fields))
        except ParameterError as error:
            self.refused.emit(error.sentence)
            return False
        return True

    def set(self, **fields: Any) -> bool:
        """Change fields of the exploration; return whether the values are valid."""
        return self.try_change(Exploration.with_, **fields)

    def set_options(self, view: str, **fields: Any) -> bool:
        """Change options of a view; return whether they are valid and available on this machine."""
        if problem := pictures.unavailable_reason(view, fields, self._state):
            self.refused.emit(problem)
            return False
        return self.try_change(pictures.with_options, view, **fields)

    def set_encoding(self, name: str | None = None, **parameters: Any) -> bool:
        """Change the encoding or its parameters; return whether the values are valid.

        A new encoding keeps the values of parameters that the current encoding also has.
        """
        return self.try_change(exploration.with_encoding, name, **parameters)

    def choose_encoding(self, name: str) -> bool:
        """Change the encoding and select suitable parameters; return whether they are valid."""
        return self.try_change(exploration.with_scheme, name)

    @Slot()
    def emit_changes(self) -> None:
        """Emit the signals for all pending changes now."""
        self._timer.stop()
        old = self._emitted_state
        new = self._emitted_state = self._state
        if _differ(old, new):
            self.worker.yield_to_gui()
            self.changed.emit(old, new)
        if (self.hovered_view, self.preview) != self._emitted_preview:
            self._emitted_preview = self.hovered_view, self.preview
            self.previewed.emit()

    def close(self) -> None:
        """Stop the timers and threads."""
        self.playhead.pause()
        self._timer.stop()  # after `pause`, which starts the timer
        if isinstance(self.store, TableStore):
            self.store.close()
        self.worker.close()


def _differ(old: Exploration, new: Exploration) -> bool:
    return old != new or old.opened is not new.opened
