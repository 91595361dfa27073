"""How well a query matches an equal key."""

import numpy as np

from tests.support.definitions import mp
from tests.support.requirements import ROTARY, QuantityRequirements


class Definition(QuantityRequirements):
    needs = ROTARY

    @staticmethod
    def check(found, defined, positions):
        speeds = [defined.frequency(i) for i in range(defined.pairs)]
        exact = [float(sum(mp.cos(k * w) for w in speeds) / len(speeds)) for k in positions]
        np.testing.assert_allclose(found, exact, atol=1e-14)
