"""The frequencies on the screen: what a click, a wheel and a choice do."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.exploration import Pin
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
from tests.support.notes import note


def sines(dim=128, base=1e4, **parameters):
    return encodings.create("sinusoidal", dim=dim, base=base, **parameters)


def dimension(view):
    settle(view.model)
    return view.model.state.dimension


def test_choices_by_keys(show):
    view = show("frequencies", encoding=sines())
    for option, value in (("axis", "linear"), ("quantity", "wavelength")):
        combo = view.header.combos[option]
        combo.setFocus()
        QTest.keyClick(combo, Qt.Key.Key_Down)
        settle(view.model)
        assert getattr(view.options, option) == combo.currentData() == value


def test_the_wheel_shows_more_positions(show):
    view = show("frequencies", encoding=sines())
    wheel(view, inside(view, "curve", 0.5, 0.5), -2)
    settle(view.model)
    assert (view.model.state.start, view.model.state.count) == (0, round(50 * 0.8**-2))


def test_a_double_click_marks_the_length_at_its_height(show):
    view = show("frequencies", encoding=sines(), options={"quantity": "wavelength"})
    double_click(view, spot(view, "curve", 30, np.log10(1000)))
    settle(view.model)
    assert view.options.length == pytest.approx(1000, rel=0.03)  # a pixel is so much


def test_a_click_sets_the_pair_and_the_mouse_previews_it(show):
    view = show("frequencies", encoding=sines(layout="concatenated"), dimension=64 + 5)
    for _ in range(2):
        move(view, spot(view, "curve", 20, -1))
    settle(view.model)
    assert view.model.preview.dimension == 20
    click(view, spot(view, "curve", 5, -1))
    assert dimension(view) == 64 + 5  # its own pair: the cursor stays
    click(view, spot(view, "curve", 20, -1))
    assert dimension(view) == 20
    assert view.model.state.position == 0


def test_a_click_on_the_first_wave_that_is_longer_than_a_length_sets_its_dimension(show):
    """The lesson of the period: 92 has 4,711.7 positions, 93 has 5,063.3."""
    options = {"quantity": "wavelength", "length": 5000}
    view = show("frequencies", encoding=sines(waves="sine"), options=options, count=5000)
    lengths = 2 * np.pi * 1e4 ** (np.arange(128) / 128)
    first = int((lengths > 5000).argmax())
    assert first == 93
    click(view, spot(view, "curve", first, np.log10(lengths[first])))
    assert dimension(view) == first


def test_a_click_beyond_the_last_pair_sets_nothing(show):
    view = show("frequencies", encoding=sines(18), pins=[Pin(sines(), "wide")], dimension=4)
    click(view, spot(view, "curve", 40, -1))
    assert dimension(view) == 4


def test_many_waves_are_left_to_the_worker(show):
    view = show("frequencies", encoding=sines(65_536, 1e12), count=10**15)
    wait_for_worker(view.model)
    assert "32,768 of 32,768" in view.status


def test_without_waves_a_click_does_nothing(show):
    view = show("frequencies", encoding=encodings.create("binary"), dimension=3)
    assert view.blank
    for gesture in (click, double_click):
        gesture(view, inside(view, "curve", 0.5, 0.05))
        assert dimension(view) == 3
    assert view.options.length is None


def test_frequencies_of_0_have_a_sentence_until_another_axis_is_chosen(show):
    view = show("frequencies", encoding=sines(scale=0.0))
    assert note(view).isVisible()
    view.set_options(axis="linear")
    settle(view.model)
    assert note(view).isHidden()
    view.set_options(quantity="wavelength")
    settle(view.model)
    assert note(view).isVisible()
