"""The GUI thread: what takes long is done elsewhere. How long it is blocked is measured by the
benchmark `blocking`.
"""

import threading
import time
from functools import partial

import pytest

from pe_explorer import encodings, pictures, views
from pe_explorer.analysis import distance
from pe_explorer.pictures import cost as _cost
from pe_explorer.pictures.inspection import Inspection
from pe_explorer.progress import report
from tests.app import scenario
from tests.app.windows import go_to
from tests.support.gestures import wait_for_worker
from tests.support.processes import comes_true
from tests.support.samples import sample

SOON = 4 * _cost._INLINE_COST  # numbers that the worker makes in a moment


@pytest.mark.sampled(0)
def test_a_session_of_everything(window):
    steps = partial(scenario.steps, rows=30)  # how long many of them take is not asked here
    assert len(scenario.run(window, steps)) > 200
    # A view that was made ahead, for a model that may be opened, has drawn nothing yet.
    said = {name: view.status for name, view in window.workspace.built.items() if view.status}
    assert len(said) >= 3
    assert {name: status for name, status in said.items() if not status.endswith(".")} == {}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", views.names())
def test_work_above_the_inline_cost_is_done_by_the_worker(window, name, monkeypatch):
    """In whatever set-up: inline only below the cost, in the worker above it."""
    nothing = Inspection(lack="Nothing is asked here.", brief=("no value",))
    monkeypatch.setattr(pictures.find(name), "inspect", lambda *_: nothing)  # in the worker, too
    view, main, seen = go_to(window, name), threading.get_ident(), []
    # functions of plain values: a late task must not hold the view
    own, cost = view.picture.compute, view.picture.cost

    asked = {}  # what it was to cost when that was decided: what is kept meanwhile costs less

    def noting(state, size, cancelled):
        # Labels of far positions may leave a little more or less room than was asked about.
        known = asked[state, size] if (state, size) in asked else cost(state, size)
        seen.append((threading.get_ident() == main, known))
        while known >= SOON and threading.get_ident() != main:  # until another is asked for
            report(cancelled, 0.0)
            time.sleep(0.002)
        return own(state, size, cancelled)

    def asking(state, size):
        asked[state, size] = cost(state, size)
        return asked[state, size]

    members = {"compute": staticmethod(noting), "cost": staticmethod(asking)}
    view.picture = view._drawing.picture = type(view.picture.__name__, (view.picture,), members)
    for other in window.workspace.built.values():
        # the worker is this one's alone: what waits behind others may be dropped before it starts
        other.setVisible(other is view)
    for at, encoding in enumerate(encodings.names()):
        for number, dim in enumerate((2, 4096) if at % 2 else (128, 65_536)):
            metric = ("cosine", "manhattan")[(at + number) % 2]
            e = sample(encoding, **dict.fromkeys(scenario.WIDTHS, dim))
            before = len(seen)
            start = min(10**15, e.domain[-1] - 2999)
            window.model.set(encoding=e, metric=metric, start=start, count=3000)
            window.model.announce()
            if view.blank:  # nothing is computed of what has no clocks
                continue
            if cost(window.model.state, view.size_in_pixels()) < SOON:
                wait_for_worker(window.model)
            else:
                comes_true(lambda before=before: len(seen) > before, 0.2)
        window.model.set_encoding("sinusoidal", dim=8)
        window.model.set(metric="cosine", count=50)
        wait_for_worker(window.model)
    assert {inline for inline, _ in seen} == ({True} if name == "clocks" else {True, False})
    assert [cost for inline, cost in seen if inline != (cost <= _cost._INLINE_COST)] == []
    del view.picture


@pytest.mark.parametrize("metric", distance.METRICS)
@pytest.mark.parametrize("part", ["both", "histogram"])
def test_costs_tell_what_takes_long(window, part, metric):
    """What is said to be cheap is: a tenth of a second of work is far above it."""
    view = window.view("distances")
    window.model.set_options("distances", part=part)
    for encoding in encodings.names():
        for dim in (2, 128, 4096):
            e = sample(encoding, **dict.fromkeys(scenario.WIDTHS, dim))
            state = window.model.state.with_(encoding=e, metric=metric, count=3000)
            size = view.size_in_pixels()
            if view.picture.cost(state, size) <= _cost._INLINE_COST:
                taken = []
                for _ in range(3):
                    begin = time.thread_time()
                    view.picture.compute(state, size, threading.Event())
                    taken.append(time.thread_time() - begin)
                assert min(taken) < 0.1, (encoding, dim)
