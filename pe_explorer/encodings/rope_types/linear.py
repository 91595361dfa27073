"""The type `linear`: position interpolation."""

from collections.abc import Iterable
from dataclasses import dataclass

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.numeric.rounding import Rounding
from pe_explorer.params import format_real


@dataclass(frozen=True)
class LinearType(RopeType):
    """The factor slows all pairs down, as if positions were closer together.

    For pair i of the R rotated channels::

        ω_i = rope_theta^(-2i/R) / factor

    Sources
    -------
    Chen et al. 2023, "Extending Context Window of Large Language Models via Positional
    Interpolation"; transformers, `_compute_linear_scaling_rope_parameters`.
    """

    name = "linear"

    factor: float

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        numerator, denominator = self.factor.as_integer_ratio()
        return [(denominator, numerator)] * self.pairs

    def frequency(self, pair: int) -> str:
        return f"{self._format_power(pair)} / {format_real(self.factor)}"

    def reason(self, pair: int) -> str:
        return '"linear" divides the frequency of every pair by the factor'

    def code(self, library: Library) -> tuple[str, ...]:
        return (f"w = {self._format_power_code()} / {self.factor!r}",)

    def typical_code(self, library: Library) -> tuple[str, ...]:
        factor = library.array(repr(self.factor))
        return (*super().typical_code(library), f"frequencies = frequencies / {factor}")

    def compute_code_frequencies(self, rounding: Rounding) -> Floats:
        paper = rounding(1 / self._compute_code_powers(self.rope_theta, rounding))
        return rounding(paper / rounding(self.factor))
