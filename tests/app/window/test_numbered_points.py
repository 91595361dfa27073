"""The numbers in pictures: where the words of exhibits say, and nowhere else."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pe_explorer.gallery.exhibits import exhibits
from tests.support.gestures import numbered_points, settle, spot, wait_for_worker


def open_exhibit(window, name):
    window.resize(1280, 800)
    window.exhibit_walk.open(name)
    wait_for_worker(window.model)
    QTest.qWait(1)
    settle(window.model)
    return window.active_view()


def test_a_cell_of_the_heatmap_is_where_the_mouse_would_find_it(window):
    heatmap = open_exhibit(window, "000-heatmap")
    expected = spot(heatmap, "cells", 0, 11)
    at = exhibits()["000-heatmap"].look[1].at
    assert (at.position, at.dimension) == (11, 0)
    assert (numbered_points(heatmap)[2] - expected).manhattanLength() <= 2


def test_a_place_that_is_not_in_the_picture_any_more_has_no_number(window):
    heatmap = open_exhibit(window, "000-heatmap")
    assert set(numbered_points(heatmap)) == {1, 2, 3}
    window.model.set(start=10**6)
    settle(window.model)
    QTest.qWait(1)
    assert numbered_points(heatmap) == {}
    window.undoing.undo()
    settle(window.model)
    QTest.qWait(1)
    assert set(numbered_points(heatmap)) == {1, 2, 3}


def test_the_mouse_goes_through_them(window, qtbot):
    heatmap = open_exhibit(window, "000-heatmap")
    place = heatmap.mapTo(window, numbered_points(heatmap)[3])
    assert window.childAt(place) is not None
    assert not window.childAt(place).objectName().startswith("point.")
    for child in heatmap.findChildren(QWidget):
        if child.objectName().startswith("point."):
            assert child.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
