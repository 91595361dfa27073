"""Distances from a reference."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import quantities
from pe_explorer.analysis.distance import SCORE_BOUND
from pe_explorer.encodings import EncodingError
from tests.support.requirements import QuantityRequirements, error_of, numbers_of, quantity_input
from tests.support.samples import sample
from tests.support.tables_in_files import put


class Definition(QuantityRequirements):
    @staticmethod
    def check(found, defined, positions):
        rows = defined.rows(positions)
        reference = rows[:2][-1:]  # the second row, or the only one
        np.testing.assert_allclose(found, cdist(reference, rows)[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "reference", "metric", "words"),
    [
        ("index", 0, "cosine", ["cosine distance", "position 0", "only zeros in index"]),
        ("alibi", 0, "cosine", ["offset 0", "only zeros", "another metric", "another offset"]),
        ("index", 4, "correlation", ["position 4", "the same number in every column"]),
        ("learned", 3000, "cosine", ["position 3,000", "no row in learned", "0 to 2,999"]),
    ],
)
def test_a_reference_without_a_direction_or_a_row_is_refused(name, reference, metric, words):
    with pytest.raises(EncodingError) as caught:
        quantities.data(
            "distances", quantity_input(sample(name), reference=reference, metric=metric)
        )
    assert caught.value.name == "reference"
    assert [word for word in words if word not in caught.value.problem] == []
    assert math.isfinite(numbers_of("distances", sample("index"), reference=4)[0])


def test_a_nonfinite_reference_is_refused_and_a_bound_needs_pairs(tmp_path):
    e = sample("learned", file=put(tmp_path / "t.npy", np.array([[1.0, 2.0], [1.0, np.inf]])))
    error = error_of(
        quantities.data, "distances", quantity_input(e, reference=1, metric="euclidean")
    )
    assert (error.name, "NaN or infinity" in error.fault) == ("reference", True)
    bound = quantity_input(sample("index"), metric=SCORE_BOUND)
    error = error_of(quantities.data, "distances", bound)
    assert (error.name, "pairs" in error.fault) == ("below", True)
