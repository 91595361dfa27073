"""Abstract class of encodings that rotate pairs of channels by an angle."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_explorer.arrays import Bools, Floats, Ints
from pe_explorer.encodings.abilities.base import Axis
from pe_explorer.encodings.abilities.checks import EncodingError, to_positions
from pe_explorer.encodings.abilities.waves import Waves
from pe_explorer.numeric.positions import count_positions
from pe_explorer.params import reason


@dataclass(frozen=True)
class ChannelPairs:
    """The pairs of rotated channels.

    The two channels of a pair are adjacent in the layout ``interleaved``. In the layout
    ``half``, all first channels precede all second channels.
    """

    count: int
    layout: str

    @property
    def pair_indices(self) -> Ints:
        """The index of each channel's pair, shape (2 * count,)."""
        if self.layout == "interleaved":
            return np.repeat(np.arange(self.count), 2)
        return np.tile(np.arange(self.count), 2)

    @property
    def member_indices(self) -> Ints:
        """The index of each channel in its pair, 0 or 1, shape (2 * count,)."""
        if self.layout == "interleaved":
            return np.tile([0, 1], self.count)
        return np.repeat([0, 1], self.count)

    def find_slices(self, pairs: slice) -> tuple[slice, slice]:
        """Return the slices of the first channels and of the second channels of the given pairs."""
        if self.layout == "interleaved":
            start, stop = 2 * pairs.start, 2 * pairs.stop
            return slice(start, stop, 2), slice(start + 1, stop, 2)
        return pairs, slice(self.count + pairs.start, self.count + pairs.stop)

    def quarter_turn(self, channels: Floats) -> Floats:
        """Return channels, shape (..., 2 * count), with every pair (a, b) replaced by (-b, a)."""
        rotated_channels = np.empty_like(channels)
        first, second = self.find_slices(slice(0, self.count))
        rotated_channels[..., first] = -channels[..., second]
        rotated_channels[..., second] = channels[..., first]
        return rotated_channels


class Rotary(Waves):
    """An encoding that rotates each pair of channels of queries and keys by an angle.

    Its rows have the form of the tables in models, ``[cosines ‖ sines]``. Both halves have the
    rotary width and the order of the layout. A scheme declares `head_dim` and `layout` and defines
    `rotary`.
    """

    columns = Axis("cosine or sine", "cosines and sines", "j")

    head_dim: int
    layout: str

    @property
    def rotary(self) -> int:
        """The number of rotated channels of a head: two per pair."""
        raise NotImplementedError

    @property
    def attention_factor(self) -> float:
        """The factor that multiplies cosines and sines, and whose square multiplies scores."""
        return 1.0

    @property
    def pairs(self) -> int:
        return self.rotary // 2

    @property
    def channels(self) -> ChannelPairs:
        """The pairs of rotated channels."""
        return ChannelPairs(self.pairs, self.layout)

    @property
    def width(self) -> int:
        return 2 * self.rotary

    @property
    def value_range(self) -> tuple[float, float]:
        return -self.attention_factor, self.attention_factor

    @property
    def pair_weight(self) -> float:
        """Twice the squared attention factor, because a row has every cosine and sine twice."""
        return 2 * self.attention_factor**2

    @property
    def wave_indices(self) -> Ints:
        return np.tile(self.channels.pair_indices, 2)

    @property
    def sines(self) -> Bools:
        return np.arange(self.width) >= self.rotary

    @property
    def amplitude(self) -> float:
        return self.attention_factor

    def list_column_meanings(self) -> Ints:
        channels = self.channels
        cosines = 2 * channels.pair_indices + channels.member_indices
        return np.concatenate([cosines, ~cosines])

    def format_column_title(self, column: int) -> str:
        function = "cos" if column < self.rotary else "sin"
        pair = self.channels.pair_indices[column % self.rotary]
        return f"{function} {pair}"

    def cos_sin(self, positions: Any) -> tuple[Floats, Floats]:
        """Return the cosines and sines by which models multiply queries and keys.

        Parameters
        ----------
        positions : range, sequence or array of shape (n,)
            As in `table`.

        Returns
        -------
        cos, sin : (n, rotary) float64
            In the order of the layout, multiplied by the attention factor.

        Raises
        ------
        EncodingError
            If a position is not a finite number within ±2^53.
        """
        table = self.table(positions)
        return table[:, : self.rotary], table[:, self.rotary :]

    def rotate(self, x: Any, positions: Any) -> Floats:
        """Return queries or keys rotated by their positions.

        Parameters
        ----------
        x : array of shape (..., n, head_dim)
        positions : range, sequence or array of shape (n,)

        Returns
        -------
        (..., n, head_dim) float64
            Channels beyond the rotary width are unchanged.

        Raises
        ------
        EncodingError
            If `x` is not real or has another shape, or a position is out of bounds.
        """
        checked_positions = to_positions(positions)
        shape = count_positions(checked_positions), self.head_dim
        try:
            rotated_channels = np.array(x)
            if not np.iscomplexobj(rotated_channels):
                rotated_channels = rotated_channels.astype(np.float64, copy=False)
        except (TypeError, ValueError) as error:
            raise EncodingError("x", f"cannot be read as numbers ({reason(error)})") from None
        if np.iscomplexobj(rotated_channels):
            remedy = "pass real and imaginary parts as separate channels"
            raise EncodingError("x", "expected real numbers, got complex ones", remedy)
        if rotated_channels.shape[-2:] != shape:
            expected_shape = f"(..., {shape[0]}, {shape[1]}): positions, then channels (head_dim)"
            raise EncodingError(
                "x", f"expected {expected_shape}, got the shape {rotated_channels.shape}"
            )
        cosines, sines = self.cos_sin(checked_positions)
        channels = rotated_channels[..., : self.rotary]
        quarter_turn = self.channels.quarter_turn(channels)
        channels *= cosines
        channels += quarter_turn * sines
        return rotated_channels
