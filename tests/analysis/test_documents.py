"""What the documents and their exhibits say of speeds, shifts and lengths, by formulas anew."""

import math

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import distance, shift
from pe_explorer.analysis.moved_rows import largest_differences
from pe_explorer.commandline.main import main


def sines(dim=128, base=1e4, **parameters):
    return encodings.create("sinusoidal", dim=dim, base=base, **parameters)


def rates(dim=128, base=1e4):
    """Return the frequencies of an even width by their definition."""
    return base ** (-2 * np.arange(dim // 2) / dim)


def rows(positions, dim=128, base=1e4):
    """Return interleaved rows in plain float64."""
    angles = np.outer(positions, rates(dim, base))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(positions), -1)


def similarity(separation, dim=128, base=1e4):
    """Return the mean over the pairs of cos(separation · ω)."""
    return float(np.cos(separation * rates(dim, base)).mean())


# -- reach against resolution ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "apart", "half", "slowest"),
    [(1e2, 0.05574, 5, 584.7), (1e4, 0.02979, 46, 54_410), (1e8, 0.01692, 725, 471_172_428)],
)
def test_a_greater_base_reaches_farther_and_tells_neighbours_less_apart(base, apart, half, slowest):
    e = sines(base=base)
    found = distance.from_reference(e, 0, range(1000), "cosine")
    truth = [1 - similarity(p, base=base) for p in range(1000)]
    np.testing.assert_allclose(found, truth, atol=1e-12)
    assert found[1] == pytest.approx(apart, abs=5e-6)
    assert int((found > 0.5).argmax()) == half
    assert e.wavelengths()[-1] == pytest.approx(slowest, rel=1e-4)
    assert e.wavelengths()[-1] == pytest.approx(2 * math.pi / rates(base=base)[-1], rel=1e-12)


def test_a_base_of_a_million_and_the_reach_of_a_hundred():
    assert distance.between(sines(base=1e6), 0, 1) == pytest.approx(0.02119, abs=5e-6)
    assert sines(base=1e6).wavelengths()[-1] == pytest.approx(5_063_256, abs=0.5)
    assert distance.between(sines(base=1e2), 0, 249) == pytest.approx(1.1009, abs=5e-5)
    assert 1 - similarity(249, base=1e2) == pytest.approx(1.1009, abs=5e-5)


def test_the_slowest_clock_of_a_lesson_has_22_500_positions():
    for base, slowest in ((3986.0, 22_000), (4078.0, 22_500), (4169.0, 23_000)):
        assert sines(base=base).wavelengths()[-1] == pytest.approx(slowest, abs=5)
    within = [22_000 <= sines(base=b).wavelengths()[-1] <= 23_000 for b in (3985, 3986, 4169, 4170)]
    assert within == [False, True, True, False]


def test_bases_near_1_turn_all_clocks_together():
    for base, shortest, longest in (
        (1.001, 6.28319, 6.28937),
        (1.1, 6.28319, 6.9012),
        (2, 6.28319, 12.43),
    ):
        lengths = sines(base=base).wavelengths()
        np.testing.assert_allclose(lengths, 2 * math.pi / rates(base=base), rtol=1e-12)
        assert (lengths[0], lengths[-1]) == pytest.approx((shortest, longest), abs=5e-3)
    assert sines(base=1.001).wavelengths()[-1] == pytest.approx(6.28937, abs=5e-6)
    near = sines(base=1.001)
    for separation, apart in ((1, 0.45928), (3, 1.98978), (44, 8.82e-5)):
        assert distance.between(near, 0, separation) == pytest.approx(apart, rel=1e-3)
    assert distance.between(sines(base=1.1), 0, 44) == pytest.approx(1.1877, abs=5e-5)
    assert 1 - distance.between(sines(base=1.1), 0, 13) == pytest.approx(0.931, abs=5e-4)
    assert distance.between(sines(base=2), 0, 1) == pytest.approx(0.25938, abs=5e-6)
    assert distance.between(sines(base=2), 0, 44) == pytest.approx(0.98692, abs=5e-6)


# -- past the end ------------------------------------------------------------------------------


