"""Rows of tokens, toy vectors, similarities and moves."""

import numpy as np
from scipy.spatial.distance import cosine

from pe_explorer import encodings
from pe_explorer.analysis import tokens
from pe_explorer.analysis.word_vectors import make_toy_vectors, normalise_word, split_words
from tests.support.oracles import definition
from tests.support.samples import sample
from tests.support.tables_in_files import put
from tests.support.toy_words import joined_rows, toy_vector

SENTENCES = [
    "She told him that she only loved him.",
    "Only she told him that she loved him.",
]


def signs(word):
    (vector,) = make_toy_vectors([word], 16)
    return "".join("+" if entry > 0 else "-" for entry in vector)


def test_toy_vectors_are_the_bits_of_a_hash():
    words = ["she", "Only", "love", "שלום", "🙂", "naïve"]
    for width in (1, 7, 8, 16, 100):
        truth = [toy_vector(word, width) for word in words]
        np.testing.assert_allclose(make_toy_vectors(words, width), truth, rtol=1e-15)
    assert signs("she") == "---++---+---++--"
    assert signs("only") == "++++---++---++-+"
    lengths = tokens.lengths(make_toy_vectors(words, 128))
    np.testing.assert_allclose(lengths, 8.0, rtol=1e-14)  # the length of a position's row
    assert make_toy_vectors([], 16).shape == (0, 16)


def test_capitals_and_punctuation_are_ignored():
    assert normalise_word("“Him!”") == normalise_word("him") == "him"
    assert normalise_word("don't") == "don't"
    assert normalise_word("...") == "..."
    assert normalise_word("🙂!") == "🙂"
    assert normalise_word("«a.b» ") == "a.b» "  # white space is not punctuation
    assert split_words("  two \t words ") == ("two", "words")
    assert split_words("") == ()


def test_moves_match_earlier_places():
    e, words = encodings.create("sinusoidal", dim=16), make_toy_vectors(["man", "bites", "dog"], 16)
    places = tokens.places_before(["man", "bites", "dog"], ["dog", "bites", "man"])
    assert places.tolist() == [2, 1, 0]
    apart = np.linalg.norm(e.table(range(3)) - e.table(places), axis=1)
    actual = tokens.compute_move_distances(words, e, [0, 1, 2], places, "sum")
    np.testing.assert_allclose(actual, apart, atol=1e-14)
    assert tokens.places_before(["a", "b", "a"], ["a", "c"]).tolist() == [0, -1, -1]
    twice = tokens.places_before(split_words(SENTENCES[1]), split_words(SENTENCES[0]))
    assert twice.tolist() == [5, 0, 1, 2, 3, 4, 6, 7]  # the second "she" is the later one


def test_similarities_match_scipy():
    table = np.random.default_rng(1).normal(size=(5, 9)) * [[1], [1e200], [1e-200], [3], [1]]
    actual = tokens.compute_similarities(table)
    scaled = table / np.abs(table).max(axis=1, keepdims=True)
    truth = [[1 - cosine(a, b) for b in scaled] for a in scaled]
    np.testing.assert_allclose(actual, truth, atol=1e-12)
    opposite = tokens.compute_similarities(np.vstack([table, -table]))
    assert (opposite.min(), opposite.max()) == (-1, 1)  # clipped exactly
    table[2] = 0
    assert np.isnan(tokens.compute_similarities(table)[2]).all()


def test_moved_reorders_words():
    assert tokens.move_word(SENTENCES[0], 5, 0) == "only She told him that she loved him."
    assert tokens.move_word("a b c", 0, 2) == "b c a"
    assert tokens.move_word("a b c", 1, 1) == "a b c"


def test_rope_rotates_words_and_a_bias_does_not():
    words = np.array([toy_vector(word, 8) for word in ("dog", "bites", "man")])
    rope = encodings.create("rope", head_dim=8, layout="interleaved", partial_rotary_factor=0.5)
    alibi = encodings.create("alibi")
    turned = joined_rows(definition(rope), ("dog", "bites", "man"), 10)
    actual = tokens.join_rows(words, rope, range(10, 13), "sum")
    np.testing.assert_allclose(actual, turned, atol=1e-15)
    assert tokens.join_rows(words, alibi, range(10, 13), "sum") is words
    assert tokens.compute_toy_width(rope) == 8
    for e in (rope, alibi):
        assert tokens.explain_no_join("concatenation", e)
        assert tokens.explain_no_join("sum", e) == ""
    assert tokens.explain_no_join("concatenation", encodings.create("index")) == ""
    now, then = [10, 11, 12], [12, 11, 10]
    truth = [abs(np.exp(2j) - 1), 0, abs(np.exp(2j) - 1)]
    far = tokens.compute_move_distances(
        words[:, :2], encodings.create("rope", head_dim=2), now, then, "sum"
    )
    np.testing.assert_allclose(far, truth, atol=1e-15)  # the words have length 1
    assert (tokens.compute_move_distances(words, alibi, now, then, "sum") == 0).all()


def test_rows_of_every_join():
    learned, alibi = sample("learned"), encodings.create("alibi", heads=3)
    last = learned.domain[-1]
    for e, width, positions in (
        (encodings.create("sinusoidal", dim=6), 6, range(4, 10, 2)),
        (learned, learned.width, range(last - 2, last + 4, 2)),
        (alibi, 4, range(3)),
    ):
        table = np.full((3, e.width), np.nan)
        inside = [place for place, p in enumerate(positions) if p in e.domain]
        table[inside] = e.table([positions[place] for place in inside])
        words = make_toy_vectors(["man", "bites", "dog"], width)
        for join, rows in {
            "words": words,
            "positions": table,
            "sum": words if e is alibi else words + table,
            "concatenation": np.hstack([words, table]),
        }.items():
            np.testing.assert_array_equal(tokens.join_rows(words, e, positions, join), rows)
            assert tokens.compute_row_width(width, e, join) == rows.shape[1]
    assert tokens.compute_row_width(8, encodings.create("rope", head_dim=8), "sum") == 8
    assert [tokens.compute_toy_width(e) for e in (alibi, learned)] == [
        tokens.DEFAULT_WORD_WIDTH,
        learned.width,
    ]
    for step, e in (
        (1, encodings.create("index", dim=4)),
        (50, encodings.create("fraction", dim=4)),
    ):
        actual = tokens.compute_move_distances(words, e, [2**53, 5], [2**53 - 3, -1], "sum")
        np.testing.assert_allclose(actual, [6 / step, 12 / step], rtol=1e-15)


def test_asymmetric_biases_are_causal_by_default():
    for e, is_usual in (("alibi", True), ("sinusoidal", False)):
        by_mask = [tokens.is_causal(mask, sample(e)) for mask in ("auto", "causal", "none")]
        assert by_mask == [is_usual, True, False]
    assert not tokens.is_causal("auto", sample("alibi", symmetric=True))


def test_infinite_rows_move_by_nan(tmp_path):
    rows = np.array([[1.0, 2.0], [np.inf, 0.0], [4.0, 6.0]])
    e = encodings.create("learned", file=put(tmp_path / "pe.npy", rows))
    actual = tokens.compute_move_distances(np.zeros((3, 2)), e, [2, 1, 1], [0, 1, 0], "sum")
    np.testing.assert_array_equal(actual, [5.0, np.nan, np.inf])
