import os
import signal
import stat
import subprocess
import sys
import time

import pytest

from pe_explorer.commandline.main import main
from pe_explorer.files.atomic import OutputError, replacing, require_space
from tests.support.files import partial_files


def test_new_file_appears_only_at_the_end(tmp_path):
    target = tmp_path / "new.npy"
    with replacing(target) as file:
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
        with replacing(target) as file:
            file.write(b"new")
            raise error

    with pytest.raises(error):
        fail()
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_mode_of_the_old_file_and_umask_are_kept(tmp_path):
    target = tmp_path / "x.csv"
    with replacing(target) as file:
        file.write(b"1")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask
    target.chmod(0o640)
    with replacing(target) as file:
        file.write(b"2")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_link_is_followed(tmp_path):
    target, link = tmp_path / "target.npy", tmp_path / "link.npy"
    target.write_bytes(b"old")
    link.symlink_to(target)
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_names(tmp_path):
    for name in ("é" * 120 + ".npy", "a b\n'\"$.npy", "日本語.csv"):
        with replacing(tmp_path / name) as file:
            file.write(b"x")
        assert (tmp_path / name).read_bytes() == b"x"
    for name, says in (
        (".", "folder"),
        ("missing/x.npy", "no folder"),
        ("x" * 300 + ".npy", "too long"),
        ("nul\0.npy", "file names cannot"),
        ("half\ud800.npy", "file names cannot"),
        (os.devnull, "device"),
    ):
        with pytest.raises(OutputError, match=says), replacing(os.path.join(tmp_path, name)):
            pass
    assert not partial_files(tmp_path)


def test_full_disk_is_foreseen(tmp_path):
    with pytest.raises(OutputError, match=r"needs 1 EB, but .* free"):
        require_space(tmp_path / "x.npy", 10**18)
    require_space(tmp_path / "x.npy", 1000)


EXPORT = "import sys; from pe_explorer.commandline.main import main; sys.exit(main(sys.argv[1:]))"
# It stands still after the first block, in short sleeps: a signal that comes just before one
# is noticed only after it.
STAND = "lambda *given: [time.sleep(0.01) for _ in range(60_000)]"
SLOW = f"import time, tqdm; tqdm.tqdm.update = {STAND}; {EXPORT}"


INTERRUPTED = (130, "pe-explorer export: interrupted; nothing was written\n")


def export_command(program, target):
    """Return the command that exports many positions by a program of the test's own."""
    arguments = ["export", "--dim", "512", "--positions", "0+20_000", "-o"]
    return [sys.executable, "-c", program, *arguments, str(target)]


def wait_for_partial(process, folder, size=1_000_000):
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size > size for path in partial_files(folder)):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_says_so_and_tidies_up(tmp_path, signum):
    target = tmp_path / "table.npy"
    process = subprocess.Popen(export_command(SLOW, target), stderr=subprocess.PIPE, text=True)
    wait_for_partial(process, tmp_path)
    process.send_signal(signum)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == INTERRUPTED
    assert list(tmp_path.iterdir()) == []


BUSY = f"""
import os, signal, time, tqdm
def twice(*given):
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGHUP):  # as when a terminal closes
        os.kill(os.getpid(), number)
    time.sleep(600)
tqdm.tqdm.update = twice
{EXPORT}"""
LATE = f"""
import os, signal
from pe_explorer.files import export
real = export._write_beside
export._write_beside = lambda *given: (os.kill(os.getpid(), signal.SIGTERM), real(*given))
{EXPORT}"""


def exported(program, target):
    command = export_command(program, target)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_several_signals_at_once_are_one(tmp_path):
    done = exported(BUSY, tmp_path / "t.npy")
    assert (done.returncode, done.stderr) == INTERRUPTED
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_between_the_data_and_their_session_comes_too_late(tmp_path):
    done = exported(LATE, tmp_path / "t.npy")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(os.listdir(tmp_path)) == ["t.npy", "t.npy.session.json"]


def test_what_is_ignored_from_outside_stays_ignored(tmp_path):
    hangup = (
        "import signal, tqdm; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        f"tqdm.tqdm.update = lambda *given: signal.raise_signal(signal.SIGHUP); {EXPORT}"
    )
    done = exported(hangup, tmp_path / "t.npy")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "t.npy").exists()


def test_handlers_are_as_before_when_a_command_has_ended(tmp_path):
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    assert main(["export", "--dim", "2", "-o", str(tmp_path / "t.npy")]) == 0
    assert [signal.getsignal(number) for number in numbers] == before


def test_disk_that_fills_up_on_the_way(tmp_path):
    target = tmp_path / "table.npy"
    target.write_bytes(b"old")
    limit = (
        "import resource, signal; resource.setrlimit(resource.RLIMIT_FSIZE, (10_000_000,) * 2); "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"
    )
    words = ["export", "--positions", "0+1_000_000", "-o", str(target)]
    command = [sys.executable, "-c", f"{limit}; {EXPORT}", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"--output: {target}: file too large; nothing was changed" in done.stderr
    assert target.read_bytes() == b"old"
    assert not partial_files(tmp_path)
