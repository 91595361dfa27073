"""What every encoding is: a frozen value with declared parameters, and a row for every position."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings.abilities.code import Library
from pe_explorer.numeric.positions import (
    LIMIT,
    EncodingError,
    Positions,
    as_positions,
    as_whole,
    check_blocks,
    len_of,
)
from pe_explorer.params import Declared, Whole, declare, declared

__all__ = ["Absolute", "Axis", "Encoding", "Reading", "embedding_width"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

Reading = tuple[tuple[str, str], ...]
"""What is told of one number: pairs of a name and a text, in the order in which they are shown."""


@dataclass(frozen=True)
class Axis:
    """What is counted along the rows or along the columns of a table.

    Attributes
    ----------
    name : str
        One of them, as axes and sentences call it: ``position``, ``offset``, ``head``.
    plural : str
        Several of them.
    symbol : str
        As the field writes its number.
    """

    name: str
    plural: str
    symbol: str


@dataclass(frozen=True)
class Encoding(Declared):
    """A row of `width` numbers for every whole number of a domain.

    A scheme is a subclass in a file of its own, found by its `name`. It declares its
    parameters as fields and defines `width`, `explain`, `code`, `_fill` and `_fill_means`.
    What it can do besides is an ability, a class that it also derives from: `Absolute`,
    `Waves`, `Rotary`, `Bias`, `Line`, `Periodic`, `Stored`. Abilities have no fields.
    """

    name: ClassVar[str]
    spelling: ClassVar[str] = ""
    """The name with the capitals that the field writes: ``RoPE``."""
    family: ClassVar[str]
    """The kind of scheme, under which lists gather it: ``absolute``, ``rotary``, ``bias``."""
    rank: ClassVar[int]
    """Place among the schemes in lists and menus, smallest first."""

    rows: ClassVar[Axis] = Axis("position", "positions", "p")
    """What the whole numbers are that have a row."""
    columns: ClassVar[Axis] = Axis("dimension", "dimensions", "j")
    """What the numbers of a row belong to."""
    first_range: ClassVar[range] = range(50)
    """Where a first look at it begins."""

    error = EncodingError

    @classmethod
    def called(cls) -> str:
        """Return what the scheme is called within a sentence: as the field writes its name."""
        return cls.spelling if cls.spelling.lower() == cls.name else cls.name

    @classmethod
    def title(cls) -> str:
        """Return what the scheme is called in lists and menus."""
        called = cls.called()
        return called.capitalize() if called == cls.name else called

    @classmethod
    def summary(cls) -> str:
        """Return what the scheme is, in one line."""
        return inspect.getdoc(cls).partition("\n")[0].rstrip(".")  # type: ignore[union-attr]

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name."""
        return {name: getattr(self, name) for name in declared(type(self))}

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        raise NotImplementedError

    @property
    def domain(self) -> range:
        """The whole numbers that have a row."""
        return range(-LIMIT, LIMIT + 1)

    @property
    def shortage(self) -> str:
        """Why no row is at 0 or beyond, or an empty text."""
        return ""

    @property
    def value_range(self) -> tuple[float, float] | None:
        """Least and greatest value of any row, to within rounding; None where there is no bound."""
        return None

    def column_title(self, column: int) -> str:
        """Return what one column is called, in few characters."""
        return str(column)

    def column_meanings(self) -> Ints:
        """Return a number for what each column means, shape (width,).

        Columns of two encodings whose `columns` are the same axis are compared where these
        numbers are equal, whatever the order that a layout gives them.
        """
        return np.arange(self.width)

    def table(self, positions: Any, out: Floats | None = None) -> Floats:
        """Return the row of each position.

        Parameters
        ----------
        positions : range, sequence or array of shape (n,)
            Whole numbers of the `domain` (exact), or fractional ones for continuous curves.
            Equal steps are fastest; a `range` costs no memory.
        out : (n, width) float64, C-contiguous, optional
            Where to put the answer, for callers that fill one buffer many times.

        Returns
        -------
        (n, width) float64

        Raises
        ------
        EncodingError
            If a position is no finite number of the domain, or `out` does not fit.
        """
        where, count = self._checked(positions)
        shape = (count, self.width)
        if out is None:
            out = np.empty(shape)
        elif not _fits(out, shape):
            problem = f"must be a writeable, C-contiguous float64 array of shape {shape}"
            raise EncodingError("out", problem)
        self._fill(where, out)
        return out

    def value(self, position: int, column: int) -> float:
        """Return one number of the table, or raise `EncodingError` where there is none."""
        return float(self.table([position])[0, self.checked_column(column)])

    def checked_column(self, column: Any) -> int:
        """Return the number of a column as an int, or raise `EncodingError`."""
        return as_whole(column, self.columns.name, 0, self.width - 1)

    def block_means(self, start: int, block: int, rows: int) -> Floats:
        """Return the mean row of each of `rows` consecutive blocks of positions.

        The cost does not depend on `block` where the scheme has a closed form; rows that a
        file holds are read and reduced.

        Parameters
        ----------
        start, block, rows : int
            First position, positions in a block (1 or more), number of blocks (0 or more).

        Returns
        -------
        (rows, width) float64

        Raises
        ------
        EncodingError
            If the blocks leave the domain.
        """
        start, block, rows = check_blocks(start, block, rows)
        if rows:
            self.require_rows(start, start + block * rows - 1)
        out = np.empty((rows, self.width))
        self._fill_means(start, block, out)
        return out

    def cost(self, rows: int, block: int) -> float:  # noqa: ARG002 - closed forms do not mind
        """Return about how many numbers are made or read for the means of `rows` blocks."""
        return float(rows) * self.width

    def reading(self, position: int, column: int) -> Reading:
        """Return what is told of one number of the table: pairs of name and text."""
        return (("Value", repr(self.value(position, column))),)

    def explain(self, position: int, column: int) -> tuple[str, ...]:
        """Return the formula of one value, line by line: as written, then with its numbers."""
        raise NotImplementedError

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that make `table` from float64 `positions`, for a library.

        Names of files are spelled by who asks, as code goes to others.
        """
        raise NotImplementedError

    def require_rows(self, low: float, high: float, name: str = "positions") -> None:
        """Raise `EncodingError`, of a parameter's name, if a number from `low` to `high` has no
        row.
        """
        domain = self.domain
        if low < domain[0] or high > domain[-1]:
            wrong = low if low < domain[0] else high
            there = f"which has rows for {domain[0]:,} to {domain[-1]:,}"
            remedy = "choose another" if low == high else "choose others"
            problem = f"{self.rows.name} {wrong:,} has no row in {self.called()}, {there}; {remedy}"
            raise EncodingError(name, problem)

    def _checked(self, positions: Any) -> tuple[Positions, int]:
        """Return positions that all have a row, and how many there are, or raise
        `EncodingError`.
        """
        where = as_positions(positions)
        count = len_of(where) if isinstance(where, range) else len(where)
        if count:
            low, high = _ends(where)
            self.require_rows(low, high)
        return where, count

    def _fill(self, positions: Positions, out: Floats) -> None:
        """Write the rows of checked `positions` to `out`, shape (n, width)."""
        raise NotImplementedError

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        """Write the means of consecutive blocks to `out`, shape (rows, width)."""
        raise NotImplementedError


class Absolute(Encoding):
    """An encoding that is added to embeddings, and has their width; a scheme declares `dim`."""

    family: ClassVar[str] = "absolute"

    dim: int

    @property
    def width(self) -> int:
        """The declared width."""
        return self.dim


def _ends(positions: Positions) -> tuple[float, float]:
    """Return the least and the greatest of some positions."""
    if isinstance(positions, range):
        return min(positions[0], positions[-1]), max(positions[0], positions[-1])
    return positions.min(), positions.max()


def _fits(out: object, shape: tuple[int, int]) -> bool:
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float64:
        return False
    return bool(out.flags.c_contiguous and out.flags.writeable)


def embedding_width(default: int) -> Any:
    """Declare the width of encodings that are added to embeddings."""
    return declare(
        Whole(
            default,
            1,
            65_536,
            comfort=(2, 512),
            label="Width",
            symbol="d",
            unit="dimensions",
            help="Numbers in one position's encoding: the model's embedding width.",
            shared=True,
        )
    )
