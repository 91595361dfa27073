from itertools import cycle

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from pe_explorer import encodings, pictures, views
from pe_explorer.app.output import figure_order, picture
from pe_explorer.app.output.figure_texts import measure_with
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import DirectStore, Pin, resolve
from pe_explorer.figures.layout import areas
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.png import text_of
from pe_explorer.flags import HEIGHT, WIDTH
from pe_explorer.model import Exploration
from pe_explorer.model.steps import at_once
from pe_explorer.params import ParameterError
from tests.support.cases import for_each
from tests.support.images import distinct, pixels
from tests.support.leftovers import clear_up
from tests.support.oracles import definition, needs_of
from tests.support.pairwise import some_pairs
from tests.support.pictures import PICTURES, draw, drawing, save
from tests.support.samples import sample
from tests.support.tables_in_files import numbers, put

every_picture = for_each("what", PICTURES)


def state(**fields):
    return Exploration(**fields)


SIZES = [
    (640, 400, 1.0),
    (640, 400, 2.0),
    (333, 257, 1.5),
    (900, 300, 0.5),
    (WIDTH.low, HEIGHT.low, 1.0),
]


@for_each(("what", "size"), some_pairs(PICTURES, SIZES, 2))
def test_size_is_exact(what, size):
    width, height, scale = size
    image = draw(what, state(), width, height, scale, "light")
    assert (image.width(), image.height()) == (int(width * scale + 0.5), int(height * scale + 0.5))
    assert image.devicePixelRatio() == scale
    assert len(distinct(pixels(image))) > 10


