"""Exported files: tables, curves of several encodings, and ranges of positions."""

import csv
import json
import shlex
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from pe_explorer import encodings, pictures, quantities
from pe_explorer.commandline.main import main
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration
from pe_explorer.files import export, session
from pe_explorer.files.atomic import OutputError
from pe_explorer.flags import ExportRequest
from tests.support.samples import sample
from tests.support.sinusoids import sinusoid


def array_in_file(data, path, dtype="float64", **options):
    export.write(data, path, dtype, **options)
    return np.load(path, allow_pickle=False)


@pytest.mark.parametrize("name", encodings.names())
def test_a_table_of_many_blocks_is_rounded_once(tmp_path, monkeypatch, name):
    monkeypatch.setattr(export, "_BLOCK_BYTES", 1 << 14)
    monkeypatch.setattr(export, "_MIN_BLOCK_ROWS", 1)
    e = sample(name, dim=33, heads=33, head_dim=34)
    positions = range(-700, 1300, 3) if -700 in e.domain else range(5, 2000, 3)
    for dtype, rounding in (("float64", 0), ("float32", 1e-6), ("float16", 1e-3)):
        got = array_in_file(quantities.of("table", e, positions), tmp_path / "t.npy", dtype)
        assert got.dtype == dtype
        assert got.flags.c_contiguous
        expected = e.table(list(positions)).astype(dtype)
        np.testing.assert_allclose(got, expected, rtol=rounding, atol=1e-15)
    e, positions = encodings.create("sinusoidal", dim=6), range(10**15, 10**15 + 100)
    for dtype in ("float32", "float16"):
        got = array_in_file(quantities.of("table", e, positions), tmp_path / "t.npy", dtype)
        np.testing.assert_array_equal(got, e.table(positions).astype(dtype))


def test_csv_of_distances_and_short_types(tmp_path):
    e = encodings.create("index", dim=2)
    export.write(
        quantities.of("distances", e, range(3), "manhattan"), tmp_path / "d.CSV", "float32"
    )
    first, *rows = (tmp_path / "d.CSV").read_text().splitlines()
    assert first == "position,Manhattan distance from position 0"
    assert rows == ["0,0.0", "1,2.0", "2,4.0"]


def counted(monkeypatch, data, path):
    """Write data, and return the number of rows between progress reports."""
    shares = [0.0]
    monkeypatch.setattr(export, "report", lambda progress, share: shares.append(share))
    export.write(data, path)
    return [round(rows) for rows in np.diff(shares) * data.rows]


