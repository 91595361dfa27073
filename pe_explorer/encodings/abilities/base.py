"""What every encoding is: a frozen value with declared parameters, and a row for every position."""

import inspect
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings.abilities.checks import (
    EncodingError,
    as_positions,
    as_whole,
    check_blocks,
)
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.numeric.positions import LIMIT, Positions, len_of
from pe_explorer.params import Declared, declared

Reading = tuple[tuple[str, str], ...]
"""Facts on one number: pairs of a name and a text, in the order to show them."""


class Axis(NamedTuple):
    """The meaning of the rows or the columns of a table."""

    name: str  # the noun for one of them in axes and sentences: position, offset, head
    plural: str  # the noun for several of them
    symbol: str  # the letter that papers write for the number of one

    def counted(self, number: int) -> str:
        """Return a number of them in words: ``1 position``, ``12,000 positions``."""
        name = self.name if number == 1 else self.plural
        return f"{number:,} {name}"

    def with_noun(self, title: str) -> str:
        """Return the title of one with its noun, where it is a number alone: ``dimension 3``."""
        return f"{self.name} {title}" if title.isdecimal() else title


@dataclass(frozen=True)
class Encoding(Declared):
    """A row of `width` numbers for every whole number of a domain.

    A scheme is a subclass in a file of its own, found by its `name`. It declares its
    parameters as fields and defines `width`, `explain`, `code`, `_fill` and `_fill_means`.
    Whatever else it can do is an ability, a class that it also derives from: `Absolute`,
    `Waves`, `Steady`, `Rotary`, `Bias`, `Multiples`, `Line`, `Periodic`, `Stored`. Abilities have
    no fields.
    """

    name: ClassVar[str]
    spelling: ClassVar[str] = ""
    """The name with the capitals that papers write: ``RoPE``."""
    family: ClassVar[str]
    """The group that lists show the scheme in: ``absolute``, ``rotary``, ``bias``."""
    rank: ClassVar[int]
    """Place among the schemes in lists and menus, smallest first."""
    rows: ClassVar[Axis] = Axis("position", "positions", "p")
    """What the number of a row is."""
    columns: ClassVar[Axis] = Axis("dimension", "dimensions", "j")
    """What the number of a column is."""
    first_range: ClassVar[range] = range(50)
    """The rows that are shown first."""
    suited_metric: ClassVar[str] = "cosine"
    """The metric that distinguishes its rows: cosine does not where all are parallel."""

    error = EncodingError

    @classmethod
    def suited(cls, positions: range) -> dict[str, Any]:  # noqa: ARG003 - for schemes that do
        """Return the parameters that suit some positions, where the defaults do not."""
        return {}

    @classmethod
    def display_name(cls) -> str:
        """Return the name of the scheme within a sentence, spelled as in papers."""
        return cls.spelling if cls.spelling.lower() == cls.name else cls.name

    @classmethod
    def title(cls) -> str:
        """Return the name of the scheme in lists and menus."""
        called = cls.display_name()
        return called.capitalize() if called == cls.name else called

    @classmethod
    def summary(cls) -> str:
        """Return what the scheme is, in one line: the first of its docstring."""
        text = inspect.getdoc(cls) or ""
        return text.partition("\n")[0].rstrip(".")

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name."""
        return {name: getattr(self, name) for name in declared(type(self))}

    @property
    def without_effect(self) -> dict[str, str]:
        """The parameters that change no number as the others are now, by name, and why."""
        return {}

    @property
    def width(self) -> int:
        """The number of columns."""
        raise NotImplementedError

    @property
    def domain(self) -> range:
        """The whole numbers that have a row, in steps of 1."""
        return range(-LIMIT, LIMIT + 1)

    @property
    def why_no_rows(self) -> str:
        """Why there is no row for 0 or above, or an empty text where there is one."""
        return ""

    @property
    def value_range(self) -> tuple[float, float] | None:
        """Least and greatest value of any row, but for rounding; None if there is no bound."""
        return None

    def column_title(self, column: int) -> str:
        """Return a short name of one column."""
        return str(column)

    def column_meanings(self) -> Ints:
        """Return one number for each column that says what it means, shape (width,) int64.

        Columns of two encodings are compared where these numbers are equal, in whatever order
        a layout puts them; provided that the `columns` of both are the same axis.
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
            Where to write the rows, for callers that fill one buffer many times.

        Returns
        -------
        (n, width) float64

        Raises
        ------
        EncodingError
            If a position is not a finite number within the domain, or `out` does not fit.
        """
        where, count = self._checked(positions)
        shape = (count, self.width)
        if out is None:
            out = np.empty(shape)
        elif not (
            isinstance(out, np.ndarray)
            and out.shape == shape
            and out.dtype == np.float64
            and out.flags.c_contiguous
            and out.flags.writeable
        ):
            problem = f"must be a writeable, C-contiguous float64 array of shape {shape}"
            raise EncodingError("out", problem)
        self._fill(where, out)
        return out

    @property
    def kinds(self) -> Ints:
        """Which columns are of one kind, by equal numbers, shape (width,): sines, cosines.

        Neighbours of different kinds are not averaged where a picture has less room than columns.
        """
        return np.zeros(self.width, dtype=np.int64)

    def value(self, position: int, column: int) -> float:
        """Return one number of the table, or raise `EncodingError` where there is none."""
        row = self.table([position])[0]
        return float(row[self.checked_column(column)])

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

    def cost(self, rows: int, block: int) -> float:  # noqa: ARG002 - closed forms cost the same
        """Return roughly how many numbers are computed or read for the means of `rows` blocks."""
        return float(rows) * self.width

    def reading(self, position: int, column: int) -> Reading:
        """Return facts on one number of the table: pairs of name and text."""
        return (("Value", repr(self.value(position, column))),)

    def explain(self, position: int, column: int) -> tuple[str, ...]:
        """Return the formula of one value, line by line: as written, then with its numbers."""
        raise NotImplementedError

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that make `table` from float64 `positions`, for a library.

        Paths in it are absolute; whoever shares the code replaces them first.
        """
        raise NotImplementedError

    @property
    def code_imports(self) -> tuple[str, ...]:
        """What `code` imports besides its library."""
        return ()

    def require_rows(self, low: float, high: float, name: str = "positions") -> None:
        """Raise `EncodingError` if a number from `low` to `high` has no row.

        `name` is the parameter that the error is about.
        """
        domain = self.domain
        first, last = domain[0], domain[-1]
        if first <= low and high <= last:
            return
        wrong = low if low < first else high
        rows = f"which has rows for {first:,} to {last:,}"
        remedy = "choose another" if low == high else "choose others"
        problem = f"{self.rows.name} {wrong:,} has no row in {self.display_name()}"
        raise EncodingError(name, f"{problem}, {rows}; {remedy}")

    def _checked(self, positions: Any) -> tuple[Positions, int]:
        """Return positions in an exact form, and how many; raises `EncodingError`."""
        where = as_positions(positions)
        count = len_of(where)
        if count:
            low, high = where[0], where[-1]
            if not isinstance(where, range):
                low, high = where.min(), where.max()
            self.require_rows(min(low, high), max(low, high))
        return where, count

    def _fill(self, positions: Positions, out: Floats) -> None:
        """Write the rows of checked `positions` to `out`, shape (n, width)."""
        raise NotImplementedError

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        """Write the means of consecutive blocks to `out`, shape (rows, width)."""
        raise NotImplementedError
