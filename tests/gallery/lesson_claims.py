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


def _heights_at_lines_are_equal(before, after, text):
    options = after.options["waves"]
    first, second = rows(after, [int(options.line1), int(options.line2)])
    column = min(options.dimensions)
    return options.line1 != options.line2 and abs(first[column] - second[column]) < 0.021


def _second_angles(state, positions):
    defined = definition(state.encoding)
    return np.array([float((p + defined.origin) * defined.frequency(1)) for p in positions])


def _only_cosine_differs(before, after, text):
    here, there = _second_angles(after, [after.position, after.reference])
    return abs(np.sin(here) - np.sin(there)) < 0.021 and abs(np.cos(here) - np.cos(there)) > 0.49


def _one_rotation_moves_all_rows(before, after, text):
    """Each pair as a complex number is multiplied by the same number wherever it starts."""
    defined, k = definition(after.encoding), after.options["shift"].k
    starts = [0, 7, 100]
    old, new = rows(after, starts), rows(after, [p + k for p in starts])
    waves = [defined.wave(j) and defined.wave(j)[0] for j in range(old.shape[1])]
    for pair in range(defined.pairs):
        a, b = [j for j, wave in enumerate(waves) if wave == pair]
        factors = (new[:, a] + 1j * new[:, b]) / (old[:, a] + 1j * old[:, b])
        if not np.allclose(factors, factors[0], atol=1e-9):
            return False
    return True


def _later_sines_differ(before, after, text):
    here, there = _second_angles(after, [after.position, after.reference])
    by = after.options["shift"].k * float(definition(after.encoding).frequency(1))
    differ = abs(np.sin(here + by) - np.sin(there + by)) > 0.49
    return differ and _only_cosine_differs(before, after, text)


def _sines_need_cosines(before, after, text):
    by = after.options["shift"].k * float(definition(after.encoding).frequency(0))
    return after.encoding.waves == "sine" and abs(np.sin(by)) > 1e-3


def _similarities(state, offsets):
    """Return the mean cosine of the angles by which the hands turn."""
    speeds = np.array(definition(state.encoding).frequencies(), dtype=float)
    return np.cos(np.outer(offsets, speeds)).mean(axis=1)


def _is_closer_than_neighbour(before, after, text):
    there, neighbour = _similarities(after, [after.position - after.reference, 1])
    return abs(after.position - after.reference) >= 20 and there > neighbour


def _none_is_closer_than_neighbour(before, after, text):
    offsets = np.arange(after.start, after.start + after.count) - after.reference
    far = _similarities(after, offsets[abs(offsets) > 1])
    has_more = definition(after.encoding).pairs > definition(before.encoding).pairs
    return has_more and far.max() <= _similarities(after, [1])[0] + 1e-9


def _grows_more_slowly(before, after, text):
    separation = after.position - after.reference
    far, near = np.sqrt(2 - 2 * _similarities(after, [separation, 1]))
    return separation > 1 and far < separation * near


def _neighbours_are_equally_far(before, after, text):
    starts = [after.reference, 0, 57]
    steps = rows(after, [p + 1 for p in starts]) - rows(after, starts)
    lengths = np.linalg.norm(steps, axis=1)
    return np.allclose(lengths, lengths[0])


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
    ("pairs", 0): _heights_at_lines_are_equal,
    ("pairs", 1): _only_cosine_differs,
    ("pairs", 2): _one_rotation_moves_all_rows,
    ("pairs", 3): _later_sines_differ,
    ("pairs", 4): _sines_need_cosines,
    ("distance", 0): _is_closer_than_neighbour,
    ("distance", 1): _is_closer_than_neighbour,
    ("distance", 2): _none_is_closer_than_neighbour,
    ("distance", 3): _grows_more_slowly,
    ("distance", 4): _neighbours_are_equally_far,
}