@pytest.mark.parametrize("name", ["t.npy", "t.csv"])
def test_progress_counts_all_rows(tmp_path, monkeypatch, name):
    """Blocks have at least 64 rows, or as many as fit into four blocks."""
    e = encodings.create("index", dim=10)
    for what, size, rows in (
        ("table", 1 << 12, 64),
        ("table", 800, 40),
        ("table", 8000, 100),
        ("distances", 800, 100),
    ):
        monkeypatch.setattr(export, "_BLOCK_BYTES", size)
        data = quantities.of(what, e, range(9000), "euclidean")
        seen = counted(monkeypatch, data, tmp_path / name)
        if name == "t.csv":
            rows = (1 << 16) // (data.width or 1)
        assert seen == [*[rows] * (9000 // rows), 9000 % rows][: -(-9000 // rows)]


def test_a_row_of_any_width_is_formatted_as_text(tmp_path, monkeypatch):
    def fill(part, out):
        out[:] = np.arange(part.start, part.stop)[:, None]

    wide = quantities.Data(range(3), 70_000, "row", tuple, fill)
    assert counted(monkeypatch, wide, tmp_path / "t.csv") == [1, 1, 1]
    rows = (tmp_path / "t.csv").read_text().splitlines()[1:]
    assert rows == [f"{row}{f',{row}.0' * 70_000}" for row in range(3)]


def test_unwritable_data_are_refused(tmp_path):
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
    with pytest.raises(encodings.EncodingError, match=r"dtype: .*float64.*'int8'"):
        export.write(table, tmp_path / "t.npy", "int8")
    assert list(tmp_path.iterdir()) == []


def test_needed_and_free_space_are_reported(tmp_path, monkeypatch):
    disk = SimpleNamespace(free=1500, total=2000)
    monkeypatch.setattr(export.shutil, "disk_usage", lambda folder: disk)
    export.require_disk_space(tmp_path / "t.npy", 1500)
    for free, size, needed, left in (
        (0, 999, "999 bytes", "0 bytes"),
        (999, 1000, "1 kB", "999 bytes"),
        (10**6, 123_456_789, "123 MB", "1 MB"),
        (10**9, 10**12, "1 TB", "1 GB"),
        (10**15, 5 * 10**21, "5e+03 EB", "1 PB"),
        (1500, 1501, "1.5 kB", "1.5 kB"),
    ):
        disk.free = free
        with pytest.raises(OutputError) as exc_info:
            export.require_disk_space(tmp_path / "t.npy", size)
        assert f" {needed}, but {tmp_path} has {left} free" in exc_info.value.reason
    table = quantities.of("table", encodings.create("binary"), range(3))
    with pytest.raises(OutputError, match="needs 2 kB") as exc_info:
        export.write(table, tmp_path / "t.npy", session_text=" " * 2000)
    assert exc_info.value.path == session.to_side_path(tmp_path / "t.npy")
    disk.free = 20
    export.write(quantities.of("distances", sample("index"), range(5), "sse"), tmp_path / "5.csv")
    disk.total = 0  # not a disk, for example /proc
    export.require_disk_space(tmp_path / "t.npy", 10**30)


def test_overflow_in_a_shorter_type_is_refused(tmp_path):
    for last, fits in ((65_504, True), (70_000, False)):
        data = quantities.of("table", encodings.create("index", dim=2), range(last, last - 2, -1))
        if fits:
            assert array_in_file(data, tmp_path / "t.npy", "float16")[0, 0] == last
            continue
        for name in ("u.npy", "u.csv"):
            with pytest.raises(EncodingError) as exc_info:
                export.write(data, tmp_path / name, "float16")
            assert exc_info.value.name == "dtype"
            facts = ("70000", "float16", "65504")
            assert [fact for fact in facts if fact not in exc_info.value.fault] == []
    np.save(tmp_path / "inf.npy", np.array([[1.0, np.inf]]))
    e = encodings.create("learned", file=str(tmp_path / "inf.npy"))
    assert array_in_file(quantities.of("table", e, range(1)), tmp_path / "t.npy")[0, 1] == np.inf


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


@pytest.mark.sampled(1)
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


TYPED = ["--pin", "sinusoidal dim=16 base=500", "--pin", "index name='a \"b\", c'"]
LINE = ["export", "--encoding", "sinusoidal", "--dim", "16", "--positions", "0:7", *TYPED]


def test_exported_curves_can_be_reproduced_by_their_command(working_folder, capsys):
    more = ["--what", "distances", "--metric", "sse", "--curves", "all", "--name", "mine"]
    for ending in ("csv", "npy"):
        assert main([*LINE, *more, "-o", f"x.{ending}"]) == 0
    assert capsys.readouterr().err == ""
    with open("x.csv", newline="") as file:
        titles, *rows = csv.reader(file)
    names = ["mine", "base 500", 'a "b", c']
    assert titles == ["position", *names]
    array = np.load("x.npy")
    assert array.shape == (3, 7)
    np.testing.assert_array_equal(np.array(rows, float)[:, 1:].T, array)
    beside = json.loads((working_folder / "x.npy.session.json").read_text())
    assert beside["curves"] == names
    assert session.read("x.npy").extra == {}
    before = (working_folder / "x.npy").read_bytes()
    (working_folder / "x.npy").unlink()
    assert main(shlex.split(beside["command"])[1:]) == 0
    assert (working_folder / "x.npy").read_bytes() == before
    assert main([*LINE, "--what", "distances", "-o", "x.npy"]) == 0  # without the flag
    assert np.load("x.npy").shape == (7,)
    beside = json.loads((working_folder / "x.npy.session.json").read_text())
    assert "curves" not in beside
    assert not {"--curves", "--name", "--pin"} & set(shlex.split(beside["command"]))


def test_a_second_range_follows_the_first(working_folder):
    e = encodings.create("sinusoidal", dim=16)
    state = pictures.with_options(Exploration(e, count=4), "heatmap", second=100)
    for which, second in (("one", None), ("all", 100)):
        request = ExportRequest.from_exploration(state, what="table", curves=which)
        assert request.second_window == second
    data = request.data(e, state.positions)
    positions = [0, 1, 2, 3, 100, 101, 102, 103]
    export.write(data, working_folder / "t.npy")
    np.testing.assert_allclose(np.load("t.npy"), sinusoid(positions, 16), atol=1e-14)
    export.write(data, working_folder / "t.csv")
    with open("t.csv", newline="") as file:
        titles, *rows = csv.reader(file)
    assert titles == ["position", *map(str, range(16))]
    assert [int(row[0]) for row in rows] == positions
    np.testing.assert_array_equal(np.array(rows, float)[:, 1:], np.load("t.npy"))
    text = export.make_data_session(state, state.positions, request, working_folder / "t.npy")
    assert "--curves" not in (words := shlex.split(json.loads(text)["command"]))
    assert words[words.index("--second-start") + 1] == "100"
    assert session.loads(text).state.options["heatmap"].second == 100
