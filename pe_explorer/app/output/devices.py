"""What a figure is painted on, begun and ended in one way: pictures, PDF files, printers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPaintDevice, QPainter, QPdfWriter

from pe_explorer import __version__
from pe_explorer.figures.page import Page
from pe_explorer.figures.size import POINTS_PER_INCH

PROGRAM = f"PE Explorer {__version__}"
"""The program in the properties of a file."""


@contextmanager
def painting(device: QPaintDevice) -> Iterator[QPainter]:
    """Begin to paint, and end it whatever happens: else Qt ends the process.

    Raises `OSError` if the device does not begin.
    """
    painter = QPainter()
    if not painter.begin(device):
        raise OSError("it does not answer")
    try:
        yield painter
    finally:
        painter.end()


@contextmanager
def in_points(device: QPaintDevice) -> Iterator[QPainter]:
    """Begin to paint in points of 1/72 inch; see `painting`."""
    with painting(device) as painter:
        dots = device.logicalDpiX() / POINTS_PER_INCH
        painter.scale(dots, dots)
        yield painter


def pdf_of(
    page: Page, prepare: Callable[[QPdfWriter], None], draw: Callable[[QPainter], None]
) -> bytes:
    """Return a PDF file with one page.

    Parameters
    ----------
    page : Page
        Its title is that of the file.
    prepare : callable
        Chooses the paper.
    draw : callable
        Draws what is on it, in points.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(page.title)
    writer.setCreator(PROGRAM)
    prepare(writer)
    with in_points(writer) as painter:
        draw(painter)
    return bytes(buffer.data().data())
