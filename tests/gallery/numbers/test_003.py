"""The numbers of document 003: rates of angles, and the matrix that moves rows."""

import itertools
import math

import numpy as np

from pe_explorer import encodings
from pe_explorer.colours import maps
from tests.gallery.numbers.formulas import TURN, exported, moving, numbers_after_try, rates, rows
from tests.gallery.numbers.words import check_exhibit, exhibit

OURS = rates(512, endpoint=True)
PAPER = rates(512)
REFERENCE = 20


def table(positions=range(50), frequencies=OURS):
    return rows(positions, frequencies, concatenated=True)


def largest(found):
    """Return the number with the largest size, its row and its column."""
    place = np.unravel_index(np.abs(found).argmax(), found.shape)
    return found[place], *map(int, place)


def dots(positions=range(50), frequencies=OURS):
    return table(positions, frequencies) @ table([REFERENCE], frequencies)[0]


def squares(positions):
    return ((table(positions) - table([REFERENCE])[0]) ** 2).sum(axis=1)


def notebook_error(start):
    """Return the error of the notebook's shift by -10 from a position on."""
    return notebook_differences(start).max()


def notebook_differences(start, kind=np.float64):
    """Return that error for each of 40 positions."""
    frequencies = (kind(1) / kind(10000)) ** np.linspace(0, 1, 256, dtype=kind)
    angles = np.arange(start, start + 50, dtype=kind)[:, None] * frequencies
    sines, cosines = np.sin(angles), np.cos(angles)
    turned, lifted = np.cos(kind(-10) * frequencies), np.sin(kind(-10) * frequencies)
    moved = np.hstack([sines * turned + cosines * lifted, cosines * turned - sines * lifted])
    return np.abs(moved[10:] - np.hstack([sines, cosines])[:-10]).max(axis=1)


def test_003_rates():
    assert np.abs(exported("003-rates") / OURS - 1).max() < 1e-15
    falls = np.diff(np.log10(OURS))
    assert np.allclose(falls, -4 / 255, rtol=1e-12)
    assert OURS[-1] == 1e-4
    by_d_max = [1e-4 ** (pair / 255) for pair in range(256)]
    assert np.allclose(OURS, by_d_max, rtol=1e-14)
    assert OURS[127] > 0.01 > OURS[128]
    narrow = rates(64, endpoint=True)
    values = [len(OURS), OURS[255], OURS[128]]
    values += [math.sqrt(OURS[0] * OURS[-1]), PAPER[-1]]
    values += [(TURN / OURS <= 50).sum()]
    values += [narrow[1], 2 * len(OURS), len(OURS) - 1]
    check_exhibit("003-rates", values)


def test_003_paper():
    def apart(count):
        return largest(table(range(count)) - table(range(count), PAPER))

    assert np.abs(exported("003-paper") - (table() - table(frequencies=PAPER))).max() < 2e-14
    few, many, thousand = apart(50), apart(512), apart(1000)
    assert few[1:] == (49, 285)
    assert few[2] - 256 == 29
    assert OURS[0] == PAPER[0] == 1
    assert rates(64, endpoint=True)[-1] == 1e-4
    values = [few[0], few[2] - 256, abs(many[0]), abs(thousand[0])]
    values += [OURS[0], OURS[-1], PAPER[-1], rates(64)[-1]]
    check_exhibit("003-paper", values)


def test_003_angles():
    def wrapped(of_turn):
        """Return turns of the first column, its first wrap, and the number of columns that wrap."""
        angles = np.degrees(np.arange(50)[:, None] * OURS) * of_turn
        turns = angles // 360
        return int(turns[-1, 0]), int(np.argmax(turns[:, 0] > 0)), int((turns[-1] > 0).sum())

    degrees = np.degrees(np.arange(50)[:, None] * OURS) % 360
    actual = exported("003-angles")
    away = np.abs(actual - np.hstack([degrees, degrees]))
    assert np.minimum(away, 360 - away).max() < 1e-9
    first, last = maps.table("hsv")[[0, -1]] / 255
    assert tuple(first) == (1, 0, 0)
    assert wrapped(1) == (7, 7, 57)
    values = [wrapped(1)[0], degrees[49, 0], degrees[7, 0]]
    values += [len(OURS), degrees[49, 255], degrees[10, 0], (500 * OURS >= TURN).sum()]
    values += [wrapped(0.5)[0], last[1]]
    check_exhibit("003-angles", values, given="360 180 2")


def jumps(pair, count=50):
    """Return the number of wraps of a pair within some positions."""
    turns = np.arange(count) * OURS[pair] // TURN
    return int((np.diff(turns) > 0).sum())


def test_003_raw_angles():
    raw = np.arange(50)[:, None] * OURS
    actual = exported("003-raw-angles")
    assert np.allclose(actual, np.hstack([raw, raw]), rtol=1e-14, atol=1e-15)
    within = numbers_after_try("003-raw-angles", 0)
    assert np.allclose(within, np.hstack([raw, raw]) % TURN, rtol=1e-13, atol=1e-13)
    values = [raw[49, 0], OURS[0], raw[40, 0], raw[40, 20], jumps(0)]
    values += [4999 * OURS[0]]
    check_exhibit("003-raw-angles", values, given="−1")


