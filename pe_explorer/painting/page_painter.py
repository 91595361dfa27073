"""Draw the page of a figure with a painter: on the screen, on paper, in an image or a PDF file.

On devices with pixels, cells and lines with right angles are aligned with pixels. On other devices,
cells are embedded unscaled and text remains text.
"""

import math
import threading
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPathStroker,
    QPen,
    QTransform,
)

from pe_explorer.arrays import Bytes, Floats, Ints
from pe_explorer.figures.page import (
    SUPERSCRIPT_HEIGHT,
    SUPERSCRIPT_SIZE,
    Circle,
    ClockPoints,
    Dots,
    Item,
    Measure,
    Page,
    PageImage,
    PageText,
    Polyline,
    split_superscripts,
)
from pe_explorer.painting.curve import (
    Shades,
    draw_curve,
    fill_between,
    make_dashed_pen,
    make_image,
    make_path,
)
from pe_explorer.painting.device import paint_in_device_pixels, save_state
from pe_explorer.params import quote_value
from pe_explorer.pictures.clock_pixels import draw_points
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.pictures.pixels import (
    HALF_PIXEL,
    find_column_edges,
    find_nearest_pixel,
    find_row_edges,
)
from pe_explorer.progress import report

_MAX_STROKED_POINTS = 300  # maximum number of points to stroke between gaps; more take seconds
_CHUNK_ROWS = 256  # number of pixel rows drawn at a time
_MAX_CLOCK_PIXELS = 1 << 24  # maximum number of pixels in a clock image; a pixel needs eight bytes
_MIN_OPAQUE_VALUE = 255 << 24  # the smallest opaque ARGB value
_FONT_PIXELS = 1000  # font size in pixels for measuring and drawing text


@lru_cache(8)
def make_measure(family: str) -> Measure:
    """Return a cached function that measures text in a font; layout caches use it as a key."""
    metrics = QFontMetricsF(_make_font(family))

    @lru_cache(4096, typed=True)  # distinguishes `Typeset` from plain strings
    def width(text: str) -> float:
        return _width(text, metrics)

    return lambda text, size: width(text) * size / _FONT_PIXELS


def format_font_note(family: str) -> str:
    """Return a sentence about the substitute for a font, or an empty string if it is installed."""
    if QFontDatabase.hasFamily(family):
        return ""
    substitute = QFontInfo(QFont(family)).family()
    return f"Font: {quote_value(family)} is not installed; using {substitute} instead."


def format_character_note(page: Page) -> str:
    """Return a sentence about characters that no font has, or an empty string if there are none."""
    metrics = QFontMetricsF(_make_font(page.font))
    texts = [item.text for item in page.items if isinstance(item, PageText)]
    characters = dict.fromkeys(filter(str.isprintable, "".join(texts)))
    missing_text = "".join(text for text in characters if not metrics.inFontUcs4(ord(text)))
    remedy = "so boxes are drawn instead. Install a font that has these characters."
    return f"No installed font has {quote_value(missing_text)}, {remedy}" if missing_text else ""


def paint(page: Page, painter: QPainter, progress: threading.Event | None = None) -> None:
    """Draw a page with a painter whose unit is a point and whose origin is the page's corner.

    Raise `CancelledError` once the event `progress` is set; see `progress.report`.
    """
    with save_state(painter):
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        if page.ground:
            painter.fillRect(QRectF(0, 0, page.width, page.height), QColor(page.ground))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _PagePainter(painter, page.font, progress or threading.Event()).draw(page.items)


