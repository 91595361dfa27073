"""The numbers and places of the heatmap's pixels, against formulas and exact means."""

import math
from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import precision
from pe_explorer.encodings import LIMIT, EncodingError, Stored
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Pin
from pe_explorer.gallery import guide
from pe_explorer.pictures import make_picture
from pe_explorer.pictures.axis_numbers import format_cell_value
from pe_explorer.pictures.gestures import Pointer
from pe_explorer.pictures.pixels import NO_VALUE_INDEX, Size, compute_colour_indices
from tests.pictures.resampling import resampled
from tests.support import truth
from tests.support.oracles import definition
from tests.support.requirements import FLOAT32, NOTHING, WAVES, PictureRequirements
from tests.support.samples import sample, samples
from tests.support.sinusoids import sinusoid
from tests.support.states import (
    cost_of,
    figure_of,
    inspection_of_view,
    numbers_of_view,
    snapshot,
    state_of,
)
from tests.support.tables_in_files import put


class Definition(PictureRequirements):
    with_options: ClassVar = {
        "--quantity angle": WAVES,
        "--quantity error": FLOAT32,
        "--heatmap-second 20": NOTHING,
    }


S = encodings.create
D128 = S("sinusoidal", dim=128)
ANGLE = {"quantity": "angle"}
PAIRS = {**ANGLE, "pairs": True}
WITHOUT_FILES = [e.name for e in samples() if not isinstance(e, Stored)]
FAR = {"count": 10**12, "start": 10**6}


def with_pin(pin=None, **fields):
    """Return fields that show the difference from a pin, if there is one."""
    return fields if pin is None else {"show": "difference", **fields, "pins": (Pin(pin, "other"),)}


def explored(options=None, **fields):
    return state_of("heatmap", options, **with_pin(**fields))


def heatmap(*args, **fields):
    return make_picture("heatmap", explored(*args, **fields))


def heatmap_numbers(size, options=None, **fields):
    return numbers_of_view("heatmap", options, Size(*size), **with_pin(**fields))


def figure(options=None, size=(600, 600), **fields):
    return figure_of("heatmap", options, Size(*size), **with_pin(**fields))


def values(options=None, size=(600, 600), **fields):
    return figure(options, size, **fields).panels[0].cells.values


def pointed_at(x, y, panel="cells", options=None, **fields):
    drawn = snapshot("heatmap", options, **fields)
    return drawn.picture.find_pointer_fields(drawn, Pointer(panel, x, y))


def test_cells_stand_between_two_axes_and_have_the_numbers_of_their_place():
    e = S("sinusoidal", dim=8)
    (panel,) = figure(encoding=e, start=-3, count=20).panels
    assert (panel.y.low, panel.y.high, panel.y.is_downward) == (-0.5, 19.5, True)
    assert panel.cells.limits == (-1.0, 1.0)
    exact = sinusoid(np.arange(-3, 17), 8)
    np.testing.assert_allclose(panel.cells.values, exact, atol=1e-12)
    for row, column in ((0, 0), (7, 3), (19, 7)):
        for off in (-0.49, 0.0, 0.49):
            found = panel.find_value(column + off, row + off)
            assert found == pytest.approx(exact[row, column], abs=1e-12)
    assert panel.find_value(-0.6, 0) is panel.find_value(0, 19.6) is None
    (panel,) = figure(size=(8, 10), encoding=e, count=1000).panels
    assert panel.cells.place == (-0.5, -0.5, 8, 1000)
    mean = sinusoid(np.arange(300, 400), 8)[:, 2].mean()
    assert panel.find_value(2, 355) == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize(
    ("size", "options", "badge"),
    [
        ((300, 100), {}, "mean of 12 positions"),
        ((300, 1200), {}, ""),
        ((64, 1200), {}, "sines and cosines of 2 pairs"),
        ((50, 1200), {}, "sines and cosines of 2.6 pairs"),
        ((64, 100), {}, "mean of 12 positions, sines and cosines of 2 pairs"),
        ((64, 100), {"pixel": "sample"}, "first of 12 positions, sines and cosines of 2 pairs"),
        ((64, 100), ANGLE, "mean of 12 positions, first of 2 dimensions"),
        ((64, 1200), None, "mean of 2 dimensions"),
        ((64, 100), None, "mean of 12 positions, mean of 2 dimensions"),
    ],
)
def test_the_badge_says_what_a_pixel_stands_for(size, options, badge):
    """Without options columns are all sines."""
    e = D128 if options is not None else S("sinusoidal", dim=128, waves="sine")
    assert figure(options, size, encoding=e, count=1200).panels[0].badge == badge


