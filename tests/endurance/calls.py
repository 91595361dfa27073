"""The command line called in this process: its exit code, and what it has written."""

import io
import subprocess
import sys
import tempfile
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from PySide6.QtWidgets import QApplication

from pe_explorer.app.application import Application
from pe_explorer.commandline.main import main
from tests.endurance.limits import PATIENCE, check_sentence
from tests.support.processes import ENVIRONMENT

_GOOD, _MISLEADING, _BAD_INPUT = 0, 1, 2


class Outcome(NamedTuple):
    code: int | str | None
    out: str
    err: str


def called(arguments):
    """Run a command, with files in the place of the two streams, and return what came of it."""
    with _stream() as out, _stream() as err:
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = main(arguments)
            except SystemExit as stop:
                code = stop.code
        for stream in (out, err):
            stream.flush()
            stream.seek(0)
        return Outcome(code, out.read(), err.read())


def called_as_process(arguments, folder=None, **variables):
    command = [sys.executable, "-m", "pe_explorer", *(word.replace("\0", "") for word in arguments)]
    env = ENVIRONMENT | variables
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, timeout=PATIENCE, check=False
    )
    out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
    return Outcome(done.returncode, out, err)


def check_outcome(outcome, *, notes, misleading=False, several=False):
    """Raise `AssertionError` unless a command ended well, or with one line that says why not.

    Where there may be `notes`, such as those on a session, each is a line of its own before. What
    is read may be `misleading`, which has an exit code of its own; of `several` files some may be
    unreadable, or the output may say why.
    """
    code, out, err = outcome
    known = (_GOOD, _BAD_INPUT, *((_MISLEADING,) if misleading else ()))
    assert code in known, f"exit code {code}: {err[-500:]}"
    lines = err.splitlines()
    for line in lines:
        check_sentence(line)
        assert line.startswith("pe-explorer"), line
    if code == _BAD_INPUT and several:
        assert out or lines
    elif code == _BAD_INPUT:
        assert out == "", f"also on standard output: {out[:200]}"
        assert len(lines) == 1 or (notes and lines), f"{len(lines)} lines: {err[:500]}"
    else:
        assert notes or not lines, f"exit code {code}, and {err[:500]}"


@contextmanager
def without_windows():
    """Let commands use the application that there is, and let none open a window."""
    with (
        patch("pe_explorer.app.render.Application", _same_application),
        patch("pe_explorer.app.run.run_window", lambda *arguments: 0),
        patch("pe_explorer.app.run.run_self_test", lambda report: []),
    ):
        yield


def _same_application(theme):
    app = QApplication.instance()
    assert isinstance(app, Application)
    app.set_theme(theme)
    return app


def _stream():
    return io.TextIOWrapper(tempfile.TemporaryFile("w+b"), encoding="utf-8")
