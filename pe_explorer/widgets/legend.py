"""Names of curves: at their ends, or in a legend in the emptiest corner of a plot."""

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPalette, QPen
from PySide6.QtWidgets import QGraphicsObject

from pe_explorer.arrays import Floats
from pe_explorer.colours.dashes import Dashes
from pe_explorer.colours.themes import Colours
from pe_explorer.widgets.badge import Badge
from pe_explorer.widgets.curve import dashed_pen
from pe_explorer.widgets.fonts import first_fitting, scaled_font
from pe_explorer.widgets.painting import guarded
from pe_explorer.widgets.theme import colours

_GAP = 4  # pixels between things
_STROKE, _SHORT_STROKE = 28, 16  # pixels of the piece of curve beside a name
_SWATCH = 0.7  # height of the piece of an area beside its name, relative to a line
_WIDEST, _HIGHEST = 0.65, 0.6  # shares of the plot that a legend may take
_WIDEST_AT_END = 0.35  # share of the plot's width for a name at the end of a curve
_NARROW = 150  # pixels of width that a legend may take in a narrow plot
_OPACITY = 205  # of 255, so that what lies behind stays visible
_FONT_SCALE = 0.88  # relative to the application's font


class Named(NamedTuple):
    """A name with what is drawn beside it.

    Attributes
    ----------
    texts : tuple of str
        From the longest to the shortest.
    colour : str
        Of the piece of curve, empty for none.
    dashes : tuple of float
        Those of the curve, in pixels.
    area : str
        ``shaded`` or ``hatched`` where the name is that of such places; empty for a curve.
    """

    texts: tuple[str, ...]
    colour: str
    dashes: Dashes = ()
    area: str = ""


