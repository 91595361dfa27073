"""Graphics items of a page: cached sheets, data, cursor marks, and areas for the mouse."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QRegion, QTransform
from PySide6.QtWidgets import QGraphicsItem

from pe_explorer.figures.layout import compute_bounds
from pe_explorer.figures.page import ClockPoints, Item, PageImage, PageText, Polyline
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.painting.device import log_errors, paint_in_device_pixels, snap_to_pixels
from pe_explorer.painting.page_painter import Pixels, draw_item_pixels, make_measure, paint_items
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.pictures.pixels import NO_VALUE_INDEX

_WHEEL_FACTOR = 0.8  # zoom factor for one notch of the wheel
_MARGIN = 2  # pixels around an item for antialiasing
_RING_WIDTH = 1.6  # line width in pixels of a ring around a point
_LINE_STYLES: tuple[tuple[tuple[str, tuple[int, ...], int], ...], ...] = (
    (("#ffffff", (), 0), ("#000000", (3, 3), 0)),
    (("#ffffff", (2, 4), 0), ("#000000", (2, 4), 3)),
)
"""The lines of the cursor and of the hover mark: colour, dash pattern and dash offset.

The lengths of dashes are multiples of the line width. All colours are opaque, because
Qt draws transparent colours ten times slower."""
ItemKey = tuple[Any, ...]


def pixels(place: Rectangle) -> QRectF:
    """Convert a rectangle on the page from points to screen pixels."""
    return QRectF(*(part / UNIT_POINTS["px"] for part in place))


class Sheet(QGraphicsItem):
    """A layer of items below or above the data, cached as pixels.

    Only changed regions are redrawn. An opaque sheet fills its background; any other
    sheet is transparent between its items.
    """

    def __init__(self, *, is_opaque: bool) -> None:
        super().__init__()
        self._is_opaque, self._rect = is_opaque, QRectF()
        self._render_style: ItemKey = ()
        self._items: dict[ItemKey, tuple[Item, QRegion]] = {}
        self._pixmap, self._stale_region, self._covered_region = QPixmap(), QRegion(), QRegion()
        self._cached_keys: tuple[Sequence[Item], list[ItemKey]] = (), []
        self.hidden_region = QRegion()  # not drawn, because opaque cells cover it

    def show_items(
        self,
        static_items: tuple[Item, ...],
        dynamic_items: tuple[Item, ...],
        rect: QRectF,
        look: tuple[float, str, str],
    ) -> None:
        """Show static and dynamic items in `rect`.

        If `static_items` is the same tuple as before, the cached keys of its items are reused.
        `look` contains the device pixels per pixel, the font and the background colour.
        """
        if static_items is not self._cached_keys[0]:
            self._cached_keys = static_items, list(map(_key, static_items))
        keys = *self._cached_keys[1], *map(_key, dynamic_items)
        items = *static_items, *dynamic_items
        known = self._items if look[1:2] == self._render_style[1:2] else {}
        self._items = {
            key: known.get(key) or (item, _compute_region(item, look[1]))
            for key, item in zip(keys, items, strict=True)
        }
        if (rect, look) != (self._rect, self._render_style):
            self.prepareGeometryChange()
            self._rect, self._render_style = rect, look
            self._stale_region = QRegion(rect.toAlignedRect())
        elif changed := known.keys() ^ self._items.keys():
            parts = ((known.get(key) or self._items[key])[1] for key in changed)
            self._stale_region = reduce(QRegion.united, parts, self._stale_region)
        else:
            return
        regions = (region for _, region in self._items.values())
        self._covered_region = QRegion(rect.toAlignedRect())
        if not self._is_opaque:
            self._covered_region = reduce(QRegion.united, regions, QRegion())
        for part in self._stale_region:  # type: ignore[attr-defined]
            self.update(QRectF(part))

    def _draw_stale_region(self) -> None:
        ratio, font, ground = self._render_style
        colour = QColor(ground) if self._is_opaque else QColor(Qt.GlobalColor.transparent)
        size = (self._rect.size() * ratio).toSize()
        if size != self._pixmap.size():
            self._pixmap = QPixmap(size)
            if not self._is_opaque:
                self._pixmap.fill(colour)
        painter = QPainter(self._pixmap)
        painter.scale(ratio, ratio)
        painter.setClipRegion(self._stale_region)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.fillRect(self._rect, colour)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        items = self._items.values()
        stale_items = (item for item, region in items if region.intersects(self._stale_region))
        painter.scale(1 / UNIT_POINTS["px"], 1 / UNIT_POINTS["px"])
        paint_items(tuple(stale_items), font, painter)
        painter.end()
        self._stale_region = QRegion()

    def release(self) -> None:
        """Free the cached pixels until the next paint; they may take several megabytes."""
        self._pixmap, self._stale_region = QPixmap(), QRegion(self._rect.toAlignedRect())

    def boundingRect(self) -> QRectF:
        return self._rect

    @log_errors
    def paint(self, painter: QPainter, *_: object) -> None:
        if self._covered_region.isEmpty():
            return
        if not self._stale_region.isEmpty():
            self._draw_stale_region()
        snap_to_pixels(painter)
        region = self._covered_region.subtracted(self.hidden_region)
        with paint_in_device_pixels(painter) as device_transform:
            corner = _round_rect(device_transform.mapRect(self._rect)).topLeft()
            # The scale differs from 1 when painting on an image with another pixel ratio.
            scale = device_transform.m11() / self._render_style[0]
            place = QRectF(corner, self._pixmap.size().toSizeF() * scale).toRect()
            for part in _find_exposed_parts(self, region, device_transform):
                painter.setClipRect(part)
                painter.drawPixmap(place, self._pixmap)


def _key(item: Item) -> ItemKey:
    if isinstance(item, PageText):
        return item
    return tuple(part.tobytes() if isinstance(part, np.ndarray) else part for part in item)


def _compute_region(item: Item, font: str) -> QRegion:
    places = [compute_bounds(item, make_measure(font))]
    # Frames and lines with gaps have large, mostly empty bounds, so use one rectangle for each
    # segment. This is unnecessary for ticks, which are close together.
    if isinstance(item, Polyline) and not item.fill and item.is_rule != np.isnan(item.points).any():
        pairs = np.stack([item.points[:-1], item.points[1:]], axis=1)
        pairs = pairs[np.isfinite(pairs).all(axis=(1, 2))]
        low, high = pairs.min(axis=1) - item.width, pairs.max(axis=1) + item.width
        places = list(itertools.starmap(Rectangle, np.hstack([low, high - low]).tolist()))
    region = QRegion()
    for place in places:
        region |= pixels(place).adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN).toAlignedRect()
    return region


class DataItem(QGraphicsItem):
    """The cells, curves or points of an area."""

    def __init__(self) -> None:
        super().__init__()
        self._rect, self._font = QRectF(), ""
        self._items: tuple[Item, ...] = ()
        self._pixels: list[tuple[QRectF, Pixels] | None] = []  # cached pixels by item index
        self._curves: tuple[QRectF, QPixmap] | None = None  # cached pixels of curves
        self._has_new_items = True

    def show_items(self, items: tuple[Item, ...], rect: QRectF, font: str) -> None:
        """Show items in `rect`, an area of the page in pixels."""
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect
        if len(items) != len(self._items):
            self._pixels = [None] * len(items)
        self._items, self._font, self._has_new_items = items, font, True
        self.update()

    @property
    def covered_region(self) -> QRegion:
        """The region, in whole pixels, that opaque cells cover."""
        region = QRegion()
        for item in self._items:
            if isinstance(item, PageImage) and int(item.cells.max(initial=0)) < NO_VALUE_INDEX:
                place = pixels(item.place).intersected(self._rect).adjusted(1, 1, -1, -1)
                region |= place.toAlignedRect().adjusted(1, 1, -1, -1)
        return region

    def release(self) -> None:
        """Free the cached pixels until the next paint; they may take several megabytes."""
        self._pixels, self._curves = [None] * len(self._items), None

    def boundingRect(self) -> QRectF:
        return self._rect.adjusted(-1, -1, 1, 1)

    @log_errors
    def paint(self, painter: QPainter, *_: object) -> None:
        snap_to_pixels(painter)
        has_images = any(isinstance(item, PageImage | ClockPoints) for item in self._items)
        if self._items and not has_images and not self._has_new_items:
            self._paint_cached_curves(painter)
            return
        self._curves = None
        covered_region = QRegion(self.boundingRect().toAlignedRect())
        parts = list(_find_exposed_parts(self, covered_region, painter.deviceTransform()))
        painter.scale(1 / UNIT_POINTS["px"], 1 / UNIT_POINTS["px"])
        for number, item in enumerate(self._items):
            if not isinstance(item, PageImage | ClockPoints):
                paint_items((item,), self._font, painter)
                continue
            with paint_in_device_pixels(painter) as device_transform:
                place, known = device_transform.mapRect(QRectF(*item.place)), self._pixels[number]
                if self._has_new_items or known is None or known[0] != place:
                    memory = known[1].memory if known else None
                    item_pixels = draw_item_pixels(item, device_transform, memory)
                    known = self._pixels[number] = place, item_pixels
                clip = item.clip if isinstance(item, PageImage) and item.clip else item.place
                whole = _round_rect(device_transform.mapRect(QRectF(*clip)))
                for part in parts:
                    painter.setClipRect(part.intersected(whole))
                    painter.drawImage(known[1].corner, known[1].image)
        self._has_new_items = False

    def _paint_cached_curves(self, painter: QPainter) -> None:
        """Paint curves again, from cached pixels, because each step of the cursor needs them."""
        with paint_in_device_pixels(painter) as device_transform:
            place = _round_rect(device_transform.mapRect(self.boundingRect()))
            if self._curves is None or self._curves[0] != place:
                pixmap = QPixmap(place.size().toSize())
                pixmap.fill(Qt.GlobalColor.transparent)
                curve_painter = QPainter(pixmap)
                curve_painter.translate(-place.topLeft())
                curve_painter.setTransform(device_transform, combine=True)
                curve_painter.scale(1 / UNIT_POINTS["px"], 1 / UNIT_POINTS["px"])
                paint_items(self._items, self._font, curve_painter)
                curve_painter.end()
                self._curves = place, pixmap
            painter.drawPixmap(place.topLeft(), self._curves[1])


def _find_exposed_parts(
    item: QGraphicsItem, region: QRegion, device_transform: QTransform
) -> Iterator[QRectF]:
    """Yield the exposed rectangles of a region, in device pixels.

    Each rectangle is a separate clip. If one clip contained several rectangles, Qt would
    split the image among threads and wait for them.
    """
    for part in item.scene().exposed_region.intersected(region):  # type: ignore[attr-defined]
        yield _round_rect(device_transform.mapRect(QRectF(part)))


def _round_rect(place: QRectF) -> QRectF:
    left, top = round(place.left()), round(place.top())
    return QRectF(left, top, round(place.right()) - left, round(place.bottom()) - top)


class CursorMark(QGraphicsItem):
    """A line or a frame in an area at the cursor or hover point, or a ring around a point."""

    def __init__(self, kind: int) -> None:
        """Create a hidden mark; `kind` is 0 for the cursor and 1 for the hover mark."""
        super().__init__()
        self._kind, self._rect, self._ring_colour = kind, QRectF(), ""
        self.hide()

    def show_at(self, rect: QRectF, ring_colour: str = "") -> None:
        """Show a frame, a line if a side of `rect` is 0, or a ring if `ring_colour` is given."""
        if (rect, ring_colour) != (self._rect, self._ring_colour):
            self.prepareGeometryChange()
            self._rect, self._ring_colour = rect, ring_colour
            self.update()
        self.show()

    def boundingRect(self) -> QRectF:
        return self._rect.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)

    @log_errors
    def paint(self, painter: QPainter, *_: object) -> None:
        with paint_in_device_pixels(painter) as device_transform:
            rect, ratio = device_transform.mapRect(self._rect), device_transform.m11()
            if self._ring_colour:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(QColor(self._ring_colour), _RING_WIDTH * ratio))
                painter.drawEllipse(rect)
                return
            pen = QPen()
            pen.setWidth(max(1, round(ratio)))
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            for colour, dashes, offset in _LINE_STYLES[self._kind]:
                pen.setColor(QColor(colour))
                if dashes:
                    pen.setDashPattern(dashes)
                    pen.setDashOffset(offset)
                painter.setPen(pen)
                if rect.isEmpty():
                    painter.drawLine(rect.topLeft(), rect.bottomRight())
                else:
                    painter.drawRect(rect)


class PageArea(pg.GraphicsObject):  # type: ignore[misc]
    """A rectangular part of the page, in pixels."""

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()

    def place(self, rect: QRectF) -> None:
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, *_: Any) -> None:
        """Draw nothing; subclasses override this method."""


class PanelArea(PageArea):
    """The mouse area of a panel; signals give points in fractions of its width and height."""

    zoom_requested = Signal(str, float, float, float, object)  # panel, factor, x, y, modifiers
    pan_requested = Signal(str, float, float)  # panel, horizontal and vertical distance
    hovered = Signal(str, float, float)  # panel, x, y
    mouse_exited = Signal(str)  # panel
    clicked = Signal(str, float, float)  # panel, x, y
    double_clicked = Signal(str, float, float)  # panel, x, y

    def __init__(self, panel: str) -> None:
        super().__init__()
        self.panel = panel
        self.data = DataItem()
        # Vertical and horizontal lines, or a frame, of the cursor, then of the hover mark.
        self.marks = [[CursorMark(kind), CursorMark(kind)] for kind in (0, 1)]

    def mark(
        self, kind: int, first: Rectangle | None = None, second: Rectangle | None = None
    ) -> None:
        """Show two marks at places in points; hide a mark whose place is None."""
        for mark, place in zip(self.marks[kind], (first, second), strict=True):
            mark.setVisible(place is not None)
            if place is not None:
                mark.show_at(pixels(place))

    def unmark(self) -> None:
        for kind in (0, 1):
            self.mark(kind)

    def show_ring(self, kind: int, middle: QPointF, radius: float, colour: str) -> None:
        half = QPointF(radius, radius)
        self.marks[kind][0].show_at(QRectF(middle - half, middle + half), colour)

    def compute_fractions(self, point: QPointF) -> tuple[float, float]:
        """Convert a point on the page from pixels to fractions of the area."""
        offset = point - self._rect.topLeft()
        width, height = max(1.0, self._rect.width()), max(1.0, self._rect.height())
        return offset.x() / width, offset.y() / height

    def wheelEvent(self, event: Any) -> None:
        factor = _WHEEL_FACTOR ** (event.delta() / 120)
        x, y = self.compute_fractions(event.pos())
        self.zoom_requested.emit(self.panel, factor, x, y, event.modifiers())
        event.accept()

    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        x, y = self.compute_fractions(event.pos())
        last_x, last_y = self.compute_fractions(event.lastPos())
        self.pan_requested.emit(self.panel, x - last_x, y - last_y)
        event.accept()

    def hoverEvent(self, event: Any) -> None:
        if event.isExit():
            self.mouse_exited.emit(self.panel)
        else:
            self.hovered.emit(self.panel, *self.compute_fractions(event.pos()))

    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            signal = self.double_clicked if event.double() else self.clicked
            signal.emit(self.panel, *self.compute_fractions(event.pos()))
            event.accept()


class Grip(PageArea):
    """A draggable part of the page."""

    dragged = Signal(str, QPointF, QPointF)  # name, start and current point in pixels of the page
    dropped = Signal(str, QPointF, QPointF)

    def __init__(self, name: str, cursor: Qt.CursorShape) -> None:
        super().__init__()
        self.name = name
        self.setCursor(cursor)
        self.setZValue(5)  # above the areas
        self.hide()

    def place(self, rect: QRectF) -> None:
        super().place(rect)
        self.show()

    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        self.dragged.emit(self.name, event.buttonDownScenePos(), event.scenePos())
        if event.isFinish():
            self.dropped.emit(self.name, event.buttonDownScenePos(), event.scenePos())
