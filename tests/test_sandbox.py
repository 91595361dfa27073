"""Nothing that random input does reaches a file of this machine."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests import sandbox
from tests.endurance.tree import recorded, tree, unasked
from tests.support.processes import ENVIRONMENT, ROOT

inside = pytest.mark.skipif(bool(sandbox.why_outside()), reason=sandbox.HELP)


def outside_environment():
    """Return the variables of a process to which nobody has said that it is in a sandbox."""
    return {key: value for key, value in ENVIRONMENT.items() if "SANDBOX" not in key}


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
def test_outside_nothing_random_begins_and_the_way_in_is_named(words, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**outside_environment(), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode not in (0, 1)
    assert "tests.sandbox" in done.stderr
    assert "bubblewrap" in done.stderr
    assert list(tmp_path.glob("endurance-*")) == []


def test_files_that_are_moved_deleted_or_changed_are_found(tmp_path):
    for name in ("a", "b", "c", "d", "ours"):
        (tmp_path / name).write_text(name)
    (tmp_path / "folder").mkdir()
    before = tree(tmp_path, apart_from=[tmp_path / "ours"])
    assert unasked(before, tree(tmp_path, apart_from=[tmp_path / "ours"])) == []
    (tmp_path / "a").rename(tmp_path / "folder" / "a")
    (tmp_path / "b").unlink()
    (tmp_path / "ours").unlink()
    (tmp_path / "c").write_text("another")
    (tmp_path / "new").touch()
    after = tree(tmp_path, apart_from=[tmp_path / "ours"])
    found = [what.removeprefix(f"{tmp_path}{os.sep}") for what in unasked(before, after)]
    assert found == ["a is gone", "b is gone", "c has changed", "folder/a is new", "new is new"]
    written = {str(tmp_path / name) for name in ("a", "c", "new")}
    found = [what.removeprefix(f"{tmp_path}{os.sep}") for what in unasked(before, after, written)]
    assert found == ["a is gone", "b is gone", "folder/a is new"]


def test_what_python_writes_is_recorded(tmp_path):
    program = """
import os, sys
from pathlib import Path
from tests.endurance.tree import record
record("record")
Path("new").write_text("x")
os.mkdir("folder")
Path("new").replace("folder/moved")
Path("folder/moved").read_text()
os.unlink("folder/moved")
"""
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=ENVIRONMENT, check=True)
    names = {path.removeprefix(f"{tmp_path}{os.sep}") for path in recorded(tmp_path / "record")}
    assert names == {"new", "folder", "folder/moved"}
