"""Processes killed at random moments.

What they replaced is there whole, old or new, and what was unsaved is found.

One process imports all that is needed and forks a child for each trial. A child says on a
pipe what it has begun and what it has done, and goes on until it is killed.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pe_explorer import encodings, quantities
from pe_explorer.app.document.backups import find_backups
from pe_explorer.exploration import Exploration
from pe_explorer.files import export, session
from tests.support.files import partial_files

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

SEED = int.from_bytes(os.urandom(4))
ROWS = {"npy": 40_000, "csv": 1000}
TRIALS = {"session": 60, "npy": 40, "csv": 30, "autosave": 70}

HELPER = """
import itertools, json, os, random, signal, sys, time
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from pe_explorer import encodings, quantities
from pe_explorer.exploration import Exploration
from pe_explorer.files import export, session
from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.document.saved_version import BackupSource

kind, folder, trials, rows, seed = sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:])
index = encodings.create("index", dim=8)


def replace(say, folder):
    target = folder / f"target.{'json' if kind == 'session' else kind}"
    for k in itertools.count(1):
        say("begun", k)
        if kind == "session":
            session.write(target, Exploration(count=k, position=-k))
        else:
            data = quantities.of("table", index, range(k, k + rows))
            export.write(data, target, beside=session.dumps(Exploration(count=k, position=-k)))
        say("done", k)


class Dragging:
    def __init__(self, say, folder):
        self.say, self.k = say, 0
        self.autosave = Autosave(folder, every=3)

    def move(self):
        self.k += 1
        self.say("begun", self.k)
        state, source = Exploration(count=self.k, position=-self.k), f"/origin/{self.k}"
        self.autosave.note(state, BackupSource(source))
        if self.k % 16 == 1:
            self.autosave.flush()
            self.say("done", self.k)


def drag(say, folder):
    app = QCoreApplication([])
    dragging, timer = Dragging(say, folder), QTimer(interval=1)
    timer.timeout.connect(dragging.move)
    timer.start()
    app.exec()


def child(out, folder):
    say = lambda what, k: os.write(out, f"{what} {k}\\n".encode())
    try:
        (drag if kind == "autosave" else replace)(say, folder)
    finally:
        os._exit(1)


def life(own):
    # The second operation replaces the file of the first: how long it takes says when to kill.
    said, begin = b"", time.monotonic()
    while said.count(b"done") < 2:
        more = os.read(own, 1 << 16)
        assert more, "the child ended by itself"
        said += more
        if said.count(b"done") == 0:
            begin = time.monotonic()
    return said, time.monotonic() - begin


pick, spans = random.Random(seed), []
for trial in range(trials):
    place = folder / str(trial)
    place.mkdir()
    own, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        child(theirs, place)
    os.close(theirs)
    said, span = life(own)
    spans.append(span)
    time.sleep(pick.random() * 2 * min(spans))
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, said
    while more := os.read(own, 1 << 16):
        said += more
    os.close(own)
    words = [line.split() for line in said.decode().splitlines()]
    last = {what: max(int(k) for word, k in words if word == what) for what in ("begun", "done")}
    print(json.dumps(last), flush=True)
"""


def killed(kind, folder):
    """Yield the folder of each trial, what its child had begun last, and done last."""
    print("seed", SEED)  # shown when a test fails
    command = [
        sys.executable,
        "-c",
        HELPER,
        kind,
        str(folder),
        str(TRIALS[kind]),
        str(ROWS.get(kind, 0)),
        str(SEED),
    ]
    at_work = 0
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            for number, line in enumerate(run.stdout):
                trial = json.loads(line)
                at_work += trial["begun"] > trial["done"]
                yield Path(folder, str(number)), trial["done"], trial["begun"]
            assert run.wait() == 0, run.stderr.read()
        finally:
            run.kill()
    assert number + 1 == TRIALS[kind]
    assert at_work > TRIALS[kind] // 5, "too few were killed at work"


def content(path):
    """Return which k made a file, and whether it is whole."""
    if path.suffix == ".json":
        document = json.loads(path.read_text())
        k = document["positions"]["count"]
        whole = session.read(path)
        return k, document["cursor"]["position"] == -k and (
            whole.state.count,
            whole.state.position,
            whole.notes,
        ) == (k, -k, ())
    if path.suffix == ".npy":
        table = np.load(path, allow_pickle=False)
        k = int(table[0, 0])
        return k, np.array_equal(
            table, np.broadcast_to(np.arange(k, k + ROWS["npy"])[:, None], (ROWS["npy"], 8))
        )
    head, *rows = path.read_text().splitlines()
    k = int(rows[0].partition(",")[0])
    return k, (head, rows) == (
        "position,0,1,2,3,4,5,6,7",
        [f"{p}{f',{p}.0' * 8}" for p in range(k, k + ROWS["csv"])],
    )


@pytest.mark.parametrize("kind", ["session", "npy", "csv"])
def test_the_old_or_the_new_file_is_there_whole(tmp_path, kind):
    left_behind = 0
    for folder, done, begun in killed(kind, tmp_path):
        target, *beside = sorted(
            path for path in folder.iterdir() if not path.name.endswith(".part")
        )
        k, whole = content(target)
        assert whole, folder
        assert done <= k <= begun <= done + 1, (folder, k, done, begun)
        if beside:
            assert beside == [session.side_file(target)]
            assert content(*beside) == (k, True), folder
        else:
            assert kind == "session" or done < begun, folder
        left_behind += len(partial_files(folder))
        replaced(target)
        assert not partial_files(folder), folder
        for path in folder.iterdir():
            path.unlink()
    assert left_behind > 0


def replaced(target):
    """Write a file anew, as the next one who comes along."""
    if target.suffix == ".json":
        session.write(target, Exploration())
    else:
        export.write(quantities.of("table", encodings.create("index"), range(3)), target)


def test_an_unsaved_exploration_is_found_once(tmp_path):
    for folder, done, begun in killed("autosave", tmp_path):
        (backup,) = find_backups(folder)
        assert backup.session, (folder, backup.problem)
        state = backup.session.state
        assert (state.count, backup.source.path, backup.session.notes) == (
            -state.position,
            f"/origin/{state.count}",
            (),
        ), folder
        assert done <= state.count <= begun, (folder, done, begun)
        assert [path.name for path in folder.iterdir()] == [backup.path.name], folder
