"""The dialog that exports a figure, and the form for exporting and printing a figure."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QTransform,
)
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from pe_explorer import flags, pictures
from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.app.output.figure_order import FORMAT, FigureChoices, FigureJob
from pe_explorer.app.output.figure_parts import PART_STYLE, PartPopup, PartsButton, unused_fields
from pe_explorer.app.output.work_dialog import DialogContext, FileDialog, WorkDialog
from pe_explorer.figures.page import Page, PagePart
from pe_explorer.figures.size import PRESETS, UNIT_POINTS, FigureSize, parse_figure_size
from pe_explorer.figures.style import SINGLE_FIGURE_SETTINGS, Style
from pe_explorer.files.figure_request import (
    FigureRequest,
    format_figure_session,
    make_embedded_state,
)
from pe_explorer.model import Model
from pe_explorer.model.steps import StepRunner, Steps
from pe_explorer.painting.device import log_errors
from pe_explorer.painting.page_painter import format_font_note
from pe_explorer.params import Choice, ParameterError, declared
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.labels import ElidedLabel
from pe_explorer.widgets.layouts import lay_out_column, lay_out_row, make_scroll_area
from pe_explorer.widgets.theme import colours

if TYPE_CHECKING:
    DialogBase = WorkDialog
else:
    DialogBase = object  # not a Qt class, because Qt uses the signals of only one base class

_HELP = "Click an axis, a curve, a name, the colour bar or a panel of the figure to change it."
_OUTDATED_NOTE = "The preview is out of date, because the current choice cannot be drawn."
_SQUARE_SIDE = 8  # side in pixels of the checkerboard squares behind transparent figures
_MAX_CLICK_DISTANCE = 2.0  # maximum distance in points between a click and a curve
_PreviewResult = tuple[QImage, str, tuple[PagePart, ...]]  # image, notes and parts of a figure


class FigurePreview(QWidget):
    """A preview of a figure, or a message in front of the last figure that could be drawn."""

    redrawn = Signal(str)  # a note about omitted parts of the figure; empty if no part is omitted
    refused = Signal(str)  # reason why the figure cannot be drawn
    chosen = Signal(object, QPoint)  # a `PagePart`, and the position of the click

    def __init__(self, model: Model, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Preview")
        self.setToolTip(f"<p>{_HELP}</p>")
        self.setMouseTracking(True)
        self.setMinimumSize(QSize(320, 240))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.image: QImage | None = None  # the displayed figure
        self.sentence = ""  # message over the last figure, or in an empty preview
        self._job: FigureJob | None = None
        self._drawn_job: FigureJob | None = None  # the job of the displayed figure
        self.parts: tuple[PagePart, ...] = ()  # parts of the displayed figure
        self._hovered_part: PagePart | None = None  # the part under the mouse pointer
        self._checkerboard = _draw_checkerboard()
        self._runner = StepRunner(model.worker, "preview", self)
        self._runner.done.connect(self._receive_preview)
        self._runner.failed.connect(self._receive_error)
        # The timer combines several edits into one preview.
        self._timer = QTimer(self, singleShot=True, interval=30)
        self._timer.timeout.connect(self._draw)

    @property
    def is_busy(self) -> bool:
        """Whether the requested figure is not displayed yet."""
        return self._runner.is_busy or self._timer.isActive()

    def show_figure(self, job: FigureJob) -> None:
        """Schedule the figure of a job, unless it is already displayed."""
        last_job = self._job if self.is_busy else self._drawn_job
        if job == last_job and not self.sentence:
            return
        self._runner.cancel()  # otherwise the previous job's figure could be displayed
        self._job = job
        self._timer.start()

    def show_sentence(self, sentence: str, view: str, only: str) -> None:
        """Show a message; keep the last figure visible if it shows the same view and part."""
        self._job = None
        self.stop()
        self.sentence = sentence
        if self._drawn_job and (self._drawn_job.view, self._drawn_job.only) != (view, only):
            self.image = self._drawn_job = None
            self.parts, self._hovered_part = (), None
        self.update()

    def stop(self) -> None:
        self._timer.stop()
        self._runner.cancel()

    @Slot()
    def _draw(self) -> None:
        if (job := self._job) is None:
            return
        width = self._place_figure(QSizeF(*job.size.in_points)).width() * self.devicePixelRatioF()
        dpi = width * UNIT_POINTS["in"] / job.size.in_points[0]
        self._runner.run(_draw_preview(job._replace(scale=dpi / job._replace(scale=1.0).dpi)))

    @Slot(object)
    def _receive_preview(self, preview: _PreviewResult) -> None:
        self.image, note, self.parts = preview
        self.sentence = ""
        self._hovered_part = None
        self._drawn_job = self._job
        self.update()
        self.redrawn.emit(note)

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        if not isinstance(error, ParameterError):
            raise error
        assert self._job is not None
        self.show_sentence(error.sentence, self._job.view, self._job.only)
        self.refused.emit(error.sentence)

    def _place_figure(self, size: QSizeF) -> QRectF:
        """Return the centred rectangle of a figure with the proportions of `size`."""
        space = QRectF(self.rect())
        rect = QRectF(QPointF(), size.scaled(space.size(), Qt.AspectRatioMode.KeepAspectRatio))
        rect.moveCenter(space.center())
        return rect

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._job is not None:
            self._timer.start()

    def find_part(self, position: QPointF) -> PagePart | None:
        point = self._transform.inverted()[0].map(position)
        x, y = point.x(), point.y()
        return next((part for part in self.parts if part.contains(x, y, _MAX_CLICK_DISTANCE)), None)

    def choose(self, part: PagePart) -> None:
        """Select a part as if the user had clicked its centre."""
        place = self._transform.mapRect(QRectF(*part.place)).center().toPoint()
        self.chosen.emit(part, place)

    @property
    def _transform(self) -> QTransform:
        size = QSizeF(*(self._drawn_job.size.in_points if self._drawn_job else (1.0, 1.0)))
        rect = self._place_figure(size)
        scale = rect.width() / size.width()
        return QTransform.fromTranslate(rect.x(), rect.y()).scale(scale, scale)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered_part = self.find_part(event.position())
        shapes = Qt.CursorShape
        self.setCursor(shapes.PointingHandCursor if self._hovered_part else shapes.ArrowCursor)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self.find_part(event.position())
        if event.button() == Qt.MouseButton.LeftButton and part is not None:
            self.chosen.emit(part, event.position().toPoint())

    @log_errors
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            rect, text = self.rect(), self.sentence
            if self.image is not None:
                image_rect = self._place_figure(QSizeF(self.image.size()))
                painter.drawTiledPixmap(image_rect, self._checkerboard)
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(image_rect, self.image)
            if self._hovered_part is not None:
                painter.setPen(QPen(QColor(colours(self.palette()).accent), 1.5))
                painter.drawRect(self._transform.mapRect(QRectF(*self._hovered_part.place)))
            # Paint a strip with a note that the visible figure is not the current choice.
            if self.sentence and self.image is not None:
                rect.setHeight(2 * self.fontMetrics().lineSpacing())
                painter.fillRect(rect, self.palette().toolTipBase())
                text = _OUTDATED_NOTE
            painter.setPen(self.palette().text().color())
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(rect, flags, text)
        finally:
            painter.end()


def _draw_checkerboard() -> QPixmap:
    """Return a checkerboard tile, which fills the background behind transparent figures."""
    tile, side = QPixmap(2 * _SQUARE_SIDE, 2 * _SQUARE_SIDE), _SQUARE_SIDE
    tile.fill(QColor("#ffffff"))
    painter = QPainter(tile)
    for start in (0, side):
        painter.fillRect(start, start, side, side, QColor("#d8d8d8"))
    painter.end()
    return tile


def _draw_preview(job: FigureJob) -> Steps[_PreviewResult]:
    page = yield from figure_order.lay_out_figures(job)
    image: QImage = yield partial(figure_files.image, page, job.dpi)
    return image, page.note, page.parts


_CUSTOM_SIZE = "own"
_PRESET_NAMES = {size: name for name, size in PRESETS.items()}
_VIEW_SETTINGS = {name: PART_STYLE[name] for name in SINGLE_FIGURE_SETTINGS if name in PART_STYLE}
"""The default values of the settings of parts that apply to the figure of one view only."""
_PREFERRED_SIZE = QSize(940, 620)  # pixels
_WINDOW_FRAME_SIZE = QSize(16, 40)  # pixels, including the title bar


class FigureForm(QWidget):
    """A form with the options of a figure, and a preview beside it."""

    choices_confirmed = Signal(str, object)  # name of the view, and the `FigureChoices`

    def __init__(
        self, dialog: "FigureDialogMixin", context: DialogContext, choices: FigureChoices
    ) -> None:
        super().__init__(dialog)
        self._dialog, self._state = dialog, context.state
        self._style, self._size = choices.style, choices.size
        self._view = context.view  # the last view that was drawn alone, not in a plate
        self._settings_by_view: dict[str, dict[str, Any]] = {}  # settings of other views by view
        self.drawing_problem = ""  # reason why the figure cannot be drawn; empty if it can be drawn
        self._omission_note = ""  # note about parts omitted from the displayed figure
        self._parts_by_name: dict[str, tuple[str, str]] = {}  # view and part, by default file name
        meanings: dict[str, str] = {}
        for view in pictures.names():
            for only in ("", *figure_order.list_part_names(view, context.state)):
                name, help_text = f"{view}-{only}" if only else view, pictures.find(view).help
                self._parts_by_name[name] = view, only
                meanings[name] = f"Draw only the part {only}. {help_text}" if only else help_text
        self._parts_by_name[flags.PLATE] = flags.PLATE, ""
        meanings[flags.PLATE] = "All open panes, or only the views that you list. "
        meanings[flags.PLATE] += "Each panel of the figure has a letter."
        view_choice = Choice(context.view, meanings, label="Draw", help="What the figure shows.")
        self.view_combo = dialog.add_choice("&Draw", view_choice, context.view)
        sizes = {name: f"{size}" for name, size in PRESETS.items()}
        sizes[_CUSTOM_SIZE] = "the width and height entered beside this list"
        size_choice = Choice(_CUSTOM_SIZE, sizes, label="Size", help="A common figure size.")
        self.preset = ChoiceEditor("Size", size_choice, self).combo
        self.preset.display(_PRESET_NAMES.get(self._size, _CUSTOM_SIZE))
        self.preset.fit()
        self.size_field = QLineEdit(str(self._size))
        self.size_field.setAccessibleName("Width and height")
        size_help = "The width and height, such as 84x60mm, 3.3x2.4in, or 1600x900 for pixels."
        self.size_field.setToolTip(size_help)
        row = QHBoxLayout()
        row.addWidget(self.preset)
        row.addWidget(self.size_field, 1)
        dialog.add_row("&Size", row, self.preset)
        self.size_note = ElidedLabel()
        self.size_note.setAccessibleName("Size in millimetres and pixels")
        dialog.form.addRow("", self.size_note)
        self.preview = FigurePreview(context.model, self)
        names = [name for name in declared(Style) if name not in PART_STYLE]
        self.fields = FormFields(Style, names, self, label_width=108, is_live=True)
        self.fields.display(vars(self._style))
        self._scroll_area = make_scroll_area(self.fields, "Style")
        self._scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._popup: PartPopup | None = None
        self.parts_button = PartsButton(lambda: self.preview.parts)
        left = QWidget()
        left.setFixedWidth(330)
        column = lay_out_column(left)
        column.addLayout(dialog.form)
        column.addWidget(self._scroll_area, 1)
        column.addWidget(self.parts_button)
        lay_out_row(self, left).addWidget(self.preview, 1)
        for signal, slot in (
            (self.view_combo.currentIndexChanged, self._change_view),
            (self.preset.currentIndexChanged, self._apply_preset),
            (self.size_field.textChanged, self.update_preview),
            (self.size_field.editingFinished, self._show_size),
            (self.fields.edited, self._edit),
            (self.fields.refused, self.update_preview),
            (self.fields.settled, self._update_if_valid),
            (self.preview.redrawn, self._show_note),
            (self.preview.refused, self._show_problem),
            (self.preview.chosen, self._open_part),
            (self.parts_button.chosen, self._choose_part),
        ):
            signal.connect(slot)

    @property
    def style_and_size(self) -> tuple[Style, FigureSize]:
        """The chosen style, and the last valid size."""
        return self._style, self._size

    @property
    def note(self) -> str:
        """The reason why the figure cannot be drawn, or notes on omitted parts and the font."""
        notes = (self._omission_note, format_font_note(self._style.font))
        return self.drawing_problem or " ".join(filter(None, notes))

    def read_job(self) -> FigureJob:
        """Return the chosen job; if a value is invalid, focus it and raise `ParameterError`."""
        self.fields.commit()
        try:
            return self._make_job()
        except ParameterError:
            if invalid_fields := self.fields.invalid_fields:
                self._scroll_area.ensureWidgetVisible(self.fields.go_to(invalid_fields[0]))
            raise

    def _make_job(self) -> FigureJob:
        self._size = parse_figure_size(self.size_field.text())
        view, only = self._parts_by_name[self.view_combo.currentData()]
        job = FigureJob(view, self._state, self._style, self._size, only=only)
        figure_order.check(job)
        for form in (self.fields, *(self._popup.forms if self._popup else ())):
            form.check()
        return job

    @Slot()
    def _change_view(self) -> None:
        """Keep the settings of the old view's parts, which could prevent drawing another view."""
        view, _ = self._parts_by_name[self.view_combo.currentData()]
        if view not in (self._view, flags.PLATE):
            old_settings = {name: getattr(self._style, name) for name in _VIEW_SETTINGS}
            self._settings_by_view[self._view] = old_settings
            new_settings = self._settings_by_view.get(view, _VIEW_SETTINGS)
            self._style = replace(self._style, **new_settings)
            self._view = view
        self.update_preview()

    @Slot()
    def update_preview(self) -> None:
        preset, note, help_text = _CUSTOM_SIZE, "", ""
        with suppress(ParameterError):
            self._size = size = parse_figure_size(self.size_field.text())
            preset = _PRESET_NAMES.get(size, _CUSTOM_SIZE)
            width, height = FigureJob("", self._state, self._style, size).pixels
            sides = [side / UNIT_POINTS["mm"] for side in size.in_points]
            brief_size, exact_size = (
                " × ".join(f"{side:.{digits}g}" for side in sides) for digits in (3, 4)
            )
            note = f"{brief_size} mm, {width:,} × {height:,} px"
            help_text = f"{exact_size} mm; as PNG {width:,} × {height:,} pixels"
        self.preset.display(preset)
        self.size_note.setText(note)
        self.size_note.setToolTip(help_text)
        view, only = self._parts_by_name[self.view_combo.currentData()]
        unused_names = flags.find_ineffective_fields(view, self._state, only, self._style)
        # Disable fields before the check, because disabled fields are not checked.
        self.fields.set_unavailable({**unused_names, **self._dialog.unused_fields})
        try:
            job = self._make_job()
        except ParameterError as error:
            self.preview.show_sentence(error.sentence, view, only)
            self._show_problem(error.sentence)
        else:
            self.preview.show_figure(job)
            self._show_problem("")

    @Slot()
    def _update_if_valid(self) -> None:
        if not self.fields.invalid_fields:
            self.update_preview()

    @Slot(str)
    def _show_note(self, omission_note: str) -> None:
        old_note, self._omission_note = self.note, omission_note
        if self._dialog.message.text() == old_note:
            self._dialog.clear_message()

    @Slot(str)
    def _show_problem(self, sentence: str) -> None:
        self.drawing_problem = sentence
        self._dialog.clear_message()

    @Slot()
    def _show_size(self) -> None:
        with suppress(ParameterError):
            self.size_field.setText(str(parse_figure_size(self.size_field.text())))

    @Slot(str, object)
    def _edit(self, name: str, value: Any) -> None:
        try:
            self._style = replace(self._style, **{name: value})
        except ParameterError as error:
            self._show_problem(error.sentence)
            return
        if self._popup:
            self._popup.display(self._style, self._panels)
        self.update_preview()

    @Slot(object)
    def _choose_part(self, part: PagePart | None) -> None:
        if part is not None:
            self.preview.choose(part)
        else:
            self._style = replace(self._style, **PART_STYLE)
            self.update_preview()

    @property
    def _panels(self) -> tuple[str, ...]:
        """The panels of a plate, by default the visible views; empty for other figures."""
        if self.view_combo.currentData() != flags.PLATE:
            return ()
        return self._style.panels or flags.list_drawn_views(flags.PLATE, self._state)

    @Slot(object, QPoint)
    def _open_part(self, part: PagePart, place: QPoint) -> None:
        view, only = self._parts_by_name[self.view_combo.currentData()]
        unused_names = unused_fields(part, view, self._state, self._style, only)
        self._popup = PartPopup(part, self._style, self._panels, unused_names, self)
        self._popup.edited.connect(self._edit)
        self._popup.validity_changed.connect(self.update_preview)
        self._popup.closed.connect(self._close_part)
        self._popup.open_at(self.preview, place)

    @Slot()
    def _close_part(self) -> None:
        self._popup = None  # this also discards invalid text in the popup
        self.update_preview()

    @Slot()
    def _apply_preset(self) -> None:
        if size := PRESETS.get(self.preset.currentData()):
            self.size_field.setText(str(size))


