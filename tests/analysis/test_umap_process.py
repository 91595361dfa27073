"""The UMAP process: its messages, and its end.

The process is real, and umap-learn is a stand-in; see `test_umap_learn.py` for the real one.
"""

import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pe_explorer.analysis import umap_process
from pe_explorer.encodings import EncodingError
from pe_explorer.progress import CancelledError
from tests.support.processes import comes_true, is_running
from tests.support.progress import RecordedProgress
from tests.support.umap_stand_in import (
    COUNTS,
    DIES,
    ECHOES,
    FAILS,
    PAUSES,
    PHASES,
    PRINTS,
    RUNS_OUT,
    STOPS,
    stand_in,
)

ROWS = np.random.default_rng(0).normal(size=(50, 7))
PATIENCE = 60.0

needs_signals = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@pytest.fixture
def umap(tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch)
    yield umap_process.shared_process
    umap_process.end()


@pytest.fixture
def threads():
    with ThreadPoolExecutor(6) as threads:
        yield threads


def refusal(rows=ROWS, **choices):
    """Return the message of a refused fit."""
    with pytest.raises(EncodingError) as exc_info:
        umap_process.embed(rows, **choices)
    return exc_info.value.sentence


def facts(sentence, *words):
    """Check that a message begins with UMAP and has all words."""
    assert sentence.startswith("UMAP: ")
    assert [word for word in words if word.lower() not in sentence.lower()] == []


def cancel(request, fit):
    """Cancel a request, and check that its fit ends within a second."""
    since = time.monotonic()
    request.set()
    with pytest.raises(CancelledError):
        fit.result(PATIENCE)
    assert time.monotonic() - since < 1.0


def test_points_are_transferred_exactly(umap):
    for seed in (7, PRINTS):  # other output is ignored
        points = umap.embed(ROWS, seed=seed)
        assert (points.shape, points.dtype) == ((50, 2), np.float64)
        np.testing.assert_array_equal(points, (ROWS[:, :2] + seed).astype(np.float32))


def test_phases_and_epochs_are_reported(umap):
    heard = RecordedProgress()
    umap.embed(ROWS, seed=PAUSES, request=heard)
    shares = [share for share, _ in heard.reports]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    assert list(dict.fromkeys(phase for _, phase in heard.reports if phase)) == PHASES
    assert (0.75, "Moving points") in heard.reports


def test_the_process_is_reused(umap):
    request = RecordedProgress()
    umap.embed(ROWS)
    number = umap.number
    assert (umap.embed(ROWS, seed=3) != umap.embed(ROWS)).all()
    request.set()  # also after an immediate cancellation
    with pytest.raises(CancelledError):
        umap.embed(ROWS, request=request)
    assert umap.embed(ROWS, seed=4).shape == (50, 2)
    assert (number, is_running(number)) == (umap.number, True)


def test_the_number_of_neighbours_is_limited(umap):
    assert "5 0.1 cosine" in refusal(ROWS[:6], seed=ECHOES)
    assert "15 0.1 cosine" in refusal(ROWS, seed=ECHOES)


@pytest.mark.parametrize("trial", range(10))
@pytest.mark.sampled(5)
def test_a_fit_is_cancelled_at_any_moment_within_a_second(umap, threads, trial):
    """Cancel at a random moment in each of 10 intervals of 60 ms: start, request, answer."""
    request = RecordedProgress()
    fit = threads.submit(umap.embed, ROWS, seed=PAUSES, request=request)
    time.sleep(0.06 * (trial + random.Random(trial).random()))
    number = umap.number
    cancel(request, fit)
    # A process without a request may keep running, also one that has just started.
    assert number is None or umap.number in (None, number)
    assert request.share is None or request.share < 1.0


@needs_signals
def test_a_process_that_is_killed_is_replaced(umap, threads):
    request = RecordedProgress()
    fit = threads.submit(umap.embed, ROWS, seed=STOPS, request=request)
    assert comes_true(lambda: request.share)
    os.kill(umap.number, signal.SIGKILL)
    with pytest.raises(EncodingError) as exc_info:
        fit.result(PATIENCE)
    facts(exc_info.value.sentence, "code -9", "memory")
    assert umap.embed(ROWS).shape == (50, 2)
    number = umap.number
    os.kill(number, signal.SIGKILL)  # between two fits
    assert comes_true(lambda: umap.number is None)
    assert umap.embed(ROWS, seed=1).shape == (50, 2)
    assert umap.number != number
    assert not is_running(number)


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (FAILS, ["ValueError: no layout\\nat all", "choose another metric, or PCA"]),
        (RUNS_OUT, ["memory ran out", "show fewer positions, or choose PCA"]),
        (DIES, ["code 3", "memory"]),
    ],
)
def test_errors_of_the_process_are_reported(umap, seed, words):
    facts(refusal(seed=seed), *words)
    assert umap.embed(ROWS, seed=2).shape == (50, 2)


