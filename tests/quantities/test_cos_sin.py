"""Cosines and sines of rotary encodings."""

import numpy as np

from tests.support.requirements import ROTARY, QuantityRequirements


class Definition(QuantityRequirements):
    needs = ROTARY

    @staticmethod
    def check(found, defined, positions):
        np.testing.assert_allclose(found, defined.rows(positions), rtol=1e-15, atol=1e-15)
