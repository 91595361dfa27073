"""The label beside the mouse: where it is, what it shows, and when it is hidden."""

import math
import threading

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, views
from pe_explorer.panels.cursor import Readout
from pe_explorer.pictures.inspection import Inspection
from pe_explorer.views.view import RenderTarget
from tests.support.gestures import click, drag, move, settle, spot, wait_for_worker, wheel
from tests.support.measures import hyphened
from tests.support.notes import note

FAR = 10**6
CORNERS = [(across, down) for across in (0.01, 0.4, 0.99) for down in (0.01, 0.4, 0.99)]


@pytest.fixture
def read(show):
    """Return a function that shows a view beside whose mouse a read-out shows its numbers."""
    readouts = []

    def read(name, *size, **named):
        view, readout = show(name, *size, **named), Readout()
        wait_for_worker(view.model)
        readout.show_view("waves" if name == "heatmap" else "heatmap")  # of another pane
        readout.values_changed.connect(view.show_at_mouse)
        readout.attach(view.model)
        readouts.append(readout)
        return view

    yield read
    for readout in readouts:
        readout.detach()
    readouts.clear()  # pytest keeps the function that it gave the test
    readout = None


def point(view, place):
    """Move the mouse to a place of a view, and return the label."""
    for near in (QPoint(1, 1), QPoint()):
        move(view, place - near)
    wait_for_worker(view.model)
    return view.mouse_label


def places(view):
    """Return places of each panel, some of them near its corners, and that of a point."""
    found, corner = [], view.canvas.pos()
    areas = [QRect(view.hands.geometry())] if view.picture.name == "clocks" else []
    for placed in view.placed_panels.values():
        left, top, width, height = (part * 96 / 72 for part in placed.area)
        areas.append(QRect(int(left), int(top), int(width), int(height)).translated(corner))
        if trail := placed.panel.trail:
            found.append(spot(view, placed.panel.name, trail.x[3], trail.y[3]))
    for area in areas:
        found += [
            area.topLeft() + QPoint(int(across * area.width()), int(down * area.height()))
            for across, down in CORNERS
        ]
    return found


def is_legible(label, mouse):
    """Return whether a label is inside its view and leaves the mouse free."""
    place = label.geometry()
    is_inside = label.parent().rect().contains(place)
    return label.isVisible() and is_inside and not place.contains(mouse)


@pytest.mark.parametrize("size", [(900, 600), (330, 330)])
@pytest.mark.parametrize("name", views.names())
def test_it_is_beside_the_mouse_in_every_view_and_has_its_numbers(name, size, read, monkeypatch):
    view = read(name, *size, start=5000, count=60, position=5003, dimension=1)
    model, inspected, shown = view.model, [], 0
    own = type(view).picture.inspect
    monkeypatch.setattr(view.picture, "inspect", lambda *of: inspected.append(of[0]) or own(*of))
    for place in places(view):
        inspected.clear()
        label = point(view, place)
        assert len(inspected) <= 1
        assert label.isVisible() == bool(model.hovered_view)
        assert model.hovered_view in ("", name)
        if not model.hovered_view:
            continue
        shown += 1
        assert is_legible(label, place)
        there = model.state_at_pointer
        rows = there.encoding.rows.name
        assert f"{rows} {there.position:,}" in label.text()
        brief = view.picture(there).inspect(threading.Event()).brief
        assert all(part in hyphened(label.text()) for part in map(hyphened, brief))
    assert shown
    QApplication.sendEvent(view.canvas.viewport(), QEvent(QEvent.Type.Leave))
    if name == "clocks":
        QApplication.sendEvent(view.hands, QEvent(QEvent.Type.Leave))
    settle(model)
    assert (model.hovered_view, label.isVisible()) == ("", False)


def test_position_dimension_and_value_are_those_of_the_formula(read):
    view = read("heatmap", encoding=encodings.create("sinusoidal", dim=16), start=FAR, count=40)
    for row, dimension in ((7, 3), (31, 14)):
        label = point(view, spot(view, "cells", dimension, row))
        wave = (math.sin, math.cos)[dimension % 2]
        value = wave((FAR + row) / 10_000 ** (dimension // 2 * 2 / 16))
        first, second = hyphened(label.text()).splitlines()
        assert first.split() == ["position", f"{FAR + row:,}", "dimension", str(dimension)]
        assert float(second.split()[1]) == pytest.approx(value, abs=1e-5)


def test_a_click_keeps_it_and_other_changes_hide_it(read):
    view = read("heatmap", start=100, count=40)
    model, place = view.model, spot(view, "cells", 5, 20)
    label = point(view, place)
    text = label.text()
    click(view, place)
    settle(model)
    assert (model.state.position, model.preview) == (120, None)
    assert (label.isVisible(), label.text()) == (True, text)
    held = []

    def hold():
        settle(model)
        held.append(label.isVisible())

    drag(view, place, place + QPoint(0, 40), between=hold)
    assert not any(held)
    ways = (
        lambda: wheel(view, place, 1),
        lambda: model.set_encoding(dim=32),
        lambda: model.lock.set(True),
        model.playhead.play,
        view.hide,
    )
    for act in ways:
        assert is_legible(point(view, place), place)
        act()
        settle(model)
        assert not label.isVisible()
        move(view, place + QPoint(9, 9))
        settle(model)
        assert not label.isVisible() or not (model.lock.is_locked or model.playhead.is_playing)
        model.lock.set(False)
        model.playhead.pause()
        wait_for_worker(model)


def test_it_waits_for_numbers_that_take_long(read, monkeypatch):
    view = read("heatmap")
    monkeypatch.setattr(view.picture, "is_inspection_slow", lambda _: True)
    monkeypatch.setattr(view.picture, "inspect", lambda *_: Inspection(brief=("found",)))
    place = spot(view, "cells", 5, 20)
    for near in (QPoint(1, 1), QPoint()):
        move(view, place - near)
    settle(view.model)
    assert "found" in point(view, place).text()


def test_a_bin_without_a_pair_is_described_too(read):
    e = encodings.create("sinusoidal", dim=1024)
    view = read("distances", options={"part": "histogram"}, encoding=e, count=250)
    for x, facts in ((0.57, ("0.56 to 0.58", "second position")), (0.05, ("0.04 to 0.06", "0 %"))):
        place = spot(view, "histogram", x, 3.0)
        label = point(view, place)
        assert is_legible(label, place)
        assert all(fact in label.text() for fact in facts)
    QApplication.sendEvent(view.canvas.viewport(), QEvent(QEvent.Type.Leave))
    settle(view.model)
    assert not label.isVisible()


@pytest.mark.parametrize(
    "target", [RenderTarget(1.0, is_for_export=True), RenderTarget(has_cursor_mark=False)]
)
def test_pictures_of_a_view_do_not_have_it(read, target):
    view = read("heatmap")
    place = spot(view, "cells", 5, 20)
    before = view.grab().toImage()
    assert is_legible(point(view, place), place)
    assert view.grab().toImage() != before
    view.target = target
    assert not point(view, place + QPoint(9, 9)).isVisible()
    assert not note(view).isVisible()
