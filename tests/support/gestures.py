"""What a person does with mouse and wheel, as the events that Qt would send."""

import time

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier


def settle(model=None):
    """Let everything happen that is due: announcement, pictures, labels that they move."""
    for _ in range(5):
        if model is not None:
            model.announce()
        QApplication.processEvents()


def wait_for_worker(model, timeout=60.0):
    """Let the worker finish, and its answers arrive."""
    settle(model)
    end = time.monotonic() + timeout
    while not model.worker.idle and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)
    assert model.worker.idle
    settle(model)


def type_text(qtbot, field, text):
    """Type over what is in a field."""
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)


def enter_text(qtbot, field, text):
    """Type over what is in a field, and press Return."""
    type_text(qtbot, field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def spot(view, plot, x, y):
    """Return the pixel of a view's canvas at a place of a plot, in the plot's coordinates."""
    return view.stage.canvas.mapFromScene(plot.box.mapViewToScene(QPointF(x, y)))


def inside(view, plot, across, down):
    """Return the pixel of a view's canvas at fractions of a plot's box."""
    box = plot.box.sceneBoundingRect()
    return view.stage.canvas.mapFromScene(
        QPointF(box.left() + across * box.width(), box.top() + down * box.height())
    )


def wheel(view, point, notches, modifiers=PLAIN):
    """Turn the wheel over a pixel of a view's canvas."""
    viewport = view.stage.canvas.viewport()
    place = QPointF(point)
    turned = QPoint(0, round(120 * notches))
    event = QWheelEvent(
        place,
        QPointF(viewport.mapToGlobal(point)),
        QPoint(),
        turned,
        NONE,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def move(view, point, buttons=NONE):
    """Move the mouse to a pixel, after the pause that pyqtgraph asks for between two moves."""
    time.sleep(0.012)
    _send(view, QEvent.Type.MouseMove, point, NONE, buttons)


def drag(view, start, end, steps=4):
    """Drag with the left button."""
    _send(view, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    for step in range(1, steps + 1):
        move(view, start + (end - start) * step / steps, LEFT)
    _send(view, QEvent.Type.MouseButtonRelease, end, LEFT, NONE)
    QApplication.processEvents()


def click(view, point):
    QTest.mouseClick(view.stage.canvas.viewport(), LEFT, PLAIN, point)


def double_click(view, point):
    click(view, point)
    _send(view, QEvent.Type.MouseButtonDblClick, point, LEFT, LEFT)
    _send(view, QEvent.Type.MouseButtonRelease, point, LEFT, NONE)


def _send(view, kind, point, button, buttons):
    viewport = view.stage.canvas.viewport()
    QApplication.sendEvent(
        viewport,
        QMouseEvent(
            kind, QPointF(point), QPointF(viewport.mapToGlobal(point)), button, buttons, PLAIN
        ),
    )


def colours_across(view, plot, side=24):
    """Return the colours seen on a grid of places of a plot."""
    image = view.stage.canvas.grab().toImage()
    steps = [(k + 0.5) / side for k in range(side)]
    return {image.pixel(inside(view, plot, across, down)) for across in steps for down in steps}
