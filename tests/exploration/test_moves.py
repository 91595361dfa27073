"""What zooming, panning and changes of encoding do to the cursor and to what is shown."""

from itertools import permutations

import pytest

from pe_explorer import encodings
from pe_explorer.exploration import Exploration, moved_to
from pe_explorer.exploration.moves import first_look
from tests.support.samples import sample


def test_a_first_look_has_the_cursor_at_row_0():
    """The last row of a first look may be one that a short table has not."""
    for old, new in permutations(encodings.names(), 2):
        fields = first_look(sample(old), sample(new))
        if encodings.find(old).rows == encodings.find(new).rows:
            assert not fields
            continue
        first = encodings.find(new).first_range
        cursor = {"position": 0, "second": 1 if 1 in first else -1, "reference": 0}
        assert fields == {"start": first.start, "count": len(first), **cursor}, (old, new)


def test_where_row_0_is_not_shown_first_the_cursor_is_at_the_first_row_that_is():
    class Beyond(encodings.find("alibi")):
        first_range = range(-20, -5)

    assert first_look(sample("sinusoidal"), Beyond())["position"] == -20


@pytest.mark.parametrize(
    ("rows", "position", "second", "reference"),
    [(range(10, 60), 10, 11, 10), (range(5, 6), 5, 5, 5), (range(50), 0, 1, 0)],
)
def test_cursor_second_position_and_reference_move_to_rows_that_are_shown(
    rows, position, second, reference
):
    state = Exploration()
    moved = state.with_(**moved_to(state, rows))
    assert moved.positions == rows
    assert (moved.position, moved.second, moved.reference) == (position, second, reference)
