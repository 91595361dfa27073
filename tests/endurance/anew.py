"""Comparison of views after random changes with new views, by item and by pixel."""

from contextlib import contextmanager
from functools import partial
from pkgutil import resolve_name
from unittest.mock import patch
from weakref import WeakSet

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QGraphicsView, QLabel

from pe_explorer import encodings, pictures, views
from pe_explorer.app.application import Application
from pe_explorer.exploration import Pin
from pe_explorer.model import Exploration, Model
from tests.support.gestures import settle, wait_for_worker
from tests.support.images import pixels

_CHANGES = 6  # changes of a view before the comparison
_MAX_SHADE_DIFFERENCE = 8  # of 255, because edges of letters differ slightly
_SIZES = ((900, 600), (420, 280), (300, 700))
_ENCODINGS = ("sinusoidal", "alibi", "rope", "binary", "index", "fraction")
_METRICS = ("cosine", "dot", "euclidean", "manhattan", "sse", "correlation")
_PINS = ((), (Pin(encodings.create("sinusoidal", base=100.0), "base 100"),))


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    for _, pick in faults.items(f"{seed} view", size, plant, PLANTS):
        name = pick.choice(pictures.names())
        faults.say(name)
        app.set_theme(pick.choice(("light", "dark")))
        if left := left_behind(name, pick, pick.choice(_SIZES)):
            faults.add(f"something stays in {name}", left)


def left_behind(name, pick, size=_SIZES[0]):
    """Return the difference between a view after some changes and a new view, if there is one."""
    with _shown(name, Exploration(), size) as view:
        for _ in range(_CHANGES):
            _change(view.model, pick)
            if pick.random() < 0.6:
                settle(view.model)
        view.model.point_at()
        wait_for_worker(view.model)
        state = view.model.state.intention
        with _shown(name, state, size) as fresh:
            wait_for_worker(fresh.model)
            if (focused := QApplication.focusWidget()) is not None:
                focused.clearFocus()  # the view that was shown last has the focus
            seen, anew = _items_of(view), _items_of(fresh)
            if seen != anew:
                more, less = sorted(set(seen) - set(anew)), sorted(set(anew) - set(seen))
                return f"{more[:3]} instead of {less[:3]} in {state}"
            QCoreApplication.processEvents()  # paints everything that is still pending
            on_screen = view.screen().grabWindow(view.winId())
            found, wanted = (pixels(each.toImage()) for each in (on_screen, fresh.grab()))
            differ = (np.abs(found - wanted) > _MAX_SHADE_DIFFERENCE).any(axis=2)
            return f"{differ.sum()} pixels differ in {state}" if differ.any() else ""


def _items_of(view):
    labels = [*view.findChildren(QLabel), *view.findChildren(QAbstractButton)]
    found = [("label", label.text()) for label in labels if label.isVisible()]
    found.append(("status", view.status, view.is_blank))
    canvases = [canvas for canvas in view.findChildren(QGraphicsView) if canvas.isVisible()]
    for item in (item for canvas in canvases for item in canvas.scene().items()):
        if item.isVisible() and isinstance(item, pg.TextItem):
            at = item.scenePos()
            found.append(("text", item.toPlainText(), round(at.x(), 4), round(at.y(), 4)))
        elif item.isVisible() and isinstance(item, pg.InfiniteLine):
            found.append(("line", float(item.angle), float(item.value())))
        elif item.isVisible() and isinstance(item, pg.PlotCurveItem):
            found.append(("curve", *(numbers.tobytes() for numbers in item.getData())))
    return sorted(map(repr, found))


@contextmanager
def _shown(name, state, size):
    model, view = Model(state), views.find(name)()
    view.resize(*size)
    view.header.setParent(view)  # above the view, as in a pane
    view.header.setGeometry(0, -60, size[0], 40)
    view.attach(model)
    view.show()
    settle(model)
    try:
        yield view
    finally:
        view.detach()
        model.close()
        view.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _change(model, pick):
    state = model.state
    near = state.start + pick.randrange(state.count)
    changes = [
        lambda: model.set(position=near),
        lambda: model.set(metric=pick.choice(_METRICS)),
        lambda: model.set_encoding(pick.choice(_ENCODINGS)),
        lambda: model.set(count=pick.choice((1, 2, 20, 50, 383, 1000))),
        lambda: model.set(reference=pick.randrange(50)),
        lambda: model.set(dimension=pick.randrange(8)),
        lambda: model.set(start=pick.choice((0, 7, 10**6))),
        lambda: model.set(pins=pick.choice(_PINS)),
        lambda: model.point_at(position=near),
    ]
    pick.choice(changes)()


def _first_call_only(name):
    own, called = resolve_name(name), WeakSet()

    def method(self, *values, **options):
        if self not in called:
            called.add(self)
            own(self, *values, **options)

    return patch(name, method)


PLANTS = {
    "words": partial(_first_call_only, "pe_explorer.views.view.View._set_status"),
}
