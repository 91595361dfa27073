"""Legal tables of extreme numbers: each export and view has numbers or a reason."""

import math
import os
import threading
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

import numpy as np

from pe_explorer import encodings, pictures, quantities
from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import Subject
from pe_explorer.app.application import Application
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import make_panes
from pe_explorer.params import Choice, declared, find_inner_kind
from pe_explorer.pictures.pixels import Size
from tests.endurance.calls import check_outcome, outcome_of, watched, without_windows
from tests.endurance.desk import plain_window
from tests.endurance.numbers import judged_distance, why_wrong
from tests.support.gestures import wait_for_worker

_OPTION_SHARE = 0.5  # share of the options that are changed
_METRIC_QUANTITIES = ("distances", "matrix", "likeness", "distance-histogram")
_DOT_ERROR = 4e-15  # rounding error of a dot product, relative to the lengths of the rows
_MIN_FLOAT, _MAX_FLOAT = math.ulp(0.0), 1.7e308
_TYPES = ("<f8", ">f8", "<f8", "<f4", ">f4", "<f2", "<i8", "<i4", "|i1", "|u1", "<u8", "|b1")


def run(faults, seed, size, folder, plant=()):
    Application("light")
    os.chdir(folder)
    with plain_window(1100, 760) as window, without_windows():
        window.sides.open("explain")
        window.model.worker.failed.connect(faults.receive_failure)
        for number, pick in faults.items(f"{seed} table", size, plant, PLANTS):
            path = folder / f"table-{number}.npy"
            np.save(path, table_of(pick))
            e = encodings.create("learned", file=str(path))
            faults.say(repr(np.load(path).tolist()))
            watched(faults, "a table", partial(_export, e, pick), str(path), limited=False)
            show = partial(_show, window, e, pick)
            watched(faults, "views of a table", show, str(path), limited=False)


def table_of(pick):
    rows, columns = (pick.choice((1, 2, 3, 4, 6)) for _ in range(2))
    kind = np.dtype(pick.choice(_TYPES))
    numbers = _sizes(pick, rows * columns).reshape(rows, columns)
    if pick.random() < 0.2:
        numbers[:, pick.randrange(columns)] = _sizes(pick, 1)[0]
    if pick.random() < 0.1:
        numbers[:] = numbers[0]
    if kind.kind == "f":
        limits = np.finfo(kind)
        numbers = np.clip(numbers, float(limits.min), float(limits.max))
        return numbers.astype(kind)
    if kind.kind == "b":
        return numbers > 0
    whole = np.iinfo(kind)
    ends = (whole.min, whole.max, 0, 1, 2)
    return np.array([[pick.choice(ends) for _ in row] for row in numbers], dtype=kind)


def _sizes(pick, count):
    choices = (
        lambda: pick.choice((0.0, _MIN_FLOAT, -_MIN_FLOAT, 2 * _MIN_FLOAT)),
        lambda: pick.choice((_MAX_FLOAT, -_MAX_FLOAT, 1e308, 0.0)),
        lambda: pick.choice((-1, 1)) * 10 ** pick.uniform(-323, 308),
        lambda: 10 ** pick.uniform(-310, -300),
        lambda: pick.choice((-1, 1)) * 1e200 * pick.random(),
        lambda: 1.0 + pick.choice((0.0, 1e-15, 1e-8)),
        lambda: pick.gauss(0, 1),
        lambda: pick.choice((0.0, 1.0)),
        lambda: pick.choice((1e308, _MIN_FLOAT, 1.0, -1e-200)),
    )
    one = pick.choice(choices)
    return np.array([one() for _ in range(count)])


def _export(e, pick):
    """Write every quantity with every metric; compare some distances with exact digits."""
    rows = e.domain[-1] + 1
    inputs = quantities.QuantityInput(Subject("current", e), range(rows))
    for name in quantities.list_available_names(inputs):
        metrics = tuple(distance.METRICS) if name in _METRIC_QUANTITIES else ("cosine",)
        for metric in metrics:
            words = ["export", "--encoding", "learned", "--file", e.file, "--what", name]
            words += ["--positions", f"0:{rows}", "--output", "written.npy"]
            if name in _METRIC_QUANTITIES:
                words += ["--metric", metric]
            if "shift" in name:
                words += ["--k", str(pick.choice((0, 1, -1)))]
            if name == "tokens":
                words += ["--join", "positions"]
            outcome = outcome_of(words)
            check_outcome(outcome, notes=False)
            if not outcome.code and name == "matrix":
                found = np.load("written.npy")
                for _ in range(3):
                    i, j = pick.randrange(rows), pick.randrange(rows)
                    judged = judged_distance(e, metric, i, j, float(found[i, j]), of_all=_DOT_ERROR)
                    wrong = why_wrong(*judged)
                    assert not wrong, f"{metric} of {i} and {j}: {wrong}"
            elif not outcome.code and name == "table":
                np.testing.assert_array_equal(np.load("written.npy"), np.load(e.file).astype(float))


def _show(window, e, pick):
    model, rows, pages = window.model, e.domain[-1] + 1, window.right_panel
    model.set(encoding=e, start=0, count=rows, position=0, reference=0)
    for name in pictures.names():
        pick.choice((pages.show_explanation, pages.show_inspector))()
        model.set(panes=make_panes([name]), metric=pick.choice(tuple(distance.METRICS)))
        for option, kind in declared(pictures.find(name).Options).items():
            choice = find_inner_kind(kind)
            if isinstance(choice, Choice) and pick.random() < _OPTION_SHARE:
                value = pick.choice([value for value in choice.choices if value != "umap"])
                model.set_options(name, **{option: value})
        wait_for_worker(model)
        model.point_at(position=pick.randrange(rows), dimension=pick.randrange(e.width))
        wait_for_worker(model)
        _check_something_is_shown(name, model.state)


def _check_something_is_shown(name, state):
    """Raise `AssertionError` for a picture without visible data and without a sentence."""
    picture = pictures.make_picture(name, state)
    try:
        pictures.check(name, state)
    except EncodingError:  # the window shows the sentence of the error
        return
    figure = picture.figure(picture.numbers(Size(300, 200), threading.Event()))
    is_shown = figure.note is not None or figure.clocks is not None
    for panel in figure.panels:
        is_shown |= panel.cells is not None and bool(np.isfinite(panel.cells.values).any())
        is_shown |= panel.trail is not None and len(panel.trail.x) > 0
        for curve in panel.curves:  # a single number is not a line
            is_shown |= ((panel.y.low <= curve.y) & (curve.y <= panel.y.high)).sum() > 1
    assert is_shown, f"{name} is empty, and no sentence says why"


@contextmanager
def _planted(table, name, instead):
    """Replace a function of the program, and all tables by a table that triggers the fault."""
    with patch(name, instead), patch(f"{__name__}.table_of", lambda pick: np.array(table)):
        yield


PLANTS = {
    "lengths": partial(
        _planted,
        [[1e200, 2e200], [3e200, 1e200]],
        "pe_explorer.analysis._tables._compute_lengths",
        lambda u, v, squares: np.sqrt(squares),
    ),
    "limit": partial(
        _planted,
        [[_MAX_FLOAT, -_MAX_FLOAT], [-_MAX_FLOAT, _MAX_FLOAT]],
        "pe_explorer.pictures.waves.explain_not_drawn",
        lambda *ends: "",
    ),
}
