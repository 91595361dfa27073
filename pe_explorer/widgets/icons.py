"""Icons from `resources/icons/`, tinted with the colours of a palette.

A widget requests its icon again on the events in `REDRAW_EVENTS`.
"""

import logging
from functools import cache

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QToolButton

from pe_explorer.assets import find_asset
from pe_explorer.widgets.theme import colours

REDRAW_EVENTS = (QEvent.Type.PaletteChange, QEvent.Type.DevicePixelRatioChange)

_picture_ratios: set[float] = set()


def add_picture_ratio(ratio: float) -> None:
    """Make `icon` also draw at `ratio` pixels per point, for images with this resolution."""
    _picture_ratios.add(ratio)


def icon(name: str, palette: QPalette, side: int = 16) -> QIcon:
    """Return the named icon, `side` points wide, or an empty icon if its file is unreadable."""
    shades = colours(palette)
    result = QIcon()
    screen_ratios = {screen.devicePixelRatio() for screen in QGuiApplication.screens()}
    for ratio in screen_ratios | _picture_ratios:
        if drawing := _drawing(name, round(side * ratio)):
            result.addPixmap(_tint(drawing, shades.text), QIcon.Mode.Normal)
            result.addPixmap(_tint(drawing, shades.line), QIcon.Mode.Disabled)
    return result


def picture(name: str, tint: str, side: int, ratio: float) -> QPixmap:
    """Return an icon as an image in one colour, or an empty image if its file is unreadable."""
    drawing = _drawing(name, round(side * ratio))
    return QPixmap() if drawing is None else _tint(drawing, tint)


def _tint(drawing: QImage, tint: str) -> QPixmap:
    pixmap = QPixmap.fromImage(drawing)
    painter = QPainter(pixmap)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(pixmap.rect(), QColor(tint))
    painter.end()
    return pixmap


@cache
def _drawing(name: str, size: int) -> QImage | None:
    path = find_asset(f"icons/{name}.svg")
    try:
        svg = path.read_bytes()
    except OSError as error:
        logging.getLogger(__name__).warning("an icon could not be read: %s", error)
        return None
    renderer = QSvgRenderer(svg.replace(b"currentColor", b"black"))
    if not renderer.isValid():
        logging.getLogger(__name__).warning("an icon could not be read: %s is damaged", path)
        return None
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


class IconButton(QToolButton):
    """A flat button with an icon in the colours of the theme."""

    _icon_name = ""

    def __init__(self, icon_name: str, name: str, about: str = "", side: int = 28) -> None:
        """Create a button; `about` is for screen readers, and `side` is a length in pixels."""
        super().__init__(autoRaise=True)
        self._name_suffix = f": {about}" if about else ""
        self.setFixedSize(side, side)
        self.set_action(icon_name, name)

    def set_action(self, icon_name: str, name: str) -> None:
        if icon_name != self._icon_name or name != self.text():
            self._icon_name = icon_name
            self.setText(name)  # visible only if the icon is missing
            self.setAccessibleName(f"{name}{self._name_suffix}")
            self.setIcon(icon(icon_name, self.palette()))

    def event(self, event: QEvent) -> bool:
        if event.type() in REDRAW_EVENTS and self._icon_name:
            self.setIcon(icon(self._icon_name, self.palette()))
        return super().event(event)
