"""Requests for the pictures of a view, and a record of the picture on the screen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer.encodings import StoredError
from pe_explorer.model import Model
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason
from pe_explorer.pictures import picture_of
from pe_explorer.pictures.cost import coarse, is_quick, takes_long, takes_very_long
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.pixels import Size

_NOTICE_DELAY = 300  # milliseconds until the view reports that it is computing

Ingredients = tuple[Any, ...]
Key = tuple[Ingredients, Size]
"""The ingredients of a picture, and its size."""


class Job(NamedTuple):
    """A picture to compute, with its size and cost."""

    picture: AnyPicture
    key: Key
    cost: float

    def __call__(self, progress: threading.Event) -> Any:
        return self.picture.numbers(self.key[1], progress)


class Lateness(QObject):
    """A reporter of slow computations and their phases."""

    sentence_changed = Signal(str)
    """A sentence to show instead of the picture."""
    phase_changed = Signal(str)
    """The phase of the computation."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._phase = ""  # name of the current phase, empty if unknown
        self._is_late = False
        self._timer = QTimer(self, singleShot=True, interval=_NOTICE_DELAY)
        self._timer.timeout.connect(self._say)

    def begin(self, *, is_other: bool) -> None:
        """Begin a new request, which is reported when late if its picture `is_other`."""
        self._phase, self._is_late = "", False
        if is_other:
            self._timer.start()

    def end(self) -> None:
        self._timer.stop()

    def note(self, phase: str) -> None:
        """Store the current phase, and report the phase if the picture is late."""
        self._phase = phase
        if self._is_late:
            self.phase_changed.emit(phase)

    @Slot()
    def _say(self) -> None:
        self._is_late = True
        if self._phase:
            self.phase_changed.emit(self._phase)
        else:
            self.sentence_changed.emit("Computing…")


