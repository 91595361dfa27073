"""The contract of a view: attach and detach, draw only what differs, dirty while hidden."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.encodings import EncodingError, StoredError
from pe_explorer.exploration import CURSOR, differing
from pe_explorer.model import Exploration, Model
from pe_explorer.params import reason
from pe_explorer.views import _lacking
from pe_explorer.views._contract import Contract, Options
from pe_explorer.views._cost import Size, coarse, is_quick, takes_long, takes_very_long
from pe_explorer.views._wanted import Key, Wanted
from pe_explorer.widgets.keys import MOVES, presses_button

__all__ = ["Options", "Size", "View"]

_PATIENCE = 300  # milliseconds before a picture that is late is said to be


class View(Contract):
    """A picture of an exploration that follows a model.

    What a subclass defines is in `Contract`.

    Pictures are computed when the view is visible, and once for any number of changes. What
    takes longer than a part of a frame is left to the worker; where that takes long, a coarse
    picture is shown first.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(self.name)
        self.setAccessibleName(self.title)
        self.setAccessibleDescription(self.help)
        self._model: Model | None = None
        self._picture_dirty = self._cursor_dirty = True
        self._made: tuple[Key | None, Any] = (None, None)
        """What the newest picture is made of, and the picture."""
        self._requested: Key | None = None
        """What the one is made of that the worker was last asked for."""
        self._coarse_first = False
        """Whether the worker was asked for a coarse one of it."""
        self._seen: tuple[Any, ...] | None = None
        """What the picture on the screen is made of, fine or coarse."""
        self._refining = False
        self._status = ""
        self.blank = False
        """Whether there is a sentence in the place of the picture."""
        self.density: float | None = None
        """Device pixels per pixel to draw for, where it is not the screen's: an export."""
        self._dressed_for = self.ratio
        """The ratio of device pixels to pixels that lines are drawn for."""
        self.marks_cursor = True
        """Whether the cursor is marked; in a figure it need not be."""
        self.driven = False
        """Whether somebody else has its pictures computed, and shows them, see `wanted`.

        An export.
        """
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.refresh)
        self._late = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._late.timeout.connect(self._say_late)

    # -- what the window calls -----------------------------------------------------------

    @property
    def model(self) -> Model:
        """The model that the view is attached to."""
        assert self._model is not None
        return self._model

    @property
    def options(self) -> Any:
        """The view's own options."""
        return self.model.state.options[self.name]

    @property
    def ratio(self) -> float:
        """Device pixels per pixel."""
        return self.density or self.devicePixelRatioF()

    @Slot(str, object)
    def set_option(self, field: str, value: object) -> None:
        """Change one option of the view."""
        self.set_options(**{field: value})

    def set_options(self, **fields: object) -> None:
        """Change options of the view."""
        self.model.set_options(self.name, **fields)

    def attach(self, model: Model) -> None:
        """Follow a model, and leave the one before."""
        self.detach()
        self._model = model
        for signal, slot in self.connections(model):
            signal.connect(slot)
        self._picture_dirty = self._cursor_dirty = True
        self.refresh()

    def detach(self) -> None:
        """Follow no model, and let go of the picture.

        On the screen it stays until there is another.
        """
        if self._model is None:
            return
        self._model.worker.cancel(self.name)
        for signal, slot in self.connections(self._model):
            signal.disconnect(slot)
        self._timer.stop()
        self._late.stop()
        self._made, self._requested, self._seen = (None, None), None, None
        self._model = None

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the pairs of signal and slot that make up the attachment.

        What the mouse does is among them: it may leave a window that is closed already.
        """
        return [
            (model.changed, self._changed),
            (model.previewed, self._previewed),
            (model.worker.done, self._computed),
            (model.worker.failed, self._failed),
        ]

    @property
    def status(self) -> str:
        """What a pixel stands for, in a sentence."""
        return self._status

    def set_status(self, sentence: str) -> None:
        """Tell what a pixel stands for."""
        sentence += " Refining…" if self._refining else ""
        if sentence != self._status:
            self._status = sentence
            self.status_changed.emit(sentence)

    @Slot()
    def refresh(self) -> None:
        """Draw what is out of date, if the view can be seen."""
        self._timer.stop()
        if self._model is None or self.driven or not self.isVisible():
            return
        state = self.model.state
        if self._picture_dirty:
            self._picture_dirty = False
            self._cursor_dirty = True
            self._draw(state)
        if (
            self._cursor_dirty and not self._picture_dirty
        ):  # drawing may lay out anew and ask for another picture
            self._cursor_dirty = False
            if self.marks_cursor and not self.blank:
                self.show_cursor(state)
                self.show_preview(self.model.preview)

    def draw_now(self) -> None:
        """Draw everything at once."""
        self._picture_dirty = True
        self.refresh()

    # -- what drives it, see `driven` --------------------------------------------------------

    def wanted(self) -> Wanted | None:
        """Return what is to be computed for the state and the size of now, None if that is shown.

        What has no picture says so in its place.
        """
        state = self.model.state
        self._follow_ratio()
        self.blank = self._lacks(state)
        if self.blank:
            return None
        self.make_room(state)
        size = self.size_in_pixels()
        key = (self.ingredients(state), size)
        if key == self._made[0] or size.width < 1 or size.height < 1:
            return None
        return Wanted(state, key, self.cost(state, size), self.compute)

    def show_wanted(self, wanted: Wanted, picture: Any) -> None:
        """Show what was computed."""
        self._made = wanted.key, picture
        self.show_picture(wanted.state, picture)
        if self.marks_cursor:
            self.show_cursor(wanted.state)

    # -- how it comes about ----------------------------------------------------------------

    def _draw(self, state: Exploration) -> None:
        self._follow_ratio()
        size = self.size_in_pixels()
        if size.width < 1 or size.height < 1:
            return
        self.blank = self._lacks(state)
        if self.blank:
            return
        worker, key = self.model.worker, (self.ingredients(state), size)
        if key == self._made[0] or not takes_long(self.cost(state, size)):
            worker.cancel(self.name)
            self._late.stop()
            made = self._made[1] if key == self._made[0] else self._compute_now(state, size)
            if made is not None:
                self._show(state, key, made)
        elif not worker.busy(self.name):
            self._ask(state, key, long=takes_very_long(self.cost(state, size)))
        elif key == self._requested:  # it is on its way
            return
        elif self._coarse_first:  # to cancel that one at every change would be to show none
            self._picture_dirty = True
        else:  # changes come faster than pictures
            self._ask(state, key, long=True)

    def _ask(self, state: Exploration, key: Key, *, long: bool) -> None:
        """Ask the worker for a picture; for one that may be long in coming, show or ask for a
        coarse one first.
        """
        ingredients, size = key
        first = (
            coarse(partial(self.cost, state), self.coarser, size)
            if long and ingredients != self._seen
            else size
        )
        if first != size and is_quick(self.cost(state, first)):
            coarse_one = self._compute_now(state, first)
            if coarse_one is None:
                return
            self._show_coarse(state, ingredients, coarse_one)
            size = first = self.size_in_pixels()
        self._request(state, (ingredients, size), first)

    def _request(self, state: Exploration, key: Key, size: Size) -> None:
        """Ask the worker for a picture, or, where another size than the key's is given, for a
        coarse one.
        """
        self._requested, self._coarse_first = key, size != key[1]
        self.model.worker.request(self.name, partial(_answer, self.compute, state, key, size))
        if key[0] != self._seen:
            self._late.start()

    @classmethod
    def check(cls, state: Exploration) -> None:
        """Raise `EncodingError` where there is no picture: why not, and what to do."""
        _lacking.check(cls, View.__subclasses__(), state)

    def _lacks(self, state: Exploration) -> bool:
        """Say it where there is no picture of what is set up."""
        try:
            self.check(state)
        except EncodingError as error:
            self.model.worker.cancel(self.name)
            self._late.stop()
            self._made, self._requested = (None, None), None
            self._seen, self._refining = None, False
            self.say_refining(False)
            self.show_preview(None)
            self.show_lack(state, error.sentence)
            self.set_status(_lacking.in_few_words(type(self), state, error))
            return True
        return False

    def _follow_ratio(self) -> None:
        """Draw lines for the device pixels of now.

        Or they would be as wide as on the screen before.
        """
        if self.ratio != self._dressed_for:
            self._dressed_for = self.ratio
            self.apply_theme()

    def _compute_now(self, state: Exploration, size: Size) -> Any:
        """Return a picture; None, which is said, where a file has changed that it is read from."""
        try:
            return self.compute(state, size, threading.Event())
        except Exception as error:
            self._say_failed(error)
            if not isinstance(error, StoredError):
                raise
            return None

    def _show(self, state: Exploration, key: Key, picture: Any) -> None:
        """Show a picture; where its own labels took or left room beside it, draw it once more for
        what there is.
        """
        ingredients, size = key
        other = self._made[0] is None or ingredients != self._made[0][0]
        self._made, self._seen, self._refining = (key, picture), ingredients, False
        self.show_picture(state, picture)
        self.say_refining(False)
        if other and self.size_in_pixels() != size:
            self._draw(state)

    def _show_coarse(self, state: Exploration, ingredients: tuple[Any, ...], picture: Any) -> None:
        """Show a picture that a finer one will follow."""
        self._seen, self._refining = ingredients, True
        self.show_picture(state, picture)
        self.say_refining(True)

    def _say_failed(self, error: Exception) -> None:
        self.say(f"This cannot be drawn: {reason(error)}.")
        if isinstance(error, StoredError):  # nobody may have told yet that the file is another
            self.model.look_at_files()

    @Slot()
    def _say_late(self) -> None:
        self.say("Computing…")

    @Slot(object, object)
    def _changed(self, old: Exploration, new: Exploration) -> None:
        names = differing(old, new)
        self._picture_dirty |= bool(names & (self.fields | {f"options.{self.name}"}))
        self._cursor_dirty |= self._picture_dirty or bool(names & CURSOR)
        if self.isVisible():
            self.refresh()

    @Slot()
    def _previewed(self) -> None:
        if self.isVisible() and self.marks_cursor and not (self.blank or self._picture_dirty):
            self.show_preview(self.model.preview)

    @Slot(str, object)
    def _computed(self, owner: str, answer: tuple[Exploration, Key, Size, Any]) -> None:
        if owner != self.name:
            return
        self._late.stop()
        if not self._has_picture(self.model.state):  # which is yet to be announced
            return
        state, key, size, picture = answer
        if self.ingredients(self.model.state) == key[0]:
            state = self.model.state  # the picture is as good for it where only names have changed
        if size == key[1]:
            self._show(state, key, picture)
        else:
            self._show_coarse(state, key[0], picture)
            if not self._picture_dirty:
                fine = self.size_in_pixels()
                self._request(state, (key[0], fine), fine)
        self._cursor_dirty = True
        self.refresh()

    def _has_picture(self, state: Exploration) -> bool:
        try:
            self.check(state)
        except EncodingError:
            return False
        return True

    @Slot(str, object)
    def _failed(self, owner: str, error: Exception) -> None:
        if owner == self.name:
            self._late.stop()
            self._say_failed(error)
            self._timer.start()  # for what was changed in the meantime
            if not isinstance(error, StoredError):
                raise error

    def redraw(self) -> None:
        """Draw the picture anew soon, once for any number of calls."""
        self._picture_dirty = self._cursor_dirty = True
        self._timer.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = MOVES.get(Qt.Key(event.key()))
        if (
            move is None
            or self._model is None
            or event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            super().keyPressEvent(event)
            return
        what, steps = move
        self.model.playhead.step(steps, what)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.redraw()
        return presses_button(event) or super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._model is None:
            return
        self._model.point_at()  # the mouse cannot be over it any more
        if self._model.worker.busy(self.name):
            self._model.worker.cancel(self.name)
            self._picture_dirty = True

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.apply_theme()
            self.redraw()


def _answer(
    compute: Any, state: Exploration, key: Key, size: Size, cancelled: threading.Event
) -> tuple[Exploration, Key, Size, Any]:
    return state, key, size, compute(state, size, cancelled)
