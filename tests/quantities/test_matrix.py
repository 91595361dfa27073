"""Matrices of distances."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import encodings
from pe_explorer.analysis import distance
from tests.support import truth
from tests.support.requirements import QuantityRequirements, numbers_of


class Definition(QuantityRequirements):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        rows = defined.rows(positions)
        np.testing.assert_allclose(found, cdist(rows, rows), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("metric", distance.METRICS)
@pytest.mark.parametrize("share", [1e-3, 1e-8, 1e-11, 1e-14])
def test_differences_of_distances_are_correct_or_nan(metric, share):
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


@pytest.mark.parametrize("metric", ["similarity", "dot", "normalised-dot", "cosine"])
def test_differences_of_orthogonal_rows_are_correct_or_nan(metric):
    """Products are tiny there, but rounding errors are not."""
    turns = math.pi / 2, math.nextafter(math.pi / 2, 2)
    e, less = (encodings.create("sinusoidal", dim=2, scale=scale) for scale in turns)
    found = numbers_of("matrix", e, less, metric=metric, positions=range(3, 7))
    for i, k in np.argwhere(np.isfinite(found)):
        exact = [truth.distance(x, 3 + i, 3 + k, metric) for x in (e, less)]
        assert found[i, k] == pytest.approx(float(exact[0] - exact[1]), rel=1e-3, abs=1e-60)
