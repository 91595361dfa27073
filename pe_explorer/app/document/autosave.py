"""Unsaved explorations, stored so that they outlive the process, and found again.

Each window owns one file `exploration-….json` in a folder that all share, by the lock beside
it. A file without an owner is an orphan: its window ended without saving or discarding it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from pe_explorer.app.document.locks import take
from pe_explorer.app.document.orphans import (
    KEY,
    Kept,
    Orphan,
    Stamp,
    Taken,
    detached,
    discard,
    lock_path,
    orphans,
    reason,
    taken,
)
from pe_explorer.exploration import Exploration
from pe_explorer.files.atomic import replacing
from pe_explorer.files.session import dumps
from pe_explorer.model.worker import Worker

__all__ = [
    "Autosave",
    "Kept",
    "Orphan",
    "Stamp",
    "Taken",
    "detached",
    "discard",
    "orphans",
    "taken",
]

_OWNER, _LEAVER = "autosave", "former places"


@dataclass(frozen=True)
class _Noted:
    state: Exploration
    kept: Kept
    extra: Mapping[str, Any]


class _Place:
    """A file that is ours while we hold its lock; used by one thread at a time."""

    def __init__(self, path: Path, lock: QLockFile | None = None) -> None:
        self.path, self._lock = path, lock

    def store(self, noted: _Noted) -> None:
        """Write the file, whole or not at all, and force it to the disk."""
        self._hold()
        text = dumps(
            noted.state,
            {**noted.extra, KEY: {"origin": noted.kept.origin, "stamp": noted.kept.stamp}},
        )
        with replacing(self.path, durable=True) as file:
            file.write(text.encode())

    def empty(self) -> None:
        """Remove the file, if it is ours.

        One that cannot be removed is offered at the next start.
        """
        if self._lock:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Let others have the file."""
        if self._lock:
            self._lock.unlock()
            self._lock = None

    def _hold(self) -> None:
        if self._lock and lock_path(self.path).exists():
            return
        self.release()  # somebody cleaned the folder up
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = take(lock_path(self.path))


class Autosave(QObject):
    """Stores the newest unsaved exploration soon after it was noted, away from the GUI thread."""

    failed = Signal(str)
    """A sentence, when storing fails that went well before."""
    keeping = Signal(bool)
    """Whether storing goes well, when that changes; at first it is supposed to."""

    def __init__(
        self, folder: Path | str, parent: QObject | None = None, *, every: int = 1000
    ) -> None:
        """`every` is the time in milliseconds in which changes are gathered."""
        super().__init__(parent)
        self._place = _Place(Path(folder) / f"exploration-{os.urandom(8).hex()}.json")
        self._latest: _Noted | None = None
        """What is unsaved."""
        self._former: list[_Place] = []
        """Places to be left, for which adopted ones stand in."""
        self._due = self._stored = self._failing = self._closed = False
        self._timer = QTimer(self, singleShot=True, interval=every)
        self._timer.timeout.connect(self._store)
        self._worker = Worker(self)  # of its own: no export is waited for
        self._worker.done.connect(self._receive_success)
        self._worker.failed.connect(self._receive_failure)

    @property
    def path(self) -> Path:
        """The file of this window; it is there while something is unsaved."""
        return self._place.path

    def note(
        self,
        state: Exploration,
        origin: str | None = None,
        extra: Mapping[str, Any] = MappingProxyType({}),
        stamp: Stamp | None = None,
    ) -> None:
        """Take an unsaved exploration, the file that it came from, what that had that is not known
        here, and how that was last seen.
        """
        if self._closed:
            return
        self._latest = _Noted(state, Kept(origin, stamp), extra)
        self._want()

    def clear(self) -> None:
        """Forget what was noted: nothing is unsaved. The file goes, after a write still under
        way.
        """
        self._timer.stop()
        self._latest, self._due = None, False
        if self._stored:
            self._stored, place = False, self._place
            self._worker.request(_OWNER, lambda _: place.empty())

    def flush(self) -> None:
        """Write what is unsaved now, and wait for it."""
        self._timer.stop()
        self._worker.close()
        _leave(self._former)
        self._due = False
        try:
            if self._latest:
                self._stored = True
                self._place.store(self._latest)
            else:
                self._place.empty()
        except (OSError, ValueError) as error:
            self._receive_failure(_OWNER, error)

    def close(self, keep: bool) -> None:
        """End it; what is unsaved is kept as an orphan, or removed."""
        if self._closed:
            return
        if not keep:
            self._latest = None
        self.flush()
        self._timer.stop()
        self._place.release()
        self._closed = True

    def adopt(self, taken: Taken) -> None:
        """Make the file of a taken orphan this window's own, without waiting for anything.

        The file stays where it is, so the exploration is on the disk all the time. What was
        noted here before is forgotten: the orphan takes its place. Once closed, nothing is
        adopted; the orphan is released for the next start.

        Raises
        ------
        ValueError
            If it was released, or adopted before.
        """
        orphan, lock = taken.orphan, taken.hand_over()
        if lock is None or orphan.session is None:
            raise ValueError(f"{orphan.path} is not taken any more")
        if self._closed:
            lock.unlock()
            return
        self._timer.stop()
        self._worker.cancel(_OWNER)
        self._former.append(self._place)
        self._worker.request(
            _LEAVER, partial(_leave, self._former)
        )  # after a write still under way
        self._place = _Place(orphan.path, lock)
        self._latest, self._due, self._stored = (
            _Noted(orphan.session.state, Kept(orphan.origin, orphan.stamp), orphan.session.extra),
            False,
            True,
        )

    def _want(self) -> None:
        """Have the newest stored when the time is up."""
        self._due = True
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _store(self) -> None:
        """Write what is due, unless a write is under way: its end brings us here again."""
        if not self._due or self._latest is None or self._worker.busy(_OWNER):
            return
        self._due, self._stored = False, True
        place, noted = self._place, self._latest
        self._worker.request(_OWNER, lambda _: place.store(noted))

    @Slot(str, object)
    def _receive_success(self, owner: str, answer: object) -> None:
        if owner != _OWNER:
            return
        if (
            self._failing and self._stored
        ):  # to remove the file says nothing of whether one can be written
            self._failing = False
            self.keeping.emit(True)
        self._store()

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        """Tell it, and try again: what is in the way may go."""
        if not self._failing:
            self._failing = True
            self.keeping.emit(False)
            self.failed.emit(
                f"Unsaved changes are not kept for recovery: {reason(error, self.path)}. Save "
                "the session to keep them."
            )
        if self._latest is not None:
            self._want()


def _leave(places: list[_Place], _: threading.Event | None = None) -> None:
    """Remove the files of places, and let go of them."""
    while places:
        place = places.pop()
        place.empty()
        place.release()
