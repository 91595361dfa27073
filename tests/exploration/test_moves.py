"""What zooming, panning and changes of encoding do to the cursor and to what is shown."""

from itertools import permutations

import pytest

from pe_explorer import encodings
from pe_explorer.exploration import first_look
from tests.support.samples import sample


@pytest.mark.parametrize(("old", "new"), list(permutations(encodings.names(), 2)))
def test_a_first_look_has_the_cursor_at_row_0(old, new):
    """The last row of a first look may be one that a short table has not."""
    fields = first_look(sample(old), sample(new))
    other = encodings.find(old).rows != encodings.find(new).rows
    assert bool(fields) == other
    if other:
        first = encodings.find(new).first_range
        expected = {"start": first.start, "count": len(first), "position": 0, "reference": 0}
        assert fields == expected


def test_where_row_0_is_not_shown_first_the_cursor_is_at_the_first_row_that_is():
    class Beyond(encodings.find("alibi")):
        first_range = range(-20, -5)

    assert first_look(sample("sinusoidal"), Beyond())["position"] == -20
