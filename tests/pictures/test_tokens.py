"""The figure of a sentence: rows by the paper's formula, similarities, moves, many words."""

import math
from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.pictures.cost import is_expensive, is_quick
from pe_explorer.pictures.gestures import Drag
from pe_explorer.pictures.limits import find_limit_above
from pe_explorer.pictures.pixels import FigureSpace, Size
from tests.pictures.resampling import resampled
from tests.support import states
from tests.support.figures import page_with, words_of
from tests.support.measures import usual_distances
from tests.support.oracles import definition
from tests.support.requirements import NOTHING, PictureRequirements
from tests.support.samples import sample, stored_table
from tests.support.sinusoids import sinusoid, sinusoidal as sines
from tests.support.tables_in_files import put
from tests.support.toy_words import joined_rows, toy_vector


class Definition(PictureRequirements):
    with_options: ClassVar = {"--part both": NOTHING}


TOKENS = pictures.find("tokens")
SIZE = Size(1500, 600)
FIRST = "She told him that she only loved him."
THIRD = "Only she told him that she loved him."
D16 = sines(dim=16)
DOG, MAN = "dog bites man", "man bites dog"


def figure_of(e=D16, size=SIZE, *, start=0, count=50, **options):
    return states.figure_of("tokens", options, size, encoding=e, start=start, count=count)


def values_of(e=D16, panel="rows", **options):
    return figure_of(e, **options).panel(panel).cells.values


def tokens_inspection(e, position, dimension, *, start=0, **options):
    place = {"position": position, "dimension": dimension, "start": start}
    return states.inspection_of_view("tokens", options, encoding=e, **place)


def vectors_of(sentence, width):
    return np.array([toy_vector(word, width) for word in sentence.split()])


def cosines(rows):
    return usual_distances("similarity", rows, rows)


def test_rows_are_word_and_position_as_they_are_joined():
    words, positions = vectors_of(FIRST, 16), sinusoid(range(8), 16)
    both = np.hstack([words, positions])
    tables = {"words": words, "positions": positions, "sum": words + positions}
    for join, table in (tables | {"concatenation": both}).items():
        np.testing.assert_allclose(values_of(join=join), table, atol=1e-14)
    panel = figure_of(join="positions").panels[0]
    assert panel.y.names == tuple(FIRST.split())
    assert panel.cells.has_numbers
    assert panel.cells.limits == (-1.0, 1.0)
    joined = {"join": "concatenation"}
    parts = values_of(**joined, first=15, dimensions=3)
    np.testing.assert_allclose(parts, both[:, 15:18], atol=1e-14)
    state = states.state_of("tokens", joined, encoding=D16, position=5, dimension=3)
    assert TOKENS(state).find_cursor_points()["rows"] == (16 + 3, 5)


@pytest.mark.parametrize("name", ["rope", "alibi", "binary", "index", "fraction"])
def test_any_encoding_has_rows_for_words(name):
    e = sample(name)
    start = e.first_range.start
    (panel,) = figure_of(e, start=start, join="positions").panels
    np.testing.assert_array_equal(panel.cells.values, e.table(range(start, start + 8)))
    (panel,) = figure_of(e, start=start).panels
    exact = joined_rows(definition(e), FIRST.split(), start)
    np.testing.assert_allclose(panel.cells.values, exact, atol=1e-14)
    appended = {"join": "concatenation", "part": "both"}
    state = states.state_of("tokens", appended, encoding=e, start=start)
    assert bool(TOKENS(state).explain_unavailability()) == (name in ("rope", "alibi"))


