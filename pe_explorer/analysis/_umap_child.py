"""The subprocess that runs umap-learn; `umap_process` runs this file as a script.

The subprocess reads pickled rows and seeds from its standard input. Each answer is a
line that begins with a zero byte, followed by JSON: ``["points", list]`` or ``[kind of
error, message]``. The subprocess exits when its input is closed.
"""

import json
import os
import pickle
import signal
import sys
import threading
from typing import Any


def _fit(rows: Any, seed: int) -> None:
    error_kind = "broken"
    try:
        import umap

        error_kind = "failed"
        neighbour_count = min(15, len(rows) - 1)  # 15 is umap-learn's default
        umap_options = {"n_neighbors": neighbour_count, "min_dist": 0.1, "metric": "cosine"}
        progress_options = {"file": sys.stdout, "bar_format": "{n_fmt}/{total_fmt}\n"}
        reducer = umap.UMAP(
            **umap_options, random_state=seed, n_jobs=1, verbose=True, tqdm_kwds=progress_options
        )
        answer = "points", reducer.fit_transform(rows).tolist()
    except Exception as error:
        kind = "memory" if isinstance(error, MemoryError) else error_kind
        answer = kind, f"{type(error).__name__}: {error}"
    print(f"\n\0{json.dumps(answer)}")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent process handles Ctrl-C
    try:
        while request := pickle.load(sys.stdin.buffer):  # raises EOFError when the input is closed
            threading.Thread(target=_fit, args=request, daemon=True).start()
    finally:
        os._exit(0)
