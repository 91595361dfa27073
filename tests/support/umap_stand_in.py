"""A replacement of umap-learn, which is large and slow.

It prints what umap-learn prints. The points are the first two columns of the rows plus the seed.
Some seeds trigger failures.
"""

import os
from pathlib import Path

from pe_explorer.analysis import umap_process

FAILS, RUNS_OUT, STOPS, DIES, PRINTS, PAUSES, COUNTS, ECHOES = range(101, 109)
"""Seeds that trigger special behaviour.

The fit fails, runs out of memory, hangs, crashes, prints more, pauses after each phase, returns its
number, or fails with its arguments.
"""

PHASES = [
    "Loading UMAP",
    "Comparing rows",
    "Finding neighbours",
    "Weighting neighbours",
    "Computing an initial layout",
    "Moving points",
]

_PACKAGE = f"""
import os, sys, time

TIME = "Sun Nov  1 18:18:01 2026"
fits = 0


class UMAP:
    def __init__(self, **options):
        self.options = options

    def fit_transform(self, rows):
        global fits
        fits += 1
        seed = self.options["random_state"]
        pause = 0.5 if seed == {PAUSES} else 0.0

        def say(words):
            print(TIME, words)
            time.sleep(pause)

        print("UMAP(n_jobs=1,", "verbose=True)")
        say("Construct fuzzy simplicial set")
        say("Finding Nearest Neighbors")
        if seed == {FAILS}:
            raise ValueError("no layout\\nat all")
        if seed == {ECHOES}:
            raise ValueError("%(n_neighbors)s %(min_dist)s %(metric)s" % self.options)
        if seed == {RUNS_OUT}:
            raise MemoryError("Unable to allocate 7 GiB")
        if seed == {DIES}:
            os._exit(3)
        while seed == {STOPS}:
            time.sleep(1)
        if seed == {PRINTS}:
            os.write(1, b"what a library writes by itself")
            print("an unknown line")
            print(TIME, "An unknown phase")
            print("no end of a line", end="")
        say("Finished Nearest Neighbor Search")
        say("Construct embedding")
        bar = self.options["tqdm_kwds"]["file"]
        for epoch in (0, 250, 500):
            bar.write("\\r%d/500\\n" % epoch)
            time.sleep(pause)
            print("\\tcompleted ", epoch, " / ", 500, "epochs")
        bar.write("\\n")
        print(TIME, "Finished embedding")
        if seed == {COUNTS}:
            rows, seed = 0 * rows, fits
        return (rows[:, :2] + seed).astype("float32")
"""


def stand_in(folder, monkeypatch, package=_PACKAGE):
    """Install the replacement of umap-learn; `umap_process.end` ends a running fit."""
    umap = folder / "umap"
    umap.mkdir()
    (umap / "__init__.py").write_text(package, encoding="utf-8")
    root = Path(__file__).parents[2]
    path = filter(None, [str(folder), str(root), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    monkeypatch.syspath_prepend(folder)
    umap_process.end()
