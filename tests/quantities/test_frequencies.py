"""Radians per position."""

import numpy as np

from tests.support.oracles import definition
from tests.support.slow_waves import PROMISED, relative_error, seeded, some_waves
from tests.support.wanted import WAVES, Written, numbers_of


class Definition(Written):
    needs = WAVES

    @staticmethod
    def check(found, defined, positions):
        exact = [float(each) for each in defined.frequencies()]
        np.testing.assert_allclose(found, exact, rtol=1e-15)


def test_frequencies_are_right_relative_to_themselves(sampled):
    for seed in sampled(range(150), 60):
        e = some_waves(seeded("frequencies", seed))
        for wave, frequency in enumerate(numbers_of("frequencies", e)):
            assert relative_error(frequency, definition(e).frequency(wave)) <= PROMISED