class FigureDialogMixin(DialogBase):
    """A mixin for figure dialogs, which must precede the dialog class in the list of bases."""

    figure_form: FigureForm
    job: FigureJob  # the figure at the last check

    def lay_out(self) -> None:
        """Lay out the form, with messages beside the buttons to save space."""
        footer = QHBoxLayout()
        footer.addWidget(self.message, 1)
        footer.addWidget(self.bar)
        footer.addWidget(self.buttons)
        self.bar.setFixedWidth(120)
        layout = QVBoxLayout(self)
        layout.addWidget(self.figure_form, 1)
        layout.addLayout(footer)
        space = self.screen().availableSize() - _WINDOW_FRAME_SIZE
        self.resize(_PREFERRED_SIZE.boundedTo(space))
        self.figure_form.update_preview()

    @property
    def note(self) -> str:
        return self.figure_form.note

    @property
    def choices(self) -> FigureChoices:
        raise NotImplementedError

    @property
    def unused_fields(self) -> Mapping[str, str]:
        """The reasons why style fields have no effect on the file or paper, by field name."""
        return {}

    def check(self) -> None:
        self.job = self.figure_form.read_job()

    def page(self, *, is_vector: bool = True) -> Steps[Page]:
        """Lay out the page of the checked figure; see `figure_order.lay_out_figures`."""
        self.figure_form.preview.stop()
        self.figure_form.choices_confirmed.emit(self.job.view, self.choices)
        self.show_progress("Drawing the figure…")
        return (yield from figure_order.lay_out_figures(self.job._replace(is_vector=is_vector)))

    def _receive_error(self, error: Exception) -> None:
        self.figure_form.update_preview()  # because `page` has stopped the preview
        super()._receive_error(error)

    def done(self, result: int) -> None:
        self.figure_form.preview.stop()
        super().done(result)