def test_words_begin_at_the_first_position_shown():
    (panel,) = figure_of(start=100, join="positions").panels
    np.testing.assert_allclose(panel.cells.values, sinusoid(range(100, 108), 16), atol=1e-12)
    assert figure_of(start=LIMIT, count=1).panels[0].y.names == ("She",)
    _, texts = tokens_inspection(D16, 105, 3, start=100)
    assert texts["Word"] == "only"
    with pytest.raises(EncodingError, match="position 99"):
        tokens_inspection(D16, 99, 3, start=100)
    outside = TOKENS(states.state_of("tokens", encoding=D16, start=100)).find_hidden_cursor()
    assert outside.fields == {"start": 0, "count": 50}
    state = states.state_of("tokens", {"dimensions": 4}, encoding=D16, dimension=13)
    first = TOKENS(state).find_hidden_cursor().fields["options"]["tokens"].first
    assert first <= 13 < first + 4


def test_positions_without_a_row_leave_the_words():
    e = encodings.create("learned", file=stored_table())
    rows = e.domain[-1] + 1
    for join, missing in (("sum", slice(None)), ("concatenation", slice(e.width, None))):
        figure = figure_of(e, start=rows - 3, join=join)
        (panel,) = figure.panels
        values, (part,) = panel.cells.values, panel.hatched_areas
        assert np.isfinite(values[:3]).all()
        assert np.isnan(values[3:, missing]).all()
        assert np.isfinite(values[3:, : missing.start or 0]).all()
        assert (part.left, part.top, part.bottom) == ((missing.start or 0) - 0.5, 2.5, 7.5)
        assert f" 0 to {rows - 1:,}" in figure.status
    for start, join in ((rows - 3, "words"), (0, "sum")):
        figure = figure_of(e, start=start, join=join, part="moved", before=THIRD)
        assert np.isfinite(figure.panels[0].curves[0].y).all()
        assert f"{rows - 1:,}" not in figure.status


def test_an_empty_sentence_says_what_to_type():
    with pytest.raises(EncodingError, match=r"[Tt]ype some words"):
        pictures.check("tokens", states.state_of("tokens", {"sentence": "  "}))


def test_ten_thousand_words_are_as_quick_as_a_screen_of_them():
    e, sentence = sines(dim=128), " ".join(f"w{n}" for n in range(10_000))
    options = {"sentence": sentence, "top": 7_000}
    assert is_quick(states.cost_of("tokens", options, SIZE, encoding=e, count=40))
    figure = figure_of(e, count=40, **options)
    assert figure.panels[0].y.names[0] == "w7000"
    exact = np.array([toy_vector(f"w{n}", 128) for n in range(7000, 7040)])
    exact += sinusoid(range(7000, 7040), 128)
    np.testing.assert_allclose(figure.panels[0].cells.values, exact, atol=1e-11)
    assert "words 7,001 to 7,040 of 10,000" in figure.status
    options = {"sentence": sentence}
    cost = states.cost_of("tokens", options, Size(200, 200), encoding=e, count=50_000)
    assert not is_expensive(cost)
    (panel,) = figure_of(e, Size(600, 200), count=50_000, **options).panels
    assert panel.cells.values.shape == (200, 128)
    assert panel.badge == "first of 50 words"
    exact = toy_vector("w150", 128) + sinusoid([150], 128)[0]
    np.testing.assert_allclose(panel.cells.values[3], exact, atol=1e-12)


