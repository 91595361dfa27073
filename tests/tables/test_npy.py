"""Tables in .npy files."""

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from pe_explorer import tables
from pe_explorer.tables import MAX_COLUMNS, TableError, npy
from tests.support.pairwise import pairwise
from tests.support.tables_in_files import sparse

ROWS, COLUMNS = 40, 6
MAX_HEADER = npy._MAX_HEADER_SIZE


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "a table.npy")


def save(path, array):
    np.save(path, array)
    return path


def numbers(dtype):
    values = np.random.default_rng(2).normal(size=(ROWS, COLUMNS)) * 50
    return (values > 0) if dtype == "?" else np.abs(values).astype(dtype)


@pytest.mark.parametrize("copied", [True, False], ids=["copied", "read by rows"])
@pytest.mark.parametrize("dtype", ["f2", "<f4", ">f4", "f8", "g", "i1", "u2", ">i8", "?"])
def test_all_types_of_real_numbers_are_read(path, dtype, copied, monkeypatch):
    array = numbers(dtype)
    monkeypatch.setattr(npy, "_MAX_COPIED_SIZE", array.nbytes if copied else array.nbytes - 1)
    table = tables.read_table(save(path, array))
    assert (table.rows, table.columns) == (ROWS, COLUMNS)
    part = table.part(7, 31)
    assert part.dtype == np.float64
    np.testing.assert_array_equal(part, array[7:31].astype(float))
    assert table.part(5, 5).shape == (0, COLUMNS)
    assert table.nonfinite_count == (0 if copied else None)
    sums = array[7:31].astype(float).reshape(3, 8, COLUMNS).sum(axis=1)
    for chunk in (1, 1 << 18):  # row by row, and all rows of a block together
        monkeypatch.setattr(npy, "_CHUNK_VALUES", chunk)
        np.testing.assert_allclose(table.block_sums(7, 8, 3), sums, 1e-12)
    if array.dtype.kind == "f" and copied:
        array[3, 1], array[5, :2], array[-1, -1] = np.nan, np.inf, -np.inf
        for chunk in (1, 1 << 18):  # row by row, and all rows together
            monkeypatch.setattr(npy, "_CHUNK_VALUES", chunk)
            assert tables.read_table(save(path, array)).nonfinite_count == 4


@pytest.mark.parametrize("trailing_size", [1, 77, 4096])
def test_bytes_after_the_table_are_ignored_with_a_note(path, trailing_size):
    assert tables.read_table(save(path, numbers("f4"))).note == ""
    with open(path, "ab") as file:
        file.write(b"x" * trailing_size)
    table = tables.read_table(path)
    np.testing.assert_array_equal(table.part(0, table.rows), numbers("f4"))
    assert table.note.startswith(path)
    assert f"{ROWS} × {COLUMNS}" in table.note
    assert f"{trailing_size:,} bytes" in table.note


def test_orders_of_one_column_and_versions_of_the_header(path):
    array = np.asfortranarray(np.arange(5.0)[:, None])
    for version in ((1, 0), (2, 0)):
        with open(path, "wb") as file:
            np.lib.format.write_array(file, array, version)
        np.testing.assert_array_equal(tables.read_table(path).part(0, 5), array)


def header(shape="(4, 6)", descr="'<f4'", order="False"):
    return npy_header(f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")


def npy_header(text, length=119):
    padded = text.encode().ljust(length - 1) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded


GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 6), }"
NO_TABLES = [
    (b"", ["is not a .npy file"]),
    (b"PK\x03\x04" + bytes(100), [".npz or .pt", "an array"]),
    (b"\x80\x04pickle", ["is not a .npy file", "numpy.save"]),
    (b"\x93NUMPY", ["not a .npy file"]),
    (b"\x93NUMPY\x07\x00" + bytes(200), ["version 7"]),
    (b"\x93NUMPY\x01\x00\xff\xff" + b"{" * 5000, ["damaged"]),
    (header("(40, 6)"), ["truncated", "960"]),
    (header("(10**9, 6)"), ["damaged"]),
    (header("(900000000000, 900000)", "'<f8'"), ["truncated"]),
    (header(f"(4, {MAX_COLUMNS + 1})"), ["columns", f"{MAX_COLUMNS + 1:,}"]),
    (header(f"(4, {MAX_COLUMNS})"), ["truncated"]),
    (header("(4, 2)", order="True"), ["column-major"]),
    (header(descr="'|O'"), ["pickled", "run code"]),
    (header(descr="'<c8'"), ["complex64", "real"]),
    (header(descr="'<U5'"), ["<U5", "real"]),
    (header(descr="'<M8[s]'"), ["datetime64", "real"]),
    (header(descr="[('a', '<f4')]"), ["real"]),
    (header("(6,)"), ["(6,)", "(positions, dimensions)"]),
    (header("(1, 4, 6)"), ["(1, 4, 6)", "(positions, dimensions)"]),
    (header("(0, 6)"), ["empty"]),
    (header("(-4, 6)"), ["empty"]),
    (header("(4, True)"), ["damaged"]),
    (npy_header("{'descr': '<f4', 'shape': (4, 6), }"), ["damaged"]),
    (npy_header("__import__('os').abort()"), ["damaged"]),
    (npy_header("(" * 100), ["damaged"]),
    (npy_header(GOOD, MAX_HEADER), ["truncated"]),
    (npy_header(GOOD, MAX_HEADER + 1), ["damaged", "1,025 bytes"]),
]


def test_invalid_tables_are_refused(path):
    for data, words in NO_TABLES:
        Path(path).write_bytes(data)
        with pytest.raises(TableError) as caught:
            tables.read_table(path)
        text = str(caught.value)
        assert text == f"{caught.value.path}: {caught.value.problem}"
        assert caught.value.path == path
        assert [word for word in ("\n", *words) if word not in text] == ["\n"], data[:80]


