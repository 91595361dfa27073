"""Learned tables in files."""

import dataclasses
import os
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pe_explorer import encodings, tables
from pe_explorer.encodings import EncodingError
from pe_explorer.encodings.abilities.stored import is_file_based
from pe_explorer.tables import npy
from tests.support import definitions

ROWS, COLUMNS = 300, 5


class Definition(definitions.Definition):
    called = "learned"
    sets = ({"row_offset": 2},)
    refused = (
        ({"file": "table.pt"}, ["file", "table.pt", ".npy"]),
        ({"file": 7}, ["file", "7", ".npy"]),
        ({"row_offset": -1}, ["row_offset", "0 to 2^53"]),
    )

    @property
    def table(self):
        return table_in(self.e.file)

    @property
    def table_rows(self):
        return len(self.table)

    @property
    def width(self):
        return self.table.shape[1]

    @property
    def domain(self):
        return range(-self.e.row_offset, len(self.table) - self.e.row_offset)

    def element(self, p, j):
        return float(self.table[p + self.e.row_offset, j])

    def said(self, line, p, j):
        found = re.fullmatch(r"row (p \+ \d+|p|\d+), column (\d+)", line)
        row = eval(found[1], {"p": p})
        return float(self.table[row, int(found[2])])


@cache
def table_in(file):
    return np.load(file).astype(float)


@pytest.fixture
def array():
    return np.random.default_rng(4).normal(size=(ROWS, COLUMNS)).astype("f4")


@pytest.fixture
def path(tmp_path, array):
    name = tmp_path / "two  spaces and é.npy"
    np.save(name, array)
    return str(name)


@pytest.mark.parametrize("offset", [0, 2, 299, 1000])
def test_rows_are_those_of_the_file(path, array, offset):
    e = encodings.create("learned", file=path, row_offset=offset)
    assert e.domain == range(-offset, ROWS - offset)
    assert e.width == COLUMNS
    positions = range(-offset, ROWS - offset)
    for part in (slice(None), slice(None, None, -1), slice(5, 200, 3), slice(200, 5, -40)):
        np.testing.assert_array_equal(e.table(positions[part]), array[part])
    scattered = [positions[k] for k in (7, 3, 3, 250)]
    np.testing.assert_array_equal(e.table(scattered), array[[7, 3, 3, 250]])
    assert e.value(positions[11], 4) == array[11, 4]
    assert (e.no_rows_reason == "") == (offset < ROWS)
    assert offset < ROWS or ("300 rows" in e.no_rows_reason and "first 1,000" in e.no_rows_reason)


def test_positions_without_a_row_are_refused(path, array):
    e = encodings.create("learned", file=path)
    for positions in ([300], [-1], range(290, 301), [2**53], [0, 5000]):
        with pytest.raises(EncodingError, match=r"^positions: .* 0 to 299"):
            e.table(positions)
    with pytest.raises(EncodingError, match="only for whole positions"):
        e.table([0.5])
    e = encodings.create("learned", file=path, row_offset=2)
    exact = array.astype(float).reshape(3, 100, COLUMNS).mean(axis=1)
    np.testing.assert_allclose(e.block_means(-2, 100, 3), exact, rtol=1e-13)
    assert e.cost(3, 100) == 300 * COLUMNS
    with pytest.raises(EncodingError, match="-2 to 297"):
        e.block_means(-2, 100, 4)
    with pytest.raises(EncodingError, match=r"^file: .* \.npy file"):
        encodings.create("learned").table([0])


def test_creating_an_encoding_opens_no_file(tmp_path):
    missing = str(tmp_path / "missing.npy")
    e = encodings.create("learned", file=missing, row_offset=1)
    assert missing in repr(e)
    assert (e.file, e.row_offset) == (missing, 1)
    with pytest.raises(EncodingError, match=r"^file: .*missing\.npy.*no such file"):
        e.table(range(5))


def test_a_changed_file_is_read_again(path, array, monkeypatch):
    e = encodings.create("learned", file=path)
    np.testing.assert_array_equal(e.table([3]), array[[3]])
    np.save(path, array[:100] * 2)
    assert e.domain == range(100)
    np.testing.assert_array_equal(e.table([3]), array[[3]] * 2)
    Path(path).unlink()
    with pytest.raises(EncodingError, match="cannot be read"):
        e.table([3])
    np.save(path, array)
    monkeypatch.setattr(npy, "_MAX_COPIED_SIZE", 0)  # rows are read from the file
    opened = dataclasses.replace(e, file_content=npy.read_table(path))
    os.truncate(path, 500)
    with pytest.raises(EncodingError, match=r"^file: .*has changed"):
        opened.table([3])
    np.save(path, array)
    np.testing.assert_array_equal(e.table([3]), array[[3]])


@pytest.mark.parametrize(("step", "read"), [(1, 300), (-16, 289), (17, 18), (-40, 8)])
def test_rows_between_small_steps_are_read_together(path, array, step, read, monkeypatch):
    e, parts = encodings.create("learned", file=path), []
    original = tables.Table.part

    def part(self, start, stop):
        parts.append(stop - start)
        return original(self, start, stop)

    monkeypatch.setattr(tables.Table, "part", part)
    np.testing.assert_array_equal(e.table(range(ROWS)[::step]), array[::step])
    assert sum(parts) == read
    assert len(parts) == (1 if abs(step) <= 16 else read)


def test_a_loaded_table_needs_no_file(path, array):
    e = encodings.create("learned", file=path)
    loaded = dataclasses.replace(e, file_content=tables.load(path))
    assert (is_file_based(e), is_file_based(loaded)) == (True, False)
    Path(path).unlink()
    np.testing.assert_array_equal(loaded.table([3, 9]), array[[3, 9]])
    assert loaded.parameters == e.parameters
    assert loaded != e
