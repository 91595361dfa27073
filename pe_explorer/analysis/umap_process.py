"""Rows as points of the plane by UMAP, in a process of its own.

UMAP (McInnes, Healy and Melville 2018, "UMAP: Uniform Manifold Approximation and Projection for
Dimension Reduction", arXiv:1802.03426) joins each row to its nearest neighbours, and lays the
points out so that what is joined lies together. Distances between what is far apart mean little,
and the shape changes with the seed.

It is computed by umap-learn (0.5.12 was tested), an optional extra of some 400 MB. Its first fit
takes some seconds to load and compile it, so the process stays after a fit and the next is quick.
It ends with the program, or when a fit is cancelled. Rows are rounded to float32 by umap-learn.
"""

from __future__ import annotations

import atexit
import importlib.util
import sys
import threading
import time
from pathlib import Path
from typing import Any

from pe_explorer.analysis._child import Child
from pe_explorer.analysis._rows import checked_rows
from pe_explorer.analysis._umap_fit import LOADING, Fit, ProcessError, points_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.encodings.abilities.checks import as_whole
from pe_explorer.params import quoted, reason
from pe_explorer.progress import report

__all__ = [
    "COMMAND",
    "METRICS",
    "MIN_DISTANCE",
    "NEIGHBOURS",
    "SEEDS",
    "ProcessError",
    "Umap",
    "embed",
    "end",
    "missing",
    "number",
]


COMMAND = 'pip install "pe-explorer[umap]"'
"""What adds umap-learn to an installation."""

METRICS = ("cosine", "euclidean", "manhattan", "chebyshev", "correlation")
"""The distances between rows that decide which are neighbours."""

NEIGHBOURS = 15
"""To how many rows each is joined, itself among them: `n_neighbors`, by default 15 as here."""

MIN_DISTANCE = 0.1
"""How close points may lie: `min_dist`, by default 0.1 as here."""

SEEDS = range(2**32)
"""The seeds of the pseudo-random numbers."""

_FEWEST = 4  # rows: of fewer, umap-learn 0.5.12 finds no first layout
_LOOK = 0.05  # seconds between two moments in which a fit can be cancelled
_SETTLE = 0.2  # seconds before a fit begins: one that is cancelled sooner costs nothing
_BYTES = 2 * 8  # of a point


def missing() -> str:
    """Return why there is no UMAP here, and how to add it; an empty text if it can be asked for."""
    if getattr(sys, "frozen", False):
        return "UMAP is not part of this build; PE Explorer as a package of Python can have it"
    found = importlib.util.find_spec("umap")
    if found is None or found.origin is None:  # or it is only a folder of that name
        return f"UMAP is not installed. This command adds it: {COMMAND}"
    return ""


