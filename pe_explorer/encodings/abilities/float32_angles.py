"""The ability of waves whose angles the usual code computes in float32."""

from typing import Any

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.waves import Waves
from pe_explorer.numeric.positions import Positions


class Float32Angles(Waves):
    """Waves for which there is usual code, as models run it: every step of it in float32.

    A step is computed in float64 here and rounded once, as a perfect library would. NumPy's own
    float32 functions are off by some units in the last place, which differ between machines.
    """

    def float32_angles(self, positions: Positions) -> Floats:
        """Return the angles that the usual code computes, shape (n, waves): float32 numbers."""
        raise NotImplementedError


def rounded(numbers: Any) -> Floats:
    """Return float64 numbers rounded to float32, as float64."""
    return np.asarray(numbers).astype(np.float32).astype(np.float64)


def float32_positions(positions: Positions, origin: int = 0) -> Floats:
    """Return positions plus an origin, which is exact, rounded to float32: a column (n, 1)."""
    return rounded(np.asarray(positions) + origin)[:, None]
