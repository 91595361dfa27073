"""The process in which umap-learn works; `umap_process` runs it by its path.

It reads pickled rows and seeds, and answers with a line that begins with a zero byte: JSON,
``["points", list]`` or what went wrong. It ends with its input, whatever it is doing.
"""

import json
import os
import pickle
import signal
import sys
import threading
from typing import Any


def _fit(rows: Any, seed: int) -> None:
    problem = "broken"
    try:
        import umap

        problem = "failed"
        neighbours = min(15, len(rows) - 1)  # 15 and 0.1 are umap-learn's defaults
        layout = {"n_neighbors": neighbours, "min_dist": 0.1, "metric": "cosine"}
        bar = {"file": sys.stdout, "bar_format": "{n_fmt}/{total_fmt}\n"}
        fit = umap.UMAP(**layout, random_state=seed, n_jobs=1, verbose=True, tqdm_kwds=bar)
        answer = "points", fit.fit_transform(rows).tolist()
    except Exception as error:
        kind = "memory" if isinstance(error, MemoryError) else problem
        answer = kind, f"{type(error).__name__}: {error}"
    print(f"\n\0{json.dumps(answer)}")  # on a line of its own


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    try:
        while question := pickle.load(sys.stdin.buffer):  # raises if input was closed
            threading.Thread(target=_fit, args=question, daemon=True).start()
    finally:
        os._exit(0)
