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
        lambda: sinusoid(range(POSITIONS), DIM),  # as it is usually written
        lambda: np.full((POSITIONS, DIM), 0.5),  # new memory, written once: no table can beat it
    )
    yield Row("table-fill", ours * 1e3, "ms", usual / ours)
    yield Row("table-fill-limit", limit * 1e3, "ms", limit / ours)


def block_means_far():
    e = encodings.create("sinusoidal", dim=DIM)
    # 64 MB: neither side gets memory that happens to be in a cache.
    kept = deque(maxlen=16)
    far, near = alternate(
        lambda: kept.append(e.block_means(0, 10**9, 1024)),
        lambda: kept.append(e.block_means(0, 1, 1024)),
        rounds=101,
    )
    yield Row("block-means-far", far * 1e3, "ms", far / near)


def export_file():
    """Write 2 GB of table, against saving zeros that are in memory already."""
    e, positions = encodings.create("sinusoidal", dim=DIM), range(500_000)
    zeros = np.zeros((len(positions), DIM))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "table.npy")
        ours, usual = alternate(
            lambda: export.write(quantities.of("table", e, positions), target),
            lambda: np.save(target, zeros),
            rounds=7,
            after=target.unlink,
            # a virtual machine's page cache may first have to get its memory back from the host
            typical=min,
        )
    yield Row("export", zeros.nbytes / ours / 1e9, "GB/s", usual / ours)


BENCHMARKS = (table_fill, block_means_far, export_file)
