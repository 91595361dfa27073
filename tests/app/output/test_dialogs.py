import os
import threading
from html import unescape
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QMessageBox

from pe_explorer import encodings, flags, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.app.output.work_dialog import DialogContext
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration import Pin
from pe_explorer.files import export, session
from pe_explorer.flags import WIDTH
from pe_explorer.params import declared
from pe_explorer.quantities import Asked
from tests.app.output.dialogs import write_to
from tests.support.cases import for_each
from tests.support.gestures import settle, type_text
from tests.support.oracles import definition, of_quantity
from tests.support.pictures import PICTURES
from tests.support.samples import sample, samples
from tests.support.wanted import whole
from tests.support.windows import (
    choose_item,
    go_to,
    let_go_once_cancelled,
    open_dialog,
    visible_dialogs,
)

WHAT = list(declared(flags.ExportRequest)["what"].choices)


@pytest.fixture
def picture_dialog(window):
    return open_dialog(window, "export_picture", PictureDialog)


@pytest.fixture
def data(window):
    return open_dialog(window, "export_data", DataDialog)


@pytest.fixture
def large(window):
    """The dialog for more data than are written at once."""
    window.model.set(count=100_000)
    settle(window.model)
    return open_dialog(window, "export_data", DataDialog)


# -- pictures -------------------------------------------------------------------------------------


@for_each(("what", "theme"), zip(PICTURES, cycle(["light", "dark"])))
def test_a_picture_of_anything(window, tmp_path, qtbot, what, theme):
    picture_dialog = open_dialog(window, "export_picture", PictureDialog)
    target = tmp_path / "out.png"
    choose_item(picture_dialog.what, what)
    choose_item(picture_dialog.theme, theme)
    for field, text in (
        (picture_dialog.width_, "500"),
        (picture_dialog.height_, "300"),
        (picture_dialog.scale, "1.5"),
    ):
        field.setText(text)
    write_to(qtbot, picture_dialog, target)
    image = QImage(str(target))
    assert (image.width(), image.height()) == (750, 450)
    assert (image.pixelColor(1, 449).lightness() > 128) == (theme == "light")


def test_a_size_is_shown_as_numbers_once_it_is_left(picture_dialog, qtbot):
    for field, typed, shown in (
        (picture_dialog.width_, "64*16", "1024"),
        (picture_dialog.height_, "6e2x", "6e2x"),  # no number: it is told when it is drawn
        (picture_dialog.scale, "3*0.5", "1.5"),
    ):
        type_text(qtbot, field, typed)
        assert field.text() == typed
        qtbot.keyClick(field, Qt.Key.Key_Tab)
        assert field.text() == shown
    picture_dialog.reject()


def test_it_begins_with_the_view_that_has_the_focus(window):
    window.view("distances").setFocus()
    settle(window.model)
    dialog = open_dialog(window, "export_picture", PictureDialog)
    assert dialog.what.currentData() == "distances"
    assert Path(dialog.target.text()) == Path.home() / "distances.png"
    dialog.reject()
    del dialog
    settle()


@for_each(
    ("field", "text", "begins"),
    [
        ("width_", "", "Width: "),
        ("width_", "wide", "Width: 'wide' is not a whole number"),
        (
            "width_",
            str(WIDTH.low - 1),
            f"Width: {WIDTH.low - 1} is outside {WIDTH.limits}",
        ),
        ("width_", "16385", "Width: 16385 is outside"),
        ("height_", "nan", "Height: 'nan' is not"),
        ("height_", "1.5", "Height: '1.5' is not"),
        ("scale", "0", "Scale: 0 is outside"),
        ("scale", "nan", "Scale: nan is not a number"),
        ("scale", "", "Scale: '' is not a number"),
    ],
)
def test_what_cannot_be_drawn_is_told_and_the_dialog_stays(window, qtbot, field, text, begins):
    picture_dialog = open_dialog(window, "export_picture", PictureDialog)
    getattr(picture_dialog, field).setText(text)
    picture_dialog.go.click()
    qtbot.waitUntil(lambda: picture_dialog.message.text().endswith("."))
    assert picture_dialog.isVisible()
    assert picture_dialog.message.text().startswith(begins)
    assert picture_dialog.message.text().endswith(".")
    picture_dialog.reject()


def test_a_read_only_file_stays_as_it_is(window, picture_dialog, tmp_path, qtbot, monkeypatch):
    target = tmp_path / "old.png"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    picture_dialog.target.setText(str(target))
    picture_dialog.go.click()
    for box in visible_dialogs(picture_dialog, QMessageBox):  # whether to replace it
        box.button(QMessageBox.StandardButton.Save).click()
    qtbot.waitUntil(lambda: "read-only" in picture_dialog.message.text())
    assert picture_dialog.isVisible()
    assert target.read_bytes() == b"old"
    picture_dialog.reject()


