"""Nothing that random input does reaches a file of this machine."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests import sandbox
from tests.endurance.tree import recorded, tree, unasked
from tests.support.processes import ENVIRONMENT, ROOT, run_program

inside = pytest.mark.skipif(bool(sandbox.why_outside()), reason=sandbox.HELP)


@inside
def test_no_file_outside_can_be_written_or_changed():
    for folder in map(Path, ("/", "/etc", "/usr", "/home", "/var/tmp", sys.prefix, ROOT.parent)):
        with pytest.raises(OSError, match=r"Read-only|denied"):
            (folder / ".written-by-a-test").touch()
        with pytest.raises(OSError, match=r"Read-only|denied|permitted"):
            os.utime(folder)


@inside
def test_home_temporary_folder_user_and_network_are_its_own():
    assert os.geteuid() != 0
    assert Path.home().is_relative_to("/tmp")
    assert [name for _, name in socket.if_nameindex()] == ["lo"]
    with pytest.raises(OSError, match="unreachable"), socket.socket() as out:
        out.connect(("192.0.2.1", 80))


@inside
def test_a_sandbox_that_lets_a_process_write_elsewhere_is_none(monkeypatch):
    monkeypatch.setattr(sandbox, "WRITABLE", (ROOT, Path("/run"), Path("/dev/shm")))
    assert "/tmp" in sandbox.why_outside()


@pytest.mark.parametrize(
    "words",
    [
        ("tests.endurance", "--events", "10"),
        ("pytest", "-p", "no:cacheprovider", "-m", "xcb", "-n", "0", "tests/xcb"),
    ],
)
def test_outside_nothing_random_begins_and_the_way_in_is_named(words, tmp_path, monkeypatch):
    monkeypatch.delenv("PE_EXPLORER_SANDBOX", raising=False)
    done = run_program(ROOT, program=("-m", *words), TMPDIR=str(tmp_path))
    assert done.returncode not in (0, 1)
    assert "tests.sandbox" in done.stderr
    assert "bubblewrap" in done.stderr
    assert list(tmp_path.glob("endurance-*")) == []


def test_files_that_are_moved_deleted_or_changed_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "c", "d", "ours"):
        Path(name).write_text(name)
    Path("folder").mkdir()
    ours = [tmp_path / "ours"]
    before = tree(tmp_path, apart_from=ours)
    assert unasked(before, tree(tmp_path, apart_from=ours)) == []
    Path("a").rename("folder/a")
    Path("b").unlink()
    Path("ours").unlink()
    Path("c").write_text("another")
    Path("new").touch()
    after = tree(tmp_path, apart_from=ours)
    gone, changed = ["a is gone", "b is gone"], ["c has changed"]
    new = ["folder/a is new", "new is new"]
    assert unasked(before, after) == [f"{tmp_path}/{what}" for what in gone + changed + new]
    written = {str(tmp_path / name) for name in ("a", "c", "new")}
    found = unasked(before, after, written)
    assert found == [f"{tmp_path}/{what}" for what in [*gone, new[0]]]


WRITING = """
import os
from pathlib import Path
from tests.endurance.tree import record
record("record")
Path("new").write_text("x")
os.mkdir("folder")
Path("new").replace("folder/moved")
Path("folder/moved").read_text()
os.unlink("folder/moved")
"""


def test_what_python_writes_is_recorded(tmp_path):
    subprocess.run([sys.executable, "-c", WRITING], cwd=tmp_path, env=ENVIRONMENT, check=True)
    names = {str(Path(path).relative_to(tmp_path)) for path in recorded(tmp_path / "record")}
    assert names == {"new", "folder", "folder/moved"}
