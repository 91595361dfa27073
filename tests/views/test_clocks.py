import gc
import math
import re
import threading
import weakref
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import encodings, pictures
from pe_explorer.colours import maps
from pe_explorer.model import Exploration, Model
from pe_explorer.params import ParameterError
from pe_explorer.pictures.clock_face import arrange, drawn, face
from pe_explorer.pictures.clock_pixels import splat
from pe_explorer.pictures.clock_texts import count_text, number, wave_texts
from pe_explorer.pictures.clocks import Area, ClockOptions
from pe_explorer.views.clocks import ClocksView
from pe_explorer.views.view import Target
from pe_explorer.widgets.theme import apply_theme, colours
from tests.support.cases import for_each
from tests.support.notes import offer
from tests.support.samples import sample


def sinusoidal(**parameters):
    return encodings.create("sinusoidal", **parameters)


@pytest.fixture
def shown(qtbot):
    """Return a function that shows clocks of an exploration, attached to a model of their own."""
    made = []

    def show(width=600, height=600, options=None, density=None, theme="light", **fields):
        apply_theme(QApplication.instance(), theme)
        model = Model(
            Exploration(
                options={"clocks": ClockOptions(**(options or {}))},
                **fields,
            )
        )
        view = ClocksView()
        qtbot.addWidget(view)
        view.target = Target(density=density)
        view.resize(width, height)
        view.header.setParent(view)  # above the view, where its pane would show it
        view.header.setGeometry(0, -60, width, 40)
        view.attach(model)
        with qtbot.waitExposed(view):
            view.show()
        settle()
        made.append((view, model))
        return view

    yield show
    for view, model in made:
        view.detach()
        model.close()
    apply_theme(QApplication.instance(), "light")


def settle():
    for _ in range(4):
        QApplication.processEvents()


def angle(position, wave, dim, base=1e4):
    return position * base ** (-2 * wave / dim)


def page(view):
    return view.canvas.face.grid


def centre(view, clock):
    return QPointF(*page(view).centres[clock])


# -- where the points are ------------------------------------------------------------------------


