"""Random command lines: each does what it says or says in one line why not, and leaves no parts."""

import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
from PySide6.QtGui import QImage

from pe_explorer.app.application import Application
from pe_explorer.files import session
from pe_explorer.files.figure_request import request_in
from tests.endurance.calls import Outcome, called, check_outcome, without_windows
from tests.endurance.faults import Faults
from tests.endurance.limits import PATIENCE, watched
from tests.endurance.lines import GIVEN, Line, random_line
from tests.endurance.mutations import mutated
from tests.endurance.originals import write_originals
from tests.support.processes import ENVIRONMENT

_LARGEST_FILE = 4 << 20  # bytes: what is larger fails, as on a full disk
_LARGEST_GIVEN = 1 << 20  # bytes: it is copied for each line
_AS_PROCESS = 100  # every so many is run as a real process
_SPOILED = 12  # sessions that are given
_DATA_ARE_THERE = "the data are complete"


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Run so many lines, the first of them planted ones."""
    app = Application("light")
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, resource.RLIM_INFINITY))
    with without_windows():
        files = _write_given(folder, Random(f"{seed} given"))
        for number, pick in faults.items(f"{seed} line", size):
            line, call = random_line(pick, files), called
            if number % _AS_PROCESS == 1:
                call = _as_process
                while line.opens_window:
                    line = random_line(pick, files)
            if number <= len(plant):
                call = PLANTS[plant[number - 1]]
            _try(faults, folder / f"line-{number}", line, call)
            app.processEvents()


def _write_given(folder: Path, pick: Random) -> list[str]:
    """Write what lines begin from into a folder, some of it damaged; return the names."""
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


def _try(
    faults: Faults, folder: Path, line: Line, call: Callable[[Sequence[str]], Outcome]
) -> None:
    """Run a line in a folder of its own; keep that where there is a fault."""
    shutil.copytree(folder.parent / GIVEN, folder / GIVEN)
    here = folder / "here"
    _make_folder(here)
    os.chdir(here)
    details = f"{shlex.join(('pe-explorer', *line.words))}\nin {here}"
    check = partial(_check, folder, line, call)
    is_fit = watched(faults, "a command line", check, details, limited=False)
    os.chdir(folder.parent)
    if is_fit:
        shutil.rmtree(folder)


def _make_folder(folder: Path) -> None:
    """Make a working folder with what a file to write may meet there."""
    folder.mkdir()
    for ending in (".npy", ".csv", ".png", ".svg", ".pdf"):
        (folder / f"folder{ending}").mkdir()
        (folder / f"loop{ending}").symlink_to(f"loop{ending}")
        (folder / f"dangling{ending}").symlink_to(f"gone/x{ending}")
        (folder / f"link{ending}").symlink_to(f"folder.npy/x{ending}")
        (folder / f"full{ending}").symlink_to("/dev/full")
        os.mkfifo(folder / f"pipe{ending}")


def _check(folder: Path, line: Line, call: Callable[[Sequence[str]], Outcome]) -> None:
    before = _content(folder)
    outcome = call(line.words)
    after = _content(folder)
    changed = sorted(name for name, content in after.items() if before.get(name) != content)
    changed += sorted(before.keys() - after.keys())
    assert not [name for name in changed if name.endswith(".part")], f"partial files: {changed}"
    misleading = "check" in line.words
    notes = _may_have_notes(line, outcome.code)
    several = misleading and _may_report_errors(line)
    check_outcome(outcome, notes=notes, misleading=misleading, several=several)
    if outcome.code and _DATA_ARE_THERE not in outcome.err:
        assert not changed, f"exit code {outcome.code}, and changed {changed}"
    elif changed and line.target:
        _check_written([folder / name for name in changed], folder / GIVEN)


def _may_have_notes(line: Line, code: object) -> bool:
    """Whether a line of standard error may be no error: on a file, or on what is not there."""
    sources = ("--session", "--exhibit", "--assume", "learned")
    beginnings = (*sources, *(() if code else ("render", "evidence")))
    return any(word.startswith(beginnings) for word in line.words)


def _may_report_errors(line: Line) -> bool:
    """Whether a line of `check` may report a file that cannot be read beside its other output."""
    files = [word for word in line.words if word.startswith(f"../{GIVEN}")]
    return len(files) > 2 or bool({"--each", "--format"} & {*line.words})


def _content(folder: Path) -> dict[str, object]:
    """Return the size and time of each file below a folder."""
    found: dict[str, object] = {}
    for place, _, names in os.walk(folder):
        for name in names:
            status = os.lstat(os.path.join(place, name))
            path = os.path.relpath(os.path.join(place, name), folder)
            found[path] = status.st_size, status.st_mtime_ns
    return found


def _check_written(changed: Sequence[Path], given: Path) -> None:
    """Read what was written, and do again what the command beside data says."""
    beside = [path for path in changed if path.name.endswith(".session.json")]
    (written,) = set(changed) - set(beside)
    if written.suffix == ".npy":
        assert np.load(written, allow_pickle=False).ndim > 0
    elif written.suffix == ".csv":
        assert len(written.read_text(encoding="utf-8").splitlines()) > 1
    elif written.suffix == ".png":
        assert not QImage.fromData(written.read_bytes()).isNull()
    else:
        assert written.read_bytes()[:4] in (b"%PDF", b"<?xm")
    if written.suffix in (".png", ".pdf", ".svg"):
        _check_drawn_again(written, given)
    if beside:
        _check_again(written, beside[0], given)


def _check_drawn_again(figure: Path, given: Path) -> None:
    """Check that a figure draws itself again, from nothing but what it holds."""
    try:
        found = session.read(figure)
    except session.SessionError:  # with --carry omit
        return
    if request_in(found.extra) is None:  # a picture of the window
        return
    for name in ("table.npy", "words.txt"):  # those elsewhere are named without folders
        if not (figure.parent / name).exists():
            shutil.copy(given / name, figure.parent)
    again = figure.with_name(f"again{figure.suffix}")
    os.chdir(figure.parent)
    outcome = called(["render", "--session", figure.name, "-o", again.name])
    assert outcome.code == 0, f"{figure.name} is not drawn again: {outcome.err}"
    assert again.read_bytes() == figure.read_bytes(), f"{figure.name} is drawn otherwise"


def _check_again(data: Path, side: Path, given: Path) -> None:
    """Check that the command in the side file writes the same data."""
    found = session.read(data)
    assert not found.notes, found.notes
    first = data.read_bytes()
    document = json.loads(side.read_text(encoding="utf-8"))
    for name in document.get(session.TABLES, ()):  # those elsewhere are named without folders
        if (data.parent / name).exists():
            continue
        if not (given / name).exists():  # a table of an exhibit, which belongs to the program
            return
        shutil.copy(given / name, data.parent)
    command = document[session.COMMAND]
    _, *words = shlex.split(command)
    os.chdir(data.parent)
    outcome = called(words)
    assert outcome.code == 0, f"{command}: {outcome.err}"
    assert data.read_bytes() == first, f"{command} writes other data"


def _as_process(words: Sequence[str]) -> Outcome:
    """Run a line as a process of its own."""
    command = [sys.executable, "-m", "pe_explorer", *(word.replace("\0", "") for word in words)]
    done = subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, timeout=PATIENCE, check=False
    )
    out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
    return Outcome(done.returncode, out, err)


# -- planted ---------------------------------------------------------------------------------------


def _traceback(words: Sequence[str]) -> Outcome:
    raise KeyError("planted")


def _part(words: Sequence[str]) -> Outcome:
    Path(".o.npy.0.part").touch()
    return Outcome(2, "", "pe-explorer: planted\n")


def _left(words: Sequence[str]) -> Outcome:
    Path("o.npy").touch()
    return Outcome(2, "", "pe-explorer: planted\n")


PLANTS: Mapping[str, Callable[[Sequence[str]], Outcome]] = {
    "traceback": _traceback,
    "other code": lambda words: Outcome(3, "", "pe-explorer: planted\n"),
    "two lines": lambda words: Outcome(2, "", "pe-explorer: planted\nin two lines\n"),
    "part": _part,
    "left": _left,
}
