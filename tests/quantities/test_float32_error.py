"""What float32 costs."""

import numpy as np
import pytest

from pe_explorer import quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.quantities import Asked
from tests.support.samples import sample
from tests.support.wanted import FLOAT32, Written, whole


class Definition(Written):
    needs = FLOAT32

    @staticmethod
    def check(found, defined, positions):
        """It is about a millionth of the angle; an error of a frequency would be a lot more."""
        largest = max(abs(p + defined.origin) for p in positions)
        assert found.shape == (len(positions), defined.width)
        assert 0 < np.abs(found).max() <= 6e-6 * (1 + largest * float(defined.frequency(0)))


def test_errors_of_float32_are_those_of_the_usual_code():
    e = sample("sinusoidal", dim=512)
    positions = range(10**6, 10**6 + 50)
    data = quantities.data("float32-error", Asked(Subject("current", e), positions))
    errors = whole(data)
    assert np.abs(errors).max() == pytest.approx(0.0586, abs=5e-5)
    assert np.unravel_index(np.abs(errors).argmax(), errors.shape) == (36, 8)
    assert np.abs(errors[:, :2]).max() < 6e-8
