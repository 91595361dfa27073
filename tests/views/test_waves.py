"""Lines in the view of waves: dragged, set by keys, and typed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.figures.page import PageText
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.model.history import History
from tests.support.gestures import drag, enter_text, settle, spot
from tests.support.samples import sample


@pytest.fixture
def waves(show):
    """Return a function that shows the two waves of the second document."""
    e = encodings.create("sinusoidal", dim=2, base=16.0, waves="cosine")
    return lambda options=None, **fields: show(
        "waves", options=options, **{"encoding": e, "count": 26, **fields}
    )


def drag_line(view, start, end, y=-0.5, **how):
    drag(view, spot(view, "curves", start, y), spot(view, "curves", end, y), **how)
    settle(view.model)


def test_a_line_is_dragged_from_position_to_position(waves):
    view = waves({"line1": 1, "line2": 2})
    for start, end in ((2, 7.3), (7, 7.2)):
        drag_line(view, start, end)
        assert view.options.lines == {"line1": 1, "line2": 7}
    assert view.model.state.start == 0  # the picture has not moved


@pytest.mark.parametrize("name", ["sinusoidal", "binary"])
def test_with_shift_a_line_is_dragged_between_positions_where_there_are_such(
    waves, monkeypatch, name
):
    view = waves({"line2": 2}, **({"encoding": sample(name)} if name == "binary" else {}))
    held = Qt.KeyboardModifier.ShiftModifier
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", staticmethod(lambda: held))
    drag_line(view, 2, 7.3, 0.5)
    line = view.options.line2
    if name == "binary":
        assert line == 7
        return
    assert line == pytest.approx(7.3, abs=0.05)
    assert line == round(line, 2)  # a pixel is less than a tenth
    assert line % 1
    drag_line(view, line, 25.4)
    assert view.options.line2 == 25  # the last position shown


@pytest.mark.parametrize("height", [205, 500])
def test_a_low_view_shows_no_table_of_values_so_that_the_waves_have_half_of_it(waves, height):
    view = waves({"line1": 1, "line2": 2, "line3": 9}, width=420, height=height)
    texts = [item.text for item in view.layers.outer_items if isinstance(item, PageText)]
    assert ("0.5403" in texts) == (height == 500)
    assert view.placed_panels["curves"].area.height / UNIT_POINTS["px"] >= height / 2


def test_a_drag_of_a_line_is_one_step_of_undo_however_long_it_takes(waves, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("pe_explorer.model.history.time.monotonic", lambda: now[0])
    view = waves({"line1": 1, "line2": 2})
    history = History(view.model)

    def wait():
        settle(view.model)
        now[0] += 60

    for start, end in ((2, 9), (9, 14)):
        drag_line(view, start, end, steps=6, between=wait)
        assert view.model.gesture.number is None
    assert history.stack.count() == 2
    for line in (9, 2):
        history.undo()
        settle(view.model)
        assert view.options.lines == {"line1": 1, "line2": line}


def test_keys_set_lines_at_the_cursor_and_take_them_away(waves):
    view = waves(position=9)
    view.setFocus()
    three, down = Qt.Key.Key_3, Qt.Key.Key_Down
    for key, line in ((three, 9), (down, 9), (three, 10), (three, None)):
        QTest.keyClick(view, key)
        settle(view.model)
        assert view.options.lines == ({"line3": line} if line else {})


def test_lines_and_dimensions_are_typed(waves, qtbot):
    view = waves({"line1": 1})
    for field, text, lines in (
        ("line2", "6.283", {"line1": 1, "line2": 6.283}),
        ("line1", "none", {"line2": 6.283}),
    ):
        enter_text(qtbot, view.header.lines[field], text)
        settle(view.model)
        assert view.options.lines == lines
    texts = (item for layer in view.layers for item in layer if isinstance(item, PageText))
    bottom = (spot(view, "curves", 0, -1) - view.canvas.pos()).y()
    below = {text.text for text in texts if text.y / UNIT_POINTS["px"] > bottom}
    assert {"p = 6.283", "1.000"} <= below  # with the value of the faster wave there
    enter_text(qtbot, view.header.lines["dimensions"], "1")
    settle(view.model)
    assert view.options.dimensions == (1,)
    assert len(view.snapshot.figure.panels[0].curves) == 1
