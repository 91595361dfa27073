"""Residuals of moved rows."""

import numpy as np

from pe_explorer import quantities
from tests.support.requirements import (
    QuantityRequirements,
    error_of,
    numbers_of,
    quantity_input,
    whole,
)
from tests.support.samples import sample


class Definition(QuantityRequirements):
    @staticmethod
    def check(found, defined, positions):
        assert found.shape == (len(positions),)
        if 0 < defined.pairs == defined.count:
            assert found.max() < 1e-12


def test_a_second_column_has_the_residuals_of_code():
    e, far = sample("sinusoidal", dim=8), range(10**9, 10**9 + 20)
    for code, low, high in (("float64", 1e-9, 1e-6), ("float32", 1e-3, 2.01)):
        data = quantities.data("shift-residual", quantity_input(e, positions=far, k=5, code=code))
        assert [*data.titles()] == ["position", "exact rows", f"{code} code"]
        exact = numbers_of("shift-residual", e, positions=far, k=5)
        np.testing.assert_array_equal(whole(data)[:, 0], exact)
        assert exact.max() < 1e-14
        assert low < whole(data)[:, 1].max() < high
    error = error_of(
        quantities.data, "shift-residual", quantity_input(sample("index"), code="float64")
    )
    assert (error.name, "index" in error.problem) == ("code", True)