def test_the_cursor_has_all_digits_and_what_is_compared():
    found, texts = inspection_of_view("heatmap", position=20, dimension=9)
    assert float(found.number) == pytest.approx(math.cos(20 / 10000 ** (8 / 128)), rel=1e-15)
    assert texts["Value"] == repr(float(found.number))
    assert found.formula
    e, other = (S("sinusoidal", dim=8, base=base) for base in (10_000.0, 99.0))
    fields = {"encoding": e, "pins": (Pin(other),), "position": 3, "dimension": 2}
    here, there = (math.sin(3 / base ** (2 / 8)) for base in (10000, 99))
    found, texts = inspection_of_view("heatmap", show="difference", **fields)
    turned = math.degrees(3 * (10000 ** (-2 / 8) - 99 ** (-2 / 8)))
    assert found.brief[1] == f"Δ {turned:.2f}°" == "Δ -37.30°"
    assert float(texts["Value"]) == pytest.approx(here, rel=1e-15)
    assert float(texts["Difference"]) == pytest.approx(here - there, rel=1e-13)
    _, texts = inspection_of_view("heatmap", show="pinned", **fields)
    assert float(texts["Pinned"]) == pytest.approx(there, rel=1e-15)


@pytest.mark.parametrize("block", [44, 710])
def test_a_sampled_pixel_shows_its_first_position(block):
    """Every 44th row shows pair 0 turning once in 15,617 positions; the mean shows nothing."""
    fields = {"encoding": D128, "count": 600 * block}
    sampled, mean = values({"pixel": "sample"}, **fields), values(**fields)
    np.testing.assert_allclose(sampled, sinusoid(block * np.arange(600), 128), atol=1e-10)
    assert np.abs(mean[:, 0]).max() < 0.00043 < 0.03 < np.abs(sampled[:, 0]).max()


@pytest.mark.parametrize(
    "e",
    [
        S("sinusoidal", dim=18),
        S("sinusoidal", dim=18, layout="concatenated", order="cos-sin"),
        S("sinusoidal", dim=7),
        S("sinusoidal", dim=9, waves="sine"),
        S("rope", head_dim=16),
    ],
    ids=["interleaved", "concatenated", "lone", "sines", "rope"],
)
def test_each_pair_has_the_column_of_its_wave(e):
    fields = {"encoding": e, "count": 30, "position": 4}
    (panel,) = figure({**PAIRS, "upward": True, "angles": "hsv"}, **fields).panels
    assert (panel.cells.colour_map, panel.cells.limits, panel.cells.unit) == ("hsv", (0, 360), "°")
    assert not panel.y.is_downward
    wanted = np.degrees(np.outer(np.arange(30), e.frequencies())) % 360
    np.testing.assert_allclose(panel.cells.values, wanted, atol=1e-9)
    assert panel.x.title == ("pair" if e.pairs else e.columns.name)
    for dimension in range(e.width):
        wave, fields = int(e.wave_indices[dimension]), {**fields, "dimension": dimension}
        assert heatmap(PAIRS, **fields).find_cursor_points() == {"cells": (wave, 4)}
        here = {"position": 5, "dimension": dimension}  # the cursor stays in its own dimension
        assert pointed_at(wave, 5, options=PAIRS, **fields) == here
        other = (wave + 1) % panel.x.count
        found = pointed_at(other, 5, options=PAIRS, **fields)["dimension"]
        assert e.wave_indices[found] == other


