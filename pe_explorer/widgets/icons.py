"""Icons from `resources/icons/`, tinted with the colours of a palette.

A widget that shows one asks for it again when its palette changes.
"""

from __future__ import annotations

import logging
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from pe_explorer.assets import asset
from pe_explorer.widgets.theme import colours

__all__ = ["icon"]

# Pixels: 16 points on screens of 1, 1.25, 1.5 ... 4 pixels per point, so that none is scaled.
_SIZES = (16, 20, 24, 28, 32, 36, 40, 48, 56, 64)


def icon(name: str, palette: QPalette) -> QIcon:
    """Return an icon by the name of its file; an empty one, logged, if it cannot be read."""
    c = colours(palette)
    tints = {QIcon.Mode.Normal: c.text, QIcon.Mode.Disabled: c.line}
    result = QIcon()
    svg = _svg(name)
    if not svg:
        return result
    for mode, colour in tints.items():
        for image in _images(svg, colour):
            result.addPixmap(QPixmap.fromImage(image), mode)
    return result


@cache
def _images(svg: bytes, colour: str) -> tuple[QImage, ...]:
    """Return a drawing in one colour, in all sizes; drawn once, as buttons share their icons."""
    renderer = QSvgRenderer(svg.replace(b"currentColor", colour.encode()))
    return tuple(_image(renderer, size) for size in _SIZES)


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


def _image(renderer: QSvgRenderer, size: int) -> QImage:
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image
