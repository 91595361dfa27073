"""Points that UMAP has made once, for the explorations of exhibits: they need no umap-learn.

Each file of `resources/gallery/umap` is one run, written by ``python -m tests.umap_points``: a JSON
object with the encoding as exhibits write it, the positions by `start` and `count`, and `metric`,
`seed`, `neighbours`, `min_dist` and `release` (of umap-learn). `points` are two float32 for each
position, across and up, in bytes of little end first, as base64.
"""

import base64
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pe_explorer import encodings
from pe_explorer.arrays import Floats
from pe_explorer.assets import asset
from pe_explorer.encodings import Encoding
from pe_explorer.json_text import read_json
from pe_explorer.reading import read_bytes

FOLDER = "gallery/umap"
"""Where the runs are, in `resources/`."""

_MOST_BYTES = 1 << 18


class Run(NamedTuple):
    """What one run of UMAP was of, and what it has made.

    Attributes
    ----------
    encoding : Encoding
    positions : range
    metric : str
    seed : int
    neighbours : int
        So many rows each was joined to.
    min_dist : float
        How close points may lie.
    release : str
        The version of umap-learn.
    points : (n, 2) float64
        Of each position.
    """

    encoding: Encoding
    positions: range
    metric: str
    seed: int
    neighbours: int
    min_dist: float
    release: str
    points: Floats


def find(e: Encoding, positions: range, metric: str, seed: int) -> Run | None:
    """Return the stored run with just these rows, this metric and this seed, None if there is none.

    A file that is badly edited is left out: then the points are computed, as of any other rows.
    """
    for run in runs():
        if (run.encoding, run.positions, run.metric, run.seed) == (e, positions, metric, seed):
            return run
    return None


@cache
def runs() -> tuple[Run, ...]:
    """Return all stored runs, by the names of their files."""
    paths = sorted(asset(FOLDER).glob("*.json"))
    found = map(_read, paths)
    return tuple(run for run in found if run is not None)


def _read(path: Path) -> Run | None:
    """Return the run in a file, None where it is badly edited."""
    try:
        return _run(**read_json(read_bytes(path, _MOST_BYTES).decode("utf-8")))
    except (OSError, ValueError, LookupError, TypeError):  # of keys that lack or are not known
        return None


def _run(encoding: dict[str, Any], start: int, count: int, points: str, **settings: Any) -> Run:
    """Return a run; raises `ValueError` where its points are not as many as its positions."""
    numbers = np.frombuffer(base64.b64decode(points, validate=True), dtype="<f4")
    places = numbers.reshape(count, 2).astype(np.float64)
    e = encodings.create(**encoding)
    return Run(e, range(start, start + count), points=places, **settings)
