"""The numbers of exhibits without a document: far positions, aliasing, similar rows, float32."""

import math

import mpmath
import numpy as np

from pe_explorer import encodings
from tests.configs.formulas import turning
from tests.gallery.numbers.formulas import (
    TURN,
    alike,
    close,
    exact_rows,
    exported,
    numbers_after_try,
    rates,
    rows,
    single_errors,
    single_rows,
    wavelengths,
)
from tests.gallery.numbers.words import check_exhibit

WIDE = rates(128)
EIGHT = rates(8)
LAST = 2**53 - 49


def usual(start):
    """Return 50 rows of usual float64 code.

    NumPy's power of whole arrays is often off in the last digit; here it is in pair 2.
    """
    frequencies = WIDE.copy()
    frequencies[2] = np.nextafter(frequencies[2], 0)
    return rows(range(start, start + 50), frequencies)


def off(start):
    """Return the errors of that code, shape (50, 128)."""
    return np.abs(usual(start) - exact_rows(range(start, start + 50), 128))


def turns_at(position, pair):
    with mpmath.workdps(50):
        rate = mpmath.mpf(10000) ** (-mpmath.mpf(pair) / 64)
        return int(position * rate / (2 * mpmath.pi))


def beyond_first_valley(frequencies, last):
    """Return the position most similar to 0 beyond the first valley, and its similarity."""
    curve = np.cos(np.arange(last + 1)[:, None] * frequencies).mean(axis=1)
    valley = int(np.argmax(np.diff(curve) > 0))
    place = valley + int(curve[valley:].argmax())
    return place, curve[place]


def first_closer(frequencies, last):
    """Return the first position that is closer to 0 than 1 is, or None."""
    for start in range(2, last + 1, 10_000):
        positions = np.arange(start, min(start + 10_000, last + 1))
        curve = np.cos(positions[:, None] * frequencies).mean(axis=1)
        (closer,) = np.nonzero(curve > alike(frequencies, 1))
        if len(closer):
            return start + int(closer[0])
    return None


