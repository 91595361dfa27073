"""Figures on paper: their size and place, what stays text, and what is said where none is."""

import re
import threading

import numpy as np
import pytest
from PySide6.QtCore import QMarginsF, Qt
from PySide6.QtGui import QPageLayout, QPageSize
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QLineEdit, QToolButton

from pe_explorer.app.output import print_dialog
from pe_explorer.app.output.print_dialog import Placement, place_on_paper, print_page
from pe_explorer.figures.size import parse_figure_size
from pe_explorer.files.atomic import OutputError
from pe_explorer.params import ParameterError
from pe_explorer.progress import CancelledError
from pe_explorer.widgets.dialogs import FileChooser
from tests.app.output.dialogs import (
    ask_for_printer,
    choose_setting,
    open_print,
    print_into,
    wait_until_closed,
)
from tests.app.windows import choose_item, visible_dialogs
from tests.figures.pages import raster_of_pdf, run, text_of_pdf, whole_page

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(window, monkeypatch):
    """Return the dialog on a computer without a printer."""
    monkeypatch.setattr(print_dialog, "has_printers", lambda: False)
    return open_print(window)


def dark_part(path, width, height):
    """Return left, top, right and bottom of what is dark on a page, in tenths of a millimetre."""
    dark = raster_of_pdf(path, width * 10, height * 10)[:, :, :3].max(axis=2) < 80
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return columns[0], rows[0], columns[-1] + 1, rows[-1] + 1


def size_of_paper(path):
    """Return the size of a page in whole millimetres, as another program reads it."""
    width, height = re.search(r"Page size: +([\d.]+) x ([\d.]+)", run("pdfinfo", path)).groups()
    return round(float(width) / 72 * 25.4), round(float(height) / 72 * 25.4)


@pytest.mark.parametrize("is_fitted", [False, True])
def test_a_figure_keeps_its_size_or_fills_the_paper(window, dialog, qtbot, tmp_path, is_fitted):
    path = tmp_path / "p.pdf"
    choose_setting(dialog, "ground", "dark")
    if is_fitted:
        choose_item(dialog.figure_form.preset, "slide")
        choose_item(dialog.paper_size, "fitted")
    print_into(qtbot, ask_for_printer(qtbot, dialog), path)
    wait_until_closed(qtbot, dialog)
    assert str(path) in window.statusBar().currentMessage()
    assert {"position", "dimension", "value", "100", "−0.5"} <= set(text_of_pdf(path).split())
    images = [line.split() for line in run("pdfimages", "-list", path).splitlines()[2:]]
    assert {words[9] for words in images} == {"no"}  # none is smoothed
    assert ["128", "50"] in [words[3:5] for words in images]
    width, height = size_of_paper(path)
    left, top, right, bottom = dark_part(path, width, height)
    if is_fitted:
        assert width > height
        assert (right - left) / (bottom - top) == pytest.approx(16 / 9, rel=0.005)
        assert width * 10 - 100 < right - left <= width * 10
    else:
        assert (right - left, bottom - top) == pytest.approx((840, 600), abs=3)
        assert (left + right, top + bottom) == pytest.approx((width * 10, height * 10), abs=12)


def test_places_on_paper_are_those_of_a_ruler():
    paper = QPageLayout(
        QPageSize(QPageSize.PageSizeId.A4),
        QPageLayout.Orientation.Portrait,
        QMarginsF(5, 3.5, 5, 3.5),
        QPageLayout.Unit.Millimeter,
    )
    for size, is_fitted, place in (
        ("100x200mm", False, (50, 45, 1)),
        ("190x277mm", False, (5, 6.5, 1)),
        ("100x50mm", True, (0, 95, 2)),
        ("400x100mm", True, (0, 120, 0.5)),
        ("200x580mm", True, (50, 0, 0.5)),
    ):
        left, top, scale = place_on_paper(paper, parse_figure_size(size), is_fitted=is_fitted)
        in_mm = (left / 72 * 25.4, top / 72 * 25.4, scale)
        assert in_mm == pytest.approx(place, abs=0.2), size


