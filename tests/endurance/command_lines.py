"""Random command lines: each does what it says or says in one line why not, and leaves no parts."""

import json
import os
import resource
import shlex
import shutil
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np
from PySide6.QtGui import QImage

from pe_explorer.app.application import Application
from pe_explorer.files import session
from pe_explorer.files.figure_request import request_in
from tests.endurance.calls import Outcome, called, called_as_process, check_outcome, without_windows
from tests.endurance.limits import watched
from tests.endurance.lines import GIVEN, random_line
from tests.endurance.mutations import mutated
from tests.endurance.originals import write_originals

_LARGEST_FILE = 4 << 20  # bytes: what is larger fails, as on a full disk
_LARGEST_GIVEN = 1 << 20  # bytes: it is copied for each line
_AS_PROCESS = 100  # every so many is run as a real process
_SPOILED = 12  # sessions that are given
_DATA_ARE_THERE = "the data are complete"


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, resource.RLIM_INFINITY))
    with without_windows():
        files = _write_given(folder, Random(f"{seed} given"))
        for number, pick in faults.items(f"{seed} line", size, plant, PLANTS):
            line, is_process = random_line(pick, files), number % _AS_PROCESS == 1
            while is_process and line.opens_window:
                line = random_line(pick, files)
            place = folder / f"line-{number}"
            here = _make_folder(place)
            os.chdir(here)
            details = f"{shlex.join(('pe-explorer', *line.words))}\nin {here}"
            check = partial(_check, place, line, called_as_process if is_process else called)
            if watched(faults, "a command line", check, details, limited=False):
                shutil.rmtree(place)
            os.chdir(folder)
            app.processEvents()


def _write_given(folder, pick):
    given = folder / GIVEN
    given.mkdir()
    originals = write_originals(folder / "originals")
    for original in originals:
        for path in original.path.parent.iterdir():
            shutil.copy(path, given)
    sessions = [original.path.name for original in originals if original.kind == "session"]
    for number in range(_SPOILED):
        source = given / pick.choice(sessions)
        spoiled = given / f"{number}-{source.name}"
        data = mutated(source.read_bytes(), source.suffix, pick)
        spoiled.write_bytes(data[:_LARGEST_GIVEN])
        sessions.append(spoiled.name)
    return [*sessions, "data.npy", "table.npy", "gone.json"]


def _make_folder(place):
    shutil.copytree(place.parent / GIVEN, place / GIVEN)
    folder = place / "here"
    folder.mkdir()
    for ending in (".npy", ".csv", ".png", ".svg", ".pdf"):
        (folder / f"folder{ending}").mkdir()
        (folder / f"loop{ending}").symlink_to(f"loop{ending}")
        (folder / f"dangling{ending}").symlink_to(f"gone/x{ending}")
        (folder / f"link{ending}").symlink_to(f"folder.npy/x{ending}")
        (folder / f"full{ending}").symlink_to("/dev/full")
        os.mkfifo(folder / f"pipe{ending}")
    return folder


def _check(folder, line, call):
    before = _content(folder)
    outcome = call(line.words)
    after = _content(folder)
    changed = sorted(name for name, content in after.items() if before.get(name) != content)
    changed += sorted(before.keys() - after.keys())
    assert not [name for name in changed if name.endswith(".part")], f"partial files: {changed}"
    # A line on standard error may be a note: on a file, or on what is not there.
    sources = ("--session", "--exhibit", "--assume", "learned")
    noted = (*sources, *(() if outcome.code else ("render", "evidence")))
    notes = any(word.startswith(noted) for word in line.words)
    # `check` may report a file that cannot be read beside its other output.
    misleading = "check" in line.words
    files = [word for word in line.words if word.startswith(f"../{GIVEN}")]
    several = misleading and (len(files) > 2 or bool({"--each", "--format"} & {*line.words}))
    check_outcome(outcome, notes=notes, misleading=misleading, several=several)
    if outcome.code and _DATA_ARE_THERE not in outcome.err:
        assert not changed, f"exit code {outcome.code}, and changed {changed}"
    elif changed and line.target:
        _check_written([folder / name for name in changed], folder / GIVEN)


def _content(folder):
    paths = [Path(place, name) for place, _, names in os.walk(folder) for name in names]
    about = {path: path.lstat() for path in paths}
    return {str(path.relative_to(folder)): (s.st_size, s.st_mtime_ns) for path, s in about.items()}


def _check_written(changed, given):
    beside = [path for path in changed if path.name.endswith(".session.json")]
    (written,) = set(changed) - set(beside)
    if written.suffix == ".npy":
        assert np.load(written, allow_pickle=False).ndim > 0
    elif written.suffix == ".csv":
        assert len(written.read_text(encoding="utf-8").splitlines()) > 1
    else:
        if written.suffix == ".png":
            assert not QImage.fromData(written.read_bytes()).isNull()
        else:
            assert written.read_bytes()[:4] in (b"%PDF", b"<?xm")
        _check_drawn_again(written, given)
    if beside:
        _check_written_again(written, beside[0], given)


def _check_drawn_again(figure, given):
    try:
        found = session.read(figure)
    except session.SessionError:  # with --carry omit
        return
    if request_in(found.extra) is None:  # a picture of the window
        return
    again = f"again{figure.suffix}"
    words = ["render", "--session", figure.name, "-o", again]
    _check_again(figure, again, words, given, ("table.npy", "words.txt"))


def _check_written_again(data, side, given):
    session.read(data)  # it may note keys that it keeps, such as misspelt ones
    document = json.loads(side.read_text(encoding="utf-8"))
    tables = document.get(session.TABLES, ())
    # A table that is nowhere is that of an exhibit, which belongs to the program.
    if all((data.parent / name).exists() or (given / name).exists() for name in tables):
        _check_again(data, data.name, shlex.split(document[session.COMMAND])[1:], given, tables)


def _check_again(written, again, words, given, tables):
    """Check that a command writes the same; tables that are elsewhere are named without folders."""
    for name in tables:
        if not (written.parent / name).exists():
            shutil.copy(given / name, written.parent)
    first = written.read_bytes()
    os.chdir(written.parent)
    outcome = called(words)
    assert outcome.code == 0, f"{words}: {outcome.err}"
    assert written.with_name(again).read_bytes() == first, f"{words} writes something else"


def _planted(code, err, name=""):
    """Let every command end with an exit code and a text, and perhaps leave a file."""

    def command(words):
        if name:
            Path(name).touch()
        return Outcome(code, "", err)

    return patch.multiple(__name__, called=command, called_as_process=command)


PLANTS = {
    "code": partial(_planted, 3, "pe-explorer: planted\n"),
    "lines": partial(_planted, 2, "pe-explorer: planted\nin two lines\n"),
    "part": partial(_planted, 2, "pe-explorer: planted\n", ".o.npy.0.part"),
    "left": partial(_planted, 2, "pe-explorer: planted\n", "o.npy"),
}
