"""Angles of sines and cosines, in radians."""

import numpy as np

from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.requirements import WAVES, QuantityRequirements, numbers_of
from tests.support.slow_waves import PROMISED, relative_error, seeded, some_waves


class Definition(QuantityRequirements):
    needs = WAVES

    @staticmethod
    def check(found, defined, positions):
        exact = [[float(defined.angle(p, j)) for j in range(defined.width)] for p in positions]
        np.testing.assert_allclose(found, exact, rtol=1e-14, atol=1e-14)


def test_angles_have_a_small_relative_error(sampled):
    for seed in sampled(range(80), 40):
        pick = seeded("radians", seed)
        e = some_waves(pick)
        defined, farthest = definition(e), pick.choice([99, 10**9, 10**15])
        p = pick.randint(-farthest, farthest)
        raw, reduced = (
            numbers_of("radians", e, positions=range(p, p + 1), angle_turns=turns)[0]
            for turns in ("all", "one")
        )
        for j in range(defined.width):
            angle = defined.angle(p, j)
            assert relative_error(raw[j], angle) <= PROMISED
            exact = angle - 2 * mp.pi * mp.floor(angle / (2 * mp.pi))
            is_next = reduced[j] == 0 and 2 * mp.pi - exact < 1e-15  # rounded up to a turn
            assert is_next or relative_error(reduced[j], exact) <= PROMISED
