"""Pictures of views and of the window: size, theme, session, and what they do not depend on."""

import time
from itertools import cycle

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings
from pe_explorer.app.output import picture
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration import DirectStore, Pin, resolve
from pe_explorer.flags import HEIGHT, WIDTH
from pe_explorer.model import Exploration
from pe_explorer.params import ParameterError
from tests.app.output.dialogs import copied_command, open_export, wait_until_closed
from tests.support.gestures import type_text
from tests.support.images import distinct, pixels
from tests.support.oracles import needs_of
from tests.support.pictures import PICTURES, draw
from tests.support.tables_in_files import numbers, put

SIZES = [
    (640, 400, 2.0),
    (333, 257, 1.5),
    (900, 300, 0.5),
    (WIDTH.low, HEIGHT.low, 1.0),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("what", "size"), list(zip(PICTURES, cycle(SIZES))))
def test_it_shows_the_state_in_its_size_and_theme_whatever_the_window_has(qapp, what, size):
    """The background around the data is that of the rim, which is the same in every view."""
    width, height, scale = size
    image = draw(what, Exploration(), *size, "light")
    assert (image.width(), image.height()) == (int(width * scale + 0.5), int(height * scale + 0.5))
    assert image.devicePixelRatio() == scale
    assert len(distinct(pixels(image))) > 10
    found = []
    for theme, around, fields in (
        ("light", "light", {}),
        ("dark", "light", {}),
        ("light", "light", {"encoding": encodings.create("sinusoidal", dim=12)}),
        ("light", "dark", {}),
        ("dark", "dark", {}),
    ):
        qapp.set_theme(around)
        found.append(pixels(draw(what, Exploration(position=7, **fields), 480, 300, 1.0, theme)))
    light, dark, other, *again = found
    assert np.median(light[:, :4]) > 180
    assert np.median(dark[:, :4]) < 90
    assert (light != other).any(axis=2).mean() > 0.005
    np.testing.assert_array_equal(again, [light, dark])


