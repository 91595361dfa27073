"""Frequencies, phases and means of waves, against 80 digits."""

import numpy as np
import pytest

from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.phasors import TWO_PI, phasors_of
from pe_explorer.numeric.turns import Turns, geometric
from tests.support.definitions import mp

PROGRESSIONS = [(1e4, 2, 64, 32, 1.0), (1.1, 1, 7, 7, -3.0), (5e5, 2, 6, 3, 1e-9)]
every_progression = pytest.mark.parametrize("progression", PROGRESSIONS, ids=str)


def frequency(progression, wave):
    """Return the exact frequency of a wave, from its definition."""
    base, numerator, denominator, _, scale = map(mp.mpf, progression)
    return scale * base ** (-wave * numerator / denominator)


def phasor(progression, wave, half_steps):
    return mp.expj(frequency(progression, wave) * half_steps / 2)


def test_a_turn_has_two_pi_radians():
    assert abs(mp.mpf(str(TWO_PI)) - 2 * mp.pi) < mp.mpf(10) ** -79


@pytest.mark.parametrize(
    "phase", [0, 1, -1, 2**61, -(2**61) - 1, 2**62, 2**63 - 1, -(2**63), 12345]
)
def test_phasors_of_phases(phase):
    exact = mp.expj(2 * mp.pi * phase / mp.mpf(2) ** 64)
    found = phasors_of(np.array([phase]))[0]
    assert abs(found.real - exact.real) <= 1.2e-16
    assert abs(found.imag - exact.imag) <= 1.2e-16


@every_progression
def test_precise_phasors_keep_their_digits_near_zero(progression):
    half_steps = [1, 2, 355, 710, 2**53 + 1]
    found = geometric(*progression).precise(np.array(half_steps))
    for row, place in enumerate(half_steps):
        for wave in range(progression[3]):
            exact = phasor(progression, wave, place)
            assert found[row, wave].imag == pytest.approx(float(exact.imag), rel=1e-15)
            assert found[row, wave].real == pytest.approx(float(exact.real), rel=1e-15)


def test_a_part_has_the_frequencies_of_its_waves():
    turns = geometric(1e4, 2, 64, 32)
    part = turns.part(slice(5, 9))
    np.testing.assert_array_equal(part.frequencies, turns.frequencies[5:9])
    assert sum(len(tile) for _, tile in turns.tiles) == len(turns)


@every_progression
@pytest.mark.parametrize(
    "half_steps",
    [range(0), range(7, 8), range(-9, 9000, 6), range(10**15, 10**15 - 700, -2)],
    ids=str,
)
def test_rotation_gives_what_each_phase_by_itself_gives(progression, half_steps):
    turns = geometric(*progression)
    amplitude = np.linspace(-1, 1, len(turns))
    found = rotation.gather(turns, half_steps, amplitude)
    each = np.array(half_steps, dtype=np.int64)
    np.testing.assert_allclose(found, turns.exact(each) * amplitude, rtol=0, atol=1e-15)
    scattered = rotation.gather(turns, each, amplitude)
    np.testing.assert_allclose(scattered, turns.exact(each) * amplitude, rtol=0, atol=1e-15)


def test_more_waves_than_fit_together():
    turns = geometric(1e4, 1, 600, 600)
    covered = np.zeros((300, 600), dtype=int)
    for rows, waves, block in rotation.sweep(turns, range(0, 600, 2)):
        covered[rows, waves] += 1
        assert block.shape == covered[rows, waves].shape
    assert (covered == 1).all()


@pytest.mark.parametrize("count", [0, 1, 5, 6])
def test_every_anchor_is_turned_by_every_fine_phasor(count):
    anchors, fine = np.array([[1j], [2.0]]), np.array([[1.0], [3.0], [1j]])
    out = np.empty((count, 1), dtype=complex)
    assert rotation.rotate(anchors, fine, out) is out
    middle = slice(1, 2) if count == 1 else slice(count)  # of a block that is not full
    assert out[:, 0].tolist() == [1j, 3j, -1, 2, 6, 2j][middle]


@every_progression
@pytest.mark.parametrize("block", [1, 2, 3, 64, 999_983, 10**12])
def test_means_are_geometric_sums(progression, block):
    turns = geometric(*progression)
    found, losses = block_means.amplitudes(turns, block), block_means.losses(turns, block)
    for wave in range(len(turns)):
        half = frequency(progression, wave) / 2
        exact = mp.sin(block * half) / (block * mp.sin(half))
        assert found[wave] == pytest.approx(float(exact), rel=1e-13, abs=4e-16)
        assert losses[wave] == pytest.approx(float(1 - exact), rel=1e-13, abs=1e-300)


def test_a_wave_of_a_whole_turn_has_its_full_length():
    whole_turn, half_turn = Turns.from_fixed([1 << 256]), Turns.from_fixed([1 << 255])
    assert block_means.amplitudes(whole_turn, 1000).tolist() in ([1.0], [-1.0])
    assert abs(block_means.amplitudes(half_turn, 1000)[0]) <= 1e-18
