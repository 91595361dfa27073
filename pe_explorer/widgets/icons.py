"""Icons from `resources/icons/`, tinted with the colours of a palette.

A widget that shows one asks for it again on the events `REDRAWING`.
"""

from __future__ import annotations

import logging
from functools import cache

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QImage, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from pe_explorer.assets import asset
from pe_explorer.widgets.theme import colours

__all__ = ["REDRAWING", "icon", "sharpen"]

REDRAWING = (QEvent.Type.PaletteChange, QEvent.Type.DevicePixelRatioChange)
"""Events after which an icon is out of date."""

_SIDE = 16  # points, unless asked for in another size
_picture_ratios: set[float] = set()


def sharpen(ratio: float) -> None:
    """Draw icons also for pictures with `ratio` pixels per point, from now on.

    They are always drawn for the screens that there are.
    """
    _picture_ratios.add(ratio)


def icon(name: str, palette: QPalette, side: int = _SIDE) -> QIcon:
    """Return an icon by the name of its file; an empty one, logged, if it cannot be read.

    It is drawn for `side` x `side` points, and scaled to any other size.
    """
    shades = colours(palette)
    result = QIcon()
    if not (svg := _svg(name)):
        return result
    ratios = _picture_ratios | {screen.devicePixelRatio() for screen in QGuiApplication.screens()}
    for mode, tint in ((QIcon.Mode.Normal, shades.text), (QIcon.Mode.Disabled, shades.line)):
        for ratio in ratios:
            image = _image(svg, tint, round(side * ratio))
            result.addPixmap(QPixmap.fromImage(image), mode)
    return result


@cache
def _image(svg: bytes, tint: str, size: int) -> QImage:
    """Return a drawing in one colour and size; drawn once, as buttons share their icons."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(svg.replace(b"currentColor", tint.encode())).render(painter)
    painter.end()
    return image


@cache
def _svg(name: str) -> bytes:
    """Return the content of an icon's file, empty if there is no drawing in it."""
    path = asset(f"icons/{name}.svg")
    try:
        svg = path.read_bytes()
    except OSError as error:
        logging.getLogger(__name__).warning("an icon could not be read: %s", error)
        return b""
    if not QSvgRenderer(svg).isValid():
        logging.getLogger(__name__).warning("an icon could not be read: %s is damaged", path)
        return b""
    return svg
