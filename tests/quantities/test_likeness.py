"""Likeness of rows to the cursor's."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import quantities
from pe_explorer.encodings import EncodingError
from tests.support.measures import MEASURES
from tests.support.requirements import (
    COUNT,
    START,
    QuantityRequirements,
    error_of,
    quantity_input,
    whole,
)
from tests.support.samples import sample


class Definition(QuantityRequirements):
    @staticmethod
    def check(found, defined, positions):
        rows, cursor = defined.rows(positions), defined.rows([0])
        np.testing.assert_allclose(found, cdist(cursor, rows)[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("metric", ["cosine", "similarity", "correlation", "chebyshev"])
def test_likeness_to_the_cursor(metric):
    e = sample("sinusoidal")
    data = quantities.data("likeness", quantity_input(e, metric=metric, position=START + 5))
    rows = e.table(range(START, START + COUNT))
    found = cdist(rows[5:6], rows, metric.replace("similarity", "cosine"))[0]
    is_likeness = metric in ("cosine", "similarity", "correlation")
    np.testing.assert_allclose(whole(data), 1 - found if is_likeness else found, atol=1e-12)
    names = {"cosine": "cosine similarity with", "correlation": "correlation with"}
    title = f"{names.get(metric, MEASURES[metric])} position {START + 5}"
    assert list(data.titles()) == ["position", title]


def test_a_row_without_a_direction_has_no_likeness():
    with pytest.raises(EncodingError, match=r"position 0 .* has no cosine distance from any"):
        quantities.data("likeness", quantity_input(sample("index"), position=0))
    error = error_of(quantities.data, "likeness", quantity_input(sample("learned"), position=3000))
    assert (error.name, "position 3,000" in error.problem) == ("position", True)
