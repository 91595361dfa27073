"""Has the pictures of a view computed, and knows which of them is on the screen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from pe_explorer.encodings import StoredError
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason
from pe_explorer.pictures.cost import coarse, is_quick, takes_long, takes_very_long
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.pixels import Size

_NOTICE_DELAY = 300  # milliseconds without a picture before the view says that it is computing

Ingredients = tuple[Any, ...]
Key = tuple[Ingredients, Size]
"""What a picture is made of, and for which area."""


class Job(NamedTuple):
    """A picture that is to be computed: of what, for which area, at what cost, and how."""

    state: Exploration
    key: Key
    cost: float
    compute: Callable[[Exploration, Size, threading.Event], Any]

    def __call__(self, cancelled: threading.Event) -> Any:
        """Compute the numbers, in any thread."""
        return self.compute(self.state, self.key[1], cancelled)


class Lateness(QObject):
    """Says that a picture is being computed, or what is done for it, once that takes long."""

    said = Signal(str)
    """A sentence to show in the place of the picture."""
    phase_said = Signal(str)
    """What is being done for the picture."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._phase = ""  # the name of the present phase, if it has one
        self._is_late = False
        self._timer = QTimer(self, singleShot=True, interval=_NOTICE_DELAY)
        self._timer.timeout.connect(self._say)

    def begin(self, *, is_other: bool) -> None:
        """Follow another request; where it `is_other` than what is on the screen, wait for it."""
        self._phase, self._is_late = "", False
        if is_other:
            self._timer.start()

    def end(self) -> None:
        """Wait no longer."""
        self._timer.stop()

    def note(self, phase: str) -> None:
        """Take note of what is being done now, and say it where that takes long."""
        self._phase = phase
        if self._is_late:
            self.phase_said.emit(phase)

    @Slot()
    def _say(self) -> None:
        self._is_late = True
        if self._phase:
            self.phase_said.emit(self._phase)
        else:
            self.said.emit("Computing…")


