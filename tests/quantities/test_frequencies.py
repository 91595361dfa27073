"""Radians per position."""

import numpy as np

from tests.support.cases import for_each
from tests.support.oracles import definition
from tests.support.slow_waves import PROMISED, relative_error, seeded, some_waves
from tests.support.wanted import WAVES, Written, numbers_of


class Definition(Written):
    needs = WAVES

    @staticmethod
    def check(found, defined, positions):
        exact = [float(defined.frequency(i)) for i in range(defined.count)]
        np.testing.assert_allclose(found, exact, rtol=1e-15)


@for_each("seed", range(150))
def test_frequencies_are_right_relative_to_themselves(seed):
    e = some_waves(seeded("frequencies", seed))
    found, defined = numbers_of("frequencies", e), definition(e)
    for wave, frequency in enumerate(found):
        assert relative_error(frequency, defined.frequency(wave)) <= PROMISED
