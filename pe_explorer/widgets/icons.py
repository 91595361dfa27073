"""Icons drawn in the colours of a palette.

Whoever shows one draws it anew when the palette changes.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPalette, QPen, QPixmap, QPolygonF

from pe_explorer.widgets.theme import colours

__all__ = ["NAMES", "icon"]

_SIZES = (16, 24, 32, 48)  # pixels, for screens of one to three pixels a point
_BOX = 16.0  # the drawings below are in sixteenths


def icon(name: str, palette: QPalette) -> QIcon:
    """Return an icon by its name."""
    made = QIcon()
    for mode, colour in (
        (QIcon.Mode.Normal, colours(palette).text),
        (QIcon.Mode.Disabled, colours(palette).line),
    ):
        for size in _SIZES:
            made.addPixmap(_pixmap(name, size, QColor(colour)), mode)
    return made


def _pixmap(name: str, size: int, colour: QColor) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / _BOX, size / _BOX)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    _DRAWINGS[name](painter)
    painter.end()
    return pixmap


def _triangle(painter: QPainter, base: float, tip: float, half: float = 5.0) -> None:
    """Draw a triangle that lies on its side, from its base to its tip."""
    painter.drawPolygon(
        QPolygonF([QPointF(base, 8 - half), QPointF(base, 8 + half), QPointF(tip, 8)])
    )


def _bar(painter: QPainter, left: float, width: float) -> None:
    painter.drawRect(QRectF(left, 3, width, 10))


def _play(painter: QPainter) -> None:
    _triangle(painter, 4, 13, 6)


def _pause(painter: QPainter) -> None:
    _bar(painter, 4, 3)
    _bar(painter, 9, 3)


def _step_forward(painter: QPainter) -> None:
    _triangle(painter, 3, 10.5)
    _bar(painter, 11, 2)


def _step_back(painter: QPainter) -> None:
    _triangle(painter, 13, 5.5)
    _bar(painter, 3, 2)


def _slower(painter: QPainter) -> None:
    painter.drawRect(QRectF(4, 7.2, 8, 1.6))


def _faster(painter: QPainter) -> None:
    _slower(painter)
    painter.drawRect(QRectF(7.2, 4, 1.6, 8))


def _loop(painter: QPainter) -> None:
    """Draw a track that runs back into itself, with an arrow head on it."""
    colour = painter.brush().color()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    track = QPainterPath(QPointF(8.5, 4))
    track.lineTo(5.5, 4)
    track.arcTo(QRectF(1.5, 4, 8, 8), 90, 180)
    track.lineTo(10.5, 12)
    track.arcTo(QRectF(6.5, 4, 8, 8), -90, 150)
    painter.drawPath(track)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(8, 0.8), QPointF(8, 7.2), QPointF(12, 4)]))


_DRAWINGS: dict[str, Callable[[QPainter], None]] = {
    "play": _play,
    "pause": _pause,
    "step-forward": _step_forward,
    "step-back": _step_back,
    "slower": _slower,
    "faster": _faster,
    "loop": _loop,
}

NAMES = tuple(_DRAWINGS)
"""The icons that there are."""
