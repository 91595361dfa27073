"""The dialog that exports a figure with a live preview, and the form for exporting and printing."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QMargins,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
    Slot,
)
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

from pe_explorer import pictures
from pe_explorer.app.output import figure_files, figure_order, picture
from pe_explorer.app.output.figure_order import ENDING, FigureChoices, FigureJob
from pe_explorer.app.output.figure_parts import OWN_STYLE, PartPopup, PartsButton, idle_fields
from pe_explorer.app.output.work_dialog import DialogContext, FileDialog, WorkDialog
from pe_explorer.figures.page import Page, PagePart
from pe_explorer.figures.size import (
    POINTS,
    POINTS_PER_INCH,
    PRESETS,
    FigureSize,
    parse_figure_size,
    require_pixels,
)
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_request import FigureRequest, carried_by
from pe_explorer.flags import CARRY, PLATE, RenderSettings, drawn_views, render_line, without_effect
from pe_explorer.model import Model
from pe_explorer.model.steps import StepRunner, Steps
from pe_explorer.painting.device import guarded
from pe_explorer.painting.page_painter import note_on_font
from pe_explorer.params import Choice, ParameterError, declared
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.labels import CutLabel
from pe_explorer.widgets.layouts import column_in, row_in, scroll_area
from pe_explorer.widgets.theme import colours

if TYPE_CHECKING:
    Dialog = WorkDialog
else:
    Dialog = object  # at runtime, because Qt takes over the signals of only one base class

_OWNER = "preview"
_OLD_SENTENCE = "The preview shows the last figure that could be drawn, not the current choice."
_CHECK_SIDE = 8  # side in pixels of the squares behind transparent figures
_LIGHT, _GREY = QColor("#ffffff"), QColor("#d8d8d8")

_REACH = 2.0  # maximum distance in points between a click and a curve
_Answer = tuple[QImage, str, tuple[PagePart, ...]]  # image, notes and parts of a figure


class FigurePreview(QWidget):
    """A preview of a figure, or a message if the figure cannot be drawn.

    The last valid figure stays visible behind the message.
    """

    redrawn = Signal(str)  # a note about omitted parts of the figure, or an empty string
    refused = Signal(str)  # reason why the figure cannot be drawn
    chosen = Signal(object, QPoint)  # a `PagePart`, and the position of the click

    def __init__(self, model: Model, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Preview")
        self.setToolTip(
            "<p>Click an axis, a curve, a name, the colour bar or a panel of the figure to change "
            "it.</p>"
        )
        self.setMouseTracking(True)
        self.setMinimumSize(QSize(320, 240))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.image: QImage | None = None  # the displayed figure, None before the first
        self.sentence = ""  # message instead of a figure
        self._order: FigureJob | None = None
        self._drawn_job: FigureJob | None = None  # the last job that became a figure
        self.parts: tuple[PagePart, ...] = ()  # parts of the displayed figure
        self._marked: PagePart | None = None  # the part under the mouse pointer
        self._checks = _checks()
        self._runner = StepRunner(model.worker, _OWNER, self)
        self._runner.done.connect(self._receive)
        self._runner.failed.connect(self._receive_error)
        # The timer combines several edits into one preview.
        self._timer = QTimer(self, singleShot=True, interval=30)
        self._timer.timeout.connect(self._draw)

    @property
    def busy(self) -> bool:
        """Whether the requested figure is not displayed yet."""
        return self._runner.busy or self._timer.isActive()

    def show_figure(self, order: FigureJob) -> None:
        """Schedule the figure of a job, unless it is already displayed."""
        pending = self._order if self.busy else self._drawn_job
        if order == pending and not self.sentence:
            return
        self._runner.cancel()  # otherwise its answer would be mistaken for the answer to this job
        self._order = order
        self._timer.start()

    def show_sentence(self, sentence: str, what: str, only: str) -> None:
        """Show a message instead of a figure.

        The last figure stays visible if it has the same view and part.
        """
        self._order = None
        self.stop()
        self.sentence = sentence
        if self._drawn_job and (self._drawn_job.what, self._drawn_job.only) != (what, only):
            self.image = self._drawn_job = None
            self.parts, self._marked = (), None
        self.update()

    def stop(self) -> None:
        self._timer.stop()
        self._runner.cancel()

    @Slot()
    def _draw(self) -> None:
        if (order := self._order) is None:
            return
        width = self._place(QSizeF(*order.size.in_points)).width() * self.devicePixelRatioF()
        dpi = width * POINTS_PER_INCH / order.size.in_points[0]
        self._runner.run(_steps(order._replace(scale=dpi / order._replace(scale=1.0).dpi)))

    @Slot(object)
    def _receive(self, answer: _Answer) -> None:
        self.image, note, self.parts = answer
        self.sentence = ""
        self._marked = None
        self._drawn_job = self._order
        self.update()
        self.redrawn.emit(note)

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        if not isinstance(error, ParameterError):
            raise error
        assert self._order is not None
        self.show_sentence(error.sentence, self._order.what, self._order.only)
        self.refused.emit(error.sentence)

    def _place(self, size: QSizeF) -> QRectF:
        room = QSizeF(self.size())
        fitted = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        left = (room.width() - fitted.width()) / 2
        top = (room.height() - fitted.height()) / 2
        return QRectF(left, top, fitted.width(), fitted.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._order is not None:
            self._timer.start()

    def part_at(self, place: QPointF) -> PagePart | None:
        """Return the part of the figure at a point, or None."""
        point = self._transform.inverted()[0].map(place)
        return next(
            (part for part in self.parts if part.reaches(point.x(), point.y(), _REACH)), None
        )

    def choose(self, part: PagePart) -> None:
        """Select a part, like a click at its centre."""
        place = self._transform.mapRect(QRectF(*part.place)).center().toPoint()
        self.chosen.emit(part, place)

    @property
    def _transform(self) -> QTransform:
        size = QSizeF(*(self._drawn_job.size.in_points if self._drawn_job else (1.0, 1.0)))
        place = self._place(size)
        scale = place.width() / size.width()
        return QTransform.fromTranslate(place.x(), place.y()).scale(scale, scale)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._marked = self.part_at(event.position())
        shapes = Qt.CursorShape
        self.setCursor(shapes.PointingHandCursor if self._marked else shapes.ArrowCursor)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and part is not None:
            self.chosen.emit(part, event.position().toPoint())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            place, text = self.rect(), self.sentence
            if self.image is not None:
                image_place = self._place(QSizeF(self.image.size()))
                painter.drawTiledPixmap(image_place, self._checks)
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(image_place, self.image)
            if self._marked is not None:
                painter.setPen(QPen(QColor(colours(self.palette()).accent), 1.5))
                painter.drawRect(self._transform.mapRect(QRectF(*self._marked.place)))
            # Paint the message on a strip over the previous figure.
            if self.sentence and self.image is not None:
                place.setHeight(2 * self.fontMetrics().lineSpacing())
                painter.fillRect(place, self.palette().toolTipBase())
                text = _OLD_SENTENCE
            painter.setPen(self.palette().text().color())
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(place, flags, text)
        finally:
            painter.end()


def _checks() -> QPixmap:
    tile = QPixmap(2 * _CHECK_SIDE, 2 * _CHECK_SIDE)
    tile.fill(_LIGHT)
    painter = QPainter(tile)
    painter.fillRect(0, 0, _CHECK_SIDE, _CHECK_SIDE, _GREY)
    painter.fillRect(_CHECK_SIDE, _CHECK_SIDE, _CHECK_SIDE, _CHECK_SIDE, _GREY)
    painter.end()
    return tile


def _steps(order: FigureJob) -> Steps[_Answer]:
    page = yield from figure_order.lay_out_figures(order)
    image: QImage = yield partial(figure_files.image, page, order.dpi)
    return image, page.note, page.parts


_OWN_SIZE = "own"
_NAMES = {size: name for name, size in PRESETS.items()}
_PREFERRED_SIZE = QSize(940, 620)  # pixels
_FRAME_MARGINS = QMargins(8, 32, 8, 8)  # pixels, with a title


class FigureForm(QWidget):
    """The rows for a figure in the form of a dialog, and the preview beside them."""

    ordered = Signal(str, object)  # the figure and its settings; see `FigureChoices`

    def __init__(self, dialog: "FigureWork", about: DialogContext, choices: FigureChoices) -> None:
        super().__init__(dialog)
        self._dialog, self._state = dialog, about.state
        self._style, self._size = choices.style, choices.size
        self.refusal = ""  # reason why the figure cannot be drawn, or an empty string
        self._left_out = ""  # note about omitted parts of the displayed figure
        self._parts: dict[str, tuple[str, str]] = {}  # parts by file name
        descriptions: dict[str, str] = {}
        for view in pictures.names():
            for only in ("", *figure_order.part_names(view, about.state)):
                name, help_ = f"{view}-{only}" if only else view, pictures.find(view).help
                self._parts[name] = view, only
                descriptions[name] = f"Only the part {only}. {help_}" if only else help_
        self._parts[PLATE] = PLATE, ""
        descriptions[PLATE] = "All panes, or the panels that you list, each labelled with a letter."
        what = Choice(about.view, descriptions, label="Draw", help="The content of the figure.")
        self.what = dialog.add_choice("&Draw", what, about.view)
        sizes = {name: f"{size}" for name, size in PRESETS.items()}
        sizes[_OWN_SIZE] = "the width and height in the field"
        size_choice = Choice(_OWN_SIZE, sizes, label="Size", help="A common size of figures.")
        self.preset = ChoiceEditor("Size", size_choice, self).combo
        self.preset.display(_NAMES.get(self._size, _OWN_SIZE))
        self.preset.fit()
        self.size_text = QLineEdit(str(self._size))
        self.size_text.setAccessibleName("Width and height")
        self.size_text.setToolTip(
            "The width and height, such as 84x60mm, 3.3x2.4in, or 1600x900 for pixels."
        )
        row = QHBoxLayout()
        row.addWidget(self.preset)
        row.addWidget(self.size_text, 1)
        dialog.add_row("&Size", row, self.preset)
        self.size_note = CutLabel()
        self.size_note.setAccessibleName("Size in millimetres and pixels")
        dialog.form.addRow("", self.size_note)
        self.preview = FigurePreview(about.model, self)
        common = [name for name in declared(Style) if name not in OWN_STYLE]
        self.fields = FormFields(Style, common, self, label_width=108, live=True)
        self.fields.display(vars(self._style))
        self._scroll = scroll_area(self.fields, "Style")
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._popup: PartPopup | None = None
        self.change = PartsButton(lambda: self.preview.parts)
        left = QWidget()
        left.setFixedWidth(330)
        column = column_in(left)
        column.addLayout(dialog.form)
        column.addWidget(self._scroll, 1)
        column.addWidget(self.change)
        row_in(self, left).addWidget(self.preview, 1)
        for signal, slot in (
            (self.what.currentIndexChanged, self.update_preview),
            (self.preset.currentIndexChanged, self._apply_preset),
            (self.size_text.textChanged, self.update_preview),
            (self.size_text.editingFinished, self._show_size),
            (self.fields.edited, self._edit),
            (self.fields.refused, self.update_preview),
            (self.fields.settled, self._update_if_legal),
            (self.preview.redrawn, self._show_note),
            (self.preview.refused, self._refuse),
            (self.preview.chosen, self._open_part),
            (self.change.chosen, self._choose_part),
        ):
            signal.connect(slot)

    @property
    def style_and_size(self) -> tuple[Style, FigureSize]:
        """The chosen style, and the last valid size."""
        return self._style, self._size

    @property
    def note(self) -> str:
        """The reason why the figure cannot be drawn; otherwise, how it differs from the choice."""
        notes = (self._left_out, note_on_font(self._style.font))
        return self.refusal or " ".join(filter(None, notes))

    def take_order(self) -> FigureJob:
        """Return the chosen figure; raise `ParameterError` and focus the field if invalid."""
        self.fields.commit()
        try:
            return self._order()
        except ParameterError:
            if bad := self.fields.bad:
                self._scroll.ensureWidgetVisible(self.fields.go_to(bad[0]))
            raise

    def _order(self) -> FigureJob:
        self._size = parse_figure_size(self.size_text.text())
        view, only = self._parts[self.what.currentData()]
        order = FigureJob(view, self._state, self._style, self._size, only=only)
        figure_order.check(order)
        for form in (self.fields, *(self._popup.forms if self._popup else ())):
            form.check()
        return order

    @Slot()
    def update_preview(self) -> None:
        preset, note, help_ = _OWN_SIZE, "", ""
        with suppress(ParameterError):
            self._size = size = parse_figure_size(self.size_text.text())
            preset = _NAMES.get(size, _OWN_SIZE)
            width, height = FigureJob("", self._state, self._style, size).pixels
            sides = [side / POINTS["mm"] for side in size.in_points]
            brief, exact = (" × ".join(f"{side:.{digits}g}" for side in sides) for digits in (3, 4))
            note = f"{brief} mm, {width:,} × {height:,} px"
            help_ = f"{exact} mm; as PNG {width:,} × {height:,} pixels"
        self.preset.display(preset)
        self.size_note.setText(note)
        self.size_note.setToolTip(help_)
        view, only = self._parts[self.what.currentData()]
        idle = without_effect(view, self._state, only, self._style)
        # Check this first, because a field without an effect at this size cannot make the figure
        # invalid.
        self.fields.withhold({**idle, **self._dialog.idle})
        try:
            order = self._order()
        except ParameterError as error:
            self.preview.show_sentence(error.sentence, view, only)
            self._refuse(error.sentence)
        else:
            self.preview.show_figure(order)
            self._refuse("")

    @Slot()
    def _update_if_legal(self) -> None:
        if not self.fields.bad:
            self.update_preview()

    @Slot(str)
    def _show_note(self, left_out: str) -> None:
        before, self._left_out = self.note, left_out
        if self._dialog.message.text() == before:
            self._dialog.clear_message()

    @Slot(str)
    def _refuse(self, sentence: str) -> None:
        self.refusal = sentence
        self._dialog.clear_message()

    @Slot()
    def _show_size(self) -> None:
        with suppress(ParameterError):
            self.size_text.setText(str(parse_figure_size(self.size_text.text())))

    @Slot(str, object)
    def _edit(self, name: str, value: Any) -> None:
        try:
            self._style = replace(self._style, **{name: value})
        except ParameterError as error:
            self._refuse(error.sentence)
            return
        if self._popup:
            self._popup.display(self._style, self._panels)
        self.update_preview()

    @Slot(object)
    def _choose_part(self, part: PagePart | None) -> None:
        if part is not None:
            self.preview.choose(part)
        else:
            self._style = replace(self._style, **OWN_STYLE)
            self.update_preview()

    @property
    def _panels(self) -> tuple[str, ...]:
        """Panels of a plate, by default the views of the window; empty for other figures."""
        is_plate = self.what.currentData() == PLATE
        return self._style.panels or drawn_views(PLATE, self._state) if is_plate else ()

    @Slot(object, QPoint)
    def _open_part(self, part: PagePart, place: QPoint) -> None:
        what, only = self._parts[self.what.currentData()]
        idle = idle_fields(part, what, self._state, self._style, only)
        self._popup = PartPopup(part, self._style, self._panels, idle, self)
        self._popup.edited.connect(self._edit)
        self._popup.checked.connect(self.update_preview)
        self._popup.closed.connect(self._close_part)
        self._popup.open_on(self.preview, place)

    @Slot()
    def _close_part(self) -> None:
        self._popup = None  # this also discards invalid text in the popup
        self.update_preview()

    @Slot()
    def _apply_preset(self) -> None:
        if size := PRESETS.get(self.preset.currentData()):
            self.size_text.setText(str(size))


class FigureWork(Dialog):
    """Mixin for dialogs about a figure; a base class that precedes the dialog class."""

    figure_form: FigureForm
    order: FigureJob  # the figure at the last check

    def lay_out(self) -> None:
        """Lay out the form, with messages beside the buttons to save space."""
        foot = QHBoxLayout()
        foot.addWidget(self.message, 1)
        foot.addWidget(self.bar)
        foot.addWidget(self.buttons)
        self.bar.setFixedWidth(120)
        layout = QVBoxLayout(self)
        layout.addWidget(self.figure_form, 1)
        layout.addLayout(foot)
        room = self.screen().availableSize().shrunkBy(_FRAME_MARGINS)
        self.resize(_PREFERRED_SIZE.boundedTo(room))
        self.figure_form.update_preview()

    @property
    def note(self) -> str:
        return self.figure_form.note

    @property
    def choices(self) -> FigureChoices:
        """The choices to remember; overridden by subclasses."""
        raise NotImplementedError

    @property
    def idle(self) -> Mapping[str, str]:
        """Names of style fields without an effect on the file or paper, with the reasons."""
        return {}

    def check(self) -> None:
        self.order = self.figure_form.take_order()

    def page(self, *, vector: bool = True) -> Steps[Page]:
        """Draw the checked figure; see `figure_order.lay_out_figures`."""
        self.figure_form.preview.stop()
        self.figure_form.ordered.emit(self.order.what, self.choices)
        self.show_progress("Drawing the figure…")
        return (yield from figure_order.lay_out_figures(self.order._replace(vector=vector)))

    def _receive_error(self, error: Exception) -> None:
        self.figure_form.update_preview()  # the preview was stopped
        super()._receive_error(error)

    def done(self, result: int) -> None:
        self.figure_form.preview.stop()
        super().done(result)


class FigureDialog(FigureWork, FileDialog):
    """A dialog that exports a view or all panes as a PDF, SVG or PNG file."""

    def __init__(self, about: DialogContext, choices: FigureChoices) -> None:
        kinds = {choices.ending: ENDING.choices[choices.ending], **ENDING.choices}
        super().__init__(about, "Export figure", kinds)
        self.figure_form = FigureForm(self, about, choices)
        self.kind = self.add_choice("For&mat", ENDING, choices.ending)
        self.carry = self.add_choice("Include s&ession", CARRY, CARRY.default)
        self.finish(self.figure_form.what)
        self.target.setToolTip(f"{self.target.toolTip()} The extension selects the format.")
        self.kind.currentIndexChanged.connect(self._apply_kind)
        self.target.textChanged.connect(self._show_kind)

    @property
    def choices(self) -> FigureChoices:
        return FigureChoices(*self.figure_form.style_and_size, self.kind.currentData())

    @property
    def idle(self) -> Mapping[str, str]:
        _, size = self.figure_form.style_and_size
        in_pixels = size.unit == "px" and self.kind.currentData() == ".png"
        return {"dpi": "the size is already in pixels"} if in_pixels else {}

    @Slot()
    def _apply_kind(self) -> None:
        path = Path(self.target.text())
        if path.name and path.suffix.lower() != self.kind.currentData():
            self.target.setText(str(path.with_suffix(self.kind.currentData())))
        self.figure_form.update_preview()

    @Slot(str)
    def _show_kind(self, target: str) -> None:
        ending = Path(target).suffix.lower()
        if ending in ENDING.choices:
            self.kind.display(ending)
            self.figure_form.update_preview()

    def check(self) -> None:
        super().check()
        if self.kind.currentData() == ".png":
            require_pixels(*self.order.pixels)

    def command(self, target: Path) -> str:
        order = self.order
        how = RenderSettings(carry=self.carry.currentData(), only=order.only)
        return render_line(order.what, self._state, order.size, how, target, order.style)

    def work(self, target: Path) -> Steps[None]:
        order, session = self.order, ""
        if self.carry.currentData() == "keep":
            carried = picture.carried(order.what, self._state)
            request = FigureRequest(order.what, order.size, order.style, only=order.only)
            session = carried_by(request, carried, self._extra, target)
        page = yield from self.page(vector=self.kind.currentData() != ".png")
        self.show_progress(f"Writing {target.name}…")
        yield partial(figure_files.save, page, target, order.dpi, session)
