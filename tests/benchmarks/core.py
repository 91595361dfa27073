"""Benchmarks of the core: tables, block means, export."""

import tempfile
from collections import deque
from pathlib import Path

import numpy as np

from pe_explorer import encodings, quantities
from pe_explorer.files import export
from tests.benchmarks.measure import Row, alternate
from tests.support.sinusoids import sinusoid

POSITIONS, DIM = 65_536, 512


def table_fill():
    e = encodings.create("sinusoidal", dim=DIM)
    ours, usual, limit = alternate(
        lambda: e.table(range(POSITIONS)),
        lambda: sinusoid(range(POSITIONS), DIM),  # the usual formula
        lambda: np.full((POSITIONS, DIM), 0.5),  # writes new memory once: a lower limit
    )
    yield Row("table-fill", ours * 1e3, "ms", usual / ours)
    yield Row("table-fill-limit", limit * 1e3, "ms", limit / ours)


def block_means_far():
    e = encodings.create("sinusoidal", dim=DIM)
    # A queue of 64 MB prevents both sides from reusing memory that is in a cache.
    kept = deque(maxlen=16)
    far, near = alternate(
        lambda: kept.append(e.block_means(0, 10**9, 1024)),
        lambda: kept.append(e.block_means(0, 1, 1024)),
        rounds=101,
    )
    yield Row("block-means-far", far * 1e3, "ms", far / near)


def export_file():
    """Compare the export of a table of 2 GB with saving zeros from memory."""
    e, positions = encodings.create("sinusoidal", dim=DIM), range(500_000)
    zeros = np.zeros((len(positions), DIM))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "table.npy")
        ours, usual = alternate(
            lambda: export.write(quantities.of("table", e, positions), target),
            lambda: np.save(target, zeros),
            rounds=7,
            after=target.unlink,
            # the host of a virtual machine can delay one run by seconds
            typical=min,
        )
    yield Row("export", zeros.nbytes / ours / 1e9, "GB/s", usual / ours)


BENCHMARKS = (table_fill, block_means_far, export_file)
