"""UMAP in a process of its own: what it says, and that it ends when it should.

The process is real, and umap-learn is a stand-in; see `test_umap_learn.py` for the real one.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import numpy as np
import pytest

from pe_explorer.analysis import umap_process
from pe_explorer.analysis.umap_process import Umap
from pe_explorer.encodings import EncodingError
from tests.support.processes import comes_true, is_running
from tests.support.progress import Heard
from tests.support.umap_stand_in import DIES, FAILS, PAUSES, PRINTS, RUNS_OUT, STOPS, stand_in

ROWS = np.random.default_rng(0).normal(size=(50, 7))
PATIENCE = 60.0

needs_signals = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def program(answer):
    """Return a program that reads questions and does something with each, `count` of which were."""
    return f"""
import array, json, sys, time
out, count = sys.stdout.buffer, 0
def say(kind, value):
    out.write(json.dumps([kind, value]).encode() + b"\\n")
    out.flush()
def points(value):
    numbers = array.array("d", [value] * 2 * n).tobytes()
    say("points", len(numbers))
    out.write(numbers)
    out.flush()
for line in sys.stdin.buffer:
    count, question = count + 1, json.loads(line)
    n, columns = question["shape"]
    sys.stdin.buffer.read(8 * n * columns)
    {answer}
"""


ANSWERS = program('points(question["seed"])')
COUNTS = program("points(count)")
ECHOES = program('say("failed", f"|{line.decode().strip()}|")')
SLOW = program("""
    say("phase", "Construct fuzzy simplicial set")
    for epoch in range(1000):
        say("epochs", [epoch, 1000])
        time.sleep(0.05)
