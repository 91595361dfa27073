"""What every encoding is: a frozen value with declared parameters and a table."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings._code import Library
from pe_explorer.encodings._phase import Turns
from pe_explorer.encodings._positions import EncodingError, Positions, as_positions, as_whole, check_blocks, len_of
from pe_explorer.params import Declared, Whole, declare, declared

__all__ = ["Encoding", "width"]

Floats = npt.NDArray[np.float64]
Phasors = npt.NDArray[np.complex128]


@dataclass(frozen=True)
class Encoding(Declared):
    """An absolute positional encoding: a row of `dim` numbers for every position.

    A scheme is a subclass in a file of its own, found by its `name`. It declares its
    parameters as fields and defines `_fill` and `_fill_means`.
    """

    name: ClassVar[str]
    rank: ClassVar[int]
    """Place among the schemes in lists and menus, smallest first."""

    value_range: ClassVar[tuple[float, float] | None] = None
    """Least and greatest value at any position, to within rounding; None where there is no bound."""

    error = EncodingError

    dim: int

    @classmethod
    def summary(cls) -> str:
        """Return what the scheme is, in one line."""
        return inspect.getdoc(cls).partition("\n")[0].rstrip(".")  # type: ignore[union-attr]

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name."""
        return {name: getattr(self, name) for name in declared(type(self))}

    def table(self, positions: Any, out: Floats | None = None) -> Floats:
        """Return the encoding of each position.

        Parameters
        ----------
        positions : range, sequence or array of shape (n,)
            Whole numbers up to ±2^53 (exact), or fractional ones for continuous curves.
            Equal steps are fastest; a `range` costs no memory.
        out : (n, dim) float64, C-contiguous, optional
            Where to put the answer, for callers that fill one buffer many times.

        Returns
        -------
        (n, dim) float64

        Raises
        ------
        EncodingError
            If a position is no finite number within ±2^53, or `out` does not fit.
        """
        where = as_positions(positions)
        shape = (len_of(where) if isinstance(where, range) else len(where), self.dim)
        if out is None:
            out = np.empty(shape)
        elif not _fits(out, shape):
            raise EncodingError("out", f"must be a writeable, C-contiguous float64 array of shape {shape}")
        self._fill(where, out)
        return out

    def value(self, position: int, dimension: int) -> float:
        """Return one number of the table, or raise `EncodingError` where there is none."""
        return float(self.table([position])[0, as_whole(dimension, "dimension", 0, self.dim - 1)])

    def block_means(self, start: int, block: int, rows: int) -> Floats:
        """Return the mean encoding of each of `rows` consecutive blocks of positions.

        The cost does not depend on `block`: every scheme has a closed form.

        Parameters
        ----------
        start, block, rows : int
            First position, positions in a block (1 or more), number of blocks (0 or more).

        Returns
        -------
        (rows, dim) float64

        Raises
        ------
        EncodingError
            If the blocks leave ±2^53.
        """
        start, block, rows = check_blocks(start, block, rows)
        out = np.empty((rows, self.dim))
        self._fill_means(start, block, out)
        return out

    def frequencies(self) -> Floats:
        """Return the frequency of each wave, fastest first, in radians per position.

        Returns
        -------
        (pairs,) float64
            One for each sine-cosine pair, for a lone sine too (odd widths, single waves);
            an encoding without waves has none.
        """
        turns = self.turns
        return np.empty(0) if turns is None else turns.frequencies.copy()

    def wavelengths(self) -> Floats:
        """Return the positions per turn of each wave, shape (pairs,); inf for a constant, and above 1.8e308."""
        with np.errstate(divide="ignore", over="ignore"):
            return 2 * np.pi / np.abs(self.frequencies())

    @property
    def turns(self) -> Turns | None:
        """The exact frequencies of the waves, None for an encoding without waves."""
        return None

    @property
    def pairs(self) -> int:
        """Number of waves that have both their sine and their cosine among the dimensions."""
        return 0

    @property
    def divisor(self) -> int | None:
        """The number that every dimension is the position divided by; None for all but such lines."""
        return None

    @property
    def shift_invariant(self) -> bool:
        """Whether dot products depend on the offset between positions only.

        So it is where nothing but sine-cosine pairs of equal weight make up a row; the
        product is then the sum over pairs of cos(offset·ω), and |row|² = pairs.
        """
        return False

    def phasors(self, positions: Any, waves: slice = slice(None)) -> Phasors:
        """Return cos θ + i sin θ of waves at positions, as `table` takes them.

        Returns
        -------
        (n, waves) complex128

        Raises
        ------
        EncodingError
            If the encoding has no waves, or a position is out of bounds.
        """
        turns, where = self._waves_of(waves), as_positions(positions)
        return turns.gather(self._half_steps(where), self._ahead(turns, where))

    def phasor_means(self, start: int, block: int, rows: int, waves: slice = slice(None)) -> Phasors:
        """Return the means of `phasors` over blocks of positions, shape (rows, waves), as `block_means` takes them."""
        start, block, rows = check_blocks(start, block, rows)
        turns = self._waves_of(waves)
        return turns.gather(self._centres(start, block, rows), turns.mean_amplitudes(block))

    def turn(self, wave: int, position: int) -> tuple[int, float]:
        """Return whole turns and the fraction of a turn that a wave has made at a position."""
        return self._waves_of(slice(None)).turn(wave, position + self.origin)

    def periods(self) -> Floats:
        """Return the positions after which each dimension repeats, shape (dim,); 0 where none does."""
        lengths = np.append(self.wavelengths(), 0.0)[self.wave_of]  # the last for -1, no wave
        return np.where(np.isfinite(lengths), lengths, 0.0)

    @property
    def origin(self) -> int:
        """What is added to a position before its angle is formed."""
        return 0

    @property
    def wave_of(self) -> npt.NDArray[np.int64]:
        """The wave that each dimension belongs to, shape (dim,); -1 where there is none."""
        return np.full(self.dim, -1)

    @property
    def sines(self) -> npt.NDArray[np.bool_] | None:
        """Whether each dimension is the sine of its wave, not the cosine, shape (dim,).

        None where dimensions are anything but sines and cosines; those without a wave are zero.
        """
        return None

    def explain(self, position: int, dimension: int) -> tuple[str, ...]:
        """Return the formula of one value: as the scheme writes it, then with its numbers, line by line."""
        raise NotImplementedError

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that make `table` from float64 `positions`, in the words of a library."""
        raise NotImplementedError

    def _waves_of(self, waves: slice) -> Turns:
        if self.turns is None:
            raise EncodingError("encoding", f"{self.name} has no waves, so no angles; choose one that has, such as sinusoidal")
        return self.turns if waves == slice(None) else self.turns.part(waves)

    def _half_steps(self, positions: Positions) -> Positions:
        """Return the phases of positions in half-steps, the origin added."""
        if isinstance(positions, range):
            first, step = 2 * (positions.start + self.origin), 2 * positions.step
            return range(first, first + step * len_of(positions), step)
        return 2 * (positions + self.origin) if positions.dtype.kind == "i" else 2 * positions

    def _ahead(self, turns: Turns, positions: Positions) -> Phasors | None:
        """Return the phasors that turn fractional positions by the origin: adding it to them would round."""
        if isinstance(positions, range) or positions.dtype.kind == "i" or not self.origin:
            return None
        phasors: Phasors = turns.exact(np.array([2 * self.origin]))[0]
        return phasors

    def _centres(self, start: int, block: int, rows: int) -> range:
        """Return the phases of the centres of blocks, in half-steps."""
        centre = 2 * (start + self.origin) + block - 1
        return range(centre, centre + 2 * block * rows, 2 * block)

    def _fill(self, positions: Positions, out: Floats) -> None:
        """Write the table of checked `positions` to `out`, shape (n, dim)."""
        raise NotImplementedError

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        """Write the means of consecutive blocks to `out`, shape (rows, dim)."""
        raise NotImplementedError


def _fits(out: object, shape: tuple[int, int]) -> bool:
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float64:
        return False
    return bool(out.flags.c_contiguous and out.flags.writeable)


def width(default: int) -> Any:
    """Declare the parameter that all encodings share."""
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
        )
    )
