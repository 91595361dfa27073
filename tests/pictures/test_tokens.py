"""The figure of a sentence: rows by the paper's formula, similarities, moves, many words."""

import math
import threading
from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.pictures.cost import is_quick, takes_long
from pe_explorer.pictures.gestures import OnScreen, Pointer
from pe_explorer.pictures.pixels import Room, Size
from tests.support.figures import page_with, words_of
from tests.support.oracles import definition
from tests.support.resampling import resampled
from tests.support.samples import sample, stored_table
from tests.support.sinusoids import sinusoidal as sines
from tests.support.tables_in_files import put
from tests.support.toy_words import joined_rows, toy_vector
from tests.support.wanted import NOTHING, Drawn


class Definition(Drawn):
    with_options: ClassVar = {"--part both": NOTHING}


TOKENS = pictures.find("tokens")
RUNNING = threading.Event()
SIZE = Size(1500, 600)
FIRST = "She told him that she only loved him."
THIRD = "Only she told him that she loved him."


def state_of(e, options=None, **fields):
    state = pictures.with_options(Exploration(e, **fields), "tokens", **(options or {}))
    return resolve(state, DirectStore())


def figure_of(e, size=SIZE, *, options=None, **fields):
    state = state_of(e, options, **fields)
    return TOKENS.figure(state, TOKENS.compute(state, size, RUNNING))


def values_of(e, panel="rows", **options):
    return figure_of(e, options=options).panel(panel).cells.values


