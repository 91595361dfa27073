"""The context against formulas written anew: bars, table, calculator and words."""

import math
import re

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import scaling
from pe_explorer.encodings import LIMIT
from pe_explorer.pictures.context import Context
from pe_explorer.pictures.gestures import Pointer
from tests.support import states
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.requirements import STEADY, PictureRequirements


class Definition(PictureRequirements):
    needs = STEADY


TRAINED, TARGET = 32_768, 131_072
LENGTHS = {"trained": TRAINED, "target": TARGET}
TYPES = ("default", "linear", "ntk", "dynamic", "yarn", "llama3")


def rope(rope_type="default", **parameters):
    usual = {"head_dim": 128, "rope_theta": 1e6}
    return encodings.create("rope", rope_type=rope_type, **{**usual, **parameters})


def figure_of(e, options=LENGTHS, **fields):
    return states.figure_of("context", options, encoding=e, **fields)


def rows_of(e, part="types", **options):
    """Return the texts of the table by the names of its rows, and the details by the same."""
    table = figure_of(e, {**LENGTHS, **options, "part": part}).table
    texts = {title: texts for title, *texts in table.rows}
    return texts, dict(zip(texts, table.details, strict=True))


def turns(e, length):
    defined = definition(e)
    found = [length * defined.frequency(i) / (2 * mp.pi) for i in range(defined.count)]
    return np.array([float(each) for each in found])


def places(rectangles):
    """Return the pairs that rectangles stand for."""
    return [
        pair
        for each in rectangles
        for pair in range(round(each.left + 0.5), round(each.right + 0.5))
    ]


@pytest.mark.parametrize("rope_type", TYPES)
def test_bars_are_turns_and_new_pairs_stand_apart(rope_type):
    long = {"original_max_position_embeddings": TRAINED, "sequence_length": TARGET}
    e = rope(rope_type, factor=4.0, **long)
    figure = figure_of(e)
    (panel,) = figure.panels
    before, now = panel.curves
    for curve, each, length in ((before, rope(), TRAINED), (now, e, TARGET)):
        np.testing.assert_allclose(10 ** curve.y[::2], turns(each, length), rtol=1e-13)
        assert f"{length:,}" in curve.name
    heights = np.concatenate([before.y, now.y, [0.0]])
    low, spare = heights.min(), 0.04 * np.ptp(heights)
    assert (panel.y.low, panel.y.high) == pytest.approx((low - spare, heights.max() + spare))
    assert len(before.bars) == 64
    for pair, (bar, top) in enumerate(zip(before.bars, before.y[::2], strict=True)):
        assert bar.left < pair < bar.right
        assert before.find_value(pair) == before.find_value(pair + 0.49) == top
        assert (bar.top, bar.bottom) == (panel.y.low, pytest.approx(top))
    assert panel.y.powers
    assert [(level.y, level.name) for level in panel.levels] == [(0.0, "1 turn")]
    before, now = turns(rope(), TRAINED), turns(e, TARGET)
    slow = [pair for pair in range(64) if before[pair] < 1]
    new = [pair for pair in slow if now[pair] > before[pair] * (1 + 1e-9)]
    assert places(panel.hatched_areas) == new
    assert places(panel.shaded_areas) == [pair for pair in slow if pair not in new]
    kinds = ["shaded"] * (slow != new) + ["hatched"] * bool(new)
    assert [area.area for area in panel.areas] == kinds
    wanted = [40, 64]
    wanted += [pairs for pairs in (len(new), len(slow) - len(new)) if pairs]
    if new:
        worst = (now / before)[new]
        wanted += [new[worst.argmax()], pytest.approx(worst.max(), rel=1e-3)]
    numbers = re.findall(r"\d[\d,.]*\d|\d", figure.status)
    assert [float(number.replace(",", "")) for number in numbers] == wanted