def test_a_folder_that_vanished(window, picture_dialog, tmp_path, qtbot):
    folder = tmp_path / "folder"
    folder.mkdir()
    picture_dialog.target.setText(str(folder / "out.png"))
    folder.rmdir()
    picture_dialog.go.click()
    qtbot.waitUntil(lambda: "there is no folder" in picture_dialog.message.text())
    folder.mkdir()
    write_to(qtbot, picture_dialog, folder / "out.png")
    assert (folder / "out.png").exists()


# -- data ------------------------------------------------------------------------------------------


@for_each(
    ("what", "dtype"),
    [
        *(("table", dtype) for dtype in ("float32", "float16")),
        *zip(WHAT, cycle(["float64", "float32", "float16"])),
    ],
)
def test_data_are_the_numbers(window, tmp_path, qtbot, what, dtype):
    e = next(e for e in samples(dim=16) if of_quantity(what).needs <= definition(e).abilities)
    window.model.set(encoding=e, metric="euclidean", reference=1)
    settle(window.model)
    data = open_dialog(window, "export_data", DataDialog)
    target = tmp_path / "out.npy"
    choose_item(data.what, what)
    choose_item(data.dtype, dtype)
    write_to(qtbot, data, target)
    subject = Subject("current", e)
    exact = whole(quantities.data(what, Asked(subject, range(50), "euclidean", reference=1)))
    of_quantity(what).check(exact, definition(e), range(50))
    seen = np.load(target)
    assert seen.dtype == dtype
    np.testing.assert_array_equal(seen, exact.astype(dtype))


def test_text_has_positions_and_titles(window, data, tmp_path, qtbot):
    write_to(qtbot, data, tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0].startswith("position,0,1,2")
    assert len(lines) == 51
    read = np.loadtxt(lines[1:], delimiter=",")
    np.testing.assert_array_equal(read[:, 1:], window.model.state.encoding.table(range(50)))


def test_the_name_follows_what_is_written(window, data, tmp_path):
    data.target.setText(str(tmp_path / "table.csv"))
    choose_item(data.what, "matrix")
    assert data.target.text() == str(tmp_path / "matrix.csv")
    data.target.setText(str(tmp_path / "mine.csv"))
    choose_item(data.what, "table")
    assert data.target.text() == str(tmp_path / "mine.csv")
    data.reject()


def slowed(monkeypatch):
    """Let an export stop after its first block until it is let go on."""
    begun, go_on = threading.Event(), threading.Event()
    write = export.write

    def slow(made, path, dtype, progress, **beside):
        def told(rows):
            progress(rows)
            begun.set()
            assert go_on.wait(60)

        write(made, path, dtype, told, **beside)

    monkeypatch.setattr(export, "write", slow)
    return begun, go_on


def begin_export(dialog, parent, begun):
    """Export to a new folder, and return that when the writing has begun."""
    folder = parent / "folder"
    folder.mkdir()
    dialog.target.setText(str(folder / "out.npy"))
    dialog.go.click()
    assert begun.wait(60)
    return folder


def test_progress_is_shown(window, large, tmp_path, qtbot, monkeypatch):
    begun, go_on = slowed(monkeypatch)
    window.model.set_encoding(dim=4)  # the dialog writes what was there when it was opened
    window.model.set(count=50)
    large.target.setText(str(tmp_path / "out.npy"))
    large.go.click()
    assert not large.go.isEnabled()
    assert begun.wait(60)
    qtbot.waitUntil(lambda: large.bar.value() > 0)
    assert large.bar.value() < 1000
    go_on.set()
    qtbot.waitUntil(lambda: not visible_dialogs(window, DataDialog))
    assert np.load(tmp_path / "out.npy", mmap_mode="r").shape == (100_000, 128)


def test_cancelled_in_the_middle_no_file_is_left(window, large, tmp_path, qtbot, monkeypatch):
    begun, go_on = slowed(monkeypatch)
    folder = begin_export(large, tmp_path, begun)
    assert {path.suffix for path in folder.iterdir()} == {".part"}
    large.reject()
    go_on.set()
    qtbot.waitUntil(lambda: not list(folder.iterdir()))
    settle()
    assert visible_dialogs(window, DataDialog) == []


def test_closed_with_the_window_no_file_is_left(window, large, tmp_path, monkeypatch):
    begun, go_on = slowed(monkeypatch)
    folder = begin_export(large, tmp_path, begun)
    waiting = let_go_once_cancelled(large, go_on)
    window.leave()
    waiting.join()
    assert not window.isVisible()
    assert list(folder.iterdir()) == []


def test_what_would_never_fit_is_refused_at_once(window, qtbot, tmp_path):
    window.model.set(count=2**53)
    settle(window.model)
    dialog = open_dialog(window, "export_data", DataDialog)
    dialog.target.setText(str(tmp_path / "out.npy"))
    dialog.go.click()
    message = dialog.message
    qtbot.waitUntil(lambda: "free" in message.text())
    assert not (tmp_path / "out.npy").exists()
    dialog.reject()


# -- what the opened session holds that is not known here ------------------------------------------


