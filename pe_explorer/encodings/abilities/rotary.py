"""The ability of encodings that turn pairs of a head's channels by the position."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings.abilities.base import Axis
from pe_explorer.encodings.abilities.waves import Waves
from pe_explorer.numeric.positions import EncodingError, Positions, as_positions, len_of
from pe_explorer.params import reason

__all__ = ["Rotary"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Rotary(Waves):
    """An encoding that turns queries and keys: pair i of their channels by the angle p·ω_i.

    Its row is what models keep in a table, ``[cosines ‖ sines]``, each of the rotary width and
    in the order of the layout. A scheme declares `head_dim` and `layout` and defines `turns`
    and `rotary`.
    """

    columns: ClassVar[Axis] = Axis("cosine or sine", "cosines and sines", "j")

    head_dim: int
    layout: str

    @property
    def rotary(self) -> int:
        """How many of a head's channels are turned: two for each pair."""
        raise NotImplementedError

    @property
    def attention_factor(self) -> float:
        """What cosines and sines are multiplied by, so that scores change by its square."""
        return 1.0

    @property
    def pairs(self) -> int:
        """Number of pairs of channels that are turned together."""
        return self.rotary // 2

    @property
    def width(self) -> int:
        """Numbers in a row: a cosine and a sine for each channel that is turned."""
        return 2 * self.rotary

    @property
    def value_range(self) -> tuple[float, float]:
        """Plus and minus the attention factor."""
        return -self.attention_factor, self.attention_factor

    @property
    def pair_weight(self) -> float:
        """Cosine and sine stand in a row twice, for both channels of a pair."""
        return 2 * self.attention_factor**2

    @property
    def wave_of(self) -> Ints:
        """The pair that each column belongs to, shape (width,)."""
        return np.tile(self.pair_of_channel(), 2)

    @property
    def sines(self) -> npt.NDArray[np.bool_]:
        """The second half of the columns."""
        return np.arange(self.width) >= self.rotary

    @property
    def amplitude(self) -> float:
        """The attention factor."""
        return self.attention_factor

    def pair_of_channel(self) -> Ints:
        """Return the pair of each channel that is turned, shape (rotary,)."""
        if self.layout == "interleaved":
            return np.repeat(np.arange(self.pairs), 2)
        return np.tile(np.arange(self.pairs), 2)

    def column_meanings(self) -> Ints:
        """Return a number for each column, the same for one pair's cosines in every layout."""
        pairs = self.pair_of_channel()
        if self.layout == "interleaved":
            second = np.arange(self.rotary) % 2
        else:
            second = np.repeat([0, 1], self.pairs)
        cosines = 4 * pairs + second
        return np.concatenate([cosines, cosines + 2])

    def column_title(self, column: int) -> str:
        """Return which function of which pair a column is: ``cos 3``."""
        function = "cos" if column < self.rotary else "sin"
        return f"{function} {self.pair_of_channel()[column % self.rotary]}"

    def value(self, position: int, column: int) -> float:
        """Return one number of the table, without its row; raises as the table does."""
        column = self.checked_column(column)
        pair = int(self.wave_of[column])
        phasor = self.phasors([position], slice(pair, pair + 1))[0, 0]
        return float(self.attention_factor * (phasor.real if column < self.rotary else phasor.imag))

    def cos_sin(self, positions: Any) -> tuple[Floats, Floats]:
        """Return the cosines and the sines that models multiply queries and keys by.

        Parameters
        ----------
        positions : range, sequence or array of shape (n,)
            As `table` takes them.

        Returns
        -------
        cos, sin : (n, rotary) float64
            In the order of the layout, times the attention factor.

        Raises
        ------
        EncodingError
            If a position is no finite number within ±2^53.
        """
        table = self.table(positions)
        return table[:, : self.rotary], table[:, self.rotary :]

    def rotate(self, x: Any, positions: Any) -> Floats:
        """Return queries or keys turned by their positions.

        Parameters
        ----------
        x : array of shape (..., n, head_dim)
        positions : range, sequence or array of shape (n,)

        Returns
        -------
        (..., n, head_dim) float64
            Channels beyond the rotary width as they were.

        Raises
        ------
        EncodingError
            If `x` is not of that shape or not real, or a position is out of bounds.
        """
        where = as_positions(positions)
        array = self._checked_heads(x, len_of(where) if isinstance(where, range) else len(where))
        cosines, sines = self.cos_sin(where)
        turned = array.copy()
        channels = turned[..., : self.rotary]
        channels *= cosines
        channels += self._quarter_turned(array[..., : self.rotary]) * sines
        return turned

    def score(self, offsets: Any) -> Floats:
        """Return how well a query matches a key like it, by their offset.

        Parameters
        ----------
        offsets : range, sequence or array of shape (m,)
            Key position minus query position, within ±2^53.

        Returns
        -------
        (m,) float64
            The mean over the pairs of cos(offset·ω_i), 1 at offset 0. It is the product of two
            vectors of ones, turned by their positions and divided by the rotary width.

        Raises
        ------
        EncodingError
            If an offset is no finite number within its limits.
        """
        where = as_positions(offsets, "offsets")
        count = len_of(where) if isinstance(where, range) else len(where)
        sums = np.zeros(count)
        for rows, _, block in self.turns.sweep(self._doubled(where)):
            sums[rows] += block.real.sum(axis=1)
        return sums / self.pairs

    def _doubled(self, offsets: Positions) -> Positions:
        """Return offsets in half-steps; the origin of positions does not matter to them."""
        if isinstance(offsets, range):
            return range(2 * offsets.start, 2 * offsets.stop, 2 * offsets.step)
        return 2 * offsets

    def _checked_heads(self, x: Any, count: int) -> Floats:
        wanted = f"(..., {count}, {self.head_dim}): the positions, and head_dim channels"
        try:
            given = np.asarray(x)
            if np.iscomplexobj(given):
                raise TypeError(
                    "they are complex; give each real and imaginary part as a channel of its own"
                )
            array = given.astype(np.float64, copy=False)
        except (TypeError, ValueError) as error:
            raise EncodingError("x", f"cannot be read as numbers ({reason(error)})") from None
        if array.ndim < 2 or array.shape[-2:] != (count, self.head_dim):
            raise EncodingError("x", f"has the shape {array.shape}; it must have {wanted}")
        return array

    def _quarter_turned(self, channels: Floats) -> Floats:
        """Return every pair (a, b) as (-b, a)."""
        turned = np.empty_like(channels)
        if self.layout == "interleaved":
            first, second = slice(0, None, 2), slice(1, None, 2)
        else:
            first, second = slice(0, self.pairs), slice(self.pairs, None)
        turned[..., first] = -channels[..., second]
        turned[..., second] = channels[..., first]
        return turned

    def _fill(self, positions: Positions, out: Floats) -> None:
        self._sweep(self._half_steps(positions), out, None)

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        half_steps = self._centres(start, block, len(out))
        self._sweep(half_steps, out, self.turns.mean_amplitudes(block))

    def _sweep(self, half_steps: Positions, out: Floats, amplitude: Floats | None) -> None:
        """Write the cosines and sines of the phases to all four places that each has in a row."""
        cosines, sines = out[:, : self.rotary], out[:, self.rotary :]
        factor = self.attention_factor
        for rows, pairs, block in self.turns.sweep(half_steps, amplitude):
            if factor != 1:
                block = block * factor
            for columns in self._channels(pairs):
                cosines[rows, columns] = block.real
                sines[rows, columns] = block.imag

    def _channels(self, pairs: slice) -> tuple[slice, slice]:
        """Return where the first and the second channels of some pairs stand."""
        if self.layout == "interleaved":
            return slice(2 * pairs.start, 2 * pairs.stop, 2), slice(
                2 * pairs.start + 1, 2 * pairs.stop, 2
            )
        return pairs, slice(self.pairs + pairs.start, self.pairs + pairs.stop)
