"""The type `proportional`: only the first pairs rotate, with the frequencies of a full head."""

from collections.abc import Iterable
from dataclasses import dataclass

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.numeric.rounding import Rounding
from pe_explorer.params import format_real


@dataclass(frozen=True)
class ProportionalType(RopeType):
    """Only the first pairs rotate, with frequencies spaced as if all pairs did.

    All d channels of a head form pairs. The first K = int(partial_rotary_factor · d // 2) rotate::

        ω_i = rope_theta^(-2i/d) / factor    for i < K, else 0

    The exponent contains the full width d, whereas other types use the rotary width.

    Sources
    -------
    transformers, `_compute_proportional_rope_parameters`: full layers of Gemma 4.
    """

    name = "proportional"

    factor: float
    partial_rotary_factor: float

    @staticmethod
    def compute_rotary_width(head_dim: int, part: float) -> int:  # noqa: ARG004
        return head_dim

    @property
    def rotating_pairs(self) -> int:
        """K, the number of pairs that rotate."""
        return int(self.partial_rotary_factor * self.rotary // 2)

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        numerator, denominator = self.factor.as_integer_ratio()
        for pair in range(self.pairs):
            yield denominator * (pair < self.rotating_pairs), numerator

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        if not self.rotating_pairs:
            reason = "no pair rotates; increase the rotary part"
            return dict.fromkeys(("factor", "rope_theta", "layout"), reason)
        if self.rotating_pairs == 1:
            return {"rope_theta": "the only rotating pair has the same frequency for every base"}
        return {}

    def frequency(self, pair: int) -> str:
        if pair >= self.rotating_pairs:
            return "0"
        return f"{self._format_power(pair)} / {format_real(self.factor)}"

    def reason(self, pair: int) -> str:
        if pair < self.rotating_pairs:
            return '"proportional" divides the frequency of every rotating pair by the factor'
        return f"only the first {self.rotating_pairs:,} of {self.pairs:,} pairs rotate"

    def code(self, library: Library) -> tuple[str, ...]:
        return (f"w = (i < {self.rotating_pairs}) * {self._format_power_code()} / {self.factor!r}",)

    def typical_code(self, library: Library) -> tuple[str, ...]:
        return (
            *super().typical_code(library),
            f"frequencies[{self.rotating_pairs}:] = 0",
            f"frequencies = frequencies / {library.array(repr(self.factor))}",
        )

    def compute_code_frequencies(self, rounding: Rounding) -> Floats:
        paper = rounding(1 / self._compute_code_powers(self.rope_theta, rounding))
        paper[self.rotating_pairs :] = 0.0
        return rounding(paper / rounding(self.factor))
