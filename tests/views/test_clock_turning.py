"""Hands of clocks that are dragged, or turned by keys: all by as many positions, and k is that."""

import math

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
    canvas = view.childAt(2, 2)
    place = canvas.mapFrom(view, QPointF(where))
    event = QMouseEvent(kind, place, canvas.mapToGlobal(place), button, buttons, PLAIN)
    QApplication.sendEvent(canvas, event)


def at(view, clock, turns, far=0.9):
    """Return where in the view a hand points to after some turns."""
    face = view.drawn.figure.clocks
    x, y = face.grid.centres[clock]
    across, up = math.cos(math.tau * turns), math.sin(math.tau * turns)
    if face.clockwise:
        across, up = up, across
    radius = far * face.grid.radius
    return view.place_of("clocks", x + radius * across, y - radius * up)


def press(view, clock, turns):
    send(view, QEvent.Type.MouseMove, at(view, clock, turns), NONE, NONE)
    send(view, QEvent.Type.MouseButtonPress, at(view, clock, turns), LEFT, LEFT)


def go(view, clock, start, end):
    """Move the mouse round a clock, in steps of less than half a turn."""
    steps = max(2, math.ceil(abs(end - start) / 0.1))
    for step in range(1, steps + 1):
        turns = start + (end - start) * step / steps
        send(view, QEvent.Type.MouseMove, at(view, clock, turns), NONE, LEFT)
        settle(view.model)


def release(view, clock, turns):
    send(view, QEvent.Type.MouseButtonRelease, at(view, clock, turns), LEFT, NONE)
    settle(view.model)


def drag(view, clock, start, end):
    press(view, clock, start)
    go(view, clock, start, end)
    release(view, clock, end)


def k_of(view):
    return pictures.find("shift").options(view.model.state).k


def turns_of(clock, positions, dim=18, base=1e4):
    """Return how many turns a clock makes in so many positions."""
    return positions * base ** (-2 * clock / dim) / math.tau


# -- dragging ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("clock", "k"), [(0, 1), (1, 10), (3, 44), (3, -27), (4, 200), (8, 9000)])
def test_all_hands_turn_by_what_the_drag_of_one_means(clocks, clock, k):
    view = clocks(position=30)
    start = turns_of(clock, 30)
    drag(view, clock, start, start + turns_of(clock, k))
    state = view.model.state
    assert (state.position, state.dimension, k_of(view)) == (30 + k, 2 * clock, k)


def test_turns_add_up_also_beyond_one_round_and_back(clocks):
    view = clocks()
    press(view, 2, 0)
    go(view, 2, 0, 3.3)
    assert k_of(view) == round(3.3 / turns_of(2, 1))
    go(view, 2, 3.3, -1.2)
    assert (view.model.state.position, k_of(view)) == (-58, -58)
    go(view, 2, -1.2, 0.0)
    release(view, 2, 0.0)
    assert (view.model.state.position, k_of(view)) == (0, 0)


def test_between_positions_the_nearest_counts(clocks):
    view = clocks()
    for turns, k in ((0.07, 0), (0.09, 1), (0.23, 1), (0.25, 2)):
        view.model.set(position=0)
        settle(view.model)
        drag(view, 0, 0.0, turns)
        assert k_of(view) == k, turns


def test_counter_clockwise_and_backwards_frequencies(show):
    e = encodings.create("sinusoidal", dim=18, scale=-1.0)
    view = show("clocks", 600, 600, {"direction": "cos-sin"}, encoding=e, count=100)
    drag(view, 3, 0.0, -turns_of(3, 40))
    assert (view.model.state.position, k_of(view)) == (40, 40)


def test_while_it_is_dragged_it_says_by_how_much_and_shows_where_it_was(clocks):
    view = clocks(position=5)
    own = view.status
    start = turns_of(3, 5)
    press(view, 3, start)
    canvas = view.childAt(2, 2)
    assert canvas.cursor().shape() == Qt.CursorShape.OpenHandCursor
    go(view, 3, start, start + turns_of(3, 10))
    assert canvas.cursor().shape() == Qt.CursorShape.ClosedHandCursor
    for fact in ("k = 10", "5 to 15", "pair 3", f"{360 * turns_of(3, 10):.2f}°"):
        assert fact in view.status
    dragged = view.grab().toImage()
    release(view, 3, start + turns_of(3, 10))
    assert view.grab().toImage() != dragged  # hands where it was, and k beside it
    assert "5 to 15" in view.status
    view.model.set(position=7)
    settle(view.model)
    assert view.status == own