def test_files_keep_what_is_not_known(window, tmp_path, qtbot):
    extra = {"later": [1], "views": {"spectrum": {"scale": "log"}}}
    model = window.model
    context = DialogContext(window, model, "heatmap", model.state, str(tmp_path), extra)
    for made, name in (
        (PictureDialog(context, QSize(300, 200), MainWindow.for_picture), "p.png"),
        (DataDialog(context), "t.npy"),
    ):
        made.open()
        made.target.setText(str(tmp_path / name))
        with qtbot.waitSignal(made.written):
            made.go.click()
        assert extra.items() <= session.read(tmp_path / name).extra.items()
    settle()


@for_each("name", encodings.names())
def test_numbers_that_there_are_none_of_are_greyed_out_and_say_why(window, name):
    window.model.set(encoding=sample(name))
    settle(window.model)
    dialog = open_dialog(window, "export_data", DataDialog)
    asked = Asked(Subject("current", window.model.state.encoding), range(50))
    for row, what in enumerate(quantities.names()):
        assert dialog.what.itemData(row) == what
        lack = quantities.lack(what, asked)
        assert offered(dialog.what, what) == (lack == "")
        tip = unescape(dialog.what.itemData(row, Qt.ItemDataRole.ToolTipRole)).lower()
        assert (lack or quantities.find(what).help).lower() in tip
    assert offered(dialog.what, dialog.what.currentData())
    titles = [label.text().lower() for label in dialog.findChildren(QLabel)]
    assert window.model.state.encoding.rows.plural in titles
    dialog.reject()


@pytest.mark.parametrize(("name", "what"), [("rope", "score"), ("alibi", "bias")])
def test_the_range_is_called_what_its_numbers_are(window, name, what):
    """A score is by offset, also of an encoding whose rows are positions."""
    window.actions_by_key["pin"].trigger()  # a sinusoidal one, whose rows are positions
    window.model.set_encoding(name)
    settle(window.model)
    dialog = open_dialog(window, "export_data", DataDialog)
    own = encodings.find(name).rows.plural.capitalize()
    seen = []
    for chosen in ("table", what, "distances"):
        choose_item(dialog.what, chosen)
        seen.append(titles_of(dialog))
    assert seen == [[own], ["Offsets"], [own]]
    choose_item(dialog.of, "pinned")
    assert titles_of(dialog) == ["Positions"]


def titles_of(dialog):
    """Return the titles of the range that a dialog shows, of which there should be one."""
    shown = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    return [text for text in shown if text in ("Positions", "Offsets")]


def test_of_a_difference_other_numbers_are_offered(window):
    window.actions_by_key["pin"].trigger()
    window.model.set_encoding("index")
    settle(window.model)
    window.view("clocks").setFocus()
    dialog = open_dialog(window, "export_data", DataDialog)
    assert offered(dialog.of, "difference")
    texts = {dialog.of.itemData(row): dialog.of.itemText(row) for row in range(3)}
    assert texts == {
        "current": "index",
        "pinned": "sinusoidal",
        "difference": "index − sinusoidal",
    }
    for of, there in (("current", False), ("pinned", True), ("difference", False)):
        choose_item(dialog.of, of)
        assert offered(dialog.what, "angles") == there
        assert offered(dialog.what, "distances") == (of != "difference")


def offered(combo, key):
    return combo.model().item(combo.findData(key)).isEnabled()


# -- several curves --------------------------------------------------------------------------------


PINS = (Pin(encodings.create("sinusoidal", base=500), "fast"), Pin(encodings.create("index"), "n"))


@pytest.fixture
def curves(window):
    """The dialog for data, where the picture shows several curves."""
    go_to(window, "distances")
    window.model.set(pins=PINS, metric="euclidean")
    window.model.set_options("distances", part="both")
    settle(window.model)
    return open_dialog(window, "export_data", DataDialog)


def test_all_that_are_shown_are_written_and_what_is_not_is_said(curves, tmp_path, qtbot):
    dialog = curves
    assert (dialog.what.currentData(), dialog.curves.currentData()) == ("distances", "all")
    assert not dialog.of.isEnabled()
    assert dialog.left_out.text() == (
        "The picture also shows the matrix; write it to a file of its own."
    )
    choose_item(dialog.curves, "one")
    assert dialog.of.isEnabled()
    assert "more than one curve" in dialog.left_out.text()
    choose_item(dialog.curves, "all")
    choose_item(dialog.what, "frequencies")
    assert "n is not in the file: index is not made of waves" in dialog.left_out.text()
    choose_item(dialog.what, "table")
    assert not dialog.curves.isVisible()
    choose_item(dialog.what, "distances")
    dialog.target.setText(str(tmp_path / "x.npy"))
    with qtbot.waitSignal(dialog.written):
        dialog.go.click()
    settle()
    found = np.load(tmp_path / "x.npy")
    assert found.shape == (3, 50)
    np.testing.assert_allclose(found[2], 4.0 * np.arange(50), atol=1e-12)
