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


def lengths(state):
    return state.options["context"].trained, state.options["context"].target


def speeds(state):
    """Return the frequencies of a rotary encoding without and with scaling."""
    defined = definition(state.encoding)
    pairs = range(defined.count)
    return [
        np.array([float(speed(pair)) for pair in pairs])
        for speed in (defined.unscaled, defined.frequency)
    ]


def _unseen(state):
    """Return which pairs turn farther than in training, where they completed no turn."""
    (trained, target), (before, now) = lengths(state), speeds(state)
    return (trained * before < 2 * np.pi) & (target * now > trained * before * (1 + 1e-9))


def _slow_pairs_completed_no_turn(before, after, text):
    turned = lengths(after)[0] * speeds(after)[1] >= 2 * np.pi
    if "too slow" in text:
        is_sorted = (turned == sorted(turned, reverse=True)).all()
        return is_sorted and f" {turned.sum()} of {len(turned)} " in text
    return turned.all() or "All hands" not in text


def _hatched_pairs_never_turned(before, after, text):
    return _unseen(after).any()


def _linear_slows_every_pair(before, after, text):
    published, now = speeds(after)
    is_true = not _unseen(after).any()
    if "more alike" in text:
        is_true &= (published > now * 1.001).all() and np.ptp(published / now) < 1e-6
        is_true &= np.cos(now).mean() > np.cos(published).mean()
    return is_true


def _only_slow_pairs_are_slowed(before, after, text):
    published, now = speeds(after)
    is_true = not _unseen(after).any()
    if "fastest pair" in text:
        slowing = published / now
        is_slowed = slowing > 1 + 1e-9
        is_true &= (is_slowed == sorted(is_slowed)).all() and not is_slowed[0]
        is_true &= slowing[-1] >= slowing.max() * (1 - 1e-9)
    return is_true


def _the_wrong_length_hid_slow_pairs(before, after, text):
    published, now = speeds(after)
    wrong, trained = 32768, lengths(before)[0]
    unseen = _unseen(before)
    seemed = (wrong * published >= 2 * np.pi) & (trained * published < 2 * np.pi)
    never = lengths(after)[0] * published < 2 * np.pi
    return (
        f" {seemed.sum()} pairs " in text
        and (unseen == seemed).all()
        and (now[never] < published[never]).all()
    )


def _no_pair_is_unseen(before, after, text):
    return not _unseen(after).any()


CLAIMS = {
    ("waves", 0): None,
    ("waves", 1): None,
    ("waves", 2): _waves_replace_digits,
    ("waves", 3): None,
    ("waves", 4): _hands_differ_at_44,
    ("waves", 5): None,
    ("context", 0): _slow_pairs_completed_no_turn,
    ("context", 1): _hatched_pairs_never_turned,
    ("context", 2): _linear_slows_every_pair,
    ("context", 3): _only_slow_pairs_are_slowed,
    ("context", 4): _the_wrong_length_hid_slow_pairs,
    ("context", 5): _no_pair_is_unseen,
}
