"""A few words in the corner of a plot."""

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QGraphicsObject

from pe_explorer.widgets.fonts import first_fitting, scaled_font
from pe_explorer.widgets.painting import guarded
from pe_explorer.widgets.theme import colours

_FONT_SCALE = 0.84  # relative to the application's font
_AROUND = 4.0  # pixels between the words and the edge, and between that and the plot's
_LEAST_HEIGHT = 50  # pixels; a lower plot has no badge
_OPACITY = 215  # of 255, so that what lies behind stays visible


class Badge(QGraphicsObject):
    """Words in the lower right corner of a plot, which leave the mouse to it."""

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__(box)
        self._box = box
        self.text = ""
        """The words, or an empty text."""
        self._allowed = True
        self._rect = QRectF()
        self._ground, self._ink = QColor(), QColor()
        self.setZValue(15)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.hide()
        box.sigResized.connect(self._fit)

    @property
    def place(self) -> QRectF:
        """Where it is in the plot; empty while it is not shown."""
        return self._rect.translated(self.pos()) if self.isVisible() else QRectF()

    def show_text(self, text: str, tooltip: str = "") -> None:
        """Show some words, in a narrow plot without the last one, in a narrower one none."""
        self.setToolTip(tooltip)
        if text != self.text:
            self.text = text
            self._fit()

    def forbid(self) -> None:
        """Never show it: a figure says such things below it."""
        self._allowed = False
        self.hide()

    def dress(self, palette: QPalette) -> None:
        """Take the colours of a palette."""
        c = colours(palette)
        self._ground = QColor(c.base)
        self._ink = QColor(c.text)
        self._ground.setAlpha(_OPACITY)
        self.update()

    @Slot()
    def _fit(self) -> None:
        """Take the place that the words need."""
        metrics = QFontMetricsF(scaled_font(_FONT_SCALE))
        room = self._box.width() - 4 * _AROUND
        without_noun, _, _ = self.text.rpartition(" ")
        self._shown = ""
        if self._box.height() > _LEAST_HEIGHT:
            self._shown = first_fitting((self.text, without_noun), metrics, room)
        shown = bool(self._shown) and self._allowed
        self.setVisible(shown)
        if not shown:
            return
        width = metrics.horizontalAdvance(self._shown) + 2 * _AROUND
        height = metrics.height() + _AROUND
        self.prepareGeometryChange()
        self._rect = QRectF(0, 0, round(width), round(height))
        left = self._box.width() - self._rect.width() - _AROUND
        top = self._box.height() - self._rect.height() - _AROUND
        self.setPos(QPointF(left, top))
        self.update()

    def boundingRect(self) -> QRectF:
        return self._rect

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ground)
        painter.drawRoundedRect(self._rect, 3, 3)
        painter.setFont(scaled_font(_FONT_SCALE))
        painter.setPen(self._ink)
        painter.drawText(self._rect, Qt.AlignmentFlag.AlignCenter, self._shown)
