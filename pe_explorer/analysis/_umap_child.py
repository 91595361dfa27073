"""The process in which umap-learn works: it reads questions, and says what becomes of them.

It is run by its path and needs nothing of the package. A question is a line of JSON, followed by
the rows as float64. What is said is a line of JSON, too: ``[kind, value]``; after ``points`` follow
so many bytes of float64. The process ends when nobody can ask any more: its input is closed.
"""

import io
import json
import os
import re
import signal
import sys
import threading
import traceback
from queue import SimpleQueue
from typing import Any

import numpy as np


class _Speaker(io.TextIOBase):
    """Says what becomes of a question, and what umap-learn prints: phases, its bar's epochs."""

    def __init__(self) -> None:
        self._output = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what a library prints by itself must not come between
        self._begun = ""  # the line that has not ended yet

    def say(self, kind: str, value: Any, data: bytes = b"") -> None:
        """Say one thing."""
        self._output.write(json.dumps([kind, value]).encode() + b"\n" + data)
        self._output.flush()

    def write(self, text: str) -> int:
        """Say what the lines tell that have ended."""
        *lines, self._begun = re.split("[\r\n]", self._begun + text)
        for line in lines:
            if epochs := re.match(r"(\d+)/(\d+)", line):
                self.say("epochs", [int(number) for number in epochs.groups()])
            else:
                self.say("phase", line)
        return len(text)


def _read(questions: SimpleQueue[Any]) -> None:
    """Read questions, and end the process with the input, whatever it is doing."""
    try:
        while line := sys.stdin.buffer.readline():
            count, columns = (question := json.loads(line))["shape"]
            rows = np.frombuffer(sys.stdin.buffer.read(8 * count * columns))
            questions.put((question, rows.reshape(count, columns)))  # raises if input was closed
    finally:
        os._exit(0)


def _answer(speaker: _Speaker, question: dict[str, Any], rows: Any) -> None:
    problem = "broken"
    try:
        import umap

        problem = "failed"
        fit = umap.UMAP(
            n_components=2,
            n_neighbors=question["neighbours"],
            min_dist=question["distance"],
            metric=question["metric"],
            random_state=question["seed"],
            n_jobs=1,
            verbose=True,
            tqdm_kwds={"file": speaker, "bar_format": "{n_fmt}/{total_fmt}"},
        )
        points = np.asarray(fit.fit_transform(rows), dtype=np.float64).tobytes()
        speaker.say("points", len(points), points)
    except Exception as error:
        kind = "memory" if isinstance(error, MemoryError) else problem
        speaker.say(kind, traceback.format_exception_only(error)[-1].strip())


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    sys.stdout = speaker = _Speaker()
    questions: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(questions,), daemon=True).start()
    while True:
        _answer(speaker, *questions.get())
