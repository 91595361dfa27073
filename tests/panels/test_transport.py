import re
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QStyle, QWidget

from pe_explorer import encodings
from pe_explorer.encodings import LIMIT, Encoding, Unknown
from pe_explorer.model.playhead import find_next_speed
from pe_explorer.panels.transport import TransportBar, count_slider_steps, find_position, find_step
from pe_explorer.widgets.icons import IconButton
from tests.support.gestures import enter_text, type_text
from tests.support.samples import sample

LEFT = Qt.MouseButton.LeftButton


@given(st.integers(-LIMIT, 0), st.integers(1, LIMIT), st.integers(0, 10_000))
def test_the_slider_reaches_both_ends_and_every_step_comes_back(start, count, step):
    last = count_slider_steps(count)
    assert find_position(0, start, count) == start
    assert find_position(last, start, count) == start + count - 1
    step = min(step, last)
    assert find_step(find_position(step, start, count), start, count) == step


@pytest.mark.parametrize(
    ("speed", "up", "down"),
    [(8, 10, 5), (10, 20, 5), (1, 2, 0.5), (1e12, 1e12, 5e11), (0.01, 0.02, 0.01), (3e5, 5e5, 2e5)],
)
def test_speeds_go_by_one_two_five(speed, up, down):
    assert (find_next_speed(speed, 1), find_next_speed(speed, -1)) == (up, down)


@pytest.fixture
def bar(show_panel):
    return show_panel(TransportBar(), 1000, 40)


def test_every_button_does_what_it_is_called(bar, model, qtbot):
    head = model.playhead
    buttons = [button for button in bar.findChildren(IconButton) if button.isVisible()]
    assert [each for each in buttons if each.accessibleName() not in each.toolTip()] == []
    for name, playing in (("Pause", True), ("Play", False)):
        qtbot.mouseClick(bar.play_button, LEFT)
        assert (head.is_playing, bar.play_button.accessibleName()) == (playing, name)
    for button in (bar.forward_button, bar.forward_button, bar.back_button):
        qtbot.mouseClick(button, LEFT)
    model.emit_changes()
    assert (model.state.position, bar.position.text(), bar.slider.value()) == (1, "1", 1)
    for button, speed in ((bar.faster_button, 5), (bar.slower_button, 2)):
        qtbot.mouseClick(button, LEFT)
        assert (head.speed, bar.speed.text()) == (speed, str(speed))
    enter_text(qtbot, bar.speed, "1e3")
    assert head.speed == 1000
    qtbot.keyClick(bar.speed, Qt.Key.Key_Up)
    assert head.speed == 2000
    qtbot.mouseClick(bar.loop_button, LEFT)
    assert not head.is_looping
    head.set_loop(True)
    assert bar.loop_button.isChecked()
    qtbot.mouseClick(bar.lock, LEFT)
    assert model.lock.is_locked
    model.lock.set(False)
    assert not bar.lock.isChecked()
    assert "Ctrl+Shift+P" in bar.lock.toolTip()


@pytest.mark.parametrize(
    ("text", "position"), [("17", 17), ("2^53", 2**53), ("-2^53", -(2**53)), ("1e15", 10**15)]
)
def test_far_positions_are_typed(bar, model, qtbot, text, position):
    enter_text(qtbot, bar.position, text)
    assert model.state.position == position
    model.emit_changes()
    assert bar.slider.value() == min(max(position, 0), 49)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *(("speed", text) for text in ("-1", "0", "fast", "nan", "")),
        *(("position", text) for text in ("9007199254740993", "-9007199254740993", "1.5", "here")),
    ],
)
def test_what_is_typed_wrongly_is_refused(bar, model, qtbot, field, text):
    line = getattr(bar, field)
    line.clear()
    line.setModified(True)
    with qtbot.waitSignal(bar.refused) as refusal:
        enter_text(qtbot, line, text)
    assert refusal.args[0].startswith(f"{field.capitalize()}: ")
    assert (model.state.position, model.playhead.speed) == (0, 2)


@pytest.mark.parametrize(
    ("start", "count"), [(0, 50), (0, 2**53), (-(2**53), 2**53), (10**15, 2), (5, 20_000)]
)
def test_slider_covers_the_positions_shown_and_keys_step_single_ones(
    bar, model, qtbot, start, count
):
    model.set(start=start, count=count)
    model.emit_changes()
    y = bar.slider.height() // 2
    qtbot.mousePress(bar.slider, LEFT, pos=QPoint(1, y))
    for x, part in ((bar.slider.width(), 1), (0, 0), (bar.slider.width(), 1)):
        qtbot.mouseMove(bar.slider, QPoint(x, y))
        assert model.state.position == start + part * (count - 1)
    model.set(position=start)
    model.emit_changes()
    assert bar.slider.value() == bar.slider.maximum()  # under the mouse, until it is released
    qtbot.mouseRelease(bar.slider, LEFT, pos=QPoint(0, y))
    assert bar.slider.value() == 0
    qtbot.keyClick(bar.slider, Qt.Key.Key_Right)
    assert model.state.position == start + 1
    model.emit_changes()
    if count > 50:
        qtbot.keyClick(bar.slider, Qt.Key.Key_PageUp)
        assert model.state.position == start + 1 + count // 10


