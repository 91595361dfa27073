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
from tests.support.pairwise import some_pairs
from tests.support.pictures import PICTURES, draw, drawing
from tests.support.tables_in_files import numbers, put


def state(**fields):
    return Exploration(**fields)


SIZES = [
    (640, 400, 1.0),
    (640, 400, 2.0),
    (333, 257, 1.5),
    (900, 300, 0.5),
    (WIDTH.low, HEIGHT.low, 1.0),
]


@pytest.mark.parametrize(("what", "size"), list(some_pairs(PICTURES, SIZES, 2)))
def test_size_is_exact(what, size):
    width, height, scale = size
    image = draw(what, state(), width, height, scale, "light")
    assert (image.width(), image.height()) == (int(width * scale + 0.5), int(height * scale + 0.5))
    assert image.devicePixelRatio() == scale
    assert len(distinct(pixels(image))) > 10


@pytest.mark.parametrize("what", PICTURES)
def test_it_shows_the_state_in_its_theme_and_twice_the_same_is_the_same(what):
    """The ground around the data is told from the rim, which is the same in every view."""
    twelve = encodings.create("sinusoidal", dim=12)
    light, dark, other, again = (
        pixels(draw(what, state(position=7, **fields), 640, 400, 1.0, theme))
        for theme, fields in (
            ("light", {}),
            ("dark", {}),
            ("light", {"encoding": twelve}),
            ("light", {}),
        )
    )
    assert np.median(light[:, :4]) > 180
    assert np.median(dark[:, :4]) < 90
    assert (light != other).any(axis=2).mean() > 0.005
    assert (light == again).all()


@pytest.mark.parametrize("what", ["heatmap", "window"])
def test_twice_the_scale_is_drawn_anew(what):
    once, twice = (draw(what, state(), 480, 300, scale, "light") for scale in (1.0, 2.0))
    smooth = Qt.TransformationMode.SmoothTransformation
    stretched = once.scaled(960, 600, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    fine, blurred = (
        (np.abs(np.diff(pixels(each), axis=1)).max(axis=2) > 100).sum()
        for each in (twice, stretched)
    )
    assert fine > blurred


def test_the_program_answers_between_making_a_window_and_drawing_it():
    before = set(QApplication.topLevelWidgets())
    steps = drawing("window", state(), 640, 400, 1.0, "light")
    next(steps)  # a task: its answer comes in another turn of the event loop
    (made,) = [w for w in set(QApplication.topLevelWidgets()) - before if type(w) is MainWindow]
    assert not made.isVisible()
    assert made.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen) is False, "not yet drawn"
    steps.close()
    clear_up()
    assert not isValid(made)


@pytest.mark.parametrize(
    "label",
    [
        "plain",
        "an é of Latin-1",
        "Ελληνικά, 日本語, 😀",
        "a lone surrogate \ud800",
        "two  spaces, a\ttab, \x85, \x00 and\nlines \r\n",
        "λ" * 300,
    ],
)
def test_any_text_comes_back_from_a_picture(tmp_path, label):
    image = draw("heatmap", state(), 320, 200, 1.0, "light")
    wanted = pixels(image)
    extra = {"note": label, label: [label]}
    data = picture.png(image, state(position=7), extra, tmp_path)
    (tmp_path / "picture.png").write_bytes(data)
    found = session.read(tmp_path / "picture.png")
    assert found.state == state(position=7)
    assert found.extra == extra
    assert data.count(b"iTXtPE Explorer session\0") == 1
    texts = text_of(data)
    assert texts["Title"] == "sinusoidal positional encoding"
    assert texts["Software"].startswith("PE Explorer ")
    assert (pixels(QImage.fromData(data)) == wanted).all()


def test_without_a_session_a_picture_carries_no_text(tmp_path):
    assert text_of(picture.png(draw("heatmap", state(), 320, 200, 1.0, "light"))) == {}


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
    image = draw("window", state(), *size, 1.0, "light")
    assert (image.width(), image.height()) == size
    assert found == [(size, drawers)]


@pytest.mark.parametrize(("width", "height"), [(600, 420), (400, 280), (240, 168)])
def test_a_window_without_room_is_drawn_smaller_and_whole(width, height):
    small, enough = (
        draw("window", state(), width, height, 1.0, "light"),
        draw("window", state(), 800, 560, width / 800, "light"),
    )
    assert (small.width(), small.height(), small.devicePixelRatio()) == (width, height, 1.0)
    np.testing.assert_array_equal(pixels(small), pixels(enough))


def test_a_window_that_needs_more_memory_than_there_is_is_refused(monkeypatch):
    class NoRoom(QImage):
        def isNull(self):  # noqa: N802 - the name is Qt's
            return True

    monkeypatch.setattr(picture, "QImage", NoRoom)
    with pytest.raises(ParameterError, match="needs more memory than there is"):
        draw("window", state(), 800, 560, 1.0, "light")


# -- cursor and theme ----------------------------------------------------------------------------


@pytest.mark.parametrize(("what", "theme"), list(zip(PICTURES, cycle(["dark", "light"]))))
def test_the_theme_of_the_window_is_not_that_of_a_picture(what, theme, qapp):
    drawn = []
    for around in ("light", "dark"):
        qapp.set_theme(around)
        drawn.append(pixels(draw(what, state(position=7), 480, 300, 1.0, theme)))
    np.testing.assert_array_equal(*drawn)


# -- folders, which nothing of a picture depends on ------------------------------------------------


def learned(path):
    return encodings.create("learned", file=str(path))


def drawn(what, folder):
    """Draw a table of a folder, with pins of tables that are there and that lack."""
    folder.mkdir()
    e, gone = learned(put(folder / "s.npy", numbers())), learned(folder / "gone.npy")
    pins = [Pin(e, "there", "teal"), Pin(gone, "gone", "gold")]
    state = Exploration(e, count=30, pins=pins)
    return pixels(draw(what, resolve(state, DirectStore()), 1300, 800, 1.0, "light"))


@pytest.mark.parametrize("what", [name for name in PICTURES if not needs_of(name)])
def test_a_picture_does_not_tell_of_folders(what, tmp_path):
    mine, others = drawn(what, tmp_path / "alice"), drawn(what, tmp_path / "b")
    np.testing.assert_array_equal(mine, others)


def test_a_picture_names_the_file(tmp_path):
    """It is the folder alone that is left out."""
    drawn = []
    for name in ("s.npy", "t.npy"):
        e = learned(put(tmp_path / name, numbers()))
        state = Exploration(e, count=30)
        drawn.append(pixels(draw("window", state, 1300, 800, 1.0, "light")))
    assert (drawn[0] != drawn[1]).any()
