"""Writes quantities to `.npy` and `.csv` files, of any length in little memory."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, EncodingError, require_known
from pe_explorer.exploration import Exploration, paths
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError, remove_leftovers, replacing, target_of
from pe_explorer.files.session import DATA, SessionError, side_file
from pe_explorer.flags import ExportRequest, export_line
from pe_explorer.params import reason
from pe_explorer.progress import report
from pe_explorer.quantities import Data

RowReporter = Callable[[int], object]

_BLOCK_BYTES = 1 << 23  # bytes that are computed together: few enough for the cache
_LEAST_BLOCK_ROWS = 64  # rows of a block, if four blocks hold them: rotation is slow for fewer
_CHUNK_NUMBERS = 1 << 16  # numbers that are formatted as text together
_SHORTEST_TEXT = len("0.0,")  # bytes of the shortest number as text
_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")

Type = np.dtype[Any]
Writer = Callable[[Data, Path | str, Type, RowReporter], None]


def write(
    data: Data,
    path: Path | str,
    dtype: str = "float64",
    progress: threading.Event | None = None,
    *,
    beside: str | None = None,
) -> None:
    """Write `data` to a `.npy` or `.csv` file, which appears whole or not at all.

    The ending of `path` chooses the format; an old file is replaced at the very end. `dtype` is
    float64, float32 or float16: values are computed in float64 and rounded once. `beside` is the
    session for the data's side file, written once the data are in place. An old session is moved
    aside just before, as it describes other data, and then removed.

    Raises `OutputError` if the file cannot be written or an old session cannot be replaced: both
    stay as they were. Also if the new session cannot be written: the data are complete, as the
    error says. Raises `EncodingError` for another dtype, and what `progress.report` raises to stop.
    """
    ExportRequest(dtype=dtype)
    _, ending = os.path.splitext(path)
    save = WRITERS.get(ending.lower())
    if save is None:
        endings = " or ".join(WRITERS)
        raise OutputError(path, f"the name must end in {endings}, which chooses the format")
    target_of(path)  # raises if the file cannot be written at all
    side = side_file(path)
    if old := _old_session(path):  # where it cannot be replaced, say so before the work
        target_of(old)
        session.refuse_newer(old)
    elif beside is not None:
        if os.path.lexists(side):
            problem = "exists and is not a session; it would be overwritten"
            raise OutputError(side, f"{problem}; move it, or leave the session out")
        require_space(side, len(beside))
    written = 0

    def report_rows(rows: int) -> None:
        nonlocal written
        written += rows
        report(progress or threading.Event(), written / data.rows)

    save(data, path, np.dtype(dtype), report_rows)
    if beside is not None:
        _write_beside(path, beside)


def require_space(path: Path | str, size: int) -> None:
    """Raise `OutputError` at once if `size` bytes cannot fit beside `path`."""
    target = target_of(path)
    remove_leftovers(target)  # of killed exports, which may take up the space
    try:
        disk = shutil.disk_usage(target.parent)
    except OSError:
        return  # the attempt to write will report it
    if size > disk.free and disk.total:  # without any space it is no disk, such as /proc
        needed, free = (_bytes(each) for each in (size, disk.free))
        problem = f"needs {needed}, but {target.parent} has {free} free"
        remedy = "choose fewer positions, a shorter dtype or another disk"
        raise OutputError(path, f"{problem}; {remedy}")


def _bytes(size: int) -> str:
    power = min((len(str(size)) - 1) // 3, len(_UNITS) - 1)
    return f"{size / 1000**power:.3g} {_UNITS[power]}"


def session_beside(
    state: Exploration,
    positions: range,
    request: ExportRequest,
    output: Path | str,
    extra: Mapping[str, Any] = MappingProxyType({}),
    curves: Sequence[str] = (),
) -> str | None:
    """Return the session that goes beside exported data, None where it is left out.

    It holds the command that writes the data. Positions that an exploration cannot hold, with a
    step or too many, are covered as far as its limits allow; the command has them exactly. Panes
    are left out: data have none. `extra` are other keys of the session, `curves` the names of the
    data's, in their order. Raises `OutputError` if the data have the name of a table that lies
    elsewhere, which is named without folders.
    """
    if request.carry == "omit":
        return None
    folder = Path(output).parent
    refuse_confusion(output, state)
    intention = state.intention
    encoding = require_known(intention.encoding)
    e, pins, _ = paths.for_command(encoding, intention.pins, output)
    line = export_line(e, positions, request, Path(output).name, pins)
    remarks: dict[str, Any] = {session.COMMAND: line}
    if curves:
        remarks[session.CURVES] = list(curves)
    if tables := paths.table_shapes(state, paths.shared_spelling(folder)):
        remarks[session.TABLES] = tables
    first, last = sorted((positions[0], positions[-1]))
    count = min(last - first + 1, LIMIT)
    exported = request.put_into(state.with_(start=first, count=count, panes=None))
    return session.shared(exported, {**extra, **remarks}, folder)


def refuse_confusion(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` if the session beside data would take them for a table that is elsewhere.

    It names that table without its folder. Capital letters make no other name, as it may be read
    where they do not.
    """
    target = Path(path)
    spelled = paths.shared_spelling(target.parent)
    named = {spelled(table).casefold() for table in paths.all_paths(state)}
    if target.name.casefold() in named:
        problem = "has the name of a table that this is made from; its session would confuse them"
        raise OutputError(path, f"{problem}; choose another name, or leave the session out")


