"""Rows moved with the shift matrix."""

import numpy as np

from tests.support.requirements import QuantityRequirements


class Definition(QuantityRequirements):
    @staticmethod
    def check(found, defined, positions):
        assert found.shape == (len(positions), defined.moved)
        if defined.moved == defined.width == 2 * defined.pairs:
            np.testing.assert_allclose(found, defined.rows([p + 1 for p in positions]), atol=1e-12)
