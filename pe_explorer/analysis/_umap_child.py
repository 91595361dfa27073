"""The process in which umap-learn works: it reads questions, and says what becomes of them.

It is run by its path and needs nothing of the package. A question is a line of JSON, followed by
the rows as float64. What is said is a line of JSON, too: ``[kind, value]``; after ``points`` follow
so many bytes of float64. The process ends when nobody can ask any more: its input is closed.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, BinaryIO

import numpy as np

from pe_explorer.arrays import Floats

Question = dict[str, Any]
Say = Callable[..., None]

_BAR = "{n_fmt}/{total_fmt}"
_EPOCHS = re.compile(r"(\d+)/(\d+)")
_TIME = re.compile(r"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4} +")  # before the name of a phase


class _Said(io.TextIOBase):
    """Passes on what umap-learn prints, line by line: its phases, and the epochs of its bar."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say
        self._begun = ""
        """The line that has not ended yet."""

    def write(self, text: str) -> int:
        """Say what the lines tell that have ended."""
        *lines, self._begun = re.split("[\r\n]", self._begun + text)
        for line in lines:
            if epochs := _EPOCHS.match(line):
                self._say("epochs", [int(number) for number in epochs.groups()])
            elif time := _TIME.match(line):
                self._say("phase", line[time.end() :])
        return len(text)


def main() -> None:
    """Answer questions until the input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what else is printed must not come between

    def say(kind: str, value: Any, data: bytes = b"") -> None:
        output.write(json.dumps([kind, value]).encode() + b"\n" + data)
        output.flush()

    questions: SimpleQueue[tuple[Question, Floats]] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, questions), daemon=True).start()
    warnings.simplefilter("ignore")
    while True:
        _answer(*questions.get(), say)


def _read(source: BinaryIO, questions: SimpleQueue[tuple[Question, Floats]]) -> None:
    """Read questions, and end the process with the input, whatever it is doing."""
    try:
        while line := source.readline():
            question = json.loads(line)
            shape = question["shape"]
            data = source.read(8 * math.prod(shape))
            rows = np.frombuffer(data).reshape(shape)  # raises if the input was closed before
            questions.put((question, rows))
    finally:
        os._exit(0)


def _answer(question: Question, rows: Floats, say: Say) -> None:
    try:
        import umap
    except Exception as error:
        say("broken", _in_a_line(error))
        return
    try:
        points = _fit(umap.UMAP, question, rows, say)
    except MemoryError as error:
        say("memory", _in_a_line(error))
    except Exception as error:
        say("failed", _in_a_line(error))
    else:
        data = points.tobytes()
        say("points", len(data), data)


def _in_a_line(error: Exception) -> str:
    return traceback.format_exception_only(error)[-1].strip()


def _fit(kind: Callable[..., Any], question: Question, rows: Floats, say: Say) -> Floats:
    said = _Said(say)
    with contextlib.redirect_stdout(said):
        fit = kind(
            n_components=2,
            n_neighbors=question["neighbours"],
            min_dist=question["distance"],
            metric=question["metric"],
            random_state=question["seed"],
            n_jobs=1,
            verbose=True,
            tqdm_kwds={"file": said, "bar_format": _BAR},
        )
        return np.ascontiguousarray(fit.fit_transform(rows), dtype=np.float64)


if __name__ == "__main__":
    main()
