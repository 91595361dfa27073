"""The frequencies against their formulas: every number that the documents' figures give."""

import math
import re
import threading

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.axis_numbers import powers_of_ten
from pe_explorer.pictures.frequencies import Frequencies
from pe_explorer.pictures.gestures import OnScreen, Pointer
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.waves_across import wave_of_cursor
from tests.support.cases import for_each
from tests.support.oracles import definition
from tests.support.samples import sample, samples
from tests.support.wanted import WAVES, Drawn


class Definition(Drawn):
    needs = WAVES


NEVER = threading.Event()
SIZE = Size(400, 300)


def sines(dim=128, base=1e4, **parameters):
    return encodings.create("sinusoidal", dim=dim, base=base, **parameters)


def state_of(e, options=(), **fields):
    state = resolve(Exploration(e, **fields), DirectStore())
    return resolve(pictures.with_options(state, "frequencies", **dict(options)), DirectStore())


def figure_of(state):
    return Frequencies.figure(state, Frequencies.compute(state, SIZE, NEVER))


def curves_of(e, options=(), **fields):
    """Return the numbers of all curves as they stand beside the axis."""
    (panel,) = figure_of(state_of(e, options, **fields)).panels
    return [np.array([panel.y.value(y) for y in curve.y]) for curve in panel.curves]


def status(e, options=(), **fields):
    return figure_of(state_of(e, options, **fields)).status


def omega(pair, dim=128, base=1e4):
    return base ** (-2 * pair / dim)


def turning(lengths, count):
    return sum(length <= count for length in lengths)


def shaded(e, **fields):
    """Return how many waves lie on shaded ground."""
    (panel,) = figure_of(state_of(e, **fields)).panels
    return sum(part.width for part in panel.shaded)


# -- the figures of the documents ------------------------------------------------------------------


def test_a_dot_stands_where_a_pin_departs():
    def rope(rope_type):
        return encodings.create("rope", rope_theta=1e6, rope_type=rope_type)

    pins = [Pin(rope(each), each) for each in ("yarn", "llama3", "linear", "ntk", "default")]
    figure = figure_of(state_of(rope("default"), pins=pins))
    (panel,) = figure.panels
    paper = definition(rope("default"))
    wanted = []
    for pin in pins[:2]:
        slower = definition(pin.encoding)
        first = next(i for i in range(64) if slower.frequency(i) < 0.999 * paper.frequency(i))
        wanted.append((first, pytest.approx(float(np.log10(float(slower.frequency(first)))))))
        assert f"{pin.name}: " in figure.status
        assert f"departs at pair {first}" in figure.status
    assert [(dot.x, dot.y) for dot in panel.dots] == wanted
    assert figure.status.count("departs") == 2  # linear and ntk differ from the start


@pytest.mark.parametrize("axis", ["linear", "logarithmic"])
def test_three_bases(axis):
    pins = [Pin(sines(base=100.0), "b=100"), Pin(sines(base=1e8), "b=1e8")]
    found = curves_of(sines(), {"axis": axis}, pins=pins)
    for curve, base in zip(found, (1e4, 1e2, 1e8), strict=True):
        np.testing.assert_allclose(curve, [omega(i, base=base) for i in range(64)], rtol=1e-12)
        assert curve[0] == 1
    middle, small, large = found
    np.testing.assert_allclose([small[8], middle[8], large[8]], [0.5623, 0.3162, 0.1], atol=5e-5)
    ratios = [curve[1] / curve[0] for curve in (small, middle, large)]
    np.testing.assert_allclose(ratios, [0.9306, 0.8660, 0.7499], atol=5e-5)
    np.testing.assert_allclose([middle[32], large[16]], 0.01, rtol=1e-12)
    assert small[-1] == pytest.approx(0.010746, abs=5e-7)
    counts = [turning(2 * np.pi / curve, 50) for curve in (small, middle, large)]
    assert counts == [29, 15, 8]
    said = status(sines(), {"axis": axis}, pins=pins)
    assert said == (
        "Frequencies: 15 of 64 pairs complete a turn in 50 positions, "
        "49 (shaded) do not: pairs 15 to 63; "
        "b=100: 29 of 64; b=1e8: 8 of 64."
    )


