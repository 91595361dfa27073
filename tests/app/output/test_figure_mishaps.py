"""Figures that are closed, cut, foreign or badly placed: nothing is lost, one sentence says why."""

import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QApplication, QLineEdit

from pe_explorer.app.output import figure_files, print_dialog
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.app.output.print_dialog import PrintDialog
from pe_explorer.files.session import FIGURES
from pe_explorer.progress import report
from tests.app.output.dialogs import write_to
from tests.support.cases import for_each
from tests.support.gestures import settle
from tests.support.pages import raster_of_pdf, raster_of_svg
from tests.support.windows import (
    DISCARD,
    answer_message,
    choose_item,
    close_message,
    drop_file,
    message_boxes,
    open_dialog,
    set_up_in,
    start_anew,
    trigger,
    visible_dialogs,
)

LEFT = Qt.MouseButton.LeftButton
every_ending = for_each("ending", FIGURES)


def _set_up(window):
    """Return what is set up, but for the panes: a figure of one view is opened in one."""
    return set_up_in(window).with_(panes=None)


def _drop(window, path):
    """Drop a file; close the dialog that a figure opens."""
    drop_file(window, path)
    _close_figure_dialogs(window)


def _close_figure_dialogs(window):
    settle(window.model)
    for dialog in visible_dialogs(window, FigureDialog):
        dialog.reject()
    settle(window.model)


def export(window, qtbot, target, **choices):
    """Export a figure by its dialog, with some of its settings chosen from lists."""
    dialog = open_dialog(window, "export_figure", FigureDialog)
    for name, choice in choices.items():
        choose_item(dialog.figure_form.fields.editor(name).combo, choice)
    write_to(qtbot, dialog, target)
    return target


# -- closed while it works -----------------------------------------------------------------------


@pytest.fixture
def slow(monkeypatch):
    """Let what paints a page stop in the worker until it is cancelled."""
    painting = threading.Event()

    def slowed(page, painter, progress=None):
        painting.set()
        while True:
            report(progress, 0.5)
            threading.Event().wait(0.005)

    monkeypatch.setattr(figure_files, "paint", slowed)
    monkeypatch.setattr(print_dialog, "paint", slowed)
    return painting


def begun_export(window, qtbot, tmp_path):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    dialog.target.setText(str(tmp_path / "f.pdf"))
    qtbot.mouseClick(dialog.go, LEFT)
    return dialog


def begun_print(window, qtbot, tmp_path):
    dialog = open_dialog(window, "print_figure", PrintDialog)
    qtbot.mouseClick(dialog.go, LEFT)
    (chooser,) = visible_dialogs(dialog, QPrintDialog)
    (name,) = [f for f in chooser.findChildren(QLineEdit) if f.text().endswith(".pdf")]
    name.setText(str(tmp_path / "f.pdf"))
    chooser.accept()
    return dialog


every_begun = pytest.mark.parametrize("begun", [begun_export, begun_print])


@pytest.fixture(autouse=True)
def without_printer(monkeypatch, tmp_path):
    monkeypatch.setattr(print_dialog, "has_printers", lambda: False)
    monkeypatch.setenv("HOME", str(tmp_path))


@every_begun
@for_each("how", ["close", "reject", "escape"])
def test_a_dialog_that_is_closed_while_it_works_leaves_nothing(
    window, qtbot, slow, tmp_path, begun, how
):
    slow.clear()
    dialog = begun(window, qtbot, tmp_path)
    qtbot.waitUntil(slow.is_set)
    if how == "escape":
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        getattr(dialog, how)()
    del dialog
    settle()
    window.model.worker.finish()
    settle(window.model)
    assert window.findChildren(FigureDialog) + window.findChildren(PrintDialog) == []
    assert list(tmp_path.glob("*f*")) == []


@every_begun
def test_a_window_that_is_closed_meanwhile_leaves_nothing(window, qtbot, slow, tmp_path, begun):
    dialog = begun(window, qtbot, tmp_path)
    qtbot.waitUntil(slow.is_set)
    del dialog
    window.leave()
    settle()
    assert list(tmp_path.glob("*f*")) == []


# -- nothing behind it ---------------------------------------------------------------------------


def test_a_transparent_ground_is_one_in_every_kind_of_file(window, qtbot, tmp_path):
    paths = {
        ending: export(window, qtbot, tmp_path / f"f{ending}", ground="transparent")
        for ending in FIGURES
    }
    drawn = QImage(str(paths[".png"]))
    assert drawn.pixelColor(0, 0).alpha() == 0
    width, height = drawn.width(), drawn.height()
    assert raster_of_svg(paths[".svg"], width, height)[0, 0, 3] == 0
    assert b"<rect width=" not in paths[".svg"].read_bytes()
    assert (raster_of_pdf(paths[".pdf"], width, height)[0, 0, :3] == 255).all()  # that is paper


def test_a_copied_picture_may_have_nothing_behind_it(window, qtbot, tmp_path):
    export(window, qtbot, tmp_path / "f.svg", ground="transparent")
    trigger(window, "copy_picture")
    qtbot.waitUntil(lambda: not window.output.copying.busy)
    assert QApplication.clipboard().image().pixelColor(0, 0).alpha() == 0
    QApplication.clipboard().clear()


# -- where no file can be ------------------------------------------------------------------------


