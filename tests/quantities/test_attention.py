"""Attention between the words of a sentence."""

import numpy as np
import pytest
from scipy.special import softmax

from pe_explorer import quantities
from pe_explorer.encodings import EncodingError
from tests.support.requirements import (
    START,
    QuantityRequirements,
    numbers_of,
    quantity_input,
    refusal,
    whole,
)
from tests.support.samples import sample
from tests.support.toy_words import joined_rows, toy_vector


def attention(rows, bias=0.0):
    return softmax(rows @ rows.T / np.sqrt(rows.shape[1]) + bias, axis=1)


class Definition(QuantityRequirements):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        words = ["She", "told", "him", "that", "she", "only", "loved", "him."]
        rows = joined_rows(defined, words, positions[0], positions.step)
        bias = np.zeros((8, 8))
        if "bias" in defined.abilities:
            for query, key in np.ndindex(8, 8):
                offset = (key - query) * positions.step  # no model looks ahead with this bias
                bias[query, key] = float(defined.element(offset, 0)) if offset <= 0 else -np.inf
        truth = attention(rows, bias)[: len(positions)]
        np.testing.assert_allclose(found, truth, atol=1e-12)
        np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-14)


def test_columns_are_all_words_for_any_positions():
    e = sample("sinusoidal", dim=12)
    options = {"sentence": "a dog, a man", "join": "words"}
    all_words = quantities.data("attention", quantity_input(e, **options))
    assert list(all_words.titles()) == ["query", "a", "dog,", "a", "man"]
    assert (all_words.labels, all_words.index) == (
        ("a", "dog,", "a", "man"),
        range(START, START + 4),
    )
    rows = np.array([toy_vector(word, 12) for word in ("a", "dog", "a", "man")])
    np.testing.assert_allclose(whole(all_words), attention(rows), atol=1e-14)
    two = numbers_of("attention", e, positions=range(START, START + 2), **options)
    np.testing.assert_array_equal(two, whole(all_words)[:2])


def test_heads_of_a_bias_and_refused_options():
    e = sample("alibi", heads=4)
    near, far = (numbers_of("attention", e, head=head, sentence="a b c") for head in (0, 3))
    assert np.abs(near - far).max() > 0.01
    offsets = np.subtract.outer(-np.arange(3), -np.arange(3))
    seen = np.where(offsets > 0, -np.inf, offsets / 4)
    for bias, mask, expected in (
        (e, "auto", seen),
        (e, "causal", seen),
        (e, "none", offsets / 4),
        (sample("alibi", heads=4, symmetric=True), "auto", -abs(offsets) / 4),
    ):
        weights = numbers_of("attention", bias, sentence="a b c", join="positions", mask=mask)
        np.testing.assert_allclose(weights, softmax(expected, axis=1), atol=1e-15)
    for options, name, words in (
        ({"head": 4}, "head", ["4 heads", "head 4", "0 to 3"]),
        ({"join": "concatenation"}, "join", ["ALiBi", "attention scores"]),
    ):
        with pytest.raises(EncodingError) as caught:
            quantities.data("attention", quantity_input(e, **options))
        assert caught.value.name == name
        assert [word for word in words if word not in str(caught.value)] == []
    quantities.data(
        "attention", quantity_input(sample("rope"), head=60_000)
    )  # all heads are the same
    many = quantity_input(e, sentence="w " * 60_000, head=3)
    assert quantities.data("attention", many).width == 60_000
    wide = sample("sinusoidal", dim=65_536)
    assert quantities.data("attention", quantity_input(wide, sentence="w " * 256)).width == 256
    with pytest.raises(
        EncodingError, match="257 words, but the limit at this width is 256"
    ) as caught:
        quantities.data("attention", quantity_input(wide, sentence="w " * 257))
    assert caught.value.name == "sentence"


def test_words_too_far_apart_for_a_bias_are_refused():
    far = quantity_input(sample("alibi"), positions=range(-(2**53), 2**53, 2**51))
    for call in (quantities.check, quantities.data):
        with pytest.raises(EncodingError, match=r"2\^53.* smaller step") as caught:
            call("attention", far)
        assert caught.value.name == "positions"
    for words, is_refused in (("a b c d e", False), ("a b c d e f", True)):
        inputs = quantity_input(sample("alibi"), positions=far.positions, sentence=words)
        assert bool(refusal(quantities.check, "attention", inputs)) == is_refused
    near = quantity_input(sample("alibi"), positions=range(-(2**53), 2**53, 2**50))
    assert np.isfinite(whole(quantities.data("attention", near))).all()
