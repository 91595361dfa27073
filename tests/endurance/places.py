"""What is found where a file is expected, and files that change while they are read."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch


def _sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.write(b"{")
        file.truncate(1 << 33)


_THINGS: Sequence[Callable[[Path], None]] = (
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


def replaced_by_something_else(path: Path, pick: Random) -> str:
    """Put what is no ordinary file in the place of one; return what it is."""
    path.unlink()
    number = pick.randrange(len(_THINGS))
    _THINGS[number](path)
    return f"thing {number} in its place"


@contextmanager
def changing_meanwhile(path: Path, pick: Random) -> Iterator[str]:
    """Change a file at one moment while it is read: between looking, opening and reading."""
    call = pick.choice(("stat", "open", "fstat"))
    place, size = pick.randrange(4), path.stat().st_size
    way = pick.choice(_WAYS_OF_SETTINGS if path.suffix == ".ini" else _WAYS)
    real, calls = getattr(os, call), [0]

    def change(*arguments: Any, **named: Any) -> Any:
        answer = real(*arguments, **named)
        about = arguments[0]
        if isinstance(about, int) or os.fspath(about) == str(path):
            if calls[0] == place:
                with suppress(OSError):
                    _change_file(path, way, size)
            calls[0] += 1
        return answer

    with patch.object(os, call, change):
        yield f"{way} after os.{call} number {place}"


_DELETED, _HALF, _EMPTY, _HUGE, _FOLDER = _WAYS = ("deleted", "half", "empty", "huge", "a folder")
_WAYS_OF_SETTINGS = (_DELETED, _HALF, _EMPTY, _FOLDER)
"""Qt reads all of a file of settings, which was small when it was looked at."""


def _change_file(path: Path, way: str, size: int) -> None:
    if way in (_DELETED, _FOLDER):
        path.unlink()
    if way == _FOLDER:
        path.mkdir()
    lengths = {_HALF: size // 2, _EMPTY: 0, _HUGE: size + (1 << 30)}
    if way in lengths:
        os.truncate(path, lengths[way])
