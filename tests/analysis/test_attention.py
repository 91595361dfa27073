"""One attention head: weights to 60 digits, the order of words, offsets, and limits."""

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import attention
from tests.support.oracles import definition
from tests.support.toy_words import toy_vector

WORDS = ["she", "told", "him", "that", "she", "only", "loved", "him"]


def toy(words, width):
    return np.array([toy_vector(word, width) for word in words])


def softmax(scores):
    """Return the softmax of each row of mpmath scores."""
    powers = [[mp.exp(score - max(row)) for score in row] for row in scores]
    return np.array([[float(power / mp.fsum(row)) for power in row] for row in powers])


def exact_scores(rows):
    return [[mp.fdot(query, key) / mp.sqrt(len(query)) for key in rows] for query in rows]


def exact_row(e, word, p):
    """Return the word vector plus the position, exactly."""
    defined, row = definition(e), enumerate(toy_vector(word, e.dim))
    return [mp.mpf(entry) + mp.mpf(defined.element(p, j)) for j, entry in row]


def turned_row(e, word, p):
    """Return a word vector rotated by its position, with channels i and i + width/2 as pairs."""
    half, vector = e.head_dim // 2, toy_vector(word, e.head_dim)
    turns = [mp.expj(p * mp.mpf(speed)) for speed in definition(e).frequencies()]
    row = [turn * mp.mpc(*vector[i::half]) for i, turn in enumerate(turns)]
    return [item.real for item in row] + [entry.imag for entry in row]


def compute_weights(e, words=WORDS, start=0, join="sum", head=0, hidden=0):
    vectors = toy(words, word_width(e))
    positions = range(start, start + len(words))
    rows = attention.compute_head_rows(vectors, e, positions, join)
    bias = attention.compute_bias(e, join, positions, head)
    linear_terms = attention.make_linear_terms(vectors, e, positions, join)
    return attention.compute_weights(
        rows, range(len(words)), bias, linear_terms, mask_direction=hidden
    )


def word_width(e):
    if e.name == "alibi":
        return 64  # ALiBi does not determine the width
    return e.head_dim if e.name == "rope" else e.dim


@pytest.mark.parametrize(
    ("e", "row"),
    [
        (encodings.create("sinusoidal", dim=16), exact_row),
        (encodings.create("rope", head_dim=16), turned_row),
    ],
    ids=["added to the words", "turning queries and keys"],
)
@pytest.mark.parametrize("start", [0, 1000, 10**15])
def test_weights_match_the_definition_to_the_last_digits(e, row, start):
    with mp.workdps(60):
        truth = softmax(exact_scores([row(e, word, start + n) for n, word in enumerate(WORDS)]))
    actual = compute_weights(e, start=start)
    np.testing.assert_allclose(actual, truth, atol=2e-15)
    np.testing.assert_allclose(actual.sum(axis=1), 1, rtol=1e-15)


LINES = [
    encodings.create("index", dim=16),
    encodings.create("index", dim=1),
    encodings.create("fraction", dim=16),
    encodings.create("fraction", dim=3, length=7),
    encodings.create("fraction", dim=16, length=10**8),
    encodings.create("fraction", dim=16, length=2**53),
]
FAR = [0, -3, 1000, 10**8, 10**12, 2**53 - 8, 2**53 - 7, -(2**53), 3 - 2**53]
every_line = pytest.mark.parametrize("e", LINES, ids=repr)


@every_line
@pytest.mark.parametrize("join", ["positions", "sum", "concatenation"])
def test_rows_on_a_line_have_exact_weights_at_any_position(e, join, sampled):
    length = getattr(e, "length", 1)
    for start in sampled(FAR, 5):
        rows = []
        with mp.workdps(80):
            for place, word in enumerate(WORDS):
                position = [mp.mpf(start + place) / length] * e.dim
                vector = list(map(mp.mpf, toy_vector(word, e.dim)))
                if join == "sum":
                    rows.append([mp.fadd(*both) for both in zip(vector, position, strict=True)])
                else:
                    rows.append(position if join == "positions" else vector + position)
            truth = softmax(exact_scores(rows))
        np.testing.assert_allclose(compute_weights(e, start=start, join=join), truth, atol=1e-12)


