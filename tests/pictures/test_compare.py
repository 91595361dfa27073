"""The comparison against formulas written anew: curves, evidence, words and what a click does."""

import math

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Pin
from pe_explorer.pictures.compare import ComparePicture
from pe_explorer.pictures.gestures import Pointer
from tests.support import states
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.printed import in_ascii
from tests.support.requirements import STEADY, PictureRequirements
from tests.support.sinusoids import rope


class Definition(PictureRequirements):
    needs = STEADY


LONG = {"factor": 4.0, "original_max_position_embeddings": 32_768}
YARN, LLAMA3 = (rope(rope_type=each, **LONG) for each in ("yarn", "llama3"))


def fields_of(e, *others, **fields):
    pins = tuple(Pin(other, f"p{number}") for number, other in enumerate(others))
    return {"encoding": e, "pins": pins, **fields}


def figure_of(*encodings, options=None, **fields):
    return states.figure_of("compare", options, **fields_of(*encodings, **fields))


def evidence(*encodings, **fields):
    """Return the texts and details of the table by the names of its rows."""
    table = figure_of(*encodings, **fields).table
    cells = zip(table.rows, table.details, strict=True)
    return {title: (text, detail) for (title, text), (detail,) in cells}


def speed(e, pair):
    return definition(e).frequency(pair)


def apart(pair, e=YARN, other=None):
    return abs(speed(e, pair) - speed(other or rope(), pair))


def test_the_curve_is_the_ratio_of_each_pair():
    figure = figure_of(YARN, LLAMA3)
    (panel,) = figure.panels
    (curve,) = panel.curves
    ratios = np.array([float(speed(YARN, i) / speed(LLAMA3, i)) for i in range(64)])
    np.testing.assert_allclose(10**curve.y, ratios, rtol=1e-14)
    assert panel.y.powers
    assert [level.y for level in panel.levels] == [0.0]
    low, high = min(*curve.y, -0.32), max(*curve.y, 0.32)
    spare = 0.06 * (high - low)
    assert (panel.y.low, panel.y.high) == pytest.approx((low - spare, high + spare))
    assert panel.x.title == "pair"
    differing = np.flatnonzero(np.abs(ratios - 1) > 1e-9)
    most = int(np.abs(np.log(ratios)).argmax())
    worst = max(range(64), key=lambda pair: apart(pair, YARN, LLAMA3))
    offset = math.floor(mp.mpf(0.1) / apart(worst, YARN, LLAMA3)) + 1
    for fact in (
        f"{len(differing)} of 64 pairs",
        f"0.1 rad from offset {offset} on, pair {worst}",
    ):
        assert fact in figure.status
    largest, _ = evidence(YARN, LLAMA3)["Largest ratio"]
    assert largest == f"{max(ratios[most], 1 / ratios[most]):.4g}, pair {most}, faster in p0"


def test_the_table_says_what_differs():
    found = evidence(YARN, LLAMA3, count=131_072)
    assert found["Pairs that differ"][0] == "16 of 64, from pair 24 on"
    error = float(max(apart(i, YARN, LLAMA3) for i in range(64)) * 131_071)
    assert found["Largest phase error"][0].startswith(f"{error:.3g} rad at offset 131,071, pair 28")
    factor = 0.1 * math.log(4) + 1
    assert found["Attention factors"][0] == f"{factor:.5g} and 1, squared {factor**2:.5g} and 1"
    assert found["Order of channels"][0] == "none makes them equal"
    assert len(found) == states.snapshot("compare").picture.compute_table_shape()[0]


@pytest.mark.parametrize("others", [(), (rope(),)], ids=["itself without its type", "a pin"])
@pytest.mark.parametrize("tolerance", [0.1, 3.0])
def test_from_which_offset_on_it_is_off(others, tolerance):
    offset = math.floor(mp.mpf(tolerance) / apart(28)) + 1
    found = evidence(YARN, *others, options={"tolerance": tolerance}, count=50)
    text, detail = found[f"Off by {tolerance:g} rad"]
    assert text == f"from offset {offset:,} on, pair 28"
    assert detail.fields["position"] == offset
    assert detail.fields["count"] >= offset
    assert detail.fields["options"] == {"curve": "error"}
    assert YARN.wave_indices[detail.fields["dimension"]] == 28


@pytest.mark.parametrize("start", [0, 10**9])
def test_phase_errors_of_the_worst_pair_and_of_the_cursor(start):
    options = {"curve": "error"}
    figure = figure_of(YARN, rope(), options=options, start=start, count=1001, dimension=40)
    (panel,) = figure.panels
    worst, cursor = panel.curves
    assert (worst.name, cursor.name) == ("worst: pair 28", "cursor: pair 40")
    for curve, pair in ((worst, 28), (cursor, 40)):
        exact = [float(apart(pair) * mp.mpf(x)) for x in curve.x]
        np.testing.assert_allclose(curve.y, exact, rtol=1e-14)
    assert worst.x[-1] == 1000
    assert [(level.y, level.name) for level in panel.levels] == [(0.1, "tolerance 0.1 rad")]
    assert (panel.x.title, panel.x.origin, panel.x.count) == ("offset", 0, 1001)
    alone = figure_of(YARN, rope(), options=options, dimension=28).panels[0].curves
    assert len(alone) == 1


