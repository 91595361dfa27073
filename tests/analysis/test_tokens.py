"""Rows of tokens: toy vectors bit by bit, similarities by SciPy, and the documents' sentences."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cosine

from pe_explorer import encodings
from pe_explorer.analysis import tokens
from pe_explorer.analysis.word_vectors import key_of, toy_vectors, words_of
from tests.support.oracles import definition
from tests.support.toy_words import joined_rows, toy_vector

SENTENCES = [
    "She told him that she only loved him.",
    "She only told him that she loved him.",
    "Only she told him that she loved him.",
]


def row(p, width, base=1e4):
    """Return a sinusoidal row by the paper's formula."""
    angles = [p / base ** (2 * (j // 2) / width) for j in range(width)]
    return [math.cos(a) if j % 2 else math.sin(a) for j, a in enumerate(angles)]


def rows(words, width, join="sum"):
    vectors = np.array([toy_vector(word.strip("."), width) for word in words])
    e = encodings.create("sinusoidal", dim=width)
    return tokens.joined(vectors, e, range(len(words)), join)


def signs(word):
    (vector,) = toy_vectors([word], 16)
    return "".join("+" if entry > 0 else "-" for entry in vector)


def test_toy_vectors_are_the_bits_of_a_hash():
    words = ["she", "Only", "love", "שלום", "🙂", "naïve"]
    for width in (1, 7, 8, 16, 100):
        truth = [toy_vector(word, width) for word in words]
        np.testing.assert_allclose(toy_vectors(words, width), truth, rtol=1e-15)
    assert signs("she") == "---++---+---++--"
    assert signs("only") == "++++---++---++-+"
    lengths = tokens.lengths(toy_vectors(words, 128))
    np.testing.assert_allclose(lengths, 8.0, rtol=1e-14)  # that of a position's row
    assert toy_vectors([], 16).shape == (0, 16)


def test_capitals_and_marks_around_a_word_make_no_difference():
    assert key_of("“Him!”") == key_of("him") == "him"
    assert key_of("don't") == "don't"
    assert key_of("...") == "..."
    assert key_of("🙂!") == "🙂"
    assert key_of("«a.b» ") == "a.b» "  # white space is no mark
    assert words_of("  two \t words ") == ("two", "words")
    assert words_of("") == ()


def test_the_three_sentences_differ_in_their_order_alone():
    for one, two, places in ((0, 1, 5), (0, 2, 6), (1, 2, 2)):
        first, second = (list(map(key_of, words_of(SENTENCES[n]))) for n in (one, two))
        assert sum(a != b for a, b in zip(first, second, strict=True)) == places
        assert sorted(first) == sorted(second)
        assert len(first) == 8


def test_the_mean_of_all_rows_knows_no_order():
    for join in tokens.JOINS:
        means = [rows(words_of(each), 16, join).mean(axis=0) for each in SENTENCES]
        np.testing.assert_allclose(means[1:], [means[0]] * 2, atol=2e-16)


@pytest.mark.parametrize(
    ("width", "sentence", "to", "truth"),
    [(16, 1, 1, 2.2092), (16, 2, 0, 1.9303), (128, 1, 1, 5.5523), (128, 2, 0, 5.7991)],
)
def test_the_row_of_only_moves(width, sentence, to, truth):
    words, before = words_of(SENTENCES[sentence]), words_of(SENTENCES[0])
    places = tokens.places_before(words, before)
    assert places[to] == 5
    assert math.dist(row(to, width), row(5, width)) == pytest.approx(truth, abs=5e-5)
    now, then = rows(words, width)[to], rows(before, width)[5]
    assert math.dist(now, then) == pytest.approx(truth, abs=5e-5)


def test_reversed_words_are_found_where_they_were():
    words, before = ["man", "bites", "dog"], ["dog", "bites", "man"]
    places = tokens.places_before(words, before)
    assert places.tolist() == [2, 1, 0]
    moves = [math.dist(row(p, 16), row(q, 16)) for p, q in enumerate(places)]
    assert moves == pytest.approx([1.8065, 0, 1.8065], abs=5e-5)
    assert tokens.places_before(["a", "b", "a"], ["a", "c"]).tolist() == [0, -1, -1]
    twice = tokens.places_before(words_of(SENTENCES[2]), words_of(SENTENCES[0]))
    assert twice.tolist() == [5, 0, 1, 2, 3, 4, 6, 7]  # the second "she" is the later one


def test_adding_costs_cross_terms_and_appending_width():
    """The two "she" at places 0 and 4: alone, positions, appended, added."""
    words = words_of(SENTENCES[0])

    def alike(join, width=16):
        return tokens.similarities(rows(words, width, join))[0, 4]

    assert alike("words") == pytest.approx(1)
    assert alike("positions") == pytest.approx(0.6950, abs=5e-5)
    assert alike("concatenation") == pytest.approx(0.8475, abs=5e-5)
    assert alike("sum") == pytest.approx(0.7832, abs=5e-5)
    assert alike("sum", 1024) == pytest.approx(0.8847, abs=5e-5)
    assert alike("concatenation", 1024) == pytest.approx(0.8850, abs=5e-5)
    assert rows(words, 16, "concatenation").shape == (8, 32)
    for width, share in ((16, 0.36), (1024, 0.041)):
        alone = np.array(rows(words, width, "words"))
        places = np.array([row(p, width) for p in range(8)])
        crossed = alone @ places.T + places @ alone.T
        apart = crossed[~np.eye(8, dtype=bool)]
        assert np.sqrt((apart**2).mean()) / (width / 2) == pytest.approx(share, rel=0.02)


def test_similarities_are_those_of_scipy():
    table = np.random.default_rng(1).normal(size=(5, 9)) * [[1], [1e200], [1e-200], [3], [1]]
    found = tokens.similarities(table)
    scaled = table / np.abs(table).max(axis=1, keepdims=True)
    truth = [[1 - cosine(a, b) for b in scaled] for a in scaled]
    np.testing.assert_allclose(found, truth, atol=1e-12)
    table[2] = 0
    assert np.isnan(tokens.similarities(table)[2]).all()


def test_a_word_is_moved_to_another_place():
    assert tokens.moved(SENTENCES[0], 5, 0) == "only She told him that she loved him."
    assert tokens.moved("a b c", 0, 2) == "b c a"
    assert tokens.moved("a b c", 1, 1) == "a b c"


def test_rope_turns_words_and_a_bias_leaves_them():
    words = np.array([toy_vector(word, 8) for word in ("dog", "bites", "man")])
    rope = encodings.create("rope", head_dim=8, layout="interleaved", partial_rotary_factor=0.5)
    alibi = encodings.create("alibi")
    turned = joined_rows(definition(rope), ("dog", "bites", "man"), 10)
    found = tokens.joined(words, rope, range(10, 13), "sum")
    np.testing.assert_allclose(found, turned, atol=1e-15)
    assert tokens.joined(words, alibi, range(10, 13), "sum") is words
    assert tokens.toy_width(rope) == 8
    for e in (rope, alibi):
        assert tokens.why_not_joined("concatenation", e)
        assert not tokens.why_not_joined("sum", e)
    now, then = [10, 11, 12], [12, 11, 10]
    truth = [abs(np.exp(2j) - 1), 0, abs(np.exp(2j) - 1)]
    far = tokens.moves(words[:, :2], encodings.create("rope", head_dim=2), now, then, "sum")
    np.testing.assert_allclose(far, truth, atol=1e-15)  # of words of length 1
    assert (tokens.moves(words, alibi, now, then, "sum") == 0).all()
