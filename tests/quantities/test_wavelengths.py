"""Positions per turn."""

import math

import numpy as np

from tests.support.samples import sample
from tests.support.wanted import WAVES, Written, numbers_of


class Definition(Written):
    needs = WAVES

    @staticmethod
    def check(found, defined, positions):
        exact = [float(each) for each in defined.frequencies()]
        np.testing.assert_allclose(found, math.tau / np.abs(exact), rtol=1e-15)


def test_wavelengths_are_positions_per_turn():
    found = numbers_of("wavelengths", sample("sinusoidal", dim=18))
    wanted = [6.2832, 17.483, 48.648, 135.37, 376.67, 1048.1, 2916.4, 8115.0, 22_580.6]
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