@pytest.mark.parametrize("field", ["position", "slider"])
@pytest.mark.parametrize(
    ("key", "moved"), [("Up", 1), ("Down", -1), ("PageUp", 5), ("PageDown", -5)]
)
def test_stepping_out_of_the_shown_positions_takes_them_along(bar, model, qtbot, field, key, moved):
    end = 149 if moved > 0 else 100
    model.set(start=100, count=50, position=end)
    model.emit_changes()
    qtbot.keyClick(getattr(bar, field), getattr(Qt.Key, f"Key_{key}"))
    assert (model.state.position, model.state.start) == (end + moved, 100 + moved)
    model.set(start=0, position=0)
    qtbot.mouseClick(bar.back_button, LEFT)  # stops at 0
    assert (model.state.position, model.state.start) == (0, 0)
    model.set(position=49)
    qtbot.mouseClick(bar.forward_button, LEFT)
    assert (model.state.position, model.state.start) == (50, 1)


@pytest.mark.parametrize(("text", "position"), [("17", 17), ("seventeen", 0)])
def test_what_is_typed_counts_when_the_bar_is_detached_and_then_it_does_nothing(
    bar, model, qtbot, text, position
):
    model.playhead.play()
    type_text(qtbot, bar.position, text)
    bar.detach()
    assert bar.play_button.accessibleName() == "Play"  # it plays nothing
    assert not bar.chip.is_attached
    assert (model.state.position, bar.position.text()) == (position, str(position))
    model.set(position=5)
    model.lock.set(True)
    model.emit_changes()
    assert bar.position.text() == str(position)
    qtbot.mouseClick(bar.forward_button, LEFT)
    assert model.state.position == 5
    bar.attach(model)
    assert (bar.position.text(), bar.lock.isChecked()) == ("5", True)


@pytest.mark.parametrize("name", encodings.names())
def test_it_says_what_the_cursor_moves_through(bar, model, name):
    e = sample(name)
    unknown = Unknown("xpos", {}, "xpos is not known")
    for encoding, row in ((e, e.rows), (unknown, Encoding.rows), (e, e.rows)):
        model.set(encoding=encoding)
        model.emit_changes()
        title = row.name.capitalize()
        labels = [each for each in bar.findChildren(QLabel) if each.buddy()]
        named = [(each.text(), each.buddy()) for each in labels if each.isVisible()]
        assert dict(named) == {
            "Speed": bar.speed,
            "/ s": bar.speed,
            title: bar.position,
        }
        assert bar.caption.text() == bar.position.accessibleName() == title
        margins = labels[0].contentsMargins()
        assert margins.left() == margins.right()
        assert bar.slider.accessibleName() == f"{title} slider"
        for control in (bar.back_button, bar.forward_button):
            assert re.search(rf"one {row.name}\b", control.toolTip())
        assert re.search(rf"\b{row.name}\b", bar.loop_button.toolTip())
        for control in (bar.play_button, bar.slower_button, bar.faster_button, bar.slider):
            assert row.plural in control.toolTip()
        tips = [
            each.toolTip()
            for each in (
                bar.back_button,
                bar.play_button,
                bar.loop_button,
                bar.slider,
                bar.position,
            )
        ]
        assert row.name == "position" or not any("position" in tip.lower() for tip in tips)


def test_a_cursor_that_is_not_shown_is_led_to(bar, model, qtbot):
    assert not bar.chip.isVisible()
    model.set(start=1000, position=20)
    model.emit_changes()
    QApplication.processEvents()
    assert bar.chip.isVisible()
    assert bar.chip.button.text() == "Cursor at 20, to the left"
    for said in (bar.chip.button.accessibleName(), bar.chip.button.toolTip()):
        assert "Cursor at 20, to the left" in said
    shown = [bar.chip.minimumSizeHint().width(), bar.chip.brief_width, bar.chip.sizeHint().width()]
    assert shown == sorted(set(shown))  # with the icon alone, few words, and all
    assert bar.chip.sizeHint().height() == bar.chip.minimumSizeHint().height() == 22
    bar.hide_repeated_chip(True)
    assert (bar.chip.isVisible(), bar.chip.brief_width) == (False, 0)
    bar.hide_repeated_chip(False)
    qtbot.mouseClick(bar.chip.button, LEFT)
    assert (model.state.start, model.state.position) == (0, 20)
    model.emit_changes()
    assert not bar.chip.isVisible()


@pytest.mark.parametrize("position", [0, 10**6, -(2**53) + 1])
def test_it_fits_a_narrow_window_and_nothing_moves_as_numbers_grow(bar, model, position):
    widgets = [
        widget for widget in bar.findChildren(QWidget) if bar.chip not in (widget, widget.parent())
    ]
    places = [widget.geometry() for widget in widgets]
    model.set(start=position, position=position)
    model.emit_changes()
    QApplication.processEvents()
    assert [widget.geometry() for widget in widgets] == places
    text, field = bar.position.text(), bar.position
    assert field.fontMetrics().horizontalAdvance(text) < field.width() - 8
    model.set(start=0)  # with the way to a cursor that is not shown
    model.emit_changes()
    assert bar.minimumSizeHint().width() < 700
    bar.resize(bar.minimumSizeHint().width(), bar.height())
    QApplication.processEvents()
    shown = [each for each in bar.children() if isinstance(each, QWidget) and each.isVisible()]
    shown.sort(key=lambda widget: widget.x())
    assert shown[-1] is bar.lock
    handle = bar.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, bar.slider)
    assert bar.slider.width() > 3 * handle  # or it could hardly be dragged
    model.set(count=1)
    model.emit_changes()
    assert not bar.slider.isEnabled()
    for left, right in pairwise(shown):
        assert left.geometry().right() < right.geometry().left()
    for widget in shown:
        assert widget.width() >= widget.minimumSizeHint().width() or widget.minimumWidth()
        assert bar.rect().contains(widget.geometry())
