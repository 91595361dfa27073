"""The numbers and places of the heatmap's pixels, against formulas written anew."""

import threading
from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.pictures.axis_numbers import cell_text
from pe_explorer.pictures.gestures import OnScreen, Pointer
from pe_explorer.pictures.heatmap import Heatmap
from pe_explorer.pictures.inspection import Outside
from pe_explorer.pictures.pixels import Size
from tests.support.resampling import resampled
from tests.support.sinusoids import sinusoid
from tests.support.wanted import FLOAT32, NOTHING, WAVES, Drawn


class Definition(Drawn):
    with_options: ClassVar = {
        "--quantity angle": WAVES,
        "--quantity error": FLOAT32,
        "--heatmap-second 20": NOTHING,
    }


WIDE = Size(600, 600)
D128 = encodings.create("sinusoidal", dim=128)
NOTEBOOK = encodings.create("sinusoidal", dim=512, layout="concatenated", spacing="endpoint")


def explored(options=None, **fields):
    return pictures.with_options(Exploration(**fields), "heatmap", **(options or {}))


def pointed_at(state, panel, x, y):
    at = Pointer(panel, x, y)
    return Heatmap.pointed_at(state, OnScreen(state, None, None), at)


def drawn(state, size=WIDE):
    return Heatmap.figure(state, Heatmap.compute(state, size, threading.Event()))


def values(state, size=WIDE):
    (panel,) = drawn(state, size).panels
    return panel.cells.values


# -- one window ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "number"), [(500, 45), (5000, 64)])
def test_the_quiet_half_moves_in_more_positions(count, number):
    state = explored({"first": 64, "dimensions": 64}, encoding=D128, count=count)
    found = values(state, Size(600, 5000))
    np.testing.assert_allclose(found, sinusoid(np.arange(count), 128)[:, 64:], atol=1e-12)
    assert (np.ptp(found, axis=0) >= 0.1).sum() == number


def test_what_is_left_of_a_fast_wave_where_a_pixel_is_many_positions():
    for count, height, block, left in ((10_000, 600, 17, 0.098), (5000, 625, 8, 0.197)):
        shown = Heatmap.compute(
            explored(encoding=D128, count=count), Size(600, height), threading.Event()
        )
        assert shown.block == block
        contrast = abs(np.sin(block / 2) / (block * np.sin(0.5)))
        assert contrast == pytest.approx(left, abs=5e-4)
        centres = np.arange(len(shown.values)) * block + (block - 1) / 2
        amplitude = np.sin(block / 2) / (block * np.sin(0.5))
        np.testing.assert_allclose(shown.values[:, 0], amplitude * np.sin(centres), atol=1e-12)
    flat = Heatmap.compute(explored(encoding=D128, count=10**9), WIDE, threading.Event())
    assert np.abs(flat.values).max() < 0.01
    assert "mean is 0 everywhere" in flat.note


def test_a_wave_that_is_not_there():
    """Every 44th row shows pair 0 turning once in 15,617 positions; the mean shows nothing."""
    size, fields = Size(600, 600), {"encoding": D128, "count": 26_400}
    sampled = values(explored({"pixel": "sample"}, **fields), size)
    positions = 44 * np.arange(600)
    np.testing.assert_allclose(sampled[:, 0], np.sin(positions), atol=1e-11)
    turn = 2 * np.pi / (44 - 14 * np.pi)
    assert (turn, 44 * turn) == (pytest.approx(354.9, abs=0.05), pytest.approx(15_617, abs=1))
    false = np.sin(2 * np.pi * np.arange(600) / turn)
    np.testing.assert_allclose(sampled[:, 0], false, atol=1e-10)
    mean = values(explored(**fields), size)
    assert np.abs(mean[:, 0]).max() == pytest.approx(0.00042, abs=5e-6)
    too_rarely = (44 * 1e4 ** (-np.arange(64) / 64) > np.pi).sum()
    assert too_rarely == 19
    every_710 = explored({"pixel": "sample"}, encoding=D128, count=710 * 600)
    assert np.abs(values(every_710, size)[:, 0]).max() == pytest.approx(0.0361, abs=5e-5)
    means = values(explored(encoding=D128, count=710 * 600), size)[:, 0]
    assert np.abs(means).max() <= 8.9e-8


# -- angles, one column for each pair --------------------------------------------------------------


