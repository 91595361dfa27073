import math
import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from pe_explorer import encodings, pictures, views
from pe_explorer.colours import maps
from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.encodings import LIMIT, Stored
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Pin
from pe_explorer.model import Exploration, Model
from pe_explorer.pictures.heatmap import Heatmap
from pe_explorer.pictures.pixels import NO_VALUE, Size, colour_indices
from tests.support import truth
from tests.support.cases import for_each
from tests.support.gestures import (
    click,
    colours_across,
    drag,
    inside,
    move,
    settle,
    spot,
    wait_for_worker,
    wheel,
)
from tests.support.notes import note, offer
from tests.support.resampling import resampled
from tests.support.samples import sample, samples
from tests.support.sinusoids import sinusoid

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
every_encoding = for_each("name", encodings.names())
WITHOUT_FILES = [e.name for e in samples() if not isinstance(e, Stored)]


def explored(options=None, **fields):
    return pictures.with_options(Exploration(**fields), "heatmap", **(options or {}))


def made(size, options=None, **fields):
    return Heatmap.compute(explored(options, **fields), Size(*size), threading.Event())


def lack(options=None, **fields):
    return Heatmap.lack(explored(options, **fields))


def near(indices, values, limits=(-1.0, 1.0), by=1):
    """Say whether colour indices are those of values; the last bit of rounding is free."""
    wanted = np.round((np.asarray(values) - limits[0]) / (limits[1] - limits[0]) * 254)
    return np.abs(indices.astype(int) - wanted).max() <= by


# -- what a pixel is -------------------------------------------------------------------------------


def test_the_figure_of_every_explanation():
    shown = made((600, 300), encoding=encodings.create("sinusoidal", dim=128), count=50)
    assert (shown.block, shown.group, shown.limits, shown.note) == (1, 1, (-1.0, 1.0), "")
    assert shown.indices.shape == (50, 128)
    assert near(shown.indices, sinusoid(np.arange(50), 128, 1e4), by=0.51)


