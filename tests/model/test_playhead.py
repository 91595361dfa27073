import pytest
from PySide6.QtCore import Qt, QTimer

from pe_explorer import encodings
from pe_explorer.model import Exploration, Model, playhead
from tests.support.samples import sample


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __init__(self):
        self.begun = 0.0

    def start(self):
        self.begun = Clock.now

    def nsecsElapsed(self):  # noqa: N802
        return round((Clock.now - self.begun) * 1e9)


@pytest.fixture
def make(monkeypatch):
    """Return a function that creates a model with a stopped clock."""
    monkeypatch.setattr(playhead, "QElapsedTimer", Clock)
    monkeypatch.setattr(Clock, "now", 0.0)
    models = []

    def make(speed=8, **fields):
        model = Model(Exploration(**fields))
        models.append(model)
        model.playhead.set_speed(speed)
        return model, model.playhead

    yield make
    for model in models:
        model.close()


def after(seconds, head):
    Clock.now += seconds
    head.advance()


@pytest.mark.parametrize(
    ("speed", "seconds", "position", "fraction"),
    [(8, 0.5, 4, 0), (8, 0.3, 2, 0.4), (0.5, 1, 0, 0.5), (1e3, 0.0305, 30, 0.5)],
)
def test_the_position_is_speed_times_time(make, speed, seconds, position, fraction):
    model, head = make(speed)
    assert (head.is_looping, head.fraction, head.lead) == (True, 0.0, 0.0)
    head.play()
    after(seconds, head)
    assert model.state.position == position
    assert head.fraction == pytest.approx(fraction, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "stepwise", "moves"),
    [
        ("sinusoidal", False, True),
        ("rope", False, True),
        ("index", False, True),
        ("sinusoidal", True, False),
        ("index", True, False),
        ("binary", False, False),
        ("learned", False, False),
        ("alibi", False, False),
    ],
)
def test_hands_and_lines_move_on_where_the_encoding_has_values_between_positions(
    make, name, stepwise, moves
):
    model, head = make(encoding=sample(name))
    head.is_stepwise = stepwise
    heard = []
    head.moved.connect(heard.append)
    head.play()
    wanted = [(0.03125, 0, 0.25), (0.0625, 0, 0.75), (0.125, 1, 0.75), (0.03125, 2, 0.0)]
    for seconds, position, ahead in wanted:
        after(seconds, head)
        assert (model.state.position, head.lead) == (position, ahead * moves)
    assert heard == [ahead for _, _, ahead in wanted] * moves
    after(0.0625, head)
    model.set(position=30)  # by hand: they are there at once
    assert head.lead == 0.0
    after(0.05, head)
    after(0.1, head)
    assert (model.state.position, head.lead) == (30, pytest.approx(0.8 * moves))
    head.toggle_stepwise()
    assert (head.lead > 0) == (stepwise and name in ("sinusoidal", "index"))


@pytest.mark.parametrize(("fields", "last"), [({"count": 10}, 9), ({"start": 2**53 - 9}, 2**53)])
def test_hands_rest_at_the_last_position_until_it_starts_again(make, fields, last):
    count = fields.get("count", 10)
    model, head = make(**{**fields, "count": count, "position": last - 1})
    head.play()
    frames = [(last - 1, 0.5), (last, 0.0), (last, 0.0), (last - count + 1, 0.5)]
    for frame, expected in zip((0.0625, 0.0625, 0.0625, 0.125), frames, strict=True):
        after(frame, head)
        assert (model.state.position, head.lead) == expected


@pytest.mark.parametrize(
    ("fields", "seconds", "position"),
    [
        ({}, 0.3, 2),  # 2.4
        ({}, 0.325, 3),  # 2.6
        ({}, 49.9 / 8, 49),
        ({"position": 48}, 0.24, 49),  # 49.92, but hands rest there
        ({"start": -60}, 0.2, -58),  # from the first, -60
        ({"encoding": encodings.create("binary")}, 0.325, 2),  # nothing has moved on
    ],
)
def test_pause_leaves_the_nearest_position(make, fields, seconds, position):
    model, head = make(**fields)
    head.play()
    after(seconds, head)
    shown = model.state.position + head.lead
    head.pause()
    assert type(model.state.position) is int
    assert model.state.position == position
    assert abs(shown - position) <= 0.5
    assert (head.lead, head.fraction) == (0.0, 0.0)


def test_playing_modifies_no_document(make):
    model, head = make()
    before, kinds = model.state.intention, set()
    head.play()
    for _ in range(70):
        after(0.11, head)
        kinds.add(type(model.state.position))
        assert model.state.intention.with_(position=0) == before
    head.pause()
    assert model.state.intention.with_(position=0) == before
    assert kinds == {int}


