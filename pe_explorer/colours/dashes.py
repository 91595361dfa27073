"""Dash patterns of curves, for readers who cannot distinguish the colours."""

from collections.abc import Mapping
from types import MappingProxyType

Dashes = tuple[float, ...]
"""Alternating lengths of dashes and gaps; empty for a solid line."""

DASHES: Mapping[str, Dashes] = MappingProxyType(
    {
        "magenta": (8, 4),
        "green": (2, 3),
        "gold": (16, 4),
        "violet": (8, 3, 2, 3),
        "brown": (8, 3, 2, 3, 2, 3),
        "teal": (14, 3, 5, 3),
        "orange": (4, 3),
        "ink": (2, 7),
    }
)
"""The dash pattern of each colour of pins, in screen pixels. The curve of the current encoding is
solid.
"""

NAMED_DASHES: Mapping[str, Dashes] = MappingProxyType(
    {"solid": (), "dashed": (4, 2), "dotted": (1, 1.5), "dash-dot": (6, 2, 1, 2)}
)
"""Named dash patterns, in line widths."""


def typed_dashes(dash: str) -> Dashes:
    """Return the dash pattern with a name, or lengths such as ``6,2,1,2`` in line widths."""
    if dash in NAMED_DASHES:
        return NAMED_DASHES[dash]
    lengths = tuple(map(float, dash.split(",")))
    return lengths if len(lengths) % 2 == 0 else 2 * lengths