@for_each(("count", "height"), [(1000, 100), (997, 100), (101, 100), (5000, 7)])
@for_each(("dim", "width"), [(64, 200), (64, 20), (64, 64), (30, 7)])
def test_a_pixel_is_the_mean_of_what_it_stands_for(count, height, dim, width):
    shown = made(
        (width, height),
        encoding=encodings.create("sinusoidal", dim=dim, base=100.0),
        start=37,
        count=count,
    )
    rows = shown.indices.shape[0]
    assert (shown.block, shown.group) == (-(-count // height), max(1, dim / width))
    table = (
        sinusoid(np.arange(37, 37 + rows * shown.block), dim, 100.0)
        .reshape(rows, shown.block, dim)
        .mean(axis=1)
    )
    assert near(shown.indices, resampled(table, width, turns=2), by=0.51)


@for_each("name", WITHOUT_FILES)
@for_each(("start", "count"), [(0, 64 * 10**9), (10**15, 64 * 10**12), (2**52, 2**52)])
def test_huge_pixels_are_exact_means(name, start, count):
    e = sample(name, dim=40, heads=40, head_dim=40)
    shown = made((200, 64), encoding=e, start=start, count=count)
    low, high = shown.limits
    assert shown.block == count // 64
    for row in (0, 31, 63):
        for j in (0, 1, 6, e.width // 2, e.width - 1):
            first = start + row * shown.block
            mean = float(truth.block_mean(e, first, shown.block, j))
            wanted = np.clip(np.round((mean - low) / (high - low) * 254), 0, 254)
            assert abs(int(shown.indices[row, j]) - wanted) <= 1, (row, j)


@pytest.mark.parametrize(("start", "block"), [(0, 1), (10**15, 1), (12345, 1000), (10**15, 10**11)])
def test_angles_are_those_of_the_pairs(start, block):
    e = encodings.create("sinusoidal", dim=16, base=1e12)
    shown = made((64, 20), {"quantity": "angle"}, encoding=e, start=start, count=20 * block)
    assert (shown.block, shown.limits) == (block, (0.0, 360.0))
    for row in (0, 7, 19):
        for pair in range(8):
            sine, cosine = (
                float(truth.block_mean(e, start + row * block, block, 2 * pair + k))
                for k in range(2)
            )
            seen = shown.indices[row, 2 * pair]
            assert seen == shown.indices[row, 2 * pair + 1]
            length = np.hypot(sine, cosine)
            if length < 0.04:
                assert seen == NO_VALUE
            elif length > 0.06:
                off = abs(int(seen) / 254 * 360 - np.degrees(np.arctan2(sine, cosine))) % 360
                assert min(off, 360 - off) < 0.8


def module_in_float32(positions, dim):
    """Return the table that the code of document 001 makes, each step rounded once to float32."""

    def once(x):
        return np.float64(np.float32(x))

    frequencies = once(np.exp(once(np.arange(0, dim, 2) * once(-(math.log(1e4) / dim)))))
    angles = once(once(np.array(positions))[:, None] * frequencies)
    both = np.stack([once(np.sin(angles)), once(np.cos(angles))], axis=2)
    return both.reshape(len(positions), dim)


@pytest.mark.parametrize(
    ("start", "largest", "limit"), [(4950, 3.855e-4, 5e-4), (10**6, 0.0586, 0.075)]
)
def test_errors_of_float32(start, largest, limit):
    e, positions = encodings.create("sinusoidal", dim=512), range(start, start + 50)
    shown = made((512, 50), {"quantity": "error"}, encoding=e, start=start, count=50)
    expected = module_in_float32(positions, 512) - e.table(positions)
    np.testing.assert_allclose(shown.values, expected, rtol=0, atol=1e-15)
    assert np.abs(shown.values).max() == pytest.approx(largest, rel=1e-3)
    assert shown.limits == pytest.approx((-limit, limit))


def test_from_far_a_pixel_shows_the_error_of_its_first_position():
    e = encodings.create("sinusoidal", dim=16)
    shown = made((8, 10), {"quantity": "error"}, encoding=e, start=10**9, count=10**9)
    positions = range(10**9, 2 * 10**9, 10**8)
    errors = module_in_float32(positions, 16) - e.table(positions)
    assert (shown.block, shown.group) == (10**8, 2)
    of_every_second_pair = errors.reshape(10, 4, 4)[:, :, :2].reshape(10, 8)
    np.testing.assert_allclose(shown.values, of_every_second_pair, rtol=0, atol=1e-15)


def test_the_error_at_the_cursor_and_what_has_none(show):
    e = encodings.create("sinusoidal", dim=512)
    options = {"quantity": "error"}
    view = show(
        "heatmap", options=options, encoding=e, start=4950, count=50, position=4974, dimension=8
    )
    assert "float32 code" in view.status
    state = view.model.state
    found = pictures.find("heatmap").inspect(state, threading.Event())
    assert found.brief == ("float32 error: +0.00039",)
    assert float(found.values[-1].text) == pytest.approx(3.8552057e-4, rel=1e-6)
    pins = (Pin(encodings.create("sinusoidal", dim=512, base=100.0), "b"),)
    view.model.set(pins=pins, show="difference")
    settle(view.model)
    assert view.blank
    assert "show one of the two" in view.stage.sentence
    view.model.set(show="pinned")
    settle(view.model)
    assert not view.blank
    view.model.set(pins=(), show="current", encoding=sample("index"))
    settle(view.model)
    assert view.blank
    assert "float32" in view.stage.sentence
    assert "show the values instead" in view.stage.sentence


def test_samples_alias():
    """Every 44th position of the fastest wave (period 2π, 44 = 7.003 turns) looks like a slow wave;
    the mean does not.
    """
    e = encodings.create("sinusoidal", dim=2)
    fields = {"encoding": e, "count": 44 * 400}
    sampled, mean = (
        made((10, 400), {"pixel": pixel}, **fields).indices[:, 0].astype(float)
        for pixel in ("sample", "mean")
    )
    np.testing.assert_allclose(sampled, np.round((np.sin(44.0 * np.arange(400)) + 1) * 127), atol=1)
    assert np.ptp(sampled) > 200
    assert np.ptp(mean) < 8


@every_encoding
@for_each("quantity", ["value", "angle", "error"])
@for_each("pixel", ["mean", "sample"])
@for_each(
    ("start", "count"), [(0, 1), (0, 50), (-5, 20), (10**15, 10**15), (-LIMIT, LIMIT), (LIMIT, 1)]
)
def test_there_is_something_to_see_or_a_sentence(name, quantity, pixel, start, count):
    e, options = sample(name, dim=12), {"quantity": quantity, "pixel": pixel}
    if lack(options, encoding=e):
        assert quantity != "value"
        return
    shown = made((1100, 100), options, encoding=e, start=start, count=count)
    assert shown.indices is not None or shown.note
    if shown.indices is not None:
        assert shown.indices.shape == (min(100, -(-count // shown.block)), e.width)
        assert shown.note or (shown.indices != NO_VALUE).any()


@pytest.mark.parametrize(
    ("first", "dimensions", "shown_first", "shown_count"),
    [(0, 0, 0, 20), (5, 3, 5, 3), (19, 0, 0, 20), (65_535, 4, 16, 4), (3, 65_536, 0, 20)],
)
def test_dimensions_are_fitted_to_the_width(first, dimensions, shown_first, shown_count):
    shown = made(
        (300, 100),
        {"first": first, "dimensions": dimensions},
        encoding=encodings.create("sinusoidal", dim=20),
    )
    assert (shown.first, shown.dimensions) == (shown_first, shown_count)
    np.testing.assert_array_equal(
        shown.indices,
        colour_indices(
            sinusoid(np.arange(50), 20, 1e4)[:, shown_first : shown_first + shown_count], (-1, 1)
        ),
    )


def test_every_column_of_the_widest_rows_can_be_reached(show):
    e = encodings.create("rope", head_dim=65_536)
    view = show("heatmap", width=600, height=300, encoding=e, count=2)
    wait_for_worker(view.model)
    refused = []
    view.model.refused.connect(refused.append)
    view.plot.box.pointed.emit(100_000.0, 1.0)
    assert (view.model.preview.position, view.model.preview.dimension) == (1, 100_000)
    view.plot.box.picked.emit(float(e.width - 1), 0.0)
    assert view.model.state.dimension == e.width - 1 == 131_071
    view.set_options(first=120_000, dimensions=10)
    wait_for_worker(view.model)
    assert (view.plot.bottom._origin, refused) == (120_000, [])
    assert view.plot.preview_upright.isVisible() == (view.model.preview is not None)


def test_before_there_is_a_picture_the_mouse_points_at_nothing(qtbot):
    view, model = views.find("heatmap")(), Model()
    qtbot.addWidget(view)
    view.attach(model)  # and not shown, so it is not drawn
    before = model.state
    view.plot.box.pointed.emit(3.0, 4.0)
    view.plot.box.picked.emit(3.0, 4.0)
    assert (model.state, model.preview) == (before, None)
    view.detach()
    model.close()


# -- the sentence, and the way out -----------------------------------------------------------------


def test_flat_it_says_so_and_leads_to_structure(show):
    view = show("heatmap", start=10**6, count=10**12)
    assert "mean is" in view.stage.sentence
    assert note(view).isVisible()
    click_button = offer(view)
    assert click_button.isVisible()
    click_button.click()
    settle(view.model)
    assert note(view).isHidden()
    assert view.model.state.start == 10**6
    assert 1000 < view.model.state.count < 10**9
    shown = Heatmap.compute(view.model.state, view.size_in_pixels(), threading.Event())
    assert not shown.note
    assert np.ptp(shown.indices[shown.indices != NO_VALUE].astype(int)) > 100


@pytest.mark.parametrize("scale", [1e-30, 1e-100, 5e-324])
def test_waves_longer_than_all_positions_are_flat_without_having_turned(scale):
    """So there are no many turns to tell of, and no structure to zoom to."""
    e = encodings.create("sinusoidal", dim=8, waves="sine", scale=scale)
    flat = made((200, 100), encoding=e, count=10**12)
    assert (flat.note, flat.period) == ("", 0.0)


def test_by_samples_nothing_is_flat(show):
    view = show("heatmap", options={"pixel": "sample"}, count=10**12)
    assert note(view).isHidden()


@pytest.mark.parametrize("name", [e.name for e in samples() if needs.waves(e)])
def test_without_waves_it_says_why_there_are_no_angles(show, name):
    view = show("heatmap", options={"quantity": "angle"}, encoding=sample(name))
    assert note(view).isVisible()
    assert sample(name).title() in view.stage.sentence
    assert "angle" in view.stage.sentence
    assert not view.plot.image.isVisible()
    view.set_option("quantity", "value")
    settle(view.model)
    assert note(view).isHidden()
    assert view.plot.image.isVisible()


# -- the mouse -------------------------------------------------------------------------------------


def test_wheel_zooms_the_positions_at_the_mouse(show):
    view = show("heatmap", start=1000, count=100)
    wheel(view, inside(view, view.plot, 0.5, 0.0) + QPoint(0, 2), 1)
    settle(view.model)
    assert (view.model.state.start, view.model.state.count) == (1000, 80)
    wheel(view, inside(view, view.plot, 0.5, 1.0) - QPoint(0, 2), -1)
    settle(view.model)
    state = view.model.state
    assert state.count == 100
    assert abs(state.positions[-1] - 1079) <= 1


def test_wheel_goes_from_one_position_to_2_53_and_back(show):
    view = show("heatmap", count=20)
    point = inside(view, view.plot, 0.5, 0.5)
    for _ in range(20):
        wheel(view, point, 1)
    settle(view.model)
    assert view.model.state.count == 1
    for _ in range(40):
        wheel(view, point, -8)
    settle(view.model)
    assert view.model.state.count == LIMIT
    assert note(view).isVisible()


@pytest.mark.parametrize("modifier", [CTRL, SHIFT])
def test_wheel_with_a_key_zooms_the_dimensions(show, modifier):
    view = show("heatmap")
    point = inside(view, view.plot, 0.5, 0.5)
    wheel(view, point, 3, modifier)
    settle(view.model)
    options = view.options
    assert options.dimensions < 70
    assert abs(options.first + options.dimensions / 2 - 64) <= 2
    assert view.model.state.count == 50
    for _ in range(60):
        wheel(view, point, 1, modifier)
    assert view.options.dimensions == 1
    for _ in range(60):
        wheel(view, point, -1, modifier)
    assert (view.options.first, view.options.dimensions) == (0, 0)


def test_drag_moves_with_the_mouse(show):
    view = show("heatmap", options={"dimensions": 32, "first": 50}, start=1000, count=50)
    box = view.plot.box
    start = inside(view, view.plot, 0.5, 0.5)
    end = start + QPoint(round(box.width() / 4), round(-box.height() / 5))
    drag(view, start, end)
    settle(view.model)
    assert abs(view.model.state.start - 1010) <= 1
    assert abs(view.options.first - 42) <= 1
    assert (view.model.state.count, view.options.dimensions) == (50, 32)


def test_the_mouse_marks_what_it_points_at_and_a_click_sets_it(show):
    view = show("heatmap", start=10**15, count=50, position=10**15 + 2, dimension=3)
    move(view, spot(view, view.plot, 30, 20))
    move(view, spot(view, view.plot, 31, 21))
    settle(view.model)
    assert (view.model.preview.position, view.model.preview.dimension) == (10**15 + 21, 31)
    assert (view.plot.preview_upright.value(), view.plot.preview_across.value()) == (31, 21)
    assert view.plot.preview_upright.isVisible()
    assert (view.model.state.position, view.model.state.dimension) == (10**15 + 2, 3)
    assert (view.plot.upright.value(), view.plot.across.value()) == (3, 2)
    click(view, spot(view, view.plot, 31, 21))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (10**15 + 21, 31)
    assert (view.plot.upright.value(), view.plot.across.value()) == (31, 21)
    assert view.model.preview is None  # until the mouse moves again
    assert not view.plot.preview_upright.isVisible()


def test_the_mouse_points_at_nothing_once_the_next_encoding_has_no_table(show):
    view = show("heatmap", dimension=3)
    there = spot(view, view.plot, 31, 21)
    move(view, there)
    assert view.model.preview.position == 21
    view.model.set_encoding("learned")  # without a file, and not announced yet
    move(view, there)
    click(view, there)
    assert view.blank
    assert view.model.preview is None
    assert (view.model.state.position, view.model.state.dimension) == (0, 3)
    assert view.model.state.place is None
    settle(view.model)
    assert view.blank


def test_the_mark_of_the_mouse_is_lighter_than_that_of_the_cursor(show):
    view = show("heatmap", position=10)
    view.model.point_at(position=40, dimension=100)
    settle(view.model)
    image = view.stage.canvas.grab().toImage()

    def seen(row):
        pixels = [
            inside(view, view.plot, across / 200, (row + 0.5) / 50) for across in range(20, 150)
        ]
        band = [point + QPoint(0, shift) for point in pixels for shift in (-1, 0, 1)]
        return sum(image.pixelColor(point).name() in ("#ffffff", "#000000") for point in band)

    cursor, preview, neither = seen(10), seen(40), seen(25)
    assert cursor >= 100  # pixels of a line that covers what is below it
    assert preview == neither
    view.model.point_at()
    settle(view.model)
    assert view.stage.canvas.grab().toImage() != image


def test_click_sets_the_cursor_also_while_it_plays(show):
    view = show("heatmap")
    view.model.playhead.play()
    move(view, spot(view, view.plot, 3, 2))
    move(view, spot(view, view.plot, 30, 20))
    assert view.model.preview is None  # pointing does not disturb
    click(view, spot(view, view.plot, 7, 40))
    assert (view.model.state.position, view.model.state.dimension) == (40, 7)
    view.model.playhead.pause()


def test_a_cursor_elsewhere_is_not_drawn(show):
    view = show("heatmap", position=500)
    assert not view.plot.across.isVisible()
    assert view.plot.upright.isVisible()
    view.model.set(position=3)
    view.set_options(first=5, dimensions=3)
    settle(view.model)
    assert view.plot.across.isVisible()
    assert not view.plot.upright.isVisible()


# -- the choices in the header ---------------------------------------------------------------------


def test_choices_by_hand(show):
    view = show("heatmap")
    combo = view.header.combos["quantity"]
    combo.setCurrentIndex(combo.findData("angle"))
    combo.activated.emit(combo.currentIndex())
    settle(view.model)
    assert view.options.quantity == "angle"
    assert not view.header.combos["show"].isVisible()
    view.model.set(pins=(Pin(encodings.create("index"), "other"),))
    settle(view.model)
    assert view.header.combos["show"].isVisible()


@pytest.mark.parametrize("dim", [1, 2, 3, 4096, 65_536])
@pytest.mark.parametrize("base", [1.1, 1e12])
def test_extreme_widths_are_shown(show, dim, base):
    view = show(
        "heatmap",
        encoding=encodings.create("sinusoidal", dim=dim, base=base),
        start=10**15,
        count=7,
    )
    wait_for_worker(view.model)
    assert len(colours_across(view, view.plot)) > 1
    assert view.plot.left.labelText == "position: 1,000,000,000,000,000 +"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colours", VALUE_MAPS)
def test_pixels_on_the_screen_have_the_colours_of_the_values(show, qapp, theme, colours):
    qapp.set_theme(theme)
    view = show(
        "heatmap",
        options={"values": colours},
        encoding=encodings.create("sinusoidal", dim=8),
        count=12,
    )
    image = view.stage.canvas.grab().toImage()
    table, values = maps.table(colours, NO_VALUE), sinusoid(np.arange(12), 8, 1e4)
    for row in range(1, 12):
        for column in range(1, 8):  # row and column 0 hold the cursor
            seen = image.pixelColor(spot(view, view.plot, column, row))
            wanted = table[round((values[row, column] + 1) * 127)]
            assert (
                max(
                    abs(a - int(b))
                    for a, b in zip((seen.red(), seen.green(), seen.blue()), wanted, strict=True)
                )
                <= 3
            ), (row, column)


def test_large_values_close_together_differ():
    shown = made((100, 64), encoding=encodings.create("index", dim=4), start=10**15, count=50)
    assert shown.indices[0, 0] == 0
    assert shown.indices[49, 0] == 254
    assert len(np.unique(shown.indices[:, 0])) == 50


# -- upward, pairs and a second window -------------------------------------------------------------


def test_upward_the_first_position_is_below(show):
    e = encodings.create("index", dim=4)
    view = show("heatmap", options={"upward": True}, encoding=e, count=20, position=9)
    top, bottom = spot(view, view.plot, 0, 19), spot(view, view.plot, 0, 0)
    assert top.y() < bottom.y()
    image = view.stage.splitter.grab().toImage()
    bright, dark = maps.table("viridis", 255)[[254, 0]].astype(int)
    seen = [image.pixelColor(point).getRgb()[:3] for point in (top, bottom)]
    assert np.abs(np.array(seen) - [bright, dark]).max() <= 2
    click(view, spot(view, view.plot, 2, 15))
    assert (view.model.state.position, view.model.state.dimension) == (15, 2)
    settle(view.model)
    assert view.plot.across.value() == 15
    wheel(view, inside(view, view.plot, 0.5, 1.0), 3)  # below is position 0, which stays
    settle(view.model)
    assert (view.model.state.start, view.model.state.count) == (0, 10)
    drag(view, inside(view, view.plot, 0.5, 0.3), inside(view, view.plot, 0.5, 0.7))
    settle(view.model)
    assert view.model.state.start == 4
    view.set_options(upward=False)
    settle(view.model)
    assert spot(view, view.plot, 0, 5).y() < spot(view, view.plot, 0, 10).y()


def test_a_click_in_a_column_of_a_pair_chooses_one_of_its_dimensions(show):
    e = encodings.create("sinusoidal", dim=16)
    view = show("heatmap", options={"quantity": "angle", "pairs": True}, encoding=e, count=20)
    assert view.plot.bottom.labelText == "pair"
    click(view, spot(view, view.plot, 5, 3))
    assert (view.model.state.position, view.model.state.dimension) == (3, 10)
    settle(view.model)
    assert view.plot.upright.value() == 5
    view.model.set(dimension=15)
    settle(view.model)
    assert view.plot.upright.value() == 7
    click(view, spot(view, view.plot, 7, 4))
    assert view.model.state.dimension == 15
    wheel(view, inside(view, view.plot, 0.99, 0.5), 3, CTRL)
    settle(view.model)
    assert (view.options.first, view.options.dimensions) == (4, 4)
    wheel(view, inside(view, view.plot, 0.5, 0.5), -9, CTRL)
    settle(view.model)
    assert (view.options.first, view.options.dimensions) == (0, 0)


def test_a_second_window_beside_the_first(show):
    view = show("heatmap", options={"second": 50}, count=50)
    settle(view.model)
    one, other = view.plot, view.plots["second"]
    assert view.stage.canvas_of(other).isVisible()
    assert (one.bar.isVisible(), other.bar.isVisible()) == (False, True)
    first_numbers = [plot.left.tickStrings([0.0], 1.0, 1.0) for plot in (one, other)]
    assert first_numbers == [["0"], ["50"]]
    assert abs(one.box.width() - other.box.width()) <= 1
    assert one.box.height() == other.box.height()
    move(view, spot(view, other, 7, 20))
    settle(view.model)
    assert (view.model.preview.position, view.model.preview.dimension) == (70, 7)
    assert other.preview_across.isVisible()
    assert not one.preview_across.isVisible()
    click(view, spot(view, other, 3, 10))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (60, 3)
    assert (other.across.value(), other.upright.value()) == (10, 3)
    assert not one.across.isVisible()
    assert one.upright.isVisible()
    drag(view, inside(view, other, 0.5, 0.7), inside(view, other, 0.5, 0.5))
    settle(view.model)
    assert (view.model.state.start, view.options.second) == (0, 60)
    drag(view, inside(view, one, 0.5, 0.7), inside(view, one, 0.5, 0.5))
    settle(view.model)
    assert (view.model.state.start, view.options.second) == (10, 60)
    wheel(view, inside(view, other, 0.5, 0.0), 1)
    settle(view.model)
    state = view.model.state
    assert (state.start, state.count, view.options.second) == (10, 40, 60)
    wheel(view, inside(view, one, 0.5, 0.999), 3)
    settle(view.model)
    state = view.model.state
    assert (state.start, state.count, view.options.second) == (30, 20, 80)
    view.set_options(second=None)
    settle(view.model)
    assert not view.stage.canvas_of(other).isVisible()
    assert one.bar.isVisible()


def test_a_second_window_may_go_while_the_mouse_holds_it(show):
    """As when a file with one window is dropped: the mouse moves on over what was the other."""
    view = show("heatmap", options={"second": 50}, count=50)
    before = view.model.state
    view.set_options(second=None)
    settle(view.model)
    gone = view.plots["second"].box
    gone.pointed.emit(3.0, 4.0)
    assert view.model.preview is None
    gone.pan_asked.emit(0.0, 0.5)
    gone.picked.emit(3.0, 4.0)
    settle(view.model)
    state = view.model.state
    assert (state.start, state.position) == (before.start, before.position)
    assert view.options.second is None


def test_a_second_window_that_takes_long_arrives(show):
    e = encodings.create("sinusoidal", dim=8192)
    view = show("heatmap", options={"second": 10**15}, encoding=e, count=5000)
    wait_for_worker(view.model)
    assert view.plots["second"].image.isVisible()
    assert view.plots["second"].left.labelText.endswith("1,000,000,000,000,000 +")
    assert "Beside it" in view.status
