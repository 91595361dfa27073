import csv
import subprocess
import sys

import numpy as np
import pytest

from pe_explorer import encodings, quantities
from pe_explorer.exploration import Pin
from pe_explorer.files import export
from pe_explorer.files.atomic import OutputError
from pe_explorer.flags import ExportRequest
from pe_explorer.params import ParameterError
from tests.support.samples import sample

PIN = Pin(encodings.create("binary"), "pin")


def written(data, path, dtype="float64", **options):
    export.write(data, path, dtype, **options)
    return np.load(path, allow_pickle=False)


@pytest.mark.parametrize("name", encodings.names())
def test_table_of_many_blocks_equals_the_table_rounded_once(tmp_path, monkeypatch, name):
    monkeypatch.setattr(export, "_BLOCK_BYTES", 1 << 14)
    monkeypatch.setattr(export, "_LEAST_BLOCK_ROWS", 1)
    e = sample(name, dim=33, heads=33, head_dim=34)
    positions = range(-700, 1300, 3) if -700 in e.domain else range(5, 2000, 3)
    for dtype, rounding in (("float64", 0), ("float32", 1e-6), ("float16", 1e-3)):
        got = written(quantities.of("table", e, positions), tmp_path / "t.npy", dtype)
        assert got.dtype == dtype
        assert got.flags.c_contiguous
        expected = e.table(list(positions)).astype(dtype)
        np.testing.assert_allclose(got, expected, rtol=rounding, atol=1e-15)
    e, positions = encodings.create("sinusoidal", dim=6), range(10**15, 10**15 + 100)
    for dtype in ("float32", "float16"):
        got = written(quantities.of("table", e, positions), tmp_path / "t.npy", dtype)
        np.testing.assert_array_equal(got, e.table(positions).astype(dtype))


def test_comparisons_that_there_are_not():
    difference = {"show": "difference"}
    for what, pins, facts in (
        (difference, (), ["show: ", "--pin"]),
        ({"compared": 2, "show": "pinned"}, (PIN,), ["compared: ", "2", "0"]),
        ({**difference, "what": "distances"}, (PIN,), ["show: ", "distances"]),
        ({**difference, "what": "angles"}, (PIN,), ["what: ", "binary"]),
        ({"show": "pinned", "what": "frequencies"}, (PIN,), ["what: ", "binary"]),
    ):
        with pytest.raises(ParameterError) as caught:
            ExportRequest(**what).data(encodings.create("sinusoidal"), range(3), pins)
        assert [fact for fact in facts if fact not in str(caught.value)] == []


def test_csv_reads_back_exactly(tmp_path):
    e = encodings.create("sinusoidal", dim=5)
    export.write(quantities.of("table", e, range(-3, 9)), tmp_path / "t.csv")
    with open(tmp_path / "t.csv", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["position", "0", "1", "2", "3", "4"]
    assert [int(row[0]) for row in rows] == list(range(-3, 9))
    np.testing.assert_array_equal(
        np.array([row[1:] for row in rows], dtype=float), e.table(range(-3, 9))
    )


def test_csv_of_distances_and_short_types(tmp_path):
    e = encodings.create("index", dim=2)
    export.write(
        quantities.of("distances", e, range(3), "manhattan"), tmp_path / "d.CSV", "float32"
    )
    first, *rows = (tmp_path / "d.CSV").read_text().splitlines()
    assert first == "position,Manhattan distance from position 0"
    assert rows == ["0,0.0", "1,2.0", "2,4.0"]


@pytest.mark.parametrize("name", ["t.npy", "t.csv"])
def test_progress_counts_all_rows(tmp_path, monkeypatch, name):
    monkeypatch.setattr(export, "_BLOCK_BYTES", 1 << 12)
    table, seen = quantities.of("table", encodings.create("index", dim=10), range(9000)), []
    export.write(table, tmp_path / name, progress=seen.append)
    assert sum(seen) == 9000
    assert len(seen) > 1


def test_what_cannot_be_written(tmp_path):
    index = encodings.create("index")
    table, endless = (quantities.of("table", index, range(count)) for count in (3, 2**53))
    matrix = quantities.of("matrix", encodings.create("sinusoidal"), range(2 * 10**9))
    for data, name, says in (
        (table, "t.txt", r"\.npy or \.csv"),
        (endless, "t.npy", r"1\.15 EB"),
        (matrix, "m.csv", "16 EB"),
    ):
        with pytest.raises(OutputError, match=says):
            export.write(data, tmp_path / name)
    with pytest.raises(encodings.EncodingError, match=r"dtype: 'int8' .*float64"):
        export.write(table, tmp_path / "t.npy", "int8")
    with pytest.raises(encodings.EncodingError, match="is not made of waves"):
        quantities.of("frequencies", encodings.create("binary"), range(1))
    with pytest.raises(encodings.EncodingError, match=r"metric: 'cosin'.*'cosine'"):
        quantities.of("distances", index, range(3), "cosin")
    assert list(tmp_path.iterdir()) == []


PEAK = r"""
import re, sys
from pathlib import Path
from pe_explorer.commandline.main import main
# ru_maxrss begins with the parent's
peak = lambda: int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
idle = peak()
code = main(sys.argv[1:])
print(peak() - idle)
sys.exit(code)
"""


@pytest.mark.parametrize(
    "flags",
    [
        ["--dim", "512", "--positions", "0+300_000"],
        ["--dim", "65536", "--positions", "0+2000", "--dtype", "float32", "--what", "angles"],
    ],
)
def test_memory_stays_flat(tmp_path, flags):
    command = [sys.executable, "-c", PEAK, "export", *flags, "-o", str(tmp_path / "t.npy")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (tmp_path / "t.npy").stat().st_size > 500_000_000
    assert int(done.stdout) < 150_000  # kB above the idle process
