"""The process in which umap-learn works; it is run by its path and needs nothing of the package.

It reads questions: a line of JSON with the size of the rows and the seed, and the rows as a file of
NumPy. It answers in lines of JSON: ``["printed", text]`` for what umap-learn prints, and at last
``["points", list]`` or what went wrong. It ends with its input, whatever it is doing.
"""

import io
import json
import os
import signal
import sys
import threading
import traceback
from typing import Any

import numpy as np


class _Output(io.TextIOBase):
    """Sends answers; what libraries write to 1 by themselves must not come between them."""

    def __init__(self) -> None:
        self._stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def answer(self, kind: str, value: Any) -> None:
        print(json.dumps([kind, value]), file=self._stream, flush=True)

    def write(self, text: str) -> int:
        self.answer("printed", text)
        return len(text)


def _fit(output: _Output, rows: Any, seed: int) -> None:
    problem = "broken"
    try:
        import umap

        problem = "failed"
        fit = umap.UMAP(
            n_neighbors=min(15, len(rows) - 1),  # 15 and 0.1 are umap-learn's defaults
            min_dist=0.1,
            metric="cosine",
            random_state=seed,
            n_jobs=1,
            verbose=True,
            tqdm_kwds={"file": output, "bar_format": "{n_fmt}/{total_fmt}"},
        )
        output.answer("points", fit.fit_transform(rows).astype(np.float64).tolist())
    except Exception as error:
        kind = "memory" if isinstance(error, MemoryError) else problem
        output.answer(kind, traceback.format_exception_only(error)[-1].strip())


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    sys.stdout = output = _Output()
    try:
        while line := sys.stdin.buffer.readline():
            size, seed = json.loads(line)
            rows = np.load(io.BytesIO(sys.stdin.buffer.read(size)))  # raises if input was closed
            threading.Thread(target=_fit, args=(output, rows, seed), daemon=True).start()
    finally:
        os._exit(0)
