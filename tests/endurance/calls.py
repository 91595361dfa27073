"""The command line in this process, and limits for one step of the endurance test."""

import gc
import io
import signal
import time
import traceback
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import Mock, patch

from PySide6.QtWidgets import QApplication

from pe_explorer.app.application import Application
from tests.endurance.faults import memory
from tests.support.commands import exit_code
from tests.support.processes import run_program

MOST_SECONDS = 2.0  # of CPU time
MOST_MEMORY = 200  # MB more than before
PATIENCE = 30.0  # seconds, including waiting
_MAX_SENTENCE_LENGTH = 1000  # characters, without names of files
_MISLEADING_CODE, _BAD_INPUT_CODE = 1, 2  # exit codes


class HungError(BaseException):
    """An error for a hang; not an `Exception`, because the program could catch it."""


def watched(faults, what, act, details="", *, limited=True):
    """Run a function, and return whether it neither raises an error nor hangs.

    If it is `limited`, CPU time and memory are also checked. Faults are recorded with `what` and
    with details for a replay.
    """
    before = 0
    if limited:  # resets the recorded maximum of memory
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")
        before = memory()
    begin = time.process_time()
    found = []
    signal.signal(signal.SIGALRM, Mock(side_effect=HungError("it does not come to an end")))
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        act()
    except (Exception, HungError) as error:
        trace = "".join(traceback.format_exception(error))
        found.append((f"{type(error).__name__} in {what}: {str(error)[:200]}", trace))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.process_time() - begin
    if limited and seconds > MOST_SECONDS:
        found.append((f"more than {MOST_SECONDS:g} s of work in {what}", f"{seconds:.1f} s"))
    grown = memory("VmHWM") - before if limited else 0
    if grown > MOST_MEMORY:
        found.append((f"more than {MOST_MEMORY} MB of memory in {what}", f"{grown} MB"))
    for fault, more in found:
        faults.add(fault, f"{details}\n{more}")
    return not found


def check_sentence(text, *names):
    rest = text
    for name in names:
        rest = rest.replace(str(name), "")
    assert text.strip(), "an error without words"
    assert "Traceback" not in text, text
    assert "\n" not in rest, f"several lines: {text}"
    assert len(rest) < _MAX_SENTENCE_LENGTH, f"{len(rest)} letters: {text[:300]}"


class Outcome(NamedTuple):
    code: int | str | None
    out: str
    err: str


def outcome_of(arguments):
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = exit_code(arguments)
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
    return Outcome(code, out.read(), err.read())


def outcome_of_process(arguments, folder=None, **variables):
    words = [word.replace("\0", "") for word in arguments]
    done = run_program(folder, *words, **variables)
    return Outcome(done.returncode, done.stdout, done.stderr)


def check_outcome(outcome, *, notes, misleading=False, several=False):
    """Raise `AssertionError` unless a command succeeded or printed one line with the reason.

    With `notes`, each note, for example on a session, may precede the result in a separate line. A
    `misleading` file has its own exit code. Some of `several` files may be unreadable, and the
    output may contain the reason.
    """
    code, out, err = outcome
    known = (0, _BAD_INPUT_CODE, *((_MISLEADING_CODE,) if misleading else ()))
    assert code in known, f"exit code {code}: {err[-500:]}"
    lines = err.splitlines()
    for line in lines:
        check_sentence(line)
        assert line.startswith("pe-explorer"), line
    if code == _BAD_INPUT_CODE and several:
        assert out or lines
    elif code == _BAD_INPUT_CODE:
        assert out == "", f"also on standard output: {out[:200]}"
        assert len(lines) == 1 or (notes and lines), f"{len(lines)} lines: {err[:500]}"
    else:
        assert notes or not lines, f"exit code {code}, and {err[:500]}"


@contextmanager
def without_windows():
    """Let commands use the existing application, and prevent them from opening windows."""

    def same_application(theme):
        app = QApplication.instance()
        assert isinstance(app, Application)
        app.set_theme(theme)
        return app

    with (
        patch("pe_explorer.app.render.Application", same_application),
        patch("pe_explorer.app.run.run_window", lambda *arguments: 0),
        patch("pe_explorer.app.run.run_self_test", lambda report: []),
    ):
        yield
