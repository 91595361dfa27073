"""What the result of each step of a lesson claims, by formulas of its own.

The numbers in the texts are checked against `TrueFacts`; a claim here is what the words say about
the picture. A claim gets the explorations before and after the task, and the result's text, and
returns whether the text is true. Steps whose texts say nothing that depends on the exploration
have None.
"""

import numpy as np

from pe_explorer.gallery.tries import with_settings
from tests.support.oracles import definition
from tests.support.toy_words import joined_rows


def rows(state, positions, encoding=None):
    return np.array(definition(encoding or state.encoding).rows(positions), dtype=float)


def _last_digit_differs(before, after, text):
    first, here = rows(after, [0, after.position])
    return (first != here).tolist() == [False] * 3 + [True]


def _waves_replace_digits(before, after, text):
    speeds = [abs(float(speed)) for speed in definition(after.encoding).frequencies()]
    is_true = speeds == sorted(speeds, reverse=True)
    if "on the right" in text:
        steps = np.abs(np.diff(rows(after, range(64)), axis=0))
        farther = np.abs(rows(after, [63]) - rows(after, [0]))[0]
        is_true &= steps[:, :2].max() > 0.8 and steps[:, 2:].max() <= 0.1
        is_true &= farther[4:].max() > 0.5
    return is_true


def _hands_differ_at_44(before, after, text):
    is_claimed = "not equal" in text
    first, there = rows(after, [0, 44])
    near = np.abs(*(rows(before, [0]) - rows(before, [44]))) < 0.1
    return not is_claimed or (np.abs(first - there).max() > 1e-3 and 0 < near.sum() < len(near))


def _last_hand_approaches_a_limit(before, after, text):
    if "doubling" not in text:
        return "almost equal" in text or "all values" in text
    slowest, base = [], after.encoding.base
    for dim in (8, 64, 128, after.encoding.dim, 2 * after.encoding.dim):
        state = with_settings(after, {"encoding.dim": dim})
        slowest.append(_wavelengths(state).max() / (2 * np.pi))
    *small, now, wider = slowest
    is_limited = small == sorted(small) and now < wider < base
    is_limited &= wider - now < 0.2 * (now - small[0])
    first, there = rows(before, [0, 63])
    resembles = np.abs(first - there).max() < 0.6 and _similarities(before, [63, 1])
    return is_limited and resembles[0] > resembles[1] and np.isclose(small[0], 1000)


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


def _wavelengths(state):
    return np.array(definition(state.encoding).wavelengths(), dtype=float)


def _distances(state, offsets):
    """Return cosine distances at offsets, for an encoding in which each sine has its cosine."""
    speeds = 2 * np.pi / _wavelengths(state)
    return 1 - np.cos(np.outer(offsets, speeds)).mean(axis=1)


