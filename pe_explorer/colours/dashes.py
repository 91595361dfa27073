"""The dashes of pins' curves, as colour alone does not tell all eyes."""

from collections.abc import Mapping
from types import MappingProxyType

Dashes = tuple[float, ...]
"""Lengths of dashes and of the gaps after them, in turn; none for a line without gaps."""

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
"""The dashes of each colour that a pin can have, in pixels of the screen.

The current encoding's curve has none.
"""
