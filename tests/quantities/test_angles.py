"""Angles of sines and cosines, in degrees."""

import numpy as np

from tests.support.definitions import mp
from tests.support.wanted import WAVES, Written


class Definition(Written):
    needs = WAVES
    differs = True

    @staticmethod
    def check(found, defined, positions):
        exact = [[defined.angle(p, j) for j in range(defined.width)] for p in positions]
        degrees = [[float(mp.degrees(angle) % 360) for angle in row] for row in exact]
        np.testing.assert_allclose((found - degrees + 180) % 360, 180, atol=1e-9)
