"""No text is cut and none lies over another, in a pane as small as 240 x 180 pixels."""

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QPainter, QPicture
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
)

from pe_explorer import encodings, pictures
from pe_explorer.widgets.labels import CutLabel
from tests.app.windows import change
from tests.support.gestures import settle
from tests.support.pairwise import pairwise

SIZES = [(240, 180), (333, 290), (464, 292)]
"""The last two are those of panes at 1280 x 800, with both panels and with one."""
CASES = pairwise(pictures.names(), encodings.names(), SIZES)


@pytest.fixture
def pane(window, view):
    """The pane of a view in a window of its own, as small as is asked for."""
    window.workspace.show_view(view)
    pane = window.workspace.pane(view)
    pane.ask_own_window()
    settle(window.model)
    yield pane
    pane.ask_own_window()
    settle(window.model)


def axis_texts(axis):
    """Return the places of an axis's numbers and of its title, in pixels of its canvas."""
    painted = QPicture()
    painter = QPainter(painted)
    specs = axis.generateDrawSpecs(painter)
    painter.end()
    found = [(axis.mapRectToScene(QRectF(rect)), text) for rect, _, text in specs[2] if text]
    if axis.label.isVisible() and axis.label.toPlainText():
        around = axis.label.sceneBoundingRect().adjusted(3, 3, -3, -3)  # without its margins
        found.append((around, axis.label.toPlainText()))
    return found


def faults_of_plot(canvas):
    area = QRectF(canvas.mapToScene(canvas.viewport().rect()).boundingRect())
    items = canvas.scene().items()
    axes = [item for item in items if isinstance(item, pg.AxisItem) and item.isVisible()]
    texts = [text for axis in axes for text in axis_texts(axis)]
    for number, (place, text) in enumerate(texts):
        if not area.adjusted(-1, -1, 1, 1).contains(place):
            yield f"{text!r} is cut at the edge of a plot"
        for other_place, other in texts[:number]:
            common = place.intersected(other_place)
            if common.width() > 2 and common.height() > 2:
                yield f"{text!r} lies over {other!r}"


def faults_of_widgets(pane):
    for label in pane.findChildren(QLabel):
        if not label.isVisible() or not label.text() or isinstance(label, CutLabel):
            continue
        least = label.sizeHint()
        height = label.heightForWidth(label.width()) if label.wordWrap() else least.height()
        is_wide = not label.wordWrap() and least.width() > label.width() + 1
        hidden = label.visibleRegion().boundingRect().height() < min(height, label.height()) - 1
        if height > label.height() + 1 or is_wide or hidden:
            yield f"the label {label.text()!r} is cut"
    for button in pane.findChildren(QAbstractButton):
        if button.isVisible() and button.minimumSizeHint().width() > button.width() + 1:
            yield f"the button {button.accessibleName()!r} is cut"
    for combo in pane.findChildren(QComboBox):
        width = combo.fontMetrics().horizontalAdvance(combo.currentText())
        if combo.isVisible() and width > room_for_text(combo):
            yield f"the word {combo.currentText()!r} is cut"


def room_for_text(combo):
    option, style = QStyleOptionComboBox(), combo.style()
    combo.initStyleOption(option)
    field = QStyle.SubControl.SC_ComboBoxEditField
    return style.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, combo).width()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("view", pictures.names())
def test_all_texts_have_room_and_a_narrow_header_keeps_what_is_needed_most(window, pane, view):
    """What is needed most stands at the left."""
    assert pane.header.minimumSizeHint().width() <= pane.minimumWidth()
    headers = []
    for width in (1200, *(width for width, _ in reversed(SIZES))):
        pane.window().resize(width, 400)
        settle(window.model)
        kinds = (QComboBox, QLineEdit, QAbstractButton)
        parts = [part for kind in kinds for part in pane.view.header.findChildren(kind)]
        seen = [part for part in parts if part.isVisible()]
        headers.append(sorted(seen, key=lambda part: part.mapTo(pane, QPoint()).x()))
        assert headers[-1] == headers[0][: len(headers[-1])], width
    assert not headers[0] or len(headers[-1]) < len(headers[0]), "not all of it has room"
    found = []
    for name, size in [(name, size) for other, name, size in CASES if other == view]:
        pane.window().resize(*size)
        change(window, encoding=encodings.create(name))
        plots = [canvas for canvas in pane.findChildren(pg.GraphicsView) if canvas.isVisible()]
        faults = [fault for canvas in plots for fault in faults_of_plot(canvas)]
        where = f"{name}, {pane.width()} x {pane.height()}"
        found += [f"{where}: {fault}" for fault in (*faults, *faults_of_widgets(pane))]
    assert not found