def test_003_jumps():
    within = np.arange(50)[:, None] * OURS % TURN
    actual = exported("003-jumps")
    assert np.allclose(actual, np.hstack([within, within]), rtol=1e-13, atol=1e-13)
    points = [np.array([np.sin(p), np.cos(p)]) for p in (5, 6, 7)]
    steps = [np.hypot(*(after - before)) for before, after in itertools.pairwise(points)]
    assert np.isclose(*steps)
    values = [within[6, 0], within[7, 0], jumps(0)]
    values += [49 * OURS[0]]
    check_exhibit("003-jumps", values, given="2")


def test_003_table():
    cells = table()
    assert np.abs(exported("003-table") - cells).max() < 1e-14
    sines, cosines = cells[0, :256], cells[0, 256:]
    assert not sines.any()
    assert (cosines == 1).all()
    beside = rows(range(50), OURS)
    assert np.abs(beside @ beside.T - cells @ cells.T).max() < 1e-12
    values = [len(sines), sines[0], cosines[0]]
    values += [256 - 224]
    check_exhibit("003-table", values)


def test_003_dot():
    actual = dots()
    assert np.abs(exported("003-dot") - actual).max() < 1e-11
    assert (np.diff(actual[: REFERENCE + 1]) > 0).all()
    assert (np.diff(actual[REFERENCE:]) < 0).all()
    assert np.isclose(actual[19], actual[21], rtol=1e-12)
    from_start = table() @ table([0])[0]
    assert np.isclose(from_start[29], actual[49], rtol=1e-12)
    assert np.abs(dots(frequencies=PAPER) - actual).max() < 1
    errors = squares(range(50))
    lengths = np.linalg.norm(table(), axis=1)
    cosines = 1 - actual / lengths / lengths[REFERENCE]
    assert np.abs(cosines - (1 - actual / 256)).max() < 1e-14
    values = [actual[20]]
    values += [REFERENCE, errors[20], lengths[0] ** 2 / 256]
    check_exhibit("003-dot", values)


def test_003_sse():
    actual = squares(range(100))
    assert np.abs(exported("003-sse") - actual[:50]).max() < 1e-11
    assert np.abs(actual - (512 - 2 * dots(range(100)))).max() < 1e-11
    falls = np.flatnonzero(np.diff(actual[REFERENCE:]) < 0)
    assert falls[0] == 43
    values = [actual[19], REFERENCE + falls[0]]
    values += [REFERENCE + falls[0] + 1, math.sqrt(actual[19])]
    values += [falls[0] + 1]
    check_exhibit("003-sse", values, given="512")


def test_003_transition():
    back = moving(OURS, -10, concatenated=True)
    assert np.abs(exported("003-transition") - back).max() < 1e-15
    assert np.abs(numbers_after_try("003-transition", 0) - back.T).max() < 1e-15
    twice = moving(OURS, -20, concatenated=True)
    assert np.abs(numbers_after_try("003-transition", 1) - twice).max() < 1e-14
    assert np.abs(table() @ back - table(range(-10, 40))).max() < 1e-14
    assert back[0, 256] == -back[256, 0]
    values = [np.cos(10)]
    assert np.abs(back @ back - twice).max() < 3e-16
    check_exhibit("003-transition", values, given="10 20 1 2")


def test_003_shifted():
    moved = exported("003-shifted")
    assert np.abs(moved - table(range(-10, 40))).max() < 2e-14
    assert np.abs(moved[10, :256]).max() < 3e-16
    assert np.abs(moved[10, 256:] - 1).max() < 3e-16
    exact = encodings.create(**exhibit("003-shifted")["exploration"]["encoding"])
    values = [np.sin(-10), table([0])[0, 0], table([0])[0, 256], np.sin(-20), np.sin(10)]
    assert np.abs(moved - exact.table(range(-10, 40))).max() < 5e-16
    check_exhibit("003-shifted", values, given="−10 10")


def test_003_error():
    here = [
        exported("003-error"),
        numbers_after_try("003-error", 0),
        numbers_after_try("003-error", 1),
    ]
    largest_here = max(actual[:, 0].max() for actual in here)
    for actual, start in zip(here, (10, 10**6, 10**9), strict=True):
        own = notebook_differences(start - 10)
        assert np.isclose(actual[:, 1].max(), own.max(), rtol=0.01)
        assert np.median(np.abs(actual[:, 1] - own)) < 1e-3 * own.max()
    single = notebook_differences(0, np.float32).max()
    assert np.isclose(numbers_after_try("003-error", 2)[:, 1].max(), single, rtol=0.02)
    values = [notebook_error(0), 10 + notebook_differences(0).argmax(), single]
    values += [notebook_error(10**6), notebook_error(10**9)]
    values += [len(table())]
    check_exhibit("003-error", values, {"5e-16": largest_here})