def test_the_table_of_types():
    texts, details = rows_of(rope())
    assert list(texts) == ["current", *TYPES]
    assert texts["current"] == texts["default"]
    for name, each in scaling.list_scalings(rope(), TRAINED, TARGET):
        _, worst = each.report.worst or (None, 0)
        assert texts[name] == [
            f"{each.changed} of 64",
            f"{len(each.report.new)}, up to {worst:.3g}×" if worst else "0",
            f"{each.slowest:,.0f}",
            f"{each.slowed:.3g}",
            f"{each.attention:.5g}",
        ]
        assert details[name][0].fields["encoding"] == each.encoding


def test_unreachable_targets_are_explained():
    texts, details = rows_of(rope(head_dim=2), trained=1, target=4)
    for name in ("ntk", "dynamic", "yarn", "llama3"):
        assert set(texts[name]) == {"–"}
        assert details[name][0].sentence.endswith(".")
        assert not details[name][0].fields
    assert texts["linear"][:2] == ["1 of 1", "0"]


def test_the_calculator():
    texts, details = rows_of(rope(), "calculator")
    stretch = mp.mpf(4) ** (mp.mpf(126) / 80)
    dynamic = (stretch - 1) * TRAINED / (TARGET - TRAINED)
    wanted = {
        "base only": ("9,189,587", "1,000,000 · 4^(64/40)", 1e6 * 4 ** (64 / 40)),
        "factor of linear": ("4", "131,072 / 32,768", 4),
        "factor of ntk": ("8.8766", "4^(126/80)", stretch),
        "factor of dynamic": ("2.6256", "(4^(126/80) − 1) · 32,768 / 98,304", dynamic),
        "factor of yarn": ("4", "131,072 / 32,768", 4),
        "factor of llama3": ("4", "131,072 / 32,768", 4),
        "longest target": ("32,768", "32,768 · smallest ω/ω′", TRAINED),
    }
    assert list(texts) == list(wanted)
    for name, (answer, formula, exact) in wanted.items():
        assert texts[name] == [answer, formula, "Use it"]
        shown = float(answer.replace(",", ""))
        assert float(exact) <= shown <= float(exact) * (1 + 1e-4)  # rounded up
    base = details["base only"][-1].fields["encoding"]
    assert (base.rope_theta, base.rope_type) == (9_189_587.0, "default")
    ntk = details["factor of ntk"][-1].fields["encoding"]
    assert ntk.factor == pytest.approx(float(stretch), rel=1e-15)
    assert details["longest target"][-1].fields == {"options": {"target": TRAINED}}
    assert "63 of 64 pairs" in details["base only"][-1].sentence


def test_what_is_beyond_the_limits_cannot_be_taken():
    texts, details = rows_of(rope(), "calculator", trained=7, target=LIMIT)
    assert texts["base only"][-1] == ""
    assert "out of range (above 1, at most 1e12)" in details["base only"][0].sentence
    texts, details = rows_of(rope(), "calculator", trained=6, target=60)
    assert texts["base only"][0] == "none"
    assert "pair 0" in details["base only"][0].sentence
    assert texts["factor of ntk"][:2] == ["none", ""]
    texts, _ = rows_of(rope(), "calculator", trained=TARGET, target=TRAINED)
    assert texts["base only"][:2] == ["1,000,000", "current base"]
    yarn = rope("yarn", factor=4.0, original_max_position_embeddings=TRAINED)
    for e, longest in ((yarn, "131,072"), (rope(head_dim=2), "any")):
        assert rows_of(e, "calculator")[0]["longest target"][0] == longest


def test_sinusoids_have_a_base_and_no_types():
    e = encodings.create("sinusoidal", dim=128)
    texts, _ = rows_of(e, trained=512, target=2048)
    assert list(texts) == ["current"]
    texts, details = rows_of(e, "calculator", trained=512, target=2048)
    assert list(texts) == ["base only", "longest target"]
    first = next(i for i in range(64) if 2 * math.pi * 1e4 ** (i / 64) > 512)
    exact = 1e4 * 4 ** (64 / first)
    assert texts["base only"][0] == f"{math.ceil(exact):,}"
    assert details["base only"][-1].fields["encoding"].base == math.ceil(exact)
    for part in ("types", "calculator"):
        state = states.state_of("context", {**LENGTHS, "part": part}, encoding=e)
        assert Context(state).compute_table_shape()[0] == len(rows_of(e, part)[0])


