"""The type `proportional`: only the first pairs turn, spaced as if all did."""

from collections.abc import Iterable
from dataclasses import dataclass

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import rounded
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.params import format_real


@dataclass(frozen=True)
class Proportional(RopeType):
    """Only the first pairs turn, spaced as if all did; the others stand still.

    All d channels of a head form pairs, of which K = int(partial_rotary_factor · d // 2) turn::

        ω_i = rope_theta^(-2i/d) / factor    for i < K, else 0

    The exponent has the whole width d, unlike that of a partial rotary width.

    Sources
    -------
    transformers, `_compute_proportional_rope_parameters`: full layers of Gemma 4.
    """

    name = "proportional"

    factor: float
    partial_rotary_factor: float

    @staticmethod
    def turned(head_dim: int, part: float) -> int:  # noqa: ARG004 - all channels form pairs
        return head_dim

    @property
    def turning(self) -> int:
        """The number of pairs that turn, K."""
        return int(self.partial_rotary_factor * self.rotary // 2)

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        above, below = self.factor.as_integer_ratio()
        for pair in range(self.pairs):
            yield below * (pair < self.turning), above

    @property
    def without_effect(self) -> dict[str, str]:
        if not self.turning:
            why = "no pair turns"
            return dict.fromkeys(("factor", "rope_theta", "layout"), why)
        if self.turning == 1:
            return {"rope_theta": "the only pair that turns does so at the same speed"}
        return {}

    def frequency(self, pair: int) -> str:
        if pair >= self.turning:
            return "0"
        return f"{self._power(pair)} / {format_real(self.factor)}"

    def reason(self, pair: int) -> str:
        if pair < self.turning:
            return "proportional divides the frequency of every pair that turns by the factor"
        return f"only the first {self.turning:,} of {self.pairs:,} pairs turn"

    def code(self, library: Library) -> tuple[str, ...]:
        return (f"w = (i < {self.turning}) * {self._power_code()} / {self.factor!r}",)

    @property
    def float32_frequencies(self) -> Floats:
        paper = rounded(1 / self._float32_powers(self.rope_theta))
        paper[self.turning :] = 0.0
        return rounded(paper / rounded(self.factor))
