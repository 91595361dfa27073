"""Distances of all rows from each other."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import encodings
from pe_explorer.analysis import distance
from tests.support import truth
from tests.support.wanted import Written, numbers_of


class Definition(Written):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        rows = defined.rows(positions)
        np.testing.assert_allclose(found, cdist(rows, rows), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("metric", distance.METRICS)
@pytest.mark.parametrize("share", [1e-3, 1e-8, 1e-11, 1e-14])
@pytest.mark.sampled(36)
def test_differences_of_distances_are_right_or_nan(metric, share):
    positions, pairs = range(3, 7), [(0, 1), (2, 0), (1, 3), (2, 2)]
    for waves in ("both", "sine"):
        e, less = (
            encodings.create("sinusoidal", dim=8, base=base, waves=waves)
            for base in (1e4, 1e4 * (1 + share))
        )
        found = numbers_of("matrix", e, less, metric=metric, positions=positions)
        for i, k in pairs:
            p, q = positions[i], positions[k]
            exact = truth.distance(e, p, q, metric) - truth.distance(less, p, q, metric)
            if not np.isnan(found[i, k]):
                assert found[i, k] == pytest.approx(float(exact), rel=1e-3, abs=1e-60)
        if share == 1e-3 and metric != "correlation":
            assert np.isfinite(found[0, 1])
