"""Make the icons of all platforms from resources/icons/app.svg."""

from __future__ import annotations

import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

PNG_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
_ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
_ICNS_TYPES = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}
"""Apple's names of the sizes."""


def write(svg: Path, folder: Path) -> None:
    """Write `app-SIZE.png` for each size, `app.ico` for Windows and `app.icns` for macOS."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {*PNG_SIZES, *_ICO_SIZES, *_ICNS_TYPES.values()}
    drawn = {size: _png(svg, size) for size in sorted(sizes)}
    for size in PNG_SIZES:
        (folder / f"app-{size}.png").write_bytes(drawn[size])
    (folder / "app.ico").write_bytes(_ico({size: drawn[size] for size in _ICO_SIZES}))
    (folder / "app.icns").write_bytes(_icns(drawn))


def _png(svg: Path, size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    packed = QByteArray()
    buffer = QBuffer(packed)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):
        raise RuntimeError(f"Qt cannot draw {svg}")
    return packed.data()


def _ico(drawn: dict[int, bytes]) -> bytes:
    """Return a Windows icon file that contains a PNG for each size."""
    head = struct.pack("<HHH", 0, 1, len(drawn))
    start = len(head) + 16 * len(drawn)
    for size, png in drawn.items():
        side = size % 256  # 0 stands for 256
        head += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(png), start)
        start += len(png)
    return head + b"".join(drawn.values())


def _icns(drawn: dict[int, bytes]) -> bytes:
    """Return a macOS icon file that contains a PNG for each size."""
    body = b""
    for kind, size in _ICNS_TYPES.items():
        body += kind + struct.pack(">I", 8 + len(drawn[size])) + drawn[size]
    return b"icns" + struct.pack(">I", 8 + len(body)) + body
