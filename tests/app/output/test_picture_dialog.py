"""What only the dialog for pictures does; see `test_contract` for the rest."""

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QApplication

from pe_explorer.app.output import picture
from pe_explorer.flags import WIDTH
from pe_explorer.params import ParameterError
from tests.app.output.dialogs import copied_command, open_export, wait_until_closed
from tests.support.computing import stop_in_worker
from tests.support.gestures import type_text
from tests.support.windows import visible_dialogs

pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture
def dialog(window, tmp_path):
    dialog = open_export(window, "picture")
    dialog.target.setText(str(tmp_path / "out.png"))
    yield dialog
    if visible_dialogs(window, type(dialog)):
        dialog.reject()


REFUSED_SIZES = [
    ("width_", "", "Width", ""),
    ("width_", "wide", "Width", "'wide'"),
    ("width_", str(WIDTH.low - 1), "Width", f"{WIDTH.low - 1} is outside {WIDTH.limits}"),
    ("width_", "16385", "Width", "16385"),
    ("height_", "nan", "Height", "'nan'"),
    ("height_", "1.5", "Height", "'1.5'"),
    ("scale", "0", "Scale", "0"),
    ("scale", "nan", "Scale", "nan"),
    ("scale", "", "Scale", "''"),
]


def test_a_size_is_shown_as_numbers_or_refused_by_its_field(dialog, qtbot):
    for field, text, name, facts in REFUSED_SIZES:
        before = getattr(dialog, field).text()
        getattr(dialog, field).setText(text)
        for press in (dialog.go.click, lambda: copied_command(dialog)):
            dialog.clear_message()
            press()
            assert dialog.isVisible()
            assert dialog.message.text().startswith(f"{name}: ")
            assert facts in dialog.message.text()
        assert copied_command(dialog) == ""
        getattr(dialog, field).setText(before)
    for field, text in (("width_", "16000"), ("height_", "16000"), ("scale", "8")):
        getattr(dialog, field).setText(text)
    assert copied_command(dialog) == ""
    assert "2^28 pixels" in dialog.message.text()
    for field, typed, shown in (
        (dialog.width_, "64*16", "1024"),
        (dialog.height_, "6e2x", "6e2x"),  # no number: it is refused when it is drawn
        (dialog.scale, "3*0.5", "1.5"),
    ):
        type_text(qtbot, field, typed)
        assert field.text() == typed
        qtbot.keyClick(field, Qt.Key.Key_Tab)
        assert field.text() == shown


def test_a_picture_that_cannot_be_drawn_keeps_the_dialog(dialog, qtbot, monkeypatch):
    for error, facts in (
        (ParameterError("size", "too large"), "Size: too large"),
        (RuntimeError("no such thing"), "no such thing"),
        (MemoryError(), "MemoryError"),
    ):

        def fails(*args, error=error, **named):
            raise error

        with monkeypatch.context() as patched:
            patched.setattr(picture, "drawing", fails)
            dialog.go.click()
        assert facts in dialog.message.text()
        assert dialog.go.isEnabled()
        assert not dialog.bar.isVisible()
    dialog.go.click()
    wait_until_closed(qtbot, dialog)


def test_while_it_computes_the_window_lives_and_an_enter_does_not_begin_anew(
    window, dialog, qtbot, monkeypatch, tmp_path
):
    _, go_on, sizes = stop_in_worker(monkeypatch)
    for field, text in ((dialog.width_, "300"), (dialog.height_, "200"), (dialog.scale, "2")):
        field.setText(text)
    for _ in range(3):
        qtbot.keyClick(dialog.target, Qt.Key.Key_Return)
    assert "600 × 400" in dialog.message.text()
    # Half of the first of two rounds: what is computed may leave itself another room.
    qtbot.waitUntil(lambda: dialog.bar.value() == dialog.bar.maximum() / 4 > 0)
    assert {each for each in QApplication.topLevelWidgets() if each.isVisible()} == {window, dialog}
    go_on.set()
    wait_until_closed(qtbot, dialog)
    assert len(sizes) == 1
    image = QImage(str(tmp_path / "out.png"))
    assert (image.width(), image.height()) == (600, 400)


def test_what_is_drawn_is_seen_before_it_begins_and_may_still_be_cancelled(
    dialog, qtbot, monkeypatch, tmp_path
):
    blank, seen = dialog.message.grab().toImage(), []

    def drawing(*args, **named):
        time.sleep(0.01)  # the window stands still
        seen.append(dialog.message.grab().toImage() == blank)
        dialog.reject()
        return QImage(8, 8, QImage.Format.Format_RGB32)
        yield

    monkeypatch.setattr(picture, "drawing", drawing)
    worker, owner = dialog.parent().model.worker, dialog.OWNER
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert seen == [False]
    assert QApplication.overrideCursor() is None
    assert not worker.busy(owner)
    assert not (tmp_path / "out.png").exists()


def test_a_picture_is_proposed_in_the_colours_of_the_window(window, qapp):
    for theme, expected in (("light", "light"), ("dark", "dark"), ("system", "dark")):
        qapp.set_theme(theme)
        if theme == "system":
            palette = QPalette(qapp.palette())
            palette.setColor(QPalette.ColorRole.Window, Qt.GlobalColor.black)
            qapp.setPalette(palette)  # as a dark system would have it
        dialog = open_export(window, "picture")
        assert dialog.theme.currentData() == expected
        dialog.reject()
