"""What a person does with the dialogs that write files."""

from pathlib import Path

from PySide6.QtCore import QPoint, QSizeF, Qt
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QPushButton

from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.app.output.figure_parts import PartPopup
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.app.output.print_dialog import PrintDialog
from tests.app.windows import click_button, open_dialog, visible_dialogs, wait_for_preview
from tests.support.gestures import settle, type_text

KINDS = {"picture": PictureDialog, "data": DataDialog, "figure": FigureDialog}


def open_export(window, kind):
    return open_dialog(window, f"export_{kind}", KINDS[kind])


def open_print(window):
    return open_dialog(window, "print_figure", PrintDialog)


def choice_of(dialog):
    """Return the combo box that chooses what is written."""
    if hasattr(dialog, "figure_form"):
        return dialog.figure_form.view_combo
    return dialog.quantity if isinstance(dialog, DataDialog) else dialog.view_combo


def path_in(dialog):
    return Path(dialog.target.text())


def question_of(dialog):
    """Return the question that is open, or None."""
    return next(iter(visible_dialogs(dialog, QMessageBox)), None)


def copied_command(dialog):
    """Press the button that copies the command, and return what is on the clipboard."""
    QApplication.clipboard().clear()
    click_button(dialog, "&Copy command")
    return QApplication.clipboard().text()


def replace(dialog):
    """Press Export, and answer that a file that is there may be replaced."""
    dialog.start_button.click()
    if box := question_of(dialog):
        box.button(QMessageBox.StandardButton.Save).click()


def wait_until_closed(qtbot, dialog):
    window, kind = dialog.parent(), type(dialog)
    qtbot.waitUntil(lambda: not visible_dialogs(window, kind))


def write_to(qtbot, dialog, target):
    """Have a dialog write a file, and wait until it has closed."""
    dialog.target.setText(str(target))
    dialog.start_button.click()
    wait_until_closed(qtbot, dialog)


def ask_for_printer(qtbot, dialog):
    """Click on Print, and return the dialog of the system that opens."""
    qtbot.mouseClick(dialog.start_button, Qt.MouseButton.LeftButton)
    (chooser,) = visible_dialogs(dialog, QPrintDialog)
    return chooser


def print_into(qtbot, chooser, target):
    """Type the name of a file into the dialog of the system, and print."""
    (name,) = [f for f in chooser.findChildren(QLineEdit) if f.text().endswith(".pdf")]
    name.setText(str(target))
    (go,) = [b for b in chooser.findChildren(QPushButton) if b.text().replace("&", "") == "Print"]
    qtbot.mouseClick(go, Qt.MouseButton.LeftButton)


# -- figures ---------------------------------------------------------------------------------------


def line(dialog, name):
    """Return the field of a setting of a figure, in the form or in the popup that is open."""
    popup = QApplication.activePopupWidget()
    forms = popup.forms if isinstance(popup, PartPopup) else [dialog.figure_form.fields]
    return next(form for form in forms if name in form.names).editor(name).main


def part_of(dialog, kind, *words):
    """Return the first part of a kind in the preview, whose source or panel has some words."""
    parts = dialog.figure_form.preview.parts
    return next(p for p in parts if p.kind == kind and {*words} <= {*p.source, p.panel, p.figure})


def middle_of(dialog, kind, *words):
    """Return the middle of a part in the preview, where a page is as large as there is room."""
    preview = dialog.figure_form.preview
    left, top, width, height = part_of(dialog, kind, *words).place
    size = QSizeF(*dialog.figure_form.style_and_size[1].in_points)
    shown = size.scaled(QSizeF(preview.size()), Qt.AspectRatioMode.KeepAspectRatio)
    scale = shown.width() / size.width()
    x = (preview.width() - shown.width()) / 2 + scale * (left + width / 2)
    return QPoint(
        round(x), round((preview.height() - shown.height()) / 2 + scale * (top + height / 2))
    )


def click_part(qtbot, dialog, kind, *words):
    """Click the middle of a part of the figure, and return the popup that opens."""
    wait_for_preview(qtbot, dialog)
    place = middle_of(dialog, kind, *words)
    qtbot.mouseClick(dialog.figure_form.preview, Qt.MouseButton.LeftButton, pos=place)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, PartPopup)
    return popup


def type_into_part(qtbot, dialog, kind, name, text, *words):
    """Click a part of the figure, and type a setting of it."""
    click_part(qtbot, dialog, kind, *words)
    field = line(dialog, name)
    type_text(qtbot, field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle()


def choose_setting(dialog, name, choice):
    combo = dialog.figure_form.fields.editor(name).combo
    combo.setCurrentIndex(combo.findData(choice))


def type_into(qtbot, dialog, name, text):
    """Type a setting of a figure, and leave its field."""
    field = line(dialog, name)
    type_text(qtbot, field, text)
    qtbot.keyClick(field, Qt.Key.Key_Tab)


def preview_image(qtbot, dialog):
    """Return the picture of the preview, once it is drawn."""
    wait_for_preview(qtbot, dialog)
    return dialog.figure_form.preview.image
