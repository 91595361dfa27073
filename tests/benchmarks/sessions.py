"""The time to open or to reject a damaged session."""

import contextlib
import random
import tempfile
import time
from pathlib import Path

from pe_explorer import encodings
from pe_explorer.exploration import MAX_PINS, Exploration, add_pin
from pe_explorer.files import session
from tests.benchmarks.measure import Row
from tests.endurance import mutations
from tests.support.processes import ROOT, run_program, run_python

ALLOWED = 0.2
FILES = 1000


def damaged():
    """Open sessions with random edits, including some at the size limit."""
    state = Exploration()
    for name in encodings.names()[:MAX_PINS]:
        state = state.with_(**add_pin(state.with_(encoding=encodings.create(name))))
    whole, pick, worst = session.dumps(state).encode(), random.Random(1), 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "session.json")
        for _ in range(FILES):
            path.write_bytes(mutations.damaged(whole, pick))
            worst = max(worst, _opening(path))
        for filling in (
            b"[" + b"0," * 500_000 + b"0]",
            b'{"a":' * 200_000,
            b'"' + b"x" * 1_000_000 + b'"',
        ):
            path.write_bytes(whole.rstrip()[:-1] + b', "more": ' + filling + b"}")
            worst = max(worst, _opening(path))
    yield Row("damaged", worst * 1e3, "ms", worst / ALLOWED)


def configurations():
    """Read a configuration in a new process, and check it in a separate process."""
    read, check = [], []
    for _ in range(9):
        done = run_python(_FIRST_FILE)
        assert done.returncode == 0, done.stderr
        read.append(float(done.stdout))
        start = time.perf_counter()
        done = run_program(ROOT, "check", _CONFIGURATION, "--semantics", "all")
        check.append(time.perf_counter() - start)
        assert done.returncode == 0, done.stderr
    yield Row("config", min(read) * 1e3, "ms", min(read) / 0.05)
    yield Row("check", min(check) * 1e3, "ms", min(check) / 0.5)


_CONFIGURATION = str(ROOT / "tests" / "configs" / "files" / "gemma-3-4b.json")
_FIRST_FILE = f"""
import time
from pe_explorer import encodings
encodings.names()
start = time.perf_counter()
encodings.read_config({_CONFIGURATION!r})
print(time.perf_counter() - start)
"""


def _opening(path):
    begin = time.perf_counter()
    with contextlib.suppress(session.SessionError):
        session.read(path)
    return time.perf_counter() - begin


BENCHMARKS = (damaged, configurations)