def test_a_drag_is_one_step_of_undo_however_long_it_takes(clocks, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("pe_explorer.model.history.time.monotonic", lambda: now[0])
    view = clocks()
    history = History(view.model)
    press(view, 3, 0.0)
    for step in range(4):
        go(view, 3, 0.2 * step, 0.2 * step + 0.2)
        now[0] += 60
    release(view, 3, 0.8)
    drag(view, 3, turns_of(3, view.model.state.position), 0.3)  # at once, and yet another step
    assert history.stack.count() == 2
    history.undo()
    assert k_of(view) == round(0.8 / turns_of(3, 1))
    history.undo()
    assert k_of(view) == 1
    history.redo()
    assert k_of(view) == round(0.8 / turns_of(3, 1))


def test_a_click_on_a_hand_is_a_click(clocks):
    view = clocks(position=30)
    drag(view, 3, turns_of(3, 30), turns_of(3, 30) + 0.001)
    settle(view.model)
    assert view.model.state.dimension == 6
    assert k_of(view) == 1


def test_a_drag_beside_the_hand_turns_nothing(clocks):
    view = clocks(position=30)
    drag(view, 3, turns_of(3, 30) + 0.3, turns_of(3, 30) + 0.6)
    assert (view.model.state.position, k_of(view)) == (30, 1)


def test_a_locked_cursor_is_not_dragged(clocks):
    view, said = clocks(), []
    view.model.refused.connect(said.append)
    view.model.lock.set(True)
    drag(view, 3, 0.0, 0.4)
    assert said == [view.model.lock.REFUSAL]
    assert (view.model.state.position, k_of(view)) == (0, 1)


def test_hands_that_stand_still_say_so(clocks):
    view, said = clocks(encodings.create("sinusoidal", dim=4, scale=0.0)), []
    view.model.refused.connect(said.append)
    drag(view, 1, 0.0, 0.4)
    assert len(said) == 1
    assert k_of(view) == 1


@pytest.mark.parametrize(("position", "turns"), [(LIMIT - 5, 0.4), (-LIMIT, -0.4), (0, 0.4)])
@pytest.mark.parametrize("scale", [1e-12, 1e-300, 1e-310])
def test_no_drag_leads_beyond_the_last_position(clocks, position, turns, scale):
    e = encodings.create("sinusoidal", dim=4, base=1e12, scale=scale)
    view = clocks(e, position=position)
    _, part = e.turn(1, position)
    drag(view, 1, part, part + turns)
    state = view.model.state
    assert state.position == max(-LIMIT, min(LIMIT, state.position))
    assert k_of(view) == state.position - position
    assert k_of(view) == pytest.approx(math.copysign(LIMIT, turns)) or abs(state.position) == LIMIT


def test_playing_stops_where_a_hand_is_dragged(clocks):
    view = clocks()
    view.model.playhead.play()
    drag(view, 4, turns_of(4, view.model.state.position), 0.3)
    assert not view.model.playhead.playing


def test_a_view_that_is_hidden_drops_the_hand(clocks):
    view = clocks()
    press(view, 3, 0.0)
    go(view, 3, 0.0, 0.3)
    assert view.model.gesture.number is not None
    view.hide()
    assert view.model.gesture.number is None
    view.show()
    settle(view.model)
    k = k_of(view)
    send(view, QEvent.Type.MouseMove, at(view, 3, 0.6), NONE, LEFT)
    assert k_of(view) == k


def test_other_clocks_drop_the_hand(clocks):
    view = clocks()
    press(view, 3, 0.0)
    go(view, 3, 0.0, 0.3)
    view.model.set_encoding(dim=4)
    settle(view.model)
    assert view.model.gesture.number is None
    view.model.set_encoding("index")
    settle(view.model)
    assert view.blank
    send(view, QEvent.Type.MouseMove, QPointF(200, 200), NONE, LEFT)
    send(view, QEvent.Type.MouseButtonRelease, QPointF(200, 200), LEFT, NONE)


def test_a_hand_stays_where_the_encoding_has_just_gone(clocks):
    """Between a change and the turn in which views hear of it."""
    view = clocks(position=20)
    known, gone = view.model.state.encoding, Unknown("x-helix", {}, "'x-helix' is not known")
    start, ahead = at(view, 3, 0.0), at(view, 3, 0.2)
    press(view, 3, 0.0)
    go(view, 3, 0.0, 0.1)
    before = view.model.state.position, k_of(view)
    assert before != (20, 0)
    view.model.set(encoding=gone)
    send(view, QEvent.Type.MouseMove, ahead, NONE, LEFT)
    assert (view.model.state.position, k_of(view)) == before
    settle(view.model)
    assert view.model.gesture.number is None
    view.model.set(encoding=known)
    settle(view.model)
    view.model.set(encoding=gone)
    send(view, QEvent.Type.MouseMove, start, NONE, NONE)
    send(view, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    send(view, QEvent.Type.MouseMove, ahead, NONE, LEFT)
    assert view.model.gesture.number is None
    assert (view.model.state.position, k_of(view)) == before


# -- keys --------------------------------------------------------------------------------------


def test_keys_turn_all_hands_and_k_is_their_sum(clocks):
    view = clocks(position=20)
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
    settle(view.model)
    assert (view.model.state.position, k_of(view)) == (23, 3)
    assert "20 to 23" in view.status
    QTest.keyClick(view, Qt.Key.Key_PageDown, SHIFT)
    QTest.keyClick(view, Qt.Key.Key_Up, SHIFT)
    settle(view.model)
    assert (view.model.state.position, k_of(view)) == (32, 12)
    QTest.keyClick(view, Qt.Key.Key_Down)
    settle(view.model)
    assert (view.model.state.position, k_of(view)) == (33, 12)
    QTest.keyClick(view, Qt.Key.Key_Up, SHIFT)
    settle(view.model)
    assert (view.model.state.position, k_of(view)) == (32, -1)
    QTest.keyClick(view, Qt.Key.Key_Right, SHIFT)  # another dimension, as without Shift
    settle(view.model)
    assert (view.model.state.dimension, k_of(view)) == (1, -1)


def test_keys_go_on_where_a_drag_has_ended(clocks):
    view = clocks()
    drag(view, 3, 0.0, turns_of(3, 40))
    QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
    settle(view.model)
    assert (view.model.state.position, k_of(view)) == (41, 41)
