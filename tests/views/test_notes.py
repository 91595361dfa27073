"""The sentence in the place of a picture: where it stands, what is painted below, and its end."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.pictures.spots import ViewPlace
from pe_explorer.views.numbered_points import NumberedPoints
from pe_explorer.widgets.theme import colours
from tests.support.gestures import numbered_points, settle, spot
from tests.support.images import pixels
from tests.support.notes import note, note_label, offer

INDEX = encodings.create("index")
LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("width", "height", "wanted"), [(900, 500, 420), (440, 700, 420), (300, 420, 280)]
)
def test_a_note_stands_raised_in_the_middle(show, qapp, theme, width, height, wanted):
    qapp.set_theme(theme)
    view = show("clocks", width, height, encoding=INDEX)
    place, middle = note(view).geometry(), view.rect().center()
    assert place.width() == wanted
    assert abs(place.center().x() - middle.x()) <= 1
    assert abs(place.center().y() - middle.y()) <= 1
    label = note_label(view)
    assert label.height() >= label.heightForWidth(label.width())
    image, shades = pixels(view.grab().toImage())[..., ::-1], colours(view.palette())
    for x, y, colour in (
        (place.left() + 9, place.top() + 9, shades.raised_background),
        (place.right() - 9, place.bottom() - 9, shades.raised_background),
        (place.left(), middle.y(), shades.line),
        (middle.x(), place.bottom(), shades.line),
        (place.left() - 2, middle.y(), shades.base),
        (place.left(), place.top(), shades.base),  # corners are round
    ):
        assert np.abs(image[y, x] - QColor(colour).getRgb()[:3]).max() <= 24, (x, y)


def test_a_note_is_inside_a_small_view_and_its_button_is_for_the_keyboard(show):
    view = show("clocks", 150, 320, encoding=INDEX)
    assert view.rect().contains(note(view).geometry())
    view.resize(150, 40)
    assert note(view).y() == 0 < view.height() < note(view).height()  # its first words are seen
    view.resize(150, 320)
    view.setFocus()
    button = offer(view)
    assert button.isVisible() == bool(button.text())
    assert button.minimumSizeHint().width() <= button.width()
    QTest.mouseClick(button, LEFT)
    assert not button.hasFocus()


def test_paging_by_the_mouse_leaves_the_focus_and_by_keys_takes_it(show):
    encoding = encodings.create("sinusoidal", dim=256)
    view = show("clocks", 400, 300, {"pairs": "first"}, encoding=encoding)
    buttons = {each.accessibleName(): each for each in view.header.findChildren(QToolButton)}
    view.setFocus()
    first = view.snapshot.figure.clocks.grid.first
    QTest.mouseClick(buttons["Next pairs"], LEFT)
    assert QApplication.focusWidget() is view
    settle(view.model)
    assert view.snapshot.figure.clocks.grid.first > first
    buttons["Next pairs"].setFocus(Qt.FocusReason.TabFocusReason)
    assert buttons["Next pairs"].hasFocus()


@pytest.mark.parametrize(("part", "squares"), [("matrix", 2), ("both", 2), ("curve", 0)])
def test_of_several_matrices_a_picture_has_the_side_and_of_a_curve_its_width(show, part, squares):
    pins = (Pin(encodings.create("sinusoidal", base=50.0), "b"),)
    options = {"part": part, "show": "current pinned"}
    view = show("distances", 1300, 420, options, pins=pins, count=20)
    size = view.compute_size_in_pixels()
    areas = {}
    for panel in view.snapshot.figure.panels:
        low = spot(view, panel.name, panel.x.low, panel.y.low)
        high = spot(view, panel.name, panel.x.high, panel.y.high)
        areas[panel.name] = abs(high.x() - low.x()), abs(high.y() - low.y())
    sides = [sides for name, sides in areas.items() if name != "curve"]
    assert len(sides) == squares
    for side in (each for both in sides for each in both):
        assert side == pytest.approx(size.height, abs=2)
    assert size.width == pytest.approx(areas.get("curve", sides[:1] and sides[0])[0], abs=2)


def test_numbers_stand_at_their_places_beside_each_other(show):
    view = show("heatmap", 700, 500, encoding=encodings.create("sinusoidal", dim=8), count=12)
    before, points = pixels(view.grab().toImage())[..., ::-1], NumberedPoints(view)
    there = [ViewPlace("heatmap", position=5, dimension=3)] * 2
    places = {1: there[0], 2: there[1], 3: ViewPlace("heatmap", position=99)}
    points.set_places(places)
    settle(view.model)
    found = numbered_points(view)
    middle = found[1]
    assert found == {1: middle, 2: middle}
    assert (middle - spot(view, "cells", 3, 5)).manhattanLength() <= 4
    image = pixels(view.grab().toImage())[..., ::-1]
    accent = QColor(colours(view.palette()).accent).getRgb()[:3]

    def is_accent(across, down):
        return np.abs(image[middle.y() + down, middle.x() + across] - accent).max() <= 24

    discs = [(across + side, down) for across, down in ((11, -11), (-11, -11)) for side in (-6, 6)]
    assert all(is_accent(*place) for place in [(0, 0), *discs])
    assert not any(is_accent(across, 11) for across in (-17, -5, 5, 17))
    left, right = (image[middle.y() - 11, middle.x() + x :][:9] for x in (-15, 7))
    assert (left != right).any()  # the numbers in them
    view.resize(500, 400)
    settle(view.model)
    assert (numbered_points(view)[1] - spot(view, "cells", 3, 5)).manhattanLength() <= 4
    points.set_places({})
    settle(view.model)
    assert numbered_points(view) == {}
    view.resize(700, 500)
    settle(view.model)
    assert (pixels(view.grab().toImage())[..., ::-1] == before).all()
