"""The frequencies of every encoding and its pins, against the definitions of the encodings."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pe_explorer import encodings
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Pin
from pe_explorer.pictures.axis_numbers import make_power_labels
from pe_explorer.pictures.frequencies import Frequencies
from pe_explorer.pictures.gestures import Pointer
from pe_explorer.pictures.waves_across import find_cursor_wave
from tests.support.oracles import definition
from tests.support.printed import value_of
from tests.support.requirements import STEADY, PictureRequirements
from tests.support.samples import sample, samples
from tests.support.sinusoids import sinusoidal as sines
from tests.support.states import figure_of, inspection_of_view, snapshot, state_of


class Definition(PictureRequirements):
    needs = STEADY


QUANTITIES = ("frequency", "wavelength", "turns")
every_quantity = pytest.mark.parametrize("quantity", QUANTITIES)
every_axis = pytest.mark.parametrize("axis", ["linear", "logarithmic"])


def figure(options=None, **fields):
    return figure_of("frequencies", options, **fields)


def frequencies(e):
    """Return the radians per position of all waves of an encoding by its definition."""
    defined = definition(e)
    return np.array([float(each) for each in defined.frequencies()])


def numbers_of(panel):
    """Return the numbers of all curves as they stand beside the axis."""
    return [np.array([panel.y.value(y) for y in curve.y]) for curve in panel.curves]


@pytest.mark.parametrize(
    "e", [e for e in samples() if "waves" in definition(e).abilities], ids=lambda e: e.name
)
@every_quantity
@every_axis
def test_curves_are_those_of_the_definitions(e, quantity, axis):
    bases = [sines(base=100.0), sines(base=1e8)] if e.name == "sinusoidal" else []
    pins = [Pin(each, f"b = {each.base:g}") for each in bases]
    options = {"quantity": quantity, "axis": axis}
    (panel,) = figure(options, encoding=e, pins=pins, count=321).panels
    assert [curve.name for curve in panel.curves[1:]] == [pin.name for pin in pins]
    assert panel.y.powers == (axis == "logarithmic")
    for each, found in zip([e, *bases], numbers_of(panel), strict=True):
        own = frequencies(each)
        exact = {"frequency": own, "wavelength": 2 * np.pi / own, "turns": 321 * own / (2 * np.pi)}
        np.testing.assert_allclose(found, exact[quantity], rtol=1e-12)
    count = len(frequencies(e))
    assert panel.x.count == count
    assert [panel.find_value(i, 0.0) for i in range(count)] == list(numbers_of(panel)[0])
    assert panel.find_value(count + 1.0, 0.0) is None


@pytest.mark.parametrize("count", [50, 512, 5000, 54_411])
@pytest.mark.parametrize(
    ("e", "unit"),
    [
        (sines(dim=128), "pairs"),
        (sines(dim=512, layout="concatenated", spacing="endpoint"), "pairs"),
        (sines(dim=128, waves="sine"), "dimensions"),
    ],
    ids=["pairs", "endpoint", "sines"],
)
def test_what_does_not_turn_once_is_shaded_and_counted(e, unit, count):
    pin, length = sines(dim=64, base=1e8, waves=e.waves), 22_500
    options = {"quantity": "wavelength", "lengths": [length]}
    shown = figure(options, encoding=e, pins=[Pin(pin, "other")], count=count)
    (panel,) = shown.panels
    turns, others = (2 * np.pi / frequencies(each) for each in (e, pin))
    waves, turning = len(turns), (turns <= count).sum()
    assert panel.x.title == unit.removesuffix("s")
    places = [(part.left, part.right) for part in panel.shaded_areas]
    assert places == [(turning - 0.5, waves - 0.5)] * int(turning < waves)
    assert f"{turning} of {waves} {unit} complete a turn in the range shown" in shown.status
    assert f"; {(turns <= length).sum()} " in shown.status
    assert f" {length:,} positions" in shown.status
    assert f"other: {(others <= count).sum()} of {len(others)}" in shown.status
    (mark,) = panel.levels
    assert "22,500" in mark.name
    assert panel.y.value(mark.y) == pytest.approx(length, rel=1e-12)
    assert panel.y.low < mark.y < panel.y.high


def test_several_lengths_are_marked_each_by_its_label():
    e, options = encodings.create("rope"), {"quantity": "wavelength"}
    lengths = [[8192, "target"], 512, [4096, "training"]]
    shown = figure({**options, "lengths": lengths}, encoding=e)
    (panel,) = shown.panels
    places = {level.name: panel.y.value(level.y) for level in panel.levels}
    names = {"target, 8,192": 8192, "length 512": 512, "training, 4,096": 4096}
    assert places == pytest.approx(names, rel=1e-12)
    for length, label in ((8192, "target"), (4096, "training")):
        turning = (2 * np.pi / frequencies(e) <= length).sum()
        assert f"{turning} complete a turn in {length:,} positions ({label})" in shown.status
    assert "512 positions (the marked length)" in shown.status


def test_a_double_click_marks_one_and_keeps_those_with_labels():
    marked = [], [[64, ""]], [[4096, "training"]], [[64, ""], [4096, "training"], [9000, ""]]
    for lengths in marked:
        drawn = snapshot("frequencies", {"quantity": "wavelength", "lengths": lengths})
        found = drawn.picture.find_double_click_fields(drawn, Pointer("curve", 0.0, 2.0))
        kept = [(length, label) for length, label in lengths if label or length == 9000]
        assert sorted(found["options"]["lengths"]) == [(100, ""), *kept]


def test_a_pair_that_turns_alone_is_a_dot():
    e = encodings.create("rope", rope_type="proportional", partial_rotary_factor=0.02)
    (panel,) = figure(encoding=e).panels
    (dot,) = panel.dots
    assert (dot.x, panel.y.value(dot.y)) == (0, pytest.approx(1 / 4))
    (panel,) = figure({"axis": "linear"}, encoding=e).panels
    assert panel.dots == ()  # the others lie on the axis, at 0


def test_a_dot_stands_where_a_pin_departs():
    types = ("default", "yarn", "llama3", "linear", "ntk")
    e, *others = (encodings.create("rope", rope_theta=1e6, rope_type=each) for each in types)
    pins = [Pin(each, each.rope_type) for each in others]
    shown = figure(encoding=e, pins=[*pins, Pin(e, "same")])
    wanted = []
    for number, pin in enumerate(pins[:2], 1):
        slower = frequencies(pin.encoding)
        first = int((slower < 0.999 * frequencies(e)).argmax())
        colour = shown.panels[0].curves[number].colour
        wanted.append((first, pytest.approx(math.log10(slower[first])), colour))
        assert f"from pair {first} " in shown.status.partition(f"{pin.name}: ")[2]
    assert [*shown.panels[0].dots] == wanted
    assert shown.status.count("onwards") == 2  # linear and ntk differ from the start


@pytest.mark.parametrize("dim", [1, 2, 3, 65_536])
@pytest.mark.parametrize("scale", [0.0, 5e-324, 1e-300, -0.3, 1e6])
@pytest.mark.parametrize("waves", ["both", "sine"])
def test_nothing_is_empty_at_the_extremes(dim, scale, waves):
    for base, quantity, axis in (
        (1 + 2**-52, "frequency", "linear"),
        (1 + 2**-52, "turns", "logarithmic"),
        (1e4, "wavelength", "logarithmic"),
        (1e12, "frequency", "logarithmic"),
        (1e12, "wavelength", "linear"),
    ):
        e = sines(dim=dim, base=base, scale=scale, waves=waves)
        options = {"quantity": quantity, "axis": axis, "lengths": [LIMIT]}
        shown = figure(options, encoding=e, start=-LIMIT, count=2 * 10**15)
        (panel,) = shown.panels
        assert 0 < panel.y.length < math.inf
        assert panel.curves[0].is_visible != (shown.note is not None)
        if shown.note:
            assert shown.note.sentence.endswith(".")
        y = panel.curves[0].y[np.isfinite(panel.curves[0].y)]
        assert ((panel.y.low <= y) & (y <= panel.y.high)).all()


def test_what_has_no_curve_is_named_with_the_reason():
    pins = [Pin(sample("alibi"), "slopes"), Pin(sines(waves="sine"), "sines")]
    shown = figure(encoding=sines(), pins=pins)
    assert [bool(curve.missing_reason) for curve in shown.panels[0].curves] == [False, True, True]
    assert "slopes: not drawn (ALiBi has no sines or cosines" in shown.status
    assert (
        "sines: not drawn (sinusoidal has one wave for each dimension, not for each pair)"
        in shown.status
    )


def test_the_cursor_says_pair_frequency_wavelength_and_turns():
    pins = [Pin(sines(base=1e2), "b=100"), Pin(sines(base=1e8), "b=1e8")]
    found, values = inspection_of_view("frequencies", pins=pins, position=22_500, dimension=17)
    own, small, large = (base ** (-2 * 8 / 128) for base in (1e4, 1e2, 1e8))
    assert float(values["Frequency"]) == own
    numbers = {
        "Wavelength": 2 * np.pi / own,
        "Turns shown": 50 * own / (2 * np.pi),
        "Turns at p": 22_500 * own / (2 * np.pi),
        "ω of b=100": small,
        "ω of b=1e8": large,
    }
    for name, number in numbers.items():
        assert float(values[name]) == pytest.approx(number, rel=1e-3 if "Turns" in name else 1e-11)
    assert (values["Pair"], values["Columns"]) == ("8", "16 and 17")
    assert found.brief == ("pair 8", "ω 0.316228", "λ 19.8692", "1,132.41 turns")
    places = Frequencies(state_of("frequencies", dimension=17)).find_cursor_points()
    assert places["curve"] == (8.0, None)


def test_a_column_without_a_wave_says_so():
    fields = {"encoding": sines(dim=7, spacing="endpoint"), "dimension": 6}
    assert find_cursor_wave(state_of("frequencies", **fields)) is None
    found, _ = inspection_of_view("frequencies", **fields)
    assert "Dimension 6 has no wave" in found.missing_reason


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_a_place_leads_to_a_dimension_of_its_pair(layout):
    e = sines(dim=8, layout=layout)
    pair_of = [j // 2 if layout == "interleaved" else j % 4 for j in range(8)]
    for dimension in range(8):
        drawn, pair = snapshot("frequencies", encoding=e, dimension=dimension), pair_of[dimension]
        assert find_cursor_wave(drawn.picture.state) == pair
        other = (pair + 1) % 4
        places = {pair + 0.4: dimension, other: pair_of.index(other), 4.0: None}  # here it stays
        for x, wanted in places.items():
            found = drawn.picture.find_pointer_fields(drawn, Pointer("curve", x, 0.0))
            assert found.get("dimension") == wanted


@every_quantity
@every_axis
def test_a_mark_lies_where_its_length_is_read(quantity, axis):
    for length in (1, 7, 5000, LIMIT):
        options = {"quantity": quantity, "axis": axis, "lengths": [length]}
        drawn = snapshot("frequencies", options, count=321)
        (mark,) = drawn.figure.panels[0].levels
        for y in (mark.y, -400.0, 300.0):
            found = drawn.picture.find_double_click_fields(drawn, Pointer("curve", 0.0, y))
            ((read, label),) = found["options"]["lengths"]
            assert label == ""
            assert 1 <= read <= LIMIT
            assert y != mark.y or read == pytest.approx(length, rel=1e-9)


@every_quantity
def test_its_numbers_can_be_exported(quantity):
    what = Frequencies(state_of("frequencies", {"quantity": quantity})).quantity_name()
    assert what == ("wavelengths" if quantity == "wavelength" else "frequencies")


@pytest.mark.parametrize(
    ("low", "high", "least", "texts"),
    [
        (-2.1, 0.1, 0.1, ["0.01", "0.1", "1"]),
        (-8.0, 0.0, 1.5, ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]),
        (0.7, 4.8, 0.2, ["10", "100", "1,000", "10,000"]),
        (-0.5, 0.5, 0.05, ["0.5", "1", "2"]),
        (0.0, 1.5, 0.3, ["1", "2", "5", "10", "20"]),
        (6.9, 7.5, 0.05, ["10⁷", "2·10⁷"]),
    ],
)
def test_powers_of_ten_are_written_as_one_reads_them(low, high, least, texts):
    places, found, spacing = make_power_labels(low, high, least)
    assert found == texts
    assert spacing >= 0.3
    for exponent, text in zip(places, found, strict=True):
        assert math.log10(value_of(text)) == pytest.approx(exponent, abs=1e-12)


@given(st.floats(-6, 6), st.floats(0.05, 0.8), st.floats(0.02, 0.12))
def test_a_narrow_range_has_several_numbers_as_one_reads_them(low, length, share):
    high, least = low + length, share * length
    places, texts, _ = make_power_labels(low, high, least)
    assert len(places) >= 2
    for place, text in zip(places, texts, strict=True):
        assert low - 1e-12 <= place <= high + 1e-12
        assert math.log10(value_of(text)) == pytest.approx(place, abs=1e-12)
