"""Hands of clocks that are dragged, or turned by keys: all by as many positions, and k is that."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT, Unknown
from pe_explorer.model.history import History
from tests.support.gestures import settle

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def clocks(show):
    """Return a function that shows the nine clocks, or others."""

    def clocks(e=None, **fields):
        e = e or encodings.create("sinusoidal", dim=18)
        return show("clocks", 600, 600, encoding=e, **{"count": 100, **fields})

    return clocks


def send(view, kind, where, button, buttons):
    place = view.hands.mapFrom(view, QPointF(where))
    event = QMouseEvent(kind, place, view.mapToGlobal(where), button, buttons, PLAIN)
    QApplication.sendEvent(view.hands, event)


def at(view, clock, turns, far=0.9):
    """Return where in the view a hand points to after some turns."""
    face = view.hands.face
    x, y = face.grid.centres[clock]
    across, up = math.cos(math.tau * turns), math.sin(math.tau * turns)
    if face.is_clockwise:
        across, up = up, across
    radius = far * face.grid.radius
    return view.locate("clocks", x + radius * across, y - radius * up)


def press(view, clock, turns):
    send(view, QEvent.Type.MouseMove, at(view, clock, turns), NONE, NONE)
    send(view, QEvent.Type.MouseButtonPress, at(view, clock, turns), LEFT, LEFT)


def go(view, clock, start, end):
    """Move the mouse round a clock, in steps of less than half a turn."""
    for turns in np.linspace(start, end, 1 + max(2, math.ceil(abs(end - start) / 0.1)))[1:]:
        send(view, QEvent.Type.MouseMove, at(view, clock, turns), NONE, LEFT)
        settle(view.model)


def drag(view, clock, start, end):
    press(view, clock, start)
    go(view, clock, start, end)
    send(view, QEvent.Type.MouseButtonRelease, at(view, clock, end), LEFT, NONE)
    settle(view.model)


def turned(view):
    """Return the position, and k, by how many positions hands were turned."""
    return view.model.state.position, pictures.find("shift")(view.model.state).options.k


def turns_of(clock, positions, dim=18, base=1e4):
    """Return how many turns a clock makes in a number of positions."""
    return positions * base ** (-2 * clock / dim) / math.tau


@pytest.mark.parametrize(
    ("clock", "turns", "k"),
    [
        *((clock, turns_of(clock, k), k) for clock, k in ((1, 10), (3, 44), (3, -27), (4, 200))),
        (8, turns_of(8, 9000), 9000),
        *((0, turns, k) for turns, k in ((0.09, 1), (0.23, 1), (0.25, 2))),  # the nearest counts
        (0, 0.07, 0),
        (3, 0.001, None),  # a click
    ],
)
def test_all_hands_turn_by_what_the_drag_of_one_means(clocks, clock, turns, k):
    view = clocks(position=30)
    start = turns_of(clock, 30)
    drag(view, clock, start, start + turns)
    assert turned(view) == ((30, 1) if k is None else (30 + k, k))
    assert view.model.state.dimension == 2 * clock


def test_turns_add_up_also_beyond_one_round_and_back_and_keys_go_on(clocks):
    view = clocks()
    view.model.playhead.set_speed(0.01)
    view.model.playhead.play()
    press(view, 2, 0)
    go(view, 2, 0, 3.3)
    assert not view.model.playhead.is_playing
    assert turned(view)[1] == round(3.3 / turns_of(2, 1))
    go(view, 2, 3.3, -1.2)
    assert turned(view) == (-58, -58)
    go(view, 2, -1.2, 0.0)
    send(view, QEvent.Type.MouseButtonRelease, at(view, 2, 0.0), LEFT, NONE)
    settle(view.model)
    assert turned(view) == (0, 0)
    drag(view, 3, 0.0, turns_of(3, 40))
    view.model.playhead.play()
    QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
    settle(view.model)
    assert not view.model.playhead.is_playing
    assert turned(view) == (41, 41)


def test_counter_clockwise_and_backwards_frequencies(show):
    e = encodings.create("sinusoidal", dim=18, scale=-1.0)
    view = show("clocks", 600, 600, {"direction": "cos-sin"}, encoding=e, count=100)
    drag(view, 3, 0.0, -turns_of(3, 40))
    assert turned(view) == (40, 40)


def test_while_it_is_dragged_it_says_by_how_much_and_shows_where_it_was(clocks):
    view = clocks(position=5)
    own, start = view.status, turns_of(3, 5)
    end = start + turns_of(3, 10)
    press(view, 3, start)
    assert view.hands.cursor().shape() == Qt.CursorShape.OpenHandCursor
    go(view, 3, start, end)
    assert view.hands.cursor().shape() == Qt.CursorShape.ClosedHandCursor
    for fact in ("k = 10", "5 to 15", "pair 3", f"{360 * turns_of(3, 10):.2f}°"):
        assert fact in view.status
    dragged = view.grab().toImage()
    send(view, QEvent.Type.MouseButtonRelease, at(view, 3, end), LEFT, NONE)
    settle(view.model)
    assert view.grab().toImage() != dragged  # hands where it was, and k beside it
    assert "5 to 15" in view.status
    view.model.set(position=7)
    settle(view.model)
    assert view.status == own
    send(view, QEvent.Type.MouseMove, at(view, 3, end), NONE, NONE)
    view.model.set_encoding("index")
    settle(view.model)
    assert view.hands.cursor().shape() == Qt.CursorShape.ArrowCursor  # no clock is there any more


def test_a_drag_is_one_step_of_undo_however_long_it_takes(clocks, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("pe_explorer.model.history.time.monotonic", lambda: now[0])
    view = clocks()
    history, k = History(view.model), round(0.8 / turns_of(3, 1))
    press(view, 3, 0.0)
    for step in range(4):
        go(view, 3, 0.2 * step, 0.2 * step + 0.2)
        now[0] += 60
    send(view, QEvent.Type.MouseButtonRelease, at(view, 3, 0.8), LEFT, NONE)
    drag(view, 3, turns_of(3, view.model.state.position), 0.3)  # at once, and yet another step
    assert history.stack.count() == 2
    for act, wanted in ((history.undo, k), (history.undo, 1), (history.redo, k)):
        act()
        assert turned(view)[1] == wanted


@pytest.mark.parametrize("why", ["beside", "locked", "still"])
def test_where_nothing_can_be_turned_it_stays_and_a_sentence_says_why(clocks, why):
    view = clocks(encodings.create("sinusoidal", dim=18, scale=float(why != "still")))
    said = []
    view.model.refused.connect(said.append)
    view.model.lock.set(why == "locked")
    begin = 0.3 if why == "beside" else 0.0
    drag(view, 1, begin, begin + 0.4)
    assert turned(view) == (0, 1)
    assert len(said) == (why != "beside")


@pytest.mark.parametrize(("position", "turns"), [(LIMIT - 5, 0.4), (-LIMIT, -0.4), (0, 0.4)])
@pytest.mark.parametrize("scale", [1e-12, 1e-300, 1e-310])
def test_no_drag_leads_beyond_the_last_position(clocks, position, turns, scale):
    e = encodings.create("sinusoidal", dim=4, base=1e12, scale=scale)
    view = clocks(e, position=position)
    _, part = e.turn(1, position)
    drag(view, 1, part, part + turns)
    there, k = turned(view)
    assert -LIMIT <= there <= LIMIT
    assert k == there - position
    assert k == pytest.approx(math.copysign(LIMIT, turns)) or abs(there) == LIMIT


def test_a_hand_is_dropped_where_it_is_hidden_or_its_clock_goes(clocks):
    view = clocks()
    view.model.playhead.play()
    press(view, 3, turns_of(3, view.model.state.position))
    go(view, 3, 0.0, 0.3)
    assert not view.model.playhead.is_playing
    assert view.model.gesture.number is not None
    view.hide()
    assert view.model.gesture.number is None
    view.show()
    settle(view.model)
    before = turned(view)
    send(view, QEvent.Type.MouseMove, at(view, 3, 0.6), NONE, LEFT)
    assert turned(view) == before
    send(view, QEvent.Type.MouseButtonRelease, at(view, 3, 0.6), LEFT, NONE)
    for name, parameters in ((None, {"dim": 4}), ("index", {})):
        clock = view.hands.face.grid.clock_count - 1
        press(view, clock, view.model.state.encoding.turn(clock, view.model.state.position)[1])
        go(view, clock, 0.0, 0.3)
        view.model.set_encoding(name, **parameters)
        settle(view.model)
        assert view.model.gesture.number is None
    assert view.is_blank
    send(view, QEvent.Type.MouseMove, QPointF(200, 200), NONE, LEFT)
    send(view, QEvent.Type.MouseButtonRelease, QPointF(200, 200), LEFT, NONE)


def test_a_hand_stays_where_the_encoding_has_just_gone(clocks):
    """Between a change and the turn in which views hear of it."""
    view = clocks(position=20)
    known, gone = view.model.state.encoding, Unknown("x-helix", {}, "'x-helix' is not known")
    start, ahead = at(view, 3, 0.0), at(view, 3, 0.2)
    press(view, 3, 0.0)
    go(view, 3, 0.0, 0.1)
    before = turned(view)
    view.model.set(encoding=gone)
    send(view, QEvent.Type.MouseMove, ahead, NONE, LEFT)
    assert turned(view) == before != (20, 0)
    settle(view.model)
    assert view.model.gesture.number is None
    view.model.set(encoding=known)
    settle(view.model)
    view.model.set(encoding=gone)
    send(view, QEvent.Type.MouseMove, start, NONE, NONE)
    send(view, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    send(view, QEvent.Type.MouseMove, ahead, NONE, LEFT)
    assert view.model.gesture.number is None
    assert turned(view) == before


def test_keys_turn_all_hands_and_k_is_their_sum(clocks):
    view = clocks(position=20)
    for key, held, wanted in (
        ("Down", SHIFT, (21, 1)),
        ("Down", SHIFT, (22, 2)),
        ("PageDown", SHIFT, (32, 12)),
        ("Up", SHIFT, (31, 11)),
        ("Down", PLAIN, (32, 11)),
        ("Up", SHIFT, (31, -1)),
    ):
        QTest.keyClick(view, getattr(Qt.Key, f"Key_{key}"), held)
        settle(view.model)
        assert turned(view) == wanted
        assert held == PLAIN or f"{wanted[0] - wanted[1]} to {wanted[0]}" in view.status
    QTest.keyClick(view, Qt.Key.Key_Right, SHIFT)  # another dimension, as without Shift
    settle(view.model)
    assert view.model.state.dimension == 1
    assert turned(view) == (31, -1)
