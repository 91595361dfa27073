"""The numbers of document 004: counting words, single cells, and matrices block by block."""

import math

import numpy as np

from tests.support.exhibit_numbers import TURN, alike, exported, far, moving, rates, rows, tried
from tests.support.exhibit_words import check_exhibit, check_step

WIDE = rates(128)
FOUR = rates(4)
TWO = rates(2)


def printed_row(position, width):
    """Return a row by the document's loop, number by number."""
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
    """Return by how much each dimension leaves its range in as many rows again."""
    seen, later = rows(range(count), WIDE), rows(range(count, 2 * count), WIDE)
    above = later.max(axis=0) - seen.max(axis=0)
    below = seen.min(axis=0) - later.min(axis=0)
    return np.maximum(above, below)


def shift_residual(name, settings, frequencies, by):
    """Return how far the program's matrix leaves rows from true ones, in plain NumPy."""
    matrix = exported(name, settings)
    moved = rows(range(50), frequencies) @ matrix
    return np.abs(moved - rows(range(by, by + 50), frequencies)).max()


def test_004_index():
    found = exported("004-index")
    assert (found == np.arange(1, 51)[:, None]).all()
    row_length = math.sqrt(512 * 5000**2)
    computed = {
        "50": found[-1, 0],
        "−0.2624": math.sin(50),
        "512": 512,
        "113,137": row_length,
        "16": np.linalg.norm(printed_row(5000, 512)),
        "4": np.dtype(np.float32).itemsize,
        "0.8415": math.sin(1),
        "−1": -1,
        "1": 1,
        "0": 0,
    }
    check_exhibit("004-index", computed)


def test_004_range():
    three, four, five = (np.linspace(0, 1, words) for words in (3, 4, 5))
    assert np.abs(exported("004-range") - three[:, None]).max() < 1e-15
    assert np.abs(tried("004-range", "Four words") - four[:, None]).max() < 1e-15
    assert np.abs(tried("004-range", "Five words") - five[:, None]).max() < 1e-15
    computed = {
        "0": three[0],
        "0.5": three[1],
        "1": three[2],
        "0.3333": four[1],
        "0.6667": four[2],
        "0.67": four[2],
        "0.25": five[1],
        "3": 4 - 1,
        "1.5": tried("004-range", "A fourth word")[3, 0],
    }
    assert computed["1.5"] == 3 / 2
    as_the_text_has_it = {"0.66": 0.66}
    check_exhibit("004-range", computed | as_the_text_has_it)


def test_004_width_4():
    found = exported("004-width-4")
    first, second, third = printed_table(3, 4)
    assert np.abs(found - [first, second, third]).max() < 1e-15
    seventh = printed_row(6, 4)
    wide = printed_row(2, 512)
    words = np.linalg.norm(exported("004-width-4", {"options.tokens.join": "words"}), axis=1)
    assert np.allclose(words, math.sqrt(2), rtol=1e-12)
    assert np.abs(tried("004-width-4", "Width 512")[2] - wide).max() < 1e-15
    computed = {
        "0": first[0],
        "1": first[1],
        "0.841471": second[0],
        "0.540302": second[1],
        "0.010000": second[2],
        "0.999950": second[3],
        "0.909297": third[0],
        "−0.416147": third[1],
        "0.019999": third[2],
        "0.999800": third[3],
        "0.0208": 1 - first @ seventh / 2,
        "0.2299": 1 - first @ second / 2,
        "0.936415": wide[2],
        "−0.350895": wide[3],
        "0.000207327": wide[510],
        "0.99999998": wide[511],
        "1.4142": np.linalg.norm(first),
        "255": 512 // 2 - 1,
        "511": 512 - 1,
    }
    check_exhibit("004-width-4", computed)


def test_004_not_linear():
    curve = exported("004-not-linear")
    by_document = printed_table(33, 128)
    away = np.linalg.norm(by_document - by_document[0], axis=1)
    assert np.abs(curve - away).max() < 1e-12
    one, two, four, eight = (far(WIDE, apart) for apart in (1, 2, 4, 8))
    turned = {apart: 1 - alike(WIDE, apart) for apart in (1, 2, 4, 8)}
    narrow = [far(FOUR, apart) for apart in range(9)]
    assert narrow.index(max(narrow)) == 3
    from_ten = tried("004-not-linear", "From position 10")
    assert np.allclose(from_ten[11:13], [one, two], rtol=1e-12)
    computed = {
        "1.9526": one,
        "3.6382": two,
        "1.86": two / one,
        "5.5523": four,
        "6.0464": eight,
        "2.84": four / one,
        "3.10": eight / one,
        "3.47": turned[2] / turned[1],
        "8.09": turned[4] / turned[1],
        "9.59": turned[8] / turned[1],
        "0.029786": turned[1],
        "0.103408": turned[2],
        "0.240843": turned[4],
        "0.285617": turned[8],
        "3": narrow.index(max(narrow)),
        "6": 6,
        "0.2885": narrow[6],
        "11": 11,
    }
    check_exhibit("004-not-linear", computed)