""")


@pytest.fixture
def umap_learn(tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch)
    yield
    umap_process.end()


@pytest.fixture
def umap():
    """Return a function that makes a process of some program; all end with the test."""
    made = []

    def of(program="", *command):
        made.append(Umap(command or (sys.executable, "-S", "-E", "-c", program)))
        return made[-1]

    yield of
    for one in made:
        one.end()


@pytest.fixture
def threads():
    with ThreadPoolExecutor(6) as threads:
        yield threads


def refusal(of, **choices):
    """Return the sentence with which a fit is refused."""
    with pytest.raises(EncodingError) as caught:
        of.embed(**{"rows": ROWS, **choices})
    return caught.value.sentence


def facts(sentence, *words):
    """Fail unless a sentence begins with its subject and has all words."""
    assert sentence.startswith("UMAP: ")
    assert [word for word in words if word not in sentence] == []


def cancel(request, fit):
    """End a request, and expect its fit to end within a second."""
    since = time.monotonic()
    request.set()
    with pytest.raises(CancelledError):
        fit.result(PATIENCE)
    assert time.monotonic() - since < 1.0


def test_points_come_back_as_they_were_made(umap_learn):
    for seed in (7, PRINTS):  # what else is printed does no harm
        points = umap_process.embed(ROWS, seed=seed)
        assert (points.shape, points.dtype) == ((50, 2), np.float64)
        np.testing.assert_array_equal(points, (ROWS[:, :2] + seed).astype(np.float32))


def test_phases_and_epochs_are_reported_in_plain_words(umap_learn):
    heard = Heard()
    umap_process.embed(ROWS, seed=PAUSES, request=heard)
    shares = [share for share, _ in heard.reports]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    assert list(dict.fromkeys(phase for _, phase in heard.reports if phase)) == [
        "Loading UMAP",
        "Comparing rows",
        "Finding neighbours",
        "Weighing neighbours",
        "Making a first layout",
        "Moving points",
    ]
    assert (0.75, "Moving points") in heard.reports


def test_the_process_stays_for_the_next_fit(umap):
    one, request = umap(ANSWERS), Heard()
    np.testing.assert_array_equal(one.embed(ROWS), np.full((50, 2), 42.0))
    number = one.number
    np.testing.assert_array_equal(one.embed(ROWS, seed=3), np.full((50, 2), 3.0))
    request.set()  # also where one is cancelled at once
    with pytest.raises(CancelledError):
        one.embed(ROWS, request=request)
    assert one.embed(ROWS, seed=4).shape == (50, 2)
    assert (number, is_running(number)) == (one.number, True)


def test_a_fit_is_asked_for_what_was_chosen(umap):
    one = umap(ECHOES)
    asked = json.loads(refusal(one, rows=ROWS[:6], metric="correlation", seed=5).split("|")[1])
    assert asked == {
        "shape": [6, 7],
        "metric": "correlation",
        "seed": 5,
        "neighbours": 5,
        "distance": 0.1,
    }
    asked = json.loads(refusal(one).split("|")[1])
    assert (asked["neighbours"], asked["seed"]) == (15, 42)


@pytest.mark.parametrize("trial", range(10))
@pytest.mark.sampled(5)
def test_a_fit_is_cancelled_at_any_moment_within_a_second(umap, threads, trial):
    """At one moment of each of 10 spans of 60 ms: as the process starts, is asked and answers."""
    one, request = umap(SLOW), Heard()
    fit = threads.submit(one.embed, ROWS, request=request)
    time.sleep(0.06 * (trial + random.Random(trial).random()))
    number = one.number
    request.set()
    # What the system needs to start a process is not counted.
    assert comes_true(lambda: one.number or fit.done())
    cancel(request, fit)
    # One that was not asked yet may stay, also one that began just before the request ended.
    assert number is None or one.number in (None, number)
    assert request.share is None or request.share < 1.0


@needs_signals
def test_a_process_that_is_killed_is_replaced(umap_learn, umap, threads):
    request = Heard()
    fit = threads.submit(umap_process.embed, ROWS, seed=STOPS, request=request)
    assert comes_true(lambda: request.share)
    os.kill(umap_process.shared.number, signal.SIGKILL)
    with pytest.raises(EncodingError) as caught:
        fit.result(PATIENCE)
    facts(caught.value.sentence, "code -9", "memory may have run out")
    assert umap_process.embed(ROWS).shape == (50, 2)

    one = umap(ANSWERS)  # between two fits
    one.embed(ROWS)
    number = one.number
    os.kill(number, signal.SIGKILL)
    assert comes_true(lambda: one.number is None)
    assert one.embed(ROWS).shape == (50, 2)
    assert one.number != number
    assert not is_running(number)


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (FAILS, ["ValueError: no layout\\nat all", "choose another metric, or PCA"]),
        (RUNS_OUT, ["memory ran out", "show fewer positions, or choose PCA"]),
        (DIES, ["code 3", "memory may have run out"]),
    ],
)
def test_what_goes_wrong_is_said(umap_learn, seed, words):
    facts(refusal(umap_process, seed=seed), *words)
    assert umap_process.embed(ROWS, seed=2).shape == (50, 2)


def test_what_cannot_be_started_is_told(tmp_path, monkeypatch, umap):
    missing = umap("", str(tmp_path / "no such program"))
    facts(refusal(missing), "cannot be started", "no such file or directory", "choose PCA")
    stand_in(tmp_path, monkeypatch, "raise ImportError('no numba here')")
    facts(
        refusal(umap_process),
        "ImportError: no numba here",
        "pip install --force-reinstall umap-learn",
    )
    umap_process.end()


GARBAGE = {
    "no json": "out.write(b'Hello!\\n')",
    "another form": "out.write(b'{\"phase\": 1}\\n')",
    "one value": "out.write(b'[1]\\n')",
    "a number": "out.write(b'12\\n')",
    "a deep list": "out.write(b'[' * 60000 + b'\\n')",
    "bytes": "out.write(bytes(range(128, 256)) + b'\\n')",
    "a line without end": "\n    while True: out.write(b'x' * 1000)",
    "too few points": "out.write(b'[\"points\", 16]\\n' + bytes(16))",
    "points that are promised": "out.write(b'[\"points\", 800]\\n' + bytes(16)); out.close()",
}


@pytest.mark.parametrize("name", GARBAGE)
def test_a_process_that_says_garbage_is_ended(umap, name):
    one = umap(program(f"{GARBAGE[name]}\n    out.flush()\n    time.sleep(600)"))
    facts(refusal(one), "cannot be read", "ended")
    assert one.number is None


def test_a_strange_word_between_is_passed_over(umap):
    strange = ['["epochs", "many"]', '["epochs", [3, 0]]', '["phase", null]', "[1, 2]", '["", {}]']
    heard, lines = Heard(), "\n".join(strange)
    one = umap(program(f"out.write({lines.encode()!r} + b'\\n'); points(1)"))
    assert one.embed(ROWS, request=heard).shape == (50, 2)
    assert {phase for _, phase in heard.reports} == {"Loading UMAP"}


@pytest.mark.parametrize("silent", ["import time; time.sleep(600)", program("time.sleep(600)")])
def test_a_process_that_never_answers_is_cancelled(umap, threads, silent):
    many = np.ones((2000, 500))  # more than fits into a pipe
    one, request = umap(silent), Heard()
    fit = threads.submit(one.embed, many, request=request)
    assert comes_true(lambda: one.number)
    time.sleep(0.3)
    assert not fit.done()
    number = one.number
    cancel(request, fit)
    assert not is_running(number)


def test_fits_at_once_come_one_after_the_other(umap, threads):
    one = umap(ANSWERS)
    fits = [threads.submit(one.embed, ROWS, seed=seed) for seed in range(6)]
    for seed, fit in enumerate(fits):
        np.testing.assert_array_equal(fit.result(PATIENCE), np.full((50, 2), float(seed)))


def test_a_fit_that_waits_for_another_is_cancelled(umap, threads):
    one, first, second = umap(SLOW), Heard(), Heard()
    working = threads.submit(one.embed, ROWS, request=first)
    assert comes_true(lambda: first.share)
    waiting = threads.submit(one.embed, ROWS, seed=1, request=second)
    assert comes_true(lambda: second.phase == "Waiting for another fit")
    cancel(second, waiting)
    assert not working.done()
    assert is_running(one.number)
    cancel(first, working)


def test_those_who_want_the_same_share_a_fit(umap, threads):
    one, requests = umap(COUNTS), [Heard() for _ in range(4)]
    fits = [threads.submit(one.embed, ROWS, request=request) for request in requests]
    np.testing.assert_array_equal([fit.result(PATIENCE) for fit in fits], np.ones((4, 50, 2)))
    np.testing.assert_array_equal(one.embed(ROWS), np.ones((50, 2)))  # which is kept
    np.testing.assert_array_equal(one.embed(ROWS, metric="euclidean"), np.full((50, 2), 2.0))
    np.testing.assert_array_equal(one.embed(-ROWS, metric="euclidean"), np.full((50, 2), 3.0))


def test_a_shared_fit_goes_on_as_long_as_one_wants_it(umap, threads):
    one, first, second = umap(SLOW), Heard(), Heard()
    begun = threads.submit(one.embed, ROWS, request=first)
    assert comes_true(lambda: first.share)
    joined = threads.submit(one.embed, ROWS, request=second)
    assert comes_true(lambda: second.share)
    number, share = one.number, second.share
    cancel(first, begun)
    assert comes_true(lambda: second.share > share)
    assert one.number == number
    cancel(second, joined)
    assert not is_running(number)


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        *(({"rows": ROWS[:count]}, ["UMAP", f"only {count}", "at least 4"]) for count in range(4)),
        ({"metric": "dot"}, ["Metric", "'dot'", "cosine, euclidean, manhattan, "]),
        ({"seed": -1}, ["Seed", "-1 is outside 0 to 4294967295"]),
        ({"seed": 2**32}, ["Seed", "4294967296 is outside 0 to 4294967295"]),
        ({"rows": [[1.0, np.nan]] * 5}, ["Rows", "not finite"]),
        ({"rows": [1.0] * 5}, ["Rows", "(5,)"]),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_starts(umap, choices, words):
    one = umap(ANSWERS)
    said = refusal(one, **choices)
    assert said.startswith(f"{words[0]}: ")
    assert [word for word in words if word not in said] == []
    assert one.number is None


def test_where_umap_is_missing_one_command_adds_it(tmp_path, monkeypatch):
    command = 'pip install "pe-explorer[umap]"'
    (tmp_path / "umap").mkdir()  # which is no package
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert command in umap_process.missing()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert command in umap_process.missing()
    assert refusal(umap_process) == f"Method: {umap_process.missing()}."
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert umap_process.missing()
    assert command not in umap_process.missing()  # a packed program cannot add anything


def test_umap_is_not_missing_where_it_is(umap_learn):
    assert umap_process.missing() == ""


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
print(umap_process.shared.number, flush=True)
"""


@pytest.mark.parametrize("seed", [1, STOPS])
@pytest.mark.parametrize("way", ["ends", pytest.param("is killed", marks=needs_signals)])
def test_no_process_is_left_when_the_program_ends(umap_learn, way, seed):
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
