"""Rows as points of the plane by UMAP, in a process of its own.

UMAP (McInnes, Healy and Melville 2018, "UMAP: Uniform Manifold Approximation and Projection for
Dimension Reduction", arXiv:1802.03426) joins each row to its nearest neighbours, and lays the
points out so that what is joined lies together. Distances between what is far apart mean little,
and the shape changes with the seed.

It is computed by umap-learn (0.5.12 was tested), an optional extra of some 400 MB. Its first fit
takes some seconds to load and compile it, so the process stays after a fit and the next is quick.
It ends with the program, or when a fit is cancelled. Rows are rounded to float32 by umap-learn.
"""

import atexit
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, RLock, Thread
from typing import Any

import numpy as np

from pe_explorer.analysis._rows import checked_rows
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.encodings.abilities.checks import as_whole
from pe_explorer.params import one_line, quoted, reason
from pe_explorer.progress import report

METRICS = ("cosine", "euclidean", "manhattan", "chebyshev", "correlation")
"""The distances between rows that decide which are neighbours."""

NEIGHBOURS = 15
"""To so many rows each is joined, itself among them: as umap-learn's default."""
MIN_DISTANCE = 0.1
"""How close points may lie: as umap-learn's default."""

_FEWEST = 4  # rows: of fewer, umap-learn 0.5.12 finds no first layout
_LOOK = 0.05  # seconds between two moments in which a fit can be cancelled
_SETTLE = 4  # looks before a fit begins: one that is cancelled sooner costs nothing
_LONGEST_ERROR = 200  # characters of what umap-learn says of one
_HIDDEN = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows a process may open a window
_CHILD = str(Path(__file__).with_name("_umap_child.py"))
_COMMAND = (sys.executable, "-P", "-W", "ignore", _CHILD)  # with nothing of the current folder
_REPAIR = "this may mend it: pip install --force-reinstall umap-learn"
_ENDED = "the process that computes it has ended before its time (code {code})"
_TROUBLES = {
    "memory": ("memory ran out", "show fewer positions, or choose PCA"),
    "broken": ("umap-learn cannot be loaded ({why})", _REPAIR),
    "failed": ("umap-learn found no layout ({why})", "choose another metric, or PCA"),
    "ended": (_ENDED, "memory may have run out"),
    "garbled": ("the process that computes it said what cannot be read", "it was ended"),
}
"""Of each last word of a process but its points, what went wrong and what to do."""

_LOADING = "Loading UMAP"  # the first phase, of which the process says nothing
_PHASES = {
    "Construct fuzzy simplicial set": (0.1, "Comparing rows"),
    "Finding Nearest Neighbors": (0.15, "Finding neighbours"),
    "Building RP forest": (0.2, "Sorting rows into trees"),
    "NN descent": (0.25, "Finding neighbours"),
    "Finished Nearest Neighbor Search": (0.35, "Weighing neighbours"),
    "Construct embedding": (0.4, "Making a first layout"),
}
"""What umap-learn prints, how much of a fit is done then, and what it means in plain words."""


class ProcessError(EncodingError):
    """A process that has not answered as it should; another one may."""


def missing() -> str:
    """Return why there is no UMAP here, and how to add it; an empty text if it can be asked for."""
    if getattr(sys, "frozen", False):
        return "UMAP is not part of this build; PE Explorer as a package of Python can have it"
    found = importlib.util.find_spec("umap")
    if found is None or found.origin is None:  # or it is only a folder of that name
        return 'UMAP is not installed. This command adds it: pip install "pe-explorer[umap]"'
    return ""


class _Fit(Thread):
    """A question to the process, and what is said of it, for all who want the same points."""

    def __init__(self, process: Popen[bytes], question: bytes, count: int) -> None:
        super().__init__(daemon=True)
        assert process.stdin
        assert process.stdout
        self._process, self._input, self._output = process, process.stdin, process.stdout
        self._question, self._size = question, 2 * 8 * count
        self._kind = ""
        self._value: Any = None  # what was said last: of points their bytes
        self.done = 0.0, _LOADING  # how much is done, and the phase
        self.wanted_by = 0  # so many are waiting for it
        self.start()

    def serves(self, question: bytes) -> bool:
        """Return whether it has the points that are asked for, or will have them."""
        return self._question == question and (self.is_alive() or self._kind == "points")

    def points(self) -> Floats:
        """Return what was answered, or raise `EncodingError` with what was said instead."""
        if self._kind == "points":
            return np.frombuffer(self._value).reshape(-1, 2).copy()
        problem, remedy = _TROUBLES[self._kind]
        why = one_line(str(self._value))[:_LONGEST_ERROR]
        error = EncodingError if self._kind == "failed" else ProcessError
        raise error("UMAP", problem.format(why=why, code=self._process.returncode), remedy)

    def run(self) -> None:
        """Ask, and take note of all that is said; end a process that can be of no more use."""
        try:
            self._input.write(self._question)
            self._input.flush()
            while self._kind != "points" and self._kind not in _TROUBLES:
                self._hear(self._output.readline(1 << 16))
        except OSError:
            self._kind = "ended"
        if self._kind not in ("points", "failed"):
            self._process.kill()  # where it has not ended by itself
            self._process.wait()

    def _hear(self, line: bytes) -> None:
        """Take note of what the process says next."""
        try:
            kind, self._value = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            kind = "garbled" if line else "ended"
        match kind, self._value:
            case "phase", str(printed):
                known = (name for name in _PHASES if name in printed)
                self.done = _PHASES.get(next(known, ""), self.done)
            case "epochs", [int(done), int(count)] if 0 <= done <= count > 0:
                self.done = 0.5 + 0.5 * done / count, "Moving points"
            case "points", size:
                self._value = self._output.read(self._size) if size == self._size else b""
                kind = "points" if len(self._value) == self._size else "garbled"
        self._kind = str(kind)


