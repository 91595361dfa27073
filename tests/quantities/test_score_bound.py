"""RoFormer's upper bound of the score, against its definition."""

from itertools import accumulate

import numpy as np
import pytest

from pe_explorer import encodings, quantities
from tests.support.definitions import as_mp, mp
from tests.support.oracles import definition
from tests.support.requirements import PAIRS, QuantityRequirements, whole


def bound(defined, pairs, offset):
    """Return (1/n) Σ |S_j| with many digits."""
    turned = (mp.expj(offset * as_mp(defined.frequency(i))) for i in range(pairs))
    return mp.fsum(map(abs, accumulate(turned))) / pairs


class Definition(QuantityRequirements):
    needs = PAIRS

    @staticmethod
    def check(found, defined, positions):
        exact = [float(bound(defined, defined.pairs, k)) for k in positions]
        np.testing.assert_allclose(found, exact, rtol=1e-13)


def numbers(e, offsets):
    return whole(quantities.of("score-bound", e, offsets))


@pytest.mark.parametrize(
    "e",
    [
        encodings.create("rope", head_dim=128),
        encodings.create("rope", head_dim=64, partial_rotary_factor=0.5, layout="interleaved"),
        encodings.create("sinusoidal", dim=16, offset=5, order="cos-sin"),
        encodings.create("sinusoidal", dim=9),
        encodings.create("sinusoidal", dim=9, spacing="endpoint", scale=0.3),
        encodings.create("sinusoidal", dim=1200, base=100.0),
    ],
    ids=str,
)
@pytest.mark.parametrize("first", [-3, 2**40, -(2**53)])
def test_the_bound_is_accurate_at_huge_offsets(e, first):
    offsets = range(first, first + 40, 13)
    exact = [float(bound(definition(e), e.pairs, offset)) for offset in offsets]
    np.testing.assert_allclose(numbers(e, offsets), exact, rtol=1e-13)
    np.testing.assert_allclose(numbers(e, offsets[::-1]), exact[::-1], rtol=1e-13)


def test_the_bound_does_not_depend_on_the_amplitude():
    plain = encodings.create("rope", head_dim=8, rope_theta=100.0)
    yarn = {"rope_type": "yarn", "factor": 1.0, "attention": 1.5}
    scaled = encodings.create("rope", head_dim=8, rope_theta=100.0, **yarn)
    offsets = range(-5, 6)
    found = numbers(plain, offsets)
    np.testing.assert_allclose(found, found[::-1], rtol=1e-14)
    np.testing.assert_allclose(numbers(scaled, offsets), found, rtol=1e-12)
