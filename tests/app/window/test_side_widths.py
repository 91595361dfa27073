"""The widths of the side panels follow from what was chosen and from the size of the window."""

import random

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.support.gestures import settle

LEFT = Qt.MouseButton.LeftButton
SIZES = [(800, 560), (900, 560), (1000, 600), (1100, 560), (1150, 700), (1300, 620), (1600, 900)]


def resize(window, size):
    window.resize(*size)
    settle(window.model)


def open_both(window):
    window.actions_by_key["reset_layout"].trigger()
    resize(window, (1300, 620))
    window.sides.open("explain")
    settle(window.model)


def geometry(window):
    """Return where the panels that can be seen and the panes are."""
    docks = [dock.geometry() for dock in window.sides.docks.values() if dock.isVisible()]
    panes = [view.mapTo(window, QPoint()) for view in window.workspace.built.values()]
    sizes = [view.size() for view in window.workspace.built.values()]
    return docks, panes, sizes


def widths(window):
    return [dock.width() for dock in window.sides.docks.values() if dock.isVisible()]


def drag_border(window, name, by):
    """Drag the border of a dock with the mouse."""
    dock = window.sides.docks[name].geometry()
    middle = dock.center().y()
    edge = dock.right() if name == "encoding" else dock.left()
    near = (QPoint(edge + n, middle) for n in (1, 2, 3, -1, -2, -3))
    place = next(point for point in near if window.isSeparator(point))
    QTest.mousePress(window, LEFT, pos=place)
    for part in range(1, 5):
        QTest.mouseMove(window, place + QPoint(by * part // 4, 0))
        settle(window.model)
    QTest.mouseRelease(window, LEFT, pos=place + QPoint(by, 0))
    settle(window.model)


@pytest.mark.parametrize(
    "dragged", [{}, {"encoding": 80}, {"encoding": 90, "explain": -110}, {"explain": -20}]
)
def test_geometry_is_that_of_the_size_whatever_came_before(window, dragged):
    open_both(window)
    for name, by in dragged.items():
        old = window.sides.docks[name].width()
        drag_border(window, name, by)
        assert window.sides.docks[name].width() == old + abs(by)
    found = {}
    for seed in range(3):
        sizes = SIZES * 2
        random.Random(seed).shuffle(sizes)
        for size in sizes:
            resize(window, size)
            assert found.setdefault(size, geometry(window)) == geometry(window), (seed, size)


def test_a_panel_is_as_wide_as_chosen_once_the_other_one_is_folded(window):
    open_both(window)
    drag_border(window, "encoding", 90)
    drag_border(window, "explain", -110)
    resize(window, (1100, 600))
    squeezed = widths(window)
    assert squeezed < [358, 366]
    window.actions_by_key["explain"].trigger()
    settle(window.model)
    assert widths(window) == [358]
    window.actions_by_key["explain"].trigger()
    settle(window.model)
    assert widths(window) == squeezed


def test_the_chosen_width_is_remembered_not_that_of_a_narrow_window(window):
    open_both(window)
    drag_border(window, "encoding", 90)
    for size in ((1100, 560), (800, 560)):
        resize(window, size)
        assert [place.pixels[2] for place in window.sides.places.values()] == [358, 256]


def test_a_border_that_is_dragged_in_a_narrow_window_moves_one_panel(window):
    open_both(window)
    drag_border(window, "encoding", 90)
    drag_border(window, "explain", -110)
    resize(window, (1100, 560))
    drag_border(window, "encoding", -20)
    chosen = window.sides.docks["encoding"].width()
    assert chosen < 340
    resize(window, (1600, 900))
    assert widths(window) == [chosen, 366]
