"""Errors of angles, in radians."""

import numpy as np

from tests.support.requirements import FLOAT32, QuantityRequirements


class Definition(QuantityRequirements):
    needs = FLOAT32

    @staticmethod
    def check(found, defined, positions):
        """A float32 angle is the sum of the exact angle and the error."""
        assert found.shape == (len(positions), defined.count)
        for row, p in ((0, positions[0]), (-1, positions[-1])):
            for wave, error in enumerate(found[row]):
                exact = defined.frequency(wave) * (p + defined.origin)
                angle = float(exact + error)
                assert abs(error) <= 1e-6 * abs(angle)
                assert np.float32(angle) == angle or abs(np.float32(angle) - angle) <= 1e-15
