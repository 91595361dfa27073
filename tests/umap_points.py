"""`python -m tests.umap_points` makes the points of exhibits that show UMAP; it needs umap-learn.

`pe_explorer/analysis/stored_umap.py` says what the files hold.
"""

import base64
import json
from importlib.metadata import version

from pe_explorer import encodings
from pe_explorer.analysis import umap_process
from pe_explorer.analysis.stored_umap import FOLDER
from pe_explorer.assets import asset

ENCODING = {"name": "sinusoidal", "dim": 1024, "base": 10000}
COUNT = 1000
METRIC = "cosine"
SEEDS = (42, 0, 1)
"""Those that the exhibit's words name."""


def main():
    rows = encodings.create(**ENCODING).table(range(COUNT))
    for seed in SEEDS:
        points = umap_process.embed(rows, metric=METRIC, seed=seed)
        run = {
            "encoding": ENCODING,
            "start": 0,
            "count": COUNT,
            "metric": METRIC,
            "seed": seed,
            "neighbours": umap_process.NEIGHBOURS,
            "min_dist": umap_process.MIN_DISTANCE,
            "release": version("umap-learn"),
            "points": base64.b64encode(points.astype("<f4").tobytes()).decode("ascii"),
        }
        path = asset(FOLDER) / f"seed-{seed}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(run, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
