"""The clocks on the screen: pages, the wheel, clicks, and what is painted of points and hands."""

import math
import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton

from pe_explorer import encodings
from pe_explorer.colours import maps
from pe_explorer.pictures.clocks import ClockArea
from pe_explorer.widgets.theme import colours
from tests.support.definitions import mp
from tests.support.gestures import click, move, play_on, settle, wheel
from tests.support.images import pixels
from tests.support.sinusoids import sinusoidal


@pytest.fixture
def clocks(show):
    """Return a function that shows some of 128 clocks in a row, or those of another encoding."""

    def clocks(width=400, height=300, options=None, e=None, **fields):
        options = {"pairs": "first", **(options or {})}
        return show("clocks", width, height, options, encoding=e or sinusoidal(dim=256), **fields)

    return clocks


def page(view):
    return view.hands.face.grid


def pairs(view):
    settle(view.model)
    return list(page(view).numbers)


def at(view, clock, turns=0.0, far=0.0):
    """Return the pixel of a clock: its middle, or as far along a hand after some turns."""
    x, y = page(view).centres[clock]
    radius, angle = far * page(view).radius, math.tau * turns
    across, up = radius * math.sin(angle), radius * math.cos(angle)
    return view.locate("clocks", x + across, y - up).toPoint()


def turn(view, notches):
    wheel(view, view.rect().center(), notches)
    return pairs(view)[0]


def paging(view):
    """Return the buttons to the previous and the next pairs."""
    buttons = {each.accessibleName(): each for each in view.header.findChildren(QToolButton)}
    return buttons["Previous pairs"], buttons["Next pairs"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_points_go_clockwise_from_twelve_in_the_colours_of_the_order(clocks, qapp, theme):
    qapp.set_theme(theme)
    view = clocks(700, 700, e=sinusoidal(dim=18), count=100, position=99)
    image = pixels(view.grab().toImage())[..., ::-1]
    table = maps.make_order_table(has_dark_background=theme == "dark").astype(int)
    slow = 1e4 ** (-6 / 18) / math.tau  # turns of pair 3, which completes none, per position
    for position in (0, 25, 50, 75):
        place = at(view, 3, position * slow, 1.0)
        # The next points cover this one in part, in a colour close by.
        wanted = table[round(position / 99 * (len(table) - 1))]
        assert np.abs(image[place.y(), place.x()] - wanted).max() < 36
    missing, ground = at(view, 3, -0.06, 1.0), image[-2, 2]
    assert np.abs(image[missing.y(), missing.x()] - ground).max() < 40


@pytest.mark.parametrize("direction", ["sin-cos", "cos-sin"])
@pytest.mark.parametrize("position", [2, 5, 10**6 + 1])
def test_a_hand_is_drawn_where_the_angle_is(clocks, position, direction):
    view = clocks(600, 600, e=sinusoidal(dim=2), count=1, position=position)
    image, turns = view.grab().toImage(), position / math.tau
    if direction == "cos-sin":
        view.set_option("direction", direction)
        settle(view.model)
        image, turns = view.grab().toImage(), 0.25 - turns  # counter-clockwise from three o'clock
    assert image.pixelColor(at(view, 0, turns, 0.5)).lightness() < 100
    assert image.pixelColor(at(view, 0, turns + 0.5, 0.5)).lightness() > 200


def test_hands_follow_the_cursor_and_the_play_head_and_no_point_is_computed(clocks, computed):
    view = clocks(e=sinusoidal(dim=2))
    calls, before = computed(view), view.grab().toImage()
    view.model.set(position=3)
    settle(view.model)
    there = view.grab().toImage()
    assert there != before
    play_on(view.model, 0.5)
    between = view.grab().toImage()
    assert between.pixelColor(at(view, 0, 3.5 / math.tau, 0.6)).lightness() < 120
    assert between != there
    play_on(view.model, 0.0)
    assert view.grab().toImage() == there
    assert calls == []
    view.model.set(encoding=encodings.create("index"))
    play_on(view.model, 0.25)  # not announced yet
    settle(view.model)
    assert view.is_blank


@pytest.mark.parametrize("position", [3, 44, 2**53 - 1])
@mp.workdps(60)
def test_played_hands_stand_at_the_angle_of_the_time(clocks, position):
    view = clocks(e=sinusoidal(dim=8), start=position, count=2, position=position)
    for ahead in (0.1, 0.5, 0.999):
        play_on(view.model, ahead)
        for pair, (_, part) in enumerate(view.hands.turns):
            turns = (position + mp.mpf(ahead)) / mp.mpf(10) ** pair / (2 * mp.pi)
            assert part == float(turns - mp.floor(turns))
    there = view.hands.turns
    view.model.playhead.toggle_stepwise()
    play_on(view.model, 0.5)
    view.redraw()
    settle(view.model)
    assert view.hands.turns != there
    assert view.hands.turns == view.model.state.encoding.compute_turns(range(4), position)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.7])
