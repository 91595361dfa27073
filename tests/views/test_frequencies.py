"""The frequencies on the screen: what is drawn, what a click, a wheel and a choice do."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.model import Exploration
from tests.support.gestures import (
    click,
    double_click,
    inside,
    move,
    settle,
    spot,
    wait_for_worker,
    wheel,
)


def sines(dim=128, base=1e4, **parameters):
    return encodings.create("sinusoidal", dim=dim, base=base, **parameters)


def shown(view):
    """Return the numbers of the curve as they stand beside the axis."""
    x, y = view.plots["curve"].curve_set.lines[0].getData()
    return x, y


def test_a_straight_line_on_the_logarithmic_axis_and_a_curve_on_the_other(show):
    view = show("frequencies", encoding=sines())
    x, y = shown(view)
    np.testing.assert_allclose(y, -4 * x / 64, atol=1e-12)
    combo = view.header.combos["axis"]
    assert combo.currentData() == "logarithmic"
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    settle(view.model)
    assert view.options.axis == "linear"
    np.testing.assert_allclose(shown(view)[1], 1e4 ** (-x / 64), rtol=1e-12)
    view.header.combos["quantity"].setCurrentIndex(1)
    settle(view.model)
    assert view.options.quantity == "wavelength"
    np.testing.assert_allclose(shown(view)[1], 2 * np.pi * 1e4 ** (x / 64), rtol=1e-12)
    assert view.plots["curve"].left.labelText == "wavelength λ, positions per turn"


def test_numbers_beside_the_axis_are_powers_of_ten(show):
    view = show("frequencies", encoding=sines())
    ((spacing, places),) = view.plots["curve"].left.tickValues(-4.0, 0.0, 500)
    assert view.plots["curve"].left.tickStrings(places, 1.0, spacing) == [
        "10⁻⁴",
        "10⁻³",
        "10⁻²",
        "10⁻¹",
        "10⁰",
    ]
    view.set_options(axis="linear")
    settle(view.model)
    ((spacing, places),) = view.plots["curve"].left.tickValues(0.0, 1.0, 200)
    assert view.plots["curve"].left.tickStrings(places, 1.0, spacing)[:2] == ["0", "0.2"]


def test_the_shaded_ground_and_the_wheel(show):
    view = show("frequencies", encoding=sines())
    (rect,) = view.plots["curve"].shading.rects
    assert (rect.left(), rect.right()) == (14.5, 63.5)
    wheel(view, inside(view, view.plots["curve"], 0.5, 0.5), -2)
    settle(view.model)
    state = view.model.state
    assert (state.start, state.count) == (0, round(50 * 0.8**-2))
    turning = sum(2 * np.pi * 1e4 ** (i / 64) <= state.count for i in range(64))
    (rect,) = view.plots["curve"].shading.rects
    assert rect.left() == turning - 0.5
    view.model.set(count=10**6)
    settle(view.model)
    assert not view.plots["curve"].shading.rects
    assert "64 of 64 pairs" in view.status


def test_a_typed_length_is_a_level_line_with_its_name(show):
    view = show("frequencies", encoding=sines(), options={"quantity": "wavelength"})
    assert not view.plots["curve"].level.isVisible()
    view.set_options(length=22_500)
    settle(view.model)
    assert view.plots["curve"].level.isVisible()
    assert view.plots["curve"].level.value() == pytest.approx(np.log10(22_500), rel=1e-12)
    assert view.plots["curve"].level_name.toPlainText() == "length 22,500"
    view.set_options(length=None)
    settle(view.model)
    assert not view.plots["curve"].level_name.isVisible()


def test_a_double_click_marks_the_length_at_its_height(show):
    view = show("frequencies", encoding=sines(), options={"quantity": "wavelength"})
    place = spot(view, view.plots["curve"], 30, np.log10(1000))
    double_click(view, place)
    settle(view.model)
    assert view.options.length == pytest.approx(1000, rel=0.03)  # a pixel is so much


def test_a_click_sets_the_pair_and_the_mouse_previews_it(show):
    view = show("frequencies", encoding=sines(layout="concatenated"), dimension=64 + 5)
    assert view.plots["curve"].upright.value() == 5
    move(view, spot(view, view.plots["curve"], 20, -1))
    move(view, spot(view, view.plots["curve"], 20, -1))
    settle(view.model)
    assert view.model.preview.dimension == 20
    assert view.plots["curve"].preview_upright.value() == 20
    click(view, spot(view, view.plots["curve"], 5, -1))
    settle(view.model)
    assert view.model.state.dimension == 64 + 5  # its own pair: the cursor stays
    click(view, spot(view, view.plots["curve"], 20, -1))
    settle(view.model)
    assert view.model.state.dimension == 20
    assert view.model.state.position == 0


def test_a_click_on_the_first_wave_that_is_longer_than_a_length_sets_its_dimension(show):
    """The lesson of the period: 92 has 4,711.7 positions, 93 has 5,063.3."""
    options = {"quantity": "wavelength", "length": 5000}
    view = show("frequencies", encoding=sines(waves="sine"), options=options, count=5000)
    lengths = 2 * np.pi * 1e4 ** (np.arange(128) / 128)
    first = int((lengths > 5000).argmax())
    assert first == 93
    click(view, spot(view, view.plots["curve"], first, np.log10(lengths[first])))
    settle(view.model)
    assert view.model.state.dimension == first


def test_a_click_beyond_the_last_pair_sets_nothing(show):
    view = show("frequencies", encoding=sines(18), pins=[Pin(sines(), "wide")], dimension=4)
    click(view, spot(view, view.plots["curve"], 40, -1))
    settle(view.model)
    assert view.model.state.dimension == 4


def test_pins_have_curves_and_names(show):
    pins = [Pin(sines(base=100.0), "b=100"), Pin(encodings.create("index"), "positions")]
    view = show("frequencies", encoding=sines(), pins=pins)
    lines = view.plots["curve"].curve_set.lines
    assert [line.isVisible() for line in lines] == [True, True, False]
    names = view.plots["curve"].curve_set.legend.names
    assert names[:3] == ("sinusoidal, b = 10,000", "b=100", "positions: it has no waves")
    assert names[3:] == ("no whole turn in 50 positions",)
    assert "Not drawn: positions (index is not made of waves" in view.status


@pytest.mark.parametrize("quantity", ["wavelength", "frequency"])
def test_the_legend_does_not_hide_the_name_of_a_length(show, quantity):
    yarn = rope("yarn", original_max_position_embeddings=32_768)
    options = {"quantity": quantity, "length": 32_768}
    pins = [Pin(rope(), "as trained")]
    view = show("frequencies", 440, 170, encoding=yarn, pins=pins, count=131_072, options=options)
    plot = view.plots["curve"]
    name, legend = plot.level_name, plot.curve_set.legend
    assert name.isVisible()
    assert legend.isVisible()
    assert not legend.sceneBoundingRect().intersects(name.sceneBoundingRect())


def rope(rope_type="default", **parameters):
    return encodings.create("rope", rope_theta=1e6, rope_type=rope_type, **parameters)


def test_a_pin_departs_where_a_dot_stands(show):
    pins = [
        Pin(rope("yarn", original_max_position_embeddings=32_768), "YaRN"),
        Pin(rope("linear"), "linear"),
        Pin(rope(), "twin"),
    ]
    view = show("frequencies", encoding=rope(), pins=pins, count=131_072)
    slower = rope("yarn", original_max_position_embeddings=32_768).frequencies()
    first = int((slower < 0.999 * rope().frequencies()).argmax())
    assert view.status.count("departs") == 1
    assert f"departs at pair {first}" in view.status


def test_pairs_that_never_turn_are_told_on_a_logarithmic_axis(show):
    view = show("frequencies", encoding=rope("proportional", partial_rotary_factor=0.25))
    assert "48 pairs never turn: no place on a logarithmic axis." in view.status
    view.model.set_options("frequencies", axis="linear")
    settle(view.model)
    assert "never turn" not in view.status


def test_many_waves_are_left_to_the_worker(show):
    view = show("frequencies", encoding=sines(65_536, 1e12), count=10**15)
    wait_for_worker(view.model)
    x, y = shown(view)
    assert len(x) == 32_768
    np.testing.assert_allclose(y, -12 * x / 32_768, atol=1e-9)
    assert view.status == "Frequencies: 32,768 of 32,768 pairs complete a turn in " + (
        "1,000,000,000,000,000 positions."
    )


def test_without_waves_a_sentence_says_so_and_a_click_nothing(show):
    view = show("frequencies", encoding=encodings.create("binary"), dimension=3)
    assert view.blank
    assert "not made of waves" in view.stage.sentence
    for gesture in (click, double_click):
        gesture(view, inside(view, view.plots["curve"], 0.5, 0.2))
        settle(view.model)
    assert view.model.state.dimension == 3
    assert view.options.length is None


def test_frequencies_of_0_have_a_sentence_in_their_place(show):
    view = show("frequencies", encoding=sines(scale=0.0))
    assert "choose a linear one" in view.stage.sentence
    view.set_options(axis="linear")
    settle(view.model)
    assert not view.stage.sentence
    view.set_options(quantity="wavelength")
    settle(view.model)
    assert "no wave ever completes a turn" in view.stage.sentence


def test_an_exploration_keeps_its_options():
    assert Exploration().options.get("frequencies") is None
