"""What a bias adds to attention scores."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings import Bias as Biases
from pe_explorer.encodings import Encoding
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, titled

Floats = npt.NDArray[np.float64]

_TOGETHER = 1 << 18  # numbers made at a time


class Bias(Quantity):
    """What is added to the scores of each head, by offset: (heads, m); positions are offsets."""

    name: ClassVar[str] = "bias"
    help: ClassVar[str] = "what is added to the scores of each head, by offset"
    rank: ClassVar[int] = 80
    by_offset: ClassVar[bool] = True

    @staticmethod
    def needs(e: Encoding) -> str:
        """Numbers that are added to scores."""
        return needs.bias(e)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the biases, shape (heads, m)."""
        e, offsets = asked.encoding, asked.positions
        assert isinstance(e, Biases)
        step = max(1, _TOGETHER // e.width)  # a scheme may make all heads to give some

        def fill(part: range, out: Floats) -> None:
            for start in range(0, len(offsets), step):
                out[:, start : start + step] = e.bias(offsets[start : start + step], part)

        return Data(range(e.width), len(offsets), titled("head", lambda: map(str, offsets)), fill)
