"""Tables, distances and frequencies to `.npy` and `.csv`, of any length in flat memory."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis import distance
from pe_explorer.analysis.angles import degrees
from pe_explorer.analysis.comparison import Subject, chosen
from pe_explorer.encodings import LIMIT, Encoding, EncodingError, Unknown
from pe_explorer.exploration import Exploration, Pin, check_pins
from pe_explorer.files._partial import held, hidden
from pe_explorer.files.atomic import OutputError, replacing, require_space
from pe_explorer.files.session import CARRY, DATA, SessionError, read, refuse_newer, side_file
from pe_explorer.params import Choice, Declared, Whole, declare, declared, reason

__all__ = ["SUFFIXES", "Data", "Request", "angles", "distances", "frequencies", "matrix", "table", "write"]

Floats = npt.NDArray[np.float64]
Progress = Callable[[int], object]
Fill = Callable[[range, Floats], None]

_BLOCK = 1 << 23  # bytes computed at a time, enough to keep the file busy and few enough for the cache
_ROWS = 64  # but not fewer rows, where they fit in four times as much: rotation pays from there on
_SPARE = 1 << 20  # numbers made at a time where more than the answer is needed for them
_CELLS = 1 << 16  # numbers turned into text at a time
_SHORTEST = len("0.0,")  # bytes of a number as text


@dataclass(frozen=True)
class Request(Declared):
    """What to write of an encoding."""

    error = EncodingError

    what: str = declare(
        Choice(
            "table",
            {
                "table": "one row of the encoding for each position",
                "distances": "the distance of each position from the reference",
                "angles": "the angle of each dimension's wave in degrees, 0 to 360",
                "matrix": "the distance of each position from every other",
                "frequencies": "the frequency of each wave in radians per position",
            },
            label="What",
            help="The numbers to write.",
        )
    )
    show: str = declare(declared(Exploration)["show"])
    compared: int = declare(declared(Exploration)["compared"])
    metric: str = declare(Choice("cosine", distance.METRICS, label="Metric", help="How distances are measured."))
    reference: int = declare(
        Whole(0, -LIMIT, LIMIT, label="Reference", symbol="p", unit="position", help="Position from which distances are measured.")
    )
    dtype: str = declare(
        Choice(
            "float64",
            {"float64": "as computed", "float32": "rounded once", "float16": "rounded once"},
            label="Type",
            help="Type of the numbers in the file.",
        )
    )
    carry: str = declare(CARRY)

    def data(self, e: Encoding | Unknown, positions: range, pins: Sequence[Pin] = ()) -> Data:
        """Return the numbers, ready to be written; raises `ParameterError` where there are none, or nothing is pinned that is asked for."""
        check_pins(pins, self.compared, self.show)
        subject = chosen(self.show, e, pins[self.compared].encoding if pins else None)
        pinned, of_waves = subject.encodings[-1], self.what in ("angles", "frequencies")
        if self.show != "current" and of_waves and pinned.turns is None:
            raise EncodingError("pin", f"{pinned.name} has no waves, so no {self.what}; pin an encoding that has, such as sinusoidal")
        if self.what == "table":
            return table(subject.encoding if subject.less is None else subject, positions)
        if self.what == "angles":
            return angles(subject, positions)
        if subject.less is not None:
            raise EncodingError(
                "what", f"the difference of two encodings has a table and angles, but no {self.what}; choose one of these, or show current or pinned"
            )
        if self.what == "frequencies":
            return frequencies(subject.encoding)
        if self.what == "distances":
            return distances(subject.encoding, positions, self.reference, self.metric)
        return matrix(subject.encoding, positions, self.metric)


@dataclass(frozen=True)
class Data:
    """Numbers to be written, made block by block.

    Attributes
    ----------
    index : range
        What each row stands for: its position, or the number of its wave.
    width : int or None
        Numbers in a row; None for one plain number, a one-dimensional array.
    titles : tuple of str
        Column titles of a CSV file: of the index, then of the numbers.
    fill : function (part of index, out)
        Writes the rows of a part of the index to `out`, float64.
    """

    index: range
    width: int | None
    titles: Callable[[], Iterator[str]]
    fill: Fill

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the whole array."""
        return (len(self.index),) if self.width is None else (len(self.index), self.width)


def table(e: Encoding | Subject, positions: range) -> Data:
    """Return the table of an encoding, or of a difference, at `positions`, shape (n, dim)."""

    def fill(part: range, out: Floats) -> None:
        e.table(part, out=out)

    def titles() -> Iterator[str]:
        yield "position"
        yield from map(str, range(e.dim))

    return Data(positions, e.dim, titles, fill if isinstance(e, Encoding) else _sparing(fill, e))