def test_the_angles_of_the_notebook_in_true_degrees():
    options = {"quantity": "angle", "pairs": True, "upward": True, "angles": "hsv"}
    state = explored(options, encoding=NOTEBOOK, count=50, position=49)
    (panel,) = drawn(state).panels
    assert (panel.x.title, panel.x.count, panel.y.down) == ("pair", 256, False)
    assert (panel.cells.colour_map, panel.cells.limits, panel.cells.unit) == ("hsv", (0, 360), "°")
    degrees = np.degrees(np.outer(np.arange(50), 10.0 ** np.linspace(0, -4, 256)))
    found = panel.cells.values
    np.testing.assert_allclose(found, degrees % 360, atol=1e-9)
    assert degrees[49, 0] == pytest.approx(2807.49, abs=5e-3)
    assert found[49, 0] == pytest.approx(287.49, abs=5e-3)
    assert found[49, 255] == pytest.approx(0.2807, abs=5e-5)
    assert (found[7, 0], found[10, 0]) == (
        pytest.approx(41.07, abs=5e-3),
        pytest.approx(212.96, abs=5e-3),
    )
    wraps = np.diff(found, axis=0) < 0
    assert wraps[:, 0].sum() == 7
    assert np.flatnonzero(wraps[:, 0])[0] + 1 == 7
    assert wraps.any(axis=0).sum() == 57


@pytest.mark.parametrize(
    "e",
    [
        encodings.create("sinusoidal", dim=18),
        encodings.create("sinusoidal", dim=18, layout="concatenated", order="cos-sin"),
        encodings.create("sinusoidal", dim=7),
        encodings.create("sinusoidal", dim=9, waves="sine"),
        encodings.create("rope", head_dim=16),
    ],
    ids=["interleaved", "concatenated", "lone", "sines", "rope"],
)
def test_each_pair_has_the_column_of_its_wave(e):
    options = {"quantity": "angle", "pairs": True}
    state = explored(options, encoding=e, count=30, position=4)
    (panel,) = drawn(state).panels
    wanted = np.degrees(np.outer(np.arange(30), e.frequencies())) % 360
    np.testing.assert_allclose(panel.cells.values, wanted, atol=1e-9)
    assert panel.x.title == ("pair" if e.pairs else e.columns.name)
    for dimension in range(e.width):
        state = explored(options, encoding=e, count=30, position=4, dimension=dimension)
        wave = int(e.wave_of[dimension])
        assert Heatmap.cursor_places(state) == {"cells": (wave, 4)}
        here = {"position": 5, "dimension": dimension}  # the cursor stays in its own dimension
        assert pointed_at(state, "cells", wave, 5) == here
        other = pointed_at(state, "cells", (wave + 1) % panel.x.count, 5)["dimension"]
        assert e.wave_of[other] == (wave + 1) % panel.x.count


def test_some_pairs_from_afar():
    options = {"quantity": "angle", "pairs": True, "first": 60, "dimensions": 4}
    state = explored(options, encoding=D128, count=6000)
    shown = Heatmap.compute(state, Size(2, 600), threading.Event())
    assert (shown.first, shown.dimensions, shown.group, shown.block) == (60, 4, 2, 10)
    centres = 10 * np.arange(600) + 4.5
    wanted = np.degrees(np.outer(centres, D128.frequencies()[[60, 62]])) % 360
    np.testing.assert_allclose(shown.values, wanted, atol=1e-6)
    outside = Heatmap.cursor_outside(state)
    assert isinstance(outside, Outside)
    assert outside.where == "dimension 0, to the left"


def test_pairs_of_a_difference_and_of_none():
    pins = (Pin(encodings.create("sinusoidal", dim=128, base=500.0), "other"),)
    options = {"quantity": "angle", "pairs": True}
    state = explored(options, encoding=D128, pins=pins, show="difference", count=20)
    frequencies = D128.frequencies()[:1], pins[0].encoding.frequencies()
    assert drawn(state).panels[0].x.count == 64
    both = D128.frequencies() - frequencies[1]
    wanted = np.degrees(np.outer(np.arange(20), both)) % 360
    by_dimension = values(state.with_(options=explored({"quantity": "angle"}).options))
    # The differences stand in the order of the waves that they are of.
    assert {*np.round(values(state)[7], 6)} == {*np.round(by_dimension[7], 6)}
    assert np.allclose(np.sort(values(state)[7]), np.sort(wanted[7]), atol=1e-6)
    lacking = explored(options, encoding=encodings.create("index"))
    assert "wave" in Heatmap.lack(lacking)
    assert Heatmap.frame(lacking).panels[0].x.count == 1


# -- two windows -----------------------------------------------------------------------------------


def test_two_pictures_of_other_widths_have_columns_of_their_own():
    state = explored({"second": 50}, encoding=D128, count=9)
    numbers = Heatmap.compute(state, Size(64, 99, beside=32), threading.Event())
    panels = Heatmap.figure(state, numbers).panels
    for panel, start, pixels in zip(panels, (0, 50), (64, 32), strict=True):
        truth = resampled(sinusoid(np.arange(start, start + 9), 128), pixels, turns=2)
        np.testing.assert_allclose(panel.cells.values, truth, atol=1e-12)
    assert [panel.badge for panel in panels] == [f"sines and cosines of {n} pairs" for n in (2, 4)]
    drawn_there = OnScreen(state, numbers, None)
    for panel, column in (("cells", 6), ("second", 5)):  # of a sine's pixel, and of a cosine's
        found = Heatmap.pointed_at(state, drawn_there, Pointer(panel, 5.2, 0.0))
        assert found["dimension"] == column


