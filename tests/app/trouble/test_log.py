"""The log: it stays small, is shared, and what keeps it from being written is told."""

import errno
import logging.handlers
import os
import subprocess
import sys

import pytest

from pe_explorer.app.trouble import log as log_module
from pe_explorer.app.trouble.trouble import Trouble
from tests.support.gestures import settle
from tests.support.processes import ROOT, run_python
from tests.support.uncaught import log_of, raise_uncaught


def file_in_place_of_the_folder(folder, monkeypatch):
    folder.write_text("here already")


def folder_in_place_of_the_log(folder, monkeypatch):
    (folder / "log" / "pe-explorer.log").mkdir(parents=True)


def no_permission(folder, monkeypatch):
    def denied(handler):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(logging.handlers.RotatingFileHandler, "_open", denied)


def no_space(folder, monkeypatch):
    monkeypatch.setattr(
        logging.handlers.RotatingFileHandler,
        "_open",
        lambda handler: open("/dev/full", "w"),  # noqa: SIM115
    )


@pytest.mark.parametrize(
    "hinder", [file_in_place_of_the_folder, folder_in_place_of_the_log, no_permission, no_space]
)
def test_a_log_that_cannot_be_written(qapp, tmp_path, capsys, monkeypatch, hinder):
    folder = tmp_path / "state"
    hinder(folder, monkeypatch)
    trouble = Trouble(qapp, folder)
    raise_uncaught(ValueError("told all the same"))
    settle()
    said = trouble.log.place
    assert trouble.dialog.isVisible()
    assert said in trouble.dialog.details.toPlainText()
    trouble.close()
    trouble.deleteLater()
    assert said.startswith(
        f"No log is written, because {folder / 'log' / 'pe-explorer.log'} cannot be written ("
    )
    assert said.endswith("Make the folder writable or free some space.")
    err = capsys.readouterr().err
    assert err.count("ValueError: told all the same") == 1
    assert "Logging error" not in err


def test_a_log_that_can_be_written_again_is(trouble, tmp_path):
    folder = tmp_path / "state" / "log"
    warn = logging.getLogger("pe_explorer").warning
    trouble.log._file.close()
    moved = folder.rename(tmp_path / "elsewhere")
    folder.write_text("in its place")
    warn("lost")
    assert isinstance(trouble.log.place, str)
    folder.unlink()
    moved.rename(folder)
    warn("kept")
    assert trouble.log.place == folder / "pe-explorer.log"
    assert ("lost" in log_of(tmp_path), "kept" in log_of(tmp_path)) == (False, True)


def test_without_a_folder(qapp, capsys):
    trouble = Trouble(qapp, None)
    raise_uncaught(ValueError("nowhere"))
    settle()
    assert trouble.dialog.isVisible()
    assert trouble.log.place == (
        "No log is written, because no folder is set; messages go to the standard error output "
        "only."
    )
    trouble.close()
    trouble.deleteLater()
    assert "ValueError: nowhere" in capsys.readouterr().err


MANY = """
import logging, sys
from pathlib import Path
from pe_explorer.app.trouble import log
log._MOST_BYTES = 4000
open_log = log.Log(Path(sys.argv[1]))
logger = logging.getLogger("many")
logger.setLevel(logging.INFO)
for number in range(600):
    logger.info(f"line {number} of {sys.argv[2]}")
assert isinstance(open_log.place, Path), open_log.place
open_log.close()
"""


def test_processes_share_a_log_that_stays_small(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", MANY, str(tmp_path / "state"), str(number)],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    done = [(process.communicate(timeout=60)[1], process.returncode) for process in processes]
    assert done == [("", 0)] * 3
    files = sorted(path.name for path in (tmp_path / "state" / "log").glob("pe-explorer.log*"))
    assert files == ["pe-explorer.log", "pe-explorer.log.1", "pe-explorer.log.2"]
    assert all(
        path.stat().st_size < 3 * 4000
        for path in (tmp_path / "state" / "log").glob("pe-explorer.log*")
    )


CRASH = """
import ctypes, sys
from pathlib import Path
from pe_explorer.app.trouble.log import Log
log = Log(Path(sys.argv[1]))
if sys.argv[2] == "crash":
    ctypes.string_at(0)
log.close()
"""


def test_a_hard_crash_leaves_its_traceback_and_the_file_stays_small(tmp_path):
    done = run_python(CRASH, tmp_path, "crash")
    assert done.returncode != 0
    crashes = tmp_path / "log" / "crash.log"
    text = crashes.read_text(encoding="utf-8")
    assert "Fatal Python error" in text or "Windows fatal exception" in text
    assert 'File "<string>", line 7' in text
    assert run_python(CRASH, tmp_path, "run").returncode == 0
    assert crashes.read_text(encoding="utf-8").startswith(text)
    crashes.write_text("x" * 1_000_001, encoding="utf-8")
    assert run_python(CRASH, tmp_path, "run").returncode == 0
    assert 0 < crashes.stat().st_size < 200


def test_who_has_crashes_already_keeps_them(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(log_module.faulthandler, "is_enabled", lambda: True)
    log = log_module.Log(tmp_path)
    log.close()
    assert [path.name for path in (tmp_path / "log").iterdir()] == ["pe-explorer.log"]
