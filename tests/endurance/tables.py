"""Legal tables of extreme numbers: each export and each view has numbers, or says why not."""

import math
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QDeadlineTimer, QEventLoop
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, pictures, quantities
from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import Subject
from pe_explorer.app.application import Application
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.exploration import Exploration, panes_of
from pe_explorer.params import Choice, ParameterError, declared, inner_kind
from pe_explorer.pictures.figure import Panel
from pe_explorer.pictures.pixels import Size
from tests.endurance import many_digits
from tests.endurance.calls import called, check_outcome, without_windows
from tests.endurance.desk import plain_window
from tests.endurance.faults import Faults
from tests.endurance.limits import watched
from tests.endurance.numbers import why_wrong

Floats = npt.NDArray[np.float64]

_SIZE = (1100, 760)
_PAUSE = 40  # milliseconds in which the worker answers and the window is drawn
_OPTION = 0.5  # of the options are chosen anew
_ANGLES = ("cosine", "correlation")
_BY_METRIC = ("distances", "matrix", "likeness", "distance-histogram")
_OF_ALL = 4e-15  # what a sum of products may be off by, of the product of the rows' lengths
_LEAST, _LARGEST = math.ulp(0.0), 1.7e308
_TYPES = ("<f8", ">f8", "<f8", "<f4", ">f4", "<f2", "<i8", "<i4", "|i1", "|u1", "<u8", "|b1")


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Export and show so many tables; the first ones are tried with a fault that is planted."""
    Application("light")
    judge = _Judge(faults)
    os.chdir(folder)
    with plain_window(*_SIZE) as window, without_windows():
        window.sides.open("explain")
        window.model.worker.failed.connect(judge.receive_failure)
        for number, pick in faults.items(f"{seed} table", size):
            planted = PLANTS[plant[number - 1]] if number <= len(plant) else _NO_FAULT
            path = folder / f"table-{number}.npy"
            np.save(path, table_of(pick) if planted.table is None else np.array(planted.table))
            e = encodings.create("learned", file=str(path))
            faults.say(repr(np.load(path).tolist()))
            with planted.fault:
                watched(faults, "a table", partial(_export, e, pick), str(path), limited=False)
                show = partial(_show, window, e, pick)
                watched(faults, "views of a table", show, str(path), limited=False)


def table_of(pick: Random) -> npt.NDArray[Any]:
    """Return a table of any type of numbers, with any sizes and signs."""
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


def _sizes(pick: Random, count: int) -> Floats:
    """Return numbers of one size, or of all sizes there are."""
    choices: tuple[Callable[[], float], ...] = (
        lambda: pick.choice((0.0, _LEAST, -_LEAST, 2 * _LEAST)),
        lambda: pick.choice((_LARGEST, -_LARGEST, 1e308, 0.0)),
        lambda: pick.choice((-1, 1)) * 10 ** pick.uniform(-323, 308),
        lambda: 10 ** pick.uniform(-310, -300),
        lambda: pick.choice((-1, 1)) * 1e200 * pick.random(),
        lambda: 1.0 + pick.choice((0.0, 1e-15, 1e-8)),
        lambda: pick.gauss(0, 1),
        lambda: pick.choice((0.0, 1.0)),
        lambda: pick.choice((1e308, _LEAST, 1.0, -1e-200)),
    )
    one = pick.choice(choices)
    return np.array([one() for _ in range(count)])


class _Judge:
    """Takes a failure of the worker for a fault, unless a sentence reports it."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults

    def receive_failure(self, owner: str, error: Exception) -> None:
        if not isinstance(error, ParameterError | OSError):
            self._faults.add_exception(f"in the worker, for {owner}", error)


# -- exports ---------------------------------------------------------------------------------------


def _export(e: Encoding, pick: Random) -> None:
    """Write every quantity by every metric; compare some of the distances with many digits."""
    rows = e.domain[-1] + 1
    asked = quantities.Asked(Subject("current", e), range(rows))
    for name in quantities.applying(asked):
        metrics = tuple(distance.METRICS) if name in _BY_METRIC else ("cosine",)
        for metric in metrics:
            words = ["export", "--encoding", "learned", "--file", e.file, "--what", name]
            words += ["--positions", f"0:{rows}", "--output", "written.npy"]
            if name in _BY_METRIC:
                words += ["--metric", metric]
            if "shift" in name:
                words += ["--k", str(pick.choice((0, 1, -1)))]
            if name == "tokens":
                words += ["--join", "positions"]
            outcome = called(words)
            check_outcome(outcome, notes=False)
            if not outcome.code and name == "matrix":
                _check_distances(e, np.load("written.npy"), metric, pick)
            elif not outcome.code and name == "table":
                np.testing.assert_array_equal(np.load("written.npy"), np.load(e.file).astype(float))


