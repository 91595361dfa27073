"""The dashes of the curves of pins, because some people cannot distinguish their colours."""

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
"""The dashes for each colour of a pin, in pixels; the curve of the current encoding is solid."""
