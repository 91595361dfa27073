"""The contract of a view: attach and detach, draw only what differs, dirty while hidden."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.encodings import Encoding, EncodingError, Unknown, known
from pe_explorer.exploration import CURSOR, differing
from pe_explorer.model import Exploration, Model
from pe_explorer.params import Declared, reason
from pe_explorer.views._wanted import Key, Size, Wanted
from pe_explorer.widgets.keys import MOVES, presses_button

__all__ = ["Options", "Size", "View", "Wanted", "computed_at_once"]

_INLINE_COST = 1_000_000  # numbers; more than these would take a good part of a frame, and go to the worker
_PATIENCE = 300  # milliseconds before a picture that is late is said to be


def computed_at_once(cost: float) -> bool:
    """Whether pictures of this cost are computed in the GUI thread."""
    return cost <= _INLINE_COST


@dataclass(frozen=True)
class Options(Declared):
    """What can be chosen in a view; each view has its own subclass."""


class View(QWidget):
    """A picture of an exploration that follows a model.

    A subclass names the fields of the exploration that its picture depends on and defines
    `cost`, `compute` and `show_picture`; `show_cursor` marks the shared cursor on top.
    `compute` is a function of plain values, so that it can run in the worker.

    Pictures are computed when the view is visible, and once for any number of changes.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rank: ClassVar[int]
    """Place among the views in lists and menus, smallest first."""
    help: ClassVar[str]
    Options: ClassVar[type[Options]] = Options
    fields: ClassVar[frozenset[str]] = frozenset({"encoding", "start", "count"})

    status_changed = Signal(str)
    """What a pixel stands for, in a sentence."""

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
        """Whether somebody else has its pictures computed, and shows them, see `wanted`: an export."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.refresh)
        self._late = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._late.timeout.connect(self._say_late)

    # -- what a subclass defines ---------------------------------------------------------

    def size_in_pixels(self) -> Size:
        """Return the size of the picture's area in device pixels."""
        raise NotImplementedError

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        """Return what `compute` makes the picture of; where that is the same, the picture is."""
        return (*(getattr(state, name) for name in sorted(cls.fields)), state.options[cls.name])

    @staticmethod
    def cost(state: Exploration, size: Size) -> float:
        """Return about how many numbers `compute` makes."""
        raise NotImplementedError

    @staticmethod
    def compute(state: Exploration, size: Size, cancelled: threading.Event) -> Any:
        """Return the picture of an exploration, as plain values and arrays."""
        raise NotImplementedError

    def show_picture(self, state: Exploration, picture: Any) -> None:
        """Put a computed picture on the screen."""
        raise NotImplementedError

    @classmethod
    def needed(cls, state: Exploration) -> dict[str, Encoding | Unknown]:
        """Return the encodings without which there is no picture, by their roles."""
        return {"encoding": state.encoding}

    @classmethod
    def check(cls, state: Exploration) -> None:
        """Raise `EncodingError`, which says what to do, where a needed encoding is unknown."""
        for role, e in cls.needed(state).items():
            known(e, role)

    def show_lack(self, state: Exploration, sentence: str) -> None:
        """Put a sentence in the place of the picture: there is none of what is set up."""
        raise NotImplementedError

    def make_room(self, state: Exploration) -> None:
        """Give the axes the room that they will need, so that a picture is computed once."""

    def show_cursor(self, state: Exploration) -> None:
        """Mark the cursor."""

    def show_preview(self, state: Exploration | None) -> None:
        """Mark, lightly, where the cursor of `state` is: the mouse points there, in this view or another; or take the mark off."""

    def say(self, sentence: str) -> None:
        """Tell over the picture why it does not show what it should; the next picture clears it."""

    def apply_theme(self) -> None:
        """Take colours from the palette anew, and lines as wide as `ratio` wants them."""

    def hide_controls(self) -> None:
        """Leave the picture alone: buttons and boxes do not belong in a figure."""

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
        """Follow no model, and let go of the picture; on the screen it stays until there is another."""
        if self._model is None:
            return
        self._model.worker.cancel(self.name)
        for signal, slot in self.connections(self._model):
            signal.disconnect(slot)
        self._timer.stop()
        self._late.stop()
        self._made, self._requested = (None, None), None
        self._model = None

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the pairs of signal and slot that make up the attachment."""
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
        if self._cursor_dirty and not self._picture_dirty:  # drawing may lay out anew and ask for another picture
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
        """Return what is to be computed for the state and the size of now, None if that is shown."""
        state = self.model.state
        self._follow_ratio()
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
        if key != self._made[0] and not computed_at_once(self.cost(state, size)):
            if key != self._requested or not worker.busy(self.name):  # or it is on its way
                self._requested = key
                worker.request(self.name, partial(_answer, self.compute, state, key))
                self._late.start()
            return
        worker.cancel(self.name)
        self._late.stop()
        self._show(state, key, self._made[1] if key == self._made[0] else self._compute_now(state, size))

    def _lacks(self, state: Exploration) -> bool:
        """Say it where a needed encoding is not known here."""
        try:
            self.check(state)
        except EncodingError as error:
            self.model.worker.cancel(self.name)
            self._late.stop()
            self._made, self._requested = (None, None), None
            self.show_preview(None)
            self.show_lack(state, error.sentence)
            self.set_status(f"{self.title}: nothing is shown, as the encoding is not known here.")
            return True
        return False

    def _follow_ratio(self) -> None:
        """Draw lines for the device pixels of now: or they would be as wide as on the screen before."""
        if self.ratio != self._dressed_for:
            self._dressed_for = self.ratio
            self.apply_theme()

    def _compute_now(self, state: Exploration, size: Size) -> Any:
        try:
            return self.compute(state, size, threading.Event())
        except Exception as error:
            self._say_failed(error)
            raise

    def _show(self, state: Exploration, key: Key, picture: Any) -> None:
        """Show a picture; where its own labels took or left room beside it, draw it once more for what there is."""
        ingredients, size = key
        other = self._made[0] is None or ingredients != self._made[0][0]
        self._made = key, picture
        self.show_picture(state, picture)
        if other and self.size_in_pixels() != size:
            self._draw(state)

    def _say_failed(self, error: Exception) -> None:
        self.say(f"This cannot be drawn: {reason(error)}.")

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
    def _computed(self, owner: str, answer: tuple[Exploration, Key, Any]) -> None:
        if owner == self.name:
            self._late.stop()
            state, key, picture = answer
            newest = self.model.state  # the picture is as good for it where only names have changed
            self._show(newest if self.ingredients(newest) == key[0] else state, key, picture)
            self._cursor_dirty = True
            self.refresh()

    @Slot(str, object)
    def _failed(self, owner: str, error: Exception) -> None:
        if owner == self.name:
            self._late.stop()
            self._say_failed(error)
            raise error

    def redraw(self) -> None:
        """Draw the picture anew soon, once for any number of calls."""
        self._picture_dirty = self._cursor_dirty = True
        self._timer.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = MOVES.get(Qt.Key(event.key()))
        if move is None or self._model is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
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


def _answer(compute: Any, state: Exploration, key: Key, cancelled: threading.Event) -> tuple[Exploration, Key, Any]:
    return state, key, compute(state, key[1], cancelled)
