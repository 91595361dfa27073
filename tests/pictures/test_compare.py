"""The comparison against formulas written anew: curves, evidence, words and what a click does."""

import math
import threading

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.compare import Compare, row_count
from pe_explorer.pictures.gestures import OnScreen, Pointer
from pe_explorer.pictures.pixels import Size
from tests.support.cases import for_each
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.wanted import WAVES, Drawn


class Definition(Drawn):
    needs = WAVES


NEVER = threading.Event()
LONG = {"factor": 4.0, "original_max_position_embeddings": 32_768}


def rope(rope_theta=1e6, **parameters):
    return encodings.create("rope", head_dim=128, rope_theta=rope_theta, **parameters)


YARN, LLAMA3 = (rope(rope_type=each, **LONG) for each in ("yarn", "llama3"))


def state_of(e, *others, options=(), **fields):
    pins = tuple(Pin(other, f"p{number}") for number, other in enumerate(others))
    state = resolve(Exploration(e, pins=pins, **fields), DirectStore())
    return resolve(pictures.with_options(state, "compare", **dict(options)), DirectStore())


def figure_of(*given, **fields):
    state = state_of(*given, **fields)
    return Compare.figure(state, Compare.compute(state, Size(1, 1), NEVER))


def evidence(*given, **fields):
    """Return the texts and details of the table by the names of its rows."""
    table = figure_of(*given, **fields).table
    cells = zip(table.rows, table.details, strict=True)
    return {title: (text, detail) for (title, text), (detail,) in cells}


def speed(e, pair):
    return definition(e).frequency(pair)


def test_the_curve_is_the_ratio_of_each_pair():
    figure = figure_of(YARN, LLAMA3)
    (panel,) = figure.panels
    (curve,) = panel.curves
    ratios = [float(speed(YARN, i) / speed(LLAMA3, i)) for i in range(64)]
    np.testing.assert_allclose(10**curve.y, ratios, rtol=1e-14)
    assert panel.y.powers
    assert [level.y for level in panel.levels] == [0.0]
    assert panel.y.low < min(curve.y) < max(curve.y) < panel.y.high
    assert panel.x.title == "pair"
    assert figure.status == (
        "Compare: 16 of 64 pairs differ from p0, from pair 24 on; largest ratio 1.789, pair 33, "
        "faster in p0. Off by more than 0.1 rad from offset 192 on, pair 28."
    )


def test_the_table_says_what_differs():
    found = evidence(YARN, LLAMA3, count=131_072)
    assert found["Pairs that differ"][0] == "16 of 64, from pair 24 on"
    gap = max(abs(speed(YARN, i) - speed(LLAMA3, i)) for i in range(64))
    error = float(gap * 131_071)
    assert found["Largest phase error"][0].startswith(f"{error:.4g} rad at offset 131,071, pair 28")
    factor = 0.1 * math.log(4) + 1
    assert found["Attention factors"][0] == f"{factor:.5g} and 1, squared {factor**2:.5g} and 1"
    assert found["Order of channels"][0] == "none makes them equal"
    assert len(found) == row_count(Compare.Options.default())


def test_yarn_against_plain_is_off_from_offset_192_on():
    for others in ((), (rope(),)):  # without a pin, against itself without its type
        text, detail = evidence(YARN, *others, count=50)["Off by 0.1 rad"]
        assert text == "from offset 192 on, pair 28"
        assert detail.fields["position"] == 192
        assert detail.fields["count"] >= 192
        assert detail.fields["options"] == {"curve": "error"}
        assert YARN.wave_of[detail.fields["dimension"]] == 28
    apart = abs(speed(YARN, 28) - speed(rope(), 28))
    assert apart * 191 <= mp.mpf(0.1) < apart * 192
    text, _ = evidence(YARN, options={"tolerance": 3.0})["Off by 3 rad"]
    assert text == f"from offset {math.floor(3 / apart) + 1:,} on, pair 28"


@pytest.mark.parametrize("start", [0, 10**9])
def test_phase_errors_of_the_worst_pair_and_of_the_cursor(start):
    options = {"curve": "error"}
    figure = figure_of(YARN, rope(), options=options, start=start, count=1001, dimension=40)
    (panel,) = figure.panels
    worst, cursor = panel.curves
    assert (worst.name, cursor.name) == ("worst: pair 28", "cursor: pair 40")
    for curve, pair in ((worst, 28), (cursor, 40)):
        apart = abs(speed(YARN, pair) - speed(rope(), pair))
        exact = [float(apart * mp.mpf(x)) for x in curve.x]
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
    exec(detail.copied, made)
    assert made["permutation"].tolist() == [*range(0, 128, 2), *range(1, 128, 2)]
    products = found["q · k, random"][0].replace("−", "-").replace(";", ",").split(", ")
    first, second, permuted = float(products[0]), float(products[1]), float(products[2].split()[1])
    assert first == permuted != second
    q, k = np.random.default_rng(0).standard_normal((2, 128))
    pairs = [(2 * i, 2 * i + 1) for i in range(64)]
    assert first == pytest.approx(turned_product(q, k, pairs), abs=5e-6)
    assert second == pytest.approx(turned_product(q, k, [(i, i + 64) for i in range(64)]), abs=5e-6)
    assert float(found["q · k, as DeepSeek"][0].replace("−", "-")) == first
    same = evidence(half, half)
    assert same["Order of channels"][0] == "the same"
    assert not same["Order of channels"][1].copied
    assert "the channels are in another order" in figure_of(interleaved, half).status


