"""Disks that are full, folders that take no file or go away, and tables that change meanwhile.

What was there stays whole, and one sentence says so.
"""

import errno
import io
import os
import resource
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

from pe_explorer import encodings, quantities
from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files import export, session
from pe_explorer.files.atomic import OutputError
from pe_explorer.model.steps import at_once
from pe_explorer.tables.npy import Table
from tests.endurance.calls import called, check_outcome
from tests.endurance.limits import check_sentence
from tests.support.tables_in_files import sparse

Break = Callable[[], object]

_TARGETS = ("t.json", "t.npy", "t.csv", "t.png", "t.svg", "t.pdf")
_LARGE = (1000, 20_000)  # rows and columns of a table that is not kept in memory
_ROWS = 2000  # of data that are written


@cache
def _page() -> tuple[Any, float]:
    """Return the page of a figure, and its pixels to an inch."""
    state = resolve(Exploration(count=9), DirectStore())
    order = figure_order.Order("heatmap", state, Style(), FigureSize(300, 200))
    return at_once(figure_order.laid_out(order)), order.dpi


def _write(target: Path, k: int) -> None:
    """Write a file that says which number it is, and all of which belongs to that number."""
    state = Exploration(count=k, position=-k)
    if target.suffix == ".json":
        session.write(target, state)
    elif target.suffix in session.DATA:
        data = quantities.of("table", encodings.create("index", dim=8), range(k, k + _ROWS))
        export.write(data, target, beside=session.dumps(state))
    else:
        page, dpi = _page()
        figure_files.save(page, target, dpi, session.dumps(state), threading.Event())


def _content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def _check_write(target: Path, breaking: AbstractContextManager[object]) -> None:
    """Write over a file while something breaks: it is replaced, or as it was and a sentence said.

    Data may be there without their session, which then says so.
    """
    old, problem = _content(target.parent), ""
    try:
        with breaking:
            _write(target, 9)
    except OutputError as error:
        problem = error.problem
    if not problem:
        assert session.read(target).state.count == 9
        return
    check_sentence(problem, target.parent)
    new = _content(target.parent)
    if new != old:
        assert "complete" in problem, f"{sorted(new)}: {problem}"
        assert set(new) == {target.name}
        assert target.suffix != ".npy" or len(np.load(target)) == _ROWS


class BreakingFile(io.FileIO):
    """A file that breaks, or lets something else break, once so many bytes are written."""

    def __init__(self, path: Path, mode: str, left: int, act: Break) -> None:
        super().__init__(path, mode)
        self._left, self._act = left, act

    def write(self, data: Any) -> int:
        """Write, unless it breaks."""
        before, self._left = self._left, self._left - len(memoryview(data).cast("B"))
        if before >= 0 > self._left:
            self._act()
        return super().write(data)


@contextmanager
def _breaking_after(size: int, act: Break) -> Iterator[None]:
    """Let something happen once so many bytes of a new file are written."""

    def opened(path: Path, mode: str) -> io.BufferedWriter:
        return io.BufferedWriter(BreakingFile(path, mode, size, act))

    with patch("pe_explorer.files.atomic.open", opened, create=True):
        yield


def no_space() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def limited_to(size: int) -> Iterator[None]:
    """Let no file become larger, whoever writes it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def full_disk(folder: Path, pick: Random) -> None:
    """Fill the disk at some byte of each kind of file."""
    for name in _TARGETS:
        target = folder / name / name
        target.parent.mkdir()
        _write(target, 7)
        size = pick.randrange(target.stat().st_size + 2)
        real = pick.random() < 0.5
        _check_write(target, limited_to(size) if real else _breaking_after(size, no_space))


def read_only(folder: Path, pick: Random) -> None:
    """Write into a folder that takes no file."""
    for name in _TARGETS:
        target = folder / name / name
        target.parent.mkdir()
        _write(target, 7)
        number = pick.choice((errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT, errno.EIO))

        def refuse(*_: object, number: int = number) -> None:
            raise OSError(number, os.strerror(number))

        _check_write(target, patch("pe_explorer.files.atomic.open", refuse, create=True))


def vanished(folder: Path, pick: Random) -> None:
    """Take the folder away while a file in it is written."""
    for name in _TARGETS:
        target = folder / name / name
        target.parent.mkdir()
        _write(target, 7)
        old, size = _content(target.parent), pick.randrange(target.stat().st_size)
        moved, moves = folder / f"moved {name}", pick.random() < 0.5
        act: Break = partial(shutil.rmtree, target.parent)
        if moves:
            act = partial(target.parent.rename, moved)
        problem = ""
        try:
            with _breaking_after(size, act):
                _write(target, 9)
        except OutputError as error:
            problem = error.problem
        assert problem, "it says nothing of a file that is not there"
        check_sentence(problem, target.parent)
        if moves:
            assert _content(moved).items() >= old.items(), "what was moved is not as it was"


def changing_table(folder: Path, pick: Random) -> None:
    """Cut, delete or replace a table while it is exported."""
    path = folder / "table.npy"
    sparse(path, *_LARGE)
    way, place, calls = pick.randrange(4), pick.randrange(3), [0]
    real = Table.part

    def part(table: Table, start: int, stop: int) -> Any:
        if calls[0] == place:
            _change(path, way)
        calls[0] += 1
        return real(table, start, stop)

    words = ("export", "--encoding", "learned", "--file", str(path), "--positions", "0:300")
    target = folder / "out.npy"
    with patch.object(Table, "part", part):
        outcome = called([*words, "-o", str(target)])
    check_outcome(outcome, notes=False)
    assert target.exists() == (outcome.code == 0)
    assert not list(folder.glob(".*.part"))


def _change(path: Path, way: int) -> None:
    if way == 0:
        os.truncate(path, 1000)
    elif way == 1:
        path.unlink(missing_ok=True)
    elif way == 2:
        path.touch()
    else:
        path.parent.joinpath("moved.npy").write_bytes(b"")
        path.parent.joinpath("moved.npy").replace(path)