def test_paper_is_turned_for_wide_figures_and_refused_for_larger_ones(dialog, qtbot):
    for size, way in (("250x100mm", "Landscape"), ("100x250mm", "Portrait")):
        dialog.figure_form.size_field.setText(size)
        chooser = ask_for_printer(qtbot, dialog)
        assert chooser.printer().pageLayout().orientation() == QPageLayout.Orientation[way]
        chooser.reject()
    dialog.figure_form.size_field.setText("500x90mm")
    ask_for_printer(qtbot, dialog).accept()
    for fact in ("Size: ", "500 × 90 mm", "290 × 20"):
        assert fact in dialog.message.text()
    assert (dialog.isVisible(), dialog.start_button.isEnabled()) == (True, True)
    dialog.figure_form.size_field.setText("wide")  # no figure: no printer is asked for
    qtbot.mouseClick(dialog.start_button, LEFT)
    assert "'wide'" in dialog.message.text()
    assert visible_dialogs(dialog, QPrintDialog) == []


def test_without_a_printer_a_file_is_chosen(dialog, qtbot, tmp_path, monkeypatch):
    (tmp_path / "old.pdf").write_bytes(b"old")
    chooser = ask_for_printer(qtbot, dialog)
    assert dialog.message.text().startswith("Printer: no printer ")
    assert "PDF" in dialog.message.text()
    qtbot.mouseClick(chooser.findChild(QToolButton, "fileBrowser"), LEFT)
    (files,) = visible_dialogs(chooser, FileChooser)  # at once: nothing has waited
    assert files.selectedFiles() == [str(tmp_path / "heatmap.pdf")]
    files.selectFile(str(tmp_path / "old.pdf"))
    files.accept()
    qtbot.waitUntil(lambda: not visible_dialogs(chooser, FileChooser))
    assert str(tmp_path / "old.pdf") in [line.text() for line in chooser.findChildren(QLineEdit)]
    chooser.reject()
    assert dialog.isVisible()
    assert [path.read_bytes() for path in tmp_path.glob("*.pdf")] == [b"old"]
    monkeypatch.setattr("sys.platform", "win32")  # where only printers can be chosen
    qtbot.mouseClick(dialog.start_button, LEFT)
    assert "Export figure" in dialog.message.text()
    assert visible_dialogs(dialog, QPrintDialog) == []


def test_a_failed_print_can_be_tried_again(dialog, qtbot, monkeypatch, tmp_path):
    def full(path):
        raise OutputError(path, "no space left on device", "nothing was changed")

    with monkeypatch.context() as patched:
        patched.setattr(print_dialog, "replace_file", full)
        print_into(qtbot, ask_for_printer(qtbot, dialog), tmp_path / "p.pdf")
        qtbot.waitUntil(lambda: "no space left" in dialog.message.text())
    print_into(qtbot, ask_for_printer(qtbot, dialog), tmp_path / "p.pdf")
    wait_until_closed(qtbot, dialog)
    assert (tmp_path / "p.pdf").read_bytes().startswith(b"%PDF")


class Device(QPrinter):
    """A printer on which a file comes out, although no file was chosen."""

    def __init__(self, paper):
        super().__init__(QPrinter.PrinterMode.HighResolution)
        self.setOutputFileName(str(paper))
        self.setPageSize(QPageSize(QPageSize.PageSizeId.A4))

    def outputFileName(self):  # noqa: N802
        return ""


def test_a_printer_gets_the_page_unless_it_is_cancelled_or_does_not_begin(qapp, tmp_path):
    place, cancelled = Placement(0, 0, 1), threading.Event()
    print_page(whole_page(), Device(tmp_path / "p.pdf"), place, cancelled)
    assert "dimension" in text_of_pdf(tmp_path / "p.pdf").split()
    with pytest.raises(ParameterError, match="does not respond"):
        print_page(whole_page(), Device(tmp_path / "no" / "p.pdf"), place, cancelled)
    cancelled.set()
    device = Device(tmp_path / "never.pdf")
    with pytest.raises(CancelledError):
        print_page(whole_page(), device, place, cancelled)
    assert device.printerState() == QPrinter.PrinterState.Idle
    assert not (tmp_path / "never.pdf").exists()
