"""A strip of the colours of a map beside or above the numbers that they stand for."""

from collections.abc import Callable
from functools import partial

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

_ROOM = {False: 76, True: 64}  # pixels of the width, or below a picture of the height


class ColourBar(pg.GraphicsWidget):  # type: ignore[misc]
    """A strip of the colours beside the numbers that they stand for, or above them."""

    _GAP, _STRIP = 6, 12

    def __init__(self, make_axis: Callable[[str], pg.AxisItem] = ValueAxis) -> None:
        super().__init__()
        self._is_below = False
        self._axes = {False: make_axis("right"), True: make_axis("bottom")}
        for below, axis in self._axes.items():
            axis.setParentItem(self)
            axis.setVisible(not below)
        self._table: npt.NDArray[np.uint32] | None = None
        self._strip = CellImage()
        self._strip.setParentItem(self)
        self._scale: tuple[str, tuple[float, float]] | None = None
        self._make_room()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    @property
    def axis(self) -> pg.AxisItem:
        """The numbers that are shown."""
        return self._axes[self._is_below]

    def set_title(self, title: str, unit: str) -> None:
        """Name the values and their unit."""
        for axis in self._axes.values():
            axis.set_title(title, unit)

    def lie_below(self, below: bool) -> None:
        """Lie below the picture, with the highest number at the right, or stand beside it."""
        self.axis.hide()
        self._is_below = below
        self.axis.show()
        fixed, free = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        self.setSizePolicy(*((free, fixed) if below else (fixed, free)))
        self._make_room()

    def show_scale(self, colour_map: str, limits: tuple[float, float]) -> None:
        """Show a colour map from its lower limit to its upper."""
        if (colour_map, limits) != self._scale:
            self._scale = (colour_map, limits)
            self._table = colour_table(colour_map)
            for axis in self._axes.values():
                axis.setRange(*limits)
            self._place()
        if not self.isVisible():
            self.show()
            self._make_room()  # an axis that was dressed while it was hidden has given up its width

    def dress(self, palette: QPalette, ratio: float) -> None:
        """Take the colours of a palette, and lines for a ratio of device pixels to pixels."""
        c = colours(palette)
        for axis in self._axes.values():
            axis.setPen(thin_pen(c.line, ratio))
            axis.setTextPen(pg.mkPen(c.muted))

    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        self._place()

    @property
    def room(self) -> float:
        """How wide it is beside the picture."""
        return _ROOM[False]

    @property
    def room_below(self) -> float:
        """How high it is below the picture."""
        return _ROOM[True]

    def _make_room(self) -> None:
        """Give the numbers their width, or the axis would leave out the wide ones."""
        taken = self._GAP + self._STRIP
        if self._is_below:
            self.axis.setHeight(self.room_below - taken)
        else:
            self.axis.setWidth(self.room - taken)

    def _place(self) -> None:
        width, height = self.size().width(), self.size().height()
        shades = np.arange(NO_VALUE, dtype=np.uint8)
        begin = self._GAP + self._STRIP
        if self._is_below:
            strip, shades = QRectF(0, self._GAP, width, self._STRIP), shades[None, :]
            numbers = QRectF(0, begin, width, self.room_below - begin)
        else:
            strip, shades = QRectF(self._GAP, 0, self._STRIP, height), shades[::-1, None]
            numbers = QRectF(begin, 0, self.room - begin, height)
        if self._table is not None:
            self._strip.show_cells(shades, self._table, strip)
        self.axis.setGeometry(numbers)


class OrderBar(ColourBar):
    """A strip of the colours of what is in order, beside the whole numbers it runs through."""

    def __init__(self) -> None:
        super().__init__(partial(RangeAxis, title="position"))

    @property
    def room(self) -> float:
        width: float = self.axis.maximumWidth()
        return self._GAP + self._STRIP + width

    def show_order(
        self, counted: tuple[str, int, int], colours: npt.NDArray[np.uint8] | None = None
    ) -> None:
        """Show what is counted, from which number on and how many; perhaps in other colours."""
        name, first, count = counted
        for axis in self._axes.values():
            axis.set_title(name)
            axis.set_origin(first, count)
            axis.setRange(-0.5, count - 0.5)
        if colours is not None:
            places = np.linspace(0, len(colours) - 1, NO_VALUE)
            self._table = packed(colours[np.rint(places).astype(np.int64)])
        self._place()

    def _make_room(self) -> None:
        """Leave it to the axis, which knows how many digits its numbers have."""
