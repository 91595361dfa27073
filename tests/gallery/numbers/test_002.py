"""The numbers of the exhibits of document 002, from rewritten formulas."""

import mpmath
import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

from pe_explorer import encodings
from pe_explorer.analysis import projection, properties
from tests.gallery.numbers.formulas import (
    close,
    exported,
    numbers_after_try,
    rates,
    table,
    toy_words,
)
from tests.gallery.numbers.words import check_exhibit

SENTENCES = (
    "She told him that she only loved him",
    "She only told him that she loved him",
    "Only she told him that she loved him",
)


def similarities(separations, dim, base=1e4):
    """Return the cosine of the angle between rows at offsets."""
    angles = np.multiply.outer(np.asarray(separations, float), rates(dim, base))
    return np.cos(angles).mean(axis=-1)


def distances(separations, dim=1024):
    """Return the cosine distances of rows at offsets."""
    return 1 - similarities(separations, dim)


def angle_between(first, second):
    return first @ second / np.linalg.norm(first) / np.linalg.norm(second)


def cosines(positions, base=16):
    """Return the two cosine waves of the drawings."""
    slow = 1 / np.sqrt(base)
    places = np.asarray(positions, float)
    return np.stack([np.cos(places), np.cos(slow * places)], axis=-1)


def sines(positions, dim=1024):
    """Return rows of sines only, with another frequency per dimension."""
    rates = 1e4 ** (-np.arange(dim) / dim)
    return np.sin(np.multiply.outer(np.asarray(positions, float), rates))


def from_first(rows):
    """Return the Euclidean distance of each row from the first."""
    return np.linalg.norm(rows - rows[0], axis=1)


def growing(found):
    """Return the number of steps at which distances grow."""
    return int((np.diff(found) > 0).sum())


def falls(dim, count=250):
    """Return the number of decreases of the cosine distance, and where the first begins."""
    steps = np.diff(distances(range(count), dim))
    return int((steps < 0).sum()), int(np.argmax(steps < 0))


def first_below(level, dim, base=1e4):
    """Return the first separation at which the similarity is below a level."""
    return int(np.argmax(similarities(range(5000), dim, base) < level))


def spread(count):
    """Return the distances of all pairs of the first positions."""
    actual = distances(range(count))
    separations = np.arange(1, count)
    return np.repeat(actual[1:], count - separations)


def components(dim):
    """Return scores of principal components, and their shares of the variance."""
    rows = table(range(1000), dim)
    left, sizes, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    return left[:, :2] * sizes[:2], sizes**2 / (sizes**2).sum()


def component_count(shares, level):
    """Return the number of components that contain a share of the variance."""
    return int((np.cumsum(shares) < level).sum()) + 1


def she_twice(dim):
    """Return the similarity of the two rows of a word, for a sum and for a concatenation."""
    (she,) = toy_words("she", dim)
    first, second = table([0, 4], dim)
    added = angle_between(she + first, she + second)
    appended = angle_between(np.append(she, first), np.append(she, second))
    return added, appended


def test_sentences():
    _, *values = from_first(table([5, 1, 0], 16))
    check_exhibit("002-sentences", values, given="1")
    positions = table(range(8), 16)
    rows = [toy_words(sentence, 16) + positions for sentence in SENTENCES]
    close(exported("002-sentences"), rows[0])
    close(numbers_after_try("002-sentences", 0), rows[1])
    close(numbers_after_try("002-sentences", 1), rows[2])
    for other in rows[1:]:
        close(other.mean(axis=0), rows[0].mean(axis=0), 1e-15)


def test_wishes():
    positions = np.arange(1, 250)
    index = np.repeat(positions[:, None].astype(float), 16, axis=1)
    rows = table(positions, 1024)
    grown = growing(from_first(rows))
    values = [index.max()]
    values += [248 - grown, 2 + int(np.argmax(np.diff(from_first(rows)) < 0)), falls(4096)[0]]
    encoding = encodings.create("sinusoidal", dim=1024, base=1e4)
    left_by_one = properties.compute_shift_residual(encoding, range(1, 250)).value
    assert left_by_one < 1e-15
    check_exhibit("002-wishes", values)
    assert growing(from_first(index)) == 248
    assert growing(from_first(index / 30)) == 248
    assert growing(distances(range(249))) == 206
    least, greatest, *_, distance, first, second, steps, growth, exception, _ = exported(
        "002-wishes"
    )
    close([least, greatest, distance], [rows.min(), rows.max(), pdist(rows).min()])
    assert np.linalg.norm(rows[int(second) - 1] - rows[int(first) - 1]) == pytest.approx(distance)
    assert (steps, growth, exception) == (248, 206, 70)


