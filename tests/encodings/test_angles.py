"""Phasors and turns of any encoding at any position, against 80 digits."""

import math
import random

import pytest

from pe_explorer import encodings
from tests.support.definitions import mp
from tests.support.oracles import definition

LIMIT = 2**53
BASES = [1 + 2**-52, 1 + 1e-9, 1.1, 1e4, 1e12]
SCALES = [1.0, 1.0, 0.0, -1.0, 1 / 3, 1e6, 1e-12, 1e-30, 1e-100, 2 * math.pi]
TIGHT = 4e-16


def some_encoding(pick):
    return encodings.create(
        "sinusoidal",
        dim=pick.choice([2, 3, 8, 65, 513, 1024]),
        base=pick.choice([*BASES, 10 ** pick.uniform(0.1, 12)]),
        scale=pick.choice([*SCALES, pick.uniform(-1e6, 1e6), 10 ** pick.uniform(-15, 6)]),
        offset=pick.choice([0, 0, 1, -5, LIMIT, -LIMIT]),
        spacing=pick.choice(["paper", "endpoint"]),
        waves=pick.choice(["both", "both", "sine", "cosine"]),
    )


def frequency(e, wave):
    """Return the exact frequency of a wave."""
    defined = definition(e)
    return defined.frequency(defined.wave(e.wave_of.tolist().index(wave))[0])


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.sampled(30)
def test_phasors_and_turns_of_anything(seed):
    pick = random.Random(seed)
    e = some_encoding(pick)
    p = pick.choice([0, pick.randint(-100, 100), pick.randint(-LIMIT, LIMIT), LIMIT - 50, -LIMIT])
    waves = {0, len(e.frequencies()) // 2, len(e.frequencies()) - 1}
    fractional = [0.25, -2.5, pick.uniform(-1e6, 1e6), 1e-300]
    for positions in (range(p, p + 20), [p, p + 19, p + 4], fractional):
        phasors = e.phasors(positions)
        for row in (0, 2, len(positions) - 1):
            for wave in waves:
                exact = mp.expj(frequency(e, wave) * (mp.mpf(positions[row]) + e.offset))
                assert abs(mp.mpc(complex(phasors[row, wave])) - exact) <= TIGHT
    for wave in waves:
        whole, fraction = e.turn(wave, p)
        turns = frequency(e, wave) * (p + e.offset) / (2 * mp.pi)
        assert abs(whole + mp.mpf(fraction) - turns) <= 1.2e-16
        assert 0 <= fraction <= 1