@pytest.mark.parametrize(("seen", "leaving"), [(50, 68), (512, 56)])
def test_dimensions_leave_the_range_that_was_seen(seen, leaving):
    for table in (sines().table, rows):
        before, after = table(range(seen)), table(range(seen, 2 * seen))
        above = (after - before.max(axis=0)).max(axis=0)
        below = (before.min(axis=0) - after).max(axis=0)
        beyond = np.maximum(above, below)
        assert int((beyond > 0.01).sum()) == leaving
        if seen == 50:
            assert beyond.argmax() == 51
            assert beyond[51] == pytest.approx(1.136, abs=5e-4)


# -- numbers of words --------------------------------------------------------------------------


def test_numbers_of_words_drown_them_but_take_no_more_memory(tmp_path):
    (row,) = encodings.create("index", dim=512).table([5000])
    assert np.linalg.norm(row) == pytest.approx(113_137, abs=0.5)
    assert 5000 * math.sqrt(512) == pytest.approx(113_137, abs=0.5)
    assert np.linalg.norm(sines(dim=512).table([5000])) == pytest.approx(16, rel=1e-12)
    sizes = []
    for name in ("index", "sinusoidal"):
        target = tmp_path / f"{name}.npy"
        words = ["--encoding", name, "--dim", "512", "--positions", "5000+1", "--dtype", "float32"]
        assert main(["export", *words, "--carry", "omit", "-o", str(target)]) == 0
        sizes.append(np.load(target).nbytes)
    assert sizes == [4 * 512, 4 * 512]


# -- ten back ----------------------------------------------------------------------------------


def notebook(positions):
    """Return the third document's rows as its code makes them: all sines, then all cosines."""
    depth = np.arange(256)
    angles = np.arange(positions.start, positions.stop)[:, None] * (1 / 10_000 ** (depth / 255))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@pytest.mark.parametrize(("start", "error"), [(10, 5.43e-15), (10**6, 1.2e-10), (10**9, 1.07e-7)])
def test_the_notebook_gets_worse_with_the_position_and_exact_rows_do_not(start, error):
    rate = 1 / 10_000 ** (np.arange(256) / 255)
    c, s = np.diag(np.cos(-10 * rate)), np.diag(np.sin(-10 * rate))
    matrix = np.block([[c, -s], [s, c]])
    here, there = range(start, start + 50), range(start - 10, start + 40)
    left = np.abs(notebook(here) @ matrix - notebook(there)).max()
    assert left == pytest.approx(error, rel=0.15)  # the last digits are those of a library
    e = sines(dim=512, layout="concatenated", spacing="endpoint")
    np.testing.assert_allclose(shift.matrix(e, -10), matrix, atol=2e-15)
    exact = largest_differences(e, -10, shift.sparse_shift(e, -10), here)
    assert exact.max() < 1.15e-15


def test_nine_clocks_leave_less_than_1e_15_and_go_back_by_the_transpose():
    e = sines(dim=18)
    assert largest_differences(e, 10, shift.sparse_shift(e, 10), range(100)).max() < 1e-15
    np.testing.assert_array_equal(shift.matrix(e, -10), shift.matrix(e, 10).T)


# -- a lone sine -------------------------------------------------------------------------------


def test_a_lone_sine_has_no_constant_length_and_no_constant_distances():
    e, positions = sines(dim=7), np.arange(8001)
    frequencies = 1e4 ** (-2 * np.arange(4) / 7)
    angles = np.outer(positions, frequencies)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(8001, 8)[:, :7]
    table = e.table(positions)
    np.testing.assert_allclose(table, pairs, atol=1e-11)
    squares = (table**2).sum(axis=1)
    assert squares[0] == pytest.approx(3, rel=1e-15)
    assert int(squares.argmax()) in (4213, 4214)
    assert squares[4213] == pytest.approx(3.99999987, abs=5e-9)
    assert 2 * math.pi / frequencies[-1] == pytest.approx(16_855.9, abs=0.05)
    for start, apart in ((0, 0.69613), (1000, 0.66639), (4000, 0.52289)):
        assert distance.between(e, start, start + 10) == pytest.approx(apart, abs=5e-6)
        assert distance.between(sines(dim=6), start, start + 10) == pytest.approx(0.64837, abs=5e-6)
    ended = sines(dim=7, spacing="endpoint").table(positions)
    assert not ended[:, 6].any()
    np.testing.assert_allclose((ended**2).sum(axis=1), 3, rtol=1e-14)
