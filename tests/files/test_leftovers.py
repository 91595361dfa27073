"""What killed writers leave: the next writer removes it, and nothing that is anybody else's."""

import errno
import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pe_explorer import encodings, quantities
from pe_explorer.exploration import Exploration
from pe_explorer.files import atomic, export, session
from pe_explorer.files.atomic import OutputError, replacing, require_space
from tests.support.files import partial_files

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from pe_explorer.files.atomic import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"theirs")
    file.flush()
    print("at work", flush=True)
    sys.stdin.readline()
"""


def leave(folder, name=".t.npy.0123abcd.part"):
    path = folder / name
    path.write_bytes(b"left behind")
    return path


def write(path, content=b"ours"):
    with replacing(path) as file:
        file.write(content)


def start(target):
    """Start a process that holds a partial file of `target` until it is told to end."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", WRITER, target], env=environment, **pipes)
    assert process.stdout.readline() == b"at work\n"
    return process


def test_what_a_killed_writer_left_goes_with_the_next_export(tmp_path):
    for name in ("t.npy", "x" * 251 + ".csv", "é" * 100 + ".png", "no ending"):
        process = start(tmp_path / name)
        process.kill()
        process.communicate()
        assert len(partial_files(tmp_path)) == 1
        write(tmp_path / ("t.csv" if Path(name).suffix else name))
        assert not partial_files(tmp_path)


def test_a_living_writer_of_the_same_file_is_left_alone(tmp_path):
    target = tmp_path / "t.npy"
    process = start(target)
    write(target)
    assert target.read_bytes() == b"ours"
    assert len(partial_files(tmp_path)) == 1
    process.communicate(b"\n")
    assert process.returncode == 0
    assert target.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["t.npy"]


def test_writers_in_one_process_leave_each_other_alone(tmp_path):
    target = tmp_path / "t.npy"
    with replacing(target) as file:
        file.write(b"outer")
        other = threading.Thread(target=write, args=(target, b"inner"))
        other.start()
        other.join()
        assert target.read_bytes() == b"inner"
    assert target.read_bytes() == b"outer"
    assert os.listdir(tmp_path) == ["t.npy"]


def test_a_file_is_held_until_it_has_its_place(tmp_path, monkeypatch):
    real = Path.replace

    def swept(self, target):
        atomic.remove_leftovers(target)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", swept)
    write(tmp_path / "t.npy")
    assert (tmp_path / "t.npy").read_bytes() == b"ours"


def test_a_file_that_is_taken_away_before_it_is_locked_is_made_anew(tmp_path, monkeypatch):
    real, made = fcntl.flock, []

    def late(descriptor, how):
        if not made:  # another writer tidies up just now
            made.extend(partial_files(tmp_path))
            made[0].unlink()
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    write(tmp_path / "t.npy")
    assert made
    assert (tmp_path / "t.npy").read_bytes() == b"ours"
    assert os.listdir(tmp_path) == ["t.npy"]


def test_on_a_disk_without_locks_nothing_is_removed(tmp_path, monkeypatch):
    def none(descriptor, how):
        raise OSError(errno.ENOLCK, "No locks available")

    left = leave(tmp_path)
    monkeypatch.setattr(fcntl, "flock", none)
    write(tmp_path / "t.npy")
    assert (tmp_path / "t.npy").read_bytes() == b"ours"
    assert partial_files(tmp_path) == [left]


def test_what_only_looks_like_ours_stays(tmp_path):
    (tmp_path / "elsewhere.npy").write_bytes(b"a user's")
    (tmp_path / ".t.npy.00000000.part").symlink_to("elsewhere.npy")
    (tmp_path / ".t.npy.00000001.part").symlink_to("nowhere.npy")
    (tmp_path / ".t.npy.00000002.part").mkdir()
    os.mkfifo(tmp_path / ".t.npy.00000003.part")
    names = ["t.npy.0123abcd.part", ".t.npy.0123abc.part", ".t.npy.0123ABCD.part", ".t.npy.part"]
    names += [".t.npy.0123abcd.partial", ".archive.20240101.part", ".film.mp4.0123abcd.part"]
    for name in names:
        leave(tmp_path, name)
    before = sorted(os.listdir(tmp_path))
    write(tmp_path / "t.npy")
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "t.npy"])
    assert (tmp_path / "elsewhere.npy").read_bytes() == b"a user's"


def test_a_link_is_followed_to_the_folder_that_is_tidied_up(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "t.npy").symlink_to("data/real.npy")
    there, here = leave(tmp_path / "data"), leave(tmp_path)
    write(tmp_path / "t.npy")
    assert (there.exists(), here.exists()) == (False, True)


def test_what_was_left_makes_room_for_an_export(tmp_path, monkeypatch):
    left = leave(tmp_path)

    def room(folder):
        return type("Usage", (), {"free": 0 if left.exists() else 1000})

    monkeypatch.setattr("pe_explorer.files.atomic.shutil.disk_usage", room)
    require_space(tmp_path / "t.npy", 500)
    assert not left.exists()


def test_a_session_put_aside_is_not_taken_for_left_behind(tmp_path, monkeypatch):
    target, text = tmp_path / "t.npy", session.dumps(Exploration())
    table = quantities.of("table", encodings.create("index"), range(3))
    export.write(table, target, beside=text)
    real = Path.replace

    def refused(self, other):
        if other == target:  # and meanwhile somebody writes in the same folder
            atomic.remove_leftovers(tmp_path / "another.npy")
            raise PermissionError(13, "Permission denied")
        return real(self, other)

    with monkeypatch.context() as system:
        system.setattr(Path, "replace", refused)
        with pytest.raises(OutputError, match="permission denied"):
            export.write(table, target, beside=text)
    assert session.side_file(target).read_text() == text


def test_a_system_without_these_locks_writes_and_removes_nothing(tmp_path):
    left = leave(tmp_path)
    program = (
        "import sys; sys.modules['fcntl'] = None; from pe_explorer.files.atomic import replacing\n"
    )
    program += "with replacing(sys.argv[1]) as file: file.write(b'ours')"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", program, tmp_path / "t.npy"], env=environment, check=True)
    assert (tmp_path / "t.npy").read_bytes() == b"ours"
    assert left.exists()