def turned_product(q, k, pairs):
    total = mp.mpf(0)
    for number, (a, b) in enumerate(pairs):
        angle = 4 * speed(rope(), number)
        total += mp.cos(angle) * (q[a] * k[a] + q[b] * k[b])
        total += mp.sin(angle) * (q[a] * k[b] - q[b] * k[a])
    return float(total)


def test_an_encoding_alone_is_compared_with_itself():
    for e in (encodings.create("sinusoidal"), rope()):
        figure = figure_of(e)
        assert figure.status == (
            "Compare: itself is the same, pair by pair and channel by channel."
        )
        assert figure.table.titles[1] == f"{e.name} against itself"
    assert figure_of(YARN).table.titles[1] == "rope against itself, unscaled"


def test_another_number_of_pairs_is_said():
    small = encodings.create("rope", head_dim=64, rope_theta=1e6)
    text, _ = evidence(rope(), small)["Pairs that differ"]
    assert text.startswith("31 of 32, from pair 1 on; 64 pairs and 32")
    (panel,) = figure_of(rope(), small).panels
    assert panel.x.count == len(panel.curves[0].x) == 32


def test_no_angles_on_a_side_are_a_sentence():
    alibi = encodings.create("alibi")
    for pair in ((rope(), alibi), (alibi, rope())):
        with pytest.raises(EncodingError, match="no angles"):
            Compare.check(state_of(*pair), ())
        assert Compare.is_lacking(state_of(*pair))
    second = state_of(rope(), alibi, YARN, compared=1)
    assert not Compare.is_lacking(second)


def test_pairs_that_stand_still_have_no_place():
    still = encodings.create(
        "rope", head_dim=8, rope_type="proportional", partial_rotary_factor=0.5, factor=1.0
    )
    whole = encodings.create("rope", head_dim=8, rope_type="proportional", factor=1.0)
    (panel,) = figure_of(whole, still).panels
    assert np.isnan(panel.curves[0].y).tolist() == [False, False, True, True]
    assert (
        evidence(whole, still)["Largest ratio"][0]
        == "pair 2 turns in partial_rotary_factor =… only"
    )
    all_still = encodings.create("sinusoidal", dim=8, scale=0.0)
    moving = encodings.create("sinusoidal", dim=8)
    figure = figure_of(moving, all_still)
    assert "no ratio has a place" in figure.note.sentence
    assert evidence(all_still, all_still)["Largest phase error"][0] == "0 rad"


@for_each("head_dim", [2, 65_536])
@for_each("curve", ["ratio", "error"])
@for_each("count", [1, LIMIT])
def test_narrow_and_wide_heads_at_any_count(head_dim, curve, count):
    e = encodings.create("rope", head_dim=head_dim)
    other = encodings.create("rope", head_dim=head_dim, rope_type="linear", factor=2.0)
    figure = figure_of(other, e, options={"curve": curve}, count=count)
    (panel,) = figure.panels
    assert np.isfinite(panel.curves[0].y).all()
    assert panel.y.low < panel.y.high
    if curve == "error":
        assert panel.curves[0].y[-1] == pytest.approx(0.5 * max(count - 1, 1), rel=1e-15)


def test_the_inspector_has_the_numbers_of_the_cursor():
    state = state_of(YARN, rope(), position=1000, dimension=30)
    values = {each.name: each.text for each in Compare.inspect(state, NEVER).values}
    exact = speed(YARN, 30) / speed(rope(), 30)
    assert float(values["Frequency ratio"]) == pytest.approx(float(exact), rel=1e-15)
    error = float(1000 * abs(speed(YARN, 30) - speed(rope(), 30)))
    assert float(values["Phase error"].split()[0]) == pytest.approx(error, rel=1e-11)
    narrow = state_of(YARN, encodings.create("rope", head_dim=8), dimension=30)
    assert "no pair that both" in Compare.inspect(narrow, NEVER).lack


def test_a_click_chooses_a_pair_or_a_position():
    for curve, wanted in (("ratio", {"dimension": 7}), ("error", {"position": 7})):
        state = state_of(YARN, options={"curve": curve})
        numbers = Compare.compute(state, Size(1, 1), NEVER)
        drawn = OnScreen(state, numbers, Compare.figure(state, numbers))
        assert Compare.pointed_at(state, drawn, Pointer("curve", 7.2, 0.0)) == wanted
    assert Compare.cursor_places(state_of(YARN, dimension=9))["curve"][0] == 9