def test_stripes_of_rows_are_those_of_the_page():
    room = FigureSpace((Size(300, 200, 2), Size(200, 150, 2)))
    assert TOKENS.find_size(room) == Size(300, 150, 2, second_width=200)


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
    words, positions = vectors_of(FIRST, width), sinusoid(range(8), width)
    if join == "concatenation" and pixels < 4 * width:
        halves = (words, 1), (positions, 2)
        exact = np.hstack([resampled(half, pixels // 2, turns) for half, turns in halves])
    else:
        tables = {
            "positions": (positions, 2),
            "sum": (words + positions, 2),
            "words": (words, 1),
            "concatenation": (np.hstack([words, positions]), 1),
        }
        exact = resampled(tables[join][0], pixels, tables[join][1])
    for part in ("rows", "both"):
        panel = figure_of(sines(dim=width), Size(pixels, 400), join=join, part=part).panels[0]
        np.testing.assert_allclose(panel.cells.values, exact, atol=1e-12)
        assert panel.badge == badge
        assert panel.cells.place.width == panel.x.count


def test_words_and_rows_are_compared_beside_each_other():
    before, after = figure_of(part="similarity").panels
    words = vectors_of(FIRST, 16)
    np.testing.assert_allclose(before.cells.values, cosines(words), atol=1e-14)
    summed = cosines(words + sinusoid(range(8), 16))
    np.testing.assert_allclose(after.cells.values, summed, atol=1e-14)
    assert before.x.names == before.y.names == tuple(FIRST.split())
    assert before.cells.limits == after.cells.limits  # so that one colour bar is for both
    assert (before.has_bar, after.has_bar) == (False, True)
    both = figure_of(part="both")
    assert [panel.name for panel in both.panels] == ["rows", "after"]
    np.testing.assert_array_equal(both.panels[1].cells.values, after.cells.values)
    beside, after = figure_of(part="similarity", beside="concatenation").panels
    appended = cosines(np.hstack([words, sinusoid(range(8), 16)]))
    np.testing.assert_allclose(beside.cells.values, appended, atol=1e-14)
    np.testing.assert_allclose(after.cells.values, summed, atol=1e-14)
    assert [beside.heading, after.heading] == ["positions appended", "positions added"]
    assert "random" in after.cells.title


@pytest.mark.parametrize("part", ["both", "similarity", "attention"])
def test_nothing_is_called_random_where_positions_alone_are_compared(part):
    options = {"part": part, "join": "positions", "beside": "positions"}
    panel = figure_of(**options).panel("after")
    assert panel.cells.title.endswith(" of positions")
    assert "random" not in f"{panel.cells.title} {panel.x.title} {panel.y.title}"
    assert ("head" in TOKENS.Options(part=part).ineffective_parameters) == (part != "attention")
    assert TOKENS.Options.unavailable_reason("part", part) == ""
    drawn, drag = states.snapshot("tokens", {**options, "dimensions": 4}, encoding=D16), Drag()
    drag.x = -0.5
    moved = drawn.picture.find_drag_fields(drawn, drag)["options"]
    assert ("first" in moved) == (part == "both")
    mixed = figure_of(**{**options, "part": "similarity", "beside": "words"})
    assert mixed.panel("after").cells.title.endswith(" of random word vectors")


def test_where_no_two_rows_can_be_compared_a_sentence_says_so(tmp_path):
    e = encodings.create("learned", file=put(tmp_path / "zeros.npy", np.zeros((3, 2))))
    options = {"part": "similarity", "join": "positions", "beside": "positions"}
    assert "similarity" in figure_of(e, **options).note.sentence
    assert figure_of(e, **{**options, "beside": "words"}).note is None
    hatched = figure_of(e, start=5, **options)
    assert hatched.note is None
    assert " 0 to 2" in hatched.status


@pytest.mark.parametrize("width", [16, 128])
@pytest.mark.parametrize(("sentence", "before"), [(MAN, DOG), (THIRD, FIRST)])
def test_how_far_each_row_has_moved(sentence, before, width):
    options = {"sentence": sentence, "before": before, "part": "moved"}
    places = sinusoid(range(8), width)
    was = [word.lower().strip(".") for word in before.split()]
    now, moved = [word.lower().strip(".") for word in sentence.split()], []
    for place, word in enumerate(now):
        earlier = [n for n, each in enumerate(was) if each == word][now[:place].count(word)]
        moved.append(math.dist(places[earlier], places[place]))
    for join in ("sum", "concatenation", "positions"):
        figure = figure_of(sines(dim=width), join=join, **options)
        assert figure.panels[0].curves[0].y == pytest.approx(moved, abs=1e-12)
        axis, high = figure.panels[0].y, find_limit_above(np.array(moved))
        assert (axis.low, axis.high) == pytest.approx((-0.03 * high, 1.03 * high))
        assert f"by up to {max(moved):.2f}" in figure.status
    figure = figure_of(sines(dim=width), join="words", **options)
    assert set(figure.panels[0].curves[0].y) == {0.0}
    assert "by up to" not in figure.status
    _, texts = tokens_inspection(sines(dim=width), 0, 0, **options)
    assert float(texts["Moved"].split(",")[0]) == pytest.approx(moved[0], rel=1e-5)


def test_without_a_sentence_before_nothing_has_moved():
    assert "earlier sentence" in figure_of(part="moved").note.sentence
    assert " 0 of the words" in figure_of(before="other words").status


def test_the_formula_of_a_sum_ends_in_its_number():
    there, _ = tokens_inspection(D16, 5, 3)
    exact = toy_vector("only", 16)[3] + sinusoid([5], 16)[0, 3]
    assert float(there.number) == pytest.approx(exact, abs=1e-14)
    assert there.formula[-1] == f"= {exact:+.6g}"
    assert "bit 3 of SHAKE-128(“only”) is 1" in there.formula[-4]


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_the_formula_of_a_turned_word_ends_in_its_number(layout):
    e = encodings.create("rope", head_dim=4, layout=layout)
    rows = joined_rows(definition(e), FIRST.split(), 0)
    for column in range(8):  # cosines, then sines, of the four channels
        there, _ = tokens_inspection(e, 5, column)
        assert float(there.number) == pytest.approx(rows[5, column % 4], abs=1e-14)
        turned = f"{rows[5, column % 4]:+#.6g}".replace("-", "−")
        assert there.formula[-1] == f"turned = {turned}"
        products = there.formula[3].removeprefix("= ").replace("·", "*").replace("−", "-")
        assert eval(products) == pytest.approx(rows[5, column % 4], abs=1e-5)


def test_names_and_numbers_stand_in_figures():
    options = {"tokens": TOKENS.Options(sentence="I שלום 🙂", join="positions")}
    page = page_with("tokens", encoding=sines(dim=4), options=options)
    assert {"I", "שלום", "🙂", "0.84", "−0.42"} <= set(words_of(page))


def vectors_file(folder, *lines):
    path = folder / "v.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"words": "file", "file": str(path)}


def test_word_vectors_are_read_from_a_file(tmp_path):
    given = vectors_file(tmp_path, "4 2", "she 1 2", "told 3 4", "him 5 6", "Loved -7 8")
    figure = figure_of(sines(dim=2), join="words", **given)
    nothing = [math.nan] * 2
    exact = [[1, 2], [3, 4], [5, 6], nothing, [1, 2], nothing, [-7, 8], [5, 6]]
    np.testing.assert_array_equal(figure.panels[0].cells.values, exact)
    assert "v.txt: “that”, “only”." in figure.status
    summed = values_of(sines(dim=2), join="sum", **given)
    np.testing.assert_allclose(summed, np.add(exact, sinusoid(range(8), 2)))
    assert values_of(sines(dim=4), join="concatenation", **given).shape == (8, 6)
    there, _ = tokens_inspection(sines(dim=2), 6, 0, join="words", **given)
    assert there.number == "-7.0"
    assert there.formula == ("“loved” in v.txt: value 1 is −7",)
    state = states.state_of("tokens", given, encoding=sines(dim=2))
    assert state.options["tokens"].file_content.columns == 2  # which is no intention
    again = resolve(state.with_(options=dict(state.options)), DirectStore())
    assert again == state
    assert again.intention.options["tokens"].file_content is None


@pytest.mark.parametrize(
    ("lines", "options", "problem"),
    [
        (["she 1 2", "told 1 2"], {}, "have 2 .*sinusoidal has 8 dimensions"),
        ([""], {}, "line 1: expected a word"),
        ([], {"file": ""}, "no file with word vectors"),
        (["she 1 2"], {"file": "/nowhere/v.txt"}, "/nowhere/v.txt: cannot be read"),
    ],
)
def test_without_word_vectors_there_is_a_sentence(tmp_path, lines, options, problem):
    given = {**vectors_file(tmp_path, *lines), **options}
    with pytest.raises(EncodingError, match=problem):
        pictures.check("tokens", states.state_of("tokens", given, encoding=sines(dim=8)))


def test_a_broken_line_is_named(tmp_path):
    given = vectors_file(tmp_path, "she 1 2", "told 1 2", "him 1", "that 1 2")
    cost = states.cost_of("tokens", given, SIZE, encoding=sines(dim=2))
    assert is_expensive(cost)  # which leaves it to the worker
    with pytest.raises(EncodingError, match=r"v\.txt: line 3: expected 2 numbers, got 1"):
        figure_of(sines(dim=2), **given)


def softmax(rows, bias=0.0):
    powers = np.exp(rows @ rows.T / math.sqrt(rows.shape[1]) + bias)
    return powers / powers.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name", ["sinusoidal", "rope", "alibi", "binary"])
def test_attention_without_positions_and_with_them(name):
    e = sample(name)
    before, after = figure_of(e, part="attention", head=1).panels
    defined, words = definition(e), FIRST.split()
    rows, bias = joined_rows(defined, words, 0), np.zeros((8, 8))
    if name == "alibi":
        for query, key in np.ndindex(8, 8):
            bias[query, key] = float(defined.element(key - query, 1)) if key <= query else -np.inf
    mask = np.where(np.isinf(bias), bias, 0)
    vectors = vectors_of(FIRST, rows.shape[1])
    np.testing.assert_allclose(before.cells.values, softmax(vectors, mask), atol=1e-13)
    np.testing.assert_allclose(after.cells.values, softmax(rows, bias), atol=1e-13)
    assert before.heading == "without positions" != after.heading
    assert before.x.names == after.y.names == tuple(words)
    assert before.cells.limits == after.cells.limits
    assert (before.cells.limits[0], before.cells.colour_map) == (0, "viridis")
    part = figure_of(e, part="attention", head=1, top=2, count=3).panel("after").cells.values
    np.testing.assert_allclose(part, after.cells.values[2:5, 2:5], atol=1e-14)


def test_it_says_why_another_order_makes_a_difference_or_none():
    options = {"sentence": MAN, "before": DOG, "part": "attention"}
    for e, others, words, are_there in (
        (D16, {}, "1.81, and attention", True),
        (sample("alibi"), {}, "a causal mask", True),
        (sample("alibi"), {"mask": "none"}, "the next word", True),
        (sample("alibi", symmetric=True), {}, "the next word", False),
    ):
        assert (words in figure_of(e, **options, **others).status) == are_there


def test_attention_that_rounding_would_decide_is_not_shown_and_a_sentence_says_why(tmp_path):
    given = vectors_file(tmp_path, "she 0", f"told {2.0**-52 - 1!r}", "him 7")
    given |= {"part": "attention", "sentence": "she told"}
    e = encodings.create("index", dim=1)
    far = {"start": 2**53 - 20, "count": 8}
    figure = figure_of(e, **far, **given)
    assert np.isnan(figure.panels[1].cells.values).all()
    assert "The weights of 2 words are undefined" in figure.status
    status = figure_of(e, **far, **given, before="told she").status
    assert "change in attention outputs comes from rounding error" in status
    for others in (
        {**far, "sentence": "she him"},
        {**far, "join": "positions", "beside": "positions"},
        {"start": 0},
    ):
        figure = figure_of(e, **{**given, **others})
        assert np.isfinite(figure.panels[1].cells.values).all()
        assert "rounding" not in figure.status


def test_there_is_no_attention_of_a_head_that_is_not_there():
    options = {"part": "attention", "head": 4}
    state = states.state_of("tokens", options, encoding=sample("alibi", heads=4))
    with pytest.raises(EncodingError, match="0 to 3"):
        pictures.check("tokens", state)