def row(p, width, base=1e4):
    angles = [p / base ** (2 * (j // 2) / width) for j in range(width)]
    return [math.cos(a) if j % 2 else math.sin(a) for j, a in enumerate(angles)]


def said(state, position, dimension):
    there = resolve(state.with_(position=position, dimension=dimension), DirectStore())
    return TOKENS.inspect(there, RUNNING)


def test_i_should_sleep():
    options = {"sentence": "I should sleep", "join": "positions"}
    panel = figure_of(sines(dim=4), options=options).panels[0]
    truth = [
        [0, 1, 0, 1],
        [0.841471, 0.540302, 0.010000, 0.999950],
        [0.909297, -0.416147, 0.019999, 0.999800],
    ]
    np.testing.assert_allclose(panel.cells.values, truth, atol=5e-7)
    assert panel.y.names == ("I", "should", "sleep")
    assert panel.cells.numbered
    assert panel.cells.limits == (-1.0, 1.0)
    there = said(state_of(sines(dim=4), options), 2, 1)
    assert float(there.number) == pytest.approx(-0.416147, abs=5e-7)
    assert there.formula[-1] == "= -0.416147"
    seven = {**options, "sentence": "a b c d e f g"}
    rows = values_of(sines(dim=4), **seven)
    cosine = 1 - rows @ rows[0] / (np.linalg.norm(rows, axis=1) * np.linalg.norm(rows[0]))
    assert cosine[[6, 1]] == pytest.approx([0.0208, 0.2299], abs=5e-5)


def test_rows_are_word_and_position_as_they_are_joined():
    words = np.array([toy_vector(word, 16) for word in FIRST.split()])
    positions = np.array([row(p, 16) for p in range(8)])
    truth = {
        "words": words,
        "positions": positions,
        "sum": words + positions,
        "concatenation": np.hstack([words, positions]),
    }
    for join, table in truth.items():
        np.testing.assert_allclose(values_of(sines(dim=16), join=join), table, atol=1e-14)
    parts = values_of(sines(dim=16), join="concatenation", first=15, dimensions=3)
    np.testing.assert_allclose(parts, truth["concatenation"][:, 15:18], atol=1e-14)


def test_words_and_rows_are_compared_beside_each_other():
    options = {"sentence": FIRST, "part": "similarity"}
    before, after = figure_of(sines(dim=16), options=options).panels
    rows = np.array([toy_vector(w, 16) for w in FIRST.split()]) + [row(p, 16) for p in range(8)]
    lengths = np.linalg.norm(rows, axis=1)
    np.testing.assert_allclose(after.cells.values, rows @ rows.T / np.outer(lengths, lengths))
    assert before.cells.values[0, 4] == pytest.approx(1)
    assert after.cells.values[0, 4] == pytest.approx(0.7832, abs=5e-5)
    assert before.x.names == before.y.names == tuple(FIRST.split())
    both = figure_of(sines(dim=16), options={**options, "part": "both"})
    assert [panel.name for panel in both.panels] == ["rows", "after"]
    np.testing.assert_array_equal(both.panels[1].cells.values, after.cells.values)


def test_reversed_words_are_the_same_similarities_elsewhere():
    options = {"join": "words", "part": "both"}
    one, other = (
        values_of(sines(dim=16), "after", sentence=text, **options)
        for text in ("dog bites man", "man bites dog")
    )
    np.testing.assert_array_equal(one, other[::-1, ::-1])


@pytest.mark.parametrize(
    ("sentence", "before", "width", "truth"),
    [
        ("man bites dog", "dog bites man", 16, [1.80651, 0, 1.80651]),
        (THIRD, FIRST, 16, [1.9303, *[math.dist(row(0, 16), row(1, 16))] * 5, 0, 0]),
        (THIRD, FIRST, 128, [5.7991, *[math.dist(row(0, 128), row(1, 128))] * 5, 0, 0]),
    ],
)
def test_how_far_each_row_has_moved(sentence, before, width, truth):
    options = {"sentence": sentence, "before": before, "part": "moved"}
    for join in ("sum", "concatenation", "positions"):
        figure = figure_of(sines(dim=width), options={**options, "join": join})
        assert figure.panels[0].curves[0].y == pytest.approx(truth, abs=5e-5)
        assert f"by up to {max(truth):.3f}" in figure.status
        assert "mean of all rows moves by 0" in figure.status
    figure = figure_of(sines(dim=width), options={**options, "join": "words"})
    assert set(figure.panels[0].curves[0].y) == {0.0}
    assert "without positions, no row differs" in figure.status


def test_without_a_sentence_before_nothing_has_moved():
    figure = figure_of(sines(dim=16), options={"part": "moved"})
    assert figure.note.sentence.startswith("There is no sentence before")
    other = figure_of(sines(dim=16), options={"before": "other words"})
    assert "only 0 of the 8 words shown" in other.status


def test_an_empty_sentence_says_what_to_type():
    with pytest.raises(EncodingError, match="there is no sentence yet; type some words") as caught:
        pictures.check("tokens", state_of(sines(), {"sentence": "  "}))
    raise_sentence = caught.value.sentence
    assert raise_sentence.endswith("dog bites man.")


def test_ten_thousand_words_are_as_quick_as_a_screen_of_them():
    sentence = " ".join(f"w{n}" for n in range(10_000))
    e = sines(dim=128)
    few = state_of(e, {"sentence": sentence, "top": 7_000}, count=40)
    assert is_quick(TOKENS.cost(few, SIZE))
    figure = TOKENS.figure(few, TOKENS.compute(few, SIZE, RUNNING))
    assert figure.panels[0].y.names[0] == "w7000"
    truth = np.array([toy_vector(f"w{n}", 128) for n in range(7000, 7040)])
    truth += [row(n, 128) for n in range(7000, 7040)]
    np.testing.assert_allclose(figure.panels[0].cells.values, truth, atol=1e-11)
    assert "words 7,001 to 7,040 of 10,000" in figure.status
    every = state_of(e, {"sentence": sentence}, count=50_000)
    assert not takes_long(TOKENS.cost(every, Size(200, 200)))
    (panel,) = TOKENS.figure(every, TOKENS.compute(every, Size(600, 200), RUNNING)).panels
    assert panel.cells.values.shape == (200, 128)
    assert panel.badge == "first of 50 words"
    np.testing.assert_allclose(
        panel.cells.values[3], np.add(toy_vector("w150", 128), row(150, 128)), atol=1e-12
    )


@pytest.mark.parametrize(
    ("join", "width", "pixels", "badge"),
    [
        ("positions", 128, 100, "sines and cosines of 1.3 pairs"),
        ("sum", 128, 50, "sines and cosines of 2.6 pairs"),
        ("sum", 128, 200, ""),
        ("sum", 128, 300, ""),
        ("words", 128, 50, "mean of 2.6 dimensions"),
        ("concatenation", 64, 32, "mean of 4 entries, sines and cosines of 4 pairs"),
        ("concatenation", 64, 300, ""),
    ],
)
def test_narrow_columns_keep_their_kind(join, width, pixels, badge):
    """Those of word vectors have one; a position's sines and cosines take turns."""
    words = np.array([toy_vector(word, width) for word in FIRST.split()])
    positions = np.array([row(p, width) for p in range(8)])
    truth = {
        "positions": resampled(positions, pixels, turns=2),
        "sum": resampled(words + positions, pixels, turns=2),
        "words": resampled(words, pixels),
    }
    if join == "concatenation":
        truth[join] = resampled(np.hstack([words, positions]), pixels)
        if pixels < 4 * width:
            halves = (words, 1), (positions, 2)
            truth[join] = np.hstack([resampled(half, pixels // 2, turns) for half, turns in halves])
    for part in ("rows", "both"):
        options = {"join": join, "part": part}
        panel = figure_of(sines(dim=width), Size(pixels, 400), options=options).panels[0]
        np.testing.assert_allclose(panel.cells.values, truth[join], atol=1e-12)
        assert panel.badge == badge
        assert panel.cells.place.width == panel.x.count


def test_a_click_names_the_nearest_column_of_the_kind_that_is_seen():
    state = state_of(sines(dim=128), {"join": "concatenation"})
    numbers = TOKENS.compute(state, Size(64, 400), RUNNING)  # a pixel for each four columns
    found = []
    for pixel in (33, 34, 35, 36):
        at = Pointer("rows", (pixel + 0.5) * 4 - 0.5, 2.0)
        found.append(TOKENS.pointed_at(state, OnScreen(state, numbers, None), at))
    assert [each["dimension"] % 2 for each in found] == [1, 0, 1, 0]
    assert [abs(each["dimension"] - 4 * n) <= 3 for n, each in enumerate(found, 1)] == [True] * 4
    of_word = Pointer("rows", 20.0, 2.0)
    assert TOKENS.pointed_at(state, OnScreen(state, numbers, None), of_word) == {"position": 2}


def test_stripes_of_rows_are_those_of_the_page():
    room = Room((Size(300, 200, 2), Size(200, 150, 2)))
    assert TOKENS.size_in(room) == Size(300, 150, 2, beside=200)


def test_words_begin_at_the_first_position_shown():
    (panel,) = figure_of(sines(dim=16), start=100, options={"join": "positions"}).panels
    np.testing.assert_allclose(
        panel.cells.values, [row(p, 16) for p in range(100, 108)], atol=1e-12
    )
    there = said(state_of(sines(dim=16), start=100), 105, 3)
    assert {v.name: v.text for v in there.values}["Word"] == "only"
    with pytest.raises(EncodingError, match="there is no word at position 99"):
        said(state_of(sines(dim=16), start=100), 99, 3)
    outside = TOKENS.cursor_outside(state_of(sines(dim=16), start=100))
    assert outside.fields == {"start": 0, "count": 50}


def test_positions_without_a_row_are_hatched():
    e = encodings.create("learned", file=stored_table())
    rows = e.domain[-1] + 1
    figure = figure_of(e, start=rows - 3)
    (panel,) = figure.panels
    assert np.isfinite(panel.cells.values[:3]).all()
    assert np.isnan(panel.cells.values[3:]).all()
    (part,) = panel.hatched
    assert (part.top, part.bottom) == (2.5, 7.5)
    assert f"rows for 0 to {rows - 1:,}" in figure.status
    (panel,) = figure_of(e, start=rows - 3, options={"join": "concatenation"}).panels
    assert np.isfinite(panel.cells.values[:, : e.width]).all()
    assert panel.hatched[0].left == e.width - 0.5
    (panel,) = figure_of(e, start=rows - 3, options={"join": "words"}).panels
    assert not panel.hatched
    assert figure_of(sines(dim=8), start=LIMIT, count=1).panels[0].y.names == ("She",)


def test_where_no_two_rows_can_be_compared_a_sentence_says_so(tmp_path):
    e = encodings.create("learned", file=put(tmp_path / "zeros.npy", np.zeros((3, 2))))
    options = {"part": "similarity", "join": "positions", "beside": "positions"}
    note = figure_of(e, options=options).note
    assert note.sentence == "No two rows can be compared: a row of zeros has no direction."
    assert figure_of(e, options={**options, "beside": "words"}).note is None
    hatched = figure_of(e, start=5, options=options)
    assert hatched.note is None
    assert "no position has a row there" in hatched.status


@pytest.mark.parametrize("name", ["rope", "alibi", "binary", "index", "fraction"])
def test_any_encoding_has_rows_for_words(name):
    e = sample(name)
    start = e.first_range.start
    (panel,) = figure_of(e, start=start, options={"join": "positions"}).panels
    np.testing.assert_array_equal(panel.cells.values, e.table(range(start, start + 8)))
    (panel,) = figure_of(e, start=start).panels
    truth = joined_rows(definition(e), FIRST.split(), start)
    np.testing.assert_allclose(panel.cells.values, truth, atol=1e-14)
    appended = state_of(e, {"join": "concatenation", "part": "both"}, start=start)
    assert bool(TOKENS.lack(appended)) == (name in ("rope", "alibi"))


def test_the_formula_of_a_sum_ends_in_its_number():
    there = said(state_of(sines(dim=16)), 5, 3)
    truth = toy_vector("only", 16)[3] + row(5, 16)[3]
    assert float(there.number) == pytest.approx(truth, abs=1e-14)
    assert there.formula[-1] == f"= {truth:+.6g}"
    assert "bit 3 of SHAKE-128(“only”) is 1" in there.formula[-4]
    moved = said(state_of(sines(dim=16), {"sentence": THIRD, "before": FIRST}), 0, 0)
    assert {v.name: v.text for v in moved.values}["Moved"] == "1.93026, from place 5 to 0"


def test_names_and_numbers_stand_in_figures():
    options = {"tokens": TOKENS.Options(sentence="I שלום 🙂", join="positions")}
    page = page_with("tokens", encoding=sines(dim=4), options=options)
    words = words_of(page)
    assert {"I", "שלום", "🙂", "0.84", "−0.42"} <= set(words)


def vectors_file(folder, *lines, name="v.txt"):
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_word_vectors_are_read_from_a_file(tmp_path):
    path = vectors_file(tmp_path, "4 2", "she 1 2", "told 3 4", "him 5 6", "Loved -7 8")
    options = {"words": "file", "file": path, "join": "words"}
    figure = figure_of(sines(dim=2), options=options)
    nothing = [math.nan] * 2
    truth = [[1, 2], [3, 4], [5, 6], nothing, [1, 2], nothing, [-7, 8], [5, 6]]
    np.testing.assert_array_equal(figure.panels[0].cells.values, truth)
    assert "Not in v.txt: “that”, “only”." in figure.status
    summed = figure_of(sines(dim=2), options={**options, "join": "sum"}).panels[0].cells
    np.testing.assert_allclose(summed.values, np.add(truth, [row(p, 2) for p in range(8)]))
    wide = figure_of(sines(dim=4), options={**options, "join": "concatenation"})
    assert wide.panels[0].cells.values.shape == (8, 6)
    there = said(state_of(sines(dim=2), options), 6, 0)
    assert there.number == "-7.0"
    assert there.formula == ("“loved” of v.txt: number 1: −7",)


def test_attention_that_rounding_would_decide_is_not_shown_and_a_sentence_says_why(tmp_path):
    path = vectors_file(tmp_path, "she 0", f"told {2.0**-52 - 1!r}", "him 7")
    options = {"words": "file", "file": path, "part": "attention", "sentence": "she told"}
    e = encodings.create("index", dim=1)
    figure = figure_of(e, start=2**53 - 20, count=8, options=options)
    assert np.isnan(figure.panels[1].cells.values).all()
    assert "The weights of 2 words are undefined" in figure.status
    order = {**options, "before": "told she"}
    assert "rounding error dominates the change" in (
        figure_of(e, start=2**53 - 20, count=8, options=order).status
    )
    for others in ({"sentence": "she him"}, {"join": "positions", "beside": "positions"}):
        figure = figure_of(e, start=2**53 - 20, count=8, options={**options, **others})
        assert np.isfinite(figure.panels[1].cells.values).all()
        assert "rounding" not in figure.status
    near = figure_of(e, start=0, options=options)
    assert "rounding" not in near.status


@pytest.mark.parametrize("start", [0, 10**6, 2**53 - 20])
def test_moves_of_rows_on_a_line_are_exact_far_from_0(start):
    e = encodings.create("fraction", dim=16, length=50)
    options = {"sentence": "a b c", "before": "c a b", "part": "moved"}
    (panel,) = figure_of(e, start=start, count=8, options=options).panels
    assert list(panel.curves[0].y) == pytest.approx([4 / 50, 4 / 50, 8 / 50], rel=1e-14)


@pytest.mark.parametrize(
    ("lines", "options", "problem"),
    [
        (["she 1 2", "told 1 2"], {}, "words have 2 numbers, and sinusoidal has 8 dimensions"),
        ([""], {}, "line 1 is; it should have a word"),
        (None, {}, "no file with word vectors is chosen yet"),
        (["she 1 2"], {"file": "/nowhere/v.txt"}, "/nowhere/v.txt: cannot be read"),
    ],
)
def test_without_word_vectors_there_is_a_sentence(tmp_path, lines, options, problem):
    path = vectors_file(tmp_path, *lines) if lines else ""
    state = state_of(sines(dim=8), {"words": "file", "file": path, **options})
    with pytest.raises(EncodingError, match=problem):
        pictures.check("tokens", state)


def test_a_broken_line_is_named(tmp_path):
    path = vectors_file(tmp_path, "she 1 2", "told 1 2", "him 1", "that 1 2")
    state = state_of(sines(dim=2), {"words": "file", "file": path})
    assert takes_long(TOKENS.cost(state, SIZE))  # which leaves it to the worker
    with pytest.raises(EncodingError, match=r"v\.txt: line 3 has 1 numbers, not 2"):
        TOKENS.compute(state, SIZE, RUNNING)


def test_what_a_file_holds_is_no_intention(tmp_path):
    path = vectors_file(tmp_path, "she 1 2")
    state = state_of(sines(dim=2), {"words": "file", "file": path})
    assert state.options["tokens"].held.columns == 2
    again = resolve(state.with_(options=dict(state.options)), DirectStore())
    assert again == state
    assert again.intention.options["tokens"].held is None


def softmax(rows, bias=0.0):
    powers = np.exp(rows @ rows.T / math.sqrt(rows.shape[1]) + bias)
    return powers / powers.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name", ["sinusoidal", "rope", "alibi", "binary"])
def test_attention_without_positions_and_with_them(name):
    e = sample(name)
    before, after = figure_of(e, options={"part": "attention", "head": 1}).panels
    defined, words = definition(e), FIRST.split()
    rows, bias = joined_rows(defined, words, 0), np.zeros((8, 8))
    width = rows.shape[1]
    if name == "alibi":
        for query, key in np.ndindex(8, 8):
            bias[query, key] = float(defined.element(key - query, 1)) if key <= query else -np.inf
    vectors = np.array([toy_vector(word, width) for word in words])
    mask = np.where(np.isinf(bias), bias, 0)
    np.testing.assert_allclose(before.cells.values, softmax(vectors, mask), atol=1e-13)
    np.testing.assert_allclose(after.cells.values, softmax(rows, bias), atol=1e-13)
    assert before.heading == "without positions" != after.heading
    assert before.x.names == after.y.names == tuple(words)
    assert before.cells.limits == after.cells.limits
    assert before.cells.limits[0] == 0
    assert before.cells.colour_map == "viridis"


def test_attention_of_a_part_of_the_words_is_that_of_all():
    whole = values_of(sines(dim=16), "after", part="attention")
    part = figure_of(sines(dim=16), options={"part": "attention", "top": 2}, count=3)
    np.testing.assert_allclose(part.panel("after").cells.values, whole[2:5, 2:5], atol=1e-15)
    np.testing.assert_allclose(whole.sum(axis=1), 1, rtol=1e-14)


def test_another_order_is_the_same_attention_elsewhere():
    options = {"sentence": "man bites dog", "before": "dog bites man", "part": "attention"}
    one = values_of(sines(dim=16), "before", **{**options, "sentence": "dog bites man"})
    figure = figure_of(sines(dim=16), options=options)
    np.testing.assert_allclose(
        figure.panel("before").cells.values, one[::-1, ::-1], rtol=0, atol=1e-12
    )
    assert "rows move by up to 1.807; attention's output" in figure.status
    alibi = figure_of(sample("alibi"), options=options)
    assert "a causal mask" in alibi.status
    unmasked = figure_of(sample("alibi"), options={**options, "mask": "none"})
    assert "hide later words" in unmasked.status
    symmetric = figure_of(sample("alibi", symmetric=True), options=options)
    assert "come later" not in symmetric.status
    rope = figure_of(sample("rope"), options=options)
    assert "The mean" not in rope.status  # of turned words it moves, too


def test_what_is_compared_beside_can_be_chosen():
    options = {"part": "similarity", "beside": "concatenation"}
    before, after = figure_of(sines(dim=16), options=options).panels
    assert before.cells.values[0, 4] == pytest.approx(0.8475, abs=5e-5)
    assert after.cells.values[0, 4] == pytest.approx(0.7832, abs=5e-5)
    assert [before.heading, after.heading] == ["positions appended", "positions added"]
    assert "random" in after.cells.title


@pytest.mark.parametrize("part", ["both", "similarity", "attention"])
def test_nothing_is_called_random_where_positions_alone_are_compared(part):
    options = {"part": part, "join": "positions", "beside": "positions"}
    panel = figure_of(sines(dim=16), options=options).panel("after")
    assert panel.cells.title.endswith(" of positions")
    assert "random" not in f"{panel.cells.brief} {panel.x.title} {panel.y.title}"
    mixed = figure_of(sines(dim=16), options=options | {"part": "similarity", "beside": "words"})
    assert mixed.panel("after").cells.title.endswith(" of random word vectors")


def test_there_is_no_attention_of_a_head_that_is_not_there():
    state = state_of(sample("alibi", heads=4), {"part": "attention", "head": 4})
    with pytest.raises(EncodingError, match="none with the number 4; choose a head of 0 to 3"):
        pictures.check("tokens", state)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_the_formula_of_a_turned_word_ends_in_its_number(layout):
    e = encodings.create("rope", head_dim=4, layout=layout)
    rows = joined_rows(definition(e), FIRST.split(), 0)
    for column in range(8):  # cosines, then sines, of the four channels
        there = said(state_of(e), 5, column)
        assert float(there.number) == pytest.approx(rows[5, column % 4], abs=1e-14)
        turned = f"{rows[5, column % 4]:+#.6g}".replace("-", "−")
        assert there.formula[-1] == f"turned = {turned}"
        products = there.formula[3].removeprefix("= ").replace("·", "*").replace("−", "-")
        assert eval(products) == pytest.approx(rows[5, column % 4], abs=1e-5)
