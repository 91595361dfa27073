"""A view: it follows a model, and draws what differs, once for any number of changes."""

from typing import Any

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from pe_explorer import pictures
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import CURSOR, Exploration, differing
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Substitute
from pe_explorer.pictures.gestures import OnScreen
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._contract import ScreenEvents, Target as Target
from pe_explorer.views._drawing import Drawing, Job as Job
from pe_explorer.views._header import Header


class View(ScreenEvents):
    """A picture of an exploration that follows a model.

    What a subclass defines is in `Contract`. Pictures are computed when the view is visible; what
    changes while it is hidden is drawn when it is shown.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(self.picture.name)
        self.setAccessibleName(self.picture.title)
        self.setAccessibleDescription(self.picture.help)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._is_blank = False
        """Whether there is a sentence in the place of the picture."""
        self.is_stale = True
        """Whether the picture has to be drawn again."""
        self._marks_stale = True
        """Whether cursor and preview have to be marked again."""
        self.status = ""
        """What a pixel stands for, in a sentence."""
        self.substitute: Substitute | None = None
        """What is shown in the place of a choice; the status tells when it is another."""
        self._drawn: OnScreen | None = None
        """What the picture shows, None before there is one."""
        self._drawing = Drawing(self.picture, self.size_in_pixels, self._room_for, self)
        self._drawing.made.connect(self._take)
        self._drawing.arrived.connect(self._take_further)
        self._drawing.said.connect(self.show_message)
        self._drawing.lateness.phase_said.connect(self.show_phase)
        self._drawing.failed.connect(self.refresh_soon)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.refresh)

    def take_header(self, header: Header) -> None:
        """Have choices for the header of the pane, which are deleted with the view in any case."""
        self.header = header
        self.destroyed.connect(header.deleteLater)

    def _set_status(self, sentence: str) -> None:
        if sentence != self.status:
            self.status = sentence
            self.status_changed.emit(sentence)

    # -- following the model -----------------------------------------------------------------

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the pairs of signal and slot that make up the attachment.

        What the mouse does is among them: it may leave a window that is closed already.
        """
        return [
            (model.changed, self._changed),
            (model.previewed, self._previewed),
            *self._drawing.connections(model),
        ]

    def attach(self, model: Model) -> None:
        """Follow a model, and draw it."""
        self._drawing.model = model
        super().attach(model)

    def synchronise(self) -> None:
        self.is_stale = self._marks_stale = True
        self.refresh()

    def detach(self) -> None:
        """Follow no model, and forget the picture; on the screen it stays until the next."""
        if self._model is None:
            return
        self._drawing.clear()
        self._timer.stop()
        super().detach()

    @property
    def blank(self) -> bool:
        """Whether there is no picture, or is soon none: what it needs may have gone just now."""
        return self._is_blank or (self.attached and self.picture.is_lacking(self.model.state))

    @property
    def drawn(self) -> OnScreen | None:
        """What the picture shows, None where there is none."""
        return None if self.blank else self._drawn

    @Slot(object, object)
    def _changed(self, old: Exploration, new: Exploration) -> None:
        names = differing(old, new)
        drawn = self.picture.fields | {f"options.{self.picture.name}"}
        self.is_stale |= bool(names & drawn)
        self._marks_stale |= self.is_stale or bool(names & CURSOR)
        if self.isVisible():
            self.refresh()

    @Slot()
    def _previewed(self) -> None:
        has_picture = not self.blank and not self.is_stale
        if self.isVisible() and self.target.marks_cursor and has_picture:
            self.show_preview(self.model.preview)

    # -- drawing -------------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Draw what is out of date, if the view can be seen."""
        self._timer.stop()
        if self._model is None or self.target.driven or not self.isVisible():
            return
        state = self.model.state
        if self.is_stale:
            self._marks_stale = True
            self.draw(state)
        # Drawing may have changed the layout, and so asked for another picture.
        if self._marks_stale and not self.is_stale:
            self._marks_stale = False
            if self.target.marks_cursor and not self.blank:
                self.show_cursor(state)
                self.show_preview(self.model.preview)

    @Slot()
    def refresh_soon(self) -> None:
        """Draw what is out of date, once for any number of calls."""
        self._timer.start()

    @Slot()
    def redraw(self) -> None:
        """Draw everything again soon, once for any number of calls."""
        self.is_stale = self._marks_stale = True
        self._timer.start()

    def compute_again(self) -> None:
        """Have the picture computed once more, as if nothing were known of it."""
        self._drawing.clear()
        self.redraw()

    def draw(self, state: Exploration) -> None:
        """Draw the picture of a state, or have it drawn once it is computed."""
        self.follow_ratio()
        size = self.size_in_pixels()
        self.is_stale = False  # also where its parts have been arranged anew for this size
        self._timer.stop()
        self._is_blank = self._shows_lack(state)
        if size.width < 1 or size.height < 1:
            return
        if not self._is_blank and not self._drawing.draw(state, size):
            self.is_stale = True

    def show_numbers(self, state: Exploration, numbers: Any) -> None:
        """Show what `picture.compute` returned for a state."""
        refining = self._drawing.refining
        figure = self.picture.figure(state, numbers).as_printed()
        self._drawn = OnScreen(state, numbers, figure)
        self.show_figure(state, figure, refining=refining)
        self.substitute = figure.substitute
        self.figure_changed.emit(state, figure)
        self._set_status(f"{figure.status} Refining…" if refining else figure.status)

    @Slot(object, object, object)
    def _take(self, state: Exploration, numbers: Any, size: Size | None) -> None:
        """Show a picture; draw it once more if its own labels changed the room that it has."""
        self.show_numbers(state, numbers)
        self.show_refining(self._drawing.refining)
        if size is not None and self.size_in_pixels() != size:
            self.draw(state)

    @Slot()
    def _take_further(self) -> None:
        """Have a coarse picture refined, mark the cursor, and draw what is out of date."""
        if self._drawing.refining and not self.is_stale:
            self._drawing.refine()
        self._marks_stale = True
        self.refresh()

    def _room_for(self, state: Exploration) -> Size:
        """Give the axes of a state's picture their room, and return the size left to it."""
        self.make_room(self.picture.frame(state))
        return self.size_in_pixels()

    def next_job(self) -> Job | None:
        """Return what an export has to compute, None if all is shown."""
        state = self.model.state
        self.follow_ratio()
        self._is_blank = self._shows_lack(state)
        if self._is_blank:
            return None
        self.make_room(self.picture.frame(state))
        return self._drawing.job(state, self.size_in_pixels())

    def finish(self, job: Job, numbers: Any) -> None:
        """Show what was computed for a job."""
        self._drawing.finish(job, numbers)
        self.show_numbers(job.state, numbers)
        if self.target.marks_cursor:
            self.show_cursor(job.state)

    def _shows_lack(self, state: Exploration) -> bool:
        """Show why there is no picture, and return True; return False where there is one."""
        try:
            pictures.check(self.picture.name, state)
        except EncodingError as error:
            self._drawing.clear()
            self.show_refining(False)
            self.show_preview(None)
            self.show_lack(state, self.picture.frame(state), error.sentence)
            self.substitute = None
            self.figure_changed.emit(state, None)
            self._set_status(self.picture.lack_in_few_words(state, error))
            return True
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._model is not None and self._drawing.cancel():
            self.is_stale = True
