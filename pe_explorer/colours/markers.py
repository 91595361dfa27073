"""The markers of pins: small shapes on their curves, as colour alone does not tell all eyes."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats

RADIUS = 3.5
"""Of a marker, in pixels of the screen."""


class Marker(NamedTuple):
    """A filled shape.

    Attributes
    ----------
    code : str
        What matplotlib calls it.
    corners : (n, 2) float64
        About 1 from its middle; the second number counts downward.
    """

    code: str
    corners: Floats


def _shape(*radii: float, turn: float = 0.0) -> Floats:
    """Return corners at equal angles, the first at the top, or turned by a part of a turn."""
    angles = 2 * np.pi * (np.arange(len(radii)) / len(radii) + turn)
    around = np.column_stack([np.sin(angles), -np.cos(angles)])
    return np.asarray(np.array(radii)[:, None] * around)


def _plus(turn: float) -> Floats:
    """Return a plus, whose arms are two fifths as wide as it is."""
    side = 0.4
    arm = np.array([(-side, -side), (-side, -1.0), (side, -1.0)])
    quarter = np.array([(0.0, 1.0), (-1.0, 0.0)])  # to the right
    arms = [arm @ np.linalg.matrix_power(quarter, times) for times in range(4)]
    angle = 2 * np.pi * turn
    turned = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return np.asarray(np.concatenate(arms) @ turned)


_STAR = (1.4, 0.56) * 5  # corners and dents of five points

MARKERS = MappingProxyType(
    {
        "magenta": Marker("o", _shape(*[1.0] * 24)),
        "green": Marker("s", _shape(*[1.25] * 4, turn=1 / 8)),
        "gold": Marker("^", _shape(*[1.3] * 3)),
        "violet": Marker("d", _shape(1.45, 0.87, 1.45, 0.87)),
        "brown": Marker("v", _shape(*[1.3] * 3, turn=1 / 2)),
        "teal": Marker("X", _plus(turn=1 / 8)),
        "orange": Marker("*", _shape(*_STAR)),
        "ink": Marker("P", _plus(turn=0.0)),
    }
)
"""The marker of each colour that a pin can have; the current encoding's curve has none."""
