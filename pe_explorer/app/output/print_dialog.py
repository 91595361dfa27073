"""The dialog that prints a figure, and functions that print a page on paper or to a PDF."""

import sys
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QPageLayout, QPainter
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QToolButton, QWidget

from pe_explorer.app.output.figure_dialog import FigureDialogMixin, FigureForm
from pe_explorer.app.output.figure_files import make_pdf, painting
from pe_explorer.app.output.figure_order import FigureChoices
from pe_explorer.app.output.work_dialog import DialogContext, WorkDialog
from pe_explorer.figures.page import Page
from pe_explorer.figures.size import UNIT_POINTS, FigureSize
from pe_explorer.files.atomic import replace_file
from pe_explorer.files.session import reject_table_paths
from pe_explorer.model.steps import Steps
from pe_explorer.painting.page_painter import paint
from pe_explorer.params import Choice, ParameterError, reason
from pe_explorer.progress import report
from pe_explorer.widgets.dialogs import FileChooser

_SIZE_TOLERANCE = 0.5  # points; Qt rounds paper sizes to whole points


class Placement(NamedTuple):
    """The position of a figure in the printable area, in points, and its scale."""

    left: float
    top: float
    scale: float


def has_printers() -> bool:
    """Return whether the system has a printer."""
    return bool(QPrinterInfo.availablePrinterNames())


def place_on_paper(layout: QPageLayout, size: FigureSize, *, is_fitted: bool) -> Placement:
    """Return the position and scale of a figure on paper.

    Raise `ParameterError` if `is_fitted` is false and the figure exceeds the printable area.
    """
    space = layout.paintRect(QPageLayout.Unit.Point).size()
    width, height = size.in_points
    scale = min(space.width() / width, space.height() / height)
    if not is_fitted:
        if width > space.width() + _SIZE_TOLERANCE or height > space.height() + _SIZE_TOLERANCE:
            sizes = (width, height), (space.width(), space.height())
            figure, paper = (
                " × ".join(f"{side / UNIT_POINTS['mm']:.0f}" for side in s) for s in sizes
            )
            problem = f"the figure is {figure} mm, but the paper has room for only {paper} mm"
            remedy = "choose a smaller size or larger paper, or set On paper to “fitted”"
            raise ParameterError("size", problem, remedy)
        scale = 1.0
    left, top = (space.width() - scale * width) / 2, (space.height() - scale * height) / 2
    return Placement(left, top, scale)


def print_page(page: Page, printer: QPrinter, place: Placement, progress: threading.Event) -> None:
    """Print a page, or write a PDF file if the printer prints to one; can run in any thread.

    Raise `ParameterError` if printing cannot begin or the file cannot be written. Raise
    `CancelledError`, without printing anything, if `progress` is set before printing begins.
    """
    if path := printer.outputFileName():
        draw = partial(_draw, page, place, progress=progress)
        data = make_pdf(page, lambda writer: writer.setPageLayout(printer.pageLayout()), draw)
        with replace_file(path) as file:
            file.write(data)
        return
    report(progress, 0.0)
    try:
        # Do not allow cancellation while printing, because half a page would remain.
        with painting(printer, in_points=True) as painter:
            _draw(page, place, painter)
    except OSError as error:
        remedy = "check that the printer is on, or choose another printer"
        raise ParameterError("printer", reason(error), remedy) from None


def _draw(
    page: Page, place: Placement, painter: QPainter, progress: threading.Event | None = None
) -> None:
    painter.translate(place.left, place.top)
    painter.scale(place.scale, place.scale)
    paint(page, painter, progress)


_PAPER_SIZE = Choice(
    "own size",
    {"own size": "the size set above", "fitted": "as large as the paper allows"},
    label="On paper",
    help="The printed size of the figure. The figure is centred on the paper.",
)
_NO_PRINTER_TEXT = "no printer is set up on this computer"


class _PrinterChooser(QPrintDialog):
    """A print dialog whose file chooser cannot rename or delete files, unlike Qt's."""

    def __init__(self, printer: QPrinter, parent: QWidget) -> None:
        super().__init__(printer, parent)
        options = QAbstractPrintDialog.PrintDialogOption
        self.setOptions(options.PrintToFile | options.PrintShowPageSize)
        button = self.findChild(QToolButton, "fileBrowser")
        if isinstance(button, QToolButton):  # the dialogs of Windows and macOS have no such button
            button.clicked.disconnect()
            button.clicked.connect(self._browse)

    @Slot()
    def _browse(self) -> None:
        name = cast("QLineEdit", self.findChild(QLineEdit, "filename")).text()
        chooser = FileChooser(self, "Print to file", "PDF (*.pdf)", name)
        chooser.propose(name, ".pdf")
        chooser.setOption(chooser.Option.DontConfirmOverwrite)  # the print dialog already asks
        chooser.fileSelected.connect(self._set_file)
        chooser.open()

    @Slot(str)
    def _set_file(self, name: str) -> None:
        cast("QLineEdit", self.findChild(QLineEdit, "filename")).setText(name)
        combo = cast("QComboBox", self.findChild(QComboBox, "printers"))
        combo.setCurrentIndex(combo.count() - 1)  # "Print to file" is the last entry


