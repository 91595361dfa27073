"""Numbered marks at the points of a picture that an exhibit mentions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration
from pe_explorer.painting.device import log_errors
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.spots import FigurePoint, ViewPlace, find_figure_point
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.fonts import make_scaled_font
from pe_explorer.widgets.theme import colours

_DISC_RADIUS, _DOT_RADIUS = 8.0, 2.5  # radii in pixels
_HALF_MARK_SIDE = 40  # half the width and height in pixels of the widget for a mark
_CORNER_OFFSET = 0.35  # distance from the centre of a cell to a mark in its corner, in cells
_FONT_SCALE = 0.85  # font size relative to the normal size
# Distances in pixels from a dot to its disc, in order of preference. The last ones are for dots
# in a corner of the plot area whose nearest disc belongs to another mark.
_DISC_OFFSETS = tuple(
    QPointF(x, y)
    for x, y in (
        *((11, -11), (-11, -11), (11, 11), (-11, 11), (14, 0), (-14, 0), (0, -14), (0, 14)),
        *((29, 11), (-29, 11), (29, -11), (-29, -11), (11, 29), (-11, 29), (11, -29), (-11, -29)),
    )
)


class NumberedPoints(QObject):
    """Marks at points of a view's picture; a point outside the picture has no mark.

    The marks are widgets over the picture, so they are not exported. They ignore the mouse.
    """

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self._places: Mapping[int, ViewPlace] = {}
        self._points: dict[int, FigurePoint] = {}
        self.marks: dict[int, _NumberMark] = {}  # marks by number, including hidden marks
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.place_marks)
        view.figure_changed.connect(self._follow_figure)

    def set_places(self, places: Mapping[int, ViewPlace]) -> None:
        """Replace the points to mark, and redraw the view to locate them in its figure."""
        if places != self._places:
            self._places, self._points = dict(places), {}
            self.place_marks()
            if places:
                self._view.redraw()

    @Slot(object, object)
    def _follow_figure(self, state: Exploration, figure: Figure | None) -> None:
        self._points = {}
        if figure is not None:
            for number, place in self._places.items():
                if point := find_figure_point(figure, state, place):
                    panel = figure.panel(point.panel)
                    if panel and panel.cells and panel.cells.has_numbers:  # do not hide a number
                        up = -_CORNER_OFFSET if panel.y.is_downward else _CORNER_OFFSET
                        point = point._replace(x=point.x + _CORNER_OFFSET, y=point.y + up)
                    self._points[number] = point
            self._view.set_preferred_panels({point.panel for point in self._points.values()})
        if self._points or self.marks:
            self._timer.start()  # place the marks after the plots are laid out

    @Slot()
    def place_marks(self) -> None:
        self._timer.stop()
        places = {
            number: place
            for number, point in self._points.items()
            if (place := self._view.locate(point.panel, point.x, point.y)) is not None
        }
        areas = {number: self._view.find_free_area(self._points[number].panel) for number in places}
        occupied_squares = [_make_square(place, _DOT_RADIUS) for place in places.values()]

        def compute_penalties(number: int) -> list[float]:
            area, labels = areas[number]
            obstacles = [*labels, *occupied_squares]
            return [
                _compute_penalty(places[number] + side, area, obstacles) for side in _DISC_OFFSETS
            ]

        free_side_counts = {number: compute_penalties(number).count(0.0) for number in places}
        for number in sorted(
            places, key=free_side_counts.__getitem__
        ):  # those with fewest sides first
            place, penalties = places[number], compute_penalties(number)
            side = _DISC_OFFSETS[penalties.index(min(penalties))]
            occupied_squares.append(_make_square(place + side, _DISC_RADIUS))
            if number not in self.marks:
                self.marks[number] = _NumberMark(number, self._view)
            self.marks[number].show_at(place, side)
        for number in self.marks.keys() - places.keys():
            self.marks[number].hide()


class _NumberMark(QWidget):
    """A dot at a point, with a number in a disc beside the dot."""

    def __init__(self, number: int, view: QWidget) -> None:
        super().__init__(view)
        self._number, self._side = number, _DISC_OFFSETS[0]
        self.setObjectName(f"point.{number}")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(f"Point {number}")
        font = make_scaled_font(_FONT_SCALE)
        font.setBold(True)
        self.setFont(font)
        self.hide()

    def show_at(self, place: QPointF, side: QPointF) -> None:
        middle, half = place.toPoint(), QPoint(_HALF_MARK_SIDE, _HALF_MARK_SIDE)
        self.setGeometry(QRect(middle - half, middle + half))
        if side != self._side:
            self._side = side
            self.update()
        self.show()
        self.raise_()

    @log_errors
    def paintEvent(self, event: QPaintEvent) -> None:
        shades = colours(self.palette())
        middle = QPointF(_HALF_MARK_SIDE, _HALF_MARK_SIDE)
        disc_rect = _make_square(middle + self._side, _DISC_RADIUS)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(shades.base), 1.5))
        painter.setBrush(QColor(shades.accent))
        painter.drawEllipse(middle, _DOT_RADIUS, _DOT_RADIUS)
        painter.drawEllipse(disc_rect)
        painter.setPen(QColor(shades.accent_text))
        painter.drawText(disc_rect, Qt.AlignmentFlag.AlignCenter, str(self._number))
        painter.end()


def _compute_penalty(middle: QPointF, area: QRectF, obstacles: Iterable[QRectF]) -> float:
    """Return the size of the parts of a disc that lie outside the area or on an obstacle."""
    disc_rect = _make_square(middle, _DISC_RADIUS)
    parts = (disc_rect.intersected(rect) for rect in (area, *obstacles))
    inside, *covered_areas = (part.width() * part.height() for part in parts)
    return disc_rect.width() * disc_rect.height() - inside + sum(covered_areas)


def _make_square(middle: QPointF, radius: float) -> QRectF:
    half = QPointF(radius, radius)
    return QRectF(middle - half, middle + half)
