"""Frequencies in radians per position."""

import numpy as np

from tests.support.requirements import STEADY, QuantityRequirements


class Definition(QuantityRequirements):
    needs = STEADY

    @staticmethod
    def check(found, defined, positions):
        exact = [float(frequency) for frequency in defined.frequencies()]
        np.testing.assert_allclose(found, exact, rtol=1e-15)
