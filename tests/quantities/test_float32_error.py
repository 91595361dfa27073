"""What float32 costs."""

import numpy as np

from tests.support.wanted import FLOAT32, Written


class Definition(Written):
    needs = FLOAT32

    @staticmethod
    def check(found, defined, positions):
        """It is about a millionth of the angle; an error of a frequency would be a lot more."""
        largest = max(abs(p + defined.origin) for p in positions)
        assert found.shape == (len(positions), defined.width)
        assert 0 < np.abs(found).max() <= 6e-6 * (1 + largest * float(defined.frequency(0)))
