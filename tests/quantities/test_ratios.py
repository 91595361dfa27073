"""Frequencies against those of the pin."""

import numpy as np
import pytest

from pe_explorer import quantities
from tests.support.oracles import definition
from tests.support.requirements import STEADY, QuantityRequirements, numbers_of
from tests.support.samples import sample


class Definition(QuantityRequirements):
    needs = STEADY
    differs = True

    @staticmethod
    def check(found, defined, positions):
        """Compare with what an encoding without a pin is compared with: itself, unscaled."""
        plain = getattr(defined, "unscaled", defined.frequency)
        both = [(defined.frequency(i), plain(i)) for i in range(defined.count)]
        exact = [float(one / other) if other else 1.0 for one, other in both]
        np.testing.assert_allclose(found, exact, rtol=3e-16)


def test_ratios_of_types_and_widths():
    long = {"factor": 4.0, "original_max_position_embeddings": 32_768, "rope_theta": 1e6}
    yarn, llama3 = (sample("rope", rope_type=each, **long) for each in ("yarn", "llama3"))
    rope, sines = sample("rope", head_dim=128), sample("sinusoidal", dim=64)
    for e, other, count in ((yarn, llama3, 64), (rope, sines, 32), (sines, rope, 32)):
        both = definition(e), definition(other)
        speeds = [[defined.frequency(i) for i in range(count)] for defined in both]
        exact = [float(one / two) for one, two in zip(*speeds, strict=True)]
        np.testing.assert_allclose(numbers_of("ratios", e, other), exact, rtol=3e-16)


@pytest.mark.parametrize("show", ["current", "pinned", "difference"])
def test_ratios_compare_both_encodings_for_any_show(show):
    rope, sine = sample("rope"), sample("sinusoidal")
    subject = quantities.select_subject("ratios", show, rope, sine)
    assert subject.encodings == (rope, sine)
    assert quantities.select_subject("table", "pinned", rope, sine).encodings == (sine,)