def _old_session(path: Path | str) -> Path | None:
    side = side_file(path)
    try:
        session.read(side)
    except SessionError:
        return None
    return side


def _write_beside(path: Path | str, text: str) -> None:
    side = side_file(path)
    try:
        with replacing(side) as file:
            file.write(text.encode())
    except OutputError as error:
        cause, _, _ = error.reason.partition(";")
        result = f"the data in {Path(path).name} are complete, but have no session beside them"
        raise OutputError(side, f"{cause}; {result}") from error


@contextmanager
def _replacing(path: Path | str) -> Iterator[BinaryIO]:
    """Replace data, whole or not at all.

    An old session is set aside first, so that it is never beside other data. It is removed only
    when these are in place: of an export that is killed between, `found_side_file` finds it.
    """
    old, aside = side_file(path), session.set_aside(path)
    was_moved = False
    try:
        with replacing(path) as file:
            yield file
            file.flush()  # now, as it may fail
            if _old_session(path):
                _rename(old, aside, "it describes the old data; nothing was changed")
                was_moved = True
    except OutputError:  # the old data are still in place; after an interrupt they may not be
        if was_moved:
            _rename(aside, old, f"it is now called {aside.name}, rename it")
        raise
    with suppress(OSError):
        aside.unlink()


def _rename(old: Path, new: Path, effect: str) -> None:
    try:
        old.rename(new)
    except OSError as error:
        raise OutputError(old, f"{reason(error)}; {effect}") from error


def _write_npy(data: Data, path: Path | str, dtype: Type, progress: RowReporter) -> None:
    require_space(path, _number_count(data) * dtype.itemsize)
    # Curves are rows of the array: in the other order, the file has the same bytes.
    header = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": bool(data.curves),
        "shape": data.shape[::-1] if data.curves else data.shape,
    }
    with _replacing(path) as file:
        np.lib.format.write_array_header_1_0(file, header)
        for part in data.parts:
            _stream(part, file, dtype, progress)


def _stream(data: Data, file: BinaryIO, dtype: Type, progress: RowReporter) -> None:
    """Write the rows; while one block is written, the next is computed."""
    row_bytes = 8 * (data.width or 1)
    fewest = min(_LEAST_BLOCK_ROWS, 4 * _BLOCK_BYTES // row_bytes)
    rows = min(max(1, _BLOCK_BYTES // row_bytes, fewest), max(1, len(data.index)))
    shape = (rows, *data.shape[1:])
    buffers = [np.empty(shape), np.empty(shape)]
    starts = range(0, len(data.index), rows)
    pending: Future[int] | None = None
    done = 0
    with ThreadPoolExecutor(1, "export") as writer:
        for k, start in enumerate(starts):
            part = data.index[start : start + rows]
            block = buffers[k % 2][: len(part)]
            data.fill(part, block)
            rounded = _rounded(block, dtype)
            if pending:
                pending.result()
                progress(done)
            pending = writer.submit(file.write, rounded.data.cast("B"))
            done = len(part)
        if pending:
            pending.result()
            progress(done)


def _number_count(data: Data) -> int:
    """Return the number of entries, which may be more than NumPy can count."""
    width = 1 if data.width is None else data.width
    return data.rows * width


def _rounded(block: Floats, dtype: Type) -> npt.NDArray[Any]:
    with np.errstate(over="ignore"):
        rounded = block.astype(dtype, copy=False)
    is_shorter = dtype.itemsize < block.dtype.itemsize
    if is_shorter and np.isinf(rounded).any():
        largest, end = float(np.abs(block).max()), np.finfo(dtype).max
        problem = f"values up to {largest:g} do not fit {dtype}, which ends at {end:g}"
        raise EncodingError("dtype", f"{problem}; choose a longer type")
    return rounded


def _write_csv(data: Data, path: Path | str, dtype: Type, progress: RowReporter) -> None:
    require_space(path, _number_count(data) * _SHORTEST_TEXT)
    rows = max(1, _CHUNK_NUMBERS // (data.width or 1))
    with _replacing(path) as file:
        titles = ",".join(map(_csv_text, data.titles()))
        file.write(f"{titles}\n".encode())
        for part in data.parts:
            for start in range(0, len(part.index), rows):
                some = part.index[start : start + rows]
                block = np.empty((len(some), *part.shape[1:]))
                part.fill(some, block)
                rounded = _rounded(block, dtype).reshape(len(some), -1)
                texts = rounded.astype(str).tolist()  # the shortest that read back the same
                labels: Sequence[Any] = some
                if part.labels:
                    labels = [_csv_text(part.labels[part.index.index(row)]) for row in some]
                lines = zip(labels, texts, strict=True)
                text = "".join(f"{label},{','.join(line)}\n" for label, line in lines)
                file.write(text.encode())
                progress(len(some))


def _csv_text(text: str) -> str:
    if not any(mark in text for mark in ',"\r\n'):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


WRITERS: Mapping[str, Writer] = MappingProxyType({".npy": _write_npy, ".csv": _write_csv})
assert tuple(WRITERS) == DATA