class Drawing(QObject):
    """The newest picture of a view, and the one that is being computed.

    What takes longer than a part of a frame is left to the worker; where that takes long, a
    coarse picture is shown first.
    """

    made = Signal(object, object, object)
    """The state and the numbers to show; and, if something or its size is new, for which size."""
    arrived = Signal()
    """What the worker has made is shown."""
    said = Signal(str)
    """A sentence to show in the place of the picture."""
    failed = Signal()
    """The worker could not make it."""

    def __init__(
        self, picture: type[AnyPicture], size: Callable[[], Size], parent: QObject
    ) -> None:
        """`size` returns that of the area."""
        super().__init__(parent)
        self.picture, self._size = picture, size
        self.model: Model | None = None
        """What the view follows."""
        self.lateness = Lateness(self)
        self.lateness.said.connect(self.said)
        self._forget()

    def _forget(self) -> None:
        self._key: Key | None = None  # key of the newest fine picture
        self._numbers: Any = None  # its numbers
        self._requested: Key | None = None  # key of the picture last requested from the worker
        self._coarse_first = False  # whether the worker was asked for a coarse one of it
        self._on_screen: Ingredients | None = None
        """What the picture on the screen is made of, fine or coarse."""
        self._coarse: Exploration | None = None
        """What the coarse picture on the screen is of, None if there is no coarse one."""

    @property
    def refining(self) -> bool:
        """Whether a coarse picture is on the screen."""
        return self._coarse is not None

    @property
    def _worker(self) -> Worker:
        assert self.model is not None
        return self.model.worker

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the pairs of signal and slot by which it hears of the worker."""
        worker = model.worker
        return [
            (worker.done, self._receive),
            (worker.failed, self._receive_failure),
            (worker.progressed, self._receive_progress),
        ]

    def clear(self) -> None:
        """Forget the picture and cancel the one that is on its way; the screen stays as it is."""
        self.cancel()
        self._forget()

    def cancel(self) -> bool:
        """Cancel the picture that is on its way; return whether there was one."""
        busy = self._worker.busy(self.picture.name)
        self._worker.cancel(self.picture.name)
        self.lateness.end()
        return busy

    # -- for the screen ------------------------------------------------------------------------

    def draw(self, state: Exploration, size: Size) -> bool:
        """Show a picture or have one computed; return False if it has to be asked for again."""
        key = (self.picture.ingredients(state), size)
        cost = self.picture.cost(state, size)
        if key == self._key:
            self.cancel()
            self._show(state, key, self._numbers)
            return True
        if not takes_long(cost):
            self.cancel()
            self._draw_now(state, key[0])
            return True
        if not self._worker.busy(self.picture.name):
            self._ask(state, key, long=takes_very_long(cost))
            return True
        if key == self._requested:
            return True
        if self._coarse_first:  # to cancel that one at every change would be to show none
            return False
        self._ask(state, key, long=True)  # changes come faster than pictures
        return True

    def refine(self) -> None:
        """Ask for the fine picture of what a coarse one shows."""
        assert self._coarse is not None
        state, size = self._coarse, self._size()
        self._request(state, (self.picture.ingredients(state), size), size)

    def _draw_now(self, state: Exploration, ingredients: Ingredients) -> None:
        """Compute and show a picture."""
        size = self._size()
        numbers = self._compute_now(state, size)
        if numbers is not None:
            self._show(state, (ingredients, size), numbers)

    def _ask(self, state: Exploration, key: Key, *, long: bool) -> None:
        """Ask the worker for a picture; show or ask for a coarse one first where it takes long."""
        picture = self.picture
        ingredients, size = key
        first = size
        if long and ingredients != self._on_screen:
            first = coarse(partial(picture.cost, state), picture.coarser, size)
        if first != size and is_quick(picture.cost(state, first)):
            numbers = self._compute_now(state, first)
            if numbers is None:
                return
            self._show_coarse(state, ingredients, numbers)
            size = first = self._size()
        self._request(state, (ingredients, size), first)

    def _request(self, state: Exploration, key: Key, size: Size) -> None:
        """Ask the worker for a picture; for a coarse one, if the size is not that of the key."""
        self._requested, self._coarse_first = key, size != key[1]
        picture = self.picture
        task = partial(_answer, picture, state, key, size)
        self._worker.request(picture.name, task, own_thread=picture.is_made_elsewhere(state))
        self.lateness.begin(is_other=key[0] != self._on_screen)

    def _compute_now(self, state: Exploration, size: Size) -> Any:
        """Return the numbers of a picture; None, with a message, where its file has changed."""
        try:
            return self.picture.compute(state, size, threading.Event())
        except StoredError as error:
            self._say_failure(error)
            return None
        except Exception as error:
            self._say_failure(error)
            raise

    def _show(self, state: Exploration, key: Key, numbers: Any) -> None:
        """Show a picture."""
        is_new = key != self._key
        self._key, self._numbers, self._on_screen = key, numbers, key[0]
        self._coarse = None
        self.made.emit(state, numbers, key[1] if is_new else None)

    def _show_coarse(self, state: Exploration, ingredients: Ingredients, numbers: Any) -> None:
        """Show a picture that a finer one will follow."""
        self._on_screen, self._coarse = ingredients, state
        self.made.emit(state, numbers, None)

    def _say_failure(self, error: Exception) -> None:
        self.said.emit(f"This cannot be drawn: {reason(error)}.")
        if isinstance(error, StoredError) and self.model is not None:
            self.model.look_at_files()  # the file may have changed unnoticed

    @Slot(str, float, str)
    def _receive_progress(self, owner: str, share: float, phase: str) -> None:
        """Say what the worker is doing, where it takes long and has a name."""
        if owner == self.picture.name and phase:
            self.lateness.note(f"{phase}… {share:.0%}")

    @Slot(str, object)
    def _receive(self, owner: str, answer: tuple[Exploration, Key, Size, Any]) -> None:
        """Take a picture from the worker."""
        if owner != self.picture.name or self.model is None:
            return
        self.lateness.end()
        newest = self.model.state
        if self.picture.is_lacking(newest):  # which is yet to be announced
            return
        state, key, size, numbers = answer
        if self.picture.ingredients(newest) == key[0]:
            state = newest  # only names have changed, and the picture fits it as well
        if size == key[1]:
            self._show(state, key, numbers)
        else:
            self._show_coarse(state, key[0], numbers)
        self.arrived.emit()

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        """Take the worker's error."""
        if owner != self.picture.name:
            return
        self.lateness.end()
        self._say_failure(error)
        self.failed.emit()  # what was changed in the meantime is drawn
        if not isinstance(error, StoredError):
            raise error

    # -- for an export ---------------------------------------------------------------------------

    def job(self, state: Exploration, size: Size) -> Job | None:
        """Return what is to be computed for a state and an area; None if that is shown."""
        key = (self.picture.ingredients(state), size)
        if key == self._key or size.width < 1 or size.height < 1:
            return None
        return Job(state, key, self.picture.cost(state, size), self.picture.compute)

    def finish(self, job: Job, numbers: Any) -> None:
        """Remember what was computed for a job."""
        self._key, self._numbers = job.key, numbers


def _answer(
    picture: type[AnyPicture], state: Exploration, key: Key, size: Size, cancelled: threading.Event
) -> tuple[Exploration, Key, Size, Any]:
    """Return what a picture is of, what it was asked for, and its numbers."""
    return state, key, size, picture.compute(state, size, cancelled)
