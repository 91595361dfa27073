"""Tables, distances and frequencies to `.npy` and `.csv`, of any length in flat memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings import LIMIT, EncodingError, require_known
from pe_explorer.exploration import Exploration, paths
from pe_explorer.files._partial import held, hidden
from pe_explorer.files.atomic import OutputError, replacing, require_space
from pe_explorer.files.session import (
    COMMAND,
    DATA,
    TABLES,
    SessionError,
    read,
    refuse_newer,
    shared,
    side_file,
)
from pe_explorer.flags import Request, export_line
from pe_explorer.params import reason
from pe_explorer.quantities import Data

__all__ = ["SUFFIXES", "session_beside", "write"]

Floats = npt.NDArray[np.float64]
Progress = Callable[[int], object]

_BLOCK = (
    1 << 23
)  # bytes computed at a time, enough to keep the file busy and few enough for the cache
_ROWS = 64  # but not fewer rows, where they fit in four times as much: rotation pays from there on
_CELLS = 1 << 16  # numbers turned into text at a time
_SHORTEST = len("0.0,")  # bytes of a number as text


def write(
    data: Data,
    path: Path | str,
    dtype: str = "float64",
    progress: Progress | None = None,
    *,
    beside: str | None = None,
) -> None:
    """Write `data` to a `.npy` or `.csv` file, which appears whole or not at all.

    Parameters
    ----------
    data : Data
    path : path
        Its ending chooses the format. An old file is replaced at the very end.
    dtype : str
        float64, float32 or float16; values are computed in float64 and rounded once.
    progress : function, optional
        Called with the number of rows written since the last call.
    beside : str, optional
        The session that goes into the data's side file, when they are in place. An old one is
        put aside just before that, as it would tell of other data, and removed then.

    Raises
    ------
    OutputError
        If the file cannot be written, or the session of old data not be replaced; both are as
        they were. Or if its session cannot be written: the data are whole then, and the error
        says so.
    EncodingError
        For another dtype.
    """
    Request(dtype=dtype)
    save = SUFFIXES.get(os.path.splitext(path)[1].lower())
    if save is None:
        raise OutputError(
            path, f"the name must end in {' or '.join(SUFFIXES)}, which chooses the format"
        )
    require_space(path, 0)  # whatever else is wrong is wrong with the file itself
    if old := _old_session(path):  # what speaks against replacing it is found before hours of work
        require_space(old, 0)
        refuse_newer(old)
    elif beside is not None:
        if os.path.lexists(side_file(path)):
            raise OutputError(
                side_file(path),
                "is no session of this program, and one would take its place; move it, or "
                "leave the session out",
            )
        require_space(side_file(path), len(beside))
    save(data, path, np.dtype(dtype), progress or _ignore)
    if beside is not None:
        _write_beside(path, beside)


def session_beside(
    state: Exploration,
    positions: range,
    request: Request,
    output: Path | str,
    extra: Mapping[str, Any] = MappingProxyType({}),
) -> str | None:
    """Return the session that goes beside exported data, with the command that writes them.

    It is None where it is left out. Positions that an exploration cannot hold, with a step or
    too many, are covered as far as its limits allow; the command has them exactly. `extra` is
    what else the session holds.
    """
    if request.carry == "omit":
        return None
    first, last = sorted((positions[0], positions[-1]))
    folder, wanted = Path(output).parent, state.intention
    e, pins, _ = paths.for_command(require_known(wanted.encoding), wanted.pins, output)
    line = export_line(e, positions, request, Path(output).name, pins)
    remarks: dict[str, Any] = {COMMAND: line}
    if tables := paths.contents(state, paths.shared(folder)):
        remarks[TABLES] = tables
    asked = {field: getattr(request, field) for field in request.explored()}
    state = state.with_(start=first, count=min(last - first + 1, LIMIT), **asked)
    return shared(state, {**extra, **remarks}, folder)


def _old_session(path: Path | str) -> Path | None:
    """Return the session's file beside data, if there is one.

    What else may have its name is not ours.
    """
    side = side_file(path)
    try:
        read(side, {})
    except SessionError:
        return None
    return side


def _write_beside(path: Path | str, text: str) -> None:
    side = side_file(path)
    try:
        with replacing(side) as file:
            file.write(text.encode())
    except OutputError as error:
        problem = (
            f"{error.reason.partition(';')[0]}, so that the session is not beside the data; the "
            f"data in {Path(path).name} are complete"
        )
        raise OutputError(side, problem) from error


@contextmanager
def _replacing(path: Path | str) -> Iterator[BinaryIO]:
    """Replace data, whole or not at all.

    The session of old ones goes first, so that at no moment it is beside others.
    """
    old: Path | None = None
    aside: Path | None = None
    with ExitStack() as locks:
        try:
            with replacing(path) as file:
                yield file
                file.flush()  # now, as it may fail
                if old := _old_session(path):
                    locks.enter_context(held(old))  # aside it would look as if left behind
                    aside = _put_aside(old)
        except (
            OutputError
        ):  # the old data are in place for sure; after an interrupt they may not be
            if old and aside:
                _put_back(aside, old)
            raise
        if aside:
            with suppress(OSError):
                aside.unlink()


def _put_aside(old: Path) -> Path:
    aside = hidden(old)
    try:
        old.rename(aside)
    except OSError as error:
        raise OutputError(
            old, f"{reason(error)}, and it would tell of other data; nothing was changed"
        ) from error
    return aside


def _put_back(aside: Path, old: Path) -> None:
    try:
        aside.replace(old)
    except OSError as error:
        raise OutputError(
            old, f"{reason(error)}; it is called {aside.name} now, rename it"
        ) from error


def _ignore(rows: int) -> None:
    pass


def _write_npy(data: Data, path: Path | str, dtype: np.dtype[Any], progress: Progress) -> None:
    require_space(path, int(np.prod(data.shape, dtype=object)) * dtype.itemsize)
    header = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": data.shape,
    }
    with _replacing(path) as file:
        np.lib.format.write_array_header_1_0(file, header)
        _stream(data, file, dtype, progress)


def _stream(data: Data, file: BinaryIO, dtype: np.dtype[Any], progress: Progress) -> None:
    """Write the rows; while one block is on its way to the file the next is computed."""
    width = data.width or 1
    row = 8 * width
    rows = min(max(1, _BLOCK // row, min(_ROWS, 4 * _BLOCK // row)), max(1, len(data.index)))
    buffers = [np.empty((rows, *data.shape[1:])) for _ in range(2)]
    pending: Future[int] | None = None
    done = 0
    with ThreadPoolExecutor(1, "export") as writer:
        for k, start in enumerate(range(0, len(data.index), rows)):
            part = data.index[start : start + rows]
            block = buffers[k % 2][: len(part)]
            data.fill(part, block)
            rounded = _rounded(block, dtype)
            if pending:
                pending.result()
                progress(done)
            pending, done = writer.submit(file.write, rounded.data.cast("B")), len(part)
        if pending:
            pending.result()
            progress(done)


def _rounded(block: Floats, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    with np.errstate(over="ignore"):
        rounded = block.astype(dtype, copy=False)
    if dtype.itemsize < block.dtype.itemsize and np.isinf(rounded).any():
        largest = float(np.abs(block).max())
        raise EncodingError(
            "dtype",
            f"values up to {largest:g} do not fit {dtype}, which ends at "
            f"{np.finfo(dtype).max:g}; choose a longer type",
        )
    return rounded


def _write_csv(data: Data, path: Path | str, dtype: np.dtype[Any], progress: Progress) -> None:
    require_space(path, _SHORTEST * int(np.prod(data.shape, dtype=object)))
    rows = max(1, _CELLS // (data.width or 1))
    with _replacing(path) as file:
        file.write((",".join(data.titles()) + "\n").encode())
        for start in range(0, len(data.index), rows):
            part = data.index[start : start + rows]
            block = np.empty((len(part), *data.shape[1:]))
            data.fill(part, block)
            texts = (
                _rounded(block, dtype).reshape(len(part), -1).astype(str).tolist()
            )  # the shortest that reads back
            file.write(
                "".join(
                    f"{label},{','.join(row)}\n" for label, row in zip(part, texts, strict=True)
                ).encode()
            )
            progress(len(part))


SUFFIXES: Mapping[str, Callable[[Data, Path | str, np.dtype[Any], Progress], None]]
SUFFIXES = MappingProxyType(dict(zip(DATA, (_write_npy, _write_csv), strict=True)))
"""The writer of each kind of file, by the ending of its name."""