class Drawing(QObject):
    """The newest picture of a view, and the picture being computed.

    The worker computes expensive pictures. If a picture takes long, a coarse picture is shown
    first.
    """

    figure_made = Signal(object, object, object)
    """The picture and the numbers to show, and the size if picture or size are new."""
    arrived = Signal()
    """A picture from the worker is shown."""
    sentence_changed = Signal(str)
    """A sentence to show instead of the picture."""
    failed = Signal()
    """The worker failed."""

    def __init__(self, kind: type[AnyPicture], size: Callable[[], Size], parent: QObject) -> None:
        """Draw pictures of the class `picture`; `size` returns the size of the area."""
        super().__init__(parent)
        self._kind, self._size = kind, size
        self.model: Model | None = None
        self.lateness = Lateness(self)
        self.lateness.sentence_changed.connect(self.sentence_changed)
        self._forget()

    def _forget(self) -> None:
        self._key: Key | None = None  # key of the newest fine picture
        self._numbers: Any = None  # numbers of the newest fine picture
        self._requested: Key | None = None  # key of the picture last requested from the worker
        self._coarse_first = False  # whether the requested picture is coarse
        self._on_screen: Ingredients | None = None
        """The ingredients of the picture on the screen, fine or coarse."""
        self._coarse: AnyPicture | None = None
        """The coarse picture on the screen, if any."""

    @property
    def refining(self) -> bool:
        return self._coarse is not None

    @property
    def _worker(self) -> Worker:
        assert self.model is not None
        return self.model.worker

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return pairs of worker signals and slots."""
        worker = model.worker
        return [
            (worker.done, self._receive),
            (worker.failed, self._receive_failure),
            (worker.progressed, self._receive_progress),
        ]

    def clear(self) -> None:
        """Forget the picture and cancel a pending picture, without changing the screen."""
        self.cancel()
        self._forget()

    def cancel(self) -> bool:
        """Cancel the pending picture; return whether there was one."""
        busy = self._worker.busy(self._kind.name)
        self._worker.cancel(self._kind.name)
        self.lateness.end()
        return busy

    # -- for the screen ------------------------------------------------------------------------

    def draw(self, picture: AnyPicture, size: Size) -> bool:
        """Show or request a picture; return False if the caller has to try again later."""
        key, cost = (picture.ingredients(), size), picture.cost(size)
        if key == self._key:
            self.cancel()
            self._show(picture, key, self._numbers)
            return True
        if not takes_long(cost):
            self.cancel()
            size = self._size()
            if (numbers := self._compute_now(picture, size)) is not None:
                self._show(picture, (key[0], size), numbers)
            return True
        if not self._worker.busy(self._kind.name):
            self._request_coarse_first(picture, key, long=takes_very_long(cost))
            return True
        if key == self._requested:
            return True
        # Cancelling the coarse picture at every change would show no picture.
        if self._coarse_first:
            return False
        # Changes arrive faster than fine pictures are computed.
        self._request_coarse_first(picture, key, long=True)
        return True

    def refine(self) -> None:
        """Request the fine picture after its coarse picture is on the screen."""
        assert self._coarse is not None
        picture, size = self._coarse, self._size()
        self._request(picture, (picture.ingredients(), size), size)

    def _request_coarse_first(self, picture: AnyPicture, key: Key, *, long: bool) -> None:
        ingredients, size = key
        first = size
        if long and ingredients != self._on_screen:
            first = coarse(picture.cost, self._kind.coarser, size)
        if first != size and is_quick(picture.cost(first)):
            numbers = self._compute_now(picture, first)
            if numbers is None:
                return
            self._show_coarse(picture, ingredients, numbers)
            size = first = self._size()
        self._request(picture, (ingredients, size), first)

    def _request(self, picture: AnyPicture, key: Key, size: Size) -> None:
        self._requested, self._coarse_first = key, size != key[1]
        task, own_thread = partial(_answer, picture, key, size), picture.is_made_elsewhere()
        self._worker.request(self._kind.name, task, own_thread=own_thread)
        self.lateness.begin(is_other=key[0] != self._on_screen)

    def _compute_now(self, picture: AnyPicture, size: Size) -> Any:
        try:
            return picture.numbers(size, threading.Event())
        except StoredError as error:
            self._say_failure(error)
            return None
        except Exception as error:
            self._say_failure(error)
            raise

    def _show(self, picture: AnyPicture, key: Key, numbers: Any) -> None:
        is_new = key != self._key
        self._key, self._numbers, self._on_screen = key, numbers, key[0]
        self._coarse = None
        self.figure_made.emit(picture, numbers, key[1] if is_new else None)

    def _show_coarse(self, picture: AnyPicture, ingredients: Ingredients, numbers: Any) -> None:
        self._on_screen, self._coarse = ingredients, picture
        self.figure_made.emit(picture, numbers, None)

    def _say_failure(self, error: Exception) -> None:
        self.sentence_changed.emit(f"This cannot be drawn: {reason(error)}.")
        if isinstance(error, StoredError) and self.model is not None:
            self.model.look_at_files()  # the file may have changed

    @Slot(str, float, str)
    def _receive_progress(self, owner: str, share: float, phase: str) -> None:
        if owner == self._kind.name and phase:
            self.lateness.note(f"{phase}… {share:.0%}")

    @Slot(str, object)
    def _receive(self, owner: str, answer: tuple[AnyPicture, Key, Size, Any]) -> None:
        if owner != self._kind.name or self.model is None:
            return
        self.lateness.end()
        newest = picture_of(self._kind.name, self.model.state)
        if newest.is_unavailable():  # this state is not announced yet
            return
        picture, key, size, numbers = answer
        if newest.ingredients() == key[0]:
            picture = newest  # only names have changed
        if size == key[1]:
            self._show(picture, key, numbers)
        else:
            self._show_coarse(picture, key[0], numbers)
        self.arrived.emit()

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        if owner != self._kind.name:
            return
        self.lateness.end()
        self._say_failure(error)
        self.failed.emit()  # so that later changes are drawn
        if not isinstance(error, StoredError):
            raise error

    # -- for an export ---------------------------------------------------------------------------

    def job(self, picture: AnyPicture, size: Size) -> Job | None:
        """Return the job that computes a picture for an area, or None if already shown."""
        key = (picture.ingredients(), size)
        if key == self._key or size.width < 1 or size.height < 1:
            return None
        return Job(picture, key, picture.cost(size))

    def finish(self, job: Job, numbers: Any) -> None:
        """Store the result of a job."""
        self._key, self._numbers = job.key, numbers


def _answer(
    picture: AnyPicture, key: Key, size: Size, progress: threading.Event
) -> tuple[AnyPicture, Key, Size, Any]:
    return picture, key, size, picture.numbers(size, progress)
