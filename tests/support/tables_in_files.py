"""Files with tables for tests, and ways to damage them."""

import os

import numpy as np

ROWS, COLUMNS = 40, 6


def numbers(rows=ROWS, columns=COLUMNS, seed=3):
    return np.random.default_rng(seed).normal(size=(rows, columns)).astype("f4")


def put(path, array):
    """Replace a table atomically, as another program would."""
    beside = path.with_name(f"{path.name}.new")
    with open(beside, "wb") as file:
        np.save(file, array)
    beside.replace(path)
    return str(path)


def sparse(path, rows, columns):
    """Write a table of zeros as a sparse file, which takes almost no disk space."""
    header = {"descr": "<f4", "fortran_order": False, "shape": (rows, columns)}
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + 4 * rows * columns)
    return str(path)


def pickled(path):
    with open(path, "wb") as file:
        np.save(file, np.array([["a", None], [1, {}]], dtype=object), allow_pickle=True)


BAD = {
    "deleted": (lambda path: path.unlink(), "no such file"),
    "truncated": (lambda path: os.truncate(path, 300), "truncated"),
    "emptied": (lambda path: os.truncate(path, 0), "is not a .npy file"),
    "of one axis": (lambda path: put(path, np.arange(4.0)), "the shape (4,)"),
    "complex": (lambda path: put(path, numbers().astype(complex)), "contains complex128"),
    "pickled": (pickled, "contains pickled objects"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "cannot be read"),
}
"""Ways to damage a file, each with a part of the error message."""
