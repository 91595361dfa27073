"""`python -m tests.made_tables` makes the tables that exhibits show in the place of learned ones.

They are made, not learned, and named so: each number is a seventh of the sum of nine random ones of
its column, and the row below shares eight of them. So near rows are alike, as in learned tables.
"""

import hashlib
import sys

import numpy as np

ROWS, COLUMNS, SHARED = 50, 32, 9
SEEDS = (1, 2)


def random_numbers(seed):
    """Return numbers from -1 to 1, shape (rows + shared - 1, columns): bytes of SHAKE-128."""
    shape = (ROWS + SHARED - 1, COLUMNS)
    drawn = hashlib.shake_128(f"made table {seed}".encode()).digest(2 * shape[0] * shape[1])
    return np.frombuffer(drawn, "<u2").reshape(shape) / 32768 - 1


def made(seed):
    """Return a made table, shape (rows, columns), float32."""
    windows = np.lib.stride_tricks.sliding_window_view(random_numbers(seed), SHARED, axis=0)
    return (windows.sum(axis=-1) / 7).astype(np.float32)


def main():
    from pe_explorer.assets import asset

    for seed in SEEDS:
        path = asset(f"gallery/tables/made-table-{seed}.npy")
        path.parent.mkdir(exist_ok=True)
        np.save(path, made(seed))
        print(path.name, path.stat().st_size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
