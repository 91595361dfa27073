"""The dialogs that write pictures and data: files that are there, what goes wrong, and cancel."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from pe_explorer import encodings
from pe_explorer.analysis import histogram
from pe_explorer.app.output import picture
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.app.output.work_dialog import DialogContext
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.files import export
from pe_explorer.model import Exploration, Model
from pe_explorer.model.steps import at_once
from pe_explorer.params import ParameterError
from pe_explorer.views.heatmap import HeatmapView
from tests.support.computing import stop_in_worker
from tests.support.gestures import settle, turn_wheel
from tests.support.progress import Heard
from tests.support.windows import choose_item, click_button

LEFT = Qt.MouseButton.LeftButton
WRITERS = {"picture": (picture, "png"), "data": (export, "write")}
"""What writes the file of a dialog, in the worker."""
every_kind = pytest.mark.parametrize("kind", WRITERS)


@pytest.fixture
def opened(qtbot, tmp_path):
    """Return a function that opens a dialog over a window of its own, its file in a temporary
    folder.
    """
    made = []

    def opened(kind, name="out", state=None):
        window, model = QWidget(), Model(state)
        window.model = model
        qtbot.addWidget(window)
        window.resize(600, 400)
        window.show()
        context = DialogContext(window, model, "heatmap", model.state, str(tmp_path), {})
        if kind == "picture":
            dialog = PictureDialog(context, QSize(300, 200), MainWindow.for_picture)
        else:
            dialog = DataDialog(context)
        dialog.setAttribute(
            Qt.WidgetAttribute.WA_DeleteOnClose, False
        )  # so that it can be asked afterwards
        made.append((window, model, dialog))
        with qtbot.waitExposed(dialog):
            dialog.open()
        dialog.activateWindow()
        dialog.target.setText(str(tmp_path / f"{name}{'.png' if kind == 'picture' else '.npy'}"))
        return dialog

    yield opened
    for _, model, dialog in made:
        dialog.reject()
        model.close()
    made.clear()
    _ = model = dialog = None


def path(dialog):
    return Path(dialog.target.text())


def choose_file(dialog, chosen):
    """Choose a file in the chooser, and say that it may be replaced."""
    click_button(dialog, "Choose…")
    (chooser,) = dialog.findChildren(QFileDialog)
    assert chooser.isVisible()
    chooser.setOption(QFileDialog.Option.DontConfirmOverwrite)
    chooser.selectFile(str(chosen))
    chooser.accept()


def question(dialog):
    """Return the question that is open, if one is."""
    boxes = [box for box in dialog.findChildren(QMessageBox) if box.isVisible()]
    return boxes[0] if boxes else None


def answer(qtbot, dialog, button):
    qtbot.mouseClick(question(dialog).button(button), LEFT)


def export_now(qtbot, dialog):
    qtbot.mouseClick(dialog.go, LEFT)


def closed(dialog):
    return not dialog.isVisible()


# -- a file that is there --------------------------------------------------------------------------


@every_kind
def test_a_new_file_is_written_without_a_question(opened, qtbot, kind):
    dialog = opened(kind)
    export_now(qtbot, dialog)
    assert question(dialog) is None
    qtbot.waitUntil(lambda: closed(dialog))
    assert path(dialog).stat().st_size > 100


@every_kind
def test_a_file_is_replaced_only_after_a_question(opened, qtbot, kind):
    dialog = opened(kind)
    path(dialog).write_bytes(b"precious")
    export_now(qtbot, dialog)
    assert path(dialog).name in question(dialog).text()
    answer(qtbot, dialog, QMessageBox.StandardButton.Cancel)
    qtbot.wait(20)
    assert dialog.isVisible()
    assert dialog.go.isEnabled()
    assert path(dialog).read_bytes() == b"precious"
    export_now(qtbot, dialog)
    answer(qtbot, dialog, QMessageBox.StandardButton.Save)
    qtbot.waitUntil(lambda: closed(dialog))
    assert path(dialog).read_bytes() != b"precious"


@every_kind
def test_enter_and_escape_lose_nothing(opened, qtbot, kind):
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        dialog = opened(kind)
        path(dialog).write_bytes(b"precious")
        qtbot.keyClick(dialog.target, Qt.Key.Key_Return)
        qtbot.keyClick(question(dialog), key)
        assert question(dialog) is None
        assert dialog.isVisible()
        assert path(dialog).read_bytes() == b"precious"


@every_kind
def test_what_the_file_chooser_asked_is_not_asked_again(opened, qtbot, kind, monkeypatch):
    dialog = opened(kind)
    chosen = path(dialog).with_stem("chosen")
    chosen.write_bytes(b"old")
    choose_file(dialog, chosen)
    export_now(qtbot, dialog)
    assert question(dialog) is None
    qtbot.waitUntil(lambda: closed(dialog))
    assert chosen.read_bytes() != b"old"


@every_kind
def test_another_name_after_the_file_chooser_is_asked(opened, qtbot, kind, monkeypatch):
    dialog = opened(kind)
    path(dialog).write_bytes(b"old")
    typed = dialog.target.text()
    choose_file(dialog, path(dialog).with_stem("chosen"))
    dialog.target.setText(typed)
    export_now(qtbot, dialog)
    assert question(dialog)


@every_kind
def test_the_name_follows_what_is_written(opened, qtbot, kind):
    dialog = opened(kind, name="clocks" if kind == "picture" else "table")
    dialog.what.setFocus()
    qtbot.keyClick(dialog.what, Qt.Key.Key_Down)
    assert path(dialog).stem == dialog.what.currentData()


# -- names that are none ---------------------------------------------------------------------------


@every_kind
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no file is named; type a name, which must end in .ENDING"),
        ("   ", "no file is named"),
        ("~nobody-of-that-name/out.ENDING", "there is no such home folder"),
        ("out", "must end in"),
        ("out.txt", "must end in .ENDING"),
        ("/nowhere/out.ENDING", "there is no folder"),
        ("FOLDER/a.ENDING", "is a folder"),
        ("x" * 300 + ".ENDING", "too long"),
        ("out\0.ENDING", "choose another name"),
    ],
)
def test_a_name_that_is_none_is_told_before_anything_happens(
    opened, qtbot, kind, text, says, tmp_path, monkeypatch
):
    monkeypatch.setattr(picture, "drawing", pytest.fail)
    dialog = opened(kind)
    ending = path(dialog).suffix[1:]
    (tmp_path / f"a.{ending}").mkdir()
    dialog.target.setText(text.replace("ENDING", ending).replace("FOLDER", str(tmp_path)))
    export_now(qtbot, dialog)
    assert says.replace("ENDING", ending) in dialog.message.text()
    assert dialog.message.text().startswith("Output: ")
    assert dialog.message.text().endswith(".")
    assert dialog.isVisible()
    assert dialog.go.isEnabled()
    assert not dialog.parent().model.worker.busy(dialog.OWNER)


@every_kind
def test_home_is_found(opened, qtbot, kind, tmp_path):  # HOME is the test's folder
    dialog = opened(kind)
    dialog.target.setText(f"~/{path(dialog).name}")
    export_now(qtbot, dialog)
    qtbot.waitUntil(lambda: closed(dialog))
    assert (tmp_path / path(dialog).name).exists()


# -- what goes wrong -------------------------------------------------------------------------------


def test_a_picture_that_cannot_be_drawn_keeps_the_dialog(opened, qtbot, monkeypatch):
    def fails(*args, **named):
        raise errors[-1]

    dialog, errors = opened("picture"), []
    drawing = picture.drawing
    for error, says in (
        (ParameterError("size", "too large"), "Size: too large."),
        (RuntimeError("no such thing"), "The export failed: no such thing."),
        (MemoryError(), "The export failed: MemoryError."),
    ):
        errors.append(error)
        monkeypatch.setattr(picture, "drawing", fails)
        export_now(qtbot, dialog)
        assert dialog.message.text() == says
        assert dialog.go.isEnabled()
        assert not dialog.bar.isVisible()
    monkeypatch.setattr(picture, "drawing", drawing)
    export_now(qtbot, dialog)
    qtbot.waitUntil(lambda: closed(dialog))


@every_kind
def test_a_file_that_cannot_be_written_keeps_the_dialog(opened, qtbot, kind, monkeypatch, tmp_path):
    def full(*args):
        raise OSError(28, "No space left on device")

    dialog = opened(kind)
    monkeypatch.setattr(export, "_stream", full)
    monkeypatch.setattr(picture, "replacing", full)
    export_now(qtbot, dialog)
    qtbot.waitUntil(lambda: "o space left on device" in dialog.message.text())
    assert dialog.message.text().endswith(".")
    assert dialog.isVisible()
    assert dialog.go.isEnabled()
    assert [entry for entry in tmp_path.iterdir() if entry.is_file()] == []
    monkeypatch.undo()
    export_now(qtbot, dialog)
    qtbot.waitUntil(lambda: closed(dialog))


def test_what_has_no_numbers_is_told_in_a_sentence(opened, qtbot):
    dialog = opened("data", state=Exploration(encodings.create("index")))
    dialog.what.setCurrentIndex(dialog.what.findData("frequencies"))
    export_now(qtbot, dialog)
    lack = "index is not made of waves, so it has no angles and no frequencies"
    problem, choices = dialog.message.text().split("; choose one of these: ")
    assert dialog.isVisible()
    assert problem == f"What: {lack}"
    assert choices.startswith("table, distances, matrix")
    assert "angles" not in choices


def test_what_turns_out_to_have_no_numbers_is_told_and_can_be_mended(opened, qtbot, tmp_path):
    """Equal numbers do not correlate: that is known only once all pairs have been compared."""
    e = encodings.create("index", dim=4)
    dialog = opened("data", state=Exploration(e, metric="correlation"))
    dialog.what.setCurrentIndex(dialog.what.findData("distance-histogram"))
    dialog.target.setText(str(tmp_path / "out.npy"))
    export_now(qtbot, dialog)
    qtbot.waitUntil(lambda: dialog.message.text() != "")
    assert dialog.message.text().startswith("Positions: no two positions here have a finite corr")
    assert dialog.isVisible()
    assert list(tmp_path.iterdir()) == []
    dialog.what.setCurrentIndex(dialog.what.findData("table"))
    export_now(qtbot, dialog)
    qtbot.waitUntil(lambda: closed(dialog))
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), e.table(range(50)))


# -- while it works --------------------------------------------------------------------------------


def test_all_pairs_are_compared_in_the_worker_until_they_are_not_wanted(
    opened, qtbot, monkeypatch, tmp_path
):
    """How many bins there are is known only then; it took seconds in which the window stood."""
    begun, ended, threads = threading.Event(), threading.Event(), []

    def spread(e, positions, metric, progress):
        threads.append(threading.current_thread())
        assert threads[-1] is not threading.main_thread()
        begun.set()
        try:
            while True:
                progress(0.5)
                time.sleep(0.001)
        finally:
            ended.set()

    monkeypatch.setattr(histogram, "spread", spread)
    dialog = opened("data")
    dialog.what.setCurrentIndex(dialog.what.findData("distance-histogram"))
    dialog.target.setText(str(tmp_path / "out.npy"))
    click_button(dialog, "&Copy command")
    assert dialog.message.text() == "Command copied."
    assert not begun.is_set()
    export_now(qtbot, dialog)
    qtbot.waitUntil(begun.is_set)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert closed(dialog)
    assert ended.wait(60)
    dialog.parent().model.worker.close()
    assert len(threads) == 1
    assert list(tmp_path.iterdir()) == []


@every_kind
def test_the_window_lives_while_a_file_is_written(opened, qtbot, kind, hold):
    begun, go_on = hold(*WRITERS[kind])
    dialog = opened(kind)
    export_now(qtbot, dialog)
    qtbot.waitUntil(begun.is_set)
    ticks = []
    timer = QTimer(dialog, interval=5)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start()
    qtbot.waitUntil(lambda: len(ticks) >= 5)
    timer.stop()
    assert dialog.isVisible()
    assert not dialog.go.isEnabled()
    go_on.set()
    qtbot.waitUntil(lambda: closed(dialog))


@every_kind
def test_a_second_enter_does_not_begin_anew(opened, qtbot, kind, hold, monkeypatch):
    begun, go_on = hold(*WRITERS[kind])
    dialog = opened(kind)
    tasks = []
    work = dialog.work
    monkeypatch.setattr(dialog, "work", lambda target: tasks.append(target) or work(target))
    qtbot.keyClick(dialog.target, Qt.Key.Key_Return)
    qtbot.waitUntil(begun.is_set)
    qtbot.keyClick(dialog.target, Qt.Key.Key_Return)
    dialog.accept()
    go_on.set()
    qtbot.waitUntil(lambda: closed(dialog))
    assert len(tasks) == 1


def test_an_enter_while_it_draws_does_not_begin_anew(opened, qtbot, monkeypatch):
    _, go_on, _ = stop_in_worker(monkeypatch)
    dialog = opened("picture")
    drawn, drawing = [], picture.drawing
    monkeypatch.setattr(
        picture, "drawing", lambda *args, **named: drawn.append(args) or drawing(*args, **named)
    )
    for _ in range(3):
        qtbot.keyClick(dialog.target, Qt.Key.Key_Return)
    dialog.accept()
    go_on.set()
    qtbot.waitUntil(lambda: closed(dialog))
    assert len(drawn) == 1


def test_the_window_lives_while_a_picture_is_computed_and_shows_how_far_it_is(
    opened, qtbot, monkeypatch
):
    computing, go_on, _ = stop_in_worker(monkeypatch)
    dialog = opened("picture")
    export_now(qtbot, dialog)
    assert dialog.message.text() == "Drawing 600 × 400 pixels…"
    assert dialog.bar.isVisible()
    assert dialog.bar.maximum() == 0  # it moves to and fro
    # Half of the first of two rounds: what is computed may leave itself another room.
    qtbot.waitUntil(lambda: dialog.bar.value() == dialog.bar.maximum() / 4 > 0)
    assert computing.is_set()
    assert dialog.isVisible()
    assert {widget for widget in QApplication.topLevelWidgets() if widget.isVisible()} == {
        dialog.parent(),
        dialog,
    }
    go_on.set()
    qtbot.waitUntil(lambda: closed(dialog))
    image = QImage(dialog.target.text())
    assert (image.width(), image.height()) == (600, 400)


def windows_and_views():
    """Return the windows and views that stand alone: those that only a picture needs."""
    kinds = MainWindow, HeatmapView
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, kinds)]


@pytest.mark.parametrize("what", ["heatmap", "window"])
def test_cancelled_while_it_is_computed_it_ends_and_leaves_nothing(
    opened, qtbot, monkeypatch, tmp_path, what
):
    computing, _, _ = stop_in_worker(monkeypatch)
    dialog = opened("picture")
    choose_item(dialog.what, what)
    export_now(qtbot, dialog)
    qtbot.waitUntil(computing.is_set)
    # A view is drawn from its figure alone; only the picture of the window needs a window.
    assert len(windows_and_views()) == (what == "window")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert closed(dialog)
    dialog.parent().model.worker.close()  # returns: the computing has ended
    settle()
    assert list(tmp_path.iterdir()) == []
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert windows_and_views() == []


def test_drawing_is_told_and_seen_before_it_begins(opened, qtbot, monkeypatch):
    dialog = opened("picture")
    dialog.width_.setText("300")
    blank = dialog.message.grab().toImage()
    seen = []

    def drawing(*args, **named):
        seen.append((dialog.message.text(), dialog.message.grab().toImage() == blank))
        return QImage(8, 8, QImage.Format.Format_RGB32)
        yield

    monkeypatch.setattr(picture, "drawing", drawing)
    export_now(qtbot, dialog)
    assert seen == [("Drawing 600 × 400 pixels…", False)]
    assert QApplication.overrideCursor() is None
    qtbot.waitUntil(lambda: closed(dialog))


@every_kind
def test_cancelled_while_it_is_written_no_file_is_left(opened, qtbot, kind, hold, tmp_path):
    begun, go_on = hold(*WRITERS[kind])
    dialog = opened(kind, state=Exploration(count=1000))
    export_now(qtbot, dialog)
    qtbot.waitUntil(begun.is_set)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert closed(dialog)
    go_on.set()
    dialog.parent().model.worker.close()
    assert [entry for entry in tmp_path.iterdir() if entry.is_file()] == []


def test_closed_while_it_draws_nothing_is_written(opened, qtbot, monkeypatch):
    dialog = opened("picture")

    def drawing(*args, **named):
        dialog.reject()
        return QImage(8, 8, QImage.Format.Format_RGB32)
        yield

    monkeypatch.setattr(picture, "drawing", drawing)
    export_now(qtbot, dialog)
    assert not dialog.parent().model.worker.busy(dialog.OWNER)
    assert not path(dialog).exists()


def test_views_do_not_wait_for_an_export(opened, qtbot, hold):
    begun, go_on = hold(*WRITERS["data"])
    dialog = opened("data")
    export_now(qtbot, dialog)
    qtbot.waitUntil(begun.is_set)
    worker = dialog.parent().model.worker
    with qtbot.waitSignal(worker.done, check_params_cb=lambda owner, value: owner == "heatmap"):
        worker.request("heatmap", lambda cancelled: 1)
    assert worker.busy(dialog.OWNER)
    go_on.set()
    qtbot.waitUntil(lambda: closed(dialog))


# -- what is proposed ------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_is_proposed_in_the_colours_of_the_window(opened, qapp, theme):
    qapp.set_theme(theme)
    assert opened("picture").theme.currentData() == theme


def test_a_dark_system_proposes_a_dark_picture(opened, qapp):
    qapp.set_theme("system")
    palette = QPalette(qapp.palette())
    palette.setColor(QPalette.ColorRole.Window, Qt.GlobalColor.black)
    qapp.setPalette(palette)  # as the system would have it
    assert opened("picture").theme.currentData() == "dark"


@every_kind
def test_the_wheel_over_a_choice_changes_nothing_without_the_focus(opened, qtbot, kind):
    dialog = opened(kind)
    dialog.target.setFocus()
    for combo in (dialog.what, dialog.theme if kind == "picture" else dialog.dtype):
        before = combo.currentData()
        turn_wheel(combo, -120)
        assert combo.currentData() == before


@every_kind
def test_every_control_explains_itself(opened, kind):
    dialog = opened(kind)
    fields = (
        (dialog.width_, dialog.height_, dialog.scale, dialog.theme)
        if kind == "picture"
        else (dialog.of, dialog.dtype)
    )
    fields = (*fields, dialog.carry)
    for control in (dialog.what, dialog.target, *fields):
        assert control.toolTip()
        assert control.accessibleName().replace(" ", "").isalpha()
    for combo in (dialog.what, fields[-1]):
        for row in range(combo.count()):
            assert combo.itemData(row, Qt.ItemDataRole.ToolTipRole)
            assert combo.fontMetrics().horizontalAdvance(combo.itemText(row)) <= combo.width() - 30


@every_kind
def test_keys_lead_to_the_fields(opened, qtbot, kind):
    dialog = opened(kind)
    keys = {Qt.Key.Key_F: dialog.target} | (
        {Qt.Key.Key_S: dialog.width_, Qt.Key.Key_D: dialog.what} if kind == "picture" else {}
    )
    for key, field in keys.items():
        qtbot.keyClick(dialog, key, Qt.KeyboardModifier.AltModifier)
        assert field.hasFocus()


def test_progress_does_not_fall_back_where_all_is_computed_before_the_first_row(opened):
    e = encodings.create("sinusoidal", dim=64)
    dialog = opened("data", state=Exploration(e, count=150_000))
    choose_item(dialog.what, "projection")
    target, heard = path(dialog).with_suffix(".csv"), Heard()
    dialog.check()
    at_once(dialog.work(target), heard)
    assert len(target.read_text().splitlines()) == 150_001
    shares = [share for share, _ in heard.reports]
    assert shares == sorted(shares)
    assert len(set(shares)) > 3
    assert shares[-2] < 1
    assert shares[-1] == 1
