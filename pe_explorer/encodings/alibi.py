"""Attention with linear biases, ALiBi: a distance penalty that is added to attention scores."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings.abilities.bias import Bias
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.line import Multiples
from pe_explorer.numeric.positions import Positions, as_column, list_doubled_centres
from pe_explorer.params import Flag, Whole, declare


@dataclass(frozen=True)
class Alibi(Bias, Multiples):
    """Each head adds slope · offset to its scores, so that distant keys count less.

    For head k of n, where m is the largest power of two up to n::

        slope_k = 2^(-8(k+1)/m) for k < m,  then 2^(-8(2(k-m)+1)/(2m))
        bias_k(offset) = slope_k · offset,  symmetric: -slope_k · |offset|

    where offset is the key's position minus the query's, 0 or less in causal models. If the number
    of heads is not a power of two, the slopes are not sorted.

    Source
    ------
    Press et al. 2022, section 3, and their code (attention_with_linear_biases). BLOOM and MPT in
    transformers differ only by a constant for each query, which softmax removes.
    """

    name = "alibi"
    spelling = "ALiBi"
    family = "bias"
    rank = 200
    preferred_metric = "euclidean"

    heads: int = declare(
        Whole(
            8,
            1,
            65_536,
            slider_range=(1, 64),
            label="Heads",
            symbol="n",
            unit="heads",
            help="The number of attention heads, which need not be a power of two.",
        )
    )
    symmetric: bool = declare(
        Flag(
            False,
            label="Symmetric",
            help="Penalise keys after the query too, as in bidirectional models.",
        )
    )

    @property
    def width(self) -> int:
        return self.heads

    @cached_property
    def slopes(self) -> Floats:
        m = 1 << (self.heads.bit_length() - 1)
        first = np.arange(1, m + 1) / m
        odd_numbers = np.arange(1, 2 * (self.heads - m), 2)
        exponents = np.concatenate([first, odd_numbers / (2 * m)])
        slopes: Floats = np.exp2(-8 * exponents)
        slopes.flags.writeable = False
        return slopes

    def factors(self, positions: Positions) -> Ints | Floats:
        offsets = np.asarray(positions)
        return -np.abs(offsets) if self.symmetric else offsets

    def format_column_title(self, column: int) -> str:
        return f"head {column}"

    def code(self, library: Library) -> tuple[str, ...]:
        slopes = library.array(repr(self.slopes.tolist()))
        offsets = f"(0.0 - {library.prefix}.abs(positions))" if self.symmetric else "positions"
        return f"slopes = {slopes}", f"table = {offsets}[:, None] * slopes"

    def explain(self, position: int, column: int) -> tuple[str, ...]:
        slope_text, value = f"{self.slopes[column]:.6g}", f"= {self.value(position, column):+.6g}"
        if self.symmetric:
            return f"-slope_{column} · |k - q|", f"= -{slope_text} · {abs(position)}", value
        return f"slope_{column} · (k - q)", f"= {slope_text} · {position}", value

    def _fill(self, positions: Positions, out: Floats) -> None:
        np.multiply(self._compute_factor_column(as_column(positions)), self.slopes, out=out)

    def _fill_heads(self, offsets: Positions, heads: range, out: Floats) -> None:
        row = self._compute_factor_column(as_column(offsets)).T
        np.multiply(self.slopes[heads, None], row, out=out)

    def _compute_factor_column(self, offsets: Floats) -> Floats:
        return 0.0 - np.abs(offsets) if self.symmetric else offsets  # subtraction avoids -0

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        centres = list_doubled_centres(start, block, len(out))
        means = self._compute_factor_column(as_column(centres) / 2)
        if self.symmetric:
            row = -start // block  # the index of the block that contains offset 0
            if 0 <= row < len(out):
                low, high = start + row * block, start + row * block + block - 1
                doubled_sum = low * (low - 1) + high * (high + 1)
                means[row] = 0.0 - doubled_sum / (2 * block)
        np.multiply(means, self.slopes, out=out)
