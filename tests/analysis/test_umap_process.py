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

SEED = int.from_bytes(os.urandom(4))
ROWS = np.random.default_rng(0).normal(size=(50, 7))
PATIENCE = 60.0

SLOW = """
import json, sys, time
question = json.loads(sys.stdin.buffer.readline())
n, columns = question["shape"]
sys.stdin.buffer.read(8 * n * columns)
def say(kind, value):
    print(json.dumps([kind, value]), flush=True)
    time.sleep(0.05)
say("phase", "Construct fuzzy simplicial set")
for epoch in range(1000):
    say("epochs", [epoch, 1000])
"""
"""A process that says something new each moment, and takes too long."""

QUESTION = """
import json, sys, time
question = json.loads(sys.stdin.buffer.readline())
n, columns = question["shape"]
sys.stdin.buffer.read(8 * n * columns)
out = sys.stdout.buffer
"""
POINTS = """
import array
points = array.array("d", [question["seed"]] * 2 * n).tobytes()
out.write(json.dumps(["points", len(points)]).encode() + b"\\n" + points)
out.flush()
time.sleep(600)
"""
ANSWERS = """
import array, json, sys
for line in sys.stdin.buffer:
    question = json.loads(line)
    n, columns = question["shape"]
    sys.stdin.buffer.read(8 * n * columns)
    points = array.array("d", [question["seed"]] * 2 * n).tobytes()
    sys.stdout.buffer.write(json.dumps(["points", len(points)]).encode() + b"\\n" + points)
    sys.stdout.flush()
"""
"""A process whose points are all the seed."""

COUNTS = (
    ANSWERS.replace('question["seed"]', "count")
    .replace("for line in", "count = 0\nfor line in")
    .replace("    n, columns", "    count += 1\n    n, columns")
)
"""A process whose points are all the number of the question."""

ECHOES = """
import json, sys
for line in sys.stdin.buffer:
    question = json.loads(line)
    n, columns = question["shape"]
    sys.stdin.buffer.read(8 * n * columns)
    print(json.dumps(["failed", f"|{line.decode().strip()}|"]), flush=True)
"""
"""A process that fails with what it was asked."""


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
        command = command or (sys.executable, "-S", "-E", "-c", program)
        made.append(Umap(command))
        return made[-1]

    yield of
    for one in made:
        one.end()


def refusal(of, **choices):
    """Return the sentence with which a fit is refused."""
    with pytest.raises(EncodingError) as caught:
        of.embed(**{"rows": ROWS, **choices})
    return caught.value.sentence


def test_points_come_back_as_they_were_made(umap_learn):
    points = umap_process.embed(ROWS, seed=7)
    assert (points.shape, points.dtype) == ((50, 2), np.float64)
    np.testing.assert_array_equal(points, (ROWS[:, :2] + 7).astype(np.float32))


def test_phases_and_epochs_are_reported_in_plain_words(umap_learn):
    heard = Heard()
    umap_process.embed(ROWS, seed=PAUSES, request=heard)
    shares = [share for share, _ in heard.reports]
    phases = list(dict.fromkeys(phase for _, phase in heard.reports if phase))
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert phases == [
        "Loading UMAP",
        "Comparing rows",
        "Finding neighbours",
        "Weighing neighbours",
        "Making a first layout",
        "Moving points",
    ]
    assert (0.75, "Moving points") in heard.reports


def test_the_process_stays_for_the_next_fit(umap):
    one = umap(ANSWERS)
    first = one.embed(ROWS)
    number = one.number
    second = one.embed(ROWS, seed=3)
    assert (number, is_running(number)) == (one.number, True)
    np.testing.assert_array_equal(first, np.full((50, 2), 42.0))
    np.testing.assert_array_equal(second, np.full((50, 2), 3.0))


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
def test_a_fit_is_cancelled_at_any_moment_within_a_second(umap, trial):
    """At one moment of each of 10 spans of 60 ms: as the process starts, is asked and answers."""
    pick = random.Random(SEED + trial)
    print("seed", SEED)  # shown when a test fails
    one, request = umap(SLOW), Heard()
    with ThreadPoolExecutor() as threads:
        fit = threads.submit(one.embed, ROWS, request=request)
        time.sleep(0.06 * (trial + pick.random()))
        number = one.number
        request.set()
        # What the system needs to start a process is not counted.
        assert comes_true(lambda: one.number or fit.done())
        since = time.monotonic()
        with pytest.raises(CancelledError):
            fit.result(PATIENCE)
        assert time.monotonic() - since < 1.0
    # One that was not asked yet may stay, also one that began just before the request ended.
    assert number is None or one.number in (None, number)
    assert request.share is None or request.share < 1.0


