"""Prints the page of a figure: on paper, or into a PDF file that has the size of the paper."""

import threading
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPageLayout, QPainter, QPdfWriter
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo

from pe_explorer.app.output.devices import in_points, pdf_of
from pe_explorer.app.output.figure_painter import paint
from pe_explorer.figures.page import Page
from pe_explorer.figures.size import POINTS, FigureSize
from pe_explorer.files.atomic import replacing
from pe_explorer.params import ParameterError, reason
from pe_explorer.progress import report

_ROUNDING = 0.5  # points: sizes of paper are rounded to whole points


class PaperPlace(NamedTuple):
    """Where a figure lies on paper, in points from where the printer can begin to print."""

    left: float
    top: float
    scale: float


def has_printers() -> bool:
    """Return whether the system knows a printer."""
    return bool(QPrinterInfo.availablePrinterNames())


def printer_for(name: str) -> QPrinter:
    """Return the printer that the system prefers, for a document of this name.

    Where there is none, it is set up to write a PDF file of this name in the user's folder.
    """
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(name)
    if not has_printers():
        printer.setOutputFileName(str(Path.home() / f"{name}.pdf"))
    return printer


def turn_paper(printer: QPrinter, size: FigureSize, *, fitted: bool) -> bool:
    """Lay the paper on its side where only then a wide figure has room, or has more room.

    Returns whether it was turned.
    """
    width, height = size.in_points
    is_too_wide = width > _room(printer.pageLayout()).width() + _ROUNDING
    upright = printer.pageLayout().orientation() == QPageLayout.Orientation.Portrait
    turns = upright and width > height and (fitted or is_too_wide)
    if turns:
        printer.setPageOrientation(QPageLayout.Orientation.Landscape)
    return turns


def place_on(layout: QPageLayout, size: FigureSize, *, fitted: bool) -> PaperPlace:
    """Return where a figure lies on paper: in the middle, in its size or as large as there is room.

    Raises `ParameterError` if the paper is too small for its size.
    """
    room = _room(layout)
    width, height = size.in_points
    scale = min(room.width() / width, room.height() / height)
    if not fitted:
        if width > room.width() + _ROUNDING or height > room.height() + _ROUNDING:
            figure, paper = _in_mm(width, height), _in_mm(room.width(), room.height())
            problem = f"the figure has {figure}, and this paper has room for {paper}"
            remedy = "choose a smaller size, larger paper, or 'fitted'"
            raise ParameterError("size", problem, remedy)
        scale = 1.0
    left = (room.width() - scale * width) / 2
    top = (room.height() - scale * height) / 2
    return PaperPlace(left, top, scale)


def _room(layout: QPageLayout) -> QRectF:
    """Return the part of a paper that can be printed on, in points."""
    return layout.paintRect(QPageLayout.Unit.Point)


def _in_mm(width: float, height: float) -> str:
    return f"{width / POINTS['mm']:.0f} × {height / POINTS['mm']:.0f} mm"


def print_page(page: Page, printer: QPrinter, place: PaperPlace, progress: threading.Event) -> None:
    """Print a page, or write it to the file that was chosen instead of a printer; in any thread.

    Raises
    ------
    ParameterError
        If the printer does not begin, or the file cannot be written.
    CancelledError
        If `progress` is set before the printer begins; then nothing is printed.
    """
    if file := printer.outputFileName():
        data = _pdf(page, printer, place, progress)
        with replacing(file) as out:
            out.write(data)
        return
    report(progress, 0.0)
    try:
        with in_points(printer) as painter:  # to its end: most printers would print the half of it
            _draw(page, place, painter)
    except OSError as error:
        remedy = "see whether it is on, or choose another"
        raise ParameterError("printer", reason(error), remedy) from None


def _pdf(page: Page, printer: QPrinter, place: PaperPlace, progress: threading.Event) -> bytes:
    """Return a PDF file whose page is the paper that was chosen."""

    def prepare(writer: QPdfWriter) -> None:
        writer.setPageLayout(printer.pageLayout())

    return pdf_of(page, prepare, partial(_draw, page, place, progress=progress))


def _draw(
    page: Page, place: PaperPlace, painter: QPainter, progress: threading.Event | None = None
) -> None:
    """Draw a page at its place with a painter that counts points."""
    painter.translate(place.left, place.top)
    painter.scale(place.scale, place.scale)
    paint(page, painter, progress)
