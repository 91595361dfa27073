from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import encodings
from pe_explorer.encodings import LIMIT, Encoding, Unknown
from pe_explorer.model.playhead import next_speed
from pe_explorer.panels.transport import TransportBar, position_at, slider_steps, step_of
from tests.support.gestures import enter_text, type_text
from tests.support.samples import sample

counts = st.integers(1, LIMIT)
starts = st.integers(-LIMIT, 0)


@given(starts, counts)
def test_slider_reaches_both_ends_exactly(start, count):
    assert position_at(0, start, count) == start
    assert position_at(slider_steps(count), start, count) == start + count - 1


@given(starts, counts, st.integers(0, 10_000))
def test_every_step_comes_back(start, count, step):
    step = min(step, slider_steps(count))
    assert step_of(position_at(step, start, count), start, count) == step


@pytest.mark.parametrize(
    ("speed", "up", "down"),
    [(8, 10, 5), (10, 20, 5), (1, 2, 0.5), (1e12, 1e12, 5e11), (0.01, 0.02, 0.01), (3e5, 5e5, 2e5)],
)
def test_speeds_go_by_one_two_five(speed, up, down):
    assert next_speed(speed, 1) == up
    assert next_speed(speed, -1) == down


@pytest.fixture
def bar(show_panel):
    return show_panel(TransportBar(), 1000, 40)