@pytest.mark.parametrize("clockwise", [True, False])
def test_points_are_sine_and_cosine(clockwise):
    e = sinusoidal(dim=18)
    grid = arrange(9, 600, 600, 28, 2.0, 0)
    made = face(e, range(5, 105), grid, clockwise)
    p, i = np.meshgrid(np.arange(5, 105), np.arange(9), indexing="ij")
    theta = angle(p, i, 18)
    x, y = (np.sin(theta), np.cos(theta)) if clockwise else (np.cos(theta), np.sin(theta))
    scale = grid.radius * 2.0
    np.testing.assert_allclose(made.x, x * scale, atol=scale * 1e-6)
    np.testing.assert_allclose(made.y, -y * scale, atol=scale * 1e-6)
    assert made.order[0] == 0
    assert made.order[-1] == pytest.approx(1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pixels_go_clockwise_from_twelve_in_the_colours_of_the_order(shown, theme):
    view = shown(700, 700, theme=theme, encoding=sinusoidal(dim=18), count=100, position=99)
    image = view.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    table = view.canvas.look.order
    for position in (0, 25, 50, 75):  # of pair 3, which does not complete a turn
        theta = angle(position, 3, 18)
        where = centre(view, 3) + QPointF(math.sin(theta), -math.cos(theta)) * page(view).radius
        seen = image.pixelColor(int(where.x() * ratio), int(where.y() * ratio))
        wanted = table[round(position / 99 * (len(table) - 1))]
        # The next points cover this one in part, in a colour close by.
        assert (
            max(
                abs(a - int(b))
                for a, b in zip((seen.red(), seen.green(), seen.blue()), wanted, strict=True)
            )
            < 20
        ), position
    missing = centre(view, 3) + QPointF(-math.sin(0.4), -math.cos(0.4)) * page(view).radius
    ground = QColor(colours(view.palette()).base).lightness()
    assert (
        abs(
            image.pixelColor(int(missing.x() * ratio), int(missing.y() * ratio)).lightness()
            - ground
        )
        < 40
    )


def painted(made, colours_of, width, height):
    """Return what drawing disc after disc gives: RGBA, not premultiplied by anything but its own
    alpha.
    """
    grid = made.grid
    out = np.zeros((height, width, 4))
    rows, columns = np.mgrid[:height, :width] + 0.5
    for k in range(len(made.order)):
        colour = np.append(colours_of[round(float(made.order[k]) * (len(colours_of) - 1))], 255.0)
        for clock, (x, y) in enumerate(grid.centres):
            far = np.hypot(
                columns - x * grid.ratio - made.x[k, clock],
                rows - y * grid.ratio - made.y[k, clock],
            )
            cover = np.clip(grid.dot * grid.ratio + 0.5 - far, 0, 1)[..., None]
            out = out * (1 - cover) + colour * cover
    return out


@pytest.mark.parametrize(("count", "ratio"), [(1, 1.0), (7, 2.0), (60, 1.0)])
def test_discs_are_those_of_a_painter(count, ratio):
    grid = arrange(4, 240, 260, 28, ratio, 0)
    made = face(sinusoidal(dim=8), range(count), grid, True)
    width, height = round(240 * ratio), round(260 * ratio)
    table = maps.table("viridis")
    ours = (
        splat(made, table, width, height)
        .copy()
        .view(np.uint8)
        .reshape(height, width, 4)[..., [2, 1, 0, 3]]
    )
    off = np.abs(ours - painted(made, table, width, height))
    # One disc alone is exact; where edges of many meet in a pixel, three of them are mixed.
    assert off.mean() < 0.15
    assert np.percentile(off.max(axis=2)[ours[..., 3] > 0], 90) < 24
    if count == 1:
        assert off.max() <= 1.5


def test_far_positions_are_exact(shown):
    start = 10**15
    view = shown(encoding=sinusoidal(dim=2, base=10.0), start=start, count=3, position=start + 2)
    with np.errstate(all="raise"):
        whole, fraction = view.canvas.turns[0]
    turns = encodings.create("sinusoidal", dim=2, base=10.0).turn(0, start + 2)
    assert (whole, fraction) == turns
    assert whole == 159154943091895  # floor(10^15 / 2π), to 30 digits 159154943091895.3357...


# -- the hands ---------------------------------------------------------------------------------


def test_hands_follow_the_cursor_and_the_play_head(shown):
    view = shown(encoding=sinusoidal(dim=18), count=100)
    face_before, layer = view.canvas.face, view.canvas.layer.points
    view.model.set(position=37)
    settle()
    expected = [angle(37, wave, 18) / (2 * math.pi) for wave in range(9)]
    assert [whole + part for whole, part in view.canvas.turns] == pytest.approx(expected)
    view.model.playhead.moved.emit(0.5)
    expected = [angle(37.5, wave, 18) / (2 * math.pi) for wave in range(9)]
    assert [whole + part for whole, part in view.canvas.turns] == pytest.approx(expected)
    assert view.canvas.face is face_before  # nothing but the hands is new
    assert view.canvas.layer.points is layer


def test_numbers_are_those_of_the_position_while_hands_are_on_their_way(shown):
    view = shown(encoding=sinusoidal(dim=18), count=100, position=64)
    resting, said = view.canvas.grab().toImage(), view.canvas.described(0, centre(view, 0))
    assert "Angle at position 64: 66.93° after 10 turns" in said  # 64 / 2π
    view.model.playhead.moved.emit(-0.5)
    assert view.canvas.grab().toImage() != resting
    assert view.canvas.described(0, centre(view, 0)) == said
    view.model.playhead.moved.emit(0.0)
    assert view.canvas.grab().toImage() == resting


def test_a_hand_is_drawn_where_the_angle_is(shown):
    view = shown(encoding=sinusoidal(dim=2), count=1, position=2)  # 2 rad: past three o'clock
    image = view.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    along = centre(view, 0) + QPointF(math.sin(2), -math.cos(2)) * (0.5 * page(view).radius)
    mirrored = centre(view, 0) + QPointF(-math.sin(2), -math.cos(2)) * (0.5 * page(view).radius)
    assert image.pixelColor(int(along.x() * ratio), int(along.y() * ratio)).lightness() < 100
    assert image.pixelColor(int(mirrored.x() * ratio), int(mirrored.y() * ratio)).lightness() > 200


def test_playing_moves_the_hands(shown, qtbot):
    view = shown(encoding=sinusoidal(dim=18), count=100)
    view.model.playhead.set_speed(50.0)
    view.model.playhead.play()
    qtbot.waitUntil(lambda: view.model.state.position > 3)
    view.model.playhead.pause()
    settle()
    assert view.canvas.turns[0][1] == pytest.approx(
        angle(view.model.state.position, 0, 18) / (2 * math.pi) % 1
    )


def test_a_hand_survives_an_encoding_not_yet_announced(shown):
    view = shown(encoding=sinusoidal(dim=18), dimension=17)
    view.model.set(encoding=encodings.create("index"))
    view.model.playhead.moved.emit(0.25)
    settle()
    assert view.canvas.sentence


# -- which clocks ------------------------------------------------------------------------------


def test_width_18_makes_three_by_three(shown):
    view = shown(600, 660, encoding=sinusoidal(dim=18))
    grid = page(view)
    assert (grid.columns, grid.rows, grid.shown) == (3, 3, 9)
    assert view.controls.range.text() == "pairs 0–8 of 9"
    assert not view.controls.back.isVisible()
    assert not view.controls.forth.isVisible()


@for_each("pairs", [1, 2, 5, 9, 16, 64, 500, 32768])
@for_each("size", [(90, 100), (300, 200), (520, 420), (1900, 200), (3800, 2000)])
def test_every_clock_lies_within_its_cell_and_the_area(pairs, size):
    grid = arrange(pairs, *size, 28, 1.0, 0)
    assert 1 <= grid.shown <= min(pairs, grid.columns * grid.rows)
    assert grid.columns * grid.width <= size[0] + 1e-6
    assert grid.rows * grid.height <= size[1] + 1e-6
    assert 0 < grid.radius + grid.dot < grid.outer
    for clock, (x, y) in enumerate(grid.centres):
        left, top, width, height = grid.cell(clock)
        assert left <= x - grid.outer < x + grid.outer <= left + width
        assert top - 1 <= y - grid.outer < y + grid.outer + grid.text <= top + height
        assert grid.at(x, y) == clock


def test_all_that_fit_are_as_large_as_can_be():
    grid = arrange(9, 600, 640, 28, 1.0, 0)
    others = [min(600 / columns, 640 / -(-9 // columns) - 28) / 2 for columns in range(1, 10)]
    assert grid.outer == pytest.approx(max(others) - 4)


def test_paging_reaches_all_pairs(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    header = view.canvas.geometry()
    seen = set()
    for _ in range(100):
        grid = page(view)
        seen |= set(range(grid.first, grid.first + grid.shown))
        assert not view.canvas.grab().isNull()
        if not view.controls.forth.isEnabled():
            break
        QTest.mouseClick(view.controls.forth, Qt.MouseButton.LeftButton)
        settle()
    assert seen == set(range(128))
    assert view.canvas.geometry() == header
    while view.controls.back.isEnabled():
        QTest.mouseClick(view.controls.back, Qt.MouseButton.LeftButton)
        settle()
    assert page(view).first == 0


def wheel(view, delta):
    where = QPointF(view.canvas.rect().center())
    event = QWheelEvent(
        where,
        QPointF(view.canvas.mapToGlobal(where.toPoint())),
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.canvas, event)
    settle()


def test_the_wheel_goes_row_by_row(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    columns = page(view).columns
    wheel(view, -120)
    assert page(view).first == columns
    for _ in range(4):
        wheel(view, -30)  # a touchpad: four quarters are a notch
    assert page(view).first == 2 * columns
    wheel(view, 12_000)
    assert page(view).first == 0
    wheel(view, -120_000)
    assert page(view).first + page(view).shown == 128


def test_the_last_page_is_full_and_survives_a_smaller_width(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256), options={"first": 127})
    assert page(view).first + page(view).shown == 128
    view.model.set_encoding(dim=4)
    settle()
    assert (page(view).first, page(view).shown) == (0, 2)


def test_resizing_shows_more_clocks(shown):
    view = shown(320, 240, encoding=sinusoidal(dim=128))
    before = page(view).shown
    view.resize(900, 700)
    settle()
    assert page(view).shown > before
    assert len(view.canvas.turns) == page(view).shown
    view.resize(view.minimumSizeHint())
    settle()
    assert page(view).shown >= 1


def test_layout_does_not_jump_between_few_and_many(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=4))
    area = view.canvas.geometry()
    for encoding in (sinusoidal(dim=65_536), encodings.create("index"), sinusoidal(dim=2)):
        view.model.set(encoding=encoding)
        settle()
        assert view.canvas.geometry() == area


# -- clicks and reading -------------------------------------------------------------------------


def click(view, where):
    QTest.mouseClick(
        view.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where.toPoint()
    )
    settle()


@pytest.mark.parametrize(("layout", "dimension"), [("interleaved", 8), ("concatenated", 4)])
def test_a_click_chooses_the_dimension(shown, layout, dimension):
    view = shown(encoding=sinusoidal(dim=18, layout=layout), position=7)
    click(view, centre(view, 4))
    assert (view.model.state.dimension, view.model.state.position) == (dimension, 7)
    assert view.canvas.marked == 4


def test_a_click_near_a_point_chooses_the_position(shown):
    view = shown(encoding=sinusoidal(dim=18), count=6, start=100)
    theta = angle(103, 0, 18)
    click(view, centre(view, 0) + QPointF(math.sin(theta), -math.cos(theta)) * page(view).radius)
    assert (view.model.state.dimension, view.model.state.position) == (0, 103)


def test_a_click_beside_the_clocks_does_nothing(shown):
    view = shown(300, 500, encoding=sinusoidal(dim=6), dimension=2)
    before = view.model.state
    QTest.mouseClick(view.canvas, Qt.MouseButton.RightButton, pos=centre(view, 0).toPoint())
    click(view, QPointF(view.canvas.width() - 2, view.canvas.height() - 2))
    assert view.model.state.with_(dimension=2) == before.intention


@pytest.mark.parametrize(
    ("dim", "dimension", "marked"), [(18, 5, 2), (18, 17, 8), (7, 6, None), (2, 1, None)]
)
def test_the_clock_of_the_cursor_is_marked(shown, dim, dimension, marked):
    view = shown(encoding=sinusoidal(dim=dim))
    view.model.set(dimension=dimension)
    settle()
    assert view.canvas.marked == marked


def test_a_mark_on_another_page_is_not_drawn(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256), dimension=255)
    assert view.canvas.marked == page(view).shown - 1
    wheel(view, 12_000)
    assert view.canvas.marked is None


# -- the page of the cursor ------------------------------------------------------------------------


def pairs_of(view):
    return list(page(view).numbers)


def test_the_page_turns_when_the_dimension_moves_by_any_means(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    count = page(view).shown
    for dimension in (100, 3, 254, 0):
        view.model.set(dimension=dimension)
        settle()
        assert dimension // 2 in pairs_of(view)
        assert pairs_of(view)[view.canvas.marked] == dimension // 2
        assert page(view).first == min(dimension // 2 // count * count, 128 - count)
    assert view.options.first == 0  # looking elsewhere is no change of the options


def test_within_a_page_nothing_turns_and_nothing_is_drawn_anew(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    face_before = view.canvas.face
    view.model.set(dimension=2 * (page(view).shown - 1))
    settle()
    assert view.canvas.face is face_before
    assert view.canvas.marked == page(view).shown - 1


def test_the_wheel_leaves_the_cursor_until_the_dimension_moves_again(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    view.model.set(dimension=100)
    settle()
    turned, columns = page(view).first, page(view).columns
    wheel(view, 120)
    assert page(view).first == turned - columns  # on from what was seen
    view.model.set(position=7)
    view.model.set(encoding=sinusoidal(dim=256, base=500.0))
    settle()
    assert page(view).first == turned - columns
    wheel(view, 12_000)
    assert page(view).first == 0
    view.model.set(dimension=101)  # of the same pair: it has moved
    settle()
    assert 50 in pairs_of(view)


def test_back_to_the_page_of_the_options(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    view.model.set(dimension=page(view).shown * 2)
    settle()
    assert page(view).first == page(view).shown
    QTest.mouseClick(view.controls.back, Qt.MouseButton.LeftButton)
    settle()
    assert (page(view).first, view.options.first) == (0, 0)


def test_the_page_of_the_cursor_stays_when_fewer_fit(shown):
    view = shown(900, 700, encoding=sinusoidal(dim=256))
    view.model.set(dimension=2 * (page(view).shown - 1))
    settle()
    view.resize(320, 240)
    settle()
    assert view.canvas.marked is not None


def test_seen_again_it_shows_the_cursor_that_moved_meanwhile(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    model = view.model
    view.detach()
    model.set(dimension=200)
    model.announce()
    view.attach(model)
    settle()
    assert 100 in pairs_of(view)


def test_a_page_that_was_chosen_stays_when_it_is_opened(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256), options={"first": 16}, dimension=200)
    assert page(view).first == 16


def test_what_is_exported_is_the_page_that_is_seen(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    shown_columns = view.canvas.face.grid.columns
    first = pictures.find("clocks").options(view.seen(view.model.state))
    assert first == ClockOptions(columns=shown_columns)
    view.model.set(dimension=100)
    settle()
    seen = view.seen(view.model.state)
    area = view.size_in_pixels()
    drawn_anew = view.picture.compute(seen, replace(area, first=None), threading.Event())
    assert list(drawn_anew.grid.numbers) == pairs_of(view)
    elsewhere = view.picture.compute(seen, Area(900, 900), threading.Event())
    assert elsewhere.grid.columns == shown_columns


@for_each("wanted", [1, 2, 3, 7, 12, 40])
@for_each(("width", "height"), [(300, 200), (900, 600), (560, 80), (150, 900)])
@for_each("pairs", [1, 2, 9, 64])
def test_columns_that_are_wanted_are_there_where_clocks_can_be_read(pairs, width, height, wanted):
    grid = arrange(pairs, width, height, 28, 1.0, 0, wanted=wanted)
    usual = arrange(pairs, width, height, 28, 1.0, 0)
    columns = min(wanted, pairs)
    least = 46  # pixels of a cell without its text
    if width / columns >= least and height >= least + 28:
        assert (grid.columns, grid.wanted) == (columns, 0)
        assert grid.height >= least + 28
        assert grid.shown == min(pairs, columns * int(height / (least + 28)), 160)
    else:
        assert (grid.columns, grid.numbers, grid.wanted) == (usual.columns, usual.numbers, wanted)
    assert grid.columns * (grid.rows - 1) < grid.shown <= grid.columns * grid.rows


# -- pairs spread over all -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "places"), [(64, 12), (64, 64), (64, 100), (5, 2), (7, 1), (1, 1)]
)
def test_spread_pairs_go_from_the_first_to_the_last(pairs, places):
    side = 84 * places
    grid = arrange(pairs, side, 106, 28, 1.0, 3, spread=True)
    numbers = list(grid.numbers)
    assert len(numbers) == min(pairs, places)
    assert numbers[0] == 0
    assert numbers[-1] == (pairs - 1 if places > 1 else 0)
    gaps = np.diff(numbers)
    if len(gaps):
        assert gaps.min() >= 1
        assert gaps.max() - gaps.min() <= 1


def test_spread_clocks_are_those_of_their_pairs(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256), position=37, count=20)
    combo = view.controls.pairs
    combo.setCurrentIndex(combo.findData("spread"))
    settle()
    numbers = pairs_of(view)
    assert (numbers[0], numbers[-1]) == (0, 127)
    face_ = view.canvas.face
    scale = page(view).radius * page(view).ratio
    for clock, pair in enumerate(numbers):
        theta = angle(np.asarray(face_.positions), pair, 256)
        np.testing.assert_allclose(face_.x[:, clock], np.sin(theta) * scale, atol=scale * 1e-6)
        whole, part = view.canvas.turns[clock]
        assert whole + part == pytest.approx(angle(37, pair, 256) / (2 * math.pi))
        assert face_.dimensions[clock] == (2 * pair, 2 * pair + 1)
        assert view.canvas.labels[clock].removeprefix("pair ").startswith(f"{pair} ")
    assert "evenly spread from the first to the last" in view.status
    assert not view.controls.back.isVisible()
    wheel(view, -120)
    assert pairs_of(view) == numbers
    click(view, centre(view, 3))
    assert view.model.state.dimension == 2 * numbers[3]
    assert view.canvas.marked == 3
    view.model.set(dimension=2 * numbers[3] + 2)
    settle()
    assert pairs_of(view) == numbers
    assert view.canvas.marked is None


def test_the_sentence_says_which_pairs_are_shown(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=256))
    count = page(view).shown
    assert f"{count} of 128 pairs, in a row from the first on" in view.status
    wheel(view, -120)
    assert f"in a row from pair {page(view).columns} on" in view.status
    view.model.set_encoding(dim=4)
    settle()
    assert view.status.startswith("Clocks: 2 of 2 pairs; ")


def test_the_tooltip_reads_the_clock(shown):
    view = shown(encoding=sinusoidal(dim=18), count=6, position=3)
    text = view.canvas.described(1, centre(view, 1))
    omega = 1e4 ** (-2 / 18)
    assert "dimensions 2 and 3" in text
    assert f"{2 * math.pi / omega:.5f}"[:7] in text
    assert f"{omega:.6g} rad" in text
    assert f"{math.degrees(3 * omega) % 360:.2f}° after 0 turns" in text
    theta = 5 * omega
    near = view.canvas.described(
        1, centre(view, 1) + QPointF(math.sin(theta), -math.cos(theta)) * page(view).radius
    )
    assert f"position 5, {math.degrees(theta) % 360:.1f}°" in near
    for spot in (centre(view, 0).toPoint(), QPoint(-5, -5)):
        QApplication.sendEvent(
            view.canvas, QHelpEvent(QEvent.Type.ToolTip, spot, view.canvas.mapToGlobal(spot))
        )


def test_direction_is_an_option(shown):
    view = shown(encoding=sinusoidal(dim=18))
    assert view.canvas.face.clockwise
    view.set_option("direction", "cos-sin")
    settle()
    assert view.options.direction == "cos-sin"
    assert not view.canvas.face.clockwise
    assert view.canvas.face.x[0, 0] == pytest.approx(page(view).radius * view.ratio)


# -- what cannot be shown ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        (("index", {}), "Index is not made of waves"),
        (("fraction", {}), "Fraction is not made of waves"),
        (("binary", {}), "Binary is not made of waves"),
        (("sinusoidal", {"waves": "sine"}), "needs the cosine"),
        (("sinusoidal", {"waves": "cosine"}), "needs the sine"),
        (("sinusoidal", {"dim": 1}), "no pair"),
        (("sinusoidal", {"dim": 1, "spacing": "endpoint"}), "no pair"),
    ],
)
def test_a_sentence_says_what_is_missing(shown, encoding, words):
    name, parameters = encoding
    view = shown(300, 200, encoding=encodings.create(name, **parameters))
    assert words in view.canvas.sentence
    assert words in view.status
    assert not view.controls.forth.isVisible()
    image = view.canvas.grab().toImage()
    ground = image.pixelColor(2, 2)
    assert any(
        image.pixelColor(x, y) != ground
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    )
    click(view, QPointF(20, 20))
    wheel(view, -120)
    view.model.set(encoding=sinusoidal())
    settle()
    assert not view.canvas.sentence
    assert view.canvas.turns


def test_a_button_leads_to_a_view_that_can_show_the_encoding(window):
    window.model.set(encoding=encodings.create("index"))
    settle()
    view = window.view("clocks")
    assert offer(view).text() == "Show waves"
    offer(view).click()
    settle()
    assert "clocks" not in window.model.state.panes.views
    assert "waves" in window.model.state.panes.views


@pytest.mark.parametrize("name", encodings.names())
def test_every_encoding_shows_something(shown, name):
    view = shown(encoding=sample(name))
    assert bool(view.canvas.sentence) != bool(view.canvas.turns)
    assert view.status.endswith(".")


EXTREMES = [
    {"encoding": {"dim": 2}, "count": 1},
    {"encoding": {"dim": 3}, "count": 2},
    {"encoding": {"dim": 4096, "base": 1e12}, "start": 2**53 - 10, "count": 11, "position": 2**53},
    {"encoding": {"dim": 65_536}, "count": 2**53},
    {"encoding": {"base": 1.1}, "start": -(2**53), "count": 2**53, "position": -(2**53)},
    {"encoding": {"scale": 0.0}, "count": 10, "position": 5},
    {"encoding": {"scale": -1e6}, "count": 10, "position": 2**53},
]


@pytest.mark.parametrize("fields", EXTREMES, ids=str)
def test_extremes_are_drawn(shown, fields, caplog):
    view = shown(420, 320, **{**fields, "encoding": sinusoidal(**fields["encoding"])})
    assert not view.canvas.grab().isNull()
    view.model.playhead.moved.emit(0.75)
    assert not view.canvas.grab().isNull()
    assert view.canvas.described(0, centre(view, 0))
    assert not caplog.records


# -- texts ---------------------------------------------------------------------------------------


@for_each(
    ("whole", "fraction", "longest", "text"),
    [
        (5, 0.88858, 30, "5.88 turns"),
        (0, 0.999999, 30, "0.99 turns"),
        (-1, 0.2, 30, "−0.80 turns"),
        (1_432_394_487_827_058, 0.5, 40, "1,432,394,487,827,058.50 turns"),
        (1_432_394, 0.5, 15, "1,432,394 turns"),
        (1_432_394_487_827_058, 0.5, 14, "1.43·10¹⁵ turns"),
        (-1_432_394_487_827_058, 0.5, 14, "−1.4·10¹⁵ turns"),
        (-1_432_394_487_827_058, 0.5, 12, "−10¹⁵ turns"),
    ],
)
def test_turns_are_counted_when_completed(whole, fraction, longest, text):
    assert count_text(whole, fraction, longest) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2 * math.pi, "6.283"),
        (54410.6, "54,411"),
        (6.2831e12, "6.283·10¹²"),
        (math.inf, "∞"),
        (0.00031, "0.00031"),
    ],
)
def test_numbers_are_short(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    "fields",
    [*EXTREMES, {"encoding": {"dim": 18}, "position": 37}, {"encoding": {}, "position": 10**15}],
    ids=str,
)
@pytest.mark.parametrize("size", [(160, 160), (420, 320), (1000, 700)])
def test_texts_fit_their_cells(shown, fields, size):
    view = shown(*size, **{**fields, "encoding": sinusoidal(**fields["encoding"])})
    metrics = view.canvas.fontMetrics().__class__(view.canvas.look.font)
    room = page(view).width
    for label, (whole, fraction) in zip(view.canvas.labels, view.canvas.turns, strict=True):
        assert metrics.horizontalAdvance(label) <= room
        assert metrics.horizontalAdvance(count_text(whole, fraction, view.canvas.longest)) <= room
    assert 2 * metrics.height() <= page(view).text
    assert (
        view.controls.range.fontMetrics().horizontalAdvance(view.controls.range.text())
        <= view.controls.range.width()
    )


def test_labels_name_pair_and_wavelength():
    made = face(sinusoidal(dim=18), range(3), arrange(9, 600, 600, 28, 1.0, 0), True)
    assert next(wave_texts(made))[1] == f"pair 1 · λ {2 * math.pi * 1e4 ** (2 / 18):.2f} positions"


def test_labels_of_waves_far_longer_than_all_positions():
    for scale, length in [(1e-100, "6.283·10¹⁰²"), (1e-310, "∞")]:
        made = face(
            sinusoidal(dim=4, scale=scale), range(3), arrange(2, 600, 600, 28, 1.0, 0), True
        )
        assert next(wave_texts(made))[1] == f"pair 1 · λ {length} positions"


def test_the_status_tells_what_is_drawn(shown):
    view = shown(encoding=sinusoidal(dim=18), count=100)
    assert "each point is one position" in view.status
    view.model.set(count=10**9)
    settle()
    found = re.search(
        r"points are ([\d,]+) of 1,000,000,000 positions, one of every ([\d,]+)", view.status
    )
    count, step = (int(group.replace(",", "")) for group in found.groups())
    assert count <= 1024
    assert (count - 1) * step < 10**9 <= count * step
    view.model.set(encoding=sinusoidal(dim=19))
    settle()
    assert "no partner" in view.status


# -- cost ------------------------------------------------------------------------------------------


@for_each("clocks", [1, 9, 24, 64, 160])
@for_each("count", [1, 50, 1024, 1025, 10**5, 2**53])
def test_points_are_few_and_evenly_spaced(clocks, count):
    positions = drawn(range(7, 7 + count), clocks)
    assert positions.start == 7
    assert len(positions) <= 1024
    assert len(positions) * clocks <= 1 << 14
    assert positions[-1] + positions.step >= 7 + count
    if count * clocks <= 1 << 14 and count <= 1024:
        assert positions == range(7, 7 + count)


@for_each("clocks", [1, 9, 64])
@for_each("start", [0, -(2**53), 10**15])
def test_points_are_of_the_positions_shown(clocks, start):
    grid = arrange(clocks, 900, 700, 16, 1, 0)
    encoding = encodings.create("sinusoidal", dim=2 * clocks)
    for count in (1, 50, 1417, 1500, 2049, 6387, 100_003, 10**9 + 1):
        positions = range(start, start + count)
        points = face(encoding, positions, grid, True)
        gaps = drawn(positions, grid.shown)
        assert [found // gaps.step for found in points.positions - start] == list(range(len(gaps)))
        assert points.positions[-1] <= positions[-1]
        assert 0 <= points.order.min() <= points.order.max() <= 1
        splat(points, maps.table("viridis"), 900, 700)


def test_costs_the_same_at_a_billion_positions(shown):
    view = shown(520, 420, encoding=sinusoidal(), count=10**9)
    assert view.picture.cost(view.model.state, view.size_in_pixels()) <= 1 << 14


# -- theme, density, life ------------------------------------------------------------------------


def test_a_theme_change_redraws(shown):
    view = shown(encoding=sinusoidal(dim=18), count=100)
    light = view.canvas.grab().toImage().pixelColor(2, view.canvas.height() // 2)
    apply_theme(QApplication.instance(), "dark")
    settle()
    dark = view.canvas.grab().toImage().pixelColor(2, view.canvas.height() // 2)
    assert light.lightness() > 200
    assert dark.lightness() < 60


def test_a_picture_of_twice_the_density_is_drawn_anew(shown):
    view = shown(400, 300, encoding=sinusoidal(dim=4), count=30, density=2.0)
    size = view.size_in_pixels()
    assert (size.width, size.height) == (2 * view.canvas.width(), 2 * view.canvas.height())
    assert view.canvas.layer.points.width() == size.width
    image = QImage(800, 600, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(2.0)
    view.render(image)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(600, 800)
    doubled = np.repeat(np.repeat(pixels[::2, ::2], 2, axis=0), 2, axis=1)
    assert (pixels != doubled).mean() > 0.005  # no stretched copy
    centre_x, centre_y = (2 * value for value in page(view).centres[0])
    rim = pixels[
        round(centre_y) + 2 * view.canvas.y(),
        round(centre_x - 2 * page(view).radius) - 3 : round(centre_x),
    ]
    assert len(np.unique(rim)) > 1


def test_a_figure_has_no_controls(shown):
    view = shown(400, 300, encoding=sinusoidal())
    view.hide_controls()
    settle()
    assert view.canvas.size() == view.size()
    assert not view.controls.forth.isVisible()


def test_hidden_clocks_are_drawn_when_they_are_seen_again(shown):
    view = shown(encoding=sinusoidal(dim=18))
    view.hide()
    view.model.set(encoding=sinusoidal(dim=8))
    settle()
    assert page(view).pairs == 9
    view.show()
    settle()
    assert page(view).pairs == 4


def test_detached_clocks_hear_nothing_and_go_away(shown, qtbot):
    view = shown(encoding=sinusoidal(dim=18))
    model = view.model
    view.detach()
    before = view.canvas.turns
    model.set(position=9)
    model.announce()
    model.playhead.moved.emit(0.5)
    assert view.canvas.turns == before
    lonely = ClocksView()
    gone = weakref.ref(lonely)
    lonely.attach(model)
    lonely.detach()
    lonely.deleteLater()
    del lonely
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None


def test_controls_say_what_they_are(shown):
    view = shown(encoding=sinusoidal())
    for control in (view.controls.back, view.controls.forth, view.controls.pairs):
        assert control.toolTip()
        assert control.accessibleName()
    assert view.canvas.accessibleDescription()


@pytest.mark.parametrize(
    "fields", [{"first": -1}, {"first": 32_768}, {"direction": "up"}, {"pairs": "last"}]
)
def test_options_have_limits(fields):
    with pytest.raises(ParameterError):
        ClockOptions(**fields)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.7])
def test_clocks_lie_on_device_pixels_wherever_their_area_begins(shown, ratio, qtbot):
    outer = QWidget()
    qtbot.addWidget(outer)
    outer.resize(520, 400)
    view = shown(450, 330, encoding=sinusoidal(dim=2), count=1, density=ratio)
    view.target = view.target._replace(marks_cursor=False)
    view.hide_controls()
    view.setParent(outer)
    view.setGeometry(33, 21, 450, 330)
    outer.show()
    view.show()
    settle()
    view.canvas.set_hands((), 0, None)
    image = QImage(round(520 * ratio), round(400 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    outer.render(image)
    view.setParent(None)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    grid = page(view)
    x, y = grid.centres[0]
    row, left, right = (
        round(value * ratio) for value in (21 + y + 0.5 * grid.radius, 33, 33 + 450)
    )
    inked = np.flatnonzero(pixels[row, left + 1 : right - 1] != pixels[row, left + 1]) + left + 1
    half = np.sqrt(grid.radius**2 - (0.5 * grid.radius) ** 2) * ratio
    middle = (33 + x) * ratio
    assert abs(inked.min() + 0.5 * ratio - (middle - half)) <= 1.5
    assert abs(inked.max() + 1 - 0.5 * ratio - (middle + half)) <= 1.5
    assert abs((inked.min() + inked.max() + 1) / 2 - middle) <= 1.0
    points = np.flatnonzero(
        (pixels == pixels[round((21 + y - grid.radius) * ratio), round(middle)]).any(axis=0)
    )
    assert abs((points.min() + points.max() + 1) / 2 - middle) <= 1.0