class PrintDialog(FigureDialogMixin, WorkDialog):
    """A dialog to print a view or all panes as a figure; a second dialog chooses the printer."""

    TASK_OWNER = "print"
    FAILURE_TITLE = "Nothing was printed"

    printed = Signal(str)  # message about a completed action

    def __init__(self, context: DialogContext, choices: FigureChoices) -> None:
        """Create the dialog, initially with `choices` but on a white background."""
        help_text = "Choose the printer and the paper, then print."
        super().__init__(context, "Print figure", "Print…", help_text)
        self._last_choices = choices
        self._printer: QPrinter | None = None
        self._chooser: QPrintDialog | None = None
        self._has_rotated_paper = False
        white_choices = choices._replace(style=replace(choices.style, ground="white"))
        self.figure_form = FigureForm(self, context, white_choices)
        self.paper_size = self.add_choice("&On paper", _PAPER_SIZE)
        self.lay_out()

    @property
    def choices(self) -> FigureChoices:
        """The choices to remember, with the old background, because paper is always white."""
        style, size = self.figure_form.style_and_size
        style = replace(style, ground=self._last_choices.style.ground)
        return self._last_choices._replace(style=style, size=size)

    def proceed(self) -> None:
        has_printer = has_printers()
        if not has_printer:
            if sys.platform == "win32":  # the print dialog of Windows needs a printer
                remedy = "add a printer, or write a PDF file with File > Export figure"
                raise ParameterError("printer", _NO_PRINTER_TEXT, remedy)
            self.message.setText(f"Printer: {_NO_PRINTER_TEXT}. You can write a PDF file instead.")
        if self._printer is None:
            name = self.figure_form.view_combo.currentData()
            self._printer = QPrinter(QPrinter.PrinterMode.HighResolution)
            self._printer.setDocName(name)
            if not has_printer:
                self._printer.setOutputFileName(str(Path.home() / f"{name}.pdf"))
        portrait, landscape = QPageLayout.Orientation.Portrait, QPageLayout.Orientation.Landscape
        if self._has_rotated_paper:  # undo the rotation for an earlier figure
            self._printer.setPageOrientation(portrait)
        layout = self._printer.pageLayout()
        width, height = self.job.size.in_points
        is_too_wide = width > layout.paintRect(layout.Unit.Point).width() + _SIZE_TOLERANCE
        is_landscape = width > height and (self._is_fitted or is_too_wide)
        self._has_rotated_paper = is_landscape and layout.orientation() == portrait
        if self._has_rotated_paper:
            self._printer.setPageOrientation(landscape)
        if self._chooser is not None:
            self._chooser.deleteLater()
        self._chooser = _PrinterChooser(self._printer, self)
        self._chooser.finished.connect(self._receive_printer)
        QDialog.open(self._chooser)

    @property
    def _is_fitted(self) -> bool:
        return bool(self.paper_size.currentData() == "fitted")

    @Slot(int)
    def _receive_printer(self, answer: int) -> None:
        if answer != QDialog.DialogCode.Accepted or self._runner.is_busy:
            return
        assert self._printer is not None
        try:
            layout, size = self._printer.pageLayout(), self.job.size
            place = place_on_paper(layout, size, is_fitted=self._is_fitted)
            if path := self._printer.outputFileName():
                reject_table_paths(path, self._state)
        except ParameterError as error:
            self.message.setText(error.sentence)
        else:
            self.begin(self._print(self._printer, place))

    def _print(self, printer: QPrinter, place: Placement) -> Steps[None]:
        page = yield from self.page()
        self.show_progress("Printing…")
        yield partial(print_page, page, printer, place)
        path = printer.outputFileName()
        self.printed.emit(f"{Path(path)} written." if path else f"Sent to {printer.printerName()}.")

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        self._printer = None  # if printing fails to begin, Qt treats the printer as busy forever
        super()._receive_error(error)