@pytest.mark.parametrize("start", [-3, 10**12])
@pytest.mark.parametrize("join", ["positions", "sum", "concatenation"])
def test_errors_of_products_on_a_line_stay_within_their_bounds(join, start):
    for e in (LINES[0], encodings.create("fraction", dim=1, length=2**53), LINES[3]):
        positions = range(start, start + 21, 3)
        vectors = np.random.default_rng(2).normal(size=(7, e.dim))
        linear_terms = attention.make_linear_terms(vectors, e, positions, join)
        places = [Fraction(p, getattr(e, "length", 1)) for p in positions]
        words = [[*map(Fraction, row)] if join != "positions" else [] for row in vectors.tolist()]
        sums = [sum(row) if join == "sum" else Fraction(0) for row in words]
        for query, key in ((0, 6), (5, 2)):
            actual, bounds = linear_terms.compute_differences(query, key)
            for n, place in enumerate(places):
                apart = place - places[key]
                both = zip(words[n], words[key], words[query], strict=True)
                products = [(a - b) * c for a, b, c in both]
                others = [sums[query] * apart, places[query] * (sums[n] - sums[key])]
                others.append(e.dim * places[query] * apart)
                assert abs(Fraction(actual[n]) - sum(products + others)) <= bounds[n]
                least = sum(map(abs, products))  # the number of roundings
                most = least + sum(map(abs, others))
                assert len(products) * least <= bounds[n] * 2**53 <= (e.dim + 7) * 2 * most


def test_weights_dominated_by_rounding_are_nan():
    """The difference of Σw almost cancels the difference of positions."""
    e, start = encodings.create("index", dim=1), 2**53 - 10
    vectors, positions = np.array([[0.0], [2.0**-52 - 1]]), range(start, start + 2)
    rows = attention.compute_head_rows(vectors, e, positions, "sum")
    linear_terms = attention.make_linear_terms(vectors, e, positions, "sum")
    assert np.isnan(attention.compute_weights(rows, range(2), linear_terms=linear_terms)).all()
    vectors[1] = 0.25 - 1  # the later word still wins clearly
    linear_terms = attention.make_linear_terms(vectors, e, positions, "sum")
    actual = attention.compute_weights(rows, range(2), linear_terms=linear_terms)
    np.testing.assert_array_equal(actual, [[0, 1], [0, 1]])


@every_line
def test_attention_output_on_a_line_does_not_depend_on_the_start(e):
    vectors, steps = toy(WORDS, e.dim), np.arange(8)[:, None] / getattr(e, "length", 1)
    for start in (5, 2**52, 2**53 - 8):
        actual = attention.compute_attention_output(vectors, e, range(start, start + 8), "sum", 0)
        expected = compute_weights(e, start=start) @ (vectors + steps)
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


def test_the_attention_factor_counts_twice():
    yarn = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 64}
    e = encodings.create("rope", head_dim=8, **yarn)
    factor = 0.1 * mp.log(16) + 1
    actual = compute_weights(e, ["dog", "dog"])
    w = e.frequencies()
    alone, apart = (8 / 2 * factor**2 / mp.sqrt(8) * c for c in (1, np.cos(w).sum() / 4))
    assert actual[0, 1] / actual[0, 0] == pytest.approx(float(mp.exp(apart - alone)), rel=1e-12)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("head", [0, 7])
def test_alibi_adds_its_bias_to_the_scores(symmetric, head):
    e = encodings.create("alibi", symmetric=symmetric)
    slope = mp.mpf(2) ** -(head + 1)
    with mp.workdps(60):
        scores = exact_scores([list(map(mp.mpf, row)) for row in toy(WORDS, 64)])
        for i, row in enumerate(scores):
            for j in range(len(row)):
                row[j] += -slope * abs(j - i) if symmetric else slope * (j - i)
        truth = softmax(scores)
    for start in (-49, 0, 10**15):  # offsets do not depend on the start
        actual = compute_weights(e, start=start, head=head)
        np.testing.assert_allclose(actual, truth, atol=2e-15)


def test_alibi_at_huge_offsets():
    """With 5,000 equal words, only the bias matters: far words have no weight."""
    e = encodings.create("alibi", heads=1, symmetric=True)  # of slope 1/256
    vectors = toy(["dog"] * 5000, 64)
    bias = attention.compute_bias(e, "sum", range(5000), 0)
    actual = attention.compute_weights(vectors, range(0, 5000, 4999), bias)
    powers = np.exp(-np.arange(5000) / 256)
    np.testing.assert_allclose(actual[0], powers / powers.sum(), rtol=1e-11)
    np.testing.assert_allclose(actual[1], actual[0][::-1], rtol=1e-11)
    huge = np.array([-1e15, -5e14, 0.0, -5e14, -1e15]) * 1e290
    actual = attention.compute_weights(toy(["a", "b", "c"], 8), range(3), huge)
    np.testing.assert_array_equal(actual, np.eye(3))