class Legend(QGraphicsObject):
    """Names of curves; it leaves the mouse to the plot below.

    They stand at the right ends of the curves in their colours, if all have room there.
    """

    def __init__(self, box: pg.ViewBox, badge: Badge) -> None:
        super().__init__(box)
        self._box, self._badge = box, badge
        self._names: Sequence[Named] = ()
        self._rows: list[tuple[str, Named]] = []
        self._curves: tuple[Floats, Sequence[Floats]] = (np.empty(0), ())
        self._colours: Colours | None = None
        self._rect = QRectF()
        self._ends: Sequence[QRectF] = ()
        """Where the names stand at the ends of their curves, if all have room there."""
        self._stroke = _STROKE
        self.setZValue(20)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        box.sigResized.connect(self._fit)

    @property
    def names(self) -> tuple[str, ...]:
        """The names shown, whole."""
        return tuple(name.texts[0] for name in self._names)

    @property
    def texts(self) -> tuple[str, ...]:
        """The names as they are read, shortened where there is little room."""
        return tuple(text for text, _ in self._rows)

    def show_names(self, names: Sequence[Named], palette: QPalette) -> None:
        """Show names with their colours, or nothing if there are none.

        Each name has several texts: the first that fits is shown, or else the last, shortened.
        """
        self._names, self._colours = names, colours(palette)
        self._fit()

    def avoid(self, across: Floats, curves: Sequence[Floats]) -> None:
        """Keep clear of curves as far as possible.

        `across` runs from 0 at the left to 1 at the right of the plot, each curve from 0 at
        the top to 1 at the bottom; those that are named come first, in the order of the names.
        """
        self._curves = (across, curves)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Take as much room as the names need, in the corner with least in it."""
        self.setVisible(bool(self._names))
        width, height = self._box.width(), self._box.height()
        if not self._names or width < 1 or height < 1:
            return
        metrics = self._metrics()
        self.prepareGeometryChange()
        has_areas = any(name.area for name in self._names)  # which have no ends
        self._ends = () if has_areas else self._places_at_ends(metrics)
        if self._ends:
            self._rect = reduce(QRectF.united, self._ends)
            self.setPos(0, 0)
            self.update()
            return
        most = int(height * _HIGHEST / metrics.lineSpacing())
        names = _shortened(self._names, max(2, most))
        narrow = min(_NARROW, width - 2 * _GAP)
        widest = max(width * _WIDEST, narrow)
        self._stroke = _STROKE if width > _NARROW else _SHORT_STROKE
        beside = self._stroke + 3 * _GAP  # what of a row is not its name
        text = max(1.0, widest - beside)
        self._rows = [(_fitting(name.texts, metrics, text), name) for name in names]
        longest = max(metrics.horizontalAdvance(shown) for shown, _ in self._rows)
        legend_height = len(names) * metrics.lineSpacing() + _GAP
        self._rect = QRectF(0, 0, longest + beside, legend_height)
        right = max(0.0, width - self._rect.width() - _GAP)
        low = max(0.0, height - legend_height - _GAP)
        corners = [QPointF(x, y) for y, x in product((_GAP, low), (right, _GAP))]
        places = [self._above_badge(corner) for corner in corners]
        self.setPos(min(places, key=self._covered))  # the first of equals, so that it seldom moves
        self.update()

    def _places_at_ends(self, metrics: QFontMetricsF) -> Sequence[QRectF]:
        """Return a place for each name at the end of its curve, nothing if one has no room."""
        across, curves = self._curves
        width, height, line = self._box.width(), self._box.height(), metrics.lineSpacing()
        x, self._rows = across * width, []
        places: list[QRectF] = []
        for number, name in enumerate(self._names[: len(curves)]):
            text = first_fitting(name.texts, metrics, width * _WIDEST_AT_END)
            left = width - _GAP - metrics.horizontalAdvance(text)
            at_end = curves[number][np.searchsorted(x, left) - 1 :] * height
            if not text or not np.isfinite(at_end).all():
                return ()
            for top in (at_end.min() - line, at_end.max()):
                place = QRectF(left, top, width - _GAP - left, line)
                free = 0 <= top <= height - line and not place.intersects(self._badge.place)
                free = free and not any(map(place.intersects, places))
                if free and not any(_crosses(place, x, curve * height) for curve in curves):
                    places.append(place)
                    self._rows.append((text, name))
                    break
            else:
                return ()
        return places if len(places) == len(self._names) else ()

    def _above_badge(self, corner: QPointF) -> QPointF:
        """Return a corner, or the place above the badge that is in it."""
        badge = self._badge.place
        if not badge.intersects(self._rect.translated(corner)):
            return corner
        return QPointF(corner.x(), max(0.0, badge.top() - self._rect.height() - 1))

    def _covered(self, corner: QPointF) -> int:
        """Return how much of the curves lies behind the legend in a corner."""
        place = self._rect.translated(corner)
        across, curves = self._curves
        x = across * self._box.width()
        beside = _between(place.left() - _GAP, x, place.right() + _GAP)
        covered = 0
        for curve in curves:
            y = curve[beside] * self._box.height()
            behind = _between(place.top() - _GAP, y, place.bottom() + _GAP)
            covered += int(behind.sum())
        return covered

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(scaled_font(_FONT_SCALE))

    def boundingRect(self) -> QRectF:
        return self._rect.adjusted(-1, -1, 1, 1)

    @guarded
    def paint(self, painter: QPainter, *_: object) -> None:
        if self._colours is None:
            return
        painter.setFont(scaled_font(_FONT_SCALE))
        metrics = self._metrics()
        if self._ends:
            for place, (shown, name) in zip(self._ends, self._rows, strict=True):
                painter.setPen(QColor(name.colour))
                painter.drawText(QPointF(place.left(), place.top() + metrics.ascent()), shown)
            return
        ground = QColor(self._colours.base)
        ground.setAlpha(_OPACITY)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._colours.line), 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(self._rect, 3, 3)
        line = metrics.lineSpacing()
        for row, (shown, name) in enumerate(self._rows):
            top = _GAP / 2 + row * line
            if name.colour:
                self._draw_piece(painter, name, top + line / 2)
            if name.area:
                swatch = QRectF(_GAP, top + line * (1 - _SWATCH) / 2, self._stroke, line * _SWATCH)
                self._draw_area(painter, name, swatch)
            painter.setPen(QColor(self._colours.text))
            base = QPointF(2 * _GAP + self._stroke, top + metrics.ascent())
            painter.drawText(base, shown)

    def _draw_piece(self, painter: QPainter, name: Named, middle: float) -> None:
        """Draw a piece of the curve beside its name."""
        painter.setPen(dashed_pen(QColor(name.colour), 2, name.dashes))
        painter.drawLine(QPointF(_GAP, middle), QPointF(_GAP + self._stroke, middle))

    def _draw_area(self, painter: QPainter, name: Named, place: QRectF) -> None:
        """Draw a piece of the shaded or hatched places beside their name."""
        assert self._colours is not None
        hatched = name.area == "hatched"
        line = QColor(self._colours.line)
        fill = QBrush(line, Qt.BrushStyle.BDiagPattern)
        painter.setPen(QPen(line, 1))
        painter.setBrush(fill if hatched else QColor(self._colours.raised))
        painter.drawRect(place)


def _fitting(texts: tuple[str, ...], metrics: QFontMetricsF, width: float) -> str:
    """Return the first text that is no wider, or else the last without its middle."""
    without_middle = metrics.elidedText(texts[-1], Qt.TextElideMode.ElideMiddle, width)
    return first_fitting(texts, metrics, width) or without_middle


def _shortened(names: Sequence[Named], most: int) -> Sequence[Named]:
    """Return at most so many names, the last of which may say how many are left out."""
    if len(names) <= most:
        return names
    left_out = len(names) - most + 1
    shown = names[: most - 1]
    return [*shown, Named((f"and {left_out} more",), "")]


def _crosses(place: QRectF, x: Floats, y: Floats) -> bool:
    """Return whether a curve goes through a place."""
    ends = np.stack([y[:-1], y[1:]])
    low, high = np.fmin(*ends), np.fmax(*ends)
    beside = x[1:] > place.left()
    beside &= x[:-1] < place.right()
    at_height = (low < place.bottom()) & (high > place.top())
    return bool((beside & at_height).any())


def _between(low: float, values: Floats, high: float) -> npt.NDArray[np.bool_]:
    return (values >= low) & (values <= high)