@pytest.mark.parametrize(
    ("fields", "frames"),
    [
        ({"position": 20}, [(0.5, 24, 0.0)]),  # it starts at the cursor
        # otherwise at the first position
        *(({"position": position}, [(0.0, 0, 0.0)]) for position in (-1, 50, 10**15)),
        # 8 positions later: 117, so 107; then 800.5 positions, which are 80 rounds
        ({"start": 100, "count": 10, "position": 109}, [(1.0, 107, 0.0), (100.0625, 107, 0.5)]),
        (
            {"start": 2**53 - 3, "count": 4, "position": 2**53 - 1},
            [(0.125, 2**53, 0.0), (0.125, 2**53 - 3, 0.0)],
        ),
        ({"count": 1}, [(0.3, 0, 0.4)]),
    ],
)
def test_playing_loops_without_losing_time(make, fields, frames):
    model, head = make(**fields)
    head.play()
    for seconds, position, fraction in frames:
        after(seconds, head)
        assert model.state.position == position
        assert head.fraction == pytest.approx(fraction, abs=1e-6)


def test_late_frames_lose_no_time(make):
    model, head = make(count=1000)
    other, steady = make(count=1000)
    head.play()
    steady.play()
    for _ in range(100):
        Clock.now += 0.11
        steady.advance()
    head.advance()
    assert model.state.position == other.state.position == 88


def test_without_loop_playing_stops_at_the_end(make, qtbot):
    model, head = make(count=10)
    head.set_loop(False)
    head.play()
    with qtbot.waitSignal(head.playing_changed, check_params_cb=lambda playing: not playing):
        after(100.0, head)
    assert (model.state.position, head.is_playing, head.fraction) == (9, False, 0.0)
    head.play()  # at the end it starts again
    assert (model.state.position, head.is_playing) == (0, True)
    head.pause()
    for loop, position, first in ((False, 8, 8), (False, 10, 0), (True, 9, 9), (True, 8, 8)):
        head.set_loop(loop)
        model.set(position=position)
        head.play()
        assert (model.state.position, head.is_looping) == (first, loop)
        after(0.125, head)
        assert model.state.position == (first + 1) % 10
        head.pause()


def test_speed_and_loop_are_announced(make):
    model, head = make(count=1000)
    heard = []
    head.settings_changed.connect(lambda: heard.append((head.speed, head.is_looping)))
    head.loop_changed.connect(heard.append)
    head.toggle_loop()
    head.toggle_loop()
    assert heard == [False, (8.0, False), True, (8.0, True)]
    del heard[:]
    for change, steps in ((head.speed_up, 0), (head.slow_down, 0), (head.change_speed, 3)):
        change(*([steps] if steps else []))
    head.change_speed(-2)
    head.set_speed(float("nan"))  # no effect
    assert [speed for speed, _ in heard] == [10, 5, 50, 10]
    head.step(3)
    head.step_back()
    assert model.state.position == 2
    head.play()
    head.step(2, "dimension")
    assert (model.state.dimension, head.is_playing) == (2, True)
    head.step_forward()
    assert (model.state.position, head.is_playing) == (3, False)


def test_changing_the_speed_makes_no_jump(make):
    model, head = make()
    head.play()
    after(0.3125, head)  # 2.5
    head.set_speed(1.0)
    head.advance()
    assert (model.state.position, head.fraction) == (2, 0.5)
    after(1.0, head)
    assert (model.state.position, head.fraction) == (3, 0.5)


@pytest.mark.parametrize(
    ("speed", "taken"),
    [(0, 0.01), (-5, 0.01), (1e30, 1e12), (float("nan"), 2.0), (float("inf"), 2.0)],
)
def test_speeds_have_limits(make, speed, taken):
    _, head = make(2)
    assert head.speed == playhead.SPEED.default
    head.set_speed(speed)
    assert head.speed == taken
    if taken in (0.01, 1e12):  # the limits of stepwise changes
        (head.slow_down if taken < 1 else head.speed_up)()
        assert head.speed == taken


def test_playing_continues_from_a_moved_cursor(make):
    model, head = make()
    head.play()
    after(1.0, head)
    model.set(position=30)
    head.advance()
    assert model.state.position == 30
    after(0.5, head)
    assert model.state.position == 34
    model.set(start=10**15, count=100)
    after(0.5, head)
    assert model.state.position == 10**15


def test_pause_stays_and_is_announced(make, qtbot):
    model, head = make()
    head.play()
    after(0.3, head)
    with qtbot.waitSignal(head.playing_changed):
        head.pause()
    assert (head.is_playing, head.fraction, model.state.position) == (False, 0.0, 2)
    head.toggle()
    assert head.is_playing
    head.toggle()
    assert not head.is_playing


def test_playing_advances_at_the_display_rate(qtbot):
    model = Model()
    moves = []
    model.playhead.moved.connect(moves.append)
    model.playhead.set_speed(100.0)
    model.playhead.play()
    qtbot.waitUntil(lambda: model.state.position >= 10 and len(moves) > 2)
    timer = model.playhead.findChild(QTimer)
    assert (timer.interval(), timer.timerType()) == (16, Qt.TimerType.PreciseTimer)
    model.close()
    assert not model.playhead.is_playing
