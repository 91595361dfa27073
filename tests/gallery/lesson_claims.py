"""What the result of each step of a lesson claims, by formulas of its own.

The numbers in the texts are checked against `TrueFacts`; a claim here is what the words say about
the picture. A claim gets the explorations before and after the task, and the result's text, and
returns whether the text is true. Steps whose texts say nothing that depends on the exploration
have None.
"""

import numpy as np

from tests.support.oracles import definition


def rows(state, positions, encoding=None):
    return np.array(definition(encoding or state.encoding).rows(positions), dtype=float)


def _waves_replace_digits(before, after, text):
    speeds = [abs(float(speed)) for speed in definition(after.encoding).frequencies()]
    return speeds == sorted(speeds, reverse=True)


def _hands_differ_at_44(before, after, text):
    is_claimed = "not equal" in text
    first, there = rows(after, [0, 44])
    return not is_claimed or np.abs(first - there).max() > 1e-3


CLAIMS = {
    ("waves", 0): None,
    ("waves", 1): None,
    ("waves", 2): _waves_replace_digits,
    ("waves", 3): None,
    ("waves", 4): _hands_differ_at_44,
    ("waves", 5): None,
}
