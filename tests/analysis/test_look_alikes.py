"""Look-alikes lie outside the valley around a position, also where its slopes are rough."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import properties


def rough_table(rows, width, seed):
    """Return rows that drift slowly, as learned ones do, with noise on them."""
    pick = np.random.default_rng(seed)
    steps = pick.normal(size=(rows, width)).cumsum(axis=0)
    slow = np.stack([np.convolve(column, np.ones(25) / 25, "same") for column in steps.T], axis=1)
    slow /= np.linalg.norm(slow, axis=1, keepdims=True)
    return slow + 0.006 * pick.normal(size=(rows, width))


def valley(distances, place):
    """Return how far distances stay below a quarter of the median, walking to both sides."""
    edge = np.median(distances) / 4
    low, high = place, place
    while low > 0 and distances[low - 1] < edge:
        low -= 1
    while high + 1 < len(distances) and distances[high + 1] < edge:
        high += 1
    return low, high


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_look_alikes_are_minima_outside_the_valley(tmp_path, metric):
    table = rough_table(600, 48, seed=29)
    np.save(tmp_path / "rough.npy", table)
    e = encodings.create("learned", file=str(tmp_path / "rough.npy"))
    for position in (100, 381, 500):
        if metric == "euclidean":
            distances = np.linalg.norm(table - table[position], axis=1)
        else:
            unit = table / np.linalg.norm(table, axis=1, keepdims=True)
            distances = 1 - unit @ unit[position]
        low, high = valley(distances, position)
        assert high - low > 5  # the nearest minima of its slopes are not look-alikes
        found = properties.look_alikes(e, position, range(600), metric, most=5)
        assert found
        for one in found:
            assert not low <= one.position <= high, (position, one, low, high)
            beside = distances[one.position - 1 : one.position + 2]
            assert distances[one.position] == beside.min()
            assert one.distance == pytest.approx(distances[one.position])


def test_a_smooth_encoding_has_those_beyond_the_first_slope():
    """Sines and cosines from position 0, measured by their definition."""
    e = encodings.create("sinusoidal")
    offsets = np.arange(400)
    likeness = np.cos(np.outer(offsets, 1e4 ** (-np.arange(64) / 64))).mean(axis=1)
    first_rise = np.flatnonzero(np.diff(likeness) > 0)[0]
    inner = likeness[1:-1]
    peaks = np.flatnonzero((inner > likeness[:-2]) & (inner >= likeness[2:])) + 1
    peaks = peaks[peaks > first_rise]
    wanted = peaks[np.argsort(-likeness[peaks], kind="stable")][:5]
    found = properties.look_alikes(e, 0, range(400), most=5)
    assert [one.position for one in found] == wanted.tolist()
