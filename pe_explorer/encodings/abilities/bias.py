"""Abstract class of encodings that are added to attention scores, by offset and head."""

from typing import Any

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.base import Axis, Encoding
from pe_explorer.numeric.positions import Positions


class Bias(Encoding):
    """An encoding whose rows are added to attention scores, with one column per head.

    The index of a row is the offset: the position of the key minus that of the query.
    """

    rows = Axis("offset", "offsets", "k−q")
    columns = Axis("head", "heads", "h")
    first_range = range(-49, 1)

    def bias(self, offsets: Any, heads: range | None = None) -> Floats:
        """Return the biases that are added to the scores of each head.

        Parameters
        ----------
        offsets : range, sequence or array of shape (m,)
            Key position minus query position, integers within ±2^53.
        heads : range, optional
            The heads to return; by default all.

        Returns
        -------
        (heads, m) float64
            The columns of `table` as rows.

        Raises
        ------
        EncodingError
            If an offset is not a finite number within its limits, or a head does not exist.
        """
        if heads is None:
            heads = range(self.width)
        if heads:
            self.check_column(heads[0])
            self.check_column(heads[-1])
        checked_offsets, count = self._check_positions(offsets)
        out = np.empty((len(heads), count))
        self._fill_heads(checked_offsets, heads, out)
        return out

    def _fill_heads(self, offsets: Positions, heads: range, out: Floats) -> None:
        """Write the biases of the given heads to `out`, shape (heads, m).

        Schemes that can compute heads individually should override this method.
        """
        out[:] = self.table(offsets)[:, heads].T
