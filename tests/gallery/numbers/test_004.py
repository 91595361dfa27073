"""The numbers of document 004: indices, single cells, and matrices block by block."""

import math

import numpy as np

from tests.gallery.numbers.formulas import (
    TURN,
    alike,
    exported,
    far,
    moving,
    numbers_after_try,
    rates,
    rows,
)
from tests.gallery.numbers.words import check_exhibit

WIDE = rates(128)
FOUR = rates(4)
TWO = rates(2)


def printed_row(position, width):
    """Return a row by the loop of the document."""
    row = np.zeros(width)
    for i in range(width):
        if i % 2 == 0:
            row[i] = math.sin(position / 10000 ** (i / width))
        else:
            row[i] = math.cos(position / 10000 ** ((i - 1) / width))
    return row


def printed_table(count, width):
    return np.array([printed_row(position, width) for position in range(count)])


def left_behind(count):
    """Return by how much each dimension leaves its range in a second range of rows."""
    seen, later = rows(range(count), WIDE), rows(range(count, 2 * count), WIDE)
    above = later.max(axis=0) - seen.max(axis=0)
    below = seen.min(axis=0) - later.min(axis=0)
    return np.maximum(above, below)


def shift_residual(name, settings, frequencies, by):
    """Return the residual of the program's matrix in NumPy."""
    matrix = exported(name, settings)
    moved = rows(range(50), frequencies) @ matrix
    return np.abs(moved - rows(range(by, by + 50), frequencies)).max()


def test_004_index():
    actual = exported("004-index")
    assert (actual == np.arange(1, 51)[:, None]).all()
    values = [actual[-1, 0]]
    values += [np.dtype(np.float32).itemsize]
    check_exhibit("004-index", values, given="−1 1")


def test_004_range():
    three, four, five = (np.linspace(0, 1, words) for words in (3, 4, 5))
    assert np.abs(exported("004-range") - three[:, None]).max() < 1e-15
    assert np.abs(numbers_after_try("004-range", 0) - four[:, None]).max() < 1e-15
    assert np.abs(numbers_after_try("004-range", 1) - five[:, None]).max() < 1e-15
    values = [three[0], three[1], three[2], four[1], four[2], four[2], five[1]]
    values += [numbers_after_try("004-range", 2)[3, 0], 3 / 2]
    check_exhibit("004-range", values, given="0.66")


def test_004_width_4():
    actual = exported("004-width-4")
    first, second, third = printed_table(3, 4)
    assert np.abs(actual - [first, second, third]).max() < 1e-15
    wide = printed_row(2, 512)
    words = np.linalg.norm(exported("004-width-4", {"options.tokens.join": "words"}), axis=1)
    assert np.allclose(words, math.sqrt(2), rtol=1e-12)
    assert np.abs(numbers_after_try("004-width-4", 1)[2] - wide).max() < 1e-15
    values = [first[0], first[1], second[0], third[1]]
    check_exhibit("004-width-4", values)


def test_004_not_linear():
    curve = exported("004-not-linear")
    by_document = printed_table(33, 128)
    away = np.linalg.norm(by_document - by_document[0], axis=1)
    assert np.abs(curve - away).max() < 1e-12
    one, two, eight = (far(WIDE, apart) for apart in (1, 2, 8))
    turned = {apart: 1 - alike(WIDE, apart) for apart in (1, 2, 4, 8)}
    narrow = [far(FOUR, apart) for apart in range(9)]
    assert narrow.index(max(narrow)) == 3
    from_ten = numbers_after_try("004-not-linear", 2)
    assert np.allclose(from_ten[11:13], [one, two], rtol=1e-12)
    values = [one, two / one, eight / one, turned[2] / turned[1]]
    values += [narrow.index(max(narrow))]
    check_exhibit("004-not-linear", values, given="11")


def test_004_rotation():
    cosine, sine = math.cos(1), math.sin(1)
    columns = np.array([[cosine, sine], [-sine, cosine]])
    matrix = exported("004-rotation")
    assert np.abs(matrix - columns.T).max() < 1e-15
    assert np.abs(numbers_after_try("004-rotation", 0) - matrix @ matrix).max() < 3e-16
    rest = math.remainder(44, TURN)
    left = shift_residual("004-rotation", {}, TWO, 1)
    values = [matrix[0, 0], math.degrees(rest)]
    values += [(44 - rest) / TURN, far(TWO, 710)]
    assert left < 3e-16
    check_exhibit("004-rotation", values, given="1 2")


def test_004_blocks():
    matrix = exported("004-blocks")
    assert np.abs(matrix - moving(FOUR, 3)).max() < 1e-15
    eight = [math.degrees(3 * rate) for rate in rates(8)]
    wider, widest = numbers_after_try("004-blocks", 0), numbers_after_try("004-blocks", 1)
    assert np.abs(wider - moving(rates(8), 3)).max() < 1e-15
    assert np.abs(widest - moving(WIDE, 3)).max() < 1e-15
    left = shift_residual("004-blocks", {}, FOUR, 3)
    values = [eight[0], math.degrees(3 * FOUR[1])]
    values += [matrix.size - np.count_nonzero(matrix), eight[3], len(WIDE)]
    values += [len(FOUR), matrix[0, 2]]
    assert left < 3e-16
    check_exhibit("004-blocks", values, given="1 −1")


def test_004_heatmap():
    actual = exported("004-heatmap")
    assert np.abs(actual - printed_table(50, 128)).max() < 1e-14
    row, column = np.unravel_index(actual.argmin(), actual.shape)
    assert (row, column) == (11, 0)
    values = [actual.min(), actual[0, 0], actual[0, 1]]
    values += [actual.shape[1]]
    check_exhibit("004-heatmap", values, given="−1 8 9")


def test_004_extrapolate():
    lengths = TURN / WIDE
    actual = exported("004-extrapolate")
    assert np.abs(actual / lengths - 1).max() < 1e-14
    few = left_behind(50)
    assert few.argmax() == 51
    wave = rows(range(100), WIDE)[:, 51]
    assert wave[:50].min() > 0 > wave[50:].min()
    values = [len(WIDE), np.flatnonzero(lengths > 50)[0], lengths[15]]
    values += [(few > 0.01).sum(), len(few), few.argmax()]
    values += [(lengths > 512).sum()]
    check_exhibit("004-extrapolate", values, given="99 2021")
