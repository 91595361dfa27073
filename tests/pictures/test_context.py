"""The context against formulas written anew: bars, table, calculator and words."""

import math
import threading

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.pictures.context import Context, row_count
from pe_explorer.pictures.gestures import OnScreen, Pointer
from pe_explorer.pictures.pixels import Size
from tests.support.cases import for_each
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.wanted import WAVES, Drawn


class Definition(Drawn):
    needs = WAVES


NEVER = threading.Event()
TRAINED, TARGET = 32_768, 131_072
LENGTHS = {"trained": TRAINED, "target": TARGET}


def rope(rope_theta=1e6, head_dim=128, **parameters):
    return encodings.create("rope", head_dim=head_dim, rope_theta=rope_theta, **parameters)


def state_of(e, options=LENGTHS, **fields):
    state = resolve(Exploration(e, **fields), DirectStore())
    return resolve(pictures.with_options(state, "context", **dict(options)), DirectStore())


def figure_of(e, options=LENGTHS, **fields):
    state = state_of(e, options, **fields)
    return Context.figure(state, Context.compute(state, Size(1, 1), NEVER))


def rows_of(e, part="types", **options):
    """Return the texts of the table by the names of its rows, and the details by the same."""
    figure = figure_of(e, {**LENGTHS, **options, "part": part})
    table = figure.table
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


def test_bars_are_turns_in_training_and_at_the_target():
    figure = figure_of(rope(rope_type="ntk", factor=4.0))
    (panel,) = figure.panels
    before, now = panel.curves
    np.testing.assert_allclose(10 ** before.y[::2], turns(rope(), TRAINED), rtol=1e-13)
    ntk = rope(rope_type="ntk", factor=4.0)
    np.testing.assert_allclose(10 ** now.y[::2], turns(ntk, TARGET), rtol=1e-13)
    assert (before.name, now.name) == ("in training, 32,768", "at the target, 131,072")
    assert len(before.bars) == 64
    for pair, (bar, top) in enumerate(zip(before.bars, before.y[::2], strict=True)):
        assert bar.left < pair < bar.right
        assert before.value_at(pair) == before.value_at(pair + 0.49) == top
        assert bar.top == panel.y.low
        assert bar.bottom == pytest.approx(top)
    assert panel.y.powers
    assert [(level.y, level.name) for level in panel.levels] == [(0.0, "1 turn")]


NEW = {"default": range(40, 64), "ntk": range(40, 63), "linear": (), "yarn": (), "llama3": ()}


@pytest.mark.parametrize("rope_type", NEW)
def test_turned_within_and_new_pairs_stand_apart(rope_type):
    e = rope(rope_type=rope_type, factor=4.0, original_max_position_embeddings=TRAINED)
    figure = figure_of(e)
    (panel,) = figure.panels
    before, now = turns(rope(), TRAINED), turns(e, TARGET)
    new = [pair for pair in range(64) if before[pair] < 1 and now[pair] > before[pair] * (1 + 1e-9)]
    within = [pair for pair in range(64) if before[pair] < 1 and pair not in new]
    assert new == list(NEW[rope_type])
    assert places(panel.hatched) == new
    assert places(panel.shaded) == within
    said = f"40 of 64 pairs turned in 32,768 positions. At 131,072, {len(within)} others are within"
    assert said in figure.status
    assert f"{len(new)} new (hatched)" in figure.status


def test_the_worst_pair_is_named():
    assert figure_of(rope()).status.endswith("24 new (hatched), by up to a factor of 4 (pair 40).")
    ntk = rope(rope_type="ntk", factor=4.0)
    assert figure_of(ntk).status.endswith("by up to a factor of 1.659 (pair 40).")


TABLE = {  # changed, new, most that a fast pair is slowed
    "default": ("0 of 64", "24, by 4", "1"),
    "linear": ("64 of 64", "0", "4"),
    "ntk": ("63 of 64", "23, by 1.659", "1.659"),
    "dynamic": ("63 of 64", "0", "2.551"),
    "yarn": ("40 of 64", "0", "1"),
    "llama3": ("30 of 64", "0", "1"),
}