def test_two_layouts_are_an_order_of_channels():
    half, interleaved = rope(), rope(layout="interleaved")
    found = evidence(interleaved, half)
    assert found["Pairs that differ"][0] == "none of 64"
    text, detail = found["Order of channels"]
    assert text == "0, 2, 4, … 1, 3, 5, …"
    made = {"np": np}
    exec(detail.code, made)
    assert made["permutation"].tolist() == [*range(0, 128, 2), *range(1, 128, 2)]
    products = in_ascii(found["q · k, random"][0]).replace(";", ",").split(", ")
    first, second, permuted = float(products[0]), float(products[1]), float(products[2].split()[1])
    assert first == permuted != second
    assert float(in_ascii(found["q · k, as DeepSeek"][0])) == first
    same = evidence(half, half)
    assert same["Order of channels"][0] == "the same"
    assert not same["Order of channels"][1].code
    assert "channel order" in figure_of(interleaved, half).status


def test_an_encoding_alone_is_compared_with_itself():
    for e in (encodings.create("sinusoidal"), rope()):
        figure = figure_of(e)
        assert "there is no pin" in figure.status
        assert figure.table.titles[1] == f"{e.format_name()} against itself"
    assert figure_of(YARN).table.titles[1] == "RoPE against unscaled RoPE"


def test_another_number_of_pairs_is_mentioned():
    text, _ = evidence(rope(), rope(64))["Pairs that differ"]
    assert text.startswith("31 of 32, from pair 1 on; ")
    assert "64 and 32 pairs" in text
    (panel,) = figure_of(rope(), rope(64)).panels
    assert panel.x.count == len(panel.curves[0].x) == 32


def test_without_angles_on_a_side_there_is_no_comparison():
    alibi = encodings.create("alibi")
    for pair in ((rope(), alibi), (alibi, rope())):
        state = states.state_of("compare", **fields_of(*pair))
        assert "no angles" in ComparePicture(state).explain_unavailability()
    second = states.state_of("compare", **fields_of(rope(), alibi, YARN, compared=1))
    assert not ComparePicture(second).is_unavailable()


def test_pairs_that_stand_still_have_no_place():
    still, whole = (
        rope(8, rope_type="proportional", partial_rotary_factor=part, factor=1.0)
        for part in (0.5, 1.0)
    )
    (panel,) = figure_of(whole, still).panels
    assert np.isnan(panel.curves[0].y).tolist() == [False, False, True, True]
    text, _ = evidence(whole, still)["Largest ratio"]
    assert text.startswith("pair 2 ")
    all_still, moving = (encodings.create("sinusoidal", dim=8, scale=scale) for scale in (0.0, 1.0))
    figure = figure_of(moving, all_still)
    assert "no pair" in figure.note.sentence
    assert evidence(all_still, all_still)["Largest phase error"][0] == "0 rad"


@pytest.mark.parametrize("head_dim", [2, 65_536])
@pytest.mark.parametrize("count", [1, LIMIT])
def test_narrow_and_wide_heads_at_any_count(head_dim, count):
    other = rope(head_dim, rope_type="linear", factor=2.0)
    for curve in ("ratio", "error"):
        figure = figure_of(other, rope(head_dim), options={"curve": curve}, count=count)
        (panel,) = figure.panels
        assert np.isfinite(panel.curves[0].y).all()
        assert panel.y.low < panel.y.high
    assert panel.curves[0].y[-1] == pytest.approx(0.5 * max(count - 1, 1), rel=1e-15)


def test_the_inspector_has_the_numbers_of_the_cursor():
    place = {"position": 1000, "dimension": 30}
    _, values = states.inspection_of_view("compare", **fields_of(YARN, rope(), **place))
    exact = speed(YARN, 30) / speed(rope(), 30)
    assert float(values["Frequency ratio"]) == pytest.approx(float(exact), rel=1e-15)
    error = float(values["Phase error"].split()[0])
    assert error == pytest.approx(float(1000 * apart(30)), rel=1e-11)
    narrow, _ = states.inspection_of_view("compare", **fields_of(YARN, rope(8), **place))
    assert narrow.brief == ("no pair",)
    assert narrow.missing_reason


@pytest.mark.parametrize(
    ("curve", "wanted"), [("ratio", {"dimension": 7}), ("error", {"position": 7})]
)
def test_a_click_chooses_a_pair_or_a_position(curve, wanted):
    drawn = states.snapshot("compare", {"curve": curve}, encoding=YARN, dimension=9)
    assert drawn.picture.find_pointer_fields(drawn, Pointer("curve", 7.2, 0.0)) == wanted
    if curve == "ratio":
        assert drawn.picture.find_cursor_points()["curve"][0] == 9