def beside(second, e=D128, **fields):
    """Return the values of the two pictures."""
    figure = drawn(explored({"second": second}, encoding=e, count=50, **fields))
    one, other = figure.panels
    assert (one.name, other.name) == ("cells", "second")
    assert one.cells.limits == other.cells.limits
    assert (one.has_bar, other.has_bar) == (False, True)
    assert (one.y.origin, other.y.origin) == (fields.get("start", 0), second)
    return one.cells.values, other.cells.values


def test_the_next_fifty():
    first, second = beside(50)
    np.testing.assert_allclose(first, sinusoid(np.arange(50), 128), atol=1e-14)
    np.testing.assert_allclose(second, sinusoid(np.arange(50, 100), 128), atol=1e-14)


def test_pair_0_is_back_after_44_and_a_million_costs_nothing():
    first, second = beside(44)
    assert np.abs(second - first)[:, :2].mean() == pytest.approx(0.0112, abs=5e-5)
    first, second = beside(10**6)
    slowest = 1e4 ** (-63 / 64)
    assert 10**6 * slowest / (2 * np.pi) == pytest.approx(18.38, abs=5e-3)
    angles = slowest * (10**6 + np.arange(50))
    np.testing.assert_allclose(second[:, 126], np.sin(angles), atol=1e-12)
    one, two = (
        Heatmap.cost(explored({"second": second}, encoding=D128, count=50), WIDE)
        for second in (None, 10**6)
    )
    assert two == 2 * one


def test_both_have_the_colours_of_the_larger_values():
    first, second = beside(1000, encodings.create("index", dim=4))
    assert (first.min(), second.max()) == (0, 1049)
    state = explored({"second": 1000}, encoding=encodings.create("index", dim=4), count=50)
    numbers = Heatmap.compute(state, WIDE, threading.Event())
    assert numbers.limits == numbers.second.limits == (0, 1049)
    assert (numbers.indices[0, 0], numbers.second.indices[-1, 0]) == (0, 254)
    assert numbers.indices.max() == round(49 / 1049 * 254)


def test_the_cursor_is_in_both_or_in_one():
    def places(second, position, **fields):
        state = explored({"second": second}, encoding=D128, count=50, position=position, **fields)
        return {name: down for name, (_, down) in Heatmap.cursor_places(state).items()}

    assert places(50, 60) == {"cells": None, "second": 10}
    assert places(50, 10) == {"cells": 10, "second": None}
    assert places(44, 45) == {"cells": 45, "second": 1}
    state = explored({"second": 50}, encoding=D128, count=50, position=60)
    assert Heatmap.cursor_outside(state) is None
    assert Heatmap.cursor_outside(state.with_(position=100)).where == "100, below"
    assert Heatmap.cursor_outside(explored(count=50, position=60)).where == "60, below"
    upward = explored({"upward": True}, count=50, position=60)
    assert Heatmap.cursor_outside(upward).where == "60, above"
    state = state.with_(dimension=0)
    assert pointed_at(state, "second", 3, 7) == {"position": 57, "dimension": 3}


@pytest.mark.parametrize(("second", "start"), [(LIMIT, LIMIT - 49), (-LIMIT, -LIMIT), (-7, -7)])
def test_the_second_window_keeps_within_the_limits(second, start):
    figure = drawn(explored({"second": second}, encoding=D128, count=50))
    other = figure.panel("second")
    assert other.y.origin == start
    assert np.isfinite(other.cells.values).all()
    assert f"from {start:,} to {start + 49:,}" in figure.status


def test_a_second_window_without_rows_says_so(tmp_path):
    file = tmp_path / "table.npy"
    np.save(file, np.random.default_rng(0).normal(size=(60, 8)))
    e = encodings.create("learned", file=str(file))
    figure = drawn(explored({"second": 1000}, encoding=e, count=50))
    assert "Beside it nothing is shown: There are rows for the positions 0 to 59" in figure.status
    assert figure.panel("second").cells is None
    assert figure.panel("second").hatched
    assert figure.panel("cells").cells is not None


def test_cells_of_any_size_have_a_number():
    numbers = {1.7e308: "2·10³⁰⁸", -1e308: "−10³⁰⁸", 5e-324: "0.00", 12.345: "12"}
    for number, text in numbers.items():
        assert cell_text(np.float64(number)) == text
