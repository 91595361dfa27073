"""The log: it stays small, is shared, and reports what keeps it from being written."""

import logging.handlers
import subprocess
import sys
from contextlib import contextmanager

import pytest

from pe_explorer.app.trouble.trouble import ErrorHandler, Log
from tests.support.gestures import settle
from tests.support.processes import ENVIRONMENT, run_python
from tests.support.uncaught import raise_uncaught


@contextmanager
def file_in_place_of_the_folder(folder):
    folder.write_text("here already")
    yield
    folder.unlink()


@contextmanager
def folder_in_place_of_the_log(folder):
    (folder / "log" / "pe-explorer.log").mkdir(parents=True)
    yield
    (folder / "log" / "pe-explorer.log").rmdir()


def denied(handler):
    raise PermissionError("denied")


@contextmanager
def no_permission(folder, opened=denied):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.handlers.RotatingFileHandler, "_open", opened)
        yield


@pytest.mark.parametrize(
    "hindered", [file_in_place_of_the_folder, folder_in_place_of_the_log, no_permission]
)
def test_an_unwritable_log_is_reported(qapp, tmp_path, capsys, hindered):
    folder = tmp_path / "state"
    with hindered(folder):
        trouble = ErrorHandler(qapp, folder)
        raise_uncaught(ValueError("reported anyway"))
        settle()
        said = trouble.log.location
        assert f"{folder / 'log' / 'pe-explorer.log'} cannot be written (" in said
        assert trouble.dialog.isVisible()
        assert said in trouble.dialog.report.toPlainText()
        trouble.close()
    trouble.deleteLater()
    err = capsys.readouterr().err
    assert err.count("ValueError: reported anyway") == 1
    assert "Logging error" not in err


def test_a_full_disk_prevents_neither_the_report_nor_closing(qapp, tmp_path, capsys):
    with no_permission(tmp_path, lambda handler: open("/dev/full", "w")):
        trouble = ErrorHandler(qapp, tmp_path)
        raise_uncaught(ValueError("reported anyway"))
        settle()
        assert "ValueError: reported anyway" in trouble.dialog.report.toPlainText()
        trouble.close()
    trouble.deleteLater()
    assert "ValueError: reported anyway" in capsys.readouterr().err


def test_without_a_folder_there_is_none_and_who_has_crashes_already_keeps_them(
    qapp, capsys, tmp_path, monkeypatch
):
    trouble = ErrorHandler(qapp, None)
    raise_uncaught(ValueError("nowhere"))
    settle()
    assert trouble.dialog.isVisible()
    assert "no folder" in trouble.log.location
    trouble.close()
    trouble.deleteLater()
    assert "ValueError: nowhere" in capsys.readouterr().err
    monkeypatch.setattr("faulthandler.is_enabled", lambda: True)
    Log(tmp_path).close()
    assert [path.name for path in (tmp_path / "log").iterdir()] == ["pe-explorer.log"]


MANY = """
import logging, sys
from pathlib import Path
from pe_explorer.app.trouble.trouble import Log
log = Log(Path(sys.argv[1]))
logger = logging.getLogger("many")
logger.setLevel(logging.INFO)
for number in range(700):
    logger.info(f"line {number} of {sys.argv[2]} {'x' * 3000}")
assert isinstance(log.location, Path), log.location
log.close()
"""


def test_processes_share_a_log_that_stays_small(tmp_path):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", MANY, str(tmp_path), str(number)],
            env=ENVIRONMENT,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    done = [(process.communicate(timeout=60)[1], process.returncode) for process in processes]
    assert done == [("", 0)] * 3
    files = sorted((tmp_path / "log").glob("pe-explorer.log*"))
    assert [file.name for file in files] == [f"pe-explorer.log{end}" for end in ("", ".1", ".2")]
    assert all(file.stat().st_size < 1.1e6 for file in files)


CRASH = """
import ctypes, sys
from pathlib import Path
from pe_explorer.app.trouble.trouble import Log
log = Log(Path(sys.argv[1]))
if sys.argv[2] == "crash":
    ctypes.string_at(0)
log.close()
"""


def test_a_hard_crash_leaves_its_traceback_and_the_next_start_logs_it(tmp_path):
    assert run_python(CRASH, tmp_path, "crash").returncode != 0
    text = (tmp_path / "log" / "crash.log").read_text(encoding="utf-8")
    assert "Fatal Python error" in text or "Windows fatal exception" in text
    assert 'File "<string>", line 7' in text
    for _ in range(2):
        assert run_python(CRASH, tmp_path, "run").returncode == 0
    log = (tmp_path / "log" / "pe-explorer.log").read_text(encoding="utf-8")
    assert log.count(text) == 1
    assert (tmp_path / "log" / "crash.log").stat().st_size == 0