def test_the_table_of_types():
    texts, details = rows_of(rope())
    assert list(texts) == ["current", *TABLE]
    assert texts["current"] == texts["default"]
    for name, (changed, new, slowed) in TABLE.items():
        fields = {"original_max_position_embeddings": TRAINED, "factor": 4.0}
        e = rope(rope_type=name, **fields)
        if name == "dynamic":
            e = rope(rope_type=name, sequence_length=TARGET, **fields)
        slowest = float(2 * mp.pi / definition(e).frequency(63))
        attention = f"{0.1 * math.log(4) + 1:.5g}" if name == "yarn" else "1"
        assert texts[name] == [changed, new, f"{slowest:,.0f}", slowed, attention]
        chosen = details[name][0].fields["encoding"]
        assert chosen.rope_type == name
        for pair in (0, 30, 63):
            assert chosen.frequency(pair) == pytest.approx(float(definition(e).frequency(pair)))


def test_what_cannot_be_had_is_said():
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
        "base alone": ("9,189,587", "1,000,000 · 4^(64/40)", 1e6 * 4 ** (64 / 40)),
        "factor of linear": ("4", "131,072 / 32,768", 4),
        "factor of ntk": ("8.8766", "4^(126/80)", stretch),
        "factor of dynamic": ("2.6256", "(4^(126/80) − 1) · 32,768 / 98,304", dynamic),
        "factor of yarn": ("4", "131,072 / 32,768", 4),
        "factor of llama3": ("4", "131,072 / 32,768", 4),
        "longest target": ("32,768", "32,768 · least ω/ω′", TRAINED),
    }
    assert list(texts) == list(wanted)
    for name, (answer, formula, exact) in wanted.items():
        assert texts[name] == [answer, formula, "Take it"]
        shown = float(answer.replace(",", ""))
        assert float(exact) <= shown <= float(exact) * (1 + 1e-4)  # rounded up
    base = details["base alone"][-1].fields["encoding"]
    assert (base.rope_theta, base.rope_type) == (9_189_587.0, "default")
    ntk = details["factor of ntk"][-1].fields["encoding"]
    assert ntk.factor == pytest.approx(float(stretch), rel=1e-15)
    assert details["longest target"][-1].fields == {"options": {"target": TRAINED}}
    assert "63 of 64 pairs, all but the first" in details["base alone"][-1].sentence


@pytest.mark.parametrize("name", ["linear", "ntk", "dynamic", "yarn", "llama3"])
def test_what_is_taken_leaves_no_pair_new(name):
    _, details = rows_of(rope(), "calculator")
    taken = details[f"factor of {name}"][-1].fields["encoding"]
    (panel,) = figure_of(taken).panels
    assert panel.hatched == ()


def test_what_is_beyond_the_limits_cannot_be_taken():
    texts, details = rows_of(rope(), "calculator", trained=7, target=LIMIT)
    assert texts["base alone"][-1] == ""
    assert "beyond the limits" in details["base alone"][0].sentence
    texts, details = rows_of(rope(), "calculator", trained=6, target=60)
    assert texts["base alone"][0] == "none"
    assert "Not even pair 0" in details["base alone"][0].sentence
    texts, _ = rows_of(rope(), "calculator", trained=TARGET, target=TRAINED)
    assert texts["base alone"][:2] == ["1,000,000", "the present one"]


def test_the_longest_target_of_scaled_settings():
    yarn = rope(rope_type="yarn", factor=4.0, original_max_position_embeddings=TRAINED)
    assert rows_of(yarn, "calculator")[0]["longest target"][0] == "131,072"
    whole = encodings.create("rope", head_dim=2)
    assert rows_of(whole, "calculator")[0]["longest target"][0] == "any"


def test_sinusoids_have_a_base_and_no_types():
    e = encodings.create("sinusoidal", dim=128)
    texts, _ = rows_of(e, trained=512, target=2048)
    assert list(texts) == ["current"]
    texts, details = rows_of(e, "calculator", trained=512, target=2048)
    assert list(texts) == ["base alone", "longest target"]
    first = next(i for i in range(64) if 2 * math.pi * 1e4 ** (i / 64) > 512)
    exact = 1e4 * 4 ** (64 / first)
    assert texts["base alone"][0] == f"{math.ceil(exact):,}"
    assert details["base alone"][-1].fields["encoding"].base == math.ceil(exact)
    for part in ("types", "calculator"):
        state = state_of(e, {**LENGTHS, "part": part})
        assert row_count(state, Context.options(state)) == len(rows_of(e, part)[0])


