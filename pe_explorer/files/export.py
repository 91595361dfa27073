"""Functions that write quantities of any size to `.npy` and `.csv` files with little memory."""

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
from pe_explorer.files.atomic import OutputError, remove_partial_files, replace_file, resolve_target
from pe_explorer.files.session import DATA_SUFFIXES, SessionError, to_side_path
from pe_explorer.flags import ExportRequest, format_export_line
from pe_explorer.params import reason
from pe_explorer.progress import report
from pe_explorer.quantities import Data

_BLOCK_BYTES = 1 << 23  # block size in bytes; a block must fit into the CPU cache
_MIN_BLOCK_ROWS = 64  # minimum number of rows in a block; rotation is inefficient for few rows
_CHUNK_VALUES = 1 << 16  # number of values to format per chunk
_MIN_NUMBER_BYTES = len("0.0,")  # size of the shortest number in a CSV file, in bytes
_SIZE_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")

DType = np.dtype[Any]
RowReporter = Callable[[int], object]


def write(
    data: Data,
    path: Path | str,
    dtype: str = "float64",
    progress: threading.Event | None = None,
    *,
    session_text: str | None = None,
) -> None:
    """Write `data` atomically to a file in the format that the suffix of `path` selects.

    Parameters
    ----------
    data : Data
        The rows to write.
    path : path
        The path of the file, which ends in `.npy` or `.csv`.
    dtype : str
        float64, float32 or float16; values are computed in float64 and rounded once.
    progress : threading.Event, optional
        Cancels the export when set.
    session_text : str, optional
        The text of the new session, which is written to the side file after the data. An
        old side file is removed, because it describes the old data.

    Raises
    ------
    OutputError
        If the file cannot be written or the old session cannot be replaced; both are then
        unchanged. If only the new session cannot be written, the message says so.
    EncodingError
        If the dtype is not supported.
    CancelledError
        If the export was cancelled.
    """
    ExportRequest(dtype=dtype)
    _, suffix = os.path.splitext(path)
    write_data = WRITERS.get(suffix.lower())
    if write_data is None:
        suffixes = " or ".join(WRITERS)
        raise OutputError(path, f"the name must end in {suffixes}, which selects the format")
    resolve_target(path)  # check before the computation whether the file can be written
    side_path = to_side_path(path)
    # Check before the computation whether the old session can be replaced.
    if old_session := _find_old_session(path):
        resolve_target(old_session)
        session.reject_newer_session(old_session)
    elif session_text is not None:
        if os.path.lexists(side_path):
            problem = "exists and is not a session, so it is not overwritten"
            raise OutputError(side_path, problem, "move it, or export without a session")
        require_disk_space(side_path, len(session_text))
    written_row_count = 0

    def report_rows(rows: int) -> None:
        nonlocal written_row_count
        written_row_count += rows
        report(progress or threading.Event(), written_row_count / data.rows)

    write_data(data, path, np.dtype(dtype), report_rows)
    if session_text is None:
        return
    try:
        with replace_file(side_path) as file:
            file.write(session_text.encode())
    except OutputError as error:
        effect = (
            f"the data in {Path(path).name} are complete, but the session could not be saved with "
            "them; correct this problem and export again"
        )
        raise OutputError(side_path, error.reason, effect) from error


def require_disk_space(path: Path | str, size: int) -> None:
    """Raise `OutputError` if the disk of `path` has less than `size` bytes of free space."""
    target = resolve_target(path)
    remove_partial_files(target)  # partial files of killed exports take up space
    try:
        disk = shutil.disk_usage(target.parent)
    except OSError:
        return  # writing will report the error
    if size > disk.free and disk.total:  # file systems such as /proc have a total of 0
        needed_size, free_size = map(_format_size, (size, disk.free))
        problem = f"needs {needed_size}, but {target.parent} has {free_size} free"
        remedy = "choose fewer positions, a smaller dtype or another disk"
        raise OutputError(path, problem, remedy)