def paint_items(items: tuple[Item, ...], font: str, painter: QPainter) -> None:
    """Draw items with a painter whose unit is a point."""
    with save_state(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _PagePainter(painter, font, threading.Event()).draw(items)


class Pixels(NamedTuple):
    """An image, the device pixel at its top-left corner, and the array with its pixels."""

    corner: QPoint
    image: QImage
    memory: Shades


def draw_item_pixels(
    item: PageImage | ClockPoints, transform: QTransform, memory: Shades | None = None
) -> Pixels:
    """Return an image of cells or of the points of clocks in the resolution of a device.

    An image of cells reuses the `memory` of an earlier image if both have the same size,
    because allocation is slow.
    """
    if isinstance(item, ClockPoints):
        area = _round_to_pixels(transform, item.place)
        face, ratio = item.face, item.pixel * transform.m11()
        factor, grid = ratio / face.grid.ratio, replace(face.grid, ratio=ratio)
        face = face._replace(grid=grid, x=face.x * factor, y=face.y * factor)
        shades = np.ascontiguousarray(draw_points(face, item.colours, area.width(), area.height()))
        return Pixels(area.topLeft(), make_image(shades, is_opaque=False), shades)
    corner, rows, columns = _find_pixel_cells(item, transform)
    shades = _make_shades(item.cells, item.colours)
    if memory is None or memory.shape != (len(rows), len(columns)):
        memory = np.empty((len(rows), len(columns)), np.uint32)
    np.take(shades.take(columns, axis=1), rows, axis=0, out=memory, mode="clip")
    return Pixels(corner, make_image(memory, is_opaque=_is_opaque(shades)), memory)


def _find_pixel_cells(image: PageImage, transform: QTransform) -> tuple[QPoint, Ints, Ints]:
    """Return the top-left device pixel, and the cell row or column of each pixel row or column."""
    place, (rows, columns, *_) = transform.mapRect(QRectF(*image.place)), image.cells.shape
    heights = np.diff(find_row_edges(rows, place.top(), place.bottom()))
    widths = np.diff(find_column_edges(columns, place.left(), place.right()))
    corner = QPoint(find_nearest_pixel(place.left()), find_nearest_pixel(place.top()))
    return corner, np.repeat(np.arange(rows), heights), np.repeat(np.arange(columns), widths)


class _PagePainter:
    def __init__(self, painter: QPainter, family: str, progress: threading.Event) -> None:
        self._painter, self._font_family, self._progress = painter, family, progress
        has_pixels = painter.paintEngine().type() == QPaintEngine.Type.Raster
        transform = painter.deviceTransform()
        is_upright = not transform.isRotating() and transform.m11() > 0 and transform.m22() > 0
        self._should_align_pixels = has_pixels and is_upright
        self._fonts = {is_bold: _make_font(family, is_bold) for is_bold in (False, True)}

    def draw(self, items: tuple[Item, ...]) -> None:
        for number, item in enumerate(items):
            report(self._progress, number / len(items))
            match item:
                case PageText():
                    self._draw_text(item)
                case Polyline():
                    self._draw_line(item)
                case Circle():
                    self._painter.setPen(_make_pen(item.colour, item.width))
                    fill = QColor(item.fill) if item.fill else Qt.BrushStyle.NoBrush
                    self._painter.setBrush(fill)
                    self._painter.drawEllipse(QPointF(item.x, item.y), item.radius, item.radius)
                case ClockPoints():
                    self._draw_points(item)
                case Dots():
                    self._draw_dots(item)
                case PageImage():
                    self._draw_image(item, number / len(items), 1 / len(items))

    def _draw_text(self, text: PageText) -> None:
        painter, font = self._painter, self._fonts[text.is_bold]
        painter.save()
        painter.translate(text.x, text.y)
        if text.is_upward:
            painter.rotate(-90)
        painter.scale(text.size / _FONT_PIXELS, text.size / _FONT_PIXELS)
        if text.left_share:
            width = make_measure(self._font_family)(text.text, _FONT_PIXELS)
            if text.is_bold:  # `make_measure` measures regular text
                width = _width(text.text, QFontMetricsF(font))
            painter.translate(-width * text.left_share, 0)
        painter.setPen(QColor(text.colour))
        painter.setFont(font)
        for piece, is_superscript in split_superscripts(text.text):
            if is_superscript:
                painter.save()
                painter.translate(0, -SUPERSCRIPT_HEIGHT * _FONT_PIXELS)
                painter.scale(SUPERSCRIPT_SIZE, SUPERSCRIPT_SIZE)
            painter.drawText(QPointF(), piece)
            if is_superscript:
                painter.restore()
            if text.text != piece:
                painter.translate(_advance(piece, is_superscript, QFontMetricsF(font)), 0)
        painter.restore()

    def _draw_dots(self, dots: Dots) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        for centre, colour in zip(dots.centres.tolist(), dots.colours.tolist(), strict=True):
            self._painter.setBrush(QColor(*colour))
            self._painter.drawEllipse(QPointF(*centre), dots.radius, dots.radius)

    def _draw_points(self, points: ClockPoints) -> None:
        with paint_in_device_pixels(self._painter) as transform:
            area = _round_to_pixels(transform, points.place)
            if self._should_align_pixels and area.width() * area.height() <= _MAX_CLOCK_PIXELS:
                pixels = draw_item_pixels(points, transform)
                self._painter.drawImage(pixels.corner, pixels.image)
                return
        for dots in points.make_discs():
            self._draw_dots(dots)

    def _draw_line(self, line: Polyline) -> None:
        if not self._should_align_pixels:
            with save_state(self._painter):
                self._clip(line.clip)
                _stroke_line(self._painter, line)
            return
        with paint_in_device_pixels(self._painter) as transform:
            if line.is_rule:
                _fill_rule(self._painter, line, transform)
                return
            self._clip(line.clip, transform)
            has_right_angles = _has_right_angles(line.points)
            device_line = _to_pixels(line, transform, is_sharp=has_right_angles)
            if line.fill and (edges := _find_band_edges(device_line.points)):
                area = _round_to_pixels(transform, line.clip or _compute_bounds(line))
                fill_between(self._painter, area, *edges, QColor(line.fill))
                return
            if line.fill or has_right_angles:
                if self._painter.hasClipping() and not (line.fill or line.dashes):
                    device_line = _clip_to_visible(device_line, self._painter.clipBoundingRect())
                _stroke_line(self._painter, device_line, is_thin=device_line.width <= 1)
                return
            area = _round_to_pixels(transform, line.clip or _compute_bounds(line))
            x, y = np.ascontiguousarray(device_line.points.T)
            colour = QColor(line.colour)
            draw_curve(self._painter, area, x, y, device_line.width, colour, device_line.dashes)

    def _clip(self, clip: Rectangle | None, transform: QTransform | None = None) -> None:
        """Clip to a rectangle, aligned with device pixels if `transform` is given."""
        if clip is None:
            return
        place = QRectF(*clip)
        if transform is not None:
            place = _round_to_pixels(transform, clip).toRectF()
        self._painter.setClipRect(place, Qt.ClipOperation.IntersectClip)

    def _draw_image(self, image: PageImage, completed_share: float, share: float) -> None:
        if not self._should_align_pixels:
            with save_state(self._painter):
                self._clip(image.clip)
                _draw_cells(self._painter, QRectF(*image.place), image)
            return
        with paint_in_device_pixels(self._painter) as transform:
            self._clip(image.clip, transform)
            corner, rows, columns = _find_pixel_cells(image, transform)
            for first in range(0, len(rows), _CHUNK_ROWS):
                report(self._progress, completed_share + share * first / len(rows))
                cells = image.cells[rows[first : first + _CHUNK_ROWS]].take(columns, axis=1)
                _draw_cells(self._painter, corner + QPoint(0, first), image._replace(cells=cells))


def _draw_cells(painter: QPainter, place: QPoint | QRectF, image: PageImage) -> None:
    if image.cells.size:
        shades = _make_shades(image.cells, image.colours)
        painter.drawImage(place, make_image(shades, is_opaque=_is_opaque(shades)))


def _make_shades(cells: Bytes, colours: Bytes | None) -> Shades:
    """Return the premultiplied ARGB value of each cell."""
    red, green, blue, opacity = np.moveaxis(cells if colours is None else colours, -1, 0)
    shades = opacity.astype(np.uint32) << 24
    for colour, bits in ((red, 16), (green, 8), (blue, 0)):
        shades |= (colour.astype(np.uint32) * opacity + 127) // 255 << bits
    return shades if colours is None else shades.take(cells)


def _is_opaque(shades: Shades) -> bool:
    return int(shades.min(initial=_MIN_OPAQUE_VALUE)) >= _MIN_OPAQUE_VALUE


def _round_to_pixels(transform: QTransform, place: Rectangle) -> QRect:
    area = transform.mapRect(QRectF(*place))
    edges = area.left(), area.top(), area.right(), area.bottom()
    left, top, right, bottom = map(find_nearest_pixel, edges)
    return QRect(left, top, right - left, bottom - top)


def _compute_bounds(line: Polyline) -> Rectangle:
    points = line.points[np.isfinite(line.points).all(axis=1)]
    if not len(points):
        return Rectangle(0, 0, 0, 0)
    low, high = points.min(axis=0) - line.width, points.max(axis=0) + line.width
    return Rectangle(*low, *(high - low))


def _find_band_edges(points: Floats) -> tuple[Floats, Floats, Floats] | None:
    """Return x, upper y and lower y of a band, or None if an outline is not a band.

    The outline of a band passes the same x coordinates forwards and then backwards.
    """
    half = len(points) // 2
    x, y = points.T
    if half < 3 or not np.array_equal(x[:half], x[: half - 1 : -1]):
        return None
    return x[:half], y[:half], y[: half - 1 : -1]


def _fill_rule(painter: QPainter, line: Polyline, transform: QTransform) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    width = max(1, round(line.width * transform.m11()))
    points = line.points * transform.m11() + (transform.dx(), transform.dy())
    corners = np.floor(points - 0.5 * (width % 2) + HALF_PIXEL) - width // 2
    if line.fill:
        painter.fillRect(QRectF(*corners.min(axis=0), *np.ptp(corners, axis=0)), QColor(line.fill))
    colour = QColor(line.colour)
    for (x, y), (next_x, next_y) in pairwise(corners.tolist()):
        right, down = abs(next_x - x) + width, abs(next_y - y) + width
        if right + down < math.inf:  # False for gaps, which are nan
            painter.fillRect(QRectF(min(x, next_x), min(y, next_y), right, down), colour)


def _to_pixels(line: Polyline, transform: QTransform, *, is_sharp: bool) -> Polyline:
    scale = transform.m11()
    points = line.points * [scale, transform.m22()] + [transform.dx(), transform.dy()]
    width = line.width * scale
    if is_sharp:
        middle = 0.5 * (max(1, round(width)) % 2)
        points = np.floor(points - middle + HALF_PIXEL) + middle
    dashes = tuple(length * scale for length in line.dashes)
    return line._replace(points=points, width=width, dashes=dashes)


def _clip_to_visible(line: Polyline, place: QRectF) -> Polyline:
    points, reach = line.points, line.width
    low = np.fmin(points[:-1], points[1:]) - reach
    high = np.fmax(points[:-1], points[1:]) + reach
    is_inside = (low <= (place.right(), place.bottom())) & (high >= (place.left(), place.top()))
    is_visible = is_inside.all(axis=1)
    is_end = np.append(is_visible, False) | np.append(False, is_visible)
    visible_points = np.where(is_end[:, None], points, np.nan)
    return line._replace(points=visible_points[is_end | np.append(False, is_end[:-1])])


def _has_right_angles(points: Floats) -> bool:
    steps = points[1:] - points[:-1]
    if not np.isnan(steps[steps.all(axis=1)]).any(axis=1).all():  # true if a segment is diagonal
        return False
    if len(points) <= _MAX_STROKED_POINTS:
        return True
    gaps = np.flatnonzero(np.isnan(steps).any(axis=1))
    return bool(np.diff(gaps, prepend=0, append=len(points)).max() <= _MAX_STROKED_POINTS)


def _stroke_line(painter: QPainter, line: Polyline, *, is_thin: bool = False) -> None:
    """Draw a line, including the area that it encloses if the line has a fill colour.

    A thin line is filled instead of stroked, because Qt's pens are at least a pixel wide.
    """
    path = make_path(*np.ascontiguousarray(line.points.T))  # nan values are gaps in the line
    pen = _make_pen(line.colour, line.width, line.dashes)
    if line.fill:
        painter.fillPath(path, QColor(line.fill))
    if _has_right_angles(line.points):
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if is_thin and line.width > 0:
        painter.fillPath(QPainterPathStroker(pen).createStroke(path), pen.brush())
    else:
        painter.strokePath(path, pen)


def _make_pen(colour: str, width: float, dashes: tuple[float, ...] = ()) -> QPen:
    return make_dashed_pen(QColor(colour), width, dashes) if width > 0 else QPen(Qt.PenStyle.NoPen)


@lru_cache(16)
def _make_font(family: str, is_bold: bool = False) -> QFont:
    font = QFont(family)
    font.setPixelSize(_FONT_PIXELS)
    font.setBold(is_bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)  # avoids colour fringes
    return font


def _width(text: str, metrics: QFontMetricsF) -> float:
    return sum(_advance(*piece, metrics) for piece in split_superscripts(text))


def _advance(piece: str, is_superscript: bool, metrics: QFontMetricsF) -> float:
    return metrics.horizontalAdvance(piece) * (SUPERSCRIPT_SIZE if is_superscript else 1.0)
