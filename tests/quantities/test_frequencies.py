"""Frequencies in radians per position."""

import numpy as np

from tests.support.wanted import STEADY, Written


class Definition(Written):
    needs = STEADY

    @staticmethod
    def check(found, defined, positions):
        exact = [float(frequency) for frequency in defined.frequencies()]
        np.testing.assert_allclose(found, exact, rtol=1e-15)
