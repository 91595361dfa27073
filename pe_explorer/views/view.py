"""The base class of views, which follow a model and redraw once for several changes."""

from typing import Any, ClassVar, NamedTuple

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pe_explorer import pictures
from pe_explorer.analysis.comparison import ShowOption
from pe_explorer.encodings import EncodingError, Unknown
from pe_explorer.exploration import CURSOR_FIELDS, Exploration, ResolvedState, find_differing_fields
from pe_explorer.exploration.panes import show_view, swap_views
from pe_explorer.exploration.pins import make_subject_name
from pe_explorer.model import Model
from pe_explorer.panels.follower import ModelFollower
from pe_explorer.pictures.figure import Figure, Substitute
from pe_explorer.pictures.gestures import DisplayedPicture, Fields
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._drawing import Drawing, PictureJob as PictureJob
from pe_explorer.views._header import Header
from pe_explorer.widgets.editors import CHOOSE_TEXT, LOCATE_TEXT
from pe_explorer.widgets.keys import CURSOR_MOVES


class RenderTarget(NamedTuple):
    """How to render a view, by default for the screen."""

    density: float | None = None  # device pixels per pixel; None to use the ratio of the screen
    has_cursor_mark: bool = True
    is_for_export: bool = False  # whether an export computes the pictures; see `View.find_next_job`