def test_some_pairs_from_afar():
    options = {**PAIRS, "first": 60, "dimensions": 4}
    shown = heatmap_numbers((2, 600), options, encoding=D128, count=6000)
    assert (shown.first, shown.dimensions, shown.columns.group, shown.block) == (60, 4, 2, 10)
    centres = 10 * np.arange(600) + 4.5
    wanted = np.degrees(np.outer(centres, D128.frequencies()[[60, 62]])) % 360
    np.testing.assert_allclose(shown.values, wanted, atol=1e-6)
    outside = heatmap(options, encoding=D128, count=6000).find_hidden_cursor()
    assert outside.place == "dimension 0, to the left"


def test_pairs_of_a_difference_and_of_none():
    pin = S("sinusoidal", dim=128, base=500.0)
    fields = {"encoding": D128, "pin": pin, "count": 20}
    by_pair, by_dimension = values(PAIRS, **fields), values(ANGLE, **fields)
    assert by_pair.shape == (20, 64)
    wanted = np.degrees(np.outer(np.arange(20), D128.frequencies() - pin.frequencies())) % 360
    np.testing.assert_allclose(np.sort(by_pair[7]), np.sort(wanted[7]), atol=1e-6)
    # The differences stand in the order of the waves that they are of.
    assert {*np.round(by_pair[7], 6)} == {*np.round(by_dimension[7], 6)}
    assert heatmap(PAIRS, encoding=S("index")).frame().panels[0].x.count == 1


def test_two_pictures_of_other_widths_have_columns_of_their_own():
    size = Size(64, 99, second_width=32)
    drawn = snapshot("heatmap", {"second": 50}, size, encoding=D128, count=9)
    for panel, start, pixels in zip(drawn.figure.panels, (0, 50), (64, 32), strict=True):
        exact = resampled(sinusoid(np.arange(start, start + 9), 128), pixels, turns=2)
        np.testing.assert_allclose(panel.cells.values, exact, atol=1e-12)
        assert panel.badge == f"sines and cosines of {128 // pixels} pairs"


@pytest.mark.parametrize("second", [50, 10**6])
def test_the_second_window_has_other_positions_and_the_same_colours(second):
    one, other = figure({"second": second}, encoding=D128, count=50).panels
    assert (one.name, other.name) == ("cells", "second")
    assert one.cells.limits == other.cells.limits
    assert (one.has_bar, other.has_bar) == (False, True)
    assert (one.y.origin, other.y.origin) == (0, second)
    for panel, start in ((one, 0), (other, second)):
        exact = sinusoid(np.arange(start, start + 50), 128)
        np.testing.assert_allclose(panel.cells.values, exact, atol=1e-9)
    one, two = (
        cost_of("heatmap", {"second": start}, encoding=D128, count=50) for start in (None, second)
    )
    assert two == 2 * one


def test_both_have_the_colours_of_the_larger_values():
    numbers = heatmap_numbers((600, 600), {"second": 1000}, encoding=S("index", dim=4), count=50)
    assert numbers.limits == numbers.second.limits == (0, 1049)
    assert (numbers.indices[0, 0], numbers.second.indices[-1, 0]) == (0, 254)
    assert numbers.indices.max() == round(49 / 1049 * 254)


@pytest.mark.parametrize(
    ("second", "position", "cells", "beside"),
    [(50, 60, None, 10), (50, 10, 10, None), (44, 45, 45, 1), (50, 100, None, None)],
)
def test_the_cursor_is_in_both_or_in_one(second, position, cells, beside):
    picture = heatmap({"second": second}, encoding=D128, count=50, position=position)
    places = {name: down for name, (_, down) in picture.find_cursor_points().items()}
    assert places == {"cells": cells, "second": beside}
    assert (picture.find_hidden_cursor() is None) == (position != 100)
    found = pointed_at(3, 7, "second", {"second": second}, encoding=D128, count=50)
    assert found == {"position": second + 7, "dimension": 3}


@pytest.mark.parametrize(("second", "start"), [(LIMIT, LIMIT - 49), (-LIMIT, -LIMIT), (-7, -7)])
def test_the_second_window_keeps_within_the_limits(second, start):
    other = figure({"second": second}, encoding=D128, count=50).panel("second")
    assert other.y.origin == start
    assert np.isfinite(other.cells.values).all()


