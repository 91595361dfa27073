"""Tables of rows."""

import numpy as np

from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.requirements import QuantityRequirements
from tests.support.slow_waves import (
    LIMIT,
    PROMISED,
    block_of,
    error,
    relative_error,
    seeded,
    some_rows,
    some_waves,
)


class Definition(QuantityRequirements):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        np.testing.assert_allclose(found, defined.rows(positions), rtol=1e-15, atol=1e-15)


def test_small_sines_of_single_rows_have_a_small_relative_error(sampled):
    for seed in sampled(range(150), 50):
        pick = seeded("single", seed)
        e = some_waves(pick)
        defined = definition(e)
        near, far = pick.randint(-99, 99), pick.randint(-(10**9), 10**9)
        fractions = [pick.randint(-199, 199) / 2, pick.uniform(-1, 1) * 10 ** pick.uniform(-20, 9)]
        for p in (near - defined.origin, far - defined.origin, *fractions):
            for found in (e.table([p])[0], e.table([p, p + 1, p + 5])[0]):
                for j in {0, 1, defined.width // 2, defined.width - 1}:
                    _, is_sine = defined.wave(j)
                    exact = defined.element(p, j)
                    if is_sine and abs(defined.angle(p, j)) < 1:
                        assert relative_error(found[j], exact) <= PROMISED
                    assert error(found[j], exact) <= PROMISED


def promised(largest, is_sine):
    """Return the documented error of values whose angles are at most `largest`."""
    return PROMISED * min(1, float(largest)) if is_sine else PROMISED


def test_errors_of_tables_depend_on_the_largest_angle_of_a_block(sampled):
    for seed in sampled(range(150), 50):
        pick = seeded("table", seed)
        e = some_waves(pick)
        defined = definition(e)
        rows = some_rows(pick, defined.origin)
        found, j = e.table(rows), pick.randrange(defined.width)
        _, is_sine = defined.wave(j)
        for row in {0, len(rows) - 1, *(pick.randrange(len(rows)) for _ in range(10))}:
            largest = max(abs(defined.angle(p, j)) for p in block_of(rows, row))
            exact = defined.element(rows[row], j)
            assert error(found[row, j], exact) <= promised(largest, is_sine)


def test_errors_of_block_means_depend_on_the_largest_angle_of_a_block(sampled):
    for seed in sampled(range(150), 50):
        pick = seeded("means", seed)
        e = some_waves(pick)
        defined, j = definition(e), pick.randrange(e.width)
        block, count = pick.choice([1, 2, 3, 10, 999, 10**6, 10**9]), pick.choice([1, 2, 64, 100])
        start = pick.choice([0, 5, -block // 2, -(block * count) // 2, -block * count, 10**9])
        rows = range(start - defined.origin, LIMIT, block)[:count]
        found = e.block_means(rows.start, block, count)
        wave, is_sine = defined.wave(j)
        for row in {0, count - 1, pick.randrange(count)}:
            centres = (p + defined.origin + mp.mpf(block - 1) / 2 for p in block_of(rows, row))
            largest = max(abs(defined.frequency(wave) * centre) for centre in centres)
            with mp.workdps(120):
                exact = defined.block_mean(rows[row], block, j)
                assert error(found[row, j], exact) <= promised(largest, is_sine)
