"""Views after random changes against views drawn anew: item by item, and pixel by pixel."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from typing import Any
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
from pe_explorer.views.view import View
from tests.endurance.faults import Faults, Planted
from tests.support.gestures import settle, wait_for_worker
from tests.support.images import pixels

_CHANGES = 6  # of a view before it is compared
_UNSEEN = 8  # of 255: how far a shade may be off where the edge of a letter was
_SIZES = ((900, 600), (420, 280), (300, 700))
_ENCODINGS = ("sinusoidal", "alibi", "rope", "binary", "index", "fraction")
_METRICS = ("cosine", "dot", "euclidean", "manhattan", "sse", "correlation")
_PINS = ((), (Pin(encodings.create("sinusoidal", base=100.0), "base 100"),))


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Compare so many views, with what is planted."""
    app = Application("light")
    for _, pick in faults.items(f"{seed} view", size, plant, _planted):
        name = pick.choice(pictures.names())
        faults.say(name)
        app.set_theme(pick.choice(("light", "dark")))
        if left := left_behind(name, pick, pick.choice(_SIZES)):
            faults.add(f"something stays in {name}", left)


def left_behind(name: str, pick: Random, size: tuple[int, int] = _SIZES[0]) -> str:
    """Return what a view shows after some changes that one drawn anew does not, or the reverse."""
    with _shown(name, Exploration(), size) as view:
        for _ in range(_CHANGES):
            _change(view.model, pick)
            if pick.random() < 0.6:
                settle(view.model)
        view.model.point_at()
        _finish(view)
        state = view.model.state.intention
        with _shown(name, state, size) as fresh:
            _finish(fresh)
            if (focused := QApplication.focusWidget()) is not None:
                focused.clearFocus()  # it is in the view that was shown last
            return _difference(view, fresh, state)


def _difference(view: View, fresh: View, state: Exploration) -> str:
    seen, anew = _items_of(view), _items_of(fresh)
    if seen != anew:
        more, less = sorted(set(seen) - set(anew)), sorted(set(anew) - set(seen))
        return f"{more[:3]} instead of {less[:3]} in {state}"
    QCoreApplication.processEvents()  # whatever was not yet painted again
    on_screen = view.screen().grabWindow(view.winId())
    found, wanted = (pixels(each.toImage()) for each in (on_screen, fresh.grab()))
    differ = (np.abs(found - wanted) > _UNSEEN).any(axis=2)
    if differ.any():
        return f"{differ.sum()} pixels differ in {state}"
    return ""


@contextmanager
def _shown(name: str, state: Exploration, size: tuple[int, int]) -> Iterator[View]:
    """Show a view of an exploration in a window of its own."""
    model, view = Model(state), views.find(name)()
    view.resize(*size)
    view.header.setParent(view)  # above the view, where its pane would show it
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


def _finish(view: View) -> None:
    wait_for_worker(view.model)
    settle(view.model)


def _change(model: Model, pick: Random) -> None:
    """Change something, as a user would."""
    state = model.state
    near = state.start + pick.randrange(state.count)
    changes: list[Callable[[], object]] = [
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


def _items_of(view: View) -> list[str]:
    """Return what can be seen in a view: texts, lines, curves, and what labels say."""
    found: list[Any] = []
    for canvas in view.findChildren(QGraphicsView):
        for item in canvas.scene().items() if canvas.isVisible() else ():
            if not item.isVisible():
                continue
            at = round(item.scenePos().x(), 4), round(item.scenePos().y(), 4)
            if isinstance(item, pg.TextItem):
                found.append(("text", item.toPlainText(), at))
            elif isinstance(item, pg.InfiniteLine):
                found.append(("line", float(item.angle), float(item.value())))
            elif isinstance(item, pg.PlotCurveItem):
                found.append(("curve", *(numbers.tobytes() for numbers in item.getData())))
    labels = [*view.findChildren(QLabel), *view.findChildren(QAbstractButton)]
    found += [("label", label.text()) for label in labels if label.isVisible()]
    found.append(("status", view.status, view.blank))
    return sorted(map(repr, found))


# -- planted ---------------------------------------------------------------------------------------


def _planted(name: str) -> Planted:
    return patch(PLANTS[name], _first_call_only(PLANTS[name]))


def _first_call_only(name: str) -> Callable[..., None]:
    """Return a method that does its work once for an object, and nothing when called again."""
    own: Callable[..., None] = resolve_name(name)
    called: WeakSet[object] = WeakSet()

    def method(self: object, *values: object, **options: object) -> None:
        if self not in called:
            called.add(self)
            own(self, *values, **options)

    return method


PLANTS: Mapping[str, str] = {
    "marks": "pe_explorer.views._plots.CurvePlot.show_marks",
    "cells": "pe_explorer.widgets.cell_image.CellImage.show_cells",
    "badges": "pe_explorer.widgets.badge.Badge.show_text",
}
"""Methods that do nothing when they are called again, by what stays then."""