DEEP = """
import sys, threading
from pe_explorer.tables import TableError, read_table

def read():
    try:
        read_table(sys.argv[1])
    except TableError as error:
        print(error)

threading.stack_size(512 << 10)
thread = threading.Thread(target=read)
thread.start()
thread.join()
"""


@pytest.mark.parametrize(
    ("length", "sign", "version"),
    pairwise([60_000, 9_900, MAX_HEADER], ["-", "~", "not ", "("], [1, 2]),
)
@pytest.mark.sampled(4)
def test_a_deeply_nested_header_does_not_kill_the_process(path, sign, version, length):
    """The thread has a small stack, as on some systems."""
    text = (sign * length)[: length - 2].encode() + b"1\n"
    size = length.to_bytes(2 if version == 1 else 4, "little")
    Path(path).write_bytes(b"\x93NUMPY" + bytes([version, 0]) + size + text)
    command = [sys.executable, "-c", DEEP, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{path}: ")
    assert done.stdout.count("\n") == 1


@pytest.fixture
def peak_memory():
    """Return a function that returns the peak memory use in bytes."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


def test_a_header_that_is_too_long_is_not_read(path, peak_memory):
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x02\x00" + (1 << 30).to_bytes(4, "little"))
        file.truncate(1 << 30)
    with pytest.raises(TableError, match=r"header has 1,073,741,824 bytes"):
        tables.read_table(path)
    assert peak_memory() < 1 << 20


def test_special_files_are_refused(tmp_path):
    pipe, loop = str(tmp_path / "pipe.npy"), str(tmp_path / "loop.npy")
    os.mkfifo(pipe)
    Path(loop).symlink_to(loop)
    (tmp_path / "folder.npy").mkdir()
    for path, words in (
        (pipe, "not a regular file"),
        (str(tmp_path / "folder.npy"), "not a regular file|cannot be read"),
        (loop, "cannot be read"),
        (str(tmp_path / "gone.npy"), "cannot be read"),
        (str(tmp_path / "folder.npy" / "x.npy"), "cannot be read"),
        (str(tmp_path / ("n" * 300)), "cannot be read"),
        ("/dev/zero", "not a regular file"),
        ("a\0b", "cannot be read"),
        ("", "hoose a .npy file"),
    ):
        with pytest.raises(TableError, match=words):
            tables.read_table(path)


def test_an_error_says_why_a_file_cannot_be_read(path, monkeypatch):
    with pytest.raises(TableError, match="one table, which has no name") as caught:
        tables.load(save(path, numbers("f4")), "weight")
    assert str(caught.value).startswith(f"{path}: ")

    def refuse(*_):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(npy.os, "open", refuse)
    with pytest.raises(TableError, match="permission denied"):
        tables.read_table(path)


def test_a_table_of_three_gigabytes_is_opened_without_reading_it(path, peak_memory):
    rows, columns = 200_000, 4096
    sparse(Path(path), rows, columns)
    with open(path, "r+b") as file:
        file.seek(4 * columns * (150_000 - rows), os.SEEK_END)
        file.write(np.full(columns, 7.0, "<f4").tobytes())
    part = tables.read_table(path).part(149_999, 150_002)
    assert part[:, 5].tolist() == [0.0, 7.0, 0.0]
    assert peak_memory() < 1 << 20


@pytest.fixture
def table_on_disk(path, monkeypatch):
    """Return a table that is too large to be copied."""
    monkeypatch.setattr(npy, "_MAX_COPIED_SIZE", 0)
    return tables.read_table(save(path, numbers("f4")))


def test_reading_rows_of_a_changed_file_fails(table_on_disk, path):
    os.truncate(path, 500)
    with pytest.raises(TableError, match="has changed"):
        table_on_disk.part(30, 40)
    save(path, numbers("f8"))
    with pytest.raises(TableError, match="has changed"):
        table_on_disk.part(0, 1)
    Path(path).unlink()
    with pytest.raises(TableError, match="cannot be read"):
        table_on_disk.part(0, 1)


def test_reading_rows_of_a_truncated_file_fails(table_on_disk, path, monkeypatch):
    os.truncate(path, 500)
    monkeypatch.setattr(npy, "_make_stamp", lambda status: table_on_disk.stamp)
    with pytest.raises(TableError, match="truncated"):
        table_on_disk.part(30, 40)


def test_a_copied_table_does_not_need_its_file(path):
    array = numbers("f4")
    table = tables.read_table(save(path, array))
    Path(path).unlink()
    np.testing.assert_array_equal(table.part(0, ROWS), array.astype(float))


def test_load_reads_a_file_again_only_when_it_has_changed(path, monkeypatch):
    opened = []
    real = npy.open_regular_file
    monkeypatch.setattr(npy, "open_regular_file", lambda name: opened.append(name) or real(name))
    first = tables.load(save(path, numbers("f4")))
    assert tables.load(path) is first
    assert opened == [path]
    save(path, numbers("f8"))
    second = tables.load(path)
    assert second.dtype == np.float64
    assert second != first
    Path(path).unlink()
    with pytest.raises(TableError, match="cannot be read"):
        tables.load(path)
    save(path, numbers("f4"))
    assert tables.load(path).dtype == np.float32


def test_few_tables_are_cached(tmp_path):
    paths = [save(str(tmp_path / f"{number}.npy"), numbers("f4")) for number in range(5)]
    first = tables.load(paths[0])
    assert tables.load(paths[0]) is first
    for path in paths[1:]:
        tables.load(path)
    assert tables.load(paths[0]) is not first
