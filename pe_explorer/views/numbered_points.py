"""Numbered marks in a picture at the places that an exhibit mentions."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration
from pe_explorer.painting.device import guarded
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.spots import Spot, ViewPlace, spot
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.fonts import scaled_font
from pe_explorer.widgets.theme import colours

_RADIUS, _DOT = 8.0, 2.5  # radii in pixels of the numbered disc and of the dot
_AWAY = 11.0  # distance in pixels between dot and disc, in x and y
_HALF = 22  # distance in pixels between the centre and the edges of a mark
_FONT_SCALE = 0.85  # font size relative to the normal size
_CORNERS = (QPointF(1, -1), QPointF(-1, -1), QPointF(1, 1), QPointF(-1, 1))
"""Directions from a place to its disc, in order of preference."""


class NumberedPoints(QObject):
    """Marks at places in a view's picture; a place outside the picture has no mark.

    The marks are widgets over the picture, so they are not exported. They ignore the mouse.
    """

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self._places: Mapping[int, ViewPlace] = {}
        self._spots: dict[int, Spot] = {}
        self.marks: dict[int, _Mark] = {}
        """The marks by their numbers, including hidden ones."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.put)
        view.figure_changed.connect(self._follow)

    def take(self, places: Mapping[int, ViewPlace]) -> None:
        """Replace the marked places, and request a figure in which to mark them."""
        if places != self._places:
            self._places = dict(places)
            self._spots = {}
            self.put()
            if places:
                self._view.redraw()

    @Slot(object, object)
    def _follow(self, state: Exploration, figure: Figure | None) -> None:
        self._spots = {}
        if figure is not None:
            spots = {number: spot(figure, state, at) for number, at in self._places.items()}
            self._spots = {number: point for number, point in spots.items() if point}
            self._view.favour({point.panel for point in self._spots.values()})
        if self._spots or self.marks:
            self._timer.start()  # after the plots are laid out

    @Slot()
    def put(self) -> None:
        self._timer.stop()
        discs: list[QRectF] = []
        visible: set[int] = set()
        for number, point in self._spots.items():
            place = self._view.place_of(point.panel, point.x, point.y)
            if place is None:
                continue
            corner = self._free_corner(place, discs)
            discs.append(_disc(place, corner))
            if number not in self.marks:
                self.marks[number] = _Mark(number, self._view)
            self.marks[number].show_at(place, corner)
            visible.add(number)
        for number, mark in self.marks.items():
            if number not in visible:
                mark.hide()

    def _free_corner(self, place: QPointF, discs: list[QRectF]) -> QPointF:
        inside = QRectF(self._view.rect())

        def is_free(corner: QPointF) -> bool:
            disc = _disc(place, corner)
            return inside.contains(disc) and not any(map(disc.intersects, discs))

        return next(filter(is_free, _CORNERS), _CORNERS[0])


class _Mark(QWidget):
    """A dot at a place, with a number in a disc next to the dot."""

    def __init__(self, number: int, view: QWidget) -> None:
        super().__init__(view)
        self._number, self._corner = number, _CORNERS[0]
        self.setObjectName(f"point.{number}")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(f"Point {number}")
        font = scaled_font(_FONT_SCALE)
        font.setBold(True)
        self.setFont(font)
        self.hide()

    def show_at(self, place: QPointF, corner: QPointF) -> None:
        middle = place.toPoint()
        self.setGeometry(QRect(middle - QPoint(_HALF, _HALF), middle + QPoint(_HALF, _HALF)))
        if corner != self._corner:
            self._corner = corner
            self.update()
        self.show()
        self.raise_()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        shades = colours(self.palette())
        middle = QPointF(_HALF, _HALF)
        disc = _disc(middle, self._corner)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(shades.base), 1.5))
        painter.setBrush(QColor(shades.accent))
        painter.drawEllipse(middle, _DOT, _DOT)
        painter.drawEllipse(disc)
        painter.setPen(QColor(shades.accent_text))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, str(self._number))
        painter.end()


def _disc(place: QPointF, corner: QPointF) -> QRectF:
    middle = place + corner * _AWAY
    radius = QPointF(_RADIUS, _RADIUS)
    return QRectF(middle - radius, middle + radius)
