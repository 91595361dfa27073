"""Radians per position."""

import numpy as np

from tests.support.wanted import WAVES, Written


class Definition(Written):
    needs = WAVES

    @staticmethod
    def check(found, defined, positions):
        exact = [float(defined.frequency(i)) for i in range(defined.count)]
        np.testing.assert_allclose(found, exact, rtol=1e-15)
