"""The numbers of the exhibits of document 000, from rewritten formulas."""

import mpmath
import numpy as np
import pytest

from tests.gallery.numbers.formulas import (
    TURN,
    close,
    exact_rows,
    exported,
    moving,
    numbers_after_try,
    rates,
    similarity,
    still_columns,
    table,
    wavelengths,
)
from tests.gallery.numbers.words import check_exhibit


def turning(dim, base, count):
    """Return the number of pairs that complete a turn within some positions."""
    return int((wavelengths(dim, base) <= count).sum())


def contrast(positions):
    """Return the amplitude of the first pair in a mean over some positions."""
    return abs(np.sin(positions / 2) / (positions * np.sin(0.5)))


def changes(first, second):
    """Return the differences between two ranges of fifty rows."""
    return np.abs(table(range(second, second + 50), 128) - table(range(first, first + 50), 128))


def test_formula():
    with mpmath.workdps(40):
        frequency = mpmath.mpf(10000) ** (-mpmath.mpf(6) / 128)
        angle = 5 * frequency
    values = [float(mpmath.degrees(angle))]
    values += [np.sqrt(128 / 2), np.sqrt(512 / 2), 512 / 2]
    check_exhibit("000-formula", values, given="5 3 1 512")
    close(exported("000-formula"), table(range(12), 128))
    close(np.linalg.norm(numbers_after_try("000-formula", 0), axis=1), 16)
    far = numbers_after_try("000-formula", 1)
    close(far, exact_rows(range(10**15, 10**15 + 12), 128), 4e-16)


def test_heatmap():
    rows = table(range(50), 128)
    lowest = np.unravel_index(rows.argmin(), rows.shape)
    assert lowest == (11, 0)
    assert rows.max() == 1
    still = np.flatnonzero(np.ptp(rows, axis=0) < 0.1)
    assert still.min() >= 64
    waves = wavelengths(128)
    values = [waves[0], rows.min(), len(still)]
    values += [still_columns(table(range(50), 128, 100)), rows.min()]
    values += [(1 + rows.min()) / 2]
    check_exhibit("000-heatmap", values, given="128 11 0 100 44 −1 1")
    close(exported("000-heatmap"), rows)
    close(numbers_after_try("000-heatmap", 1), table(range(44, 94), 128))


def test_wider():
    values = [rates(dim)[-1] for dim in (128, 256, 512, 1024)]
    values += [rates(256)[1], 100 * (rates(128)[-1] * 1e4 - 1)]
    check_exhibit("000-wider", values, given="128 512 1,024 0.0001 1")
    rows, narrow = exported("000-wider"), exported("000-heatmap")
    close(rows, table(range(50), 256))
    pairs = rows.reshape(50, 128, 2)
    assert np.array_equal(pairs[:, ::2], narrow.reshape(50, 64, 2))
    widest = numbers_after_try("000-wider", 0).reshape(50, 256, 2)
    assert np.array_equal(widest[:, ::4], narrow.reshape(50, 64, 2))
    ends = [rates(dim)[-1] for dim in (128, 256, 512, 1024)]
    assert ends == sorted(ends, reverse=True)
    assert ends[-1] > 1e-4


def test_rows_10000():
    waves = wavelengths(128)
    billion = 1 / (10**9 / 500 / 2 * rates(128)[-1])
    assert billion < 0.01

    def first_refused(dots_an_inch):
        return next(rows for rows in range(10000) if int(20 * rows / 128) * dots_an_inch >= 2**16)

    values = [waves[51]]
    values += [turning(128, 1e4, 200), first_refused(100)]
    values += [2**16]
    assert contrast(17) < 0.1
    given = "64 51 0 200 10,000 3.8 3.11"
    check_exhibit("000-rows-10000", values, given=given)
    close(exported("000-rows-10000"), table(range(10000), 128))


def test_windows():
    after = changes(0, 50)
    turns = 50 / wavelengths(128)
    assert turns[8] == pytest.approx(2.5, abs=0.02)
    assert after[:, :2].mean() < 0.2
    assert changes(0, 44)[:, :2].mean() < after[:, :2].mean()
    values = [turns[8]]
    values += [10**6 / wavelengths(128)[63]]
    check_exhibit("000-windows", values, given="0 50 8 44")
    close(exported("000-windows"), table(range(50), 128))
    close(exported("000-windows", {"start": 50}), table(range(50, 100), 128))


def test_frequencies():
    bases = 1e2, 1e4, 1e8
    curves = {base: rates(128, base) for base in bases}
    assert all(curve[0] == 1 for curve in curves.values())
    assert curves[1e4][32] == pytest.approx(0.01)
    assert curves[1e8][16] == pytest.approx(0.01)
    assert curves[1e2].min() > 0.01
    bound = 100 ** (128 / 126)
    assert rates(128, bound)[-1] == pytest.approx(0.01)
    assert rates(128, 107)[-1] > 0.01
    values = [curves[1e8][1], turning(128, 1e4, 50), bound]
    check_exhibit("000-frequencies", values, given="1 10,000 100,000,000 32 0.01 107 50")
    close(exported("000-frequencies"), curves[1e4], rtol=1e-14)
    close(numbers_after_try("000-frequencies", 1), rates(128, 107), rtol=1e-14)
    close(numbers_after_try("000-frequencies", 2), wavelengths(128), rtol=1e-14)