def test_index():
    values = [np.sqrt(16), np.sqrt(1024)]
    check_exhibit("002-index", values)
    rows = np.repeat(np.arange(1.0, 31)[:, None], 16, axis=1)
    np.testing.assert_array_equal(exported("002-index"), rows)
    assert squareform(pdist(rows, "cosine")).max() < 1e-12


def test_fraction():
    values = [1 / 30, 1 / 5, 30 / 5, np.sqrt(16) / 30]
    check_exhibit("002-fraction", values)
    rows = np.repeat(np.arange(31.0)[:, None], 16, axis=1)
    close(exported("002-fraction"), rows / 30, 1e-15)
    close(numbers_after_try("002-fraction", 0), rows / 5, 1e-15)


def test_table():
    rows, longer = table(range(250), 1024), table(range(1000), 1024)
    assert np.unravel_index(rows.argmin(), rows.shape) == (206, 420)
    with mpmath.workdps(40):
        rate = mpmath.mpf(10000) ** (-mpmath.mpf(420) / 1024)
        lowest = float(mpmath.sin(206 * rate))
    waves = 2 * np.pi / rates(1024)
    values = [waves[0], lowest]
    values += [100 * (longer < 0).mean(), longer.min(), rows.min(), rows.max(), 1024 - 1008]
    check_exhibit("002-table", values)
    assert waves[504] > 10 * 250
    close(exported("002-table"), rows)


def test_two_waves():
    top = cosines([0])[0]
    assert top.tolist() == [1, 1]
    assert cosines([2 * np.pi])[0] == pytest.approx([1, 0], abs=1e-15)
    values = [2 * np.pi, 2 * np.pi * np.sqrt(100), cosines([6])[0, 0]]
    values += [cosines([6])[0, 1]]
    check_exhibit("002-two-waves", values)
    close(exported("002-two-waves"), cosines(range(26)))


def test_lines_at_near_positions():
    rows = cosines(range(10))
    apart = abs(np.diff(rows, axis=0))
    two = np.linalg.norm(rows[2] - rows[1])
    values = [rows[1, 0], two]
    check_exhibit("002-two-lines", values)
    values = [rows[1, 1], apart[1, 1]]
    values += [rows[1, 1] - rows[3, 1], apart[1, 0]]
    check_exhibit("002-low-heights", values)
    values = [rows[1, 0], rows[2, 0], apart[6, 0]]
    values += [apart[1, 1]]
    check_exhibit("002-high-heights", values)
    for name in ("002-two-lines", "002-low-heights", "002-high-heights"):
        close(exported(name), rows[:9])


def test_third_line():
    rows = cosines(range(26))
    apart = squareform(pdist(rows))
    both = table([2, 23], 4, 16)
    values = [rows[9, 0], apart[10, 9]]
    values += [apart[23, 2], np.linalg.norm(both[1] - both[0])]
    check_exhibit("002-third-line", values, given="10")
    close(exported("002-third-line"), rows)


def test_many_waves():
    values = [len(rates(1024)), first_below(0.25, 1024)]
    values += [first_below(0, 1024)]
    values += [first_below(0, 128), first_below(0, 128, 100)]
    check_exhibit("002-many-waves", values, given="0")
    actual = np.ravel(exported("002-many-waves"))
    close(actual, distances(range(5000)))


def test_sine_only():
    rows = sines(range(250))
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    assert (steps.argmax(), steps.argmin()) == (0, 2)
    angles = [1 - angle_between(*rows[p : p + 2]) for p in range(1, 249)]
    assert (np.argmin(angles), np.argmax(angles)) == (0, 2)
    narrow = np.linalg.norm(np.diff(sines(range(250), 16), axis=0), axis=1)
    lengths = np.linalg.norm(rows, axis=1)
    values = [steps[2]]
    values += [narrow.min()]
    values += [narrow.max(), lengths[0]]
    check_exhibit("002-sine-only", values)
    assert lengths[1] == pytest.approx(steps[0])
    apart = squareform(pdist(rows))
    close(exported("002-sine-only"), apart, 1e-9)