class Umap:
    """A process with umap-learn, which is started for the first fit and stays after it.

    It does one fit at a time; those who want the same share it, and the last is kept. A fit that
    nobody wants any more ends the process, and the next starts another.
    """

    def __init__(self, command: tuple[str, ...] = _COMMAND) -> None:
        """`command` starts the process; by default this Python with umap-learn."""
        self._command = command
        self._lock = RLock()
        self._process: Popen[bytes] | None = None
        self._fit: _Fit | None = None
        atexit.register(self.end)

    @property
    def number(self) -> int | None:
        """The number by which the system knows the process; None while there is none."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    def embed(
        self, rows: Any, *, metric: str = "cosine", seed: int = 42, request: Event | None = None
    ) -> Floats:
        """Return the points of rows in the plane: (n, 2) float64.

        `rows` are (n, columns) finite numbers, n at least 4; `metric` is one of `METRICS`; `seed`
        from 0 to 2^32 - 1, and the same gives the same points in each process. `request` is told
        how much is done, and the phase in plain words; once it is set, the fit ends within a
        moment. A row that is opposite to all others has no neighbours: its point is NaN.

        Raises `EncodingError` if the rows are too few or cannot be used, UMAP is missing, or its
        process failed; `CancelledError` if the answer is no longer wanted.
        """
        if self._command is _COMMAND and (sentence := missing()):
            raise EncodingError("method", sentence)
        wanted, given = request or Event(), checked_rows(rows)
        question = _question(given, metric, seed)
        self._start()
        for _ in range(_SETTLE):
            report(wanted, 0.0, _LOADING)
            wanted.wait(_LOOK)
        while not (fit := self._joined(question, len(given))):
            report(wanted, 0.0, "Waiting for another fit")
            wanted.wait(_LOOK)
        try:
            while fit.is_alive():
                report(wanted, *fit.done)
                fit.join(_LOOK)
            report(wanted, *fit.done)
        finally:
            with self._lock:
                fit.wanted_by -= 1
                if not fit.wanted_by and fit.is_alive():
                    self.end()
        return fit.points()

    def end(self) -> None:
        """End the process now, if there is one; a fit that it was doing fails."""
        with self._lock:
            if self._process:
                self._process.kill()
                if self._fit:
                    self._fit.join()
                self._process.communicate()  # closes its pipes
            self._process = None

    def _joined(self, question: bytes, count: int) -> _Fit | None:
        """Return the fit that answers, begun where none is on its way; None if another is."""
        with self._lock:
            if not self._fit or not (self._fit.is_alive() or self._fit.serves(question)):
                self._fit = _Fit(self._start(), question, count)
            if not self._fit.serves(question):
                return None
            self._fit.wanted_by += 1
            return self._fit

    def _start(self) -> Popen[bytes]:
        """Return the process; start it where there is none."""
        with self._lock:
            if self._process and self.number:
                return self._process
            self.end()
            try:
                self._process = Popen(
                    self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, creationflags=_HIDDEN
                )
            except OSError as error:
                problem = f"the process that computes it cannot be started ({reason(error)})"
                raise EncodingError("UMAP", problem, "choose PCA") from None
            return self._process


def _question(rows: Floats, metric: str, seed: int) -> bytes:
    """Return what the process is asked, or raise `EncodingError` where it would find no answer."""
    if metric not in METRICS:
        raise EncodingError("metric", f"{quoted(metric)} is none of UMAP's: {', '.join(METRICS)}")
    as_whole(seed, "seed", 0, 2**32 - 1)
    if len(rows) < _FEWEST:
        problem = f"it joins each position to its neighbours, and there are only {len(rows)}"
        raise EncodingError("UMAP", problem, f"show at least {_FEWEST}, or choose PCA")
    asked = {
        "shape": rows.shape,
        "metric": metric,
        "seed": int(seed),
        "neighbours": min(NEIGHBOURS, len(rows) - 1),
        "distance": MIN_DISTANCE,
    }
    return json.dumps(asked).encode() + b"\n" + rows.tobytes()


shared = Umap()  # the process that the whole program shares
embed, end = shared.embed, shared.end
