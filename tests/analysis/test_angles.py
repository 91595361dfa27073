"""Differences of angles, against the sum over every position with 80-digit phases."""

import cmath

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer import encodings
from pe_explorer.analysis.angles import degrees, find_common_columns, subtract_angles
from pe_explorer.encodings import LIMIT
from tests.support import oracles, truth
from tests.support.definitions import mp
from tests.support.sinusoids import encodings_of_width

S = encodings.create
TIGHT = 1e-14
NO_WAVES = S("sinusoidal", dim=1, spacing="endpoint")
oracles.of_scheme("sinusoidal")  # load it first: hypothesis cannot import tests while it runs


def off(e, less, start, block, rows, columns):
    """Return the largest error of the means of some dimensions."""
    result = subtract_angles(e, less)
    means = np.c_[result.phasor_means(start, block, rows), np.full(rows, np.nan)][
        :, result.wave_indices
    ]
    assert means.shape == (rows, min(e.width, less.width))
    worst = 0.0
    for row in range(rows):
        for j in columns:
            exact = truth.mean_turned(e, less, start + row * block, block, j)
            assert (
                (exact is None) == bool(np.isnan(means[row, j])) == bool(result.wave_indices[j] < 0)
            )
            worst = max(worst, 0.0 if exact is None else abs(means[row, j] - exact))
    return worst


@settings(max_examples=25, deadline=None)
@given(
    encodings_of_width(1, 40),
    encodings_of_width(1, 40),
    st.integers(-(10**15), 10**15),
    st.sampled_from([1, 2, 3, 10, 37, 256, 1000]),
    st.data(),
)
def test_means_equal_those_over_single_positions(e, less, start, block, data):
    j = data.draw(st.integers(0, min(e.width, less.width) - 1))
    assert off(e, less, start, block, 2, [j]) <= TIGHT


@settings(max_examples=40, deadline=None)
@given(encodings_of_width(1, 40), encodings_of_width(1, 40), st.integers(-LIMIT, LIMIT))
def test_differences_at_single_positions(e, less, p):
    result = subtract_angles(e, less)
    sampled = result.phasors(range(p, p + 1))[0]
    for j in {0, min(e.width, less.width) - 1}:
        exact, wave = truth.mean_turned(e, less, p, 1, j), int(result.wave_indices[j])
        if exact is not None:
            assert abs(cmath.exp(2j * cmath.pi * result.turn(wave, p)[1]) - exact) <= TIGHT
            assert abs(sampled[wave] - exact) <= TIGHT


def test_whole_turns_are_counted_from_position_0():
    result = subtract_angles(
        S("sinusoidal", dim=2, scale=3.0, offset=5), S("sinusoidal", dim=2, offset=-5)
    )
    whole, part = divmod((3 * 15 - 5) / (2 * np.pi), 1)
    assert result.turn(0, 10) == (whole, pytest.approx(part, abs=1e-15))


@pytest.mark.parametrize("block", [1, 10, 1000, 10**9, 10**12])
def test_another_offset_rotates_each_wave_by_a_constant(block):
    for offset, less in ((0, 0), (77, 77), (7, 3)):
        both = (S("sinusoidal", dim=8, offset=by) for by in (offset, less))
        result = subtract_angles(*both)
        turned = np.exp(1j * (offset - less) * 10.0 ** -np.arange(4))
        actual = result.phasor_means(10**14, block, 2)
        np.testing.assert_allclose(
            actual, [turned] * 2, rtol=0, atol=TIGHT if offset != less else 0
        )
        assert not result.periods().any()


def test_degrees_are_below_360():
    actual = degrees(np.array([1, 1j, -1, -1j, np.exp(-0.25j), 1 - 1e-17j]))
    expected = [0, 90, 180, 270, 360 - np.degrees(0.25), 0]
    np.testing.assert_allclose(actual, expected, rtol=1e-15)


def test_radians_count_all_turns_or_start_again():
    e = S("sinusoidal", dim=4, offset=3)
    for positions in (range(-5, 8), range(707, 708), range(10**15, 10**15 + 3)):
        for is_wrapped in (False, True):  # 710 radians are 113 turns and 6e-5 more
            actual = e.radians(positions, is_wrapped=is_wrapped)
            for (row, wave), angle in np.ndenumerate(actual):
                exact = oracles.definition(e).frequency(wave) * (positions[row] + 3)
                exact = exact % (2 * mp.pi) if is_wrapped else exact
                assert abs(angle - exact) <= 4e-16 * abs(exact)
    before = S("sinusoidal", dim=2, scale=1e-17).radians(range(-1, 0), is_wrapped=True)
    assert before == [[0.0]]


def test_periods_are_beat_periods():
    result = subtract_angles(
        S("sinusoidal", dim=5), S("sinusoidal", dim=5, scale=1.5, waves="sine")
    )
    firsts = np.array([0, 0, 2, 2, 4]) / 5
    expected = 2 * np.pi / np.abs(1e4**-firsts - 1.5 * 1e4 ** -(np.arange(5) / 5))
    np.testing.assert_allclose(result.periods(), expected, rtol=1e-12)
    assert not subtract_angles(S("sinusoidal", dim=4), NO_WAVES).periods().any()


@pytest.mark.parametrize(
    ("e", "less"), [(S("sinusoidal", dim=6), NO_WAVES), (NO_WAVES, S("sinusoidal", dim=6))]
)
def test_dimensions_without_waves_have_no_angle(e, less):
    result = subtract_angles(e, less)
    assert result.wave_indices.tolist() == [-1]
    assert result.phasor_means(0, 10, 3).shape == (3, 0)


def test_rotary_pairs_are_compared_across_layouts():
    half, interleaved = (
        S("rope", head_dim=8, rope_theta=theta, layout=x)
        for theta, x in ((1e4, "half"), (500.0, "interleaved"))
    )
    result = subtract_angles(half, interleaved)
    columns = find_common_columns(half, interleaved)
    assert [column.tolist() for column in columns][1] == [0, 2, 4, 6, 1, 3, 5, 7, *range(8, 16, 2),
                                                      *range(9, 16, 2)]  # fmt: skip
    assert not any(item.flags.writeable for item in (*columns, result.wave_indices))
    assert [len(common_column) for common_column in find_common_columns(half, NO_WAVES)] == [0, 0]
    differences = 1e4 ** (-np.arange(4) / 4) - 500.0 ** (-np.arange(4) / 4)
    pairs = np.array([0, 1, 2, 3] * 4)  # cosines of the first and second channels, then their sines
    phasors = result.phasors(range(9))[:, result.wave_indices]
    np.testing.assert_allclose(
        phasors, np.exp(1j * np.outer(range(9), differences[pairs])), atol=1e-13
    )
