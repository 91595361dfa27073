"""What of the clocks stays the same from frame to frame: ground, mark, rims, points, labels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_pixels import splat
from pe_explorer.views._clock_painter import ClockLook, ClockPainter


class ClockLayer:
    """An image of a page of clocks without what moves, painted only when it has changed.

    The ground below the points is cached by itself, because points change more often.
    """

    def __init__(self) -> None:
        self.points = QImage()
        self._pixels: npt.NDArray[np.uint32] | None = None  # the memory of `points`
        self._image: QImage | None = None
        self._ground: QImage | None = None
        self._ground_key: tuple[Any, ...] = ()

    def set_points(self, face: Face, look: ClockLook) -> None:
        """Show the points of another page."""
        width, height = face.area.width, face.area.height
        pixels = np.ascontiguousarray(splat(face, look.order, width, height))
        blended = QImage.Format.Format_ARGB32_Premultiplied
        self.points = QImage(pixels.data, width, height, 4 * width, blended)
        self.points.setDevicePixelRatio(face.grid.ratio)
        self._pixels = pixels
        self._image = None

    def clear(self) -> None:
        """Paint everything again the next time, in other colours or with another mark."""
        self._image = self._ground = None

    def image(
        self, face: Face, look: ClockLook, labels: Sequence[str], marked: int | None
    ) -> QImage:
        """Return the image, painted if it has changed."""
        if self._image is None:
            self._image = self.compose(face, look, labels, marked)
        return self._image

    def compose(
        self, face: Face, look: ClockLook, labels: Sequence[str], marked: int | None
    ) -> QImage:
        """Return a new image of the page."""
        key = (face.grid, face.clockwise)
        if self._ground is None or self._ground_key != key:
            self._ground = self._paint_ground(face, look, marked)
            self._ground_key = key
        image = self._ground.copy()
        painter = QPainter(image)
        painter.drawImage(QPointF(0, 0), self.points)
        ClockPainter(painter, face, look).paint_labels(labels)
        painter.end()
        return image

    def _paint_ground(self, face: Face, look: ClockLook, marked: int | None) -> QImage:
        ground = QImage(self.points.size(), QImage.Format.Format_RGB32)
        ground.setDevicePixelRatio(face.grid.ratio)
        ground.fill(QColor(look.colours.base))
        painter = QPainter(ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        clocks = ClockPainter(painter, face, look)
        if marked is not None:
            clocks.paint_mark(marked)
        clocks.paint_rims()
        painter.end()
        return ground