def _small_base_shortens_waves(before, after, text):
    """A quarter of the pairs turned, more than half turn, and waves are shorter but the first."""
    usual, now = _wavelengths(before), _wavelengths(after)
    turning, rows = (now <= after.count).sum(), before.count
    return (
        usual[0] == now[0]
        and (now[1:] < usual[1:]).all()
        and 2 * turning > len(now)
        and abs((usual <= rows).mean() - 1 / 4) < 0.05
        and usual[len(usual) // 4] > 9.99 * usual[0] > rows
    )


def _small_base_loses_order(before, after, text):
    """The distance is level after a quarter of the slowest turn; with the usual base it rises."""
    offsets = np.arange(1, after.count)
    slowest = _wavelengths(after).max()
    late = _distances(after, offsets)[offsets >= slowest / 4]
    usual = _distances(before, offsets)
    thirds = [part.mean() for part in np.array_split(usual, 3)]
    halves = [part.mean() for part in np.array_split(late, 2)]
    return (
        slowest < after.count
        and late.min() > 0.7
        and late.max() < 1.3
        and abs(halves[1] - halves[0]) < 0.1
        and thirds == sorted(thirds)
        and abs(np.corrcoef(np.arange(len(late)), late)[0, 1]) < 0.5
    )


def _large_base_joins_neighbours(before, after, text):
    offsets = np.arange(1, 21)
    still, still_before = (  # waves that move by less than a hundredth of a turn in one step
        (_wavelengths(state) > 100).sum() for state in (after, before)
    )
    is_lower = (_distances(after, offsets) < _distances(before, offsets)).all()
    return is_lower and still > still_before and after.encoding.base >= 1e8


def _only_middle_bases_meet_both(before, after, text):
    """The base meets both conditions; the limits are those that the text names."""

    def conditions(base):
        speeds = base ** -(np.arange(64) / 64)
        return np.pi / speeds[-1] >= 5000, 1 - np.cos(speeds).mean() >= 0.029

    bases = (100, 1700, 1800, 2000, after.encoding.base, 1e4, 13_300, 13_400, 1e8)
    met = [conditions(base) for base in bases]
    return met == [(False, True)] * 2 + [(True, True)] * 5 + [(True, False)] * 2


def _long_texts_need_large_bases(before, after, text):
    """The range shown is two texts; the price breaks the limit of the step before."""
    text_length = after.count / 2
    is_longer = 2 * _wavelengths(before).max() < text_length <= _wavelengths(after).max() / 2
    needed, llama = (with_settings(after, {"encoding.rope_theta": b}) for b in (49_400, 5e5))
    is_llama_closer = _distances(llama, [1]) < _distances(needed, [1])
    is_closer = _distances(after, [1]) < 0.029 < _distances(before, [1])
    return is_longer and is_closer and is_llama_closer


def _scores(state):
    """Return the similarity of each pair of words, with their positions."""
    options = state.options["tokens"]
    joined = joined_rows(definition(state.encoding), options.sentence.split(), state.start)
    unit = joined / np.linalg.norm(joined, axis=1, keepdims=True)
    return unit @ unit.T


def _adding_changes_scores(before, after, text):
    scores = _scores(after)
    return abs(scores[0, 2] - scores[3, 5]) > 0.1


def _rotating_keeps_scores(before, after, text):
    scores, unrotated = _scores(after), _scores(before)
    has_changed = not np.allclose(scores, unrotated, rtol=0, atol=0.1)
    return has_changed and np.allclose(scores[:3, :3], scores[3:, 3:], rtol=0, atol=1e-9)


def _score_depends_on_distance(before, after, text):
    there, here = (_similarity(state, state.reference, state.position) for state in (before, after))
    return abs(there - here) < 1e-9


def _similarity(state, query, key):
    """Return the score of a word with itself: every pair of a word has the same length."""
    word = np.exp(1j * (key - query) * 2 * np.pi / _wavelengths(state))
    return word.real.mean()


def _many_pairs_do_not_return(before, after, text):
    tips = np.exp(1j * after.position * 2 * np.pi / _wavelengths(after))
    offsets = np.arange(1, 101)
    usual = 1 - _distances(after, offsets)
    return (
        _similarity(before, 0, 44) > 0.99
        and _similarity(after, 0, 44) < 0.7
        and tips[0].real > 0.99
        and (tips.real < 0).any()
        and tips[-1].real > 0.99
        and usual[:33].mean() > usual[33:66].mean() > usual[66:].mean() > 0.3
        and (1 - usual[4]) / 5 > 5 * (usual[4] - usual[99]) / 95  # steeply, and then slowly
    )


def _layouts_differ(before, after, text):
    scores = _scores(after)
    same = np.allclose(scores[:3, :3], scores[3:, 3:], rtol=0, atol=1e-9)
    return same and abs(scores[1, 2] - _scores(before)[1, 2]) > 0.1


CLAIMS = {
    ("waves", 0): None,
    ("waves", 1): _last_digit_differs,
    ("waves", 2): _waves_replace_digits,
    ("waves", 3): None,
    ("waves", 4): _hands_differ_at_44,
    ("waves", 5): _last_hand_approaches_a_limit,
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
    ("base", 0): _small_base_shortens_waves,
    ("base", 1): _small_base_loses_order,
    ("base", 2): _large_base_joins_neighbours,
    ("base", 3): _only_middle_bases_meet_both,
    ("base", 4): _long_texts_need_large_bases,
    ("rotary", 0): _adding_changes_scores,
    ("rotary", 1): _rotating_keeps_scores,
    ("rotary", 2): _score_depends_on_distance,
    ("rotary", 3): _many_pairs_do_not_return,
    ("rotary", 4): _layouts_differ,
}
