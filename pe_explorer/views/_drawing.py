"""Has the pictures of a view computed, and remembers which is on the screen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple, Protocol

from PySide6.QtCore import QObject, QTimer, Slot

from pe_explorer.encodings import StoredError
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.params import reason
from pe_explorer.pictures.cost import coarse, is_quick, takes_long, takes_very_long
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.pixels import Size

__all__ = ["Drawing", "Job"]

_PATIENCE = 300  # milliseconds without a picture before the view says that it is computing

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


class Screen(Protocol):
    """What a drawing needs of its view."""

    picture: ClassVar[type[AnyPicture]]
    is_stale: bool

    @property
    def model(self) -> Model:
        """The model that the view follows."""

    def size_in_pixels(self) -> Size:
        """Return the size of the picture's area in device pixels."""

    def make_room(self, frame: Figure) -> None:
        """Give the axes of an empty figure the room that their numbers need."""

    def draw(self, state: Exploration) -> None:
        """Draw the picture of a state."""

    def show_numbers(self, state: Exploration, numbers: Any) -> None:
        """Show what was computed for a state."""

    def show_marks(self) -> None:
        """Mark the cursor on a new picture, and draw what is out of date."""

    def show_refining(self, refining: bool) -> None:
        """Show whether a finer picture is on its way."""

    def show_message(self, sentence: str) -> None:
        """Show a sentence over the picture."""

    def show_phase(self, sentence: str) -> None:
        """Show what is being done over the picture."""

    def refresh_soon(self) -> None:
        """Draw what is out of date."""


