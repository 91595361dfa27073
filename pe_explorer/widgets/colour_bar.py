"""A strip of the colours of a map beside the numbers that they stand for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QGraphicsSceneResizeEvent, QSizePolicy

from pe_explorer.pictures.pixels import NO_VALUE
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.cell_image import CellImage, colour_table, packed
from pe_explorer.widgets.painting import thin_pen
from pe_explorer.widgets.theme import colours

_ROOM = 76  # pixels, of a bar of values


class ColourBar(pg.GraphicsWidget):  # type: ignore[misc]
    """A strip of the colours beside the numbers that they stand for."""

    _GAP, _STRIP = 6, 12

    def __init__(self, axis: pg.AxisItem | None = None) -> None:
        super().__init__()
        self.axis = axis or ValueAxis("right")
        self.axis.setParentItem(self)
        self._table: npt.NDArray[np.uint32] | None = None
        self._strip = CellImage()
        self._strip.setParentItem(self)
        self._scale: tuple[str, tuple[float, float]] | None = None
        self._make_room()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def show_scale(self, colour_map: str, levels: tuple[float, float]) -> None:
        """Show a colour map from one level to the other."""
        if (colour_map, levels) != self._scale:
            self._scale = (colour_map, levels)
            self._table = colour_table(colour_map)
            self.axis.setRange(*levels)
            self._place()
        if not self.isVisible():
            self.show()
            self._make_room()  # an axis that was dressed while it was hidden has given up its width

    def dress(self, palette: QPalette, ratio: float) -> None:
        """Take the colours of a palette, and lines for a ratio of device pixels to pixels."""
        c = colours(palette)
        self.axis.setPen(thin_pen(c.line, ratio))
        self.axis.setTextPen(pg.mkPen(c.muted))

    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        self._place()

    @property
    def room(self) -> float:
        """How wide it is."""
        return _ROOM

    def _make_room(self) -> None:
        """Give the numbers their width, or the axis would leave out the wide ones."""
        self.axis.setWidth(self.room - self._GAP - self._STRIP)
        self._place()

    def _place(self) -> None:
        height = self.size().height()
        if self._table is not None:
            shades = np.arange(NO_VALUE, dtype=np.uint8)[::-1, None]
            strip = QRectF(self._GAP, 0, self._STRIP, height)
            self._strip.show_cells(shades, self._table, strip)
        left = self._GAP + self._STRIP
        width = self.room - left
        self.axis.setGeometry(QRectF(left, 0, width, height))


class OrderBar(ColourBar):
    """A strip of the colours of what is in order, beside the whole numbers it runs through."""

    axis: RangeAxis

    def __init__(self) -> None:
        super().__init__(RangeAxis("right", "position"))

    @property
    def room(self) -> float:
        width: float = self.axis.maximumWidth()
        return self._GAP + self._STRIP + width

    def show_order(
        self, counted: tuple[str, int, int], colours: npt.NDArray[np.uint8] | None = None
    ) -> None:
        """Show what is counted, from which number on and how many; perhaps in other colours."""
        name, first, count = counted
        self.axis.set_title(name)
        self.axis.set_origin(first, count)
        self.axis.setRange(-0.5, count - 0.5)
        if colours is not None:
            places = np.linspace(0, len(colours) - 1, NO_VALUE)
            self._table = packed(colours[np.rint(places).astype(np.int64)])
        self._place()

    def _make_room(self) -> None:
        """Leave it to the axis, which knows how many digits its numbers have."""
