"""The words of a sentence with their positions."""

from fractions import Fraction

import numpy as np
import pytest

from pe_explorer import quantities
from tests.support.requirements import START, QuantityRequirements, error_of, quantity_input, whole
from tests.support.samples import sample
from tests.support.toy_words import joined_rows, toy_vector


class Definition(QuantityRequirements):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        words = ["She", "told", "him", "that", "she", "only", "loved", "him."]
        words = words[: len(positions)]
        rows = joined_rows(defined, words, positions[0], positions.step)
        np.testing.assert_allclose(found, rows, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("start", [2**53 - 8, -(2**53), 10**15 + 1])
@pytest.mark.parametrize(
    "e", [sample("index", dim=12), sample("fraction", dim=12, length=50)], ids=repr
)
def test_rows_of_lines_are_exact_at_far_positions(e, start):
    words, length = ("dog", "bites", "Man."), getattr(e, "length", 1)
    positions = range(start, start + 3)
    found = whole(quantities.of("tokens", e, positions, sentence=" ".join(words)))
    for place, (position, word) in enumerate(zip(positions, words, strict=True)):
        truth = [Fraction(position, length) + Fraction(entry) for entry in toy_vector(word, 12)]
        np.testing.assert_allclose(found[place], list(map(float, truth)), rtol=2.5e-16)
    alike = whole(quantities.of("similarity", e, positions, sentence=" ".join(words)))
    np.testing.assert_allclose(alike, 1, rtol=1e-15)  # the words are 10^-12 of the rows at most


def test_rows_of_a_sentence_combine_words_and_positions():
    e, words = sample("sinusoidal", dim=12), ("dog", "bites", "Man.")
    vectors = [toy_vector(word, 12) for word in words]
    rows = e.table(range(START, START + 3))
    entries, columns = ([f"{kind}{n}" for n in range(12)] for kind in ("entry ", ""))
    for join, truth, titles in (
        ("words", vectors, entries),
        ("positions", rows, columns),
        ("sum", rows + vectors, columns),
        ("concatenation", np.hstack([vectors, rows]), entries + columns),
    ):
        data = quantities.data("tokens", quantity_input(e, sentence=" ".join(words), join=join))
        assert data.index == range(START, START + 3)
        np.testing.assert_allclose(whole(data), truth, rtol=1e-14)
        assert [*data.titles()] == ["position", *titles]
    rope, alibi = sample("rope", head_dim=12), sample("alibi")
    for other, width, title in ((rope, 12, "channel 0"), (alibi, 64, "entry 0")):
        data = quantities.data("tokens", quantity_input(other, sentence="dog bites"))
        assert data.width == width
        assert list(data.titles())[1] == title
        error = error_of(quantities.data, "tokens", quantity_input(other, join="concatenation"))
        assert (error.name, "nothing to append" in error.fault) == ("join", True)
    for name, wrong in (("sentence", ""), ("words", "file")):
        assert error_of(quantities.data, "tokens", quantity_input(e, **{name: wrong})).name == name
