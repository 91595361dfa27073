"""Frequencies, phases and means of waves, against 80 digits."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.phasors import TWO_PI, compute_phasors
from pe_explorer.numeric.turns import ONE_TURN, Turns, make_geometric_turns, multiply, to_half_steps
from tests.support.definitions import mp

PROGRESSIONS = [(1e4, 2, 64, 32, 1.0), (1.1, 1, 7, 7, -3.0), (5e5, 2, 6, 3, 1e-9)]
every_progression = pytest.mark.parametrize("progression", PROGRESSIONS, ids=str)


def frequency(progression, wave):
    """Return the exact frequency of a wave, from its definition."""
    base, numerator, denominator, _, scale = map(mp.mpf, progression)
    return scale * base ** (-wave * numerator / denominator)


def phasor(progression, wave, half_steps):
    return mp.expj(frequency(progression, wave) * half_steps / 2)


def test_two_pi_has_80_digits():
    assert abs(mp.mpf(str(TWO_PI)) - 2 * mp.pi) < mp.mpf(10) ** -79


def test_phasors_of_phases_are_within_051_ulp():
    ends = [0, 1, 12345, 2**55 - 1, 2**61 + 7, 2**62 + 2**55 - 1, 2**63 - 1, 3 * 2**55, 77 * 2**55]
    phases = [*ends, *(-phase - 1 for phase in ends)]
    for phase, found in zip(phases, compute_phasors(np.array(phases)).tolist(), strict=True):
        exact = mp.expj(2 * mp.pi * phase / mp.mpf(2) ** 64)
        for part, expected in ((found.real, exact.real), (found.imag, exact.imag)):
            assert abs(part - expected) <= max(0.51 * math.ulp(part), 1.7e-19), phase


@every_progression
def test_precise_phasors_are_accurate_near_zero(progression):
    half_steps = [1, 2, 355, 710, 2**53 + 1]
    found = make_geometric_turns(*progression).compute_precise_phasors(np.array(half_steps))
    for row, place in enumerate(half_steps):
        for wave in range(progression[3]):
            exact = phasor(progression, wave, place)
            assert found[row, wave].imag == pytest.approx(float(exact.imag), rel=1e-15)
            assert found[row, wave].real == pytest.approx(float(exact.real), rel=1e-15)


def test_precise_phasors_of_fractions():
    steps = [Fraction(1, 3), Fraction(-7, 2), Fraction(2**60 + 1, 128)]
    found = make_geometric_turns(*PROGRESSIONS[1]).compute_precise_phasors(
        np.array(steps, dtype=object)
    )
    for (row, wave), number in np.ndenumerate(found):
        exact = phasor(PROGRESSIONS[1], wave, mp.mpf(steps[row].numerator) / steps[row].denominator)
        assert number.imag == pytest.approx(float(exact.imag), rel=1e-15)
        assert number.real == pytest.approx(float(exact.real), rel=1e-15)


@every_progression
def test_selected_and_multiplied_frequencies(progression):
    turns = make_geometric_turns(*progression)
    assert (turns.radians is None) == (abs(progression[4]) >= 0.5)  # digits of fixed point
    for waves in (slice(1, 3), [2, 0]):
        for part, whole in zip(
            turns.part(waves).radians_with_error, turns.radians_with_error, strict=True
        ):
            np.testing.assert_array_equal(part, whole[waves])
    assert sum(len(tile) for _, tile in turns.tiles) == len(turns)
    times = multiply(turns, [(3, 7)] * len(turns)).frequencies
    np.testing.assert_allclose(times, turns.frequencies * 3 / 7, rtol=1e-15)


def test_few_multiples_are_cached():
    turns = make_geometric_turns(1e4, 2, 64, 32)
    fine, coarse = turns.multiples(6, 4, 3)
    for found, steps in ((fine, [-12, -6, 0, 6]), (coarse, [0, 24, 48])):
        np.testing.assert_array_equal(found, turns.phasors(np.array(steps)))
    assert turns.multiples(6, 4, 3)[0] is fine
    assert turns.multiples(6, 4, 2)[0] is not turns.multiples(6, 4, 3)[0]  # only the latest
    assert turns.multiples(1, 64, 64)[0] is turns.multiples(1, 64, 64)[0]
    assert turns.multiples(1, 65, 64)[0] is not turns.multiples(1, 65, 64)[0]
    many, none = Turns.from_fixed([1] * 2**16), Turns.from_fixed([])
    assert 0 == none.nbytes < turns.nbytes < many.nbytes < 2**16 * 208 + 2**23 + 1


def test_a_position_has_two_half_steps():
    for positions in (range(3, 20, 5), np.array([4, -1, 2**53])):
        found = to_half_steps(positions, 7)
        assert list(found) == [2 * (p + 7) for p in positions]
    assert to_half_steps(range(3, 20, 5), 7) == range(20, 54, 10)
    found = to_half_steps(np.array([0.125, -2.75]), 2**53)
    assert found["whole"].tolist() == [2**54, 2**54 - 6]
    assert found["remainder"].tolist() == [0.25, 0.5]


@every_progression
@pytest.mark.parametrize(
    "half_steps",
    [range(0), range(-12, 9000, 6), range(10**15, 10**15 - 700, -2), range(-146, 0, 2)],
    ids=str,
)
def test_rotation_equals_phasors_of_single_phases(progression, half_steps):
    turns = make_geometric_turns(*progression)
    steps = np.array(half_steps, dtype=np.int64)
    is_small = np.abs(turns.angles(steps)) < 1
    for amplitude in (None, np.linspace(-1, 1, len(turns)), np.linspace(1, 2j, len(turns))):
        found = rotation.gather(turns, half_steps, amplitude)
        exact = turns.phasors(steps) * (1 if amplitude is None else amplitude)
        np.testing.assert_allclose(found, exact, rtol=0, atol=2e-15)
        np.testing.assert_array_equal(found[steps == 0], exact[steps == 0])
        if not np.iscomplexobj(amplitude):  # sines of small angles keep their digits
            np.testing.assert_allclose(
                found.imag[is_small], exact.imag[is_small], rtol=1e-13, atol=0
            )
        scattered = rotation.gather(turns, steps, amplitude)
        np.testing.assert_array_equal(scattered, exact)


def test_sweep_covers_more_waves_than_one_tile():
    turns = make_geometric_turns(1e4, 1, 600, 600)
    covered = np.zeros((300, 600), dtype=int)
    for rows, waves, block in rotation.sweep(turns, range(0, 600, 2)):
        covered[rows, waves] += 1
        assert block.shape == covered[rows, waves].shape
    assert (covered == 1).all()


@pytest.mark.parametrize("count", [0, 1, 5, 6])
def test_rotate_multiplies_every_anchor_by_every_fine_phasor(count):
    anchors, fine = np.array([[1j], [2.0]]), np.array([[1.0], [3.0], [1j]])
    out = np.empty((count, 1), dtype=complex)
    assert rotation.rotate(anchors, fine, out) is out
    middle = slice(1, 2) if count == 1 else slice(count)  # of an incomplete block
    assert out[:, 0].tolist() == [1j, 3j, -1, 2, 6, 2j][middle]


@every_progression
@pytest.mark.parametrize("block", [1, 2, 3, 64, 999_983, 10**12])
def test_block_means_are_geometric_sums(progression, block):
    turns = make_geometric_turns(*progression)
    found, losses = block_means.amplitudes(turns, block), block_means.compute_losses(turns, block)
    for wave in range(len(turns)):
        half = frequency(progression, wave) / 2
        exact = mp.sin(block * half) / (block * mp.sin(half))
        assert found[wave] == pytest.approx(float(exact), rel=1e-13, abs=4e-16)
        assert losses[wave] == pytest.approx(float(1 - exact), rel=1e-13, abs=1e-300)


def test_a_wave_of_a_whole_turn_per_position_has_amplitude_1():
    whole_turn, half_turn = Turns.from_fixed([1 << 256]), Turns.from_fixed([1 << 255])
    assert block_means.amplitudes(whole_turn, 1000).tolist() in ([1.0], [-1.0])
    assert abs(block_means.amplitudes(half_turn, 1000)[0]) <= 1e-18


def turns_of(frequencies):
    """Return the turns of frequencies in radians per position, and their exact frequencies."""
    turns = Turns.from_fixed([int(mp.floor(w / (2 * mp.pi) * ONE_TURN)) for w in frequencies])
    return turns, [2 * mp.pi * fixed / ONE_TURN for fixed in turns.fixed]


ROOT = mp.sqrt(2)  # no float64 number is near


@pytest.mark.parametrize(
    "frequencies", [[1e-3, -0.5, 2.1], [1e-30, 0.5], [4.9, 1.0], [-(10**9), 1]], ids=str
)
def test_rounding_errors_of_frequencies(frequencies):
    turns, exact = turns_of([ROOT * w for w in frequencies])
    for rounded, error, w in zip(*turns.radians_with_error, exact, strict=True):
        assert rounded == float(w)
        assert error == pytest.approx(float(w - mp.mpf(float(rounded))), rel=1e-9)
    scaled = make_geometric_turns(1e4, 2, 8, 4, 1e-9)
    for wave, (rounded, error) in enumerate(zip(*scaled.radians_with_error, strict=True)):
        w = frequency((1e4, 2, 8, 4, 1e-9), wave)
        assert abs(mp.mpf(float(rounded)) + mp.mpf(float(error)) - w) <= w * mp.mpf(10) ** -30


SLOW_TO_FAST = [ROOT * w for w in (1e-6, 1e-3, 0.02, 0.5, 1.0, 2.0)]


@pytest.mark.sampled(21)
@pytest.mark.parametrize("apart", [1e-3, 1e-9, -1e-6])
@pytest.mark.parametrize("block", [1, 2, 3, 64, 100, 1000, 10**6])
def test_differences_of_means_of_similar_waves_are_accurate(apart, block):
    near_a_turn = 2 * mp.pi * (1 - mp.mpf(10) ** -4)
    for frequencies, limit in ((SLOW_TO_FAST, 2e-15), ([near_a_turn], 1e-3)):
        (waves, exact_waves), (others, exact_others) = (
            turns_of([w * factor for w in frequencies]) for factor in (1, 1 + mp.mpf(apart))
        )
        pairs = list(zip(waves.fixed, others.fixed, strict=True))
        halves = Turns.from_fixed([first - second >> 1 for first, second in pairs])
        middles = Turns.from_fixed([first + second >> 1 for first, second in pairs])
        found = block_means.differences(waves, others, halves, middles, block)
        means = [
            [mp.sin(block * w / 2) / (block * mp.sin(w / 2)) for w in exact_frequencies]
            for exact_frequencies in (exact_waves, exact_others)
        ]
        exact = [float(first - second) for first, second in zip(*means, strict=True)]
        unknown = np.isnan(found)
        assert not unknown.any() or (frequencies == [near_a_turn] and abs(exact[0]) < 1e-11)
        np.testing.assert_allclose(found[~unknown], np.array(exact)[~unknown], rtol=limit)


def test_turns_and_angles_are_exact_at_any_position():
    turns, exact = turns_of([ROOT, -ROOT / 7])
    for wave, position, phase in (
        (0, 10**15 + 3, 0),
        (1, -7, ONE_TURN // 3),
        (1, 2**53, -ONE_TURN),
        (0, 0, 5),
    ):
        whole, part = turns.turn(wave, position, phase)
        all_turns = exact[wave] * position / (2 * mp.pi) + mp.mpf(phase) / ONE_TURN
        assert whole == mp.floor(all_turns)
        assert part == pytest.approx(float(all_turns - whole), rel=1e-15)
    for half_steps in (np.array([-3, 0, 1, 2**53 + 1]), np.array([0.1, -2.75, 1e6 + 1 / 3])):
        table, phasors = turns.angles(half_steps), turns.phasors(half_steps)
        for row, steps in enumerate(half_steps.tolist()):
            for wave, w in enumerate(exact):
                angle = w * mp.mpf(steps) / 2
                assert table[row, wave] == float(angle)
                assert abs(mp.mpc(complex(phasors[row, wave])) - mp.expj(angle)) <= 2e-16
