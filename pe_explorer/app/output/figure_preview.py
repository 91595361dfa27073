"""The preview of a figure: computed and drawn in the worker, while the dialog stays live."""

from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.app.output.figure_order import Order
from pe_explorer.figures.page import Source
from pe_explorer.figures.size import POINTS_PER_INCH
from pe_explorer.model import Model
from pe_explorer.model.steps import StepRunner, Steps
from pe_explorer.painting.device import guarded
from pe_explorer.params import ParameterError
from pe_explorer.pictures.figure import Rectangle

_OWNER = "preview"
_LEAST_SIZE = QSize(320, 240)
_EDIT_DELAY = 30  # milliseconds in which several edits become one preview
_OLD_SENTENCE = "The last figure that could be drawn, not what is chosen now."
_CHECK_SIDE = 8  # pixels of a square of the pattern behind transparent figures
_LEAST_LINE_WIDTH = 180  # pixels of the line to type a text
_LIGHT, _GREY = QColor("#ffffff"), QColor("#d8d8d8")

_Answer = tuple[QImage, str, tuple[tuple[Source, Rectangle], ...]]  # its notes and texts, too


class TextLine(QLineEdit):
    """The line over a text of the figure in which another one is typed."""

    typed = Signal(object, str)  # a text's `Source`, and the typed text that replaces it

    def __init__(self, preview: QWidget) -> None:
        super().__init__(preview)
        self._preview, self._source = preview, Source("", "")
        self.setAccessibleName("Text of the figure")
        self.setPlaceholderText("the figure's own text")
        self.setToolTip("Enter takes it, Escape leaves the text as it is; empty for its own.")
        self.hide()

    def open(self, source: Source, place: QRectF) -> None:
        self._source, text = source, source.text
        self.setText(text)
        self.selectAll()
        room = self._preview.rect()
        length = self.fontMetrics().horizontalAdvance(text) + self.fontMetrics().height()
        self.resize(min(max(_LEAST_LINE_WIDTH, length), room.width()), self.sizeHint().height())
        shown = self.rect()
        shown.moveCenter(place.center().toPoint())
        left = min(max(0, shown.left()), room.right() - shown.width())
        top = min(max(0, shown.top()), room.bottom() - shown.height())
        self.move(left, top)
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take or discard the text, so that neither key reaches the dialog."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.hide()
            self.typed.emit(self._source, self.text())
        elif key == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.hide()


class FigurePreview(QWidget):
    """Shows a figure as large as there is room, or the sentence that says why there is none.

    Where what was chosen for a figure is refused, the last good one stays and says so.
    """

    drawn = Signal(str)  # a sentence about what has no room in the figure, or an empty text
    refused = Signal(str)  # why drawing the figure has failed
    replaced = Signal(object, str)  # and the typed text; empty for the figure's own

    def __init__(self, model: Model, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Preview")
        self.setToolTip(
            "<p>The figure as it will be written. A click on a title, or on a name in the legend, "
            "lets you type another.</p>"
        )
        self.setMouseTracking(True)
        self.setMinimumSize(_LEAST_SIZE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.image: QImage | None = None  # the figure that is shown, None before the first
        self.sentence = ""  # why there is no figure
        self._order: Order | None = None
        self._drawn: Order | None = None  # the last order that became a figure
        self._texts: tuple[tuple[Source, Rectangle], ...] = ()
        """The texts that can be replaced, and where their lines are in the figure, in points."""
        self._line = TextLine(self)
        self._line.typed.connect(self.replaced)
        self._checks = _checks()
        self._runner = StepRunner(model.worker, _OWNER, self)
        self._runner.done.connect(self._receive)
        self._runner.failed.connect(self._receive_error)
        self._timer = QTimer(self, singleShot=True, interval=_EDIT_DELAY)
        self._timer.timeout.connect(self._draw)

    @property
    def busy(self) -> bool:
        """Whether an older figure is shown than the last one asked for."""
        return self._runner.busy or self._timer.isActive()

    def show_figure(self, order: Order) -> None:
        """Show the figure of an order soon, unless it is shown."""
        awaited = self._order if self.busy else self._drawn
        if order == awaited and not self.sentence:
            return
        self._runner.cancel()  # or its answer would be taken for that to this order
        self._order = order
        self._timer.start()

    def show_sentence(self, sentence: str, what: str, only: str) -> None:
        """Say why there is no figure; the last one stays if it was of the same view and part."""
        self._order = None
        self.stop()
        self.sentence = sentence
        if self._drawn and (self._drawn.what, self._drawn.only) != (what, only):
            self.image = self._drawn = None
            self._texts = ()
        self.update()

    def stop(self) -> None:
        self._timer.stop()
        self._runner.cancel()

    @Slot()
    def _draw(self) -> None:
        if (order := self._order) is None:
            return
        shown = self._place(QSizeF(*order.size.in_points)).width() * self.devicePixelRatioF()
        dpi = shown * POINTS_PER_INCH / order.size.in_points[0]
        self._runner.run(_steps(order._replace(scale=dpi / order._replace(scale=1.0).dpi)))

    @Slot(object)
    def _receive(self, answer: _Answer) -> None:
        self.image, note, self._texts = answer
        self.sentence = ""
        self._drawn = self._order
        self.update()
        self.drawn.emit(note)

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

    def text_at(self, place: QPointF) -> tuple[Source, QRectF] | None:
        """Return the text at a point that can be replaced, and where it is; None for no such."""
        if self._drawn is None:
            return None
        size = QSizeF(*self._drawn.size.in_points)
        shown = self._place(size)
        scale = shown.width() / size.width()
        for text, box in self._texts:
            left, top = shown.left() + scale * box.left, shown.top() + scale * box.top
            drawn = QRectF(left, top, scale * box.width, scale * box.height)
            if drawn.contains(place):
                return text, drawn
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.text_at(event.position())
        shape = Qt.CursorShape.ArrowCursor if over is None else Qt.CursorShape.IBeamCursor
        self.setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and (over := self.text_at(event.position())):
            self._line.open(*over)
        else:
            self._line.hide()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            place, text = self.rect(), self.sentence
            if self.image is not None:
                shown = self._place(QSizeF(self.image.size()))
                painter.drawTiledPixmap(shown, self._checks)
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(shown, self.image)
            if self.sentence and self.image is not None:  # on a strip over the older figure
                place.setHeight(2 * self.fontMetrics().lineSpacing())
                painter.fillRect(place, self.palette().toolTipBase())
                text = _OLD_SENTENCE
            painter.setPen(self.palette().text().color())
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(place, flags, text)
        finally:
            painter.end()


def _checks() -> QPixmap:
    """Return two by two of the squares that stand for a transparent ground."""
    tile = QPixmap(2 * _CHECK_SIDE, 2 * _CHECK_SIDE)
    tile.fill(_LIGHT)
    painter = QPainter(tile)
    painter.fillRect(0, 0, _CHECK_SIDE, _CHECK_SIDE, _GREY)
    painter.fillRect(_CHECK_SIDE, _CHECK_SIDE, _CHECK_SIDE, _CHECK_SIDE, _GREY)
    painter.end()
    return tile


def _steps(order: Order) -> Steps[_Answer]:
    page = yield from figure_order.laid_out(order)
    image: QImage = yield partial(figure_files.image, page, order.dpi)
    return image, page.note, figure_order.texts_of(order, page)
