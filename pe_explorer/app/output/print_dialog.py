"""The dialog that prints a figure: the same page as in a file, on paper."""

import sys
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QPageLayout
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QWidget

from pe_explorer.app.output import printing
from pe_explorer.app.output.figure_work import FigureWork
from pe_explorer.app.output.work_dialog import WorkDialog
from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.exploration import Resolved
from pe_explorer.files.sources import refuse_sources
from pe_explorer.model import Model
from pe_explorer.model.steps import Steps
from pe_explorer.params import Choice, ParameterError

_ON_PAPER = Choice(
    "own size",
    {"own size": "as large as it says above", "fitted": "as large as the paper has room"},
    label="On paper",
    help="How large the figure is in the middle of the paper.",
)
_PAPER = "white"
_ASKED = QAbstractPrintDialog.PrintDialogOption
_NO_PRINTER = "no printer is set up on this computer"


class PrintDialog(FigureWork, WorkDialog):
    """Prints a view or all panes as a figure, on the printer that is chosen in the next dialog."""

    OWNER = "print"
    FAILURE = "Nothing was printed"

    printed = Signal(str)
    """A sentence on what was done."""

    def __init__(
        self,
        parent: QWidget,
        model: Model,
        view: str,
        *,
        choices: FigureChoices = FigureChoices(),  # noqa: B008 - a constant
        state: Resolved | None = None,
    ) -> None:
        """Offer a figure of `view` of `state`, or else of what is set up.

        It begins with `choices`, but on white paper.
        """
        help_ = "Choose the printer and the paper, and print."
        super().__init__(parent, model, "Print figure", "Print…", help_)
        self._last_choices = choices
        self._printer: QPrinter | None = None
        self._chooser: QPrintDialog | None = None
        self._has_turned = False
        """Whether the paper of the printer was laid on its side here."""
        self.add_figure(model, view, state, choices.on_ground(_PAPER))
        self.on_paper = self.add_choice("&On paper", _ON_PAPER, _ON_PAPER.default)
        self.lay_out()

    @property
    def choices(self) -> FigureChoices:
        """The choices to remember, without the ground: paper is white and files may be dark."""
        style, size = self.figure_form.style_and_size
        chosen = self._last_choices._replace(style=style, size=size)
        return chosen.on_ground(self._last_choices.style.ground)

    def go_on(self) -> None:
        """Ask for the printer and the paper."""
        if not printing.has_printers():
            if sys.platform == "win32":  # whose dialog has nothing to offer then
                remedy = "add one, or choose File > Export figure to write a PDF file"
                raise ParameterError("printer", _NO_PRINTER, remedy)
            self.message.setText(f"Printer: {_NO_PRINTER}; a PDF file can be written instead.")
        if self._printer is None:
            self._printer = printing.printer_for(self.figure_form.what.currentData())
        if self._has_turned:  # for another figure
            self._printer.setPageOrientation(QPageLayout.Orientation.Portrait)
        self._has_turned = printing.turn_paper(
            self._printer, self.order.size, fitted=self._is_fitted
        )
        if self._chooser is not None:
            self._chooser.deleteLater()
        self._chooser = QPrintDialog(self._printer, self)
        self._chooser.setOptions(_ASKED.PrintToFile | _ASKED.PrintShowPageSize)
        self._chooser.finished.connect(self._receive_printer)
        QDialog.open(self._chooser)

    @property
    def _is_fitted(self) -> bool:
        return bool(self.on_paper.currentData() == "fitted")

    @Slot(int)
    def _receive_printer(self, answer: int) -> None:
        """Print with the choices."""
        if answer != QDialog.DialogCode.Accepted or self._runner.busy:
            return
        assert self._printer is not None
        try:
            layout = self._printer.pageLayout()
            place = printing.place_on(layout, self.order.size, fitted=self._is_fitted)
            if file := self._printer.outputFileName():
                refuse_sources(file, self._state)
        except ParameterError as error:
            self.message.setText(error.sentence)
        else:
            self.begin(self._work(self._printer, place))

    def _work(self, printer: QPrinter, place: printing.PaperPlace) -> Steps[None]:
        page = yield from self.page()
        self.show_progress("Printing…")
        yield partial(printing.print_page, page, printer, place)
        file = printer.outputFileName()
        done = f"{Path(file)} written." if file else f"Sent to {printer.printerName()}."
        self.printed.emit(done)

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        self._printer = None  # Qt counts a printer that has not begun as busy for ever
        super()._receive_error(error)
