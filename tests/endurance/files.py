"""Damaged and hostile files, opened as the window and the command line open them.

Each is refused in a sentence or opens; it costs little time and memory, whatever is in it.
"""

import os
import resource
import shutil
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from unittest.mock import Mock, patch

from pe_explorer.app.application import Application
from tests.endurance.calls import without_windows
from tests.endurance.faults import memory
from tests.endurance.limits import MOST_MEMORY, check_sentence, watched
from tests.endurance.mutations import mutated
from tests.endurance.originals import write_originals
from tests.endurance.readers import AFTERWARDS, READERS

_MOST_ADDRESSES = 4000  # MB more than at the start
_ELSEWHERE, _MEANWHILE = 0.1, 0.2  # of the files: what is no file, and what changes while read
_TARGETS = ("x", "gone", "/dev/zero", "/dev/full", "/proc/self/maps", "/proc/self/mem", ".")


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    limit = (memory("VmSize") + _MOST_ADDRESSES) << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))  # what never ends is no end of all
    with without_windows():
        originals = write_originals(folder / "originals")
        for number, pick in faults.items(f"{seed} file", size, plant, PLANTS):
            (kind, source), place = pick.choice(originals), folder / f"file-{number}"
            shutil.copytree(source.parent, place)
            path = place / source.name
            way, details, changing = pick.random(), f"{kind}, kept as {path}", nullcontext("")
            if way < _ELSEWHERE:
                details += f", {_put_something_else(path, pick)}"
            elif way > _MEANWHILE:
                path.write_bytes(mutated(path.read_bytes(), path.suffix, pick))
            else:
                changing = _changing(path, pick)
            with changing as change:
                details += f", {change}"
                is_fit = watched(faults, f"a file of {kind}", partial(READERS[kind], path), details)
            if is_fit and kind in AFTERWARDS:
                check = partial(AFTERWARDS[kind], path)
                is_fit = watched(faults, f"a file of {kind}, afterwards", check, details)
            if is_fit:
                shutil.rmtree(place)
            app.processEvents()
    faults.expect_no_parts(folder)


def _put_something_else(path, pick):
    """Put what is no ordinary file in the place of one; return what it is."""
    path.unlink()
    thing = pick.choice(("pipe", "huge", "nothing", "folder", *_TARGETS))
    if thing == "pipe":
        os.mkfifo(path)
    elif thing == "huge":
        path.write_bytes(b"{")
        os.truncate(path, 1 << 33)
    elif thing == "folder":
        path.mkdir()
    elif thing != "nothing":
        path.symlink_to(path.name if thing == "x" else thing)
    return f"{thing} in its place"


@contextmanager
def _changing(path, pick):
    """Change a file at one moment while it is read: between looking, opening and reading."""
    call = pick.choice(("stat", "open", "fstat"))
    place, size = pick.randrange(1, 5), path.stat().st_size
    lengths = {"half": size // 2, "empty": 0, "huge": size + (1 << 30)}
    if path.suffix == ".ini":  # Qt reads all of it, which was small when it was looked at
        del lengths["huge"]
    way = pick.choice(("deleted", "a folder", *lengths))
    real, calls = getattr(os, call), [0]

    def change():
        if way in lengths:
            os.truncate(path, lengths[way])
        else:
            path.unlink()
        if way == "a folder":
            path.mkdir()

    def changing(*arguments, **named):
        answer = real(*arguments, **named)
        about = arguments[0]
        if isinstance(about, int) or os.fspath(about) == str(path):
            calls[0] += 1
            if calls[0] == place:
                with suppress(OSError):
                    change()
        return answer

    with patch.object(os, call, changing):
        yield f"{way} after os.{call} number {place}"


def _planted(reader):
    """Let files of all kinds be read in another way."""
    return patch.dict(READERS, dict.fromkeys(READERS, reader))


PLANTS = {
    "traceback": partial(_planted, Mock(side_effect=KeyError("planted"))),
    "slow": partial(_planted, lambda path: sum(range(3 * 10**8))),
    "large": partial(_planted, lambda path: bytearray(b"x") * ((MOST_MEMORY + 50) << 20)),
    "lines": partial(_planted, lambda path: check_sentence(f"{path}: planted\nin two lines")),
}
