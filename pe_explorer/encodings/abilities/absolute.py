"""The ability of encodings that are added to embeddings."""

from typing import Any

from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.params import Whole, declare


class Absolute(Encoding):
    """An encoding that is added to embeddings; the parameter `dim` is their width."""

    family = "absolute"

    dim: int

    @property
    def width(self) -> int:
        return self.dim


def declare_embedding_width(default: int) -> Any:
    """Declare the parameter for the width of an encoding that is added to embeddings."""
    return declare(
        Whole(
            default,
            1,
            65_536,
            slider_range=(2, 8192),
            has_binary_steps=True,
            label="Width",
            symbol="d",
            unit="dimensions",
            help="The number of dimensions per position: the model's embedding width.",
            is_shared=True,
        )
    )