def _check_distances(e: Encoding, found: Floats, metric: str, pick: Random) -> None:
    """Compare some distances with those of the exact rows."""
    for _ in range(3):
        i, j = (pick.randrange(len(found)) for _ in range(2))
        u, v = many_digits.row(e, i), many_digits.row(e, j)
        exact = many_digits.distance(u, v, metric)
        of_all = _OF_ALL if metric in (*_ANGLES, "similarity") else 0.0
        if metric in ("dot", "normalised-dot"):
            squares = many_digits.mp.fdot(u, u) * many_digits.mp.fdot(v, v)
            rounding = _OF_ALL * many_digits.mp.sqrt(squares)
            rounding *= 1 if metric == "dot" else 2 / len(u)
            if rounding > _LARGEST and abs(exact) < rounding and math.isnan(found[i, j]):
                continue
            of_all = float(min(rounding, _LARGEST))
        if metric in ("dot", "normalised-dot", "sse"):
            of_all += len(u) * _LEAST
        wrong = why_wrong(float(found[i, j]), exact, of_all)
        assert not wrong, f"{metric} of {i} and {j}: {wrong}"


# -- views -----------------------------------------------------------------------------------------


def _show(window: MainWindow, e: Encoding, pick: Random) -> None:
    """Show a table in every view, with random options, and point at it."""
    model, rows, pages = window.model, e.domain[-1] + 1, window.right_panel
    model.set(encoding=e, start=0, count=rows, position=0, reference=0)
    for name in pictures.names():
        pick.choice((pages.show_explanation, pages.show_inspector))()
        model.set(panes=panes_of([name]), metric=pick.choice(tuple(distance.METRICS)))
        for option, kind in declared(pictures.find(name).Options).items():
            choice = inner_kind(kind)
            if isinstance(choice, Choice) and pick.random() < _OPTION:
                value = pick.choice([value for value in choice.choices if value != "umap"])
                model.set_options(name, **{option: value})
        _let_answer()
        model.point_at(position=pick.randrange(rows), dimension=pick.randrange(e.width))
        _let_answer()
        assert not _is_empty(name, model.state), f"{name} is empty, and no sentence says why"


def _is_empty(name: str, state: Exploration) -> bool:
    """Return whether there is nothing to be seen of a picture, and no sentence says why."""
    picture = pictures.find(name)
    try:
        pictures.check(name, state)
    except EncodingError:  # its sentence is shown
        return False
    figure = picture.figure(state, picture.compute(state, Size(300, 200), threading.Event()))
    if figure.note is not None or figure.clocks is not None:
        return False
    return not any(map(_shows_something, figure.panels))


def _shows_something(panel: Panel) -> bool:
    """Return whether a panel has a number within its axes."""
    if panel.cells is not None and np.isfinite(panel.cells.values).any():
        return True
    if panel.trail is not None and len(panel.trail.x):
        return True
    inside = ((panel.y.low <= curve.y) & (curve.y <= panel.y.high) for curve in panel.curves)
    return any(some.sum() > 1 for some in inside)  # one number is no line


def _let_answer() -> None:
    """Let the worker answer, and the window draw what it says."""
    deadline = QDeadlineTimer(_PAUSE)
    while not deadline.hasExpired():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)


# -- planted ---------------------------------------------------------------------------------------


class Planted(NamedTuple):
    """A fault that is there for a while, and the numbers that bring it."""

    fault: AbstractContextManager[Any]
    table: Sequence[Sequence[float]] | None = None


_NO_FAULT = Planted(nullcontext())
PLANTS: Mapping[str, Planted] = {
    "no round number": Planted(
        patch("pe_explorer.analysis.histogram._LEAST_ROUND_STEP", 0.0),
        [[0.0], [_LEAST], [0.0], [_LEAST]],
    ),
    "squared lengths": Planted(
        patch("pe_explorer.analysis._tables._lengths", lambda u, v, squares: np.sqrt(squares)),
        [[1e200, 2e200], [3e200, 1e200]],
    ),
    "no limit": Planted(
        patch("pe_explorer.pictures.waves.why_not_drawn", lambda *ends: ""),
        [[_LARGEST, -_LARGEST], [-_LARGEST, _LARGEST]],
    ),
}
