"""Processes that are killed while they write, and what must be there afterwards.

`python -m tests.support.kills FOLDER SEED KIND ...` imports all that is needed and forks a child
for each kind, as often as it is given. A child says on a pipe what it has begun and what it has
done, and goes on until it is killed. File number k holds k positions, so that each says which it
is.
"""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QImage

from pe_explorer import encodings, quantities
from pe_explorer.app.application import Application
from pe_explorer.app.document.autosave import Autosave, BackupSource
from pe_explorer.app.document.backups import find_backups
from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files import export, session
from pe_explorer.model.steps import at_once
from tests.support.files import partial_files
from tests.support.processes import ENVIRONMENT

ROWS = {"npy": 40_000, "csv": 1000}
FIGURES = ("png", "svg", "pdf")
KINDS = ("session", "autosave", *ROWS, *FIGURES)
"""What is written when the process is killed."""

_COLUMNS = 8
_SIZE = FigureSize(1200, 900)

Say = Callable[[str, int], object]


class Killed(NamedTuple):
    """A killed process: what it wrote, where, and the numbers that it had done and begun last."""

    kind: str
    folder: Path
    done: int
    begun: int


def kill(kinds: Sequence[str], folder: Path, seed: object) -> Iterator[Killed]:
    """Start processes one after the other in folders of their own, and yield what they had done."""
    command = [sys.executable, "-m", "tests.support.kills", str(folder), str(seed), *kinds]
    environment = ENVIRONMENT | {"QT_QPA_PLATFORM": "offscreen"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        try:
            number = 0
            for number, line in enumerate(run.stdout, 1):
                yield Killed(kinds[number - 1], folder / str(number - 1), **json.loads(line))
            assert run.wait() == 0, run.stderr.read()
            assert number == len(kinds)
        finally:
            run.kill()


# -- what must be there ----------------------------------------------------------------------------


def check(killed: Killed) -> int:
    """Raise `AssertionError` unless all is there; return how many partial files were left.

    These are gone as soon as the next one comes along.
    """
    kind, folder, done, begun = killed
    if kind == "autosave":
        _check_backup(killed)
        return 0
    unfinished = partial_files(folder)
    target, *beside = sorted(path for path in folder.iterdir() if path not in unfinished)
    k, whole = _content(target)
    assert whole, target
    assert done <= k <= begun <= done + 1, (folder, k, done, begun)
    if beside:
        assert beside == [session.side_file(target)]
        assert _content(*beside) == (k, True), folder
    else:
        assert kind not in ROWS or done < begun, folder
    if kind in ROWS:
        export.write(quantities.of("table", encodings.create("index"), range(3)), target)
    else:
        session.write(folder / "next.json", Exploration())
    assert not partial_files(folder), folder
    return len(unfinished)


def _content(path: Path) -> tuple[int, bool]:
    """Return which k made a file, and whether it is whole."""
    if path.suffix == ".npy":
        table = np.load(path, allow_pickle=False)
        k, rows = int(table[0, 0]), ROWS["npy"]
        wanted = np.broadcast_to(np.arange(k, k + rows)[:, None], (rows, _COLUMNS))
        return k, np.array_equal(table, wanted)
    if path.suffix == ".csv":
        head, *lines = path.read_text().splitlines()
        k = int(lines[0].partition(",")[0])
        wanted = [f"{p}{f',{p}.0' * _COLUMNS}" for p in range(k, k + ROWS["csv"])]
        return k, (head, lines) == ("position,0,1,2,3,4,5,6,7", wanted)
    found = session.read(path)
    k = found.state.count
    whole = found.state.position == -k and found.notes == ()
    return k, whole and _is_whole(path)


def _is_whole(path: Path) -> bool:
    """Return whether a file is whole, besides the session in it."""
    if path.suffix == ".json":
        k = json.loads(path.read_text())["positions"]["count"]
        return bool(json.loads(path.read_text())["cursor"]["position"] == -k)
    if path.suffix == ".png":
        return not QImage(str(path)).isNull()
    if path.suffix == ".svg":
        return ET.parse(path).getroot().tag.endswith("svg")
    return path.read_bytes().rstrip().endswith(b"%%EOF")


def _check_backup(killed: Killed) -> None:
    """Check that what was unsaved is found once."""
    _, folder, done, begun = killed
    (backup,) = find_backups(folder)
    assert backup.session, (folder, backup.problem)
    state = backup.session.state
    origin = f"/origin/{state.count}"
    found = (state.count, backup.source.path, backup.session.notes)
    assert found == (-state.position, origin, ()), folder
    assert done <= state.count <= begun, (folder, done, begun)
    assert [path.name for path in folder.iterdir()] == [backup.path.name], folder


# -- the process that is killed --------------------------------------------------------------------


def _numbered(k: int) -> Exploration:
    return Exploration(count=k, position=-k)


def _save(say: Say, folder: Path) -> None:
    for k in itertools.count(1):
        say("begun", k)
        session.write(folder / "target.json", _numbered(k))
        say("done", k)


def _export(kind: str, say: Say, folder: Path) -> None:
    index = encodings.create("index", dim=_COLUMNS)
    for k in itertools.count(1):
        say("begun", k)
        data = quantities.of("table", index, range(k, k + ROWS[kind]))
        export.write(data, folder / f"target.{kind}", beside=session.dumps(_numbered(k)))
        say("done", k)


def _draw(kind: str, say: Say, folder: Path) -> None:
    app = Application("light")
    state = resolve(Exploration(), DirectStore())
    order = figure_order.Order("heatmap", state, Style(), _SIZE)
    page = at_once(figure_order.laid_out(order))
    for k in itertools.count(1):
        say("begun", k)
        text = session.dumps(_numbered(k))
        figure_files.save(page, folder / f"target.{kind}", order.dpi, text, threading.Event())
        say("done", k)
    app.quit()


class _Dragging:
    """Changes an exploration again and again, as somebody who drags a slider."""

    def __init__(self, say: Say, folder: Path) -> None:
        self._say, self._k = say, 0
        self._autosave = Autosave(folder, every=3)

    def move(self) -> None:
        """Change it once more."""
        self._k += 1
        self._say("begun", self._k)
        self._autosave.note(_numbered(self._k), BackupSource(f"/origin/{self._k}"))
        if self._k % 16 == 1:
            self._autosave.flush()
            self._say("done", self._k)


def _drag(say: Say, folder: Path) -> None:
    app = QCoreApplication([])
    dragging, timer = _Dragging(say, folder), QTimer(interval=1)
    timer.timeout.connect(dragging.move)
    timer.start()
    app.exec()


_WORK: dict[str, Callable[[Say, Path], None]] = {
    "session": _save,
    "autosave": _drag,
    **{kind: partial(_export, kind) for kind in ROWS},
    **{kind: partial(_draw, kind) for kind in FIGURES},
}


def _child(kind: str, out: int, folder: Path) -> None:
    def say(what: str, k: int) -> None:
        os.write(out, f"{what} {k}\n".encode())

    try:
        _WORK[kind](say, folder)
    finally:
        os._exit(1)


def _life(own: int) -> tuple[bytes, float]:
    """Return what a child has said once it has done two things, and how long the second took.

    The second replaces the file of the first: how long that takes says when to kill.
    """
    said, begin = b"", time.monotonic()
    while said.count(b"done") < 2:
        more = os.read(own, 1 << 16)
        assert more, "the child ended by itself"
        said += more
        if said.count(b"done") == 0:
            begin = time.monotonic()
    return said, time.monotonic() - begin


def main() -> int:
    """Start and kill the processes; print what each had done last."""
    folder, seed, *kinds = sys.argv[1:]
    spans: dict[str, float] = {}
    for trial, kind in enumerate(kinds):
        place = Path(folder, str(trial))
        place.mkdir()
        own, theirs = os.pipe()
        pid = os.fork()
        if not pid:
            _child(kind, theirs, place)
        os.close(theirs)
        said, span = _life(own)
        spans[kind] = min(span, spans.get(kind, span))
        time.sleep(random.Random(f"{seed} {trial}").random() * 2 * spans[kind])
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, said
        while more := os.read(own, 1 << 16):
            said += more
        os.close(own)
        words = [line.split() for line in said.decode().splitlines()]
        last = {word: int(k) for word, k in words}  # of each word the last line counts
        print(json.dumps(last), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
