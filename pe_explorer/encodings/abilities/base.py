"""The base class of encodings, which are frozen values with declared parameters."""

import inspect
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings.abilities import checks
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.numeric.positions import LIMIT, Positions, count_positions
from pe_explorer.params import Declared, declared

ValueFacts = tuple[tuple[str, str], ...]  # facts about one value, as pairs of a name and its text


class Axis(NamedTuple):
    """The meaning of the rows or of the columns of a table."""

    name: str  # a singular noun, such as position, offset or head
    plural: str
    symbol: str  # the letter for an index, as in papers

    def format_count(self, number: int) -> str:
        """Return a number followed by the noun: ``1 position``, ``12,000 positions``."""
        name = self.name if number == 1 else self.plural
        return f"{number:,} {name}"

    def add_noun(self, title: str) -> str:
        """Return a title, preceded by the noun if the title is only a number: ``dimension 3``."""
        return f"{self.name} {title}" if title.isdecimal() else title


@dataclass(frozen=True)
class Encoding(Declared):
    """A row of `width` values for every integer in a domain.

    A scheme is a subclass in its own file, registered under its `name`. The scheme declares its
    parameters as fields and defines `width`, `explain`, `code`, `_fill` and `_fill_means`. For
    other abilities, it also derives from classes without fields: `Absolute`, `Waves`, `Steady`,
    `Rotary`, `Bias`, `Multiples`, `Line`, `Periodic`, `Stored`.
    """

    name: ClassVar[str]
    spelling: ClassVar[str] = ""  # the name with the capitals used in papers, such as RoPE
    family: ClassVar[str]  # the group of the scheme in lists, such as absolute or rotary
    rank: ClassVar[int]  # the sort key of the scheme in lists, smallest first
    rows: ClassVar[Axis] = Axis("position", "positions", "p")
    columns: ClassVar[Axis] = Axis("dimension", "dimensions", "j")
    first_range: ClassVar[range] = range(50)  # the rows that are shown initially
    preferred_metric: ClassVar[str] = "cosine"
    """A metric that distinguishes the rows; cosine does not if all rows are parallel."""

    error = EncodingError

    @classmethod
    def suggest_parameters(cls, positions: range) -> dict[str, Any]:  # noqa: ARG003
        """Return parameters that suit the positions better than the defaults; empty if none do."""
        return {}

    @classmethod
    def format_name(cls) -> str:
        """Return the name of the scheme for use within a sentence, spelled as in papers."""
        return cls.spelling if cls.spelling.lower() == cls.name else cls.name

    @classmethod
    def title(cls) -> str:
        """Return the name of the scheme for lists and menus."""
        name = cls.format_name()
        return name.capitalize() if name == cls.name else name

    @classmethod
    def summary(cls) -> str:
        """Return the first line of the docstring, which describes the scheme."""
        return (inspect.getdoc(cls) or "").partition("\n")[0].rstrip(".")

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name."""
        return {name: getattr(self, name) for name in declared(type(self))}

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        """The parameters that have no effect because of the other parameters, with the reasons."""
        return {}

    @property
    def width(self) -> int:
        """The number of columns."""
        raise NotImplementedError

    @property
    def domain(self) -> range:
        """The integers that have rows, in steps of 1."""
        return range(-LIMIT, LIMIT + 1)

    @property
    def no_rows_reason(self) -> str:
        """The reason why all rows are at negative positions; empty if a row is at 0 or above."""
        return ""

    @property
    def value_range(self) -> tuple[float, float] | None:
        """The minimum and maximum of all values, up to rounding; None if they are unbounded."""
        return None

    def format_column_title(self, column: int) -> str:
        """Return a short name for a column."""
        return str(column)

    def list_column_meanings(self) -> Ints:
        """Return a number for the meaning of each column, shape (width,) int64.

        If two encodings have the same `columns`, columns with equal numbers are compared,
        regardless of their order.
        """
        return np.arange(self.width)

    def table(self, positions: Any, out: Floats | None = None) -> Floats:
        """Return the row of each position.

        Parameters
        ----------
        positions : range, sequence or array of shape (n,)
            Integers in the `domain` (exact), or fractional numbers for continuous curves.
            Equal steps are fastest; a `range` takes no memory.
        out : (n, width) float64, C-contiguous, optional
            The array to write to, for callers that reuse a buffer.

        Returns
        -------
        (n, width) float64

        Raises
        ------
        EncodingError
            If a position is not a finite number within the domain, or `out` has a different form.
        """
        checked_positions, count = self._check_positions(positions)
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
            problem = f"expected a writeable, C-contiguous float64 array of shape {shape}"
            raise EncodingError("out", problem)
        self._fill(checked_positions, out)
        return out

    @property
    def kinds(self) -> Ints:
        """The kind of each column, such as sine or cosine, encoded as a number, shape (width,).

        Columns of different kinds are never averaged when an image has fewer pixels than columns.
        """
        return np.zeros(self.width, dtype=np.int64)

    def value(self, position: int, column: int) -> float:
        """Return one value of the table; raise `EncodingError` if it does not exist."""
        return float(self.table([position])[0][self.check_column(column)])

    def check_column(self, column: Any) -> int:
        """Return the index of a column as an int; raise `EncodingError` if it is invalid."""
        return checks.to_whole_number(column, self.columns.name, 0, self.width - 1)

    def block_means(self, start: int, block: int, rows: int) -> Floats:
        """Return the mean row of each of `rows` consecutive blocks of positions.

        The cost does not depend on `block` if the scheme has a closed form. Rows in a file are
        read and averaged.

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
            If the blocks exceed the domain.
        """
        start, block, rows = checks.check_blocks(start, block, rows)
        if rows:
            self.require_rows(start, start + block * rows - 1)
        out = np.empty((rows, self.width))
        self._fill_means(start, block, out)
        return out

    def cost(self, rows: int, block: int) -> float:  # noqa: ARG002 - for overrides
        """Return the approximate number of values that are computed for `rows` block means."""
        return float(rows) * self.width

    def reading(self, position: int, column: int) -> ValueFacts:
        """Return facts about one value of the table."""
        return (("Value", repr(self.value(position, column))),)

    def explain(self, position: int, column: int) -> tuple[str, ...]:
        """Return the lines of a value's formula, first with symbols, then with numbers."""
        raise NotImplementedError

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that compute `table` from float64 `positions` with a library.

        Paths in the code are absolute; replace them before sharing the code.
        """
        raise NotImplementedError

    @property
    def code_imports(self) -> tuple[str, ...]:
        """The imports that `code` needs in addition to its library."""
        return ()

    def require_rows(self, low: float, high: float, name: str = "positions") -> None:
        """Raise `EncodingError` about the parameter `name` if a position in a range has no row."""
        first_position, last_position = self.domain[0], self.domain[-1]
        if first_position <= low and high <= last_position:
            return
        missing_position = low if low < first_position else high
        problem = f"{self.rows.name} {missing_position:,} has no row in {self.format_name()}"
        problem += f", which has rows for {first_position:,} to {last_position:,}"
        remedy = "choose one in this range" if low == high else "choose from this range"
        raise EncodingError(name, problem, remedy)

    def _check_positions(self, positions: Any) -> tuple[Positions, int]:
        """Return exact positions and their number; raise `EncodingError` if they are invalid."""
        checked_positions = checks.to_positions(positions)
        count = count_positions(checked_positions)
        if count:
            low, high = checked_positions[0], checked_positions[-1]
            if not isinstance(checked_positions, range):
                low, high = checked_positions.min(), checked_positions.max()
            self.require_rows(min(low, high), max(low, high))
        return checked_positions, count

    def _fill(self, positions: Positions, out: Floats) -> None:
        """Write the rows of valid positions to `out`, shape (n, width)."""
        raise NotImplementedError

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        """Write the block means of the rows to `out`, shape (rows, width)."""
        raise NotImplementedError
