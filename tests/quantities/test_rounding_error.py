"""Errors of code that casts one value to a type."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import precision
from tests.support.requirements import FLOAT32, QuantityRequirements, error_of, numbers_of


class Definition(QuantityRequirements):
    needs = FLOAT32

    @staticmethod
    def check(found, defined, positions):
        """The error plus the exact value is a float32 number."""
        assert found.shape == (len(positions), defined.width)
        for row, p in ((0, positions[0]), (-1, positions[-1])):
            values = [float(defined.element(p, j) + found[row, j]) for j in range(defined.width)]
            np.testing.assert_allclose(values, np.float32(values), rtol=0, atol=1e-15)
        assert np.abs(found).max() > 0


E = encodings.create("sinusoidal", dim=12)


def test_options_select_the_type_and_the_cast():
    casts = {"rounded_to": "bfloat16", "cast": "frequencies"}
    expected = precision.error(E, range(900, 940), dtype="bfloat16", cast="frequencies")
    found = numbers_of("rounding-error", E, positions=range(900, 940), **casts)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(numbers_of("rounding-error", E), numbers_of("float32-error", E))


@pytest.mark.parametrize("name", ["rounding-error", "phase-error"])
def test_undefined_casts_are_refused_with_a_remedy(name):
    options = {"rounded_to": "float8-e5m2", "cast": "angles"}
    error = error_of(numbers_of, name, E, **options)
    assert error.name == "cast"
    assert "float8-e5m2" in error.fault
    assert "bfloat16" in error.remedy
    assert error_of(numbers_of, name, E, rounded_to="bfloat").name == "rounded_to"
    assert numbers_of(name, E, **options | {"cast": "once"}).shape[0] == 41
