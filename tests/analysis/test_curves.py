"""Curves of columns, at the rows and between them."""

import math

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis.curves import (
    CurveGrid,
    compute_angle_curves,
    courses,
    find_angles,
    heights,
    is_continuous,
)
from pe_explorer.encodings import LIMIT
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.samples import sample, samples


def quiet(share):
    assert 0 <= share <= 1


def course(e, column, start, count, points):
    (actual,) = courses(e, [column], CurveGrid.from_range(start, count, points), quiet)
    return actual


@pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)
def test_a_curve_goes_through_the_table(e):
    actual = course(e, e.width - 1, 3, 20, 300)
    at_whole = np.isclose(actual.x, np.rint(actual.x))
    assert actual.x[at_whole].round().tolist() == list(range(20))
    np.testing.assert_allclose(
        actual.y[at_whole], e.table(range(3, 23))[:, -1], rtol=1e-12, atol=1e-14
    )
    assert -0.5 < actual.x[0] < -0.4
    assert 19.4 < actual.x[-1] < 19.5
    assert actual.kind == ("continuous" if is_continuous(e) else "steps")


def test_a_curve_computes_only_its_own_frequency():
    e = encodings.create("sinusoidal", dim=4098, scale=3.0)
    course(e, 2049, 0, 30, 100)
    assert "frequencies" not in vars(e.turns), "those of all waves"


@pytest.mark.parametrize("waves", ["sine", "cosine", "both"])
def test_curves_of_waves_are_continuous(waves):
    e = encodings.create("sinusoidal", dim=6, base=16.0, waves=waves, scale=1.5)
    defined = definition(e)
    for column in range(6):
        actual = course(e, column, 0, 30, 1000)
        pair, is_sine = defined.wave(column)
        angle = actual.x * float(defined.frequency(pair))
        expected = np.sin(angle) if is_sine else np.cos(angle)
        np.testing.assert_allclose(actual.y, expected, atol=1e-13)


@pytest.mark.parametrize("name", ["index", "fraction"])
def test_index_and_fraction_are_straight(name):
    e = encodings.create(name)
    actual = course(e, 0, 5, 10, 100)
    divisor = 1 if name == "index" else 50
    np.testing.assert_allclose(actual.y, (5 + actual.x) / divisor, rtol=1e-14)
    np.testing.assert_allclose(np.diff(actual.y) / np.diff(actual.x), 1 / divisor, rtol=1e-9)


def test_steps_change_half_way_between_positions():
    actual = course(sample("binary"), 0, 0, 4, 400)
    inside = np.abs(actual.x - np.rint(actual.x)) < 0.49
    expected = np.rint(actual.x).astype(int) % 2
    np.testing.assert_array_equal(actual.y[inside], expected[inside])


@pytest.mark.parametrize("waves", ["sine", "cosine"])
@pytest.mark.parametrize("start", [0, 7_000_001, -5_123])
def test_fast_waves_are_drawn_as_ranges(waves, start):
    e = encodings.create("sinusoidal", dim=3, base=50.0, waves=waves)
    for column, block in ((0, 2), (1, 4), (2, 11), (2, 40), (0, 1000)):
        actual = course(e, column, start, 100 * block, 100)
        assert actual.kind == "range"
        frequency = 50.0 ** (-column / 3)
        first = start + block * np.arange(100) - 0.5
        fine = first[:, None] + np.linspace(0, block, 4000)
        values = np.sin(fine * frequency) if waves == "sine" else np.cos(fine * frequency)
        np.testing.assert_allclose(actual.low, values.min(axis=1), atol=1e-4)
        np.testing.assert_allclose(actual.high, values.max(axis=1), atol=1e-4)
        np.testing.assert_allclose(actual.y, values.mean(axis=1), atol=1e-3)
        np.testing.assert_allclose(actual.x, first + block / 2 - start)


def test_slow_waves_are_lines_and_far_ranges_cost_no_more():
    e = encodings.create("sinusoidal")
    kinds = [
        actual.kind for actual in courses(e, [0, 127], CurveGrid.from_range(0, 10**4, 800), quiet)
    ]
    assert kinds == ["range", "continuous"]
    actual = course(e, 0, -(10**15), 2 * 10**15, 500)
    assert len(actual.x) == 500
    np.testing.assert_array_equal(np.column_stack([actual.low, actual.high]), [[-1.0, 1.0]] * 500)


