"""Distances from one row."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import quantities
from pe_explorer.encodings import EncodingError
from tests.support.samples import sample
from tests.support.wanted import Written, asked, numbers_of


class Definition(Written):
    @staticmethod
    def check(found, defined, positions):
        rows = defined.rows(positions)
        reference = rows[:2][-1:]  # the second, or the only one
        np.testing.assert_allclose(found, cdist(reference, rows)[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "reference", "words"),
    [
        ("index", 0, ["cosine distance", "position 0", "only zeros in index"]),
        ("alibi", 0, ["offset 0", "only zeros in ALiBi", "another metric", "another offset"]),
        ("learned", 3000, ["position 3,000", "no row in learned", "choose another"]),
    ],
)
def test_a_reference_without_a_direction_or_a_row_is_at_fault_itself(name, reference, words):
    with pytest.raises(EncodingError) as caught:
        quantities.data("distances", asked(sample(name), reference=reference))
    assert caught.value.name == "reference"
    assert [word for word in words if word not in caught.value.problem] == []
    assert math.isfinite(numbers_of("distances", sample("index"), reference=4)[0])