def test_clocks_lie_on_device_pixels_at_any_ratio(clocks, ratio):
    view = clocks(450, 330, e=sinusoidal(dim=2), count=1)
    view.target = view.target._replace(has_cursor_mark=False, density=ratio)
    view.redraw()
    settle(view.model)
    image = QImage(round(450 * ratio), round(330 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    view.render(image)
    size, grid, radius = view.compute_size_in_pixels(), page(view), page(view).radius
    assert abs(size.width - grid.width * ratio) <= 1
    assert abs(size.height - grid.height * ratio) <= 1
    middle = view.locate("clocks", *grid.centres[0])
    x, y = middle.x(), middle.y()
    row = pixels(image)[round((y + 0.5 * radius) * ratio)]
    inked = np.flatnonzero((row != row[0]).any(axis=-1)[: round(grid.width * ratio)])
    half = math.sqrt(1 - 0.25) * radius * ratio
    assert abs(inked.min() - (x * ratio - half)) <= 1 + ratio
    assert abs(inked.max() - (x * ratio + half)) <= 1 + ratio
    assert abs((inked.min() + inked.max() + 1) / 2 - x * ratio) <= 1.0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("direction", ["sin-cos", "cos-sin"])
def test_rims_ticks_frames_and_hands_have_their_places_and_colours(clocks, qapp, theme, direction):
    qapp.set_theme(theme)
    e, options = sinusoidal(dim=8, base=81.0), {"direction": direction}
    view = clocks(640, 640, options, e=e, count=1, position=2, dimension=2)
    shades, grid = colours(view.palette()), page(view)
    image = pixels(view.grab().toImage())[..., ::-1].astype(int)

    def off(place, colour, reach=1):
        """Return how far the nearest shade around a pixel is from a colour."""
        x, y = round(place[0]), round(place[1])
        around = image[y - reach : y + reach + 1, x - reach : x + reach + 1]
        return np.abs(around - QColor(colour).getRgb()[:3]).max(axis=-1).min()

    def hand(clock, turns, far):
        turns = turns if direction == "sin-cos" else 0.25 - turns
        place = at(view, clock, turns, far)
        return place.x(), place.y()

    def cell(clock):
        """Return the cell of a clock in pixels of the view."""
        left, top, width, height = grid.cell(clock)
        corner = view.locate("clocks", left, top)
        return corner.x(), corner.y(), width, height

    def turns(clock, position):
        return position * 81.0 ** (-clock / 4) / math.tau

    for clock in range(4):
        left, top, width, height = cell(clock)
        middle, ground = top + height / 2, shades.raised_background if clock == 1 else shades.base
        assert off((left + 6, middle), ground, 0) <= 2
        assert off((left + width - 6, middle), ground, 0) <= 2
        assert off((left + 5, top + 7), ground, 0) <= 2  # no note
        for x in (left, left + width):  # the frame of clock 1 begins where clock 0 ends
            is_framed = clock == 1 or (clock == 0 and x > left)
            assert (off((x, middle), shades.accent) < 80) == is_framed
        assert off(hand(clock, turns(clock, 2), 0.5), shades.cursor) < 30
        assert off(hand(clock, turns(clock, 2) + 0.5, 0.5), ground) < 30
        in_ring = 1 - (grid.dot_radius + 1.5) / 2 / grid.radius
        assert off(hand(clock, turns(clock, 2), in_ring), shades.cursor, 0) > 60
        for quarter in (0.25, 0.5, 0.75):
            assert off(hand(clock, quarter, 0.94), shades.muted) < 90
            assert off(hand(clock, quarter, 0.82), shades.muted) >= 90
        for turn in (0.12, 0.37, 0.62, 0.87):
            assert off(hand(clock, turn, 1.0), shades.muted) < 105  # a thin, smooth line
        outside = (grid.radius + grid.dot_radius + 0.5 + grid.outer_radius) / 2 / grid.radius
        assert off(hand(clock, 0.0, outside), shades.text) < 80
        assert off(hand(clock, 0.5, outside), ground) < 20
    view.model.point_at(position=5, dimension=6)
    settle(view.model)
    before, image = image, pixels(view.grab().toImage())[..., ::-1].astype(int)
    for clock in range(4):
        left, top, width, height = cell(clock)
        column = image[round(top) + 8 : round(top + height) - 8, round(left + 1)]
        changed = before[round(top) + 8 : round(top + height) - 8, round(left + 1)]
        assert (column != changed).any() == (clock == 3)
        assert off(hand(clock, turns(clock, 5), 0.5), shades.muted) < 90
        assert off(hand(clock, turns(clock, 2), 0.5), shades.cursor) < 30


def test_where_a_view_begins_between_device_pixels_it_is_as_sharp(clocks):
    view = clocks(450, 330, e=sinusoidal(dim=4), count=20)
    images = []
    for across in (0, 1):  # the latter is 1.5 pixels, which are rounded to 2
        image = QImage(690, 510, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(1.5)
        view.render(image, QPoint(across, 0))
        images.append(pixels(image).astype(int))
    there, shifted = images
    assert np.abs(shifted[:490, 2:660] - there[:490, :658]).max() <= 2


# -- pages -----------------------------------------------------------------------------------------


def test_paging_reaches_all_pairs_and_moves_nothing(clocks):
    view = clocks()
    back, forth = paging(view)
    area, seen = view.childAt(view.rect().center()).geometry(), set(pairs(view))
    while forth.isEnabled():
        QTest.mouseClick(forth, Qt.MouseButton.LeftButton)
        seen |= set(pairs(view))
    assert seen == set(range(128))
    while back.isEnabled():
        QTest.mouseClick(back, Qt.MouseButton.LeftButton)
        settle(view.model)
    assert pairs(view)[0] == 0
    for e in (sinusoidal(dim=65_536), encodings.create("index"), sinusoidal(dim=18)):
        view.model.set(encoding=e)
        settle(view.model)
        assert view.is_blank or view.childAt(view.rect().center()).geometry() == area
    view.resize(600, 660)
    assert pairs(view) == list(range(9))
    assert not back.isVisible()
    assert not forth.isVisible()


def test_the_wheel_goes_row_by_row_and_leaves_the_cursor(clocks):
    view = clocks()
    columns = page(view).columns
    assert turn(view, -1) == columns
    for _ in range(4):
        turn(view, -0.25)  # a touchpad: four quarters are a notch
    assert pairs(view)[0] == 2 * columns
    assert turn(view, 100) == 0
    turn(view, -1000)
    assert pairs(view)[-1] == 127
    view.model.set(dimension=100)
    turned = pairs(view)[0]
    assert turn(view, 1) == turned - columns  # on from what was seen
    view.model.set(position=7)
    view.model.set(encoding=sinusoidal(dim=256, base=500.0))
    assert pairs(view)[0] == turned - columns
    assert turn(view, 100) == 0
    view.model.set(dimension=101)  # of the same pair: it has moved
    assert 50 in pairs(view)


def test_the_page_turns_when_the_dimension_moves_by_any_means(clocks, computed):
    view = clocks()
    model, count, calls = view.model, len(pairs(view)), computed(view)
    model.set(dimension=2 * (count - 1))
    assert pairs(view)[0] == 0
    assert calls == []  # within a page nothing is drawn anew
    for dimension in (100, 3, 254, 0):
        model.set(dimension=dimension)
        assert dimension // 2 in pairs(view)
        assert pairs(view)[0] == min(dimension // 2 // count * count, 128 - count)
    assert view.options.first == 0  # looking elsewhere is no change of the options
    model.set(dimension=2 * (count - 1))
    view.resize(320, 240)
    assert count - 1 in pairs(view)
    view.detach()
    model.set(dimension=200)
    model.emit_changes()
    view.attach(model)
    assert 100 in pairs(view)
    assert pairs(clocks(options={"first": 16}, dimension=200))[0] == 16  # what was chosen stays


def test_what_is_exported_is_the_page_that_is_seen(clocks):
    view = clocks()
    view.model.set(dimension=100)
    settle(view.model)
    seen, area = view.visible_state(view.model.state), view.compute_size_in_pixels()
    anew = view.get_picture(seen).numbers(replace(area, first=None), threading.Event())
    assert list(anew.grid.numbers) == pairs(view)
    elsewhere = view.get_picture(seen).numbers(ClockArea(900, 900), threading.Event())
    assert elsewhere.grid.columns == page(view).columns


def test_spread_pairs_stay_where_they_are(clocks):
    view = clocks(options={"pairs": "spread"})
    numbers = pairs(view)
    assert (numbers[0], numbers[-1]) == (0, 127)
    assert not any(button.isVisible() for button in paging(view))
    turn(view, -1)
    click(view, at(view, 3))
    settle(view.model)
    assert view.model.state.dimension == 2 * numbers[3]
    view.model.set(dimension=2 * numbers[3] + 2)
    assert pairs(view) == numbers


@pytest.mark.parametrize("size", [(160, 160), (420, 320), (1000, 700)])
@pytest.mark.parametrize("first", [0, 64])
def test_the_header_says_which_pairs_are_shown_as_far_as_there_is_room(clocks, size, first):
    view = clocks(*size, options={"first": first})
    label = view.controls.range
    assert f"{pairs(view)[0]}" in label.text()
    assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
    assert view.header.findChildren(QLabel) == [label]  # the choice of pairs needs no other


# -- clicks and reading ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layout", "place", "position", "dimension"),
    [
        ("interleaved", (4,), 7, 8),
        ("concatenated", (4,), 7, 4),
        ("interleaved", (0, 103 / math.tau, 1.0), 103, 0),  # near a point
    ],
)
def test_a_click_chooses_a_dimension_or_a_position(clocks, layout, place, position, dimension):
    e = sinusoidal(dim=18, layout=layout)
    view = clocks(600, 600, e=e, start=100, count=6, position=7, dimension=2)
    click(view, at(view, *place))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (position, dimension)


def test_a_click_beside_the_clocks_or_with_another_button_does_nothing(clocks):
    view = clocks(400, 400, e=sinusoidal(dim=6), dimension=2)
    before, place = view.model.state, at(view, 0)
    widget = view.childAt(place)
    QTest.mouseClick(widget, Qt.MouseButton.RightButton, pos=widget.mapFrom(view, place))
    left, top, width, height = page(view).cell(3)
    assert (page(view).columns, page(view).rows) == (2, 2)  # with room for a fourth
    click(view, view.locate("clocks", left + width / 2, top + height / 2).toPoint())
    click(view, QPoint(view.width() - 2, view.height() - 2))
    settle(view.model)
    assert view.model.state == before


def test_a_clock_without_a_hand_has_the_usual_pointer(clocks):
    view = clocks(600, 600, e=sinusoidal(dim=18), count=6, position=3)
    view.hands.set_hands((), 3, ())
    move(view, at(view, 0))  # where there is no hand yet
    assert view.hands.cursor().shape() == Qt.CursorShape.PointingHandCursor
    view.model.set(encoding=encodings.create("index"))
    settle(view.model)
    assert view.hands.cursor().shape() == Qt.CursorShape.ArrowCursor
