"""Pictures of views and of the window: size, theme, session, and what they do not depend on."""

from itertools import cycle

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from pe_explorer import encodings
from pe_explorer.app.output import picture
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration import DirectStore, Pin, resolve
from pe_explorer.files import session
from pe_explorer.files.png import text_of
from pe_explorer.flags import HEIGHT, WIDTH
from pe_explorer.model import Exploration
from pe_explorer.params import ParameterError
from tests.support.images import distinct, pixels
from tests.support.leftovers import clear_up
from tests.support.oracles import needs_of
from tests.support.pictures import PICTURES, draw, drawing
from tests.support.tables_in_files import numbers, put

SIZES = [
    (640, 400, 2.0),
    (333, 257, 1.5),
    (900, 300, 0.5),
    (WIDTH.low, HEIGHT.low, 1.0),
]


@pytest.mark.parametrize(("what", "size"), list(zip(PICTURES, cycle(SIZES))))
def test_it_shows_the_state_in_its_size_and_theme_whatever_the_window_has(qapp, what, size):
    """The ground around the data is told from the rim, which is the same in every view."""
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


def test_the_program_answers_between_making_a_window_and_drawing_it():
    before = set(QApplication.topLevelWidgets())
    steps = drawing("window", Exploration(), 640, 400, 1.0, "light")
    next(steps)  # a task: its answer comes in another turn of the event loop
    (made,) = [w for w in set(QApplication.topLevelWidgets()) - before if type(w) is MainWindow]
    assert not made.isVisible()
    assert made.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen) is False, "not yet drawn"
    steps.close()
    clear_up()
    assert not isValid(made)


def test_any_text_comes_back_from_a_picture_and_none_without_a_session(tmp_path):
    image, state = draw("heatmap", Exploration(), 320, 200, 1.0, "light"), Exploration(position=7)
    label = (
        "é Ελληνικά, 日本語, 😀 \ud800 two  spaces, a\ttab, \x85, \x00 and\nlines \r\n" + "λ" * 300
    )
    extra = {"note": label, label: [label]}
    data = picture.png(image, state, extra, tmp_path)
    (tmp_path / "picture.png").write_bytes(data)
    found = session.read(tmp_path / "picture.png")
    assert (found.state, found.extra) == (state, extra)
    assert data.count(b"iTXtPE Explorer session\0") == 1
    texts = text_of(data)
    assert texts["Title"] == "sinusoidal positional encoding"
    assert texts["Software"].startswith("PE Explorer ")
    np.testing.assert_array_equal(pixels(QImage.fromData(data)), pixels(image))
    assert text_of(picture.png(image)) == {}


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


@pytest.mark.parametrize("what", [name for name in PICTURES if not needs_of(name)])
def test_a_picture_names_the_file_of_a_table_but_no_folder(what, tmp_path):
    """There are pins of tables that are there and that lack."""
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
