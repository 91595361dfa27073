"""Errors of float32 code."""

import numpy as np

from tests.support.requirements import FLOAT32, QuantityRequirements


class Definition(QuantityRequirements):
    needs = FLOAT32

    @staticmethod
    def check(found, defined, positions):
        """The error is about a millionth of the angle; wrong frequencies would differ more."""
        largest = max(abs(p + defined.origin) for p in positions)
        assert found.shape == (len(positions), defined.width)
        assert 0 < np.abs(found).max() <= 6e-6 * (1 + largest * float(defined.frequency(0)))
