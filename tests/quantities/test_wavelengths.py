"""Positions per turn."""

import math

import numpy as np

from tests.support.requirements import STEADY, QuantityRequirements


class Definition(QuantityRequirements):
    needs = STEADY

    @staticmethod
    def check(found, defined, positions):
        exact = [float(each) for each in defined.frequencies()]
        np.testing.assert_allclose(found, math.tau / np.abs(exact), rtol=1e-15)
