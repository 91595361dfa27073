"""Similarities of the words of a sentence."""

import numpy as np

from pe_explorer import quantities
from tests.support.measures import usual_distances
from tests.support.requirements import QuantityRequirements, error_of, quantity_input, whole
from tests.support.samples import sample
from tests.support.toy_words import joined_rows, toy_vector


class Definition(QuantityRequirements):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        words = ["She", "told", "him", "that", "she", "only", "loved", "him."]
        words = words[: len(positions)]
        rows = joined_rows(defined, words, positions[0], positions.step)
        np.testing.assert_allclose(found, usual_distances("similarity", rows, rows), atol=1e-12)


def test_similarities_of_words_without_positions():
    e = sample("sinusoidal", dim=12)
    data = quantities.data("similarity", quantity_input(e, sentence="a dog, a man", join="words"))
    assert list(data.titles()) == ["position", "a", "dog,", "a", "man"]
    vectors = [toy_vector(word, 12) for word in ("a", "dog", "a", "man")]
    exact = usual_distances("similarity", vectors, vectors)
    np.testing.assert_allclose(whole(data), exact, atol=1e-14)
    two = quantities.of("similarity", e, range(2), sentence="a dog, a man", join="words")
    assert [*two.titles()] == ["position", "a", "dog,"]
    np.testing.assert_allclose(whole(two), exact[:2, :2], atol=1e-14)


def test_at_most_4096_words_are_compared():
    e, sentence = sample("sinusoidal", dim=12), "w " * 4097
    assert quantities.of("similarity", e, range(4096), sentence=sentence).shape == (4096, 4096)
    error = error_of(quantities.of, "similarity", e, range(4097), sentence=sentence)
    assert error.name == "positions"
    assert [word for word in ("4,097 words", "4,096") if word not in error.problem] == []
