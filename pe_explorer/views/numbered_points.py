"""The numbers 1, 2, 3 in a picture, at the places that the words of an exhibit name."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration
from pe_explorer.painting.device import guarded
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.spots import Spot, Where, spot
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.fonts import scaled_font
from pe_explorer.widgets.theme import colours

_RADIUS, _DOT = 8.0, 2.5  # pixels: of the disc with the number, of the dot at the place
_AWAY = 11.0  # pixels from the place to the middle of the disc, across and down
_HALF = 22  # pixels from the middle of a mark to its edges
_FONT_SCALE = 0.85  # relative to the usual font
_CORNERS = (QPointF(1, -1), QPointF(-1, -1), QPointF(1, 1), QPointF(-1, 1))
"""Where the disc can be, as seen from its place: first right above it."""


class NumberedPoints(QObject):
    """Marks places of a view's picture; a place that is not in the picture has no mark.

    The marks lie over the picture as widgets of their own, so that figures never have them, and
    they let the mouse through.
    """

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self._places: Mapping[int, Where] = {}
        self._spots: dict[int, Spot] = {}
        self.marks: dict[int, _Mark] = {}
        """The marks by their numbers, those that are hidden included."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.put)
        view.figure_changed.connect(self._follow)

    def take(self, places: Mapping[int, Where]) -> None:
        """Mark these places, and no others, from the next figure on, which is asked for."""
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
            found = {number: spot(figure, state, at) for number, at in self._places.items()}
            self._spots = {number: there for number, there in found.items() if there}
            self._view.favour({there.panel for there in self._spots.values()})
        if self._spots or self.marks:
            self._timer.start()  # once the plots have got their room

    @Slot()
    def put(self) -> None:
        """Put the marks where the places are now."""
        self._timer.stop()
        taken: list[QRectF] = []
        seen: set[int] = set()
        for number, there in self._spots.items():
            place = self._view.place_of(there.panel, there.x, there.y)
            if place is None:
                continue
            corner = self._free_corner(place, taken)
            taken.append(_disc(place, corner))
            if number not in self.marks:
                self.marks[number] = _Mark(number, self._view)
            self.marks[number].show_at(place, corner)
            seen.add(number)
        for number, mark in self.marks.items():
            if number not in seen:
                mark.hide()

    def _free_corner(self, place: QPointF, taken: list[QRectF]) -> QPointF:
        inside = QRectF(self._view.rect())

        def is_free(corner: QPointF) -> bool:
            disc = _disc(place, corner)
            return inside.contains(disc) and not any(map(disc.intersects, taken))

        return next(filter(is_free, _CORNERS), _CORNERS[0])


class _Mark(QWidget):
    """A dot at a place, and beside it a disc with a number."""

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
