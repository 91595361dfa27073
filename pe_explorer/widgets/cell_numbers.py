"""The numbers of cells, written into them where there is room."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication

from pe_explorer.colours.maps import is_dark, table
from pe_explorer.pictures.axis_numbers import WIDEST_NUMBER, cell_text
from pe_explorer.pictures.figure import Cells
from pe_explorer.pictures.pixels import NO_VALUE
from pe_explorer.widgets.painting import by_device_pixels, guarded, pixel_ratio

_SIZE = 11  # pixels: height of the font
_AROUND = 2  # pixels left free in a cell, at least


class CellNumbers(pg.GraphicsObject):  # type: ignore[misc]
    """The numbers of all cells of a plot, black or white, none if one has no room for its own."""

    def __init__(self) -> None:
        super().__init__()
        self._cells: Cells | None = None
        self._rect = QRectF()
        self.setZValue(11)  # above the lines of the cursor, which would cross them
        self.hide()

    def show_numbers(self, cells: Cells | None) -> None:
        """Show the numbers of cells, or none."""
        self.setVisible(cells is not None)
        self._cells = cells
        if cells is None:
            return
        place = cells.place
        rect = QRectF(place.left, place.top, place.width, place.height)
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect
        self.update()

    def boundingRect(self) -> QRectF:
        return self._rect

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        if self._cells is None:
            return
        ratio = pixel_ratio(painter)
        font = QFont(QApplication.font())
        font.setPixelSize(round(_SIZE * ratio))
        metrics = QFontMetricsF(font)
        with by_device_pixels(painter) as to_device:
            place = to_device.mapRect(self._rect)
            rows, columns = self._cells.values.shape
            width, height = place.width() / columns, place.height() / rows
            widest = metrics.horizontalAdvance(WIDEST_NUMBER) + 2 * _AROUND * ratio
            if width < widest or height < metrics.height():
                return
            painter.setFont(font)
            self._write(painter, self._cells, place)

    def _write(self, painter: QPainter, cells: Cells, place: QRectF) -> None:
        rows, columns = cells.values.shape
        width, height = place.width() / columns, place.height() / rows
        white = is_dark(cells.colour_map, NO_VALUE)
        rgb = table(cells.colour_map, NO_VALUE).tolist()
        for (row, column), value in np.ndenumerate(cells.values):
            text = cell_text(value)
            if text:
                index = cells.indices[row, column]
                painter.setPen(QColor("white" if white[index] else "black"))
                left, top = place.left() + column * width, place.top() + row * height
                cell = QRectF(left, top, width, height)
                # The dashes of the cursor would be read as minus signs.
                advance = painter.fontMetrics().horizontalAdvance(text)
                ground = QRectF(QPointF(), QSizeF(advance + 6 * _AROUND, height / 3))
                ground.moveCenter(cell.center())
                painter.fillRect(ground, QColor(*rgb[index]))
                painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)
