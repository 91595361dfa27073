"""The evidence of desired properties as numbers."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import quantities
from tests.support.requirements import (
    COUNT,
    START,
    QuantityRequirements,
    error_of,
    quantity_input,
    whole,
)
from tests.support.samples import sample

NUMBERS = (
    "least number",
    "greatest number",
    "largest change of a value when the text length doubles",
    "largest difference when made twice",
    "smallest distance between two positions",
    "first of the two closest positions",
    "second of the two closest positions",
    "steps away from the reference",
    "steps at which the distance grows",
    "first position that is no farther than the previous position",
    "largest residual of a shift by 1",
)


class Definition(QuantityRequirements):
    @staticmethod
    def check(found, defined, positions):
        """Compare the numbers that need no second table; the reference is the second position."""
        rows = np.asarray(defined.rows(positions), dtype=float)
        named = dict(zip(NUMBERS, found, strict=True))
        distances = cdist(rows, rows)
        np.fill_diagonal(distances, np.inf)
        assert named["least number"] == pytest.approx(rows.min(), rel=1e-12, abs=1e-12)
        assert named["greatest number"] == pytest.approx(rows.max(), rel=1e-12, abs=1e-12)
        assert named["largest difference when made twice"] == 0
        assert named["smallest distance between two positions"] == pytest.approx(
            distances.min(), abs=1e-7
        )
        assert named["steps away from the reference"] <= len(rows) - 1


def test_evidence_has_labels_and_nan_for_missing_numbers():
    data = quantities.data("evidence", quantity_input(sample("index", dim=3), metric="euclidean"))
    assert (data.labels, data.width) == (NUMBERS, None)
    nan, last, closest = math.nan, START + COUNT - 1, math.sqrt(3)
    expected = [START, last, nan, 0, closest, START, START + 1, COUNT - 1, COUNT - 1, nan, nan]
    np.testing.assert_allclose(whole(data), expected, rtol=1e-12)


def test_a_note_says_that_the_step_is_ignored():
    backwards, with_step = (
        quantities.data("evidence", quantity_input(sample("index"), positions=positions))
        for positions in (range(40, -1, -1), range(0, 41, 2))
    )
    np.testing.assert_array_equal(whole(backwards), whole(with_step))
    assert not backwards.notes
    (note,) = with_step.notes
    assert "step is ignored" in note
    for outside in (range(3000, 3010), range(3009, 2999, -1)):
        error = error_of(
            quantities.check, "evidence", quantity_input(sample("learned"), positions=outside)
        )
        assert "3,009" in error.problem


def test_evidence_of_a_fraction_for_a_longer_text():
    e = sample("fraction", dim=2, length=10)
    found = whole(quantities.data("evidence", quantity_input(e, positions=range(11))))
    assert found[NUMBERS.index("largest change of a value when the text length doubles")] == -0.5
