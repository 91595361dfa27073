"""Processes that are killed while they write files, and checks of these files.

A process reports each file that it begins and completes, and continues until it is killed. File
number k contains k positions, so that its content reveals its number.
"""

import itertools
import json
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from contextlib import suppress
from functools import cache, partial
from multiprocessing import forkserver
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch
from xml.etree import ElementTree as ET

import numpy as np
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QImage

from pe_explorer import encodings, quantities
from pe_explorer.app.application import Application
from pe_explorer.app.document.backups import Autosave, SavedVersion, find_backups
from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files import export, session
from pe_explorer.model.steps import run_now
from tests.support.files import partial_files
from tests.support.processes import ENVIRONMENT

ROWS = {"npy": 40_000, "csv": 1000}
FIGURES = ("png", "svg", "pdf")
KINDS = ("session", "autosave", *ROWS, *FIGURES)
"""The kinds of files that a killed process was writing."""
COLUMNS = 8


class Killed(NamedTuple):
    """A killed process, with the numbers of the last file that it completed and began."""

    kind: str
    folder: Path
    done: int
    begun: int


def _context():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])  # imports this module once for all child processes
    return context


def kill(kinds, folder, seed):
    """Start processes, kill each at a random moment, and yield the results.

    The time at which a process is killed depends on how long it takes to replace its first file.
    """
    context = _context()
    with patch.dict(os.environ, ENVIRONMENT):
        forkserver.ensure_running()
    spans = {}
    for trial, kind in enumerate(kinds):
        place = folder / str(trial)
        place.mkdir()
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=WORK[kind], args=(theirs.send, place))
        child.start()
        theirs.close()
        said, times = [], []
        while len(times) < 2:
            said.append(ours.recv())
            if said[-1][0] == "done":
                times.append(time.monotonic())
        spans[kind] = min(times[1] - times[0], spans.get(kind, np.inf))
        time.sleep(random.Random(f"{seed} {trial}").random() * 2 * spans[kind])
        child.kill()
        child.join()
        assert child.exitcode == -signal.SIGKILL, said
        with suppress(EOFError):
            while True:
                said.append(ours.recv())
        yield Killed(kind, place, **dict(said))  # later reports override earlier ones


def check(killed):
    """Raise `AssertionError` unless the files are complete; return the number of partial files.

    The next write must remove partial files.
    """
    kind, folder, done, begun = killed
    if kind == "autosave":
        (backup,) = find_backups(folder)
        assert backup.session, (folder, backup.problem)
        k = backup.session.state.count
        found = (backup.session.state.position, backup.saved.path, backup.session.notes)
        assert found == (-k, Path(f"/origin/{k}"), ()), folder
        assert done <= k <= begun, (folder, done, begun)
        assert [path.name for path in folder.iterdir()] == [backup.path.name], folder
        return 0
    unfinished = partial_files(folder)
    target, *beside = sorted(path for path in folder.iterdir() if path not in unfinished)
    k = number_of(target)
    assert done <= k <= begun <= done + 1, (folder, k, done, begun)
    assert beside in ([], [session.to_side_path(target)])
    if kind in ROWS:
        assert number_of_session(target) == k or done < k == begun, folder
        export.write(quantities.of("table", encodings.create("index"), range(3)), target)
    else:
        session.write(folder / "next.json", Exploration())
    assert not partial_files(folder), folder
    return len(unfinished)


def number_of_session(data):
    found = session.find_side_file(data)
    return found and session.read_file(found).state.count


def number_of(path):
    """Return the number k of a file; fail if the file is incomplete."""
    if path.suffix == ".npy":
        table = np.load(path, allow_pickle=False)
        k = int(table[0, 0])
        rows = np.arange(k, k + ROWS["npy"])[:, None]
        np.testing.assert_array_equal(table, np.broadcast_to(rows, (len(rows), COLUMNS)))
        return k
    if path.suffix == ".csv":
        head, *lines = path.read_text().splitlines()
        k = int(lines[0].partition(",")[0])
        rows = [f"{p}{f',{p}.0' * COLUMNS}" for p in range(k, k + ROWS["csv"])]
        assert (head, lines) == ("position,0,1,2,3,4,5,6,7", rows), path
        return k
    found = session.read(path)
    k = found.state.count
    assert (found.state.position, found.notes) == (-k, ()), path
    if path.suffix == ".json":
        assert json.loads(path.read_text())["cursor"]["position"] == -k, path
    elif path.suffix == ".png":
        assert not QImage(str(path)).isNull(), path
    elif path.suffix == ".svg":
        assert ET.parse(path).getroot().tag.endswith("svg"), path
    else:
        assert path.read_bytes().rstrip().endswith(b"%%EOF"), path
    return k


def numbered(k):
    return Exploration(count=k, position=-k)


def write(target, k):
    """Write file number k, which replaces the previous file."""
    kind, text = target.suffix.removeprefix("."), session.dumps(numbered(k))
    if kind in ROWS:
        index = encodings.create("index", dim=COLUMNS)
        export.write(
            quantities.of("table", index, range(k, k + ROWS[kind])), target, session_text=text
        )
    elif kind in FIGURES:
        page, dpi = _page()
        figure_files.save(page, target, dpi, text, threading.Event())
    else:
        session.write(target, numbered(k))


def killed_at(step, target, k):
    """Return whether a process was killed before its rename or removal number `step`."""
    child = _context().Process(target=_write_until, args=(step, target, k))
    child.start()
    child.join()
    return child.exitcode == -signal.SIGKILL


def _write_until(step, target, k):
    steps = itertools.count(1)

    def watch(event, _):
        if event in ("os.rename", "os.remove") and next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    write(target, k)


@cache
def _page():
    state = resolve(Exploration(), DirectStore())
    order = figure_order.FigureJob("heatmap", state, Style(), FigureSize(1200, 900))
    return run_now(figure_order.lay_out_figures(order)), order.dpi


def write_again_and_again(kind, say, folder):
    if kind in FIGURES:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        app = Application("light")  # noqa: F841 - it draws, as long as it is there
    for k in itertools.count(1):
        say(("begun", k))
        write(folder / f"target.{'json' if kind == 'session' else kind}", k)
        say(("done", k))


def drag(say, folder):
    """Change an exploration repeatedly, like a user who drags a slider."""
    app = QCoreApplication([])
    autosave, numbers = Autosave(folder, interval=3), itertools.count(1)

    def move():
        k = next(numbers)
        say(("begun", k))
        autosave.schedule(numbered(k), SavedVersion(None, Path(f"/origin/{k}")))
        if k % 16 == 1:
            autosave.flush()
            say(("done", k))

    timer = QTimer(interval=1)
    timer.timeout.connect(move)
    timer.start()
    app.exec()


WORK = {kind: partial(write_again_and_again, kind) for kind in KINDS} | {"autosave": drag}