def test_three_straight_lines_and_the_bound_of_the_base():
    pins = [Pin(sines(base=base), f"b={base:g}") for base in (100.0, 1e8)]
    (panel,) = figure_of(state_of(sines(), pins=pins)).panels
    for curve, decades in zip(panel.curves, (4, 2, 8), strict=True):
        np.testing.assert_allclose(np.diff(curve.y), -decades / 64, atol=1e-12)
    bound = 10 ** (2 * 128 / 126)
    assert bound == pytest.approx(107.58, abs=5e-3)
    assert curves_of(sines(base=107.0))[0].min() >= 0.01
    assert curves_of(sines(base=108.0))[0].min() < 0.01


def test_the_slowest_wave_and_22500():
    pins = [Pin(sines(dim), f"d={dim}") for dim in (128, 512)]
    options = {"quantity": "wavelength", "length": 22_500}
    state = state_of(sines(18), options, pins=pins, count=22_581, position=22_500, dimension=16)
    figure = figure_of(state)
    (panel,) = figure.panels
    slowest = [panel.y.value(curve.y[-1]) for curve in panel.curves]
    np.testing.assert_allclose(slowest, [22_580.6, 54_410.1, 60_611.5], atol=0.05)
    truth = [2 * np.pi / omega(dim // 2 - 1, dim) for dim in (18, 128, 512)]
    np.testing.assert_allclose(slowest, truth, rtol=1e-12)
    assert panel.x.count == 256
    (mark,) = panel.levels
    assert mark.name == "length 22,500"
    assert panel.y.value(mark.y) == pytest.approx(22_500, rel=1e-12)
    assert panel.y.low < mark.y < panel.y.high
    assert not panel.shaded
    assert "9 of 9 pairs complete a turn in 22,581 positions; length 22,500: 8;" in figure.status
    values = {value.name: value.text for value in Frequencies.inspect(state, NEVER).values}
    assert float(values["Turns at p"]) == pytest.approx(0.9964, abs=5e-5)
    pinned = state_of(sines(), position=22_500, dimension=126)
    values = {value.name: value.text for value in Frequencies.inspect(pinned, NEVER).values}
    assert float(values["Turns at p"]) == pytest.approx(0.4135, abs=5e-5)
    wide = curves_of(sines(1024), options)[0][-1]
    assert wide == pytest.approx(61_711.7, abs=0.05)
    assert curves_of(sines(base=4078.0), options)[0][-1] == pytest.approx(22_500, abs=3)


def test_the_slowest_waves_of_three_bases():
    pins = [Pin(sines(base=base), f"b={base:g}") for base in (1e2, 1e8, 1e6)]
    found = curves_of(sines(), {"quantity": "wavelength"}, pins=pins, count=1000)
    slowest = [curve[-1] for curve in found]
    np.testing.assert_allclose(slowest[:2], [54_410, 584.7], rtol=1e-4)
    assert [round(length) for length in slowest[2:]] == [471_172_428, 5_063_256]


def test_waves_of_sines_alone():
    options = {"quantity": "wavelength", "length": 5000}
    e = sines(waves="sine")
    state = state_of(e, options, count=5000)
    figure = figure_of(state)
    (panel,) = figure.panels
    (curve,) = panel.curves
    lengths = np.array([panel.y.value(y) for y in curve.y])
    np.testing.assert_allclose(lengths, 2 * np.pi * 10_000 ** (np.arange(128) / 128), rtol=1e-12)
    chosen = lengths[[0, 32, 64, 96]]
    np.testing.assert_allclose(chosen, [6.2832, 62.832, 628.32, 6283.2], rtol=1e-5)
    assert lengths[-1] == pytest.approx(58_469.6, abs=0.05)
    assert lengths[93] == pytest.approx(5063.3, abs=0.05)
    np.testing.assert_allclose(lengths[1:] / lengths[:-1], 1.0746, atol=5e-5)
    (part,) = panel.shaded
    assert (part.left, part.right) == (92.5, 127.5)
    assert panel.x.title == "dimension"
    assert "93 of 128 dimensions complete a turn in 5,000 positions" in figure.status
    assert "; length 5,000: 93" in figure.status
    for base, slowest, fits in ((838.0, 4995.6, 128), (839.0, 5001.5, 127)):
        e = sines(base=base, waves="sine")
        assert curves_of(e, options)[0][-1] == pytest.approx(slowest, abs=0.05)
        assert status(e, options, count=5000).startswith(f"Frequencies: {fits} of 128 ")
    assert curves_of(sines(), options)[0][-1] == pytest.approx(54_410, abs=0.5)


def test_rates_from_one_end_to_the_other():
    e = sines(512, layout="concatenated", spacing="endpoint")
    (panel,) = figure_of(state_of(e)).panels
    (curve,) = panel.curves
    rates = [panel.y.value(y) for y in curve.y]
    assert len(rates) == 256
    np.testing.assert_allclose(rates, [1e4 ** (-i / 255) for i in range(256)], rtol=1e-12)
    assert rates[-1] == pytest.approx(1e-4, rel=1e-12)
    assert rates[1] == pytest.approx(0.964526, abs=5e-7)
    np.testing.assert_allclose(np.diff(curve.y), -4 / 255, atol=1e-12)
    assert rates[128] == pytest.approx(0.009821, abs=5e-7)
    assert rates[127] > 0.01 > rates[128]
    assert 256 - shaded(e) == 58
    paper = curves_of(sines(512), {"quantity": "wavelength"})[0]
    assert paper[-1] == pytest.approx(60_611.5, abs=0.05)
    assert 2 * np.pi / paper[-1] == pytest.approx(1.0366e-4, abs=5e-9)
    ends = [2 * np.pi / 1e-4, curves_of(e, {"quantity": "wavelength"})[0][-1]]
    np.testing.assert_allclose(ends, 62_831.9, atol=0.05)
    narrow = [curves_of(sines(64, spacing=way))[0][-1] for way in ("paper", "endpoint")]
    np.testing.assert_allclose(narrow, [1.3335e-4, 1e-4], rtol=5e-5)


def test_pairs_that_do_not_turn():
    assert shaded(sines()) == 49
    assert shaded(sines(), count=512) == 33
    for count in (10_000, 5000, 54_411):
        wanted = 64 - turning([2 * np.pi / omega(i) for i in range(64)], count)
        assert shaded(sines(), count=count) == wanted
    found = curves_of(sines(), {"quantity": "turns"}, count=50)[0]
    np.testing.assert_allclose(found, [50 * omega(i) / (2 * np.pi) for i in range(64)], rtol=1e-12)
    assert (found < 1).sum() == 49


def test_a_pair_that_turns_alone_is_a_dot():
    e = encodings.create("rope", rope_type="proportional", partial_rotary_factor=0.02)
    (panel,) = figure_of(state_of(e)).panels
    (dot,) = panel.dots
    assert (dot.x, panel.y.value(dot.y)) == (0, pytest.approx(1 / 4))
    (panel,) = figure_of(state_of(e, {"axis": "linear"})).panels
    assert panel.dots == ()  # the others lie on the axis, at 0


def test_a_pin_has_a_dot_where_it_departs():
    e = encodings.create("rope")
    yarn = encodings.create("rope", rope_type="yarn", original_max_position_embeddings=32_768)
    first = next(i for i in range(64) if yarn.frequencies()[i] < omega(i) * (1 - 1e-6))
    pins = [Pin(yarn, "yarn"), Pin(encodings.create("rope", rope_type="linear"), "linear")]
    (panel,) = figure_of(state_of(e, pins=pins)).panels
    (dot,) = panel.dots
    assert (dot.x, dot.colour) == (first, panel.curves[1].colour)
    turn = turning([2 * np.pi / omega(i) for i in range(64)], 100)
    assert f"yarn: {turn} of 64, departs at pair {first};" in status(e, pins=pins, count=100)


# -- whatever is shown -----------------------------------------------------------------------------


@for_each("e", samples(), ids=lambda e: e.name)
@for_each("quantity", ["frequency", "wavelength", "turns"])
@for_each("axis", ["linear", "logarithmic"])
def test_every_encoding_has_curves_or_a_sentence(e, quantity, axis):
    state = state_of(e, {"quantity": quantity, "axis": axis})
    if "waves" not in definition(e).abilities:
        with pytest.raises(EncodingError, match="not made of waves"):
            pictures.check("frequencies", state)
        return
    pictures.check("frequencies", state)
    (panel,) = figure_of(state).panels
    frequencies = np.array([float(definition(e).frequency(i)) for i in range(len(e.turns))])
    truth = {
        "frequency": frequencies,
        "wavelength": 2 * np.pi / frequencies,
        "turns": state.count * frequencies / (2 * np.pi),
    }[quantity]
    found = [panel.value_at(i, 0.0) for i in range(len(frequencies))]
    np.testing.assert_allclose(found, truth, rtol=1e-12)
    assert panel.value_at(len(frequencies) + 1.0, 0.0) is None


@for_each("dim", [1, 2, 3, 65_536])
@for_each("base", [1 + 2**-52, 1e4, 1e12])
@for_each("scale", [0.0, 5e-324, 1e-300, -0.3, 1e6])
@for_each("waves", ["both", "sine"])
def test_nothing_is_empty_at_the_extremes(dim, base, scale, waves):
    e = sines(dim, base, scale=scale, waves=waves)
    for quantity in ("frequency", "wavelength", "turns"):
        for axis in ("linear", "logarithmic"):
            options = {"quantity": quantity, "axis": axis, "length": LIMIT}
            figure = figure_of(state_of(e, options, start=-LIMIT, count=2 * 10**15))
            (panel,) = figure.panels
            assert 0 < panel.y.length < math.inf
            assert panel.curves[0].visible != (figure.note is not None)
            if figure.note:
                assert figure.note.sentence.endswith(".")
            shown = panel.curves[0].y[np.isfinite(panel.curves[0].y)]
            assert ((panel.y.low <= shown) & (shown <= panel.y.high)).all()


def test_what_has_no_curve_is_named_with_the_reason():
    pins = [
        Pin(sample("alibi"), "slopes"),
        Pin(sines(waves="sine"), "sines"),
        Pin(sample("rope"), "turns"),
    ]
    figure = figure_of(state_of(sines(), pins=pins))
    (panel,) = figure.panels
    assert [curve.lack for curve in panel.curves] == ["", "it has no waves", "not comparable", ""]
    assert "Not drawn: slopes (ALiBi is not made of waves" in figure.status
    assert "sines (sinusoidal has one wave for each dimension, not for each pair)" in figure.status


# -- the cursor ------------------------------------------------------------------------------------


def test_the_cursor_says_pair_frequency_wavelength_and_turns():
    pins = [Pin(sines(base=100.0), "b=100"), Pin(sines(base=1e8), "b=1e8")]
    state = state_of(sines(), pins=pins, dimension=17)
    found = Frequencies.inspect(state, NEVER)
    values = {value.name: value.text for value in found.values}
    assert float(values["Frequency"]) == omega(8)
    assert float(values["Wavelength"]) == pytest.approx(2 * np.pi / omega(8), rel=1e-11)
    assert float(values["Turns shown"]) == pytest.approx(2.5165, abs=5e-5)
    assert (values["Pair"], values["Columns"]) == ("8", "16 and 17")
    assert float(values["ω of b=100"]) == pytest.approx(omega(8, base=1e2), rel=1e-11)
    assert float(values["ω of b=1e8"]) == pytest.approx(0.1, rel=1e-11)
    assert found.brief == ("pair 8", "ω 0.316228", "λ 19.8692", "2.516 turns")
    assert Frequencies.with_cursor(state, figure_of(state)).panels[0].cursor == (8.0, None)


def test_a_column_without_a_wave_says_so():
    state = state_of(sines(7, spacing="endpoint"), dimension=6)
    assert wave_of_cursor(state) is None
    assert "Dimension 6 has no wave" in Frequencies.inspect(state, NEVER).lack


def dimension_at(state, x):
    drawn, at = OnScreen(state, None, None), Pointer("curve", x, 0.0)
    return Frequencies.pointed_at(state, drawn, at).get("dimension")


def length_at(state, y):
    drawn, at = OnScreen(state, None, None), Pointer("curve", 0.0, y)
    return Frequencies.double_clicked(state, drawn, at)["options"]["length"]


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_a_place_leads_to_a_dimension_of_its_pair(layout):
    e = sines(8, layout=layout)
    pair_of = [j // 2 if layout == "interleaved" else j % 4 for j in range(8)]
    for dimension in range(8):
        state = state_of(e, dimension=dimension)
        assert wave_of_cursor(state) == pair_of[dimension]
        assert dimension_at(state, pair_of[dimension] + 0.4) == dimension  # it stays
        other = (pair_of[dimension] + 1) % 4
        assert dimension_at(state, other) == pair_of.index(other)
        assert dimension_at(state, 4.0) is None


@for_each("quantity", ["frequency", "wavelength", "turns"])
@for_each("axis", ["linear", "logarithmic"])
@for_each("length", [1, 7, 5000, LIMIT])
def test_a_mark_lies_where_its_length_is_read(quantity, axis, length):
    options = {"quantity": quantity, "axis": axis, "length": length}
    state = state_of(sines(), options, count=321)
    (mark,) = figure_of(state).panels[0].levels
    assert length_at(state, mark.y) == pytest.approx(length, rel=1e-9)
    assert 1 <= length_at(state, -400.0) <= LIMIT
    assert 1 <= length_at(state, 300.0) <= LIMIT


@pytest.mark.parametrize("quantity", ["frequency", "wavelength", "turns"])
def test_its_numbers_can_be_exported(quantity):
    what, _ = Frequencies.exported(state_of(sines(), {"quantity": quantity}))
    assert what == ("wavelengths" if quantity == "wavelength" else "frequencies")


# -- powers of ten ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "least", "texts"),
    [
        (-2.1, 0.1, 0.1, ["0.01", "0.1", "1"]),
        (-8.0, 0.0, 1.5, ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]),
        (0.7, 4.8, 0.2, ["10", "100", "1,000", "10,000"]),
        (-0.5, 0.5, 0.05, ["0.5", "1", "2"]),
        (6.9, 7.5, 0.05, ["10⁷", "2·10⁷"]),
    ],
)
def test_powers_of_ten_are_written_as_one_reads_them(low, high, least, texts):
    places, found, spacing = powers_of_ten(low, high, least)
    assert found == texts
    assert spacing >= 0.3
    for exponent, text in zip(places, found, strict=True):
        assert math.log10(number_in(text)) == pytest.approx(exponent, abs=1e-12)


@given(st.floats(-6, 6), st.floats(0.05, 0.8), st.floats(0.02, 0.12))
def test_a_narrow_range_has_several_numbers_as_one_reads_them(low, length, share):
    high, least = low + length, share * length
    places, texts, _ = powers_of_ten(low, high, least)
    assert len(places) >= 2
    for place, text in zip(places, texts, strict=True):
        assert low - 1e-12 <= place <= high + 1e-12
        assert math.log10(number_in(text)) == pytest.approx(place, abs=1e-12)


def number_in(text):
    """Return the number that a text of an axis spells."""
    raised = re.fullmatch("(?:([0-9.]+)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)
    if not raised:
        return float(text.replace(",", ""))
    power = raised[2].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return float(raised[1] or 1) * 10.0 ** int(power)
