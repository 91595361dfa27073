"""The process in which umap-learn works; `umap_process` runs it by its path.

It reads pickled pairs of rows and a seed. It answers with a line that begins with a zero byte:
JSON, ``["points", list]`` or what went wrong. What umap-learn prints comes before. It ends with its
input, whatever it is doing.
"""

import json
import os
import pickle
import signal
import sys
import threading
import traceback
from typing import Any


def _fit(rows: Any, seed: int) -> None:
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
        answer = "points", fit.fit_transform(rows).tolist()
    except Exception as error:
        kind = "memory" if isinstance(error, MemoryError) else problem
        answer = kind, traceback.format_exception_only(error)[-1].strip()
    print(f"\n\0{json.dumps(answer)}")  # on a line of its own


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    try:
        while question := pickle.load(sys.stdin.buffer):  # raises if input was closed
            threading.Thread(target=_fit, args=question, daemon=True).start()
    finally:
        os._exit(0)