@pytest.mark.parametrize("order", [[2, 1, 0, 7, 6, 5, 4, 3], [7, 0, 1, 2, 3, 4, 5, 6]])
def test_without_positions_reordering_words_only_reorders_weights(order):
    words = [WORDS[place] for place in order]
    for e in (
        encodings.create("sinusoidal", dim=16),
        encodings.create("sinusoidal", dim=4096),
        encodings.create("rope", head_dim=128),
        encodings.create("alibi"),
    ):
        one, other = (compute_weights(e, item, join="words") for item in (WORDS, words))
        np.testing.assert_allclose(other, one[np.ix_(order, order)], atol=1e-12)
        one, other = (compute_weights(e, entry) for entry in (WORDS, words))
        assert np.abs(other - one[np.ix_(order, order)]).max() > 1e-3
        outcomes = [
            attention.compute_attention_output(toy(element, word_width(e)), e, range(8), "words", 0)
            for element in (WORDS, words)
        ]
        np.testing.assert_allclose(outcomes[1], outcomes[0][order], atol=1e-12)


def test_attention_output_is_the_weighted_mean_of_values():
    shown = ["dog", "bites", "man"]
    words, sines = toy(shown, 8), encodings.create("sinusoidal", dim=8)
    summed = np.array([exact_row(sines, w, p) for p, w in enumerate(shown)], dtype=float)
    for e, values in ((encodings.create("rope", head_dim=8), words), (sines, summed)):
        for hidden in (0, 1):
            actual = attention.compute_attention_output(words, e, range(3), "sum", 0, hidden)
            expected = compute_weights(e, shown, hidden=hidden) @ values
            np.testing.assert_allclose(actual, expected, atol=1e-15)


@pytest.mark.parametrize(("hidden", "seen"), [(1, np.tril), (-1, np.triu), (0, np.array)])
def test_hidden_and_undefined_words_get_no_weight(hidden, seen):
    for e in (encodings.create("sinusoidal", dim=16), encodings.create("alibi"), LINES[2]):
        expected = seen(compute_weights(e))
        expected /= expected.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(compute_weights(e, hidden=hidden), expected, atol=1e-14)
    rows, known = toy(WORDS, 8), np.arange(8) != 2
    rows[2] = np.nan
    actual = attention.compute_weights(rows, range(8), mask_direction=hidden)
    expected = attention.compute_weights(rows[known], range(7), mask_direction=hidden)
    np.testing.assert_allclose(actual[known][:, known], expected, atol=1e-15)
    assert np.isnan(actual[2]).all()
    assert np.isnan(actual[:, 2]).all()


def test_too_many_words_and_missing_heads_are_reported():
    most, alibi = attention.MAX_ROW_VALUES // 64, encodings.create("alibi", heads=9)
    assert attention.explain_word_limit(most, 64) == attention.explain_missing_head(alibi, 8) == ""
    assert attention.explain_missing_head(encodings.create("index", dim=3), 9) == ""
    why = attention.explain_word_limit(most + 1, 64), attention.explain_missing_head(alibi, 9)
    assert (f"{most + 1:,}" in why[0], f"{most:,}" in why[0]) == (True, True)
    assert ("9 heads" in why[1], why[1].endswith("head 9")) == (True, True)
    assert attention.compute_bias(alibi, "words", range(3), 0) is None


def test_weights_of_far_index_rows_are_exact():
    """q·k is 10^31; the next position exceeds it by 4·10^15, so it gets all the weight."""
    rows = np.repeat(10.0**15 + np.arange(4)[:, None], 16, axis=1)
    actual = attention.compute_weights(rows, range(4))
    np.testing.assert_array_equal(actual, np.tile([0, 0, 0, 1], (4, 1)))


def test_close_scores_of_far_rows_are_exact():
    base = np.ldexp(np.array([3.0, -5.0, 7.0]), 26)
    steps = np.array([[0, 0, 0], [5, 3, 0], [0, 7, 5], [7, 0, -3]], dtype=float)
    rows = base + steps * 2.0**-25
    with mp.workdps(60):
        truth = softmax(exact_scores([list(map(mp.mpf, row)) for row in rows.tolist()]))
    assert 0 < truth[0, 1] < 1
    np.testing.assert_allclose(attention.compute_weights(rows, range(4)), truth, atol=1e-14)


@pytest.mark.parametrize("size", [2.0**-1000, 2.0**-500, 2.0**500, 2.0**1000])
def test_very_large_and_small_rows_have_weights(size):
    rows = np.array([[1.0, 0.0], [0.5, 0.5], [-1.0, 0.25]])
    actual = attention.compute_weights(rows * size, range(3))
    np.testing.assert_allclose(actual.sum(axis=1), 1, rtol=1e-15)
    truth = np.full((3, 3), 1 / 3)
    if size > 1:
        truth = np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]])
    np.testing.assert_allclose(actual, truth, atol=1e-15)


def test_rows_of_zeros_have_equal_weights():
    zeros = attention.compute_weights(np.zeros((4, 2)), range(4))
    np.testing.assert_array_equal(zeros, np.full((4, 4), 0.25))
