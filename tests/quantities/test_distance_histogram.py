"""How many pairs of rows are how far apart."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from pe_explorer import quantities
from tests.support.samples import sample
from tests.support.wanted import Written, asked, refused, whole


class Definition(Written):
    @staticmethod
    def check(found, defined, positions):
        """Compare with 24 to 48 bins of a round width, or few around a single distance."""
        apart = pdist(defined.rows(positions))
        low, high = apart.min(), apart.max()
        edges = np.append(found[:, 0], found[-1, 1])
        counts, _ = np.histogram(apart, edges)
        assert found[:, 3].sum() == len(apart)
        if high - low > 1e-9:
            assert edges[0] <= low < edges[1]
            assert edges[-2] <= high <= edges[-1] + 1e-12
            assert 19 <= len(found) <= 50
            assert np.abs(found[:, 3] - counts).sum() <= 2  # one may lie on an edge
        np.testing.assert_allclose(found[:, 2], found[:, 3] / len(apart), atol=1e-15)


def test_one_position_has_no_pairs():
    alone = asked(sample("index"), positions=range(5, 6))
    undefined = asked(sample("binary", dim=1), positions=range(2))  # 0 has no direction
    two = asked(sample("index"), positions=range(5, 7), metric="euclidean")
    quantities.check("distance-histogram", two)
    assert whole(quantities.data("distance-histogram", two))[:, 3].sum() == 1
    for ask, given in (
        (quantities.check, alone),
        (quantities.data, alone),
        (quantities.data, undefined),
        (quantities.curves, [("a", undefined)]),
    ):
        error = refused(ask, "distance-histogram", given)
        assert (error.name, "no two positions here" in error.fault) == ("positions", True)


def test_pairs_without_a_distance_are_in_no_bin():
    """Of the rows 0 to 3 of two bits, that of 0 has no direction: three pairs are left."""
    data = quantities.of("distance-histogram", sample("binary", dim=2), range(4))
    assert [*data.titles()] == ["bin", "from", "to", "share of pairs", "pairs"]
    found = whole(data)
    assert found[:, 3].sum() == 3
    assert found[:, 2].sum() == pytest.approx(1)
