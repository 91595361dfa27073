"""After any sequence of changes a view is one that is drawn anew: item by item, pixel by pixel."""

import random

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QGraphicsView, QLabel

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Pin
from tests.support.gestures import settle, wait_for_worker
from tests.support.images import pixels

ENCODINGS = ("sinusoidal", "alibi", "rope", "binary", "index", "fraction")
METRICS = ("cosine", "dot", "euclidean", "manhattan", "sse", "correlation")
PINS = ((), (Pin(encodings.create("sinusoidal", base=100.0), "base 100"),))
FIRST_SEED, ROUNDS, CHANGES = 29003, 5, 6


def changed(model, pick):
    """Change something, as a user would."""
    change = pick.randrange(9)
    if change == 0:
        model.set(position=model.state.start + pick.randrange(model.state.count))
    elif change == 1:
        model.set(metric=pick.choice(METRICS))
    elif change == 2:
        model.set_encoding(pick.choice(ENCODINGS))
    elif change == 3:
        model.set(count=pick.choice((1, 2, 20, 50, 383, 1000)))
    elif change == 4:
        model.set(reference=pick.randrange(50))
    elif change == 5:
        model.set(dimension=pick.randrange(8))
    elif change == 6:
        model.set(start=pick.choice((0, 7, 10**6)))
    elif change == 7:
        model.set(pins=pick.choice(PINS))
    else:
        model.point_at(position=model.state.start + pick.randrange(model.state.count))


def items_of(view):
    """Return what can be seen in a view: texts, lines, curves, and what labels say."""
    found = []
    for canvas in view.findChildren(QGraphicsView):
        if not canvas.isVisible():
            continue
        for item in canvas.scene().items():
            if not item.isVisible():
                continue
            place = item.scenePos()
            at = (round(place.x(), 6), round(place.y(), 6))
            if isinstance(item, pg.TextItem):
                found.append(("text", item.toPlainText(), at))
            elif isinstance(item, pg.InfiniteLine):
                found.append(("line", float(item.angle), float(item.value())))
            elif isinstance(item, pg.PlotCurveItem):
                found.append(("curve", *(numbers.tobytes() for numbers in item.getData())))
    labels = [*view.findChildren(QLabel), *view.findChildren(QAbstractButton)]
    found += [("label", label.text()) for label in labels if label.isVisible()]
    return sorted(map(repr, found))


@pytest.mark.parametrize("name", pictures.names())
def test_nothing_stays_of_what_was_shown_before(show, name):
    pick = random.Random(FIRST_SEED)
    view = show(name)
    for _ in range(ROUNDS):
        for _ in range(CHANGES):
            changed(view.model, pick)
            if pick.random() < 0.6:
                settle(view.model)
        view.model.point_at()
        wait_for_worker(view.model)
        settle(view.model)
        state = view.model.state.intention
        fields = {field: getattr(state, field) for field in vars(state)}
        fresh = show(name, **fields)
        wait_for_worker(fresh.model)
        settle(fresh.model)
        assert (view.status, view.blank) == (fresh.status, fresh.blank), state
        assert items_of(view) == items_of(fresh), state
        if (focused := QApplication.focusWidget()) is not None:
            focused.clearFocus()  # it is in the view that was shown last
        seen, anew = (pixels(each.grab().toImage()) for each in (view, fresh))
        assert np.array_equal(seen, anew), state


def test_the_labels_of_look_alikes_are_those_of_the_state(show):
    """A line that was hidden meanwhile kept the label of before."""
    view = show("properties", encoding=encodings.create("sinusoidal"))
    view.model.set(position=20)
    settle(view.model)
    view.model.set_encoding("alibi")
    settle(view.model)
    view.model.set_encoding("sinusoidal")
    settle(view.model)
    marks = view.drawn.figure.panels[0].marks
    shown = [label.toPlainText() for label in view.plot.labels[: len(marks)]]
    assert shown == [mark.label for mark in marks]