@every_picture
def test_twice_the_scale_is_drawn_anew(what):
    once, twice = (draw(what, state(), 480, 300, scale, "light") for scale in (1.0, 2.0))
    stretched = once.scaled(
        960, 600, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    fine, blurred = pixels(twice), pixels(stretched)

    differing = (np.abs(fine - blurred).max(axis=2) > 40).mean()
    assert differing > 0.001
    sharp = (np.abs(np.diff(fine, axis=1)).max(axis=2) > 100).sum()
    soft = (np.abs(np.diff(blurred, axis=1)).max(axis=2) > 100).sum()
    assert sharp > soft


@every_picture
def test_light_and_dark(what):
    """The ground around the data is told from the rim, which is the same in every view."""
    light, dark = (pixels(draw(what, state(), 640, 400, 1.0, theme)) for theme in ("light", "dark"))
    assert np.median(light[:, :4]) > 180
    assert np.median(dark[:, :4]) < 90


@every_picture
def test_twice_the_same_is_the_same(what):
    first, second = (
        picture.png(draw(what, state(position=7), 640, 400, 1.0, "light")) for _ in range(2)
    )
    assert first == second


@every_picture
def test_it_shows_the_state(what):
    one = pixels(draw(what, state(), 640, 400, 1.0, "light"))
    other = pixels(
        draw(what, state(encoding=encodings.create("sinusoidal", dim=12)), 640, 400, 1.0, "light")
    )
    assert (one != other).any(axis=2).mean() > 0.005


def far(e):
    """Return an exploration of an encoding, as far away as it has rows."""
    start = min(10**15, e.domain[-1] - 999)
    return state(encoding=e, start=start, count=1000, position=start)


@for_each(("what", "name"), some_pairs(PICTURES, encodings.names(), 3))
def test_any_encoding_far_away(what, name):
    shown = far(sample(name, dim=6))
    if not needs_of(what) <= definition(shown.encoding).abilities:
        with pytest.raises(EncodingError, match=shown.encoding.called()):
            draw(what, shown, 500, 350, 1.0, "light")
        return
    image = draw(what, shown, 500, 350, 1.0, "light")
    assert len(distinct(pixels(image))) > 2


def test_it_leaves_no_window_behind():
    before = set(QApplication.topLevelWidgets())
    draw("window", state(), 640, 400, 1.0, "light")
    draw("heatmap", state(), 640, 400, 1.0, "light")
    assert not [w for w in set(QApplication.topLevelWidgets()) - before if w.isVisible()]


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


@for_each(
    ("width", "height", "scale", "says"),
    [
        (WIDTH.low - 1, 400, 1.0, f"outside {WIDTH.limits}"),
        (400, HEIGHT.high + 1, 1.0, f"outside {HEIGHT.limits}"),
        (400, 400, 0.2, "outside the limits"),
        (400, 400, 8.1, "outside the limits"),
        (400, 400, float("nan"), "not a number"),
        (16_384, 16_384, 2.0, "more than 2\\^28 pixels"),
    ],
)
def test_a_bad_size_is_refused(width, height, scale, says):
    with pytest.raises(ParameterError, match=says):
        draw("heatmap", state(), width, height, scale, "light")


def test_saved_it_can_be_read(tmp_path):
    image = draw("heatmap", state(), 320, 200, 2.0, "light")
    save(image, tmp_path / "picture.png")
    read = QImage(str(tmp_path / "picture.png"))
    assert (read.width(), read.height()) == (640, 400)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["picture.png"]


@for_each(
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


def test_a_folder_that_is_not_there_is_told(tmp_path):
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    with pytest.raises(ParameterError, match="there is no folder"):
        save(image, tmp_path / "nowhere" / "picture.png")


def test_a_full_disk_changes_nothing(tmp_path, monkeypatch):
    target = tmp_path / "picture.png"
    target.write_bytes(b"old")

    class Full:
        def __enter__(self):
            raise OutputError(target, "no space left on device; nothing was changed")

        def __exit__(self, *args):
            return False

    monkeypatch.setattr(picture, "replacing", lambda path: Full())
    with pytest.raises(ParameterError, match="no space left"):
        save(QImage(8, 8, QImage.Format.Format_RGB32), target)
    assert target.read_bytes() == b"old"


@for_each(
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


@for_each(("width", "height"), [(600, 420), (400, 280), (240, 168)])
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


# -- the resolution of the picture ---------------------------------------------------------------


@pytest.fixture
def axes(qapp):
    """Return a function that draws a view, and returns its pixels and where its layout says that
    cells lie, in device pixels.
    """

    def drawn_with_axes(what, shown, columns, width, height, scale):
        size = FigureSize(width, height)
        order = figure_order.Order(what, resolve(shown, DirectStore()), Style(), size, scale)
        figures = at_once(figure_order.figures_of(order))
        points = size.in_points
        (places,) = areas(
            figures, order.style.for_size(order.size), *points, measure_with(order.style.font)
        )
        area = places[-1]  # of the distances, the matrix
        dots = order.dpi / 72
        across = (area.left + area.width * np.arange(columns + 1) / columns) * dots
        down = (area.top + area.height * np.arange(shown.count + 1) / shown.count) * dots
        return pixels(draw(what, shown, width, height, scale, "light")), across, down

    return drawn_with_axes


def lengths(line):
    """Return the lengths of runs of one colour, without the first and the last."""
    changes = np.flatnonzero(np.abs(np.diff(line, axis=0)).max(axis=1)) + 1
    return np.diff(changes)


@for_each(
    ("width", "height", "scale"),
    [(800, 400, 4.0), (3200, 1600, 1.0), (800, 400, 3.5), (801, 399, 3.0)],
)
def test_columns_differ_by_a_device_pixel_at_most(axes, width, height, scale):
    shown = state(encoding=encodings.create("binary", dim=512), count=64)
    shown = shown.with_(encoding=encodings.create("sinusoidal", dim=512))
    found, across, down = axes("heatmap", shown, 512, width, height, scale)
    each = (across[-1] - across[0]) / 512
    row = found[
        int((down[40] + down[41]) / 2), int(across[2]) : int(across[60])
    ]  # where no two neighbours have one colour
    assert set(lengths(row)) == {int(each), int(each) + 1}
    assert len(lengths(row)) > 40
    column = found[int(down[2]) : int(down[62]), int((across[10] + across[11]) / 2)]
    rows = (down[-1] - down[0]) / 64
    assert set(lengths(column)) <= {int(rows), int(rows) + 1}


@for_each("what", ["heatmap", "distances"])
@for_each(
    ("width", "height", "scale"),
    [(640, 400, 0.5), (640, 400, 1.0), (333, 257, 1.5), (640, 401, 2.3), (500, 300, 4.0)],
)
def test_each_cell_lies_where_the_axes_say(axes, what, width, height, scale):
    shown = state(encoding=encodings.create("sinusoidal", dim=16), count=16)
    found, across, down = axes(what, shown, 16, width, height, scale)
    middles = [((edges[1:] + edges[:-1]) / 2).astype(int) for edges in (across, down)]
    for line, edges in ((found[middles[1][5]], across), (found[:, middles[0][5]], down)):
        changes = (
            np.flatnonzero(
                np.abs(np.diff(line[int(edges[0]) + 3 : int(edges[-1]) - 2], axis=0)).max(axis=1)
            )
            + int(edges[0])
            + 4
        )
        nearest = np.abs(changes[:, None] - edges).min(axis=1)
        assert len(changes) >= 10
        assert nearest.max() <= 1.0


@for_each("what", ["heatmap", "distances"])
@for_each("scale", [1.0, 2.0, 4.0])
def test_ticks_and_frames_are_as_wide_as_the_picture_is_large(axes, what, scale):
    shown = state(encoding=encodings.create("sinusoidal", dim=16), count=16)
    found, across, down = axes(what, shown, 16, 800, 400, scale)
    below = (
        found[int(down[-1] + 2.5 * scale), int(across[0]) - 2 : int(across[-1]) + 3] < 250
    ).any(axis=1)
    ticks = np.diff(np.flatnonzero(np.diff(np.r_[False, below, False].astype(int))))[::2]
    assert len(ticks) > 2
    assert set(ticks) == {max(1, round(0.6 * 96 / 72 * scale))}  # 0.6 points


@for_each("scale", [1.0, 1.5, 2.0, 4.0])
def test_curves_are_as_wide_as_the_picture_is_large(scale):
    shown = state(
        encoding=encodings.create("index", dim=4), start=1, count=50, reference=1
    )  # one direction: no distance
    found = pixels(draw("distances", shown, 800, 400, scale, "light"))
    blue = (found[:, :, 0] - found[:, :, 2]) / (
        0xB2 - 0x1F
    )  # of the accent: how much of each pixel is covered; of greys next to nothing
    blue[blue < 0.1] = 0.0
    there = int(blue.sum(axis=1).argmax())
    thick = blue[
        there - int(2 * scale) : there + int(2 * scale) + 1, int(100 * scale) : int(300 * scale)
    ].sum(axis=0)
    np.testing.assert_allclose(
        thick, 1.5 * scale * 96 / 72, rtol=0.25 if scale == 1 else 0.1
    )  # one point and a half; the rest is Qt's own


# -- cursor and theme ----------------------------------------------------------------------------


@for_each(("what", "theme"), list(zip(views.names(), cycle(["light", "dark"]))))
def test_without_the_cursor_a_picture_does_not_tell_where_it_is(what, theme):
    """Of a picture that is about the cursor's position, this is the dimension alone."""
    cursors = [
        {"position": 0, "dimension": 0},
        {"position": 30, "dimension": 11},
        {"position": 10**9, "dimension": 4},
    ]
    of_all = {"position": 30} if "position" in pictures.find(what).fields else {}
    cursors = [{**cursor, **of_all} for cursor in cursors]
    eighteen = encodings.create("sinusoidal", dim=18)
    hidden = [
        pixels(draw(what, state(encoding=eighteen, **cursor), 480, 300, 1.0, theme)).tobytes()
        for cursor in cursors
    ]
    assert len(set(hidden)) == 1
    style = Style(ground="dark" if theme == "dark" else "white", cursor="show")
    marked = []
    for cursor in cursors:
        shown = resolve(state(encoding=eighteen, **cursor), DirectStore())
        image = at_once(picture.drawing_figure(what, shown, (480, 300), 1.0, style))
        marked.append(pixels(image).tobytes())
    if of_all:
        assert set(marked).isdisjoint(hidden)
    else:
        assert len({*marked, *hidden}) > 2


@for_each(("what", "theme"), list(zip(PICTURES, cycle(["dark", "light"]))))
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


@for_each("what", [name for name in PICTURES if not needs_of(name)])
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