def test_a_second_window_without_rows_says_so(tmp_path):
    table = np.random.default_rng(0).normal(size=(60, 8))
    table[7, 1] = np.nan
    e = S("learned", file=put(tmp_path / "t.npy", table))
    shown = figure({"second": 1000}, encoding=e, count=50)
    assert "positions 0 to 59" in shown.status
    assert "no finite number" in shown.status
    assert [panel.cells is None for panel in shown.panels] == [False, True]
    assert shown.panel("second").hatched_areas


def test_cells_of_any_size_have_a_number():
    numbers = {1.7e308: "2·10³⁰⁸", -1e308: "−10³⁰⁸", 5e-324: "0.00", 12.345: "12"}
    for number, text in numbers.items():
        assert format_cell_value(np.float64(number)) == text


def off(indices, values, limits=(-1.0, 1.0)):
    """Return by how many colours indices differ from those of values, at most."""
    low, high = limits
    return np.abs(indices - np.clip((np.asarray(values) - low) / (high - low), 0, 1) * 254).max()


@pytest.mark.parametrize(("count", "height"), [(1000, 100), (997, 100), (101, 100), (5000, 7)])
@pytest.mark.parametrize(("dim", "width"), [(64, 200), (64, 20), (64, 64), (30, 7), (30, 200)])
def test_a_pixel_is_the_mean_of_what_it_stands_for(count, height, dim, width):
    fields = {"encoding": S("sinusoidal", dim=dim, base=100.0), "start": 37, "count": count}
    shown = heatmap_numbers((width, height), **fields)
    rows = shown.indices.shape[0]
    group = shown.columns.group if shown.columns else 1
    assert (shown.block, group) == (-(-count // height), max(1, dim / width))
    table = sinusoid(np.arange(37, 37 + rows * shown.block), dim, 100.0)
    means = table.reshape(rows, shown.block, dim).mean(axis=1)
    assert off(shown.indices, resampled(means, width, turns=2)) <= 0.51


@pytest.mark.parametrize("name", WITHOUT_FILES)
def test_huge_pixels_are_exact_means(name):
    e = sample(name, dim=40, heads=40, head_dim=40)
    for start, count in ((0, 64 * 10**9), (10**15, 64 * 10**12), (2**52, 2**52)):
        shown = heatmap_numbers((200, 64), encoding=e, start=start, count=count)
        assert shown.block == count // 64
        for row in (0, 31, 63):
            for j in (0, 1, 6, e.width // 2, e.width - 1):
                mean = definition(e).block_mean(start + row * shown.block, shown.block, j)
                assert off(float(shown.indices[row, j]), float(mean), shown.limits) <= 1.5


@pytest.mark.parametrize(
    ("start", "block", "pinned"),
    [
        *((0, 1, pinned) for pinned in (False, True)),
        *((10**15, block, False) for block in (1, 1000, 10**11)),
        *((start, block, True) for start, block in ((10**12, 1), (500, 40), (10**15, 7))),
    ],
)
def test_angles_are_those_of_the_mean_turn(start, block, pinned):
    """A pixel has the direction of the mean of its phasors, or none where they cancel."""
    e, pin = S("sinusoidal", dim=16, base=1e12), S("sinusoidal", dim=16, base=300.0)
    fields = {"encoding": e, "start": start, "count": 20 * block}
    shown = heatmap_numbers((64, 20), ANGLE, pin=pin if pinned else None, **fields)
    assert (shown.block, shown.limits) == (block, (0.0, 360.0))
    for row in (0, 7, 19):
        first = start + row * block
        for pair in range(8):
            if pinned:
                mean = truth.mean_turned(e, pin, first, block, 2 * pair)
            else:
                sine, cosine = (
                    definition(e).block_mean(first, block, 2 * pair + k) for k in range(2)
                )
                mean = complex(float(cosine), float(sine))
            seen = int(shown.indices[row, 2 * pair])
            assert seen == shown.indices[row, 2 * pair + 1]
            if abs(mean) < 0.04:
                assert seen == NO_VALUE_INDEX
            elif abs(mean) > 0.06:
                apart = abs(seen / 254 * 360 - np.degrees(np.angle(mean))) % 360
                assert min(apart, 360 - apart) < 0.8


@pytest.mark.parametrize(
    ("start", "largest", "limit"), [(4950, 3.855e-4, 4e-4), (10**6, 0.0586, 0.06)]
)
def test_errors_of_float32(start, largest, limit):
    e, positions = S("sinusoidal", dim=512), range(start, start + 50)
    shown = heatmap_numbers((512, 50), {"quantity": "error"}, encoding=e, start=start, count=50)
    expected = precision.error(e, positions)
    np.testing.assert_allclose(shown.values, expected, rtol=0, atol=1e-15)
    assert np.abs(shown.values).max() == pytest.approx(largest, rel=1e-3)
    assert shown.limits == pytest.approx((-limit, limit))


@pytest.mark.parametrize("cast", precision.CAST.choices)
def test_errors_of_a_cast(cast):
    """The colour bar, the texts and the cursor show the same error as the pixels."""
    e, options = S("sinusoidal", dim=16), {"quantity": "error", "cast": cast}
    options["rounded_to"] = "bfloat16"
    fields = {"encoding": e, "start": 300, "count": 50, "position": 311, "dimension": 5}
    expected = precision.error(e, range(300, 350), dtype="bfloat16", cast=cast)
    (panel,) = figure(options, **fields).panels
    np.testing.assert_array_equal(panel.cells.values, expected)
    title = "bfloat16 error" if cast == "everything" else f"bfloat16 error ({cast})"
    assert panel.cells.title == title
    found, texts = inspection_of_view("heatmap", options, **fields)
    assert float(texts[title]) == expected[11, 5]
    assert found.brief[0].startswith(f"{title}: ")
    explanation = guide.explain("heatmap", explored(options, **fields))
    sentences = " ".join([explanation.shows, *explanation.look])
    assert (
        sentences.count("bfloat16") + sentences.count("256") + sentences.count("Frequency 1") >= 2
    )
    assert "7 digits" not in sentences


def test_errors_beyond_the_range_of_a_type_are_undefined():
    options = {"quantity": "error", "rounded_to": "float16", "cast": "positions"}
    fields = {"encoding": S("sinusoidal", dim=4), "start": 65_500, "count": 40}
    shown = figure(options, **fields)
    values = shown.panels[0].cells.values
    assert np.isnan(values[20:]).all()
    assert not np.isnan(values[:20]).any()
    assert "no finite number" in shown.status
    _, texts = inspection_of_view("heatmap", options, position=65_530, **fields)
    assert texts["float16 error (positions)"] == "nan"


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (20, "20 → 20, 21 → 21"),
        (256, "256 → 256, 257 → 256"),
        (1000, "1000 → 1000, 1001 → 1000"),
        (-700, "-700 → -700, -699 → -700"),
        (131_071, "multiples of 512"),
        (131_072, "multiples of 1,024"),
    ],
)
def test_positions_in_bfloat16_at_the_cursor(position, text):
    for name in ("sinusoidal", "rope"):
        _, texts = inspection_of_view("heatmap", encoding=S(name), position=position)
        assert texts["In bfloat16"] == text
    _, texts = inspection_of_view("heatmap", encoding=S("binary"), position=position % 1024)
    assert "In bfloat16" not in texts


def test_undefined_casts_have_a_reason_and_a_remedy():
    options = {"quantity": "error", "rounded_to": "float8-e5m2"}
    with pytest.raises(EncodingError) as exc_info:
        heatmap(options).check()
    assert "float8-e5m2" in exc_info.value.fault
    assert "bfloat16" in exc_info.value.remedy
    assert not heatmap({**options, "cast": "result"}).is_unavailable()
    assert not heatmap({**options, "quantity": "value"}).is_unavailable()


def test_from_far_a_pixel_shows_the_error_of_its_first_position():
    e = S("sinusoidal", dim=16)
    shown = heatmap_numbers((8, 10), {"quantity": "error"}, encoding=e, start=10**9, count=10**9)
    positions = range(10**9, 2 * 10**9, 10**8)
    errors = precision.error(e, positions)
    assert (shown.block, shown.columns.group) == (10**8, 2)
    of_every_second_pair = errors.reshape(10, 4, 4)[:, :, :2].reshape(10, 8)
    np.testing.assert_allclose(shown.values, of_every_second_pair, rtol=0, atol=1e-15)


def test_the_error_at_the_cursor_and_what_has_no_errors_or_angles():
    e, error = S("sinusoidal", dim=512), {"quantity": "error"}
    found, _ = inspection_of_view("heatmap", error, encoding=e, position=4974, dimension=8)
    assert float(found.values[-1].text) == pytest.approx(3.8552057e-4, rel=1e-6)
    pin = S("sinusoidal", dim=512, base=100.0)
    assert heatmap(error, encoding=e, pin=pin).is_unavailable()
    assert not heatmap(error, encoding=e, pin=pin, show="pinned").is_unavailable()
    assert heatmap(error, encoding=S("index")).is_unavailable()
    for e in (each for each in samples() if needs.waves(each)):
        assert "values" in heatmap(ANGLE, encoding=e).remedy()
        for current, pin in ((e, S("sinusoidal")), (S("sinusoidal"), e)):
            assert (
                e.format_name()
                in heatmap(ANGLE, encoding=current, pin=pin).explain_unavailability()
            )


@pytest.mark.parametrize(
    ("first", "dimensions", "shown_first", "shown_count"),
    [(0, 0, 0, 20), (5, 3, 5, 3), (19, 0, 0, 20), (65_535, 4, 16, 4), (3, 65_536, 0, 20)],
)
def test_dimensions_are_fitted_to_the_width(first, dimensions, shown_first, shown_count):
    options = {"first": first, "dimensions": dimensions}
    shown = heatmap_numbers((300, 100), options, encoding=S("sinusoidal", dim=20))
    assert (shown.first, shown.dimensions) == (shown_first, shown_count)
    part = sinusoid(np.arange(50), 20, 1e4)[:, shown_first : shown_first + shown_count]
    np.testing.assert_array_equal(shown.indices, compute_colour_indices(part, (-1, 1)))


def test_large_values_close_together_differ():
    shown = heatmap_numbers((100, 64), encoding=S("index", dim=4), start=10**15, count=50)
    assert (shown.indices[0, 0], shown.indices[49, 0]) == (0, 254)
    assert len(np.unique(shown.indices[:, 0])) == 50


def test_what_is_flat_says_so_and_leads_to_structure():
    figure_ = figure(**FAR)
    assert figure_.note.button_text
    assert figure_.note.period > 1000
    assert figure(count=2000).note is None
    assert figure({"pixel": "sample"}, **FAR).note is None


@pytest.mark.parametrize("scale", [1e-30, 1e-100, 5e-324])
def test_waves_longer_than_all_positions_are_flat_without_having_turned(scale):
    e = S("sinusoidal", dim=8, waves="sine", scale=scale)
    assert heatmap_numbers((200, 100), encoding=e, count=10**12).period is None


@pytest.mark.parametrize(("start", "colours"), [(-49, "viridis"), (0, "viridis"), (-25, "")])
def test_values_without_bound_have_a_middle_where_they_lie_on_both_sides_of_0(start, colours):
    e = S("alibi")
    shown = figure(encoding=e, start=start, count=50)
    (low, high), table = shown.panels[0].cells.limits, e.table(range(start, start + 50))
    assert (shown.substitute.replacement if shown.substitute else "") == colours
    if colours:
        assert (low, high) == (table.min(), table.max())
    else:
        assert low == -high
        assert np.abs(table).max() <= high <= 2 * np.abs(table).max()


@pytest.mark.parametrize(
    ("e", "pin"),
    [
        (S("sinusoidal", dim=12, base=1e4), S("sinusoidal", dim=12, base=1e4 * (1 + 1e-9))),
        (S("sinusoidal", dim=12), S("sinusoidal", dim=8, base=500, layout="concatenated")),
        (S("sinusoidal", dim=6), S("fraction", dim=10, length=100)),
        (S("binary", dim=9), S("sinusoidal", dim=12)),
    ],
)
def test_differences_are_right_to_rounding(e, pin):
    """Against 80 digits: of near-equal encodings, too, where their own digits cancel."""

    def number(exact):
        is_fraction = hasattr(exact, "numerator")
        return truth.mp.mpf(exact.numerator) / exact.denominator if is_fraction else exact

    for start, block in ((0, 1), (10**9, 1), (LIMIT - 20, 1), (12345, 1000), (10**12, 10**9)):
        values = heatmap_numbers(
            (10_000, 5), encoding=e, pin=pin, start=start, count=5 * block
        ).values
        assert values.shape == (5, min(e.width, pin.width))
        for (row, j), found in np.ndenumerate(values):
            own, pinned = (
                number(definition(x).block_mean(start + row * block, block, j)) for x in (e, pin)
            )
            room = 1e-15 * max(1, abs(float(own)), abs(float(pinned)))
            assert abs(truth.mp.mpf(float(found)) - (own - pinned)) <= room


@pytest.mark.parametrize(("quantity", "limits"), [("value", (-1, 1)), ("angle", (0, 360))])
def test_equal_encodings_agree(quantity, limits):
    options = {"quantity": quantity}
    for count in (50, 10**4):
        shown = heatmap_numbers((300, 100), options, pin=S("sinusoidal"), count=count)
        assert (shown.agree, shown.limits) == (True, limits)


@pytest.mark.parametrize("pixel", ["mean", "sample"])
@pytest.mark.parametrize("block", [10**9, 10**13])
def test_equal_angles_agree_however_many_a_pixel_stands_for(block, pixel):
    e, pin = S("sinusoidal", dim=31), S("sinusoidal", dim=31, order="cos-sin")
    options = {"quantity": "angle", "pixel": pixel}
    shown = heatmap_numbers(
        (300, 100), options, encoding=e, pin=pin, count=100 * block, start=10**15
    )
    assert shown.agree
    assert not shown.indices.any()


def test_they_agree_where_all_that_is_shown_is_equal():
    """The first pair has frequency 1, whatever the base."""
    angle, pin = ANGLE, S("sinusoidal", base=500)
    shown = heatmap_numbers((300, 100), angle, encoding=S("sinusoidal"), pin=pin, **FAR)
    assert not shown.agree  # other angles cancel
    assert not shown.indices[:, :2].any()
    assert (shown.indices[:, 2:] == NO_VALUE_INDEX).all()
    assert heatmap_numbers((300, 100), {"dimensions": 2}, pin=pin).agree
    assert not heatmap_numbers((300, 100), pin=pin).agree


def test_many_turns_cancel_in_angles_but_differences_of_values_follow_their_size():
    pin = S("sinusoidal", base=500, scale=2.0)
    shown = heatmap_numbers((300, 100), ANGLE, pin=pin, **FAR)
    assert shown.flat_mean is None
    frequencies = S("sinusoidal").frequencies() - pin.frequencies()
    assert shown.period == pytest.approx(2 * np.pi / np.abs(frequencies).min())
    shown = heatmap_numbers((300, 100), pin=S("sinusoidal", base=500), **FAR)
    assert shown.period is None
    assert 0 < shown.limits[1] < 0.1
    assert np.ptp(shown.indices.astype(int)) > 100


def test_a_difference_is_called_by_its_two_sides():
    state = {"encoding": S("sinusoidal", dim=64), "pin": S("sinusoidal", dim=32)}
    for options in ({}, ANGLE):
        shown = figure(options, **state)
        assert "width 64 − other" in shown.status
        assert "width 64 − other" in shown.panels[0].cells.title
        assert "width 64 − other" not in figure(options, show="pinned", **state).status
    assert " 32 dimensions " in figure(**state).status
    wider = {"encoding": S("sinusoidal", dim=10), "pin": S("sinusoidal", dim=40)}
    assert " 10 of 40 " in figure(show="pinned", **wider).status
    for show in ("pinned", "difference"):  # without pins there is nothing to compare with
        np.testing.assert_array_equal(values(show=show), values())
    single, both = (
        cost_of("heatmap", **with_pin(pin=pin, count=10**6)) for pin in (None, S("sinusoidal"))
    )
    assert both == 2 * single