def click(qtbot, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_play_and_pause(bar, model, qtbot):
    with qtbot.waitSignal(model.playhead.playing_changed):
        click(qtbot, bar.play)
    assert model.playhead.playing
    assert bar.play.accessibleName() == "Pause"
    click(qtbot, bar.play)
    assert not model.playhead.playing
    assert bar.play.accessibleName() == "Play"


def test_steps(bar, model, qtbot):
    click(qtbot, bar.forward)
    click(qtbot, bar.forward)
    click(qtbot, bar.back)
    assert model.state.position == 1
    model.announce()
    assert bar.position.text() == "1"
    assert bar.slider.value() == 1


def test_speed_and_loop(bar, model, qtbot):
    click(qtbot, bar.faster)
    assert model.playhead.speed == 10
    assert bar.speed.text() == "10"
    click(qtbot, bar.slower)
    assert model.playhead.speed == 5
    enter_text(qtbot, bar.speed, "1e3")
    assert model.playhead.speed == 1000
    qtbot.keyClick(bar.speed, Qt.Key.Key_Up)
    assert model.playhead.speed == 2000
    click(qtbot, bar.loop)
    assert not model.playhead.loop
    model.playhead.set_loop(True)
    assert bar.loop.isChecked()


@pytest.mark.parametrize("text", ["-1", "0", "fast", "nan", ""])
def test_wrong_speed_is_refused(bar, model, qtbot, text):
    bar.speed.clear()
    bar.speed.setModified(True)
    with qtbot.waitSignal(bar.refused) as refusal:
        enter_text(qtbot, bar.speed, text)
    assert refusal.args[0].startswith("Speed: ")
    assert model.playhead.speed == 8


@pytest.mark.parametrize(
    ("text", "position"), [("17", 17), ("2^53", 2**53), ("-2^53", -(2**53)), ("1e15", 10**15)]
)
def test_typed_position(bar, model, qtbot, text, position):
    enter_text(qtbot, bar.position, text)
    assert model.state.position == position
    model.announce()
    assert bar.slider.value() in {0, 17, 49}


@pytest.mark.parametrize("text", ["9007199254740993", "-9007199254740993", "1.5", "here"])
def test_wrong_position_is_refused(bar, model, qtbot, text):
    with qtbot.waitSignal(bar.refused):
        enter_text(qtbot, bar.position, text)
    assert model.state.position == 0


@pytest.mark.parametrize(
    ("start", "count"), [(0, 50), (0, 2**53), (-(2**53), 2**53), (10**15, 2), (5, 20_000)]
)
def test_slider_covers_the_positions_shown(bar, model, qtbot, start, count):
    model.set(start=start, count=count)
    model.announce()
    y = bar.slider.height() // 2
    qtbot.mousePress(bar.slider, Qt.MouseButton.LeftButton, pos=QPoint(1, y))
    qtbot.mouseMove(bar.slider, QPoint(bar.slider.width(), y))
    assert model.state.position == start + count - 1
    qtbot.mouseMove(bar.slider, QPoint(0, y))
    assert model.state.position == start
    qtbot.mouseRelease(bar.slider, Qt.MouseButton.LeftButton, pos=QPoint(0, y))


def test_keys_on_the_slider_step_single_positions_at_any_scale(bar, model, qtbot):
    model.set(start=10**15, count=10**12, position=10**15 + 5)
    model.announce()
    qtbot.keyClick(bar.slider, Qt.Key.Key_Right)
    assert model.state.position == 10**15 + 6
    qtbot.keyClick(bar.slider, Qt.Key.Key_PageUp)
    assert model.state.position == 10**15 + 6 + 10**11


@pytest.mark.parametrize("field", ["position", "slider"])
@pytest.mark.parametrize(
    ("key", "moved"),
    [(Qt.Key.Key_Up, 1), (Qt.Key.Key_Down, -1), (Qt.Key.Key_PageUp, 5), (Qt.Key.Key_PageDown, -5)],
)
def test_stepping_out_of_the_shown_positions_takes_them_along(bar, model, qtbot, field, key, moved):
    model.set(start=100, count=50, position=149 if moved > 0 else 100)
    model.announce()
    qtbot.keyClick(getattr(bar, field), key)
    assert (model.state.position, model.state.start) == (
        (149 if moved > 0 else 100) + moved,
        100 + moved,
    )


@pytest.mark.parametrize("loop", [True, False])
def test_shown_positions_that_move_ahead_are_caught_up_with(bar, model, qtbot, loop):
    model.playhead.set_loop(loop)
    click(qtbot, bar.play)
    model.set(start=10**6, count=1000)
    qtbot.waitUntil(lambda: model.state.position in model.state.positions)
    assert model.state.position < 10**6 + 20
    assert model.playhead.playing
    qtbot.waitUntil(lambda: model.state.position > 10**6)


def test_shown_positions_that_fall_behind_end_it(bar, model, qtbot):
    model.set(start=10**6, count=1000)
    model.playhead.set_loop(False)
    click(qtbot, bar.play)
    model.set(start=0, count=50)
    qtbot.waitUntil(lambda: not model.playhead.playing)
    assert model.state.position == 49


@pytest.mark.parametrize(("text", "position"), [("17", 17), ("seventeen", 0)])
def test_what_is_typed_counts_when_the_bar_is_detached_if_it_is_a_number(
    bar, model, qtbot, text, position
):
    model.set(position=0)
    model.announce()
    type_text(qtbot, bar.position, text)
    bar.detach()
    assert (model.state.position, bar.position.text()) == (position, str(position))
    model.announce()
    bar.attach(model)


def test_nothing_moves_as_numbers_grow(bar, model):
    places = [widget.geometry() for widget in bar.findChildren(QWidget)]
    model.set(start=-(2**53), position=-(2**53) + 1)
    model.announce()
    QApplication.processEvents()
    assert [widget.geometry() for widget in bar.findChildren(QWidget)] == places
    assert (
        bar.position.fontMetrics().horizontalAdvance(bar.position.text()) < bar.position.width() - 8
    )


def test_detached_it_follows_and_does_nothing(bar, model, qtbot):
    bar.detach()
    model.set(position=5)
    model.announce()
    assert bar.position.text() == "0"
    click(qtbot, bar.forward)
    assert model.state.position == 5
    bar.attach(model)
    assert bar.position.text() == "5"


@pytest.mark.parametrize("name", encodings.names())
def test_it_says_what_the_cursor_moves_through(bar, model, name):
    e = sample(name)
    rows = e.rows
    for encoding, row in (
        (e, rows),
        (Unknown("xpos", {}, "xpos is not known"), Encoding.rows),
        (e, rows),
    ):
        model.set(encoding=encoding)
        model.announce()
        title = row.name.capitalize()
        assert bar.caption.text() == bar.position.accessibleName() == title
        assert bar.slider.accessibleName() == f"{title} slider"
        assert f"Goes back one {row.name}" in bar.back.toolTip()
        assert f"Goes forward one {row.name}" in bar.forward.toolTip()
        for control in (bar.play, bar.slower, bar.faster, bar.loop, bar.slider):
            assert row.plural in control.toolTip()
        tips = [
            control.toolTip()
            for control in (bar.back, bar.play, bar.loop, bar.slider, bar.position)
        ]
        assert row.name == "position" or not any("position" in tip.lower() for tip in tips)


# -- lock, cursor elsewhere, narrow windows --------------------------------------------------------


def test_the_lock_is_at_the_right_end(bar, model, qtbot):
    assert bar.lock.geometry().right() == max(
        widget.geometry().right() for widget in bar.findChildren(QWidget) if widget.parent() is bar
    )
    click(qtbot, bar.lock)
    assert model.lock.on
    model.lock.set(False)
    assert not bar.lock.isChecked()
    bar.detach()
    model.lock.set(True)
    bar.attach(model)
    assert bar.lock.isChecked()


def test_a_cursor_that_is_not_shown_is_led_to(bar, model, qtbot):
    assert not bar.chip.isVisible()
    model.set(start=1000, position=20)
    model.announce()
    QApplication.processEvents()
    assert bar.chip.isVisible()
    assert bar.chip.button.text() == "Cursor at 20, to the left"
    click(qtbot, bar.chip.button)
    assert (model.state.start, model.state.position) == (0, 20)
    model.announce()
    assert not bar.chip.isVisible()


@pytest.mark.parametrize("position", [0, 10**6, -(2**53)])
def test_it_fits_a_narrow_window(bar, model, position):
    assert bar.minimumSizeHint().width() < 700
    model.set(position=position)
    model.announce()
    assert bar.minimumSizeHint().width() < 700
    bar.resize(bar.minimumSizeHint().width(), bar.height())
    QApplication.processEvents()
    shown = [widget for widget in bar.children() if isinstance(widget, QWidget)]
    shown = [widget for widget in shown if widget.isVisible()]
    shown.sort(key=lambda widget: widget.x())
    for left, right in pairwise(shown):
        assert left.geometry().right() < right.geometry().left()
    for widget in shown:
        assert widget.width() >= widget.minimumSizeHint().width() or widget.minimumWidth()
        assert bar.rect().contains(widget.geometry())


def test_stepping_by_button_takes_them_along_and_stops_at_0(bar, model, qtbot):
    click(qtbot, bar.back)
    assert (model.state.position, model.state.start) == (0, 0)
    model.set(position=49)
    click(qtbot, bar.forward)
    assert (model.state.position, model.state.start) == (50, 1)