class View(ModelFollower):
    """A widget that shows one picture and follows a model; subclasses display the figure.

    Pictures are computed only for a visible view; a hidden view is drawn when it is shown.
    """

    picture: ClassVar[type[AnyPicture]]
    header: Header  # most frequent options, for the header of the pane

    status_changed = Signal(str)  # sentence for the status bar
    figure_changed = Signal(object, object)  # state, figure (None if a sentence replaces it)
    locate_requested = Signal()  # a request to choose the file of the encoding

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.target = RenderTarget()
        self.setObjectName(self.picture.name)
        self.setAccessibleName(self.picture.title)
        self.setAccessibleDescription(self.picture.help)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._is_blank = False  # whether a sentence replaces the picture
        self.is_stale = True  # whether the picture has to be redrawn
        self._has_stale_marks = True  # whether cursor and preview have to be redrawn
        self.status = ""  # the text that `status_changed` last emitted
        self.substitute: Substitute | None = None  # substitute for an unsuitable option value
        self._picture_cache: AnyPicture | None = None
        self._displayed_picture: DisplayedPicture | None = None
        self._drawing = Drawing(self.picture, self.compute_size_in_pixels, self)
        self._drawing.numbers_changed.connect(self._show_drawing)
        self._drawing.picture_shown.connect(self._continue_drawing)
        self._drawing.sentence_changed.connect(self.show_message)
        self._drawing.delay_reporter.phase_changed.connect(self.show_phase)
        self._drawing.failed.connect(self.schedule_refresh)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.refresh)

    def get_picture(self, state: Exploration) -> AnyPicture:
        """Return the picture of a state; the last picture is cached."""
        if self._picture_cache is None or self._picture_cache.state is not state:
            self._picture_cache = pictures.make_picture(self.picture.name, state)
        return self._picture_cache

    def set_header(self, header: Header) -> None:
        """Set the header, which is deleted with the view."""
        self.header = header
        self.destroyed.connect(header.deleteLater)

    def _set_status(self, sentence: str) -> None:
        if sentence != self.status:
            self.status = sentence
            self.status_changed.emit(sentence)

    # -- following the model -----------------------------------------------------------------

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the pairs of signals and slots to connect while the view is attached to a model.

        Include signals of mouse events, which can still be emitted after a window is closed.
        """
        return [
            (model.changed, self._follow_change),
            (model.previewed, self._follow_preview),
            *self._drawing.list_connections(model),
        ]

    def attach(self, model: Model) -> None:
        self._drawing.model = model
        super().attach(model)

    def synchronise(self) -> None:
        self.is_stale = self._has_stale_marks = True
        self.refresh()

    def detach(self) -> None:
        """Stop following the model and free the picture, without changing the screen."""
        if self._model is not None:
            self._drawing.clear()
            self._timer.stop()
            super().detach()

    @property
    def is_blank(self) -> bool:
        """Whether the view shows no picture, or the current state has no picture."""
        if self._is_blank or not self.is_attached:
            return self._is_blank
        return self.get_picture(self.model.state).is_unavailable()

    @property
    def snapshot(self) -> DisplayedPicture | None:
        return None if self.is_blank else self._displayed_picture

    @Slot(object, object)
    def _follow_change(self, old: Exploration, new: Exploration) -> None:
        names = find_differing_fields(old, new)
        self.is_stale |= bool(names & {*self.picture.fields, f"options.{self.picture.name}"})
        self._has_stale_marks |= self.is_stale or bool(names & CURSOR_FIELDS)
        if self.isVisible():
            self.refresh()

    @Slot()
    def _follow_preview(self) -> None:
        has_picture = not self.is_blank and not self.is_stale
        if self.isVisible() and self.target.has_cursor_mark and has_picture:
            self.show_preview(self.model.preview)

    # -- drawing -------------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Redraw outdated parts if the view is visible."""
        self._timer.stop()
        if self._model is None or self.target.is_for_export or not self.isVisible():
            return
        state = self.model.state
        if self.is_stale:
            self._has_stale_marks = True
            self.draw(state)
        # If drawing has changed the layout, the picture may be stale; the marks are drawn later.
        if self._has_stale_marks and not self.is_stale:
            self._has_stale_marks = False
            if self.target.has_cursor_mark and not self.is_blank:
                self.show_cursor(state)
                self.show_preview(self.model.preview)

    @Slot()
    def schedule_refresh(self) -> None:
        """Schedule a call of `refresh`; several requests cause only one call."""
        self._timer.start()

    @Slot()
    def redraw(self) -> None:
        """Schedule a complete redraw; several requests cause only one redraw."""
        self.is_stale = self._has_stale_marks = True
        self._picture_cache = None  # the file of the picture may have changed
        self._timer.start()

    def compute_again(self) -> None:
        """Compute the picture again without cached results."""
        self._drawing.clear()
        self.redraw()

    def draw(self, state: Exploration) -> None:
        """Draw the picture of a state, or request the picture from the worker."""
        self._is_blank = self._show_problem(state)
        size = Size(0, 0) if self._is_blank else self.compute_size_in_pixels()
        self.is_stale = False  # computing the size may have marked the picture as stale
        self._timer.stop()
        has_area = size.width >= 1 and size.height >= 1
        if has_area and not self._drawing.draw(self.get_picture(state), size):
            self.is_stale = True

    def show_numbers(self, picture: AnyPicture, numbers: Any) -> None:
        is_coarse = self._drawing.is_coarse
        figure = picture.figure(numbers).with_minus_signs()
        self._displayed_picture = DisplayedPicture(picture, numbers, figure)
        self.show_figure(picture.state, figure, is_coarse=is_coarse)
        self.substitute = figure.substitute
        self.figure_changed.emit(picture.state, figure)
        self._set_status(f"{figure.status} Refining…" if is_coarse else figure.status)

    @Slot(object, object, object)
    def _show_drawing(self, picture: AnyPicture, numbers: Any, size: Size | None) -> None:
        self.show_numbers(picture, numbers)
        self.show_refining(self._drawing.is_coarse)
        if size is not None and self.compute_size_in_pixels() != size:
            self.draw(picture.state)

    @Slot()
    def _continue_drawing(self) -> None:
        if self._drawing.is_coarse and not self.is_stale:
            self._drawing.refine()
        self._has_stale_marks = True
        self.refresh()

    def find_next_job(self) -> PictureJob | None:
        """Return the next job of an export, or None if the picture is finished or unavailable."""
        state = self.model.state
        self._is_blank = self._show_problem(state)
        if self._is_blank:
            return None
        return self._drawing.job(self.get_picture(state), self.compute_size_in_pixels())

    def finish(self, job: PictureJob, numbers: Any) -> None:
        self._drawing.finish(job, numbers)
        self.show_numbers(job.picture, numbers)
        if self.target.has_cursor_mark:
            self.show_cursor(job.picture.state)

    def _show_problem(self, state: Exploration) -> bool:
        try:
            pictures.check(self.picture.name, state)
        except EncodingError as error:
            picture = self.get_picture(state)
            self._drawing.clear()
            self.show_refining(False)
            self.show_preview(None)
            self.show_unavailable(state, picture.frame(), error.sentence)
            self.substitute = None
            self.figure_changed.emit(state, None)
            encodings = picture.find_required_encodings().values()
            reasons = (f", because {e.cause}." for e in encodings if isinstance(e, Unknown))
            reason = next(reasons, f". {error.sentence}")
            self._set_status(f"{self.picture.title}: nothing is shown{reason}")
            return True
        return False

    # -- what a subclass shows -------------------------------------------------------------------

    @property
    def options(self) -> Any:
        return self.get_picture(self.model.state).options

    @Slot(str, object)
    def set_option(self, field: str, value: object) -> None:
        """Change an option of the view, or a field of the exploration that the picture uses."""
        if field not in self.picture.fields:
            self.set_options(**{field: value})
        elif self.is_attached:
            self.model.set(**{field: value})

    def set_options(self, **fields: object) -> None:
        """Change options; if the new values are refused, redraw to restore the old values."""
        if not self.model.set_options(self.picture.name, **fields):
            self.redraw()

    def change(self, fields: Fields) -> None:
        """Change fields of the exploration, including options of the view."""
        self.model.try_change(_replace_fields, self.picture.name, fields)

    def visible_state(self, state: ResolvedState) -> ResolvedState:
        """Return a state whose picture, at any size, has the same content as the screen."""
        return state

    def compute_size_in_pixels(self) -> Size:
        """Return the size of the picture's area in device pixels."""
        raise NotImplementedError

    def show_figure(self, state: Exploration, figure: Figure, *, is_coarse: bool) -> None:
        """Show the figure of a state; if `is_coarse`, a finer figure follows."""
        raise NotImplementedError

    def show_unavailable(self, state: Exploration, frame: Figure, sentence: str) -> None:
        """Show an empty figure, with the reason why `state` has no picture."""
        raise NotImplementedError

    def show_cursor(self, state: Exploration) -> None:
        """Mark the cursor."""

    def show_preview(self, state: Exploration | None) -> None:
        """Mark the hovered point, which is the cursor of `state`; None removes the mark."""

    def show_message(self, sentence: str, offer: str = "") -> None:
        """Show a sentence and a button over the picture until the next picture."""
        raise NotImplementedError

    def show_phase(self, sentence: str) -> None:
        """Show the phase of the computation until the next picture."""
        self.show_message(sentence)

    def show_refining(self, is_coarse: bool) -> None:
        """Show whether the picture is coarse and will be replaced by a finer one."""

    def get_remedy_text(self, state: Exploration) -> str:
        """Return the text of a button for a remedy, or an empty string if there is no remedy."""
        picture = self.get_picture(state)
        if picture.is_difference_undefined():
            return f"Show {make_subject_name(state, ShowOption.PINNED)}"
        e = state.encoding
        if isinstance(e, Unknown) and e.missing_file_parameter:
            return LOCATE_TEXT if e.parameters[e.missing_file_parameter] else CHOOSE_TEXT
        if isinstance(e, Unknown) or picture.has_unknown_encoding():
            return ""  # no file is missing, or the file belongs to a pin
        substitute = pictures.find_available_view(self.picture.name, state)
        return f"Show {pictures.find(substitute).title.lower()}" if substitute else ""

    @Slot()
    def apply_remedy(self) -> None:
        """Apply the remedy that `get_remedy_text` describes."""
        state = self.model.state
        name, panes = self.picture.name, state.panes
        if self.get_picture(state).is_difference_undefined():
            self.set_option("show", ShowOption.PINNED.value)
        elif isinstance(state.encoding, Unknown):
            self.locate_requested.emit()
        elif panes is not None and (view := pictures.find_available_view(name, state)):
            is_shown = name in panes.views
            panes = swap_views(panes, name, view) if is_shown else show_view(panes, view)
            self.model.set(panes=panes)

    # -- the screen ------------------------------------------------------------------------------

    @property
    def ratio(self) -> float:
        return self.target.density or self.devicePixelRatioF()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = CURSOR_MOVES.get(Qt.Key(event.key()))
        is_control_held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if move is None or self._model is None or is_control_held:
            super().keyPressEvent(event)
        else:
            unit, steps = move
            self.model.playhead.step(steps, unit)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.redraw()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.schedule_refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._model is not None:
            self._model.point_at()  # the mouse is no longer over the view
            self._model.gesture.end()
            self.is_stale |= self._drawing.cancel()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.redraw()


def _replace_fields(state: Exploration, picture: str, fields: Fields) -> Exploration:
    options = pictures.with_options(state, picture, **fields.get("options", {})).options
    return state.with_(**{**fields, "options": options})
