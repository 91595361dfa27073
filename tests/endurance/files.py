"""Damaged and hostile files, opened as the window and the command line open them.

Each is refused in a sentence or opens; it costs little time and memory, whatever is in it.
"""

import os
import resource
import shutil
import time
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from unittest.mock import patch

from pe_explorer.app.application import Application
from tests.endurance.calls import without_windows
from tests.endurance.faults import memory
from tests.endurance.limits import MOST_MEMORY, MOST_SECONDS, check_sentence, watched
from tests.endurance.mutations import mutated
from tests.endurance.originals import write_originals
from tests.endurance.readers import AFTERWARDS, READERS

_MOST_ADDRESSES = 4000  # MB more than at the start
_ELSEWHERE, _MEANWHILE = 0.1, 0.2  # of the files: what is no file, and what changes while read


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    limit = (memory("VmSize") + _MOST_ADDRESSES) << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))  # what never ends is no end of all
    with without_windows():
        originals = write_originals(folder / "originals")
        for number, pick in faults.items(f"{seed} file", size, plant, PLANTS):
            _read(faults, pick.choice(originals), folder / f"file-{number}", pick)
            app.processEvents()
    faults.expect_no_parts(folder)


def _read(faults, original, folder, pick):
    shutil.copytree(original.path.parent, folder)
    path, kind = folder / original.path.name, original.kind
    way, details = pick.random(), f"{kind}, kept as {path}"
    if way < _ELSEWHERE:
        path.unlink()
        number = pick.randrange(len(_NO_FILES))
        _NO_FILES[number](path)
        details += f", {number} of what is no file"
    elif way > _MEANWHILE:
        path.write_bytes(mutated(path.read_bytes(), path.suffix, pick))
    meanwhile = _ELSEWHERE <= way <= _MEANWHILE
    with _changing(path, pick) if meanwhile else nullcontext("") as change:
        details += f", {change}"
        is_fit = watched(faults, f"a file of {kind}", partial(READERS[kind], path), details)
    if is_fit and kind in AFTERWARDS:
        check = partial(AFTERWARDS[kind], path)
        is_fit = watched(faults, f"a file of {kind}, afterwards", check, details)
    if is_fit:
        shutil.rmtree(folder)


def _sparse(path):
    with open(path, "wb") as file:
        file.write(b"{")
        file.truncate(1 << 33)


_NO_FILES = (
    os.mkfifo,
    _sparse,
    lambda path: None,
    lambda path: path.mkdir(),
    lambda path: path.symlink_to(path.name),
    lambda path: path.symlink_to("gone"),
    lambda path: path.symlink_to("/dev/zero"),
    lambda path: path.symlink_to("/dev/full"),
    lambda path: path.symlink_to("/proc/self/maps"),
    lambda path: path.symlink_to("/proc/self/mem"),
    lambda path: path.symlink_to("."),
)
_LENGTHS = {
    "half": lambda size: size // 2,
    "empty": lambda size: 0,
    "huge": lambda size: size + (1 << 30),
}


@contextmanager
def _changing(path, pick):
    """Change a file at one moment while it is read: between looking, opening and reading."""
    call = pick.choice(("stat", "open", "fstat"))
    place, size = pick.randrange(4), path.stat().st_size
    ways = ("deleted", "half", "empty", "huge", "a folder")
    if path.suffix == ".ini":  # Qt reads all of it, which was small when it was looked at
        ways = ("deleted", "half", "empty", "a folder")
    way = pick.choice(ways)
    real, calls = getattr(os, call), [0]

    def change(*arguments, **named):
        answer = real(*arguments, **named)
        about = arguments[0]
        if isinstance(about, int) or os.fspath(about) == str(path):
            calls[0] += 1
            with suppress(OSError):
                if calls[0] == place + 1:
                    _change(path, way, size)
        return answer

    with patch.object(os, call, change):
        yield f"{way} after os.{call} number {place}"


def _change(path, way, size):
    if way in _LENGTHS:
        os.truncate(path, _LENGTHS[way](size))
    else:
        path.unlink()
    if way == "a folder":
        path.mkdir()


def _planted(reader):
    return patch.dict(READERS, dict.fromkeys(READERS, reader))


def _traceback(path):
    raise KeyError("planted")


def _slow(path):
    end = time.process_time() + MOST_SECONDS + 0.1
    while time.process_time() < end:
        pass


def _large(path):
    assert len(bytearray(b"x") * ((MOST_MEMORY + 50) << 20)) > 0


def _several_lines(path):
    check_sentence(f"{path}: planted\nin two lines")


PLANTS = {
    "traceback": partial(_planted, _traceback),
    "slow": partial(_planted, _slow),
    "large": partial(_planted, _large),
    "lines": partial(_planted, _several_lines),
}