def test_half():
    rows = table(range(50), 128)
    spans = np.ptp(rows[:, 64:], axis=0)
    still = still_columns(rows[:, 64:])
    close(rows[:, 64], np.sin(0.01 * np.arange(50)))
    assert still_columns(table(range(5000), 128)[:, 64:]) == 0
    values = [spans[0], 64 - still, still]
    values += [64 - still_columns(table(range(500), 128)[:, 64:])]
    check_exhibit("000-half", values, given="64 500 5,000 50")
    close(exported("000-half"), rows)


def test_base_1e2():
    rows = table(range(50), 128, 100)
    assert still_columns(rows) == 0
    assert wavelengths(128, 100)[28] < 50 < wavelengths(128, 100)[29]
    values = [turning(128, 100, 50)]
    values += [wavelengths(128, 100)[63], wavelengths(128, 10)[63]]
    values += [still_columns(table(range(50), 128))]
    check_exhibit("000-base-1e2", values, given="100 128 64 10,000 10")
    close(exported("000-base-1e2"), rows)
    close(numbers_after_try("000-base-1e2", 0), table(range(50), 128, 10))


def test_base_1e8():
    rows = table(range(50), 128, 1e8)
    values = [still_columns(rows), turning(128, 1e8, 50)]
    values += [turning(128, 1e8, 100000), still_columns(table(range(50), 128))]
    check_exhibit("000-base-1e8", values, given="100,000,000 128 0.1 64 100,000 10,000")
    close(exported("000-base-1e8"), rows)


def test_rows_5000():
    waves = wavelengths(128)
    rows = table(range(5000), 128)
    assert still_columns(rows) == 0
    values = [waves[46]]
    values += [np.ceil(waves[63])]
    values += [waves[63]]
    check_exhibit("000-rows-5000", values, given="46 50")
    close(exported("000-rows-5000"), rows)


def test_clocks():
    each = rates(18)
    degrees = np.degrees(each)
    past = np.degrees(44) % 360
    assert 44 // TURN == 7
    assert (wavelengths(18) < 100).sum() == 3
    assert 99 / wavelengths(18, 22.24)[-1] > 1 > 99 / wavelengths(18, 22.25)[-1]
    values = [degrees[0]]
    values += [past, 99 / wavelengths(18, 22)[-1]]
    check_exhibit("000-clocks", values, given="18 99 44 22 12")
    close(exported("000-clocks"), table(range(100), 18))


def test_top_row():
    waves = wavelengths(18)
    far = 710 / TURN
    assert 0 < 44 / waves[0] % 1 < 0.01
    assert 0 < 35 / waves[1] % 1 < 0.01
    assert 0 < far % 1 < 1e-4
    check_exhibit("000-top-row", [], given="44 0 35 1 710")
    close(exported("000-top-row"), table(range(100), 18))
    moved = numbers_after_try("000-top-row", 0)
    assert len(moved) == 100
    close(moved[-1], table([710], 18)[0])


def test_turn():
    angles = np.degrees(10 * rates(18))
    values = [angles[0], np.cos(10)]
    check_exhibit("000-turn", values, given="1 10 44")
    matrix = exported("000-turn")
    close(matrix, moving(rates(18), 10), 1e-14)
    close(numbers_after_try("000-turn", 0), moving(rates(18), 44), 1e-14)
    close(numbers_after_try("000-turn", 1), matrix.T, 1e-15)
    residual = exported("000-turn", {"options.shift.part": "residual"})
    assert 0 <= residual.max() < 1e-15


def test_slowest():
    slowest = {dim: wavelengths(dim)[-1] for dim in (18, 128, 1024)}
    assert wavelengths(128, 4078)[-1] == pytest.approx(22500, rel=1e-4)
    values = [*slowest.values(), wavelengths(128, 4078)[-1]]
    assert 0.99 < 22500 / slowest[18] < 1  # almost a whole turn
    check_exhibit("000-slowest", values, given="18 128 10,000 1,024 4,078 22,500")
    close(exported("000-slowest"), wavelengths(18), rtol=1e-14)
    close(numbers_after_try("000-slowest", 1), wavelengths(128, 4078), rtol=1e-14)


def test_why_10000():
    half = next(apart for apart in range(1000) if similarity(apart, 128) < 0.5)
    values = [1 - similarity(1, 128), half]
    values += [1 - similarity(1, 128, 1e6)]
    values += [wavelengths(18)[8]]
    check_exhibit("000-why-10000", values, given="0 100 1,000,000 249 1 18")
    wavering = [1 - similarity(apart, 128, 1e2) for apart in range(249, 1000)]
    assert np.mean(wavering) == pytest.approx(1, abs=0.02)
    assert np.ptp(wavering) < 0.4
    expected = [1 - similarity(apart, 128) for apart in range(1000)]
    close(exported("000-why-10000"), expected)
