"""Caches are bounded in bytes and report their size."""

import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import angles
from pe_explorer.caching import cache_results, shrink_all
from pe_explorer.encodings import sinusoidal
from pe_explorer.numeric import rotation
from pe_explorer.numeric.turns import make_geometric_turns
from pe_explorer.pictures import clock_pixels

OF_COLUMNS = (sinusoidal._find_waves, sinusoidal._make_sine_mask)
"""The caches of columns of encodings."""


@pytest.fixture
def allocated():
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()


def test_latest_results_are_cached_while_they_fit():
    computed = []

    @cache_results(8)
    def array(letter, length):
        """Return an array."""
        computed.append(letter)
        return np.zeros(length, dtype=np.uint8)

    assert [len(array("a", 4)), len(array("b", 4)), len(array("a", 4))] == [4, 4, 4]
    assert (computed, array.nbytes, array.__doc__) == (["a", "b"], 8, "Return an array.")
    array("c", 4)
    assert (array.nbytes, len(array)) == (8, 2)
    array("a", 4)
    assert computed == ["a", "b", "c"]
    array("b", 4)
    assert computed == ["a", "b", "c", "b"]
    shrink_all(5)
    assert (array.nbytes, len(array)) == (4, 1)
    array("b", 4)
    array("a", 4)
    assert computed == ["a", "b", "c", "b", "a"]
    array.shrink(0)
    assert (array.nbytes, len(array)) == (4, 1)  # the latest is always cached
    assert array("d", 99) is array("d", 99)
    assert (computed[5:], array.nbytes, len(array)) == (["d"], 99, 1)


def test_a_result_computed_in_several_threads_is_cached_once():
    meet = threading.Barrier(4)

    @cache_results(100)
    def slow(letter):
        meet.wait(60)
        return np.zeros(10, dtype=np.uint8)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(slow, "xxxx"))
    assert (len(slow), slow.nbytes) == (1, 10)


def use(e, count):
    """Fill the caches of an encoding as a table of `count` positions does."""
    assert len(e.periods()) == e.wave_indices.size
    for _, tile in e.turns.tiles:
        rotation.anchors(tile, range(0, 2 * count, 2))
        tile.phasors(np.array([0.25]))


def test_caches_of_many_wide_encodings_are_bounded(allocated):
    """Without a bound, sixteen of the widest took up to 2 GB, because undo refers to them."""
    wide, before = [], allocated()
    for base in range(8):
        wide.append(encodings.create("sinusoidal", dim=16_384, base=100.0 + base))
        use(wide[-1], 300_000)
        assert len(wide[-1].sines) == 16_384
    grown = allocated() - before
    reported = make_geometric_turns.nbytes + sum(cache.nbytes for cache in OF_COLUMNS)
    assert grown <= reported + 2**20
    assert reported <= 2**26 + 2 * 2**21
    assert wide[-1].turns is wide[-1].turns


@pytest.mark.sampled(1)
@pytest.mark.parametrize("waves", ["both", "sine"])
def test_caches_of_the_widest_encodings_are_bounded(waves):
    for base in range(6):
        use(encodings.create("sinusoidal", dim=65_536, base=100.0 + base, waves=waves), 50)
        assert make_geometric_turns.nbytes <= 2**26
        assert all(cache.nbytes <= 2**21 for cache in OF_COLUMNS)
    assert 1 < len(make_geometric_turns) < 6


def test_everything_is_cached_for_usual_encodings():
    """The cache has room for an exploration with all its pins."""
    usual = [encodings.create("sinusoidal", dim=4096, base=200.0 + base) for base in range(9)]
    for e in usual:
        use(e, 10**6)
    first = [e.turns for e in usual]
    assert all(e.turns is turns for e, turns in zip(usual, first, strict=True))
    for _, tile in (each for turns in first for each in turns.tiles):
        assert tile.multiples(2, 64, 64) is tile.multiples(2, 64, 64)


def test_cache_of_angle_differences_is_bounded(allocated):
    others = [encodings.create("sinusoidal", dim=8192, base=300.0 + base) for base in range(6)]
    e = encodings.create("sinusoidal", dim=8192)
    known = [x.turns.frequencies for x in (e, *others)]
    assert len(known) == 7
    before, of_tiles = allocated(), make_geometric_turns.nbytes
    for other in others:
        use(angles.subtract_angles(e, other), 4096)
    grown = allocated() - before - max(0, make_geometric_turns.nbytes - of_tiles)
    assert grown <= angles.subtract_angles.nbytes + 2**20
    assert angles.subtract_angles.nbytes <= 2**25
    assert len(angles.subtract_angles) < 6


def test_cache_of_large_clocks_is_bounded(allocated):
    """Printed pictures have circles of thousands of pixels."""
    band, before = clock_pixels._make_band, allocated()
    for radius in (700.0, 800.0, 900.0):
        band(radius, 12.0)
    assert allocated() - before <= band.nbytes + 2**20
    assert len(band) < 3
