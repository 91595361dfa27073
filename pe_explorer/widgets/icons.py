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

# Pixels: 16 and 20 points on screens of 1, 1.25, 1.5 and 2 pixels per point, so that none of the
# usual ones is scaled.
_SIZES = (16, 20, 24, 25, 30, 32, 40, 64)


def icon(name: str, palette: QPalette) -> QIcon:
    """Return an icon by the name of its file; an empty one, logged, if it cannot be read."""
    shades = colours(palette)
    tints = {QIcon.Mode.Normal: shades.text, QIcon.Mode.Disabled: shades.line}
    result = QIcon()
    for mode, colour in tints.items():
        for image in _images(name, colour):
            result.addPixmap(QPixmap.fromImage(image), mode)
    return result


@cache
def _images(name: str, colour: str) -> tuple[QImage, ...]:
    """Return the drawing of an icon in one colour, in all sizes; nothing where it has none."""
    svg = _svg(name)
    if not svg:
        return ()
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
