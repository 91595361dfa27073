"""No text is cut or lies over another in small panes and windows."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
)

from pe_explorer import encodings, pictures
from pe_explorer.figures.page import PageText
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.widgets.labels import ElidedLabel
from tests.app.windows import change
from tests.support.figures import box
from tests.support.gestures import settle, wait_for_worker
from tests.support.pairwise import pairwise

SIZES = [(240, 180), (333, 290), (464, 292)]
"""The last two are those of panes at 1280 x 800, with both panels and with one."""
CASES = pairwise(pictures.names(), encodings.names(), SIZES)


@pytest.fixture
def pane(window, view):
    """The pane of a view in a window of its own, as small as is asked for."""
    window.workspace.show_view(view)
    pane = window.workspace.pane(view)
    pane.own_window_button.click()
    settle(window.model)
    yield pane
    pane.own_window_button.click()
    settle(window.model)


def faults_of_page(view):
    """Yield what is wrong with the texts of the page that a view shows."""
    if not view.canvas.isVisible():
        return
    if view.layers is None:
        yield "the picture has no room"
        return
    metrics, whole = QFontMetricsF(view.font()), view.canvas.rect()
    scale = UNIT_POINTS["px"] / view.font().pointSizeF()

    def measure(text, size):
        return metrics.horizontalAdvance(text) * scale * size

    items = (*view.layers.outer_items, *view.layers.background, *view.layers.foreground)
    texts = [item for item in items if isinstance(item, PageText)]
    places = [np.divide(box(text, measure), UNIT_POINTS["px"]) for text in texts]
    for number, (text, place) in enumerate(zip(texts, places, strict=True)):
        if place[:2].min() < -1 or (place[2:] > (whole.width() + 1, whole.height() + 1)).any():
            yield f"{text.text!r} is cut at the edge of the page"
        for other, there in zip(texts[:number], places, strict=False):
            if (np.minimum(place, there)[2:] - np.maximum(place, there)[:2]).min() > 2:
                yield f"{text.text!r} lies over {other.text!r}"


def faults_of_widgets(pane):
    for label in pane.findChildren(QLabel):
        if not label.isVisible() or not label.text() or isinstance(label, ElidedLabel):
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
        where = f"{name}, {pane.width()} x {pane.height()}"
        faults = (*faults_of_page(pane.view), *faults_of_widgets(pane))
        found += [f"{where}: {fault}" for fault in faults]
    assert not found


@pytest.mark.parametrize("explains", [True, False], ids=["explained", "folded"])
def test_every_exhibit_and_view_can_be_read_in_a_window_of_1024_x_640(window, explains):
    window.resize(1024, 640)
    openings = {name: (window.exhibit_walk.open, name) for name in exhibits()}
    openings |= {name: (window.workspace.show_view, name) for name in pictures.names()}
    faults = []
    for name, (open_it, argument) in openings.items():
        open_it(argument)
        window.actions_by_key["explain"].setChecked(explains)
        wait_for_worker(window.model)
        title = window.centre.strip.title
        if title.elided_text != title.text():
            faults.append((name, "the title of the strip is cut"))
        for view in map(window.view, window.workspace.shown_views):
            of_view = list(faults_of_page(view))
            if view.canvas.isVisible() and view.placed_panels:
                for panel, placed in view.placed_panels.items():
                    width, height = np.divide(placed.area[2:], UNIT_POINTS["px"])
                    if width < 80 or height < 60:
                        of_view.append(f"{panel} has only {width:.0f} x {height:.0f} pixels")
                    if "…" in placed.panel.x.title + placed.panel.y.title:
                        of_view.append(f"a title of {panel} is cut")
            faults += [(name, view.picture.name, fault) for fault in of_view]
    assert faults == []