def _format_size(size: int) -> str:
    power = min((len(str(size)) - 1) // 3, len(_SIZE_UNITS) - 1)
    return f"{size / 1000**power:.3g} {_SIZE_UNITS[power]}"


def make_data_session(
    state: Exploration,
    positions: range,
    request: ExportRequest,
    output: Path | str,
    extra: Mapping[str, Any] = MappingProxyType({}),
    curves: Sequence[str] = (),
) -> str | None:
    """Return the text of the session for exported data, or None if the request omits it.

    The session contains the exact command that writes the data. Its exploration has
    consecutive positions up to a limit, and no panes. `extra` contains additional keys of
    the session, and `curves` contains the names of the curves in the data.

    Raise `OutputError` if the data would have the file name of a table in another folder.
    """
    if request.carry == "omit":
        return None
    folder = Path(output).parent
    reject_table_name(output, state)
    intention = state.intention
    encoding = require_known(intention.encoding)
    e, pins, _ = paths.prepare_for_command(encoding, intention.pins, output)
    line = format_export_line(e, positions, request, Path(output).name, pins)
    comment_values: dict[str, Any] = {session.COMMAND_KEY: line}
    if curves:
        comment_values[session.CURVES_KEY] = list(curves)
    if tables := paths.list_table_shapes(state, paths.make_shared_spelling(folder)):
        comment_values[session.TABLES_KEY] = tables
    first_position, last_position = sorted((positions[0], positions[-1]))
    count = min(last_position - first_position + 1, LIMIT)
    exported_state = request.apply_to(state.with_(start=first_position, count=count, panes=None))
    return session.dumps_for_sharing(exported_state, {**extra, **comment_values}, folder)


def reject_table_name(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` if data would have the file name of a table in another folder.

    The session beside the data contains the file names of tables without folders, so this
    name would refer to the data instead of the table. Case is ignored, because some file
    systems ignore it.
    """
    target = Path(path)
    spell = paths.make_shared_spelling(target.parent)
    names = {spell(table).casefold() for table in paths.list_paths(state)}
    if target.name.casefold() in names:
        problem = (
            "is also the name of a table that the exported data refer to, so the session could "
            "not tell the two files apart"
        )
        raise OutputError(path, problem, "choose another name, or export without a session")


def _find_old_session(path: Path | str) -> Path | None:
    side_path = to_side_path(path)
    try:
        session.read(side_path)
    except SessionError:
        return None
    return side_path


@contextmanager
def _replace_data(path: Path | str) -> Iterator[BinaryIO]:
    """Replace data atomically, and remove their old session.

    The session is renamed before the data are replaced, because it must never be beside
    data that it does not describe. If the process is killed between these steps,
    `find_side_file` finds the renamed session.
    """
    old_path, moved_path = to_side_path(path), session.to_moved_path(path)
    is_moved = False
    try:
        with replace_file(path) as file:
            yield file
            file.flush()  # raise write errors before the old session is moved
            if _find_old_session(path):
                _rename(old_path, moved_path, "close programs that use it, or choose another name")
                is_moved = True
    except OutputError:
        # Interrupts are not handled here, because the data may already be replaced.
        if is_moved:
            _rename(moved_path, old_path, f"rename it to {old_path.name}")
        raise
    with suppress(OSError):
        moved_path.unlink()


def _rename(source: Path, target: Path, remedy: str) -> None:
    try:
        source.rename(target)
    except OSError as error:
        problem = f"the old session cannot be renamed ({reason(error)}); the data were not exported"
        raise OutputError(source, problem, remedy) from error


def _write_npy(data: Data, path: Path | str, dtype: DType, progress: RowReporter) -> None:
    require_disk_space(path, _count_numbers(data) * dtype.itemsize)
    # Each curve is a row of the array. An array of curves in Fortran order has the same bytes as
    # its transpose in C order, so the blocks can be written unchanged.
    header = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": bool(data.curves),
        "shape": data.shape[::-1] if data.curves else data.shape,
    }
    with _replace_data(path) as file:
        np.lib.format.write_array_header_1_0(file, header)
        for part in data.parts:
            _write_blocks(part, file, dtype, progress)


def _write_blocks(data: Data, file: BinaryIO, dtype: DType, progress: RowReporter) -> None:
    row_bytes = 8 * (data.width or 1)
    min_rows = min(_MIN_BLOCK_ROWS, 4 * _BLOCK_BYTES // row_bytes)
    rows = min(max(1, _BLOCK_BYTES // row_bytes, min_rows), max(1, len(data.index)))
    shape = (rows, *data.shape[1:])
    buffers = [np.empty(shape), np.empty(shape)]
    starts = range(0, len(data.index), rows)
    pending_write: Future[int] | None = None
    row_count = 0
    with ThreadPoolExecutor(1, "export") as writer:
        for k, start in enumerate(starts):
            part = data.index[start : start + rows]
            block = buffers[k % 2][: len(part)]
            data.fill(part, block)
            rounded_block = _round_block(block, dtype)
            if pending_write:
                pending_write.result()
                progress(row_count)
            pending_write = writer.submit(file.write, rounded_block.data.cast("B"))
            row_count = len(part)
        if pending_write:
            pending_write.result()
            progress(row_count)


def _count_numbers(data: Data) -> int:
    width = 1 if data.width is None else data.width
    return data.rows * width


def _round_block(block: Floats, dtype: DType) -> npt.NDArray[Any]:
    with np.errstate(over="ignore"):
        rounded_block = block.astype(dtype, copy=False)
    if dtype.itemsize < block.dtype.itemsize and np.isinf(rounded_block).any():
        maximum, limit = float(np.abs(block).max()), np.finfo(dtype).max
        problem = f"values up to {maximum:g} exceed the limit of {dtype}, {limit:g}"
        raise EncodingError("dtype", problem, "choose a larger type")
    return rounded_block


def _write_csv(data: Data, path: Path | str, dtype: DType, progress: RowReporter) -> None:
    require_disk_space(path, _count_numbers(data) * _MIN_NUMBER_BYTES)
    rows = max(1, _CHUNK_VALUES // (data.width or 1))
    with _replace_data(path) as file:
        titles = ",".join(map(_quote_csv, data.titles()))
        file.write(f"{titles}\n".encode())
        for part in data.parts:
            for start in range(0, len(part.index), rows):
                chunk = part.index[start : start + rows]
                block = np.empty((len(chunk), *part.shape[1:]))
                part.fill(chunk, block)
                rounded_block = _round_block(block, dtype).reshape(len(chunk), -1)
                texts = rounded_block.astype(str).tolist()  # shortest texts that round-trip
                labels: Sequence[Any] = chunk
                if part.labels:
                    labels = [_quote_csv(part.labels[part.index.index(row)]) for row in chunk]
                lines = zip(labels, texts, strict=True)
                text = "".join(f"{label},{','.join(line)}\n" for label, line in lines)
                file.write(text.encode())
                progress(len(chunk))


def _quote_csv(text: str) -> str:
    escaped_text = text.replace('"', '""')
    return f'"{escaped_text}"' if any(mark in text for mark in ',"\r\n') else text


WRITERS = {".npy": _write_npy, ".csv": _write_csv}
assert tuple(WRITERS) == DATA_SUFFIXES
