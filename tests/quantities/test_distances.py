"""Distances from one row."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import quantities
from pe_explorer.encodings import EncodingError
from tests.support.samples import sample
from tests.support.wanted import Written, asked, whole


class Definition(Written):
    @staticmethod
    def check(found, defined, positions):
        rows = defined.rows(positions)
        reference = rows[:2][-1:]  # the second, or the only one
        np.testing.assert_allclose(found, cdist(reference, rows)[0], rtol=1e-9, atol=1e-9)


def test_a_reference_without_a_direction_is_refused():
    with pytest.raises(EncodingError, match=r"^reference: .*so it has no cosine distance"):
        quantities.data("distances", asked(sample("index"), reference=0))
    assert math.isfinite(
        whole(quantities.data("distances", asked(sample("index"), reference=4)))[0]
    )


def test_a_reference_without_a_direction_is_called_what_it_is():
    with pytest.raises(EncodingError) as caught:
        quantities.data("distances", asked(sample("alibi"), reference=0))
    assert caught.value.problem.startswith("offset 0 has only zeros in ALiBi")
    remedy = "choose another metric, or another offset to measure from"
    assert caught.value.problem.endswith(remedy)


def test_a_reference_that_has_no_row_is_at_fault_itself():
    e = sample("learned")
    with pytest.raises(EncodingError) as caught:
        quantities.data("distances", asked(e, reference=e.domain[-1] + 1))
    assert caught.value.name == "reference"
    assert f"position {e.domain[-1] + 1:,} has no row in learned" in caught.value.problem
    assert caught.value.problem.endswith("; choose another")