def places_in(tmp_path):
    """Return where no file can be written, with what is said about each."""
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "folder").mkdir()
    for ending in FIGURES:
        (tmp_path / "full" / f"f{ending}").symlink_to("/dev/full")
        (tmp_path / "folder" / f"f{ending}").mkdir()
    return {
        "/proc": "the folder /proc takes no new file; choose another folder",
        tmp_path / "file": f"{tmp_path / 'file'} is a file, not a folder; choose another folder",
        tmp_path / "nowhere": f"there is no folder {tmp_path / 'nowhere'}; make it first",
        tmp_path / "full": "is a device, not a file; give the name of a file",
        tmp_path / "folder": "is a folder; give the name of a file",
    }


def answer_of(qtbot, dialog):
    """Return what a dialog says once it can be used again."""
    qtbot.waitUntil(lambda: dialog.go.isEnabled() and dialog.message.text() != "")
    return dialog.message.text()


@every_ending
def test_where_no_file_can_be_one_sentence_says_so_and_another_place_is_taken(
    window, qtbot, tmp_path, ending
):
    places = places_in(tmp_path)
    dialog = open_dialog(window, "export_figure", FigureDialog)
    said = []
    for folder in places:
        dialog.target.setText(f"{folder}/f{ending}")
        qtbot.mouseClick(dialog.go, LEFT)
        said.append(answer_of(qtbot, dialog))
    assert [
        says for says, wanted in zip(said, places.values(), strict=True) if wanted not in says
    ] == []
    assert all(says.startswith("Output: ") and says.count(". ") == 0 for says in said)
    dialog.target.setText(str(tmp_path / f"f{ending}"))
    assert dialog.message.text() == ""
    write_to(qtbot, dialog, tmp_path / f"f{ending}")
    assert (tmp_path / f"f{ending}").stat().st_size > 1000
    assert (tmp_path / "file").read_text() == "mine"


def test_the_preview_goes_on_when_nothing_could_be_written(window, qtbot):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    preview = dialog.figure_form.preview
    qtbot.waitUntil(lambda: not preview.busy)
    before = preview.image
    dialog.target.setText("/proc/f.pdf")
    choose_item(dialog.figure_form.fields.editor("ground").combo, "dark")
    assert preview.busy
    dialog.accept()
    qtbot.waitUntil(lambda: preview.image != before)
    assert preview.image.pixelColor(1, 1).lightness() < 60
    assert "/proc takes no new file" in dialog.message.text()
    dialog.reject()


# -- opened again --------------------------------------------------------------------------------


def test_all_kinds_of_figures_bring_back_the_same_set_up(window, qtbot, tmp_path):
    window.model.set_encoding("sinusoidal", dim=24, base=321.0)
    window.model.set(start=3, count=33, reference=5, metric="euclidean")
    trigger(window, "pin")
    window.model.set_encoding("rope")
    window.model.set_options("heatmap", quantity="angle")
    settle(window.model)
    wanted = _set_up(window)
    paths = [export(window, qtbot, tmp_path / f"f{ending}") for ending in FIGURES]
    tables = []
    for path in paths:
        trigger(window, "new")
        if message_boxes(window):
            answer_message(window, DISCARD)
        assert _set_up(window) != wanted
        _drop(window, path)
        assert message_boxes(window) == []
        assert _set_up(window) == wanted
        tables.append(window.model.state.encoding.table(window.model.state.positions))
    for table in tables[1:]:
        np.testing.assert_array_equal(table, tables[0])


FOREIGN = {
    "empty.pdf": b"",
    "start.pdf": b"%PDF-1.4\n",
    "other.pdf": b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n",
    "other.svg": b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>',
    "broken.svg": b'<svg xmlns="http://www.w3.org/2000/svg"><rect',
    "no.svg": b"\xff\xfe\x00not a drawing",
}


def drop_on_changes(window, path):
    """Drop a file on a window whose changes are not saved; return what is said about the file."""
    window.model.set(count=77)
    settle(window.model)
    _drop(window, path)
    if message_boxes(window) and "changes" in message_boxes(window)[0].text():
        answer_message(window, DISCARD)
    _close_figure_dialogs(window)
    text = close_message(window)
    assert message_boxes(window) == []
    return text


@for_each("name", FOREIGN)
def test_a_foreign_figure_is_one_sentence_and_nothing_is_lost(window, tmp_path, name):
    start_anew(window)
    path = tmp_path / name
    path.write_bytes(FOREIGN[name])
    text = drop_on_changes(window, path)
    assert name in text
    assert text.count(". ") + text.count("\n") <= 1
    assert window.model.state.count == 77
    assert path.read_bytes() == FOREIGN[name]


@every_ending
@for_each("share", [0.005, 0.1, 0.5, 0.9])
def test_a_figure_that_was_cut_is_one_sentence_unless_its_session_is_whole(
    window, qtbot, tmp_path, ending, share
):
    start_anew(window)
    whole = export(window, qtbot, tmp_path / f"f{ending}").read_bytes()
    exported = _set_up(window)
    path = tmp_path / f"cut{ending}"
    path.write_bytes(whole[: int(share * len(whole))])
    if text := drop_on_changes(window, path):
        assert path.name in text
        assert _set_up(window) == exported.with_(count=77)
    else:
        assert _set_up(window) == exported
    assert share > 0.005 or text