@pytest.mark.parametrize(
    ("e", "lengths"),
    [
        (rope("yarn", factor=8.0, original_max_position_embeddings=4096), (4096, 32_768)),
        (encodings.create("sinusoidal"), (50, 200)),
    ],
    ids=str,
)
def test_lengths_that_nobody_typed(e, lengths):
    (panel,) = figure_of(e, {}, count=50).panels
    trained, target = (f"{length:,}" for length in lengths)
    names = [f"in training, {trained}", f"at the target, {target}"]
    assert [curve.name for curve in panel.curves] == names
    for options, wanted in (({"trained": 7}, (7, 50)), ({"target": 9}, (50, 9))):
        state = states.state_of("context", options, encoding=encodings.create("alibi"), count=50)
        assert Context(state).lengths == wanted  # which has no waves


@pytest.mark.parametrize("trained", [1, LIMIT])
@pytest.mark.parametrize("target", [1, LIMIT])
def test_any_lengths(trained, target):
    for head_dim in (2, 4, 128):
        e = rope(head_dim=head_dim)
        for part in ("types", "calculator"):
            figure = figure_of(e, {"trained": trained, "target": target, "part": part})
            (panel,) = figure.panels
            first = float(trained / (2 * mp.pi))
            assert 10 ** panel.curves[0].y[0] == pytest.approx(first, rel=1e-13)
            assert panel.y.low < panel.y.high
            assert target > trained or panel.hatched_areas == ()


def test_wide_heads_and_frequencies_of_0():
    (panel,) = figure_of(rope(head_dim=65_536)).panels
    assert len(panel.curves[0].x) == 32_768
    assert panel.curves[0].bars == ()  # they would be indistinguishable
    (panel,) = figure_of(rope("proportional", partial_rotary_factor=0.25, factor=1.0)).panels
    assert np.isnan(panel.curves[0].y).sum() == 2 * 48
    assert panel.hatched_areas == () or places(panel.hatched_areas)[-1] < 16
    nothing = figure_of(encodings.create("sinusoidal", scale=0.0))
    assert "every frequency is 0" in nothing.note.sentence


def test_the_cursor_has_its_turns_and_a_click_chooses_a_pair():
    e = rope("ntk", factor=4.0)
    _, values = states.inspection_of_view("context", LENGTHS, encoding=e, dimension=50)
    before, now = turns(rope(), TRAINED)[50], turns(e, TARGET)[50]
    assert float(values["Turns in training"]) == pytest.approx(before, rel=1e-15)
    assert float(values["Turns at the target"]) == pytest.approx(now, rel=1e-11)
    assert float(values["Angles grow by"]) == pytest.approx(now / before, rel=1e-11)
    _, fast = states.inspection_of_view("context", LENGTHS, encoding=e, dimension=3)
    assert fast["Angles grow by"] == "1"
    drawn = states.snapshot("context", LENGTHS, encoding=e)
    found = drawn.picture.find_pointer_fields(drawn, Pointer("turns", 39.8, 0.0))
    assert found == {"dimension": 40}


@pytest.mark.parametrize(
    ("e", "says"),
    [
        (rope("linear", factor=0.5), "makes 64 pairs up to 2 times as fast"),
        (rope("ntk", factor=0.25), "makes 63 pairs up to 4 times as fast"),
        (rope("linear", factor=2.0), ""),
        (rope("dynamic", factor=0.5, sequence_length=10**6), ""),
    ],
    ids=str,
)
def test_a_scaling_that_speeds_pairs_up_is_warned_of(e, says):
    status = figure_of(e).status
    assert says in status
    assert ("as fast" in status) == bool(says)