class FigureDialog(FigureDialogMixin, FileDialog):
    """A dialog that exports a view or all panes as a PDF, SVG or PNG file."""

    def __init__(self, context: DialogContext, choices: FigureChoices) -> None:
        suffixes = {choices.ending: FORMAT.choices[choices.ending], **FORMAT.choices}
        super().__init__(context, "Export figure", suffixes)
        self.figure_form = FigureForm(self, context, choices)
        self.ending = self.add_choice("For&mat", FORMAT, choices.ending)
        self.carry = self.add_choice("Include s&ession", flags.SESSION_CHOICE)
        self.finish(self.figure_form.view_combo)
        self.target.setToolTip(f"{self.target.toolTip()} The extension selects the format.")
        self.ending.currentIndexChanged.connect(self._apply_suffix)
        self.target.textChanged.connect(self._show_suffix)

    @property
    def choices(self) -> FigureChoices:
        return FigureChoices(*self.figure_form.style_and_size, self.ending.currentData())

    @property
    def unused_fields(self) -> Mapping[str, str]:
        _, size = self.figure_form.style_and_size
        is_in_pixels = size.unit == "px" and self.ending.currentData() == ".png"
        return {"dpi": "the size is given in pixels"} if is_in_pixels else {}

    @Slot()
    def _apply_suffix(self) -> None:
        path = Path(self.target.text())
        if path.name and path.suffix.lower() != self.ending.currentData():
            self.target.setText(str(path.with_suffix(self.ending.currentData())))
        self.figure_form.update_preview()

    @Slot(str)
    def _show_suffix(self, target: str) -> None:
        ending = Path(target).suffix.lower()
        if ending in FORMAT.choices:
            self.ending.display(ending)
            self.figure_form.update_preview()

    def check(self) -> None:
        super().check()
        figure_order.check(self.job._replace(is_vector=self.ending.currentData() != ".png"))

    def command(self, target: Path) -> str:
        job, state = self.job, self._state
        settings = flags.RenderSettings(carry=self.carry.currentData(), only=job.only)
        return flags.format_render_line(job.view, state, job.size, settings, target, job.style)

    def work(self, target: Path) -> Steps[None]:
        job, session = self.job, ""
        if self.carry.currentData() == "keep":
            state = make_embedded_state(job.view, self._state)
            request = FigureRequest(job.view, job.size, job.style, only=job.only)
            session = format_figure_session(request, state, self._extra_fields, target)
        page = yield from self.page(is_vector=self.ending.currentData() != ".png")
        self.show_progress(f"Writing {target.name}…")
        yield partial(figure_files.save, page, target, job.dpi, session)
