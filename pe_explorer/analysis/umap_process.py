"""Rows as points of the plane by UMAP, in a process of its own.

UMAP (McInnes, Healy and Melville 2018, "UMAP: Uniform Manifold Approximation and Projection for
Dimension Reduction", arXiv:1802.03426) joins each row to its nearest neighbours, and lays the
points out so that what is joined lies together. It is computed by umap-learn (0.5.12 was tested),
an optional extra of some 400 MB. The process stays, because its first fit compiles for seconds.
"""

import atexit
import importlib.util
import json
import pickle
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Lock, Thread
from typing import Any

import numpy as np

from pe_explorer.analysis._rows import checked_rows
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.params import one_line, reason
from pe_explorer.progress import report

_FEWEST = 4  # rows: of fewer, umap-learn 0.5.12 finds no first layout
_LOOK = 0.05  # seconds between two moments in which a fit can be cancelled
_SETTLE = 4  # looks before a fit begins: one that is cancelled sooner costs nothing
_LONGEST_ERROR = 200  # characters of what umap-learn says of one
_HIDDEN = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows a process may open a window
_OPTIONS: Any = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "creationflags": _HIDDEN}
_CHILD = "-u", "-P", "-Wignore", Path(__file__).with_name("_umap_child.py")  # -P: not from here
_TROUBLES = {  # what went wrong and what to do, by the kind of an answer without points
    "memory": ("memory ran out", "show fewer positions, or choose PCA"),
    "broken": ("umap-learn cannot be loaded ({})", "run pip install --force-reinstall umap-learn"),
    "failed": ("umap-learn found no layout ({})", "choose another metric, or PCA"),
    "ended": ("its process ended too early (code {})", "memory may have run out"),
}
_LOADING = 0.0, "Loading UMAP"  # the first phase, in which umap-learn prints nothing
_PHASES = {  # by what umap-learn prints: how much of a fit is done then, and what it does
    "Construct fuzzy simplicial set": (0.1, "Comparing rows"),
    "Finding Nearest Neighbors": (0.15, "Finding neighbours"),
    "Building RP forest": (0.2, "Sorting rows into trees"),
    "NN descent": (0.25, "Finding neighbours"),
    "Finished Nearest Neighbor Search": (0.35, "Weighing neighbours"),
    "Construct embedding": (0.4, "Making a first layout"),
}


class ProcessError(EncodingError):
    """A process that has not answered as it should; another one may."""


def missing() -> str:
    """Return why there is no UMAP here, and how to add it; an empty text if it can be asked for."""
    if getattr(sys, "frozen", False):
        return "UMAP is not part of this build; PE Explorer as a package of Python can have it"
    if getattr(importlib.util.find_spec("umap"), "origin", None) is None:  # or only a folder
        return 'UMAP is not installed. This command adds it: pip install "pe-explorer[umap]"'
    return ""


class Umap:
    """A process with umap-learn: it stays after a fit, and is ended by one that is cancelled."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None
        self._fitting = Lock()
        self._last: dict[bytes, Floats] = {}  # for all who ask for the same
        atexit.register(self.end)

    @property
    def number(self) -> int | None:
        """The number by which the system knows the process; None while there is none."""
        return process.pid if (process := self._process) and process.poll() is None else None

    def embed(self, rows: Any, *, seed: int = 42, request: Event | None = None) -> Floats:
        """Return the points of rows in the plane by their cosine distances: (n, 2) float64.

        `rows` are (n, columns) finite numbers, n at least 4, rounded to float32; `seed` is from 0
        to 2^32 - 1. A row that is opposite to all others has no neighbours: its point is NaN.
        `request` is told how much is done. Raises `EncodingError` if the rows cannot be used, UMAP
        is missing or its process failed; `CancelledError` within a moment once `request` is set.
        """
        if sentence := missing():
            raise EncodingError("method", sentence)
        wanted, given = request or Event(), checked_rows(rows)
        if len(given) < _FEWEST:
            problem = f"it joins each position to its neighbours, and there are only {len(given)}"
            raise EncodingError("UMAP", problem, f"show at least {_FEWEST}, or choose PCA")
        question = pickle.dumps((given, seed))
        for _ in range(_SETTLE):
            report(wanted, *_LOADING)
            wanted.wait(_LOOK)
        while not self._fitting.acquire(timeout=_LOOK):
            report(wanted, 0.0, "Waiting for another fit")
        try:
            if question not in self._last:
                self._last = {question: self._fit(question, wanted)}
            return self._last[question].copy()
        finally:
            self._fitting.release()

    def _fit(self, question: bytes, wanted: Event) -> Floats:
        process, lines = self._process, SimpleQueue[bytes]()
        if process is None or process.poll() is not None:
            self.end()
            try:
                process = self._process = Popen((sys.executable, *_CHILD), **_OPTIONS)
            except OSError as cause:
                problem = f"the process that computes it cannot be started ({reason(cause)})"
                raise EncodingError("UMAP", problem, "choose PCA") from None
        Thread(target=self._ask, args=(process, question, lines), daemon=True).start()
        progress, kind, value = _LOADING, "", None
        try:
            while not kind:
                report(wanted, *progress)
                with suppress(Empty):
                    line = lines.get(timeout=_LOOK).decode("utf-8", "replace")
                    if line.startswith("\0"):
                        kind, value = json.loads(line[1:])
                    elif epochs := re.match(r"\s*(\d+)/(\d+)", line):
                        progress = 0.5 + 0.5 * int(epochs[1]) / int(epochs[2]), "Moving points"
                    for words in filter(line.__contains__, _PHASES):
                        progress = _PHASES[words]
        finally:
            if kind not in ("points", "failed"):
                self.end()
        if kind == "points":
            return np.array(value)
        problem, remedy = _TROUBLES[kind]
        error = EncodingError if kind == "failed" else ProcessError
        raise error("UMAP", problem.format(one_line(str(value))[:_LONGEST_ERROR]), remedy)

    def _ask(self, process: Popen[bytes], question: bytes, lines: SimpleQueue[bytes]) -> None:
        assert process.stdin
        with suppress(OSError, ValueError):  # it has ended, and its pipes may be closed
            process.stdin.write(question)
            process.stdin.flush()
            for line in process.stdout or ():
                lines.put(line)
                if line.startswith(b"\0"):
                    return
        if self._process is process:  # nobody has ended it
            lines.put(b'\0["ended", %d]' % process.wait())

    def end(self) -> None:
        """End the process now, if there is one, and answer no fit that it was doing."""
        process, self._process = self._process, None
        if process:
            with suppress(OSError), process:  # closes its pipes, and waits for its end
                process.kill()


shared = Umap()  # the process that the whole program shares
embed, end = shared.embed, shared.end
