"""`python -m tests.umap_points` makes the points of an exhibit that shows UMAP.

It needs the umap-learn that `projection.STORED_UMAP_VERSION` names.
"""

from importlib.metadata import version

import numpy as np

from pe_explorer import encodings
from pe_explorer.analysis import umap_process
from pe_explorer.analysis.projection import STORED_UMAP_VERSION
from pe_explorer.assets import find_asset

SEEDS = (42, 0, 1)
"""Those that the exhibit's words name."""


def main():
    assert f"umap-learn {version('umap-learn')}" == STORED_UMAP_VERSION
    rows = encodings.create("sinusoidal", dim=1024).table(range(1000))
    for seed in SEEDS:
        points = umap_process.embed(rows, seed=seed)
        np.save(find_asset(f"gallery/umap/seed-{seed}.npy"), points.astype("<f4"))


if __name__ == "__main__":
    main()