@pytest.mark.parametrize("what", ["heatmap", "window"])
def test_twice_the_scale_is_drawn_anew(what):
    once, twice = (draw(what, Exploration(), 480, 300, scale, "light") for scale in (1.0, 2.0))
    smooth = Qt.TransformationMode.SmoothTransformation
    stretched = once.scaled(960, 600, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    fine, blurred = (
        (np.abs(np.diff(pixels(each), axis=1)).max(axis=2) > 100).sum()
        for each in (twice, stretched)
    )
    assert fine > blurred


@pytest.mark.parametrize(
    ("size", "drawers"),
    [((1280, 800), set()), ((1000, 700), {"explain"}), ((800, 560), {"encoding", "explain"})],
)
def test_a_window_is_drawn_as_it_is_on_a_screen_of_its_size(monkeypatch, size, drawers):
    found, leave = [], MainWindow.leave

    def note(window):
        sides = window.sides
        found.append((window.size().toTuple(), set(filter(sides.is_drawer, sides.docks))))
        leave(window)

    monkeypatch.setattr(MainWindow, "leave", note)
    image = draw("window", Exploration(), *size, 1.0, "light")
    assert (image.width(), image.height()) == size
    assert (image.dotsPerMeterX(), image.dotsPerMeterY()) == (3780, 3780)  # 96 an inch
    assert found == [(size, drawers)]


def test_a_window_without_room_is_drawn_smaller_and_whole():
    width, height = 400, 280
    small = draw("window", Exploration(), width, height, 1.0, "light")
    enough = draw("window", Exploration(), 800, 560, width / 800, "light")
    assert (small.width(), small.height(), small.devicePixelRatio()) == (width, height, 1.0)
    np.testing.assert_array_equal(pixels(small), pixels(enough))


def test_a_window_that_needs_more_memory_than_there_is_is_refused(monkeypatch):
    class NoRoom(QImage):
        def isNull(self):  # noqa: N802 - the name is Qt's
            return True

    monkeypatch.setattr(picture, "QImage", NoRoom)
    with pytest.raises(ParameterError, match="more memory"):
        draw("window", Exploration(), 800, 560, 1.0, "light")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("what", [name for name in PICTURES if not needs_of(name)])
def test_a_picture_names_the_file_of_a_table_but_no_folder(what, tmp_path):
    """There are pins of existing and of missing tables."""
    drawn = []
    for folder, name in (("alice", "s.npy"), ("b", "s.npy"), ("b", "t.npy")):
        (tmp_path / folder).mkdir(exist_ok=True)
        files = put(tmp_path / folder / name, numbers()), str(tmp_path / folder / "gone.npy")
        e, gone = (encodings.create("learned", file=file) for file in files)
        state = Exploration(e, count=30, pins=[Pin(e, "there", "teal"), Pin(gone, "gone", "gold")])
        image = draw(what, resolve(state, DirectStore()), 1300, 800, 1.0, "light")
        drawn.append(pixels(image))
    np.testing.assert_array_equal(drawn[0], drawn[1])
    if what == "window":
        assert (drawn[1] != drawn[2]).any()


# -- the dialog ------------------------------------------------------------------------------------


@pytest.fixture
def dialog(window, clipboard, tmp_path):
    dialog = open_export(window, "picture")
    dialog.target.setText(str(tmp_path / "out.png"))
    return dialog


def test_while_it_computes_it_says_the_size_and_how_far_it_is(
    dialog, qtbot, stop_in_worker, tmp_path
):
    _, go_on, sizes = stop_in_worker("heatmap")
    for field, text in (
        (dialog.width_field, "300"),
        (dialog.height_field, "200"),
        (dialog.scale, "2"),
    ):
        field.setText(text)
    dialog.start_button.click()
    assert "600 × 400" in dialog.message.text()
    # Half of the first of two rounds: what is computed may leave itself another room.
    qtbot.waitUntil(lambda: dialog.bar.value() == dialog.bar.maximum() / 4 > 0)
    go_on.set()
    wait_until_closed(qtbot, dialog)
    assert len(sizes) == 1
    assert QImage(str(tmp_path / "out.png")).size().toTuple() == (600, 400)


REFUSED_SIZES = [
    ("width_field", "", "Width", ""),
    ("width_field", "wide", "Width", "'wide'"),
    ("width_field", str(WIDTH.low - 1), "Width", f"{WIDTH.limits}, got {WIDTH.low - 1}"),
    ("width_field", "16385", "Width", "16385"),
    ("height_field", "nan", "Height", "'nan'"),
    ("height_field", "1.5", "Height", "'1.5'"),
    ("scale", "0", "Scale", "0"),
    ("scale", "nan", "Scale", "nan"),
    ("scale", "", "Scale", "''"),
]


def test_a_size_is_shown_as_numbers_or_refused_by_its_field(dialog, qtbot):
    for field, text, name, facts in REFUSED_SIZES:
        before = getattr(dialog, field).text()
        getattr(dialog, field).setText(text)
        for press in (dialog.start_button.click, lambda: copied_command(dialog)):
            dialog.clear_message()
            press()
            assert dialog.isVisible()
            assert dialog.message.text().startswith(f"{name}: ")
            assert facts in dialog.message.text()
        assert copied_command(dialog) == ""
        getattr(dialog, field).setText(before)
    for field, text in (("width_field", "16000"), ("height_field", "16000"), ("scale", "8")):
        getattr(dialog, field).setText(text)
    assert copied_command(dialog) == ""
    assert "2^28 pixels" in dialog.message.text()
    for field, typed, shown in (
        (dialog.width_field, "64*16", "1024"),
        (dialog.height_field, "6e2x", "6e2x"),  # no number: it is refused when it is drawn
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
            patched.setattr(picture, "draw", fails)
            dialog.start_button.click()
        assert facts in dialog.message.text()
        assert dialog.start_button.isEnabled()
        assert not dialog.bar.isVisible()
    dialog.start_button.click()
    wait_until_closed(qtbot, dialog)


def test_what_is_drawn_is_seen_before_and_can_be_cancelled(dialog, qtbot, monkeypatch, tmp_path):
    blank, seen = dialog.message.grab().toImage(), []

    def drawing(*args, **named):
        time.sleep(0.01)  # the window stands still
        seen.append(dialog.message.grab().toImage() == blank)
        dialog.reject()
        return QImage(8, 8, QImage.Format.Format_RGB32)
        yield

    monkeypatch.setattr(picture, "draw", drawing)
    worker, owner = dialog.parent().model.worker, dialog.TASK_OWNER
    qtbot.mouseClick(dialog.start_button, Qt.MouseButton.LeftButton)
    assert seen == [False]
    assert QApplication.overrideCursor() is None
    assert not worker.is_busy(owner)
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
