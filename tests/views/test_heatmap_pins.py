"""The heat map of a pinned encoding, and of differences."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from pe_explorer import encodings, pictures
from pe_explorer.colours import maps
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Pin
from pe_explorer.model import Exploration
from pe_explorer.pictures.heatmap import Heatmap
from pe_explorer.pictures.pixels import NO_VALUE, Size
from tests.support import truth
from tests.support.cases import for_each
from tests.support.computing import compute_with
from tests.support.gestures import click, inside, move, settle, spot, wait_for_worker, wheel
from tests.support.notes import note
from tests.support.oracles import definition
from tests.support.readout import describe
from tests.support.resampling import resampled

S = encodings.create


def state(e, *pins, show="difference", options=None, **fields):
    named = tuple(Pin(pin, f"pin {k}") for k, pin in enumerate(pins))
    made = Exploration(encoding=e, pins=named, show=show, **fields)
    return pictures.with_options(made, "heatmap", **(options or {}))


def made(size, e, *pins, **fields):
    return Heatmap.compute(state(e, *pins, **fields), Size(*size), threading.Event())


PAIRS = [
    (S("sinusoidal", dim=12, base=1e4), S("sinusoidal", dim=12, base=1e4 * (1 + 1e-9))),
    (S("sinusoidal", dim=12), S("sinusoidal", dim=8, base=500, layout="concatenated")),
    (S("sinusoidal", dim=6), S("fraction", dim=10, length=100)),
    (S("binary", dim=9), S("sinusoidal", dim=12)),
]


@for_each(("e", "other"), PAIRS)
@for_each(("start", "block"), [(0, 1), (10**9, 1), (LIMIT - 20, 1), (12345, 1000), (10**12, 10**9)])
def test_differences_are_right_to_rounding(e, other, start, block):
    """Against 80 digits: of near-equal encodings, too, where their own digits cancel."""
    shown = made((10_000, 5), e, other, start=start, count=5 * block)
    assert shown.block == block
    values = shown.values
    assert values.shape == (5, min(e.width, other.width))
    for row in range(5):
        for j in range(values.shape[1]):
            own, pinned = (
                truth.mp.mpf(_number(truth.block_mean(x, start + row * block, block, j)))
                for x in (e, other)
            )
            room = 1e-15 * max(1, abs(float(own)), abs(float(pinned)))
            assert abs(truth.mp.mpf(float(values[row, j])) - (own - pinned)) <= room


def _number(exact):
    return (
        truth.mp.mpf(exact.numerator) / exact.denominator if hasattr(exact, "numerator") else exact
    )


@pytest.mark.parametrize(("dim", "width"), [(64, 200), (64, 20)])
def test_a_pixel_is_the_mean_of_the_differences_in_it(dim, width):
    e, other = S("sinusoidal", dim=dim, base=100.0), S("sinusoidal", dim=40, base=50.0)
    shown = made((width, 100), e, other, count=1000, start=7)
    assert (shown.block, shown.group, shown.dimensions) == (10, max(1, 40 / width), 40)
    apart = e.table(range(7, 1007))[:, :40] - other.table(range(7, 1007))
    means = apart.reshape(100, 10, 40).mean(axis=1)
    columns = resampled(means, width, turns=2)
    low, high = shown.limits
    assert low == -high
    assert np.abs(columns).max() <= high <= 2 * np.abs(columns).max()
    assert np.abs(shown.indices - (columns - low) / (high - low) * 254).max() <= 0.51


def test_the_pinned_encoding_looks_as_it_would_by_itself():
    e, other = S("sinusoidal", dim=20), S("index", dim=7)
    pinned, alone = (
        made((300, 100), e, S("binary"), other, show="pinned", compared=1),
        made((300, 100), other),
    )
    np.testing.assert_array_equal(pinned.indices, alone.indices)
    assert (pinned.limits, pinned.dimensions) == (alone.limits, 7)


@pytest.mark.parametrize("show", ["pinned", "difference"])
def test_without_pins_there_is_nothing_to_compare_with(show):
    np.testing.assert_array_equal(
        made((300, 100), S("sinusoidal"), show=show).indices,
        made((300, 100), S("sinusoidal"), show="current").indices,
    )


@pytest.mark.parametrize(("start", "block"), [(0, 1), (10**12, 1), (500, 40), (10**15, 7)])
def test_angles_are_subtracted_around_the_circle(start, block):
    e, other = S("sinusoidal", dim=8, base=1e4), S("sinusoidal", dim=8, base=300.0)
    shown = made((64, 20), e, other, options={"quantity": "angle"}, start=start, count=20 * block)
    assert shown.limits == (0.0, 360.0)
    seen = 0
    for row in range(20):
        for pair in range(4):
            mean = truth.mean_turned(e, other, start + row * block, block, 2 * pair)
            index = int(shown.indices[row, 2 * pair])
            if abs(mean) < 0.049:
                assert index == NO_VALUE
            elif abs(mean) > 0.051:
                off = abs(index / 254 * 360 - np.degrees(np.angle(mean))) % 360
                assert min(off, 360 - off) < 0.8
                seen += 1
    assert seen > 20


def test_where_the_mean_of_one_changes_its_sign_the_difference_does_not():
    """A side lobe: the mean of pair 2 points the other way in one encoding, and not in the
    other.
    """
    e, other = S("sinusoidal", dim=64), S("sinusoidal", dim=64, base=500.0)
    shown = made((64, 20), e, other, options={"quantity": "angle"}, count=200)
    assert shown.block == 10
    assert shown.indices[0, 4] / 254 * 360 == pytest.approx(330.1, abs=0.75)


# -- sentences -------------------------------------------------------------------------------------


@pytest.mark.parametrize("quantity", ["value", "angle"])
def test_equal_encodings_agree(quantity):
    shown = made((300, 100), S("sinusoidal"), S("sinusoidal"), options={"quantity": quantity})
    assert shown.note == "The two agree at every position shown."
    assert shown.limits == ((-1.0, 1.0) if quantity == "value" else (0.0, 360.0))
    assert made(
        (300, 100), S("sinusoidal"), S("sinusoidal"), options={"quantity": quantity}, count=10**4
    ).note.startswith("The two agree in every pixel")


@pytest.mark.parametrize("pixel", ["mean", "sample"])
@pytest.mark.parametrize("block", [10**9, 10**13])
def test_equal_angles_agree_however_many_a_pixel_stands_for(block, pixel):
    e, other = S("sinusoidal", dim=31), S("sinusoidal", dim=31, order="cos-sin")
    shown = made(
        (300, 100),
        e,
        other,
        options={"quantity": "angle", "pixel": pixel},
        count=100 * block,
        start=10**15,
    )
    assert shown.note == "The two agree in every pixel shown."
    assert not shown.indices.any()


def test_angles_that_cancel_beside_equal_ones_are_no_agreement():
    far = {"count": 10**12, "start": 10**6}
    shown = made(
        (300, 100), S("sinusoidal"), S("sinusoidal", base=500), options={"quantity": "angle"}, **far
    )
    assert shown.note == ""
    assert not shown.indices[:, :2].any()  # the first pair has frequency 1, whatever the base
    assert (shown.indices[:, 2:] == NO_VALUE).all()


def test_where_they_agree_only_in_the_part_shown_it_is_about_that():
    e, other = S("sinusoidal", dim=8), S("sinusoidal", dim=8, base=50)
    assert made(
        (300, 100), e, other, options={"dimensions": 2}
    ).note  # the first pair has frequency 1, whatever the base
    assert not made((300, 100), e, other).note


@pytest.mark.parametrize(
    ("e", "pin", "words"),
    [
        ("sinusoidal", "index", "index is not"),
        ("index", "sinusoidal", "index is not"),
        ("index", "binary", "index is not"),
    ],
)
def test_without_waves_there_are_no_angles_to_compare(e, pin, words):
    explored = state(S(e), S(pin), options={"quantity": "angle"})
    assert Heatmap.lack(explored).startswith(words)
    assert "values" in Heatmap.remedy(explored)


def test_many_turns_cancel_in_angles_but_differences_of_values_follow_their_size():
    far = {"count": 10**12, "start": 10**6}
    shown = made(
        (300, 100),
        S("sinusoidal"),
        S("sinusoidal", base=500, scale=2.0),
        options={"quantity": "angle"},
        **far,
    )
    assert shown.note == (
        "A pixel stands for 10,000,000,000 positions, many turns of every two waves against "
        "each other: the angles cancel everywhere."
    )
    frequencies = S("sinusoidal").frequencies() - S("sinusoidal", base=500, scale=2.0).frequencies()
    assert shown.period == pytest.approx(2 * np.pi / np.abs(frequencies).min())
    shown = made((300, 100), S("sinusoidal"), S("sinusoidal", base=500), **far)
    assert shown.note == ""
    assert 0 < shown.limits[1] < 0.1
    assert np.ptp(shown.indices.astype(int)) > 100


def test_the_status_says_what_is_compared(show):
    e, other = S("sinusoidal", dim=64), S("sinusoidal", dim=32)
    view = show("heatmap", show="difference", encoding=e, pins=(Pin(other, "x"),))
    assert "d = 64 − x in the 32 dimensions that both have; one position a row." in view.status
    view.model.set(count=10**6)
    settle(view.model)
    assert "the difference of their means" in view.status
    view.set_option("quantity", "angle")
    settle(view.model)
    assert "angles, d = 64 − x" in view.status
    assert "the exact mean difference over" in view.status
    assert view.status.endswith("White: the difference makes many turns, whose angles cancel.")
    view.model.set(show="pinned")
    settle(view.model)
    assert "Heatmap: x; " in view.status
    view.model.set(show="current")
    settle(view.model)
    assert "Heatmap: x" not in view.status


# -- on the screen ---------------------------------------------------------------------------------


def test_the_choice_is_there_only_with_pins(show):
    view = show("heatmap")
    box = view.of
    assert not box.isVisible()
    view.model.set(pins=(Pin(S("sinusoidal", base=500), "x"),))
    settle(view.model)
    assert box.isVisible()
    before = view.grab().toImage()
    for choice in ("pinned", "difference"):
        box.setCurrentIndex(box.findData(choice))
        settle(view.model)
        assert view.model.state.show == choice
        assert view.grab().toImage() != before
    view.model.set(pins=())
    settle(view.model)
    assert not box.isVisible()
    assert view.status == "Heatmap: one position a row."


def test_zero_is_the_middle_of_a_diverging_map_whatever_is_chosen(show):
    e, less = S("sinusoidal", dim=4), S("sinusoidal", dim=4, base=50)
    view = show(
        "heatmap",
        options={"values": "viridis"},
        encoding=e,
        pins=(Pin(less, "x"),),
        show="difference",
    )
    image = view.stage.canvas.grab().toImage()
    here = image.pixelColor(inside(view, view.plot, 0.1, 0.5))  # the first pair: no difference
    assert here == QColor(*(int(part) for part in maps.table("soft", 255)[127]))


def test_the_difference_is_called_by_its_two_sides(show):
    e, pin = S("sinusoidal"), Pin(S("sinusoidal", base=500), "sinusoidal d=128 b=500")
    view = show("heatmap", show="difference", encoding=e, pins=(pin,))
    item = view.of.findData("difference")
    assert view.of.currentText() == view.of.itemText(item) == "b = 10,000 − b = 500"
    assert view.of.currentData() == "difference"
    assert view.status == "Heatmap: b = 10,000 − b = 500; one position a row."
    assert _title_of_colours(view) == "value, b = 10,000 − b = 500"
    view.set_option("quantity", "angle")
    settle(view.model)
    assert view.status.startswith("Heatmap: angles, b = 10,000 − b = 500; ")
    assert _title_of_colours(view) == "angle, b = 10,000 − b = 500"
    view.model.set(pins=(replace(pin, name="as in 000"),))
    settle(view.model)
    assert view.of.currentText() == "b = 10,000 − as in 000"
    assert "b = 10,000 − as in 000" in view.status
    assert _title_of_colours(view) == "angle, b = 10,000 − as in 000"
    metrics = view.of.fontMetrics()
    assert view.of.width() >= metrics.horizontalAdvance(view.of.currentText()) + 20


def _title_of_colours(view):
    """Return the title of the colour bar, as it is described."""
    state = view.model.state
    numbers = Heatmap.compute(state, view.size_in_pixels(), threading.Event())
    return Heatmap.figure(state, numbers).panels[0].cells.title


def test_a_change_of_the_pins_is_drawn(show):
    view = show(
        "heatmap", show="difference", pins=(Pin(S("sinusoidal"), "x"), Pin(S("binary", dim=8), "y"))
    )
    assert "agree" in view.stage.sentence
    view.model.set(compared=1)
    settle(view.model)
    assert note(view).isHidden()
    assert view.status.startswith("Heatmap: sinusoidal − y in the 8 dimensions")


@pytest.mark.parametrize("mode", ["current", "pinned", "difference"])
def test_names_colours_and_pins_that_are_not_shown_cost_nothing(show, mode):
    first = Pin(S("sinusoidal", base=500), "x")
    view = show("heatmap", show=mode, pins=(first, Pin(S("binary"), "y")))
    view.redraw()  # for the room that the numbers beside the first picture left
    view.refresh()
    calls, own = [], view.picture.compute
    compute_with(view, lambda *given: calls.append(given) or own(*given))
    for pins in (
        (replace(first, name="z"), Pin(S("binary"), "y")),
        (replace(first, colour="teal"), Pin(S("index"), "y")),
        (first,),
    ):
        view.model.set(pins=pins)
        settle(view.model)
    assert calls == []
    view.model.set(pins=(Pin(S("index"), "x"),))
    settle(view.model)
    assert len(calls) == (mode != "current")
    assert view.of.isVisible()
    view.model.set(pins=())
    settle(view.model)
    assert not view.of.isVisible()


@pytest.mark.parametrize("mode", ["pinned", "difference"])
def test_mouse_and_wheel_keep_to_the_dimensions_shown(show, mode):
    view = show(
        "heatmap",
        show=mode,
        encoding=S("sinusoidal", dim=64),
        pins=(Pin(S("sinusoidal", dim=10), "x"),),
    )
    move(view, spot(view, view.plot, 3, 20))
    move(view, spot(view, view.plot, 9, 21))
    settle(view.model)
    assert (view.model.preview.position, view.model.preview.dimension) == (21, 9)
    click(view, spot(view, view.plot, 9, 21))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (21, 9)
    wheel(view, inside(view, view.plot, 0.5, 0.5), 3, Qt.KeyboardModifier.ControlModifier)
    settle(view.model)
    assert 0 < view.options.dimensions < 10
    view.model.set(dimension=50)
    settle(view.model)
    assert not view.plot.upright.isVisible()


def test_of_a_wider_pin_the_cursor_reaches_what_the_current_has(show):
    view = show(
        "heatmap",
        show="pinned",
        encoding=S("sinusoidal", dim=10),
        pins=(Pin(S("sinusoidal", dim=40), "x"),),
    )
    move(view, spot(view, view.plot, 3, 20))
    move(view, spot(view, view.plot, 30, 21))
    settle(view.model)
    assert view.model.preview.dimension == 9
    click(view, spot(view, view.plot, 30, 21))
    settle(view.model)
    assert view.model.state.dimension == 9
    assert "the cursor reaches only the 10 of its 40 dimensions that d = 10 has" in view.status


def test_costs_count_both_and_long_work_arrives(show):
    size = Size(500, 400)
    single, both = (
        Heatmap.cost(state(S("sinusoidal"), *pins, count=10**6), size)
        for pins in ((), (S("sinusoidal", base=500),))
    )
    assert both == 2 * single
    view = show(
        "heatmap",
        show="difference",
        encoding=S("sinusoidal", dim=4096),
        pins=(Pin(S("binary", dim=4096), "x"),),
        count=10**6,
    )
    wait_for_worker(view.model)
    assert "in the" not in view.status
    assert view.plot.image.isVisible()


# -- the cursor in words ---------------------------------------------------------------------------


@pytest.mark.parametrize("position", [0, 3, 10**12, LIMIT])
def test_the_read_out_tells_the_difference(position):
    e, other = S("sinusoidal", dim=16), S("sinusoidal", dim=8, base=77.0)
    words = describe(state(e, other, position=position, dimension=5)).split("   ")
    assert words[:2] == [f"p {position:,}", "dim 5"]
    wanted = truth.element(e, position, 5) - truth.element(other, position, 5)
    number = f"{float(wanted):+#.6g}".replace("-", "−") if wanted else "+0"
    assert words[2] == f"d = 16, b = 10,000 − pin 0: {number}"
    angle = np.degrees(
        float(truth.mp.fmod(_turned(e, position, 5) - _turned(other, position, 5), 2 * truth.mp.pi))
    )
    off = abs(float(words[3].removeprefix("Δ ").removesuffix("°")) - angle) % 360
    assert min(off, 360 - off) <= 0.0051


def test_the_read_out_tells_what_the_heat_map_shows_of_angles():
    e, other = (
        S("sinusoidal", dim=16, offset=10**9, layout="concatenated"),
        S("sinusoidal", dim=11, base=77.0, offset=-3),
    )
    for j in range(11):
        words = describe(state(e, other, position=10**15, dimension=j))
        exact = truth.mean_turned(e, other, 10**15, 1, j)
        off = abs(float(words.split("Δ ")[1].removesuffix("°")) - np.degrees(np.angle(exact))) % 360
        assert min(off, 360 - off) <= 0.0051


def _turned(e, position, j):
    return definition(e).angle(position, j)


def test_the_read_out_tells_the_pinned_value():
    e, other = S("sinusoidal", dim=16), S("fraction", dim=8, length=10)
    assert (
        describe(state(e, other, show="pinned", position=3, dimension=5))
        == "p 3   dim 5   pin 0 +0.3"
    )
    assert (
        describe(state(e, other, position=3, dimension=0))
        == f"p 3   dim 0   sinusoidal − pin 0: −{0.3 - np.sin(3):#.6g}"
    )


@pytest.mark.parametrize(
    ("mode", "name"), [("pinned", "pin 0"), ("difference", "sinusoidal − pin 0")]
)
def test_where_the_pin_has_no_such_dimension_it_says_so(mode, name):
    assert (
        describe(state(S("sinusoidal"), S("index", dim=8), show=mode, dimension=8))
        == f"p 0   dim 8   {name}: only 8 dimensions"
    )
    assert "value" in describe(
        state(S("sinusoidal"), S("index", dim=8), show="current", dimension=8)
    )
