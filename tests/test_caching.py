"""Caches are bounded in bytes, and what they say of their size is true."""

import threading
import tracemalloc

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import angles
from pe_explorer.caching import cached
from pe_explorer.encodings.abilities import pair_columns
from pe_explorer.numeric import rotation
from pe_explorer.numeric.turns import geometric
from pe_explorer.pictures import clock_pixels

OF_COLUMNS = (pair_columns._wave_of, pair_columns._sines)
"""What is kept of the columns of encodings."""


@pytest.fixture
def traced():
    """Return a function that tells the bytes allocated since the last call of it."""
    tracemalloc.start()
    last = 0

    def grown():
        nonlocal last
        now = tracemalloc.get_traced_memory()[0]
        grown, last = now - last, now
        return grown

    yield grown
    tracemalloc.stop()


def test_the_latest_results_are_kept_as_long_as_they_fit():
    made = []

    @cached(10)
    def array(letter, length):
        """Return an array."""
        made.append(letter)
        return np.zeros(length, dtype=np.uint8)

    assert [len(array("a", 4)), len(array("b", 4)), len(array("a", 4))] == [4, 4, 4]
    assert (made, array.nbytes, array.__doc__) == (["a", "b"], 8, "Return an array.")
    array("c", 4)
    assert (array.nbytes, len(array)) == (8, 2)
    array("a", 4)
    assert made == ["a", "b", "c"]
    array("b", 4)
    assert made == ["a", "b", "c", "b"]
    assert array("d", 99) is array("d", 99)
    assert (made[4:], array.nbytes, len(array)) == (["d"], 99, 1)


def test_results_made_in_several_threads_at_once_count_once():
    meet = threading.Barrier(4)

    @cached(100)
    def slow(letter):
        meet.wait(60)
        return np.zeros(10, dtype=np.uint8)

    threads = [threading.Thread(target=slow, args=("x",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(slow), slow.nbytes) == (1, 10)


def use(e, count):
    """Ask an encoding for all that is kept of it, as tables of `count` positions do."""
    assert len(e.periods()) == e.wave_of.size
    for _, tile in e.turns.tiles:
        rotation.anchors(tile, range(0, 2 * count, 2))
        tile.exact(np.array([0.25]))


def test_what_is_kept_of_many_wide_encodings(traced):
    """Before there was a bound, sixteen of the widest took up to 2 GB; their explorations stay in
    the history of undo.
    """
    kept = []
    traced()
    for base in range(8):
        kept.append(encodings.create("sinusoidal", dim=16_384, base=100.0 + base))
        use(kept[-1], 300_000)
        assert len(kept[-1].sines) == 16_384
    grown = traced()
    said = geometric.nbytes + sum(cache.nbytes for cache in OF_COLUMNS)
    assert grown <= said + 2**20
    assert said <= 2**26 + 2 * 2**21
    assert kept[-1].turns is kept[-1].turns


@pytest.mark.parametrize("waves", ["both", "sine"])
def test_what_is_kept_of_the_widest_encodings(waves):
    for base in range(6):
        use(encodings.create("sinusoidal", dim=65_536, base=100.0 + base, waves=waves), 50)
        assert geometric.nbytes <= 2**26
        assert all(cache.nbytes <= 2**21 for cache in OF_COLUMNS)
    assert 1 < len(geometric) < 6


def test_what_is_kept_of_usual_encodings_is_all():
    """The cache holds more than an exploration with all its pins asks for."""
    usual = [encodings.create("sinusoidal", dim=4096, base=200.0 + base) for base in range(9)]
    for e in usual:
        use(e, 10**6)
    first = [e.turns for e in usual]
    assert [e.turns is turns for e, turns in zip(usual, first, strict=True)] == [True] * 9
    multiples = [
        tile.multiples(2, 64, 64) is tile.multiples(2, 64, 64)
        for turns in first
        for _, tile in turns.tiles
    ]
    assert multiples == [True] * len(multiples)


def test_what_is_kept_of_differences_of_angles(traced):
    others = [encodings.create("sinusoidal", dim=8192, base=300.0 + base) for base in range(6)]
    e = encodings.create("sinusoidal", dim=8192)
    known = [x.turns.frequencies for x in (e, *others)]
    assert len(known) == 7
    before = geometric.nbytes
    traced()
    for other in others:
        use(angles.angle_difference(e, other), 4096)
    assert traced() <= angles.angle_difference.nbytes + max(0, geometric.nbytes - before) + 2**20
    assert angles.angle_difference.nbytes <= 2**25
    assert len(angles.angle_difference) < 6


def test_what_is_kept_of_large_clocks(traced):
    """Pictures for print have circles of thousands of pixels."""
    band = clock_pixels._band
    traced()
    for radius in (700.0, 800.0, 900.0):
        band(radius, 12.0)
    assert traced() <= band.nbytes + 2**20
    assert len(band) < 3


def test_a_cache_shrinks_to_its_latest_results():
    made = []

    @cached(100)
    def array(size):
        made.append(size)
        return np.zeros(size, np.uint8)

    for size in (10, 20, 30):
        array(size)
    array.shrink(55)
    assert (array.nbytes, len(array)) == (50, 2)
    array(30)
    assert made == [10, 20, 30]
    array(10)
    assert made == [10, 20, 30, 10]
    array.shrink(0)
    assert (array.nbytes, len(array)) == (10, 1)  # the latest one is in use
