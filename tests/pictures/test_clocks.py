"""Clocks are drawn of encodings that have pairs; `tests/views/test_clocks.py` looks at them."""

from tests.support.wanted import PAIRS, Drawn


class Definition(Drawn):
    needs = PAIRS
