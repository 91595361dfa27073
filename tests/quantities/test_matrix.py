"""Distances of all rows from each other."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from tests.support.samples import samples
from tests.support.wanted import COUNT, START, Written, numbers_of


class Definition(Written):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        rows = defined.rows(positions)
        np.testing.assert_allclose(found, cdist(rows, rows), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("e", samples(dim=6, head_dim=6), ids=lambda e: e.name)
def test_by_another_metric(e):
    rows = e.table(range(START, START + COUNT))
    sums = np.abs(rows[:, None] - rows).sum(axis=2)
    found = numbers_of("matrix", e, metric="manhattan")
    np.testing.assert_allclose(found, sums, rtol=1e-11, atol=1e-11)
