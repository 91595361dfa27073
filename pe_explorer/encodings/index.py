"""The position itself, the simplest encoding."""

from dataclasses import dataclass

from pe_explorer.encodings.abilities.absolute import Absolute, declare_embedding_width
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.line import LinearRows


@dataclass(frozen=True)
class Index(Absolute, LinearRows):
    """Every dimension is the position itself, which is simple but unbounded.

    PE(p, j) = p. Tutorials mention this encoding only to reject it, because its values grow without
    limit and dominate the word vectors to which they are added.
    """

    name = "index"
    rank = 20
    preferred_metric = "euclidean"

    dim: int = declare_embedding_width(16)

    def code(self, library: Library) -> tuple[str, ...]:
        return (f"table = positions[:, None] + {library.zeros('1', self.dim)}",)

    def explain(self, position: int, dimension: int) -> tuple[str, ...]:
        return (f"PE(p, {dimension}) = p", f"= {position}")
