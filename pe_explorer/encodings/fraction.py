"""The position as a fraction of the sequence length."""

from dataclasses import dataclass

from pe_explorer.encodings.abilities.absolute import Absolute, declare_embedding_width
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.line import LinearRows
from pe_explorer.numeric.positions import LIMIT
from pe_explorer.params import Whole, declare


@dataclass(frozen=True)
class Fraction(Absolute, LinearRows):
    """Every dimension is position / length: from 0 to 1, with a step that depends on the length.

    PE(p, j) = p / length. In a longer sequence, words at the same distance have more similar
    encodings. Positions beyond `length` have values above 1, without bound.
    """

    name = "fraction"
    rank = 30

    dim: int = declare_embedding_width(16)
    length: int = declare(
        Whole(
            50,
            1,
            LIMIT,
            slider_range=(1, 1000),
            log=True,
            label="Length",
            symbol="N",
            unit="positions",
            help="The length of the sequence; position N has the value 1.",
        )
    )

    def code(self, library: Library) -> tuple[str, ...]:
        return (f"table = positions[:, None] / {self.length} + {library.zeros('1', self.dim)}",)

    @property
    def divisor(self) -> int:
        return self.length

    def explain(self, position: int, dimension: int) -> tuple[str, ...]:
        numbers = f"= {position} / {self.length}"
        return f"PE(p, {dimension}) = p / N", numbers, f"= {position / self.length:.6g}"