def odd_rows(positions, width=7):
    """Return rows of an odd width: pairs, and one more sine."""
    frequencies = np.array([10000 ** (-2 * pair / width) for pair in range(width // 2 + 1)])
    angles = np.asarray(positions, dtype=float)[:, None] * frequencies
    table = np.empty((len(angles), width))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles[:, :-1])
    return table


def odd_apart(first, second):
    one, other = odd_rows([first, second])
    return 1 - one @ other / math.sqrt((one @ one) * (other @ other))


def odd_by_002():
    """Return 50 rows of width 7 by the function of document 002."""
    i = np.arange(7)
    table = np.arange(50)[:, None] / np.power(10000, 2 * (i // 2) / 7)
    table[:, 0::2], table[:, 1::2] = np.sin(table[:, 0::2]), np.cos(table[:, 1::2])
    return table


def odd_by_004():
    table = np.zeros((50, 7))
    for position in range(50):
        for i in range(7):
            wave = math.sin if i % 2 == 0 else math.cos
            table[position, i] = wave(position / 10000 ** ((i - i % 2) / 7))
    return table


def best_leaves(count, by):
    """Return the largest residual of the best fit."""
    before, after = odd_rows(range(count)), odd_rows(range(by, count + by))
    matrix = np.linalg.lstsq(before, after, rcond=None)[0]
    return np.abs(before @ matrix - after).max()


def slowed(rope_type, head_dim=128, base=1e6, trained=32_768, factor=4, **ends):
    """Return the slowdown of each pair by a type."""
    ends = {"factor": factor, "original_max_position_embeddings": trained, **ends}
    return np.array(turning(head_dim, base)) / turning(head_dim, base, rope_type, **ends)


YARN = slowed("yarn", beta_fast=32, beta_slow=1, truncate=True)
LLAMA3 = slowed("llama3", low_freq_factor=1, high_freq_factor=4)
NTK = slowed("ntk")
LONG = wavelengths(128, 1e6)


def test_x_yarn():
    cached = (YARN == 1).sum()
    assert (YARN[:cached] == 1).all()
    attention = 0.1 * math.log(4) + 1
    values = [cached, YARN[63]]
    values += [attention**2]
    check_exhibit("x-yarn", values, given="64 1")


def test_x_four_ways():
    close([NTK[63], *YARN[40:], *LLAMA3[40:]], 4)
    assert YARN[39] < 4
    in_training = completed(LONG, 32_768)
    assert in_training == completed(LONG * YARN, 131_072)
    values = [(YARN == 1).sum(), (LLAMA3 == 1).sum(), in_training]
    check_exhibit("x-four-ways", values, given="4 64 3")


def completed(waves, count):
    return sum(wave <= count for wave in waves)


def test_x_two_clocks():
    sliding, full = wavelengths(256), wavelengths(256, 1e6)
    turning = completed(sliding, 1024)
    assert sliding[70] <= 1024 < sliding[71]
    assert max(sliding) <= 131_072
    values = [turning, 8 * 16_384, 8 * full[127] / 1e6]
    values += [completed(full, 1024)]
    check_exhibit("x-two-clocks", values, given="10,000 1,000,000 1,024 128 3 4")
    near = np.cos(np.outer([1, 10, 100], [2 * math.pi / wave for wave in sliding])).mean(axis=1)
    far = np.cos(np.outer([1, 10, 100], [math.pi / 4 / wave for wave in full])).mean(axis=1)
    assert (near < far).all()


def test_x_fourteen():
    plain, ends = wavelengths(64, 150_000), {"beta_fast": 32, "beta_slow": 1, "truncate": False}
    slower = slowed("yarn", 64, 150_000, 4096, 32, **ends)
    yarn = plain * slower
    close(slower[18:], 32)
    assert slower[17] < 32
    turning = completed(plain, 4096)
    values = [turning, 32 - turning, 32 * 4096, completed(yarn, 4096), 32 - completed(yarn, 4096)]
    values += [0.1 * math.log(32) + 1]
    check_exhibit("x-fourteen", values, given="4,096 32 31")


def test_x_far_1e9():
    exact = exact_rows(range(10**9, 10**9 + 50), 128)
    actual = exported("x-far-1e9")
    assert np.abs(actual - exact).max() < 3e-16
    first = exact[0]
    wrong = off(10**9)
    assert np.unravel_index(wrong.argmax(), wrong.shape) == (38, 5)
    one, other = exact[:2]
    values = [10**9, first[2]]
    values += [wrong.max(), 1 - one @ other / 64, off(10**12).max()]
    check_exhibit("x-far-1e9", values, given="50 1")


def test_x_far_1e15():
    start = 10**15
    exact = exact_rows(range(start, start + 50), 128)
    actual = exported("x-far-1e15")
    wrong, at_end = off(start), off(LAST)
    assert wrong.argmax() == 128 + 4
    end = numbers_after_try("x-far-1e15", 0)
    assert np.abs(end - exact_rows(range(LAST, 2**53 + 1), 128)).max() < 2.3e-16
    values = [exact[0, 2], usual(start)[0, 2], wrong.max()]
    values += [LAST + 49, at_end.max(), off(10**12).max()]
    values += [np.spacing(1e15), np.spacing(float(LAST))]
    assert np.abs(actual - exact).max() < 2.3e-16
    check_exhibit("x-far-1e15", values, given="50")


def test_x_aliasing():
    actual = exported("x-aliasing")
    shown = actual[::44]
    assert len(shown) == 600
    assert np.abs(shown[:, 0] - np.sin(np.arange(0, 26400, 44))).max() < 1e-15

    def false_wave(block):
        rest = math.remainder(block, TURN)
        return TURN / abs(rest)

    def left_of_mean(block):
        return abs(math.sin(block / 2) / (block * math.sin(0.5)))

    means = np.sin(np.arange(26400)).reshape(600, 44).mean(axis=1)
    assert np.abs(means).max() <= left_of_mean(44)
    assert np.abs(np.sin(710.0 * np.arange(600))).max() < 0.05
    assert 0 < left_of_mean(44) < 0.001
    assert false_wave(44) > 300
    assert abs(44 / TURN - 7) < 0.01  # seven turns in a pixel row
    values = [len(shown), 26400 / 600, 25080 / 44]
    values += [(math.pi / 44 < WIDE).sum(), len(WIDE), 426000 / 600]
    check_exhibit("x-aliasing", values, given="0")


def test_x_look_alikes():
    actual = exported("x-look-alikes")
    curve = np.cos(np.arange(1001)[:, None] * EIGHT).mean(axis=1)
    assert np.abs(actual - (1 - curve)).max() < 1e-12
    two, twelve, sixteen = rates(2), rates(12), rates(16)
    place, _ = beyond_first_valley(EIGHT, 1000)
    assert np.cos(place * EIGHT[:2]).min() > 0.98
    assert beyond_first_valley(two, 1000)[0] == 710
    assert beyond_first_valley(sixteen, 1000)[0] == 6
    assert first_closer(sixteen, 100_000) is None
    assert beyond_first_valley(twelve, 1000)[1] < alike(twelve, 1)
    values = [place, alike(EIGHT, 1), first_closer(EIGHT, 1000)]
    values += [alike(two, 710), alike(two, 44)]
    values += [first_closer(twelve, 20_000)]
    check_exhibit("x-look-alikes", values, given="1 710 100,000")


def test_x_float32():
    near, far = (single_errors(start) for start in (1000, 10**6))
    assert np.abs(exported("x-float32") - near).max() < 1e-15
    assert np.unravel_index(np.abs(near).argmax(), near.shape) == (12, 8)
    assert np.unravel_index(np.abs(far).argmax(), far.shape) == (36, 8)
    narrow = single_errors(1000, 128)
    assert np.abs(narrow).max() == np.abs(narrow[:, 2]).max()
    assert np.abs(narrow).max() == np.abs(near).max()
    values = [np.abs(near).max(), rates(512)[0], np.abs(far).max(), 2**24]
    values += [len({row.tobytes() for row in single_rows(range(2**24, 2**24 + 50), 512)})]
    check_exhibit("x-float32", values, {"6e-8": np.abs(near[:, :2]).max()}, given="0 50 2")


def test_x_odd_width():
    actual = exported("x-odd-width")
    table = odd_rows(range(8001))
    squared = (table**2).sum(axis=1)
    cosines = table @ table[0] / np.sqrt(squared * squared[0])
    assert np.abs(actual - (1 - cosines)).max() < 1e-12
    assert squared.argmax() == 4214
    ours = encodings.create("sinusoidal", dim=7).table(range(50))
    apart = max(np.abs(ours - printed).max() for printed in (odd_by_002(), odd_by_004()))
    values = [squared[0], squared.argmax()]
    values += [odd_apart(4000, 4010)]
    assert odd_apart(0, 10) > odd_apart(4000, 4010)
    values += [1 - alike(EIGHT, 10)]
    assert apart < 2e-15
    check_exhibit("x-odd-width", values, given="1 7 4,000 4,010")


def test_x_base_near_1():
    near, low, two = (rates(128, base) for base in (1.001, 1.1, 2))
    actual = exported("x-base-near-1")
    assert np.abs(actual - rows(range(50), near)).max() < 1e-13
    values = [len(near), TURN / near[0]]
    values += [1 - alike(near, 44), 1 - alike(low, 44)]
    values += [TURN / two[-1], 1 - alike(two, 44), 1 - alike(WIDE, 1)]
    check_exhibit("x-base-near-1", values, given="44 1")


def test_x_past_training():
    trained, target = 32_768, 131_072
    turned = completed(LONG, trained)
    slow = range(turned, 64)
    stretch = target / trained
    new_by_ntk = [pair for pair in slow if stretch / NTK[pair] > 1 + 1e-12]
    assert new_by_ntk == list(range(40, 63))
    close([*YARN[turned:], *LLAMA3[turned:]], 4)
    assert (YARN[: completed(LONG, trained / 32)] == 1).all()
    values = [turned, len(slow), stretch, len(new_by_ntk)]
    values += [math.ceil(1e6 * 4 ** (64 / 40)), 4 ** (126 / 80)]
    check_exhibit("x-past-training", values, given="63")
    assert (YARN > 1).sum() == 40


def rotated_product(first_of, second_of, width=128, base=1e4):
    """Return the product of a random query at 7 and key at 3, rotated in pairs."""
    q, k = np.random.default_rng(0).standard_normal((2, width))
    total = 0.0
    for pair in range(width // 2):
        a, b = first_of(pair), second_of(pair)
        angle = (7 - 3) * base ** (-2 * pair / width)
        total += (q[a] * k[a] + q[b] * k[b]) * math.cos(angle)
        total += (q[a] * k[b] - q[b] * k[a]) * math.sin(angle)
    return total


def test_x_two_layouts():
    interleaved = rotated_product(lambda pair: 2 * pair, lambda pair: 2 * pair + 1)
    half = rotated_product(lambda pair: pair, lambda pair: pair + 64)
    values = [interleaved, half, 64 // 2]
    check_exhibit("x-two-layouts", values, given="64 1 0 2 4 3 5")
