"""How far moved rows are from those that they should be."""

from tests.support.wanted import Written


class Definition(Written):
    @staticmethod
    def check(found, defined, positions):
        assert found.shape == (len(positions),)
        if 0 < defined.pairs == defined.count:
            assert found.max() < 1e-12
