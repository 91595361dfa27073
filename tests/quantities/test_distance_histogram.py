"""Histograms of distances."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from pe_explorer import quantities
from tests.support.requirements import QuantityRequirements, error_of, quantity_input, whole
from tests.support.samples import sample


class Definition(QuantityRequirements):
    @staticmethod
    def check(found, defined, positions):
        """Compare with 24 to 48 bins of round width, or few bins around a single distance."""
        distances = pdist(defined.rows(positions))
        low, high = distances.min(), distances.max()
        edges = np.append(found[:, 0], found[-1, 1])
        counts, _ = np.histogram(distances, edges)
        assert found[:, 3].sum() == len(distances)
        if high - low > 1e-9:
            assert edges[0] <= low < edges[1]
            assert edges[-2] <= high <= edges[-1] + 1e-12
            assert 19 <= len(found) <= 50
            assert np.abs(found[:, 3] - counts).sum() <= 2  # a distance may lie on an edge
        np.testing.assert_allclose(found[:, 2], found[:, 3] / len(distances), atol=1e-15)


def test_a_histogram_without_pairs_is_refused():
    single = quantity_input(sample("index"), positions=range(5, 6))
    undefined = quantity_input(sample("binary", dim=1), positions=range(2))  # 0 has no direction
    two = quantity_input(sample("index"), positions=range(5, 7), metric="euclidean")
    quantities.check("distance-histogram", two)
    assert whole(quantities.data("distance-histogram", two))[:, 3].sum() == 1
    for call, inputs in (
        (quantities.check, single),
        (quantities.data, single),
        (quantities.data, undefined),
        (quantities.curves, [("a", undefined)]),
    ):
        error = error_of(call, "distance-histogram", inputs)
        assert (error.name, "no two of these positions" in error.fault) == ("positions", True)


def test_undefined_distances_are_in_no_bin():
    """Row 0 of the four rows of two bits has no direction, so three pairs remain."""
    data = quantities.of("distance-histogram", sample("binary", dim=2), range(4))
    assert [*data.titles()] == ["bin", "from", "to", "share of pairs", "pairs"]
    found = whole(data)
    assert found[:, 3].sum() == 3
    assert found[:, 2].sum() == pytest.approx(1)