def angles(e: Encoding | Subject, positions: range) -> Data:
    """Return the angle in degrees of the wave of each dimension, or the difference of two, shape (n, dim); nan where there is none."""
    subject = Subject("current", e) if isinstance(e, Encoding) else e
    for each in subject.encodings:
        each.phasors(range(0))  # refuses an encoding without waves now

    def fill(part: range, out: Floats) -> None:
        found = degrees(subject.angles.phasors(part))
        out[:] = np.c_[found, np.full(len(part), np.nan)][:, subject.angles.wave_of]

    return Data(positions, subject.dim, table(subject, positions).titles, _sparing(fill, subject))


def _sparing(fill: Fill, subject: Subject) -> Fill:
    """Return `fill` for so few rows at a time that the arrays which it needs besides stay small."""
    rows = max(1, _SPARE // max(e.dim for e in subject.encodings))  # the wider one is made in full

    def sparing(part: range, out: Floats) -> None:
        for start in range(0, len(part), rows):
            fill(part[start : start + rows], out[start : start + rows])

    return sparing


def distances(e: Encoding, positions: range, reference: int = 0, metric: str = "cosine") -> Data:
    """Return the distance of each of `positions` from `reference`, shape (n,)."""
    if math.isnan(distance.between(e, reference, reference, metric)):
        problem = f"position {reference} is a row of zeros in {e.name}, without a direction: no {metric} distance from it; choose another"
        raise EncodingError("reference", problem)

    def fill(part: range, out: Floats) -> None:
        out[:] = distance.from_reference(e, reference, part, metric)

    return Data(positions, None, lambda: iter(("position", metric)), fill)


def matrix(e: Encoding, positions: range, metric: str = "cosine") -> Data:
    """Return the distance of each of `positions` from every other, shape (n, n)."""
    distance.between(e, positions[0], positions[0], metric)  # refuses a bad metric now

    def titles() -> Iterator[str]:
        yield "position"
        yield from map(str, positions)

    def fill(part: range, out: Floats) -> None:
        out[:] = distance.matrix(e, part, positions, metric)

    return Data(positions, len(positions), titles, fill)


def frequencies(e: Encoding) -> Data:
    """Return the frequencies of an encoding's waves, shape (pairs,)."""
    values = e.frequencies()
    if not len(values):
        raise EncodingError("what", f"{e.name} has no waves, so no frequencies; choose an encoding that has, such as sinusoidal")

    def fill(part: range, out: Floats) -> None:
        out[:] = values[part.start : part.stop]

    return Data(range(len(values)), None, lambda: iter(("wave", "radians per position")), fill)


def write(data: Data, path: Path | str, dtype: str = "float64", progress: Progress | None = None, *, beside: str | None = None) -> None:
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
        raise OutputError(path, f"the name must end in {' or '.join(SUFFIXES)}, which chooses the format")
    require_space(path, 0)  # whatever else is wrong is wrong with the file itself
    if old := _old_session(path):  # what speaks against replacing it is found before hours of work
        require_space(old, 0)
        refuse_newer(old)
    elif beside is not None:
        if os.path.lexists(side_file(path)):
            raise OutputError(side_file(path), "is no session of this program, and one would take its place; move it, or leave the session out")
        require_space(side_file(path), len(beside))
    save(data, path, np.dtype(dtype), progress or _ignore)
    if beside is not None:
        _write_beside(path, beside)


def _old_session(path: Path | str) -> Path | None:
    """Return the session's file beside data, if there is one; what else may have its name is not ours."""
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
        problem = f"{error.reason.partition(';')[0]}, so that the session is not beside the data; the data in {Path(path).name} are complete"
        raise OutputError(side, problem) from error


@contextmanager
def _replacing(path: Path | str) -> Iterator[BinaryIO]:
    """Replace data, whole or not at all; the session of old ones goes first, so that at no moment it is beside others."""
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
        except OutputError:  # the old data are in place for sure; after an interrupt they may not be
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
        raise OutputError(old, f"{reason(error)}, and it would tell of other data; nothing was changed") from error
    return aside


def _put_back(aside: Path, old: Path) -> None:
    try:
        aside.replace(old)
    except OSError as error:
        raise OutputError(old, f"{reason(error)}; it is called {aside.name} now, rename it") from error


def _ignore(rows: int) -> None:
    pass


def _write_npy(data: Data, path: Path | str, dtype: np.dtype[Any], progress: Progress) -> None:
    require_space(path, int(np.prod(data.shape, dtype=object)) * dtype.itemsize)
    header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": data.shape}
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
        raise EncodingError("dtype", f"values up to {largest:g} do not fit {dtype}, which ends at {np.finfo(dtype).max:g}; choose a longer type")
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
            texts = _rounded(block, dtype).reshape(len(part), -1).astype(str).tolist()  # the shortest that reads back
            file.write("".join(f"{label},{','.join(row)}\n" for label, row in zip(part, texts, strict=True)).encode())
            progress(len(part))


SUFFIXES: Mapping[str, Callable[[Data, Path | str, np.dtype[Any], Progress], None]]
SUFFIXES = MappingProxyType(dict(zip(DATA, (_write_npy, _write_csv), strict=True)))
"""The writer of each kind of file, by the ending of its name."""