class Drawing(QObject):
    """The newest picture of a view, and the one that is on its way.

    What takes longer than a part of a frame is left to the worker; where that takes long, a
    coarse picture is shown first.
    """

    def __init__(self, view: Screen, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._late = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._late.timeout.connect(self._show_late)
        self._forget()

    def _forget(self) -> None:
        self._key: Key | None = None
        """Key of the newest fine picture."""
        self._numbers: Any = None
        """Its numbers."""
        self._requested: Key | None = None
        """Key of the picture last requested from the worker."""
        self._coarse_first = False
        """Whether the worker was asked for a coarse one of it."""
        self._on_screen: Ingredients | None = None
        """What the picture on the screen is made of, fine or coarse."""
        self._phase = ""
        """What is being done for it, where that has a name."""
        self._says_so = False
        """Whether the view says that it is computing."""
        self.refining = False
        """Whether a coarse picture is on the screen."""

    def clear(self) -> None:
        """Forget the picture and cancel the one that is on its way; the screen stays as it is."""
        self.cancel()
        self._forget()

    def cancel(self) -> bool:
        """Cancel the picture that is on its way; return whether there was one."""
        worker = self._view.model.worker
        busy = worker.busy(self._view.picture.name)
        worker.cancel(self._view.picture.name)
        self._late.stop()
        return busy

    # -- for the screen ------------------------------------------------------------------------

    def draw(self, state: Exploration, size: Size) -> bool:
        """Show a picture or have one computed; return False if it has to be asked for again."""
        key = (self._view.picture.ingredients(state), size)
        cost = self._view.picture.cost(state, size)
        if key == self._key:
            self.cancel()
            self._show(state, key, self._numbers)
            return True
        if not takes_long(cost):
            self.cancel()
            self._draw_now(state, key[0])
            return True
        if not self._view.model.worker.busy(self._view.picture.name):
            self._ask(state, key, long=takes_very_long(cost))
            return True
        if key == self._requested:
            return True
        if self._coarse_first:  # to cancel that one at every change would be to show none
            return False
        self._ask(state, key, long=True)  # changes come faster than pictures
        return True

    def _draw_now(self, state: Exploration, ingredients: Ingredients) -> None:
        """Compute and show a picture, for the room that its labels leave to it."""
        self._view.make_room(self._view.picture.frame(state))
        size = self._view.size_in_pixels()
        numbers = self._compute_now(state, size)
        if numbers is not None:
            self._show(state, (ingredients, size), numbers)

    def _ask(self, state: Exploration, key: Key, *, long: bool) -> None:
        """Ask the worker for a picture; show or ask for a coarse one first where it takes long."""
        ingredients, size = key
        first = size
        if long and ingredients != self._on_screen:
            first = coarse(
                partial(self._view.picture.cost, state), self._view.picture.coarser, size
            )
        if first != size and is_quick(self._view.picture.cost(state, first)):
            numbers = self._compute_now(state, first)
            if numbers is None:
                return
            self._show_coarse(state, ingredients, numbers)
            size = first = self._view.size_in_pixels()
        self._request(state, (ingredients, size), first)

    def _request(self, state: Exploration, key: Key, size: Size) -> None:
        """Ask the worker for a picture; for a coarse one, if the size is not that of the key."""
        self._requested, self._coarse_first = key, size != key[1]
        task = partial(_answer, self._view.picture.compute, state, key, size)
        elsewhere = self._view.picture.is_made_elsewhere(state)
        self._view.model.worker.request(self._view.picture.name, task, loose=elsewhere)
        self._phase, self._says_so = "", False
        if key[0] != self._on_screen:
            self._late.start()

    def _compute_now(self, state: Exploration, size: Size) -> Any:
        """Return the numbers of a picture; None, with a message, where its file has changed."""
        try:
            return self._view.picture.compute(state, size, threading.Event())
        except StoredError as error:
            self._show_failure(error)
            return None
        except Exception as error:
            self._show_failure(error)
            raise

    def _show(self, state: Exploration, key: Key, numbers: Any) -> None:
        """Show a picture; draw it once more if its own labels changed the room that it has."""
        ingredients, size = key
        other = self._key is None or ingredients != self._key[0]
        self._key, self._numbers, self._on_screen = key, numbers, ingredients
        self.refining = False
        self._view.show_numbers(state, numbers)
        self._view.show_refining(False)
        if other and self._view.size_in_pixels() != size:
            self._view.draw(state)

    def _show_coarse(self, state: Exploration, ingredients: Ingredients, numbers: Any) -> None:
        """Show a picture that a finer one will follow."""
        self._on_screen, self.refining = ingredients, True
        self._view.show_numbers(state, numbers)
        self._view.show_refining(True)

    def _show_failure(self, error: Exception) -> None:
        self._view.show_message(f"This cannot be drawn: {reason(error)}.")
        if isinstance(error, StoredError):  # the file may have changed unnoticed
            self._view.model.look_at_files()

    @Slot()
    def _show_late(self) -> None:
        self._says_so = True
        if self._phase:
            self._view.show_phase(self._phase)
        else:
            self._view.show_message("Computing…")

    @Slot(str, float, str)
    def receive_progress(self, owner: str, share: float, phase: str) -> None:
        """Say what the worker is doing, where it takes long and has a name."""
        if owner != self._view.picture.name or not phase:
            return
        self._phase = f"{phase}… {share:.0%}"
        if self._says_so:
            self._view.show_phase(self._phase)

    @Slot(str, object)
    def receive(self, owner: str, answer: tuple[Exploration, Key, Size, Any]) -> None:
        """Take a picture from the worker."""
        if owner != self._view.picture.name:
            return
        self._late.stop()
        newest = self._view.model.state
        if self._view.picture.is_lacking(newest):  # which is yet to be announced
            return
        state, key, size, numbers = answer
        if self._view.picture.ingredients(newest) == key[0]:
            state = newest  # only names have changed, and the picture fits it as well
        if size == key[1]:
            self._show(state, key, numbers)
        else:
            self._show_coarse(state, key[0], numbers)
            if not self._view.is_stale:
                fine = self._view.size_in_pixels()
                self._request(state, (key[0], fine), fine)
        self._view.show_marks()

    @Slot(str, object)
    def receive_failure(self, owner: str, error: Exception) -> None:
        """Take the worker's error."""
        if owner != self._view.picture.name:
            return
        self._late.stop()
        self._show_failure(error)
        self._view.refresh_soon()  # for what was changed in the meantime
        if not isinstance(error, StoredError):
            raise error

    # -- for an export ---------------------------------------------------------------------------

    def job(self, state: Exploration, size: Size) -> Job | None:
        """Return what is to be computed for a state and an area; None if that is shown."""
        key = (self._view.picture.ingredients(state), size)
        if key == self._key or size.width < 1 or size.height < 1:
            return None
        return Job(state, key, self._view.picture.cost(state, size), self._view.picture.compute)

    def finish(self, job: Job, numbers: Any) -> None:
        """Show what was computed for a job."""
        self._key, self._numbers = job.key, numbers
        self._view.show_numbers(job.state, numbers)


def _answer(
    compute: Any, state: Exploration, key: Key, size: Size, cancelled: threading.Event
) -> tuple[Exploration, Key, Size, Any]:
    return state, key, size, compute(state, size, cancelled)
