"""The process in which umap-learn works; it is run by its path and needs nothing of the package.

It reads questions: a line of JSON with the size of the rows and the seed, and the rows as a file of
NumPy. The answer is a line that begins with a zero byte: JSON, ``["points", list]`` or what went
wrong. Lines before it are what umap-learn prints. It ends with its input, whatever it is doing.
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


def _fit(rows: Any, seed: int) -> tuple[str, Any]:
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
            tqdm_kwds={"file": sys.stdout, "bar_format": "{n_fmt}/{total_fmt}\n"},
        )
        return "points", fit.fit_transform(rows).astype(np.float64).tolist()
    except Exception as error:
        kind = "memory" if isinstance(error, MemoryError) else problem
        return kind, traceback.format_exception_only(error)[-1].strip()


def _answer(rows: Any, seed: int) -> None:
    print(f"\n\0{json.dumps(_fit(rows, seed))}")  # on a line of its own


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    try:
        while line := sys.stdin.buffer.readline():
            size, seed = json.loads(line)
            rows = np.load(io.BytesIO(sys.stdin.buffer.read(size)))  # raises if input was closed
            threading.Thread(target=_answer, args=(rows, seed), daemon=True).start()
    finally:
        os._exit(0)
