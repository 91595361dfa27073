"""Panes in their arrangements: where they are, and the sizes that come back."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitterHandle, QWidget

from pe_explorer.widgets.splits import Splits
from tests.support.gestures import settle

BORDER = 5
WIDTH, HEIGHT = 600 + 2 * BORDER, 400 + BORDER


@pytest.fixture
def splits(qtbot):
    splits = Splits()
    qtbot.addWidget(splits)
    splits.resize(WIDTH, HEIGHT)
    with qtbot.waitExposed(splits):
        splits.show()
    splits.panes = [QWidget(splits) for _ in range(3)]
    return splits


def shown(splits, arrangement):
    """Show as many panes as an arrangement has; return where they are."""
    count = {"one": 1, "beside": 2, "stacked": 2}.get(arrangement, 3)
    splits.arrange(splits.panes[:count], arrangement)
    settle()
    assert [pane.isVisible() for pane in splits.panes] == [n < count for n in range(3)]
    places = (QRect(pane.mapTo(splits, QPoint()), pane.size()) for pane in splits.panes[:count])
    return [(each.x(), each.y(), each.width(), each.height()) for each in places]


LOWER = round(400 * 0.57) + BORDER
FIRST = {
    "one": [(0, 0, WIDTH, HEIGHT)],
    "beside": [(0, 0, 303, HEIGHT), (308, 0, 302, HEIGHT)],
    "stacked": [(0, 0, WIDTH, 200), (0, 205, WIDTH, 200)],
    "over-two": [
        (0, 0, WIDTH, LOWER - BORDER),
        (0, LOWER, 303, HEIGHT - LOWER),
        (308, LOWER, 302, HEIGHT - LOWER),
    ],
    "three": [(0, 0, 200, HEIGHT), (205, 0, 200, HEIGHT), (410, 0, 200, HEIGHT)],
}


def test_sizes_are_equal_at_first_and_come_back_with_their_arrangement(splits):
    for _ in range(2):
        for arrangement, places in FIRST.items():
            found = shown(splits, arrangement)
            assert [pytest.approx(place, abs=1) for place in places] == found
    sizes = splits.sizes
    assert set(sizes) == set(FIRST)
    assert [(len(outer), len(inner)) for outer, inner in map(sizes.get, FIRST)] == [
        (1, 0), (2, 0), (2, 0), (2, 2), (3, 0)]  # fmt: skip
    splits.sizes = {"beside": ((450, 155), ()), "over-two": ((100, 300), (200, 405))}
    wanted = {"beside": ((450, 155), ()), "over-two": ((100, 300), (200, 405))}
    for _ in range(2):
        (_, _, left, _), _ = shown(splits, "beside")
        (_, _, _, upper), (_, _, low, _), _ = shown(splits, "over-two")
        assert (left, upper, low) == pytest.approx((450, 100, 200), abs=1)
    for arrangement, parts in wanted.items():
        for found, part in zip(splits.sizes[arrangement], parts, strict=True):
            assert found == pytest.approx(part, abs=1)
    splits.sizes = {"over-two": ((300, 100), (300, 305))}  # while it is shown
    assert splits.panes[0].height() == pytest.approx(300, abs=1)


@pytest.mark.parametrize(
    ("arrangement", "keys", "moved"),
    [("beside", ("Right", "Left"), (16, 0)), ("stacked", ("Down", "Up"), (0, 16))],
)
def test_a_border_is_moved_by_keys_and_stays_for_its_arrangement(splits, arrangement, keys, moved):
    (_, _, *before), _ = shown(splits, arrangement)
    handles = splits.findChildren(QSplitterHandle)
    (handle,) = (each for each in handles if each.isVisible() and min(each.size().toTuple()) == 5)
    assert handle.accessibleName() == "Border between panes"
    assert handle.focusPolicy() == Qt.FocusPolicy.TabFocus
    for key, times in zip(keys, (3, 2), strict=True):
        for _ in range(times):
            QTest.keyClick(handle, getattr(Qt.Key, f"Key_{key}"))
    QTest.keyClick(handle, Qt.Key.Key_A)
    for _ in range(2):
        (_, _, *after), _ = shown(splits, arrangement)
        assert [now - then for now, then in zip(after, before, strict=True)] == [*moved]
        shown(splits, "one")


def test_a_pane_that_has_a_window_of_its_own_is_left_there_and_others_wait_inside(splits, qtbot):
    shown(splits, "three")
    away, hidden = splits.panes[1:]
    splits.remember()
    away.setParent(None)
    qtbot.addWidget(away)
    away.show()
    splits.arrange(splits.panes[:1], "one")
    assert away.isWindow()
    assert away.isVisible()
    assert hidden.isHidden()
    assert hidden.parent() is splits
    assert [len(outer) for outer, _ in splits.sizes.values()] == [3, 1]
    splits.hide()
    splits.arrange(splits.panes[:2], "beside")
    assert "beside" not in splits.sizes  # they have never been laid out