def test_printed():
    with mpmath.workdps(50):
        rates = [mpmath.mpf(10000) ** (-mpmath.mpf(pair) / 512) for pair in range(512)]
        exact = {
            separation: 1 - sum(mpmath.cos(separation * rate) for rate in rates) / 512
            for separation in (1, 2, 29)
        }
    values = [float(exact[1]), float(exact[2]), float(exact[29])]
    values += [float(exact[1])]
    check_exhibit("002-printed", values, given="3 31 15")
    actual = np.ravel(exported("002-printed"))
    for separation, expected in exact.items():
        assert actual[separation] == pytest.approx(float(expected), abs=2e-16)
    from_30 = np.ravel(numbers_after_try("002-printed", 1))
    assert from_30[30] == pytest.approx(actual[1], abs=2e-17)
    document = (0.026488616022189992, 0.09339161307513, 0.4323030365719962)
    for printed, expected in zip(document, exact.values(), strict=True):
        assert printed == pytest.approx(float(expected), abs=5e-16)


def test_from_1():
    actual = distances(range(250))
    counted = {dim: falls(dim) for dim in (1024, 128, 32, 4096)}
    values = [counted[1024][0], len(actual) - 1]
    values += [counted[128][0], counted[32][0], counted[4096][0]]
    check_exhibit("002-from-1", values)
    close(np.ravel(exported("002-from-1")), actual)


def test_histogram():
    actual, more = spread(250), spread(1000)
    assert np.median(actual) > 0.5
    values = [len(actual), actual.min()]
    values += [more.mean()]
    check_exhibit("002-histogram", values, given="0.5")
    bins = exported("002-histogram")
    assert bins[:, 3].sum() == len(actual)
    counts, _ = np.histogram(actual, np.append(bins[:, 0], bins[-1, 1]))
    close(bins[:, 2], counts / len(actual), 2e-4)


def test_matrix():
    actual = distances(range(250))
    rows = table(range(250), 1024)
    neighbours = abs(np.diff(rows, axis=0)).sum(axis=1)
    values = [neighbours.min(), neighbours.max()]
    check_exhibit("002-matrix", values, given="0 1")
    whole = cdist(rows, rows, "cosine")
    close(exported("002-matrix"), whole)
    close(whole[1, 1:], actual[:249])


def test_umap():
    shares = []
    release = float(projection.STORED_UMAP_VERSION.split()[1].rpartition(".")[0])
    for seed in (0, 1, 42):
        points = exported("002-umap", {"options.projection.seed": seed})
        shares.append(share_of_neighbours(points))
    values = [shares[-1], release]
    check_exhibit("002-umap", values)


def share_of_neighbours(rows):
    """Return the percentage of rows whose nearest row is the previous or next one."""
    apart = squareform(pdist(rows))
    np.fill_diagonal(apart, np.inf)
    return 100 * (abs(apart.argmin(axis=1) - np.arange(len(rows))) == 1).mean()


def test_pca():
    points, shares = components(1024)
    _, narrow = components(64)
    values = [100 * shares[:2].sum()]
    values += [component_count(narrow, 0.99)]
    check_exhibit("002-pca", values, given="99")
    assert points[0, 0] == pytest.approx(-points[999, 0])
    assert points[0, 1] == pytest.approx(points[999, 1])
    actual = exported("002-pca")
    signs = np.sign((actual * points).sum(axis=0))
    close(actual * signs, points, 1e-9)


def test_sum_or_concat():
    position = angle_between(*table([0, 4], 16))
    added, appended = she_twice(16)
    wide_added, wide_appended = she_twice(1024)
    assert wide_added == pytest.approx(wide_appended, abs=1e-3)
    values = [position, appended, added, 16 + 16]
    check_exhibit("002-sum-or-concat", values, given="16")
    assert appended == pytest.approx((1 + position) / 2)
    vectors, positions = toy_words(SENTENCES[0], 16)[:5], table(range(5), 16)
    appended_rows = np.hstack([vectors, positions])
    at_left = {"options.tokens.join": "concatenation"}
    for rows, actual in (
        (vectors + positions, exported("002-sum-or-concat")),
        (appended_rows, exported("002-sum-or-concat", at_left)),
        (positions, numbers_after_try("002-sum-or-concat", 0)),
    ):
        close(actual, 1 - cdist(rows, rows, "cosine"))
    actual = numbers_after_try("002-sum-or-concat", 2)
    close(actual, appended_rows)
    assert numbers_after_try("002-sum-or-concat", 3).shape == (5, 16)


def test_rotary():
    values = [similarities([256], 128)[0]]
    values += [len(rates(128))]
    values += [similarities([4096], 128)[0], similarities([256], 128, 500_000)[0]]
    check_exhibit("002-rotary", values, given="1")
    actual = np.ravel(exported("002-rotary"))
    close(actual, distances(range(4097), 128))
