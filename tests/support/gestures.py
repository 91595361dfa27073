"""Gestures of a user with mouse and wheel, as the events that Qt would send."""

import time

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier


def settle(model=None):
    """Process all pending events, which announce changes, draw pictures and move labels."""
    for _ in range(5):
        if model is not None:
            model.emit_changes()
        QApplication.processEvents()


def wait_for_worker(model, timeout=60.0):
    settle(model)
    end = time.monotonic() + timeout
    while not model.worker.is_idle:
        assert time.monotonic() < end
        QApplication.processEvents()
        time.sleep(0.002)
    settle(model)


def play_on(model, ahead):
    """Move hands and lines beyond the cursor, as the playhead does between two positions."""
    head = model.playhead
    head.set_speed(head.speed)  # restarts the playhead at the cursor
    head.fraction = ahead
    head.moved.emit(head.lead)


def type_text(qtbot, field, text):
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)


def choose(combo, key):
    """Select the item of a combo box that has a key."""
    combo.setCurrentIndex(combo.findData(key))
    settle()


def enter_text(qtbot, field, text):
    type_text(qtbot, field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def spot(view, panel, x, y):
    """Return the pixel of a view at a point in the coordinates of one of its panels."""
    return view.locate(panel, x, y).toPoint()


def inside(view, panel, across, down):
    """Return the pixel of a view at fractions of the area of one of its panels."""
    figure = view.snapshot.figure if view.snapshot else view.get_picture(view.model.state).frame()
    x, y = next(each for each in figure.panels if each.name == panel)[1:3]
    up = y.length * (down if y.is_downward else 1 - down)
    return spot(view, panel, x.low + across * x.length, y.low + up)


def _hit(view, point):
    widget = view.childAt(QPointF(point).toPoint())
    return widget, widget.mapFrom(view, QPointF(point))


def wheel(view, point, notches, modifiers=PLAIN):
    _send_wheel(*_hit(view, point), round(120 * notches), modifiers)


def turn_wheel(widget, delta):
    """Turn the wheel over the middle of a widget; return whether the widget accepted the event."""
    return _send_wheel(widget, QPointF(widget.rect().center()), delta, PLAIN)


def _send_wheel(widget, place, delta, modifiers):
    where, turned, phase = widget.mapToGlobal(place), QPoint(0, delta), Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(place, where, QPoint(), turned, NONE, modifiers, phase, False)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def move(view, point, buttons=NONE):
    """Move the mouse to a pixel, after the pause that pyqtgraph needs between two moves."""
    time.sleep(0.012)
    viewport, place = _hit(view, point)
    if not buttons:
        for canvas in view.findChildren(QGraphicsView):
            if canvas.viewport() is not viewport:
                QApplication.sendEvent(canvas.viewport(), QEvent(QEvent.Type.Leave))
    _send(viewport, QEvent.Type.MouseMove, place, NONE, buttons)


def drag(view, start, end, steps=4, between=None):
    """Drag with the left button, which the pressed widget grabs; call `between` after each move."""
    viewport, place = _hit(view, start)
    way = QPointF(end - start)
    _send(viewport, QEvent.Type.MouseButtonPress, place, LEFT, LEFT)
    for step in range(1, steps + 1):
        time.sleep(0.012)
        _send(viewport, QEvent.Type.MouseMove, place + way * step / steps, NONE, LEFT)
        if between is not None:
            between()
    _send(viewport, QEvent.Type.MouseButtonRelease, place + way, LEFT, NONE)
    QApplication.processEvents()


def click(view, point):
    viewport, place = _hit(view, point)
    QTest.mouseClick(viewport, LEFT, PLAIN, place.toPoint())


def double_click(view, point):
    click(view, point)
    viewport, place = _hit(view, point)
    _send(viewport, QEvent.Type.MouseButtonDblClick, place, LEFT, LEFT)
    _send(viewport, QEvent.Type.MouseButtonRelease, place, LEFT, NONE)


def _send(viewport, kind, place, button, buttons):
    event = QMouseEvent(kind, place, viewport.mapToGlobal(place), button, buttons, PLAIN)
    QApplication.sendEvent(viewport, event)


def colours_across(view, panel, side=24):
    image = view.grab().toImage()
    steps = [(k + 0.5) / side for k in range(side)]
    return {image.pixel(inside(view, panel, across, down)) for across in steps for down in steps}


def picked_with_mouse(qtbot, combo, row):
    qtbot.mouseClick(combo, LEFT, pos=QPoint(combo.width() // 2, combo.height() // 2))
    view = combo.view()
    qtbot.waitUntil(view.isVisible)
    qtbot.wait(QApplication.doubleClickInterval() + 50)  # Qt ignores a release just after a press
    index = combo.model().index(row, 0)
    view.scrollTo(index)
    place = view.visualRect(index).center()
    qtbot.mouseMove(view.viewport(), place)
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: not view.isVisible())


def cell(view, title, column=0):
    rows = [view.table.verticalHeaderItem(n).text() for n in range(view.table.rowCount())]
    return view.table.item(rows.index(title), column)


def click_cell(view, title, column=0):
    item = cell(view, title, column)
    view.table.scrollToItem(item)
    place = view.table.visualItemRect(item).center()
    QTest.mouseClick(view.table.viewport(), LEFT, pos=place)
    wait_for_worker(view.model)


def enter_cell(view, title):
    view.table.setFocus()
    view.table.setCurrentItem(cell(view, title))
    view.table.cellActivated.emit(view.table.currentRow(), 0)
    wait_for_worker(view.model)


def numbered_points(view):
    """Return the positions in pixels of the visible numbers of a view, by number."""
    found = {}
    for child in view.findChildren(QWidget):
        if child.objectName().startswith("point.") and child.isVisible():
            found[int(child.objectName().removeprefix("point."))] = child.geometry().center()
    return found