class Umap:
    """A process with umap-learn, which is started for the first fit and stays after it.

    It does one fit at a time; those who want the same share it, and the last is kept. A fit that
    nobody wants any more ends the process, and the next starts another.
    """

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        """`command` starts the process; by default it is this Python with umap-learn."""
        self._command = command or _own_command()
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._fit: Fit | None = None

    @property
    def number(self) -> int | None:
        """The number by which the system knows the process; None while there is none."""
        child = self._child
        return child.number if child and child.is_alive else None

    def embed(
        self,
        rows: Any,
        *,
        metric: str = "cosine",
        seed: int = 42,
        request: threading.Event | None = None,
    ) -> Floats:
        """Return the points of rows; see the function `embed`."""
        given = checked_rows(rows)
        question = _question(given, metric, seed)
        wanted = request or threading.Event()
        with self._lock:
            self._start()
        _wait(_SETTLE, wanted, LOADING)
        fit = self._joined(question, given.tobytes(), wanted)
        try:
            while not fit.is_over.wait(_LOOK):
                report(wanted, fit.share, fit.phase)
            report(wanted, fit.share, fit.phase)
        finally:
            self._leave(fit)
        assert fit.last is not None
        return points_of(fit.last)

    def end(self) -> None:
        """End the process, if there is one; a fit that it was doing fails."""
        with self._lock:
            self._end()

    def _joined(self, question: dict[str, Any], rows: bytes, wanted: threading.Event) -> Fit:
        """Return the fit that answers a question; begin it once no other is on its way."""
        while True:
            with self._lock:
                fit = self._fit
                if fit is None or not fit.serves(question, rows):
                    fit = None if fit and not fit.is_over.is_set() else self._begin(question, rows)
                if fit:
                    fit.wanted_by += 1
                    return fit
            _wait(_LOOK, wanted, "Waiting for another fit")

    def _begin(self, question: dict[str, Any], rows: bytes) -> Fit:
        """Ask the process; nobody else may be waiting for it."""
        fit = self._fit = Fit(question, rows)
        count, _ = question["shape"]
        self._start().ask(question, rows, _BYTES * count, fit.hear)
        return fit

    def _leave(self, fit: Fit) -> None:
        """No longer wait for a fit, which ends where nobody else does."""
        with self._lock:
            fit.wanted_by -= 1
            if not fit.wanted_by and not fit.is_over.is_set():
                self._end()

    def _start(self) -> Child:
        """Return the process; start it where there is none."""
        if not self.number:
            self._end()
        if not self._child:
            try:
                self._child = Child(self._command)
            except OSError as error:
                problem = f"the process that computes it cannot be started ({reason(error)})"
                raise EncodingError("UMAP", problem, "choose PCA") from None
            atexit.register(self.end)
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child:
            child.close()
            atexit.unregister(self.end)


def _question(rows: Floats, metric: str, seed: int) -> dict[str, Any]:
    """Return what the process is asked, or raise `EncodingError` where it would find no answer."""
    if metric not in METRICS:
        known = ", ".join(METRICS)
        raise EncodingError("metric", f"{quoted(metric)} is none of UMAP's: {known}")
    as_whole(seed, "seed", SEEDS[0], SEEDS[-1])
    if len(rows) < _FEWEST:
        problem = f"it joins each position to its neighbours, and here are only {len(rows)}"
        raise EncodingError("UMAP", problem, f"show at least {_FEWEST}, or choose PCA")
    return {
        "shape": rows.shape,
        "metric": metric,
        "seed": int(seed),
        "neighbours": min(NEIGHBOURS, len(rows) - 1),
        "distance": MIN_DISTANCE,
    }


def _own_command() -> tuple[str, ...]:
    """Return what starts the process: this Python, with nothing of the current folder."""
    return sys.executable, "-P", str(Path(__file__).with_name("_umap_child.py"))


def _wait(seconds: float, wanted: threading.Event, phase: str) -> None:
    """Wait; raise `CancelledError` if the answer is no longer wanted."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        report(wanted, 0.0, phase)
        time.sleep(_LOOK)


_shared = Umap()


def embed(
    rows: Any, *, metric: str = "cosine", seed: int = 42, request: threading.Event | None = None
) -> Floats:
    """Return the points of rows in the plane, from a process that the whole program shares.

    Parameters
    ----------
    rows : (n, columns) array of finite numbers
        At least 4.
    metric : str
        One of `METRICS`: the distance between rows.
    seed : int
        From 0 to 2^32 - 1. The same seed gives the same points, in each process.
    request : threading.Event, optional
        Told how much is done, and the phase in plain words; see `progress.report`. Once it is
        set, the fit ends within a moment.

    Returns
    -------
    (n, 2) float64
        NaN for a row that is opposite to all others, which has no neighbours.

    Raises
    ------
    EncodingError
        If the rows are too few or cannot be used, UMAP is missing, or its process failed.
    CancelledError
        If the answer is no longer wanted.
    """
    if sentence := missing():
        raise EncodingError("method", sentence)
    return _shared.embed(rows, metric=metric, seed=seed, request=request)


def end() -> None:
    """End the process that the program shares, if there is one."""
    _shared.end()


def number() -> int | None:
    """Return the number by which the system knows that process; None while there is none."""
    return _shared.number