def test_a_fit_that_is_cancelled_at_once_leaves_the_process_as_it_is(umap):
    one = umap(ANSWERS)
    one.embed(ROWS)
    number, request = one.number, Heard()
    request.set()
    with pytest.raises(CancelledError):
        one.embed(ROWS, request=request)
    assert one.number == number
    assert one.embed(ROWS).shape == (50, 2)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_killed_while_it_fits_is_told_and_replaced(umap_learn):
    with ThreadPoolExecutor() as threads:
        request = Heard()
        fit = threads.submit(umap_process.embed, ROWS, seed=STOPS, request=request)
        assert comes_true(lambda: request.share)
        os.kill(umap_process.shared.number, signal.SIGKILL)
        with pytest.raises(EncodingError) as caught:
            fit.result(PATIENCE)
    assert caught.value.sentence == (
        "UMAP: the process that computes it has ended before its time (code -9); "
        "memory may have run out."
    )
    assert umap_process.embed(ROWS).shape == (50, 2)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_killed_between_two_fits_is_replaced(umap):
    one = umap(ANSWERS)
    one.embed(ROWS)
    number = one.number
    os.kill(number, signal.SIGKILL)
    assert comes_true(lambda: one.number is None)
    assert one.embed(ROWS).shape == (50, 2)
    assert one.number != number
    assert not is_running(number)


@pytest.mark.parametrize(
    ("seed", "sentence"),
    [
        (
            FAILS,
            "UMAP: umap-learn found no layout (ValueError: no layout\\nat all); "
            "choose another metric, or PCA.",
        ),
        (RUNS_OUT, "UMAP: memory ran out; show fewer positions, or choose PCA."),
        (
            DIES,
            "UMAP: the process that computes it has ended before its time (code 3); "
            "memory may have run out.",
        ),
    ],
)
def test_what_goes_wrong_is_said(umap_learn, seed, sentence):
    assert refusal(umap_process, seed=seed) == sentence
    assert umap_process.embed(ROWS, seed=2).shape == (50, 2)


def test_what_else_is_printed_does_no_harm(umap_learn):
    points = umap_process.embed(ROWS, seed=PRINTS)
    np.testing.assert_array_equal(points, (ROWS[:, :2] + PRINTS).astype(np.float32))


def test_umap_learn_that_cannot_be_loaded_is_told(tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, "raise ImportError('no numba here')")
    assert refusal(umap_process) == (
        "UMAP: umap-learn cannot be loaded (ImportError: no numba here); "
        "this may mend it: pip install --force-reinstall umap-learn."
    )
    umap_process.end()


GARBAGE = {
    "no json": "say(b'Hello!\\n')",
    "another form": "say(b'{\"phase\": 1}\\n')",
    "one value": "say(b'[1]\\n')",
    "a number": "say(b'12\\n')",
    "a deep list": "say(b'[' * 60000 + b'\\n')",
    "bytes": "say(bytes(range(128, 256)) + b'\\n')",
    "a line without end": "\nwhile True: say(b'x' * 1000)",
    "too few points": "say(b'[\"points\", 16]\\n' + bytes(16))",
    "points that are promised": "say(b'[\"points\", 800]\\n' + bytes(16)); out.close()",
}


@pytest.mark.parametrize("name", GARBAGE)
def test_a_process_that_says_garbage_is_ended(umap, name):
    one = umap(f"{QUESTION}\nsay = out.write\n{GARBAGE[name]}\nout.flush()\ntime.sleep(600)")
    assert refusal(one) == (
        "UMAP: the process that computes it said what cannot be read; it was ended."
    )
    assert one.number is None


STRANGE = ['["epochs", "many"]', '["epochs", [3, 0]]', '["phase", null]', "[1, 2]", '["", {}]']


def test_a_strange_word_between_is_passed_over(umap):
    said = "\n".join(f"out.write(b'{line}\\n')" for line in STRANGE)
    heard = Heard()
    points = umap(f"{QUESTION}\n{said}\n{POINTS}").embed(ROWS, request=heard)
    assert points.shape == (50, 2)
    assert {phase for _, phase in heard.reports} == {"Loading UMAP"}


@pytest.mark.parametrize("program", ["import time; time.sleep(600)", "{QUESTION}time.sleep(600)"])
def test_a_process_that_never_answers_is_cancelled(umap, program):
    many = np.ones((2000, 500))  # more than fits into a pipe
    one, request = umap(program.format(QUESTION=QUESTION)), Heard()
    with ThreadPoolExecutor() as threads:
        fit = threads.submit(one.embed, many, request=request)
        assert comes_true(lambda: one.number)
        time.sleep(0.3)
        assert not fit.done()
        number, since = one.number, time.monotonic()
        request.set()
        with pytest.raises(CancelledError):
            fit.result(PATIENCE)
        assert time.monotonic() - since < 1.0
    assert not is_running(number)


def test_two_fits_at_once_come_one_after_the_other(umap):
    one = umap(ANSWERS)
    with ThreadPoolExecutor(6) as threads:
        fits = [threads.submit(one.embed, ROWS, seed=seed) for seed in range(6)]
        for seed, fit in enumerate(fits):
            np.testing.assert_array_equal(fit.result(PATIENCE), np.full((50, 2), float(seed)))


