"""The position itself, compared with Python numbers, which are exact."""

from pe_explorer import encodings
from tests.support.definitions import FAR, Line


class Definition(Line):
    called = "index"
    step = 1


def test_far_and_fractional_positions():
    e = encodings.create("index", dim=3)
    for positions in (FAR, [0.1, -2.5, 1e15 + 0.125]):
        assert e.table(positions).tolist() == [[p] * 3 for p in positions]
