"""Which channels of an attention head form the pairs that rotary encodings turn."""

from __future__ import annotations

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.values import frozen


@frozen
class ChannelPairs:
    """The pairs of the channels that are turned.

    Attributes
    ----------
    count : int
        The number of pairs.
    layout : str
        ``interleaved`` if the channels of a pair are side by side; else all first channels come
        before all second ones.
    """

    count: int
    layout: str

    @property
    def pair_of(self) -> Ints:
        """The pair of each channel, shape (2 * count,)."""
        if self.layout == "interleaved":
            return np.repeat(np.arange(self.count), 2)
        return np.tile(np.arange(self.count), 2)

    @property
    def member_of(self) -> Ints:
        """0 for the first channel of a pair and 1 for the second, shape (2 * count,)."""
        if self.layout == "interleaved":
            return np.tile([0, 1], self.count)
        return np.repeat([0, 1], self.count)

    def places(self, pairs: slice) -> tuple[slice, slice]:
        """Return where the first and the second channels of some pairs are."""
        if self.layout == "interleaved":
            start = 2 * pairs.start
            stop = 2 * pairs.stop
            return slice(start, stop, 2), slice(start + 1, stop, 2)
        return pairs, slice(self.count + pairs.start, self.count + pairs.stop)

    def quarter_turned(self, channels: Floats) -> Floats:
        """Return channels, shape (..., 2 * count), with every pair (a, b) as (-b, a)."""
        turned = np.empty_like(channels)
        first, second = self.places(slice(0, self.count))
        turned[..., first] = -channels[..., second]
        turned[..., second] = channels[..., first]
        return turned
