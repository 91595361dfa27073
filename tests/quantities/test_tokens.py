"""The words of a sentence with their positions."""

import numpy as np
import pytest

from pe_explorer import quantities
from pe_explorer.encodings import EncodingError
from tests.support.samples import sample
from tests.support.toy_words import joined_rows, toy_vector
from tests.support.wanted import START, Written, asked, whole


class Definition(Written):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        words = ["She", "told", "him", "that", "she", "only", "loved", "him."]
        rows = joined_rows(defined, words, positions[0])
        np.testing.assert_allclose(found, rows, rtol=1e-14, atol=1e-14)


def test_rows_of_a_sentence_are_word_vectors_and_positions():
    e, words = sample("sinusoidal", dim=12), ("dog", "bites", "Man.")
    vectors = [toy_vector(word, 12) for word in words]
    rows = e.table(range(START, START + 3))
    for join, truth in {
        "words": vectors,
        "positions": rows,
        "sum": rows + vectors,
        "concatenation": np.hstack([vectors, rows]),
    }.items():
        data = quantities.data("tokens", asked(e, sentence=" ".join(words), join=join))
        assert data.index == range(START, START + 3)
        np.testing.assert_allclose(whole(data), truth, rtol=1e-14)
        assert len(list(data.titles())) == 1 + data.width
    rope, alibi = sample("rope", head_dim=12), sample("alibi")
    for other, width, title in ((rope, 12, "channel 0"), (alibi, 64, "entry 0")):
        data = quantities.data("tokens", asked(other, sentence="dog bites"))
        assert data.width == width
        assert list(data.titles())[1] == title
        with pytest.raises(EncodingError, match="nothing to append"):
            quantities.data("tokens", asked(other, join="concatenation"))
    for wrong, problem in (({"sentence": ""}, "no words"), ({"words": "file"}, "of a file")):
        with pytest.raises(EncodingError, match=problem):
            quantities.data("tokens", asked(e, **wrong))
