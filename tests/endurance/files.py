"""Damaged and hostile files, opened as the window and the command line open them.

Each is refused in a sentence or opens; it costs little time and memory, whatever is in it.
"""

import resource
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from random import Random

from pe_explorer.app.application import Application
from tests.endurance.calls import without_windows
from tests.endurance.faults import Faults, memory
from tests.endurance.limits import MOST_MEMORY, MOST_SECONDS, check_sentence, watched
from tests.endurance.mutations import mutated
from tests.endurance.originals import Original, write_originals
from tests.endurance.places import changing_meanwhile, replaced_by_something_else
from tests.endurance.readers import AFTERWARDS, READERS

_MOST_ADDRESSES = 4000  # MB more than at the start
_ELSEWHERE, _MEANWHILE = 0.1, 0.2  # of the files: what is no file, and what changes while read


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Read so many files, of which the first are read by planted readers."""
    app = Application("light")
    limit = (memory("VmSize") + _MOST_ADDRESSES) << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))  # what never ends is no end of all
    with without_windows():
        originals = write_originals(folder / "originals")
        for number, pick in faults.items(f"{seed} file", size):
            planted = PLANTS[plant[number - 1]] if number <= len(plant) else None
            _read(faults, pick.choice(originals), folder / f"file-{number}", pick, planted)
            app.processEvents()
    faults.expect_no_parts(folder)


def _read(
    faults: Faults,
    original: Original,
    folder: Path,
    pick: Random,
    planted: Callable[[Path], None] | None,
) -> None:
    """Read a file that was changed; keep it where that is a fault."""
    shutil.copytree(original.path.parent, folder)
    path = folder / original.path.name
    read = planted or READERS[original.kind]
    way, done = pick.random(), f"{original.kind}, kept as {path}"
    if way < _ELSEWHERE:
        done += f", {replaced_by_something_else(path, pick)}"
    elif way > _MEANWHILE:
        path.write_bytes(mutated(path.read_bytes(), path.suffix, pick))
    meanwhile = _ELSEWHERE <= way <= _MEANWHILE
    with changing_meanwhile(path, pick) if meanwhile else nullcontext("") as change:
        details = f"{done}, {change}"
        is_fit = watched(faults, f"a file of {original.kind}", partial(read, path), details)
    if is_fit and original.kind in AFTERWARDS:
        check = partial(AFTERWARDS[original.kind], path)
        is_fit = watched(faults, f"a file of {original.kind}, afterwards", check, details)
    if is_fit:
        shutil.rmtree(folder)


# -- planted ---------------------------------------------------------------------------------------


def _traceback(path: Path) -> None:
    raise KeyError("planted")


def _slow(path: Path) -> None:
    end = time.process_time() + MOST_SECONDS + 0.1
    while time.process_time() < end:
        pass


def _large(path: Path) -> None:
    assert len(bytearray(b"x") * ((MOST_MEMORY + 50) << 20)) > 0


def _several_lines(path: Path) -> None:
    check_sentence(f"{path}: planted\nin two lines")


PLANTS: Mapping[str, Callable[[Path], None]] = {
    "traceback": _traceback,
    "slow": _slow,
    "large": _large,
    "several lines": _several_lines,
}