@pytest.mark.parametrize("name", ["binary", "alibi", "learned"])
def test_blocks_of_steps_have_means(name):
    e = sample(name)
    start, count = e.domain[0] if name == "learned" else -20, 40
    actual = course(e, 1, start, count, 10)
    assert actual.kind == "mean"
    means = e.table(range(start, start + count))[:, 1].reshape(10, 4).mean(axis=1)
    np.testing.assert_allclose(actual.y, means, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("ranges", [40, 39])  # all are compared, or their bounds are
def test_bits_reach_from_the_least_to_the_greatest_of_a_block(ranges):
    e, grid = sample("binary", dim=3), CurveGrid.from_range(-20, 40, 10)
    blocks = e.table(range(-20, 20)).reshape(10, 4, 3)
    for found, column in zip(courses(e, [0, 2], grid, quiet, ranges=ranges), (0, 2), strict=True):
        assert found.kind == "range"
        np.testing.assert_array_equal(found.x, 4 * np.arange(10) + 1.5)
        for numbers, measured in ((found.y, np.mean), (found.low, np.min), (found.high, np.max)):
            np.testing.assert_array_equal(numbers, measured(blocks[:, :, column], axis=1))


def test_rows_without_bounds_have_their_means_where_there_are_very_many():
    e = sample("alibi")
    for grid, kind in ((CurveGrid(0, 20, 2, 1), "range"), (CurveGrid(0, 21, 2, 1), "mean")):
        (found,) = courses(e, [0], grid, quiet, ranges=40)
        assert found.kind == kind


TURNED = encodings.create("sinusoidal", dim=5, base=16.0, offset=7, spacing="endpoint")


@pytest.mark.parametrize("start", [3, -(10**9), 10**15])
def test_angles_are_straight_or_start_again_after_each_turn(start):
    grid, exact = CurveGrid.from_range(start, 40, 1000), definition(TURNED)
    for is_wrapped in (False, True):
        *actual, none = compute_angle_curves(TURNED, [1, 2, 4], grid, is_wrapped=is_wrapped)
        assert np.isnan(none.y).all()
        assert len(none.y) == len(none.x) == 1000
        for item, wave in zip(actual, (0, 1), strict=True):
            assert item.kind == "continuous"
            frequency = exact.frequency(wave)
            ends = (start + 7 + mp.mpf(x) for x in item.x[[0, -1]])
            turns = [frequency * end / (2 * mp.pi) for end in ends]
            first = float((turns[0] - int(turns[0] // 1) * is_wrapped) * 2 * mp.pi)
            expected = first + float(frequency) * (item.x - item.x[0])
            if is_wrapped:
                expected %= math.tau
                passed = int(turns[1] // 1) - int(turns[0] // 1)
                assert np.isnan(item.y).sum() == passed
            known = ~np.isnan(item.y)
            np.testing.assert_allclose(item.y[known], expected[known], rtol=1e-15, atol=1e-12)
        at = find_angles(TURNED, [1, 2, 4], start + 0.25, is_wrapped=is_wrapped)
        whole = [exact.frequency(wave) * (start + 7.25) for wave in (0, 1)]
        whole = [float(angle % (2 * mp.pi) if is_wrapped else angle) for angle in whole]
        np.testing.assert_allclose(at, [*whole, np.nan], rtol=1e-15, atol=1e-12)


def test_angles_of_fast_waves_and_missing_positions():
    grid = CurveGrid.from_range(0, 10**4, 100)
    (fast,) = compute_angle_curves(TURNED, [0], grid, is_wrapped=True)
    assert (fast.kind, {*fast.low}, {*fast.high}, {*fast.y}) == (
        "range",
        {0},
        {math.tau},
        {math.pi},
    )
    nowhere = CurveGrid.from_range(LIMIT + 1, 9, 9)
    (none,) = compute_angle_curves(TURNED, [0], nowhere, is_wrapped=False)
    assert len(none.x) == 0
    assert np.isnan(find_angles(TURNED, [0, 1], float(LIMIT + 2), is_wrapped=False)).all()
    without, with_wave = (course(TURNED, column, 3, 40, 400) for column in (4, 0))
    assert not without.y.any()
    np.testing.assert_array_equal(without.x, with_wave.x)


def test_curves_are_clipped_to_the_rows():
    e = sample("learned")
    end = e.domain[-1]
    assert len(course(e, 0, end + 1, 50, 100).x) == 0
    actual = course(e, 0, end - 4, 50, 500)
    assert actual.x.max() < 4.5


def test_curves_can_be_cancelled():
    class StoppedError(Exception):
        pass

    def stop(share):
        raise StoppedError

    with pytest.raises(StoppedError):
        courses(sample("binary"), [0], CurveGrid.from_range(0, 50, 100), stop)
    shares = []
    courses(
        sample("binary"), [0], CurveGrid.from_range(0, 10**6, 10**4), shares.append, ranges=10**7
    )
    assert 0 < np.diff([*shares, 1]).max() < 0.2


def test_heights_between_positions():
    e = encodings.create("sinusoidal", dim=4, base=16.0)
    expected = [math.cos(6.283), math.sin(6.283 / 4)]
    np.testing.assert_allclose(heights(e, [1, 2], 6.283), expected, atol=1e-15)
    np.testing.assert_allclose(heights(e, [0], float(LIMIT)), e.table([LIMIT])[0, :1])
    bits = sample("binary")
    assert heights(bits, [0, 1], 6.5).tolist() == [1, 1]  # the bits of 7
    assert np.isnan(heights(sample("learned"), [0, 1], -1.0)).all()
