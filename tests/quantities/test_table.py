"""The rows themselves."""

import numpy as np

from tests.support.wanted import Written


class Definition(Written):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        np.testing.assert_allclose(found, defined.rows(positions), rtol=1e-15, atol=1e-15)