def test_a_fit_that_waits_for_another_is_cancelled(umap):
    one, first, second = umap(SLOW), Heard(), Heard()
    with ThreadPoolExecutor() as threads:
        working = threads.submit(one.embed, ROWS, request=first)
        assert comes_true(lambda: first.share)
        waiting = threads.submit(one.embed, ROWS, seed=1, request=second)
        assert comes_true(lambda: second.phase == "Waiting for another fit")
        second.set()
        with pytest.raises(CancelledError):
            waiting.result(1.0)
        assert not working.done()
        assert is_running(one.number)
        first.set()
        with pytest.raises(CancelledError):
            working.result(1.0)


def test_those_who_want_the_same_share_a_fit(umap):
    one, requests = umap(COUNTS), [Heard() for _ in range(4)]
    with ThreadPoolExecutor() as threads:
        fits = [threads.submit(one.embed, ROWS, request=request) for request in requests]
        np.testing.assert_array_equal([fit.result(PATIENCE) for fit in fits], np.ones((4, 50, 2)))
    np.testing.assert_array_equal(one.embed(ROWS), np.ones((50, 2)))  # which is kept
    np.testing.assert_array_equal(one.embed(ROWS, metric="euclidean"), np.full((50, 2), 2.0))
    np.testing.assert_array_equal(one.embed(-ROWS, metric="euclidean"), np.full((50, 2), 3.0))


def test_a_shared_fit_goes_on_as_long_as_one_wants_it(umap):
    one, first, second = umap(SLOW), Heard(), Heard()
    with ThreadPoolExecutor() as threads:
        begun = threads.submit(one.embed, ROWS, request=first)
        assert comes_true(lambda: first.share)
        joined = threads.submit(one.embed, ROWS, request=second)
        assert comes_true(lambda: second.share)
        number, share = one.number, second.share
        first.set()
        with pytest.raises(CancelledError):
            begun.result(1.0)
        assert comes_true(lambda: second.share > share)
        assert one.number == number
        second.set()
        with pytest.raises(CancelledError):
            joined.result(1.0)
        assert not is_running(number)


def test_a_command_that_cannot_be_started_is_told(umap, tmp_path):
    said = refusal(umap("", str(tmp_path / "no such program")))
    assert said == (
        "UMAP: the process that computes it cannot be started (no such file or directory); "
        "choose PCA."
    )


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_too_few_positions(umap, count):
    said = refusal(umap(ANSWERS), rows=ROWS[:count])
    assert said == (
        f"UMAP: it joins each position to its neighbours, and there are only {count}; "
        "show at least 4, or choose PCA."
    )


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"metric": "dot"}, "Metric: 'dot' is none of UMAP's: cosine, euclidean, manhattan, "),
        ({"seed": -1}, "Seed: -1 is outside 0 to 4294967295"),
        ({"seed": 2**32}, "Seed: 4294967296 is outside 0 to 4294967295"),
        ({"rows": [[1.0, np.nan]] * 5}, "Rows: hold numbers that are not finite"),
        ({"rows": [1.0] * 5}, "Rows: have the shape (5,)"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_starts(umap, choices, sentence):
    one = umap(ANSWERS)
    assert refusal(one, **choices).startswith(sentence)
    assert one.number is None


def test_where_umap_is_missing_one_command_adds_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    said = 'UMAP is not installed. This command adds it: pip install "pe-explorer[umap]"'
    assert umap_process.missing() == said
    assert refusal(umap_process) == f"Method: {said}."
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert umap_process.missing() == (
        "UMAP is not part of this build; PE Explorer as a package of Python can have it"
    )


def test_umap_is_not_missing_where_it_is(umap_learn):
    assert umap_process.missing() == ""


def test_a_folder_of_that_name_is_no_umap(tmp_path, monkeypatch):
    (tmp_path / "umap").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert umap_process.missing().startswith("UMAP is not installed.")


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


@pytest.fixture
def program(umap_learn):
    """Return a function that starts the program above, which fits with a seed."""
    begun = []

    def started(seed, more=""):
        command = [sys.executable, "-c", WORKING + more, str(seed)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        begun.append(subprocess.Popen(command, text=True, **pipes))
        return begun[-1]

    yield started
    for run in begun:
        run.kill()
        run.communicate()


@pytest.mark.parametrize("seed", [1, STOPS])
def test_no_process_is_left_when_the_program_ends(program, seed):
    run = program(seed)
    said, errors = run.communicate(timeout=PATIENCE)
    assert (run.returncode, errors) == (0, "")
    assert comes_true(lambda: not is_running(int(said)))


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("seed", [1, STOPS])
def test_no_process_is_left_when_the_program_is_killed(program, seed):
    run = program(seed, "time.sleep(600)")
    number = int(run.stdout.readline())
    assert is_running(number)
    run.kill()
    assert comes_true(lambda: not is_running(number))
