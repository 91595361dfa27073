"""The type `default`: the frequencies of the paper."""

from dataclasses import dataclass

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.numeric.rounding import Rounding
from pe_explorer.numeric.turns import Turns


@dataclass(frozen=True)
class DefaultType(RopeType):
    """The frequencies of the paper.

    For pair i of the R rotated channels::

        ω_i = rope_theta^(-2i/R)

    Sources
    -------
    Su et al. 2021, section 3.2.2.
    """

    name = "default"

    @property
    def turns(self) -> Turns:
        return self.paper_turns

    def reason(self, pair: int) -> str:
        return ""

    def code(self, library: Library) -> tuple[str, ...]:
        return (f"w = {self._format_power_code()}",)

    def compute_code_frequencies(self, rounding: Rounding) -> Floats:
        return rounding(1 / self._compute_code_powers(self.rope_theta, rounding))
