"""Atomic writing, and removal of leftovers."""

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pe_explorer.files import atomic
from pe_explorer.files.atomic import OutputError, replace_file
from pe_explorer.files.export import require_disk_space
from tests.support.files import partial_files
from tests.support.processes import ENVIRONMENT


def test_a_new_file_appears_only_at_the_end(tmp_path):
    target = tmp_path / "new.npy"
    with replace_file(target) as file:
        file.write(b"all of it")
        file.flush()
        assert not target.exists()
    assert target.read_bytes() == b"all of it"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_failure_leaves_the_old_file_and_nothing_else(tmp_path, error):
    target = tmp_path / "old.npy"
    target.write_bytes(b"old")

    def fail():
        with replace_file(target) as file:
            file.write(b"new")
            raise error

    with pytest.raises(error):
        fail()
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_mode_and_umask_are_respected(tmp_path):
    target = tmp_path / "x.csv"
    with replace_file(target) as file:
        file.write(b"1")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask
    target.chmod(0o640)
    with replace_file(target) as file:
        file.write(b"2")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_valid_and_invalid_file_names(tmp_path):
    for name in ("é" * 120 + ".npy", "a b\n'\"$.npy", "日本語.csv"):
        with replace_file(tmp_path / name) as file:
            file.write(b"x")
        assert (tmp_path / name).read_bytes() == b"x"
    for name, says in (
        (".", "folder"),
        ("missing/x.npy", "no folder"),
        ("x" * 300 + ".npy", "too long"),
        ("nul\0.npy", "not allowed in file names"),
        ("half\ud800.npy", "not allowed in file names"),
        (os.devnull, "device"),
    ):
        with pytest.raises(OutputError, match=says), replace_file(os.path.join(tmp_path, name)):
            pass
    assert not partial_files(tmp_path)


EXPORT = "import sys; from pe_explorer.commandline.main import main; sys.exit(main(sys.argv[1:]))"
# It waits after the first block, in short sleeps, because a signal just before a sleep
# is handled only after it.
STAND = "lambda *given: [time.sleep(0.01) for _ in range(60_000)]"
REPORT = "from pe_explorer.progress import TerminalProgress; TerminalProgress.report"
SLOW = f"import time; {REPORT} = {STAND}; {EXPORT}"


INTERRUPTED = (130, "pe-explorer export: interrupted; nothing was written\n")


def export_command(program, target):
    """Return a command that runs `program` to export many positions."""
    arguments = ["export", "--dim", "512", "--positions", "0+20_000", "-o"]
    return [sys.executable, "-c", program, *arguments, str(target)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_export_removes_its_partial_file(tmp_path, signum):
    target = tmp_path / "table.npy"
    process = subprocess.Popen(export_command(SLOW, target), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size > 1_000_000 for path in partial_files(tmp_path)):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signum)
    _, message = process.communicate(timeout=60)
    assert (process.returncode, message) == INTERRUPTED
    assert list(tmp_path.iterdir()) == []


LATE = f"""
import os, signal
from pe_explorer.files import export
real = export.replace_file
def replace_file(path):
    if str(path).endswith(".session.json"):
        os.kill(os.getpid(), signal.SIGTERM)
    return real(path)
export.replace_file = replace_file
{EXPORT}"""


def exported(program, target):
    command = export_command(program, target)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_an_interrupt_after_the_data_has_no_effect(tmp_path):
    done = exported(LATE, tmp_path / "t.npy")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(os.listdir(tmp_path)) == ["t.npy", "t.npy.session.json"]


def test_a_full_disk_leaves_the_old_file(tmp_path):
    target = tmp_path / "table.npy"
    target.write_bytes(b"old")
    limit = (
        "import resource, signal; resource.setrlimit(resource.RLIMIT_FSIZE, (10_000_000,) * 2); "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"
    )
    done = exported(f"{limit}; {EXPORT}", target)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"--output: {target}: file too large. Nothing was changed." in done.stderr
    assert target.read_bytes() == b"old"
    assert not partial_files(tmp_path)


WRITER = """
import sys
from pe_explorer.files.atomic import replace_file
with replace_file(sys.argv[1]) as file:
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
    with replace_file(path) as file:
        file.write(content)


def start(target):
    """Start a process that locks a partial file of `target` until it gets a line of input."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, "-c", WRITER, target], env=ENVIRONMENT, **pipes)
    assert process.stdout.readline() == b"at work\n"
    return process


def test_leftovers_of_killed_writers_are_removed(tmp_path):
    for name in ("t.npy", "x" * 251 + ".csv", "é" * 100 + ".png", "no ending"):
        process = start(tmp_path / name)
        process.kill()
        process.communicate()
        assert len(partial_files(tmp_path)) == 1
        write(tmp_path / ("t.csv" if Path(name).suffix else name))
        assert not partial_files(tmp_path)


def test_partial_files_of_running_writers_are_not_removed(tmp_path):
    target = tmp_path / "t.npy"
    process = start(target)
    write(target)
    assert target.read_bytes() == b"ours"
    assert len(partial_files(tmp_path)) == 1
    process.communicate(b"\n")
    assert process.returncode == 0
    assert target.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["t.npy"]


def test_writers_in_one_process_do_not_interfere(tmp_path):
    target = tmp_path / "t.npy"
    with replace_file(target) as file:
        file.write(b"outer")
        other = threading.Thread(target=write, args=(target, b"inner"))
        other.start()
        other.join()
        assert target.read_bytes() == b"inner"
    assert target.read_bytes() == b"outer"
    assert os.listdir(tmp_path) == ["t.npy"]


def test_a_partial_file_is_locked_until_it_is_renamed(tmp_path, monkeypatch):
    real = Path.replace

    def swept(self, target):
        assert self.read_bytes() == b"ours"  # the complete content
        atomic.remove_partial_files(target)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", swept)
    write(tmp_path / "t.npy")
    assert (tmp_path / "t.npy").read_bytes() == b"ours"


def test_a_partial_file_removed_before_it_is_locked_is_recreated(tmp_path, monkeypatch):
    real, result = fcntl.flock, []

    def late(descriptor, how):
        if not result:  # another writer removes it just now
            result.extend(partial_files(tmp_path))
            result[0].unlink()
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    write(tmp_path / "t.npy")
    assert result
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


def test_similar_file_names_are_not_removed(tmp_path):
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


def test_leftovers_are_removed_in_the_folder_of_the_link_target(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "t.npy").symlink_to("data/real.npy")
    there, here = leave(tmp_path / "data"), leave(tmp_path)
    write(tmp_path / "t.npy")
    assert (there.exists(), here.exists()) == (False, True)


def test_removed_leftovers_make_room(tmp_path, monkeypatch):
    left = leave(tmp_path)

    def room(folder):
        return type("Usage", (), {"free": 0 if left.exists() else 1000})

    monkeypatch.setattr("pe_explorer.files.export.shutil.disk_usage", room)
    require_disk_space(tmp_path / "t.npy", 500)
    assert not left.exists()


def test_a_system_without_these_locks_writes_and_removes_nothing(tmp_path):
    left = leave(tmp_path)
    program = "import sys; sys.modules['fcntl'] = None\n"
    program += "from pe_explorer.files.atomic import replace_file\n"
    program += "with replace_file(sys.argv[1]) as file: file.write(b'ours')"
    subprocess.run([sys.executable, "-c", program, tmp_path / "t.npy"], env=ENVIRONMENT, check=True)
    assert (tmp_path / "t.npy").read_bytes() == b"ours"
    assert left.exists()