def test_004_rotation():
    cosine, sine = math.cos(1), math.sin(1)
    columns = np.array([[cosine, sine], [-sine, cosine]])
    matrix = exported("004-rotation")
    assert np.abs(matrix - columns.T).max() < 1e-15
    assert np.abs(tried("004-rotation", "k = 2") - matrix @ matrix).max() < 3e-16
    rest = math.remainder(44, TURN)
    computed = {
        "1": 1,
        "0.540302": matrix[0, 0],
        "−0.841471": matrix[0, 1],
        "+0.841471": matrix[1, 0],
        "0.841471": sine,
        "2": 2,
        "−0.416147": math.cos(2),
        "1.0143": math.degrees(rest),
        "7": (44 - rest) / TURN,
        "0.999843": math.cos(44),
        "0.017702": math.sin(44),
        "6.0e-5": far(TWO, 710),
    }
    left = shift_residual("004-rotation", {}, TWO, 1)
    check_exhibit("004-rotation", computed, {"3e-16": left})


def test_004_blocks():
    matrix = exported("004-blocks")
    assert np.abs(matrix - moving(FOUR, 3)).max() < 1e-15
    eight = [math.degrees(3 * rate) for rate in rates(8)]
    wider, widest = tried("004-blocks", "Width 8"), tried("004-blocks", "Width 128")
    assert np.abs(wider - moving(rates(8), 3)).max() < 1e-15
    assert np.abs(widest - moving(WIDE, 3)).max() < 1e-15
    computed = {
        "171.89": eight[0],
        "−0.989992": matrix[0, 0],
        "1.7189": math.degrees(3 * FOUR[1]),
        "0.999550": matrix[2, 2],
        "8": matrix.size - np.count_nonzero(matrix),
        "17.189": eight[1],
        "0.17189": eight[3],
        "64": len(WIDE),
        "4": len(matrix),
        "2": len(FOUR),
        "0": matrix[0, 2],
        "1": 1,
    }
    left = shift_residual("004-blocks", {}, FOUR, 3)
    check_exhibit("004-blocks", computed, {"3e-16": left})


def test_004_heatmap():
    found = exported("004-heatmap")
    assert np.abs(found - printed_table(50, 128)).max() < 1e-14
    row, column = np.unravel_index(found.argmin(), found.shape)
    assert (row, column) == (11, 0)
    computed = {
        "−0.99999": found.min(),
        "−1": -1,
        "0": found[0, 0],
        "1": found[0, 1],
        "0.0057": found[49, 126],
        "30": 2 * 15,
        "31": 2 * 15 + 1,
        "54.41": TURN / WIDE[15],
        "0.0044": found[11, 1],
        "8": 8,
        "9": 9,
        "11.173": TURN / WIDE[4],
        "128": found.shape[1],
    }
    check_exhibit("004-heatmap", computed)


def test_004_extrapolate():
    lengths = TURN / WIDE
    found = exported("004-extrapolate")
    assert np.abs(found / lengths - 1).max() < 1e-14
    few, many = left_behind(50), left_behind(512)
    assert few.argmax() == 51
    wave = rows(range(100), WIDE)[:, 51]
    computed = {
        "49": (lengths > 50).sum(),
        "64": len(WIDE),
        "15": np.flatnonzero(lengths > 50)[0],
        "54.41": lengths[15],
        "68": (few > 0.01).sum(),
        "128": len(few),
        "51": few.argmax(),
        "0.2270": wave[:50].min(),
        "−0.9087": wave[50:].min(),
        "33": (lengths > 512).sum(),
        "56": (many > 0.01).sum(),
        "99": 99,
        "2021": 2021,
        "0.01": 0.01,
    }
    check_exhibit("004-extrapolate", computed)


def test_lesson_004():
    first, second, *_, seventh = printed_table(7, 4)
    one, two = far(WIDE, 1), far(WIDE, 2)
    turned = [1 - alike(WIDE, apart) for apart in (1, 2)]
    apart = 1 - first @ seventh / 2, 1 - first @ second / 2
    assert apart[1] / apart[0] > 10
    rest = math.remainder(44, TURN)
    computed = [
        {"0.5": 0.5},
        {"0": 0, "1": 1, "0.6667": 2 / 3, "3": 4 - 1},
        {"−0.416147": math.cos(2), "0": 0},
        {},
        {"3.6382": two, "1.9526": one, "1.86": two / one, "3.47": turned[1] / turned[0]},
        {"1.0143": math.degrees(rest), "2": 2, "0": 0},
        {"4": len(rates(8))},
        {"−0.99999": printed_row(11, 128)[0], "0.0044": math.cos(11), "1": 1},
        {"68": (left_behind(50) > 0.01).sum()},
    ]
    for index, numbers in enumerate(computed):
        check_step("004", index, numbers)