def test_failures_to_start_are_reported(tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, "raise ImportError('no numba here')")
    facts(refusal(), "ImportError: no numba here", "pip install --force-reinstall umap-learn")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no such program"))
    facts(refusal(), "cannot be started", "no such file or directory", "choose PCA")


def test_concurrent_fits_run_in_sequence(umap, threads):
    fits = [threads.submit(umap.embed, ROWS, seed=seed) for seed in range(6)]
    for seed, fit in enumerate(fits):
        expected = (ROWS[:, :2] + seed).astype(np.float32)
        np.testing.assert_array_equal(fit.result(PATIENCE), expected)


def test_a_waiting_fit_can_be_cancelled(umap, threads):
    first, second = RecordedProgress(), RecordedProgress()
    working = threads.submit(umap.embed, ROWS, seed=STOPS, request=first)
    assert comes_true(lambda: first.share)
    waiting = threads.submit(umap.embed, ROWS, seed=1, request=second)
    assert comes_true(lambda: second.phase == "Waiting for another UMAP layout")
    number = umap.number
    cancel(second, waiting)
    assert not working.done()
    assert is_running(number)
    cancel(first, working)
    assert not is_running(number)


def test_the_last_fit_is_cached(umap, threads):
    fits = [threads.submit(umap.embed, ROWS, seed=COUNTS) for _ in range(4)]
    np.testing.assert_array_equal([fit.result(PATIENCE) for fit in fits], np.ones((4, 50, 2)))
    np.testing.assert_array_equal(umap.embed(-ROWS, seed=COUNTS), np.full((50, 2), 2.0))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        *((ROWS[:count], ["UMAP", f"got {count}", "at least 4"]) for count in range(4)),
        ([[1.0, np.nan]] * 5, ["Rows", "NaN"]),
        ([1.0] * 5, ["Rows", "(5,)"]),
    ],
)
def test_unusable_rows_are_refused_before_the_process_starts(umap, rows, words):
    message = refusal(rows)
    assert message.startswith(f"{words[0]}: ")
    assert [word for word in words if word not in message] == []
    assert umap.number is None


def test_a_missing_umap_names_the_command_to_install_it(tmp_path, monkeypatch):
    command = 'pip install "pe-explorer[umap]"'
    (tmp_path / "umap").mkdir()  # not a package
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert command in umap_process.unavailable_reason()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert command in umap_process.unavailable_reason()
    assert refusal() == f"Method: {umap_process.unavailable_reason()}."
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert umap_process.unavailable_reason()
    assert (
        command not in umap_process.unavailable_reason()
    )  # a frozen program cannot install packages


def test_an_installed_umap_is_not_missing(umap):
    assert umap_process.unavailable_reason() == ""


WORKING = """
import sys, threading, time
from pe_explorer.analysis import umap_process
from pe_explorer.progress import Progress
import numpy as np
request = Progress()
fit = threading.Thread(
    target=umap_process.embed,
    args=(np.ones((50, 7)),),
    kwargs={"seed": int(sys.argv[1]), "request": request},
    daemon=True,
)
fit.start()
while not request.share:
    time.sleep(0.01)
print(umap_process.shared_process.number, flush=True)
"""


@pytest.mark.parametrize("seed", [1, STOPS])
@pytest.mark.parametrize("way", ["ends", pytest.param("is killed", marks=needs_signals)])
def test_the_process_exits_with_the_program(umap, way, seed):
    more = "" if way == "ends" else "time.sleep(600)"
    command = [sys.executable, "-c", WORKING + more, str(seed)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as run:
        try:
            number = int(run.stdout.readline())
            if way == "ends":
                assert (run.wait(PATIENCE), run.stderr.read()) == (0, "")
            else:
                assert is_running(number)
        finally:
            run.kill()
    assert comes_true(lambda: not is_running(number))
