"""The bits of the position, a discrete analogue of sinusoids."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings.abilities.absolute import Absolute, declare_embedding_width
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import Periodic
from pe_explorer.numeric.positions import Positions

_SIGN_BIT = 60  # for 54-bit positions, this bit and all higher bits equal the sign


@dataclass(frozen=True)
class Binary(Absolute, Periodic):
    """Dimension j is bit j of the position: square waves whose wavelengths double.

    PE(p, j) = floor(p / 2^j) mod 2, the fastest bit first. The encoding is bounded and unique, but
    not smooth: neighbours such as 7 and 8 differ in many bits. Negative positions use two's
    complement. A fractional position has the bits of the integer below it.
    """

    name = "binary"
    rank = 40
    preferred_metric = "euclidean"

    dim: int = declare_embedding_width(16)

    @classmethod
    def suggest_parameters(cls, positions: range) -> dict[str, Any]:
        max_distance = max(abs(positions[0]), abs(positions[-1]))
        return {"dim": max(1, max_distance.bit_length())}

    @property
    def value_range(self) -> tuple[float, float]:
        return 0.0, 1.0

    def code(self, library: Library) -> tuple[str, ...]:
        bits = library.arange(self.dim, double=True)
        if self.dim > _SIGN_BIT:
            bits = f"{bits}.clip(max={_SIGN_BIT})"
        table = f"table = {library.prefix}.floor(positions[:, None] / 2.0**bit) % 2"
        return f"bit = {bits}", table

    def periods(self) -> Floats:
        return np.exp2(self._list_bits() + 1.0)

    def explain(self, position: int, dimension: int) -> tuple[str, ...]:
        formula = f"PE(p, {dimension}) = floor(p / 2^{dimension}) mod 2"
        return formula, f"= bit {dimension} of {position}", f"= {position >> dimension & 1}"

    def _list_bits(self) -> Ints:
        return np.minimum(np.arange(self.dim), _SIGN_BIT)

    def _list_row_chunks(self, rows: int) -> Iterator[slice]:
        step = max(1, 2**17 // self.dim)
        for start in range(0, rows, step):
            yield slice(start, min(start + step, rows))

    def _fill(self, positions: Positions, out: Floats) -> None:
        bits = self._list_bits()
        for chunk in self._list_row_chunks(len(out)):
            whole_positions = np.floor(np.asarray(positions[chunk])).astype(np.int64)
            out[chunk] = whole_positions[:, None] >> bits & 1

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        bits = self._list_bits()
        half_period = np.int64(1) << bits
        for chunk in self._list_row_chunks(len(out)):
            blocks = np.arange(chunk.start, chunk.stop + 1)
            edges = (start + block * blocks)[:, None]
            # Count the numbers from 0 to edge - 1 in which a bit is set. Each full period of
            # 2^(bit+1) numbers contains 2^bit of them, in its second half. For negative edges, the
            # formula counts downwards.
            last_period_ones = np.maximum((edges & (2 * half_period - 1)) - half_period, 0)
            one_counts = (edges >> (bits + 1)) * half_period + last_period_ones
            out[chunk] = np.diff(one_counts, axis=0) / block
