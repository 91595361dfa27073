"""Computation of the pictures of a view, directly or by the worker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer.encodings import TableFileError
from pe_explorer.model import Model
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason
from pe_explorer.pictures import make_picture
from pe_explorer.pictures.cost import find_coarse_size, is_expensive, is_quick, is_very_expensive
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.pixels import Size

_NOTICE_DELAY = 300  # delay in milliseconds before the view reports that it is computing

PictureInputs = tuple[Any, ...]
PictureKey = tuple[PictureInputs, Size]  # pictures with equal keys are identical
PictureAnswer = tuple[AnyPicture, PictureKey, Size, Any]  # the last part contains the numbers


class PictureJob(NamedTuple):
    """A picture to compute, with its size and cost."""

    picture: AnyPicture
    key: PictureKey
    cost: float

    def __call__(self, progress: threading.Event) -> Any:
        return self.picture.numbers(self.key[1], progress)


class DelayReporter(QObject):
    """A reporter of slow computations and their phases."""

    sentence_changed = Signal(str)  # a sentence to show instead of the picture
    phase_changed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._phase = ""  # text about the current phase; empty if unknown
        self._is_late = False
        self._timer = QTimer(self, singleShot=True, interval=_NOTICE_DELAY)
        self._timer.timeout.connect(self._report)

    def begin(self, *, is_new: bool) -> None:
        """Start timing a request; report slowness only if the requested picture is new."""
        self._phase, self._is_late = "", False
        if is_new:
            self._timer.start()

    def end(self) -> None:
        self._timer.stop()

    def set_phase(self, phase: str) -> None:
        """Store the current phase, and report the phase if the picture is late."""
        self._phase = phase
        if self._is_late:
            self.phase_changed.emit(phase)

    @Slot()
    def _report(self) -> None:
        self._is_late = True
        if self._phase:
            self.phase_changed.emit(self._phase)
        else:
            self.sentence_changed.emit("Computing…")


class Drawing(QObject):
    """The displayed picture of a view, and the picture that is being computed.

    The worker computes slow pictures. If a picture is very slow, or if the worker is
    busy, a coarse version is shown first.
    """

    numbers_changed = Signal(object, object, object)
    """Picture, numbers and size; the size is None unless a new fine picture is shown."""
    picture_shown = Signal()  # a picture from the worker is shown
    sentence_changed = Signal(str)  # a sentence to show instead of the picture
    failed = Signal()  # the worker failed

    def __init__(self, kind: type[AnyPicture], size: Callable[[], Size], parent: QObject) -> None:
        """Draw pictures of the class `kind`; `size` returns the size of the area."""
        super().__init__(parent)
        self._kind, self._size = kind, size
        self.model: Model | None = None
        self.delay_reporter = DelayReporter(self)
        self.delay_reporter.sentence_changed.connect(self.sentence_changed)
        self._forget()

    def _forget(self) -> None:
        self._key: PictureKey | None = None  # key of the newest fine picture
        self._numbers: Any = None  # numbers of the newest fine picture
        self._requested_key: PictureKey | None = (
            None  # key of the picture last requested from the worker
        )
        self._is_request_coarse = False  # whether the requested picture is coarse
        self._picture_inputs: PictureInputs | None = None  # for the picture on the screen
        self._coarse_picture: AnyPicture | None = None  # coarse picture on the screen, if any

    @property
    def is_coarse(self) -> bool:
        return self._coarse_picture is not None

    @property
    def _worker(self) -> Worker:
        assert self.model is not None
        return self.model.worker

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the worker's signals, each with the slot to connect."""
        return [
            (model.worker.done, self._receive),
            (model.worker.failed, self._receive_failure),
            (model.worker.progressed, self._receive_progress),
        ]

    def clear(self) -> None:
        """Discard the current picture and cancel the pending one, without changing the screen."""
        self.cancel()
        self._forget()

    def cancel(self) -> bool:
        """Cancel the pending picture; return whether a picture was pending."""
        is_pending = self._worker.is_busy(self._kind.name)
        self._worker.cancel(self._kind.name)
        self.delay_reporter.end()
        return is_pending

    def draw(self, picture: AnyPicture, size: Size) -> bool:
        """Show or request a picture; return False if the caller has to try again later."""
        key, cost = (picture.inputs(), size), picture.cost(size)
        if key == self._key:
            self.cancel()
            self._show(picture, key, self._numbers)
            return True
        if not is_expensive(cost):
            self.cancel()
            size = self._size()
            if (numbers := self._compute_now(picture, size)) is not None:
                self._show(picture, (key[0], size), numbers)
            return True
        is_busy = self._worker.is_busy(self._kind.name)
        if is_busy and key == self._requested_key:
            return True
        if is_busy and self._is_request_coarse:
            return False  # otherwise, frequent changes would cancel every coarse picture
        # If the worker is busy, changes arrive faster than fine pictures can be computed, so a
        # coarse picture comes first.
        self._start_request(picture, key, is_long=is_busy or is_very_expensive(cost))
        return True

    def refine(self) -> None:
        """Request the fine version of the coarse picture on the screen."""
        picture, size = self._coarse_picture, self._size()
        assert picture is not None
        self._request(picture, (picture.inputs(), size), size)

    def _start_request(self, picture: AnyPicture, key: PictureKey, *, is_long: bool) -> None:
        inputs, size = key
        initial_size = size
        if is_long and inputs != self._picture_inputs:
            initial_size = find_coarse_size(picture.cost, self._kind.coarsen, size)
        if initial_size != size and is_quick(picture.cost(initial_size)):
            numbers = self._compute_now(picture, initial_size)
            if numbers is None:
                return
            self._show_coarse_picture(picture, inputs, numbers)
            size = initial_size = self._size()
        self._request(picture, (inputs, size), initial_size)

    def _request(self, picture: AnyPicture, key: PictureKey, size: Size) -> None:
        self._requested_key, self._is_request_coarse = key, size != key[1]
        task, should_use_thread = (
            partial(_compute_answer, picture, key, size),
            picture.should_use_own_thread(),
        )
        self._worker.request(self._kind.name, task, has_own_thread=should_use_thread)
        self.delay_reporter.begin(is_new=key[0] != self._picture_inputs)

    def _compute_now(self, picture: AnyPicture, size: Size) -> Any:
        try:
            return picture.numbers(size, threading.Event())
        except TableFileError as error:
            self._report_failure(error)
            return None
        except Exception as error:
            self._report_failure(error)
            raise

    def _show(self, picture: AnyPicture, key: PictureKey, numbers: Any) -> None:
        is_new = key != self._key
        self._key, self._numbers, self._picture_inputs = key, numbers, key[0]
        self._coarse_picture = None
        self.numbers_changed.emit(picture, numbers, key[1] if is_new else None)

    def _show_coarse_picture(
        self, picture: AnyPicture, inputs: PictureInputs, numbers: Any
    ) -> None:
        self._picture_inputs, self._coarse_picture = inputs, picture
        self.numbers_changed.emit(picture, numbers, None)

    def _report_failure(self, error: Exception) -> None:
        self.sentence_changed.emit(f"The view cannot be drawn: {reason(error)}.")
        if isinstance(error, TableFileError) and self.model is not None:
            self.model.check_files()  # the file may have changed

    @Slot(str, float, str)
    def _receive_progress(self, owner: str, share: float, phase: str) -> None:
        if owner == self._kind.name and phase:
            self.delay_reporter.set_phase(f"{phase}… {share:.0%}")

    @Slot(str, object)
    def _receive(self, owner: str, answer: PictureAnswer) -> None:
        if owner != self._kind.name or self.model is None:
            return
        self.delay_reporter.end()
        newest = make_picture(self._kind.name, self.model.state)
        if newest.is_unavailable():  # the change to this state has not been signalled yet
            return
        picture, key, size, numbers = answer
        if newest.inputs() == key[0]:
            picture = newest  # only names have changed since the request
        if size == key[1]:
            self._show(picture, key, numbers)
        else:
            self._show_coarse_picture(picture, key[0], numbers)
        self.picture_shown.emit()

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        if owner != self._kind.name:
            return
        self.delay_reporter.end()
        self._report_failure(error)
        self.failed.emit()  # so that later changes are drawn
        if not isinstance(error, TableFileError):
            raise error

    def job(self, picture: AnyPicture, size: Size) -> PictureJob | None:
        """Return the job for a picture, or None if it is already computed or its area is empty."""
        key = (picture.inputs(), size)
        if key == self._key or size.width < 1 or size.height < 1:
            return None
        return PictureJob(picture, key, picture.cost(size))

    def finish(self, job: PictureJob, numbers: Any) -> None:
        """Store the result of a job."""
        self._key, self._numbers = job.key, numbers


def _compute_answer(
    picture: AnyPicture, key: PictureKey, size: Size, progress: threading.Event
) -> PictureAnswer:
    return picture, key, size, picture.numbers(size, progress)