@pytest.mark.parametrize(
    ("e", "lengths"),
    [
        (rope(), (50, 200)),
        (rope(rope_type="yarn", factor=8.0, original_max_position_embeddings=4096), (4096, 32_768)),
        (rope(rope_type="linear", factor=2.0), (50, 100)),
        (rope(rope_type="dynamic", sequence_length=70_000), (8192, 70_000)),
        (encodings.create("sinusoidal"), (50, 200)),
    ],
)
def test_lengths_that_nobody_typed(e, lengths):
    (panel,) = figure_of(e, {}, count=50).panels
    found = [curve.name.rpartition(" ")[2] for curve in panel.curves]
    trained, target = (f"{length:,}" for length in lengths)
    assert panel.curves[0].name == f"in training, {trained}"
    assert panel.curves[1].name == f"at the target, {target}"
    assert found == [trained, target]


@for_each("lengths", [(1, 1), (1, LIMIT), (LIMIT, LIMIT), (LIMIT, 1)])
@for_each("head_dim", [2, 4, 128])
@for_each("part", ["types", "calculator"])
def test_any_lengths(lengths, head_dim, part):
    trained, target = lengths
    e = rope(head_dim=head_dim)
    figure = figure_of(e, {"trained": trained, "target": target, "part": part})
    (panel,) = figure.panels
    np.testing.assert_allclose(10 ** panel.curves[0].y[0], float(trained / (2 * mp.pi)), rtol=1e-13)
    assert panel.y.low < panel.y.high
    if target <= trained:
        assert panel.hatched == ()


def test_wide_heads_and_frequencies_of_0():
    (panel,) = figure_of(rope(head_dim=65_536)).panels
    assert len(panel.curves[0].x) == 32_768
    assert panel.curves[0].bars == ()  # they could not be told apart
    still = rope(rope_type="proportional", partial_rotary_factor=0.25, factor=1.0)
    (panel,) = figure_of(still).panels
    assert np.isnan(panel.curves[0].y).sum() == 2 * 48
    assert panel.hatched == () or places(panel.hatched)[-1] < 16
    nothing = figure_of(encodings.create("sinusoidal", scale=0.0))
    assert nothing.note.sentence == "No pair ever turns: every frequency is 0."


def test_no_angles_are_a_sentence():
    with pytest.raises(EncodingError, match="no angles"):
        Context.check(state_of(encodings.create("alibi")), ())


def test_the_inspector_has_the_turns_of_the_cursor():
    e = rope(rope_type="ntk", factor=4.0)
    state = state_of(e, dimension=50)
    values = {each.name: each.text for each in Context.inspect(state, NEVER).values}
    before, now = turns(rope(), TRAINED)[50], turns(e, TARGET)[50]
    assert float(values["Turns in training"]) == pytest.approx(before, rel=1e-15)
    assert float(values["Turns at the target"]) == pytest.approx(now, rel=1e-11)
    assert float(values["Angles grow by"]) == pytest.approx(now / before, rel=1e-11)
    fast = {v.name: v.text for v in Context.inspect(state_of(e, dimension=3), NEVER).values}
    assert fast["Angles grow by"] == "1"


def test_a_click_on_a_bar_chooses_its_pair():
    state = state_of(rope())
    numbers = Context.compute(state, Size(1, 1), NEVER)
    drawn = OnScreen(state, numbers, Context.figure(state, numbers))
    assert Context.pointed_at(state, drawn, Pointer("turns", 39.8, 0.0)) == {"dimension": 40}


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        (
            {"rope_type": "linear", "factor": 0.5},
            "speeds up 64 of 64 pairs, by up to a factor of 2",
        ),
        ({"rope_type": "ntk", "factor": 0.25}, "speeds up 63 of 64 pairs, by up to a factor of 4"),
        ({"rope_type": "linear", "factor": 2.0}, ""),
        ({"rope_type": "dynamic", "factor": 0.5, "sequence_length": 10**6}, ""),
    ],
    ids=str,
)
def test_a_scaling_that_speeds_pairs_up_is_warned_of(parameters, says):
    status = figure_of(rope(**parameters)).status
    assert says in status
    assert ("speeds up" in status) == bool(says)
