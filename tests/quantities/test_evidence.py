"""The evidence of the wishes as numbers."""

import math

import numpy as np
from scipy.spatial.distance import cdist

from pe_explorer import quantities
from tests.support.samples import sample
from tests.support.wanted import START, Written, asked, whole

NUMBERS = (
    "least number",
    "greatest number",
    "largest change in a text twice as long",
    "largest difference when made twice",
    "distance of the closest pair",
    "first of the closest pair",
    "second of the closest pair",
    "steps away from the reference",
    "steps at which the distance grows",
    "first position that is no farther",
    "largest residual of moving by 1",
)


class Definition(Written):
    @staticmethod
    def check(found, defined, positions):
        """Compare what needs no second table; distances are from the second position."""
        rows = np.asarray(defined.rows(positions), dtype=float)
        named = dict(zip(NUMBERS, found, strict=True))
        assert named["least number"] == np.float64(rows.min()) or math.isclose(
            named["least number"], rows.min(), rel_tol=1e-12, abs_tol=1e-12
        )
        assert math.isclose(named["greatest number"], rows.max(), rel_tol=1e-12, abs_tol=1e-12)
        assert named["largest difference when made twice"] == 0
        apart = cdist(rows, rows)
        np.fill_diagonal(apart, np.inf)
        assert math.isclose(named["distance of the closest pair"], apart.min(), abs_tol=1e-7)
        assert named["steps away from the reference"] <= len(rows) - 1


def test_each_number_says_what_it_is_and_is_nan_where_there_is_none():
    data = quantities.data("evidence", asked(sample("index", dim=3), metric="euclidean"))
    assert (data.labels, data.width) == (NUMBERS, None)
    found = dict(zip(NUMBERS, whole(data).tolist(), strict=True))
    count = len(asked(sample("index")).positions)
    assert (found["least number"], found["greatest number"]) == (START, START + count - 1)
    assert math.isnan(found["largest change in a text twice as long"])
    assert math.isclose(found["distance of the closest pair"], math.sqrt(3))
    assert found["steps away from the reference"] == count - 1
    assert found["steps at which the distance grows"] == count - 1
    assert math.isnan(found["first position that is no farther"])
    assert math.isnan(found["largest residual of moving by 1"])


def test_a_note_says_that_steps_do_not_count():
    one, other = (
        quantities.data("evidence", asked(sample("index"), positions=positions))
        for positions in (range(41), range(40, -1, -2))
    )
    np.testing.assert_array_equal(whole(one), whole(other))
    assert not one.notes
    (note,) = other.notes
    assert "step is ignored" in note


def test_a_fraction_changes_with_the_length_of_the_text():
    e = sample("fraction", dim=2, length=10)
    found = whole(quantities.data("evidence", asked(e, positions=range(11))))
    assert found[NUMBERS.index("largest change in a text twice as long")] == -0.5
