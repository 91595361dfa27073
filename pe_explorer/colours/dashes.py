"""Dash patterns of curves, for readers who cannot distinguish the colours."""

from collections.abc import Mapping

Dashes = tuple[float, ...]  # alternating lengths of dashes and gaps; empty for a solid line

DASHES: Mapping[str, Dashes] = {
    "magenta": (8, 4),
    "green": (2, 3),
    "gold": (16, 4),
    "violet": (8, 3, 2, 3),
    "brown": (8, 3, 2, 3, 2, 3),
    "teal": (14, 3, 5, 3),
    "orange": (4, 3),
    "ink": (2, 7),
}
"""The dash pattern of each pin colour, in screen pixels. The current encoding has a solid curve."""

NAMED_DASHES: Mapping[str, Dashes] = {
    "solid": (),
    "dashed": (4, 2),
    "dotted": (1, 1.5),
    "dash-dot": (6, 2, 1, 2),
}  # dash patterns by name, in line widths


def parse_dashes(dash: str) -> Dashes:
    """Return a dash pattern from its name, or from lengths in line widths such as ``6,2,1,2``."""
    if dash in NAMED_DASHES:
        return NAMED_DASHES[dash]
    lengths = tuple(map(float, dash.split(",")))
    return lengths if len(lengths) % 2 == 0 else 2 * lengths
