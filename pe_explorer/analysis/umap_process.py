"""Projection of rows onto a plane by UMAP, in a separate process.

UMAP (McInnes, Healy and Melville 2018, "UMAP: Uniform Manifold Approximation and
Projection for Dimension Reduction", arXiv:1802.03426) connects each row to its nearest
neighbours, and arranges the points so that connected points are close. The computation
uses umap-learn (tested with 0.5.12), an optional dependency of about 400 MB. The
process is reused, because the first fit of a process takes several seconds to compile
code.
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

from pe_explorer.analysis._rows import check_rows
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.params import reason, to_one_line
from pe_explorer.progress import report

_MIN_ROWS = 4  # minimum number of rows; with fewer, umap-learn 0.5.12 cannot initialise the layout
_POLL_INTERVAL = 0.05  # seconds between polls, at which a fit can be cancelled
_POLLS_BEFORE_START = 4  # number of polls before a fit starts, so that quick changes start no fit
_MAX_ERROR = 200  # maximum number of characters in a message from umap-learn
_NO_WINDOW_FLAG = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # prevents a console window on Windows
_PIPES: Any = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL}
# The option -P prevents imports from this folder.
_CHILD_ARGUMENTS = "-u", "-P", "-Wignore", Path(__file__).with_name("_umap_child.py")
_ERROR_TEXTS = {  # the problem and the remedy for each kind of error
    "memory": ("memory ran out", "show fewer positions, or choose PCA"),
    "broken": ("umap-learn cannot be loaded ({})", "run pip install --force-reinstall umap-learn"),
    "failed": ("umap-learn found no layout ({})", "choose another metric, or PCA"),
    "ended": (
        "its process ended unexpectedly (code {}), possibly because memory ran out",
        "show fewer positions, or choose PCA",
    ),
}
_LOADING_PHASE = 0.0, "Loading UMAP"  # the first phase, during which umap-learn prints nothing
_PHASES = {  # the progress and the description of each phase, by the line that umap-learn prints
    "Construct fuzzy simplicial set": (0.1, "Comparing rows"),
    "Finding Nearest Neighbors": (0.15, "Finding neighbours"),
    "Building RP forest": (0.2, "Sorting rows into trees"),
    "NN descent": (0.25, "Finding neighbours"),
    "Finished Nearest Neighbor Search": (0.35, "Weighting neighbours"),
    "Construct embedding": (0.4, "Computing an initial layout"),
}


class ProcessError(EncodingError):
    """A failure of the process; a retry with a new process can succeed."""


def unavailable_reason() -> str:
    """Return why UMAP is not available and how to install it; empty if it is available."""
    if getattr(sys, "frozen", False):
        return "UMAP is not part of this build; to use it, install PE Explorer as a Python package"
    # A folder that is not a package has no origin.
    if getattr(importlib.util.find_spec("umap"), "origin", None) is None:
        return 'UMAP is not installed. To install it, run: pip install "pe-explorer[umap]"'
    return ""


class Umap:
    """A reusable process with umap-learn, which is killed when a fit is cancelled."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None
        self._fit_lock = Lock()
        self._last_result: dict[bytes, Floats] = {}  # the last request and its points
        atexit.register(self.end)

    @property
    def number(self) -> int | None:
        """The process id, or None if no process is running."""
        return process.pid if (process := self._process) and process.poll() is None else None

    def embed(self, rows: Any, *, seed: int = 42, request: Event | None = None) -> Floats:
        """Return UMAP's points for rows, based on cosine distances, shape (n, 2) float64.

        `rows`, shape (n, columns), contains at least 4 rows of finite values, which are rounded
        to float32. A row that is opposite to all other rows has no neighbours, so its point is
        nan. Progress is reported to `request`. Raise `EncodingError` if the rows cannot be
        used, UMAP is missing, or the process fails. Raise `CancelledError` soon after `request`
        is set.
        """
        if sentence := unavailable_reason():
            raise EncodingError("method", sentence)
        progress, rows = request or Event(), check_rows(rows)
        if len(rows) < _MIN_ROWS:
            problem = f"expected at least {_MIN_ROWS} positions, got {len(rows)}"
            raise EncodingError("UMAP", problem, "show more positions, or choose PCA")
        query = pickle.dumps((rows, seed))
        for _ in range(_POLLS_BEFORE_START):
            report(progress, *_LOADING_PHASE)
            progress.wait(_POLL_INTERVAL)
        while not self._fit_lock.acquire(timeout=_POLL_INTERVAL):
            report(progress, 0.0, "Waiting for another UMAP layout")
        try:
            if query not in self._last_result:
                self._last_result = {query: self._fit(query, progress)}
            return self._last_result[query].copy()
        finally:
            self._fit_lock.release()

    def _fit(self, query: bytes, progress: Event) -> Floats:
        process, lines = self._process, SimpleQueue[bytes]()
        if process is None or process.poll() is not None:
            self.end()
            try:
                command = sys.executable, *_CHILD_ARGUMENTS
                process = self._process = Popen(command, **_PIPES, creationflags=_NO_WINDOW_FLAG)
            except OSError as cause:
                problem = f"the process that computes it cannot be started ({reason(cause)})"
                raise EncodingError("UMAP", problem, "choose PCA") from None
        Thread(target=self._send, args=(process, query, lines), daemon=True).start()
        phase, kind, value = _LOADING_PHASE, "", None
        try:
            while not kind:
                report(progress, *phase)
                with suppress(Empty):
                    line = lines.get(timeout=_POLL_INTERVAL).decode("utf-8", "replace")
                    if line.startswith("\0"):
                        kind, value = json.loads(line[1:])
                    elif epoch_match := re.match(r"\s*(\d+)/(\d+)", line):
                        epoch, count = map(int, epoch_match.groups())
                        phase = 0.5 + 0.5 * epoch / count, "Moving points"
                    for printed_line in filter(line.__contains__, _PHASES):
                        phase = _PHASES[printed_line]
        finally:
            if kind not in ("points", "failed"):
                self.end()
        if kind == "points":
            return np.array(value)
        problem, remedy = _ERROR_TEXTS[kind]
        error_class = EncodingError if kind == "failed" else ProcessError
        raise error_class("UMAP", problem.format(to_one_line(str(value))[:_MAX_ERROR]), remedy)

    def _send(self, process: Popen[bytes], query: bytes, lines: SimpleQueue[bytes]) -> None:
        assert process.stdin
        with suppress(OSError, ValueError):  # the process may have closed its pipes
            process.stdin.write(query)
            process.stdin.flush()
            for line in process.stdout or ():
                lines.put(line)
                if line.startswith(b"\0"):
                    return
        if self._process is process:  # false after a call to `end`
            lines.put(b'\0["ended", %d]' % process.wait())

    def end(self) -> None:
        """Kill the process, if there is one; a running fit is lost."""
        process, self._process = self._process, None
        if process:
            with suppress(OSError), process:  # closes the pipes and waits for the process
                process.kill()


shared_process = Umap()
embed, end = shared_process.embed, shared_process.end
