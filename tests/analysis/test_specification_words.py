"""Texts of differences between encodings: their names and numbers."""

import re

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import specification_words as words
from pe_explorer.analysis.specification import compare
from tests.support.sinusoids import rope


def scaled(scale):
    return encodings.create("sinusoidal", dim=8, scale=scale)


PLAIN, SINES = rope(head_dim=8), encodings.create("sinusoidal", dim=8)
PART = rope(head_dim=8, rope_type="proportional", partial_rotary_factor=0.5, factor=1.0)
YARN = rope(head_dim=8, rope_type="yarn", factor=4.0, original_max_position_embeddings=32)
SLOW = rope(head_dim=8, rope_type="linear", factor=3.0)


def numbers(text):
    return re.findall(r"\d[\d,.]*\d|\d", text)


@pytest.mark.parametrize(
    ("one", "other", "differing", "largest", "faster"),
    [
        (PLAIN, PLAIN, ["4"], ["1"], ""),
        (PLAIN, SLOW, ["4", "4", "0"], ["3", "0"], "A"),
        (SLOW, PLAIN, ["4", "4", "0"], ["3", "0"], "B"),
        (PLAIN, PART, ["2", "4", "2"], ["2"], "A"),
        (PART, PLAIN, ["2", "4", "2"], ["2"], "B"),
        (SINES, scaled(-1.0), ["4", "4", "0"], ["0"], ""),
        (SINES, scaled(-0.5), ["4", "4", "0"], ["2", "0"], "A"),
        (SINES, scaled(-2.0), ["4", "4", "0"], ["2", "0"], "B"),
        (PLAIN, rope(head_dim=4), ["1", "2", "1", "4", "2"], ["31.62", "1"], "A"),
        (rope(head_dim=4), rope(head_dim=4), ["2"], ["1"], ""),
    ],
)
@pytest.mark.sampled(10)
def test_texts_of_differing_pairs_and_the_largest_ratio(one, other, differing, largest, faster):
    actual = compare(one, other)
    assert numbers(words.describe_differing_pairs(actual)) == differing
    message = words.describe_largest_ratio(actual, "A", "B")
    assert numbers(message) == largest
    assert re.findall(r"\b[AB]\b", message) == [*faster]


def test_texts_of_the_first_offset_and_attention_factors():
    assert numbers(words.describe_first_offset(compare(PLAIN, PLAIN), 0.1)) == []
    actual = compare(PLAIN, rope(head_dim=8, rope_theta=1.001e6))
    offset, pair = actual.first_beyond(0.1)
    assert offset > 1000
    assert numbers(words.describe_first_offset(actual, 0.1)) == [f"{offset:,}", str(pair)]
    assert numbers(words.attention(compare(PLAIN, PLAIN))) == ["1", "1"]
    factors = ["1.1386", "1", "1.2965", "1"]
    assert numbers(words.attention(compare(YARN, PLAIN))) == factors
    factors = ["1", "1.1386", "1", "1.2965"]
    assert numbers(words.attention(compare(PLAIN, YARN))) == factors


@pytest.mark.parametrize(
    ("permutation", "text"),
    [
        ([2, 1, 0], "2, 1, 0"),
        ([*range(1, 8), 0], "1, 2, 3, 4, 5, 6, 7, 0"),
        ([*range(0, 10, 2), *range(1, 10, 2)], "0, 2, 4, … 1, 3, 5, …"),
        ([0, 5, 1, 6, 2, 7, 3, 8, 4, 9], "0, 5, 1, 6, 2, 7, …"),
        ([0, 1, 2, 3, 8, 4, 5, 6, 7], "0, 1, 2, … 4, 5, 6, …"),
        ([*range(3, 9), 0, 1, 2], "3, 4, 5, … 0, 1, 2, …"),
        ([7, 8, 9, *range(7)], "7, 8, 9, … 0, 1, 2, …"),
        ([8, 9, *range(8)], "8, 9, 0, 1, 2, 3, …"),
        ([*range(9)], "0, 1, 2, …"),
    ],
)
@pytest.mark.sampled(9)
def test_long_permutations_are_abbreviated(permutation, text):
    assert words.abbreviate(np.array(permutation)) == text


def test_texts_of_the_order_of_channels():
    side_by_side = rope(head_dim=8, layout="interleaved")
    assert words.order(compare(PLAIN, side_by_side)) == "0, 4, 1, 5, 2, 6, 3, 7"
    assert numbers(words.order(compare(PLAIN, PLAIN))) == []
    assert numbers(words.order(compare(PLAIN, SLOW))) == []
    assert words.order(compare(PLAIN, PLAIN)) != words.order(compare(PLAIN, SLOW))
    assert [words.format_number(x) for x in (0.25, 12.3456, 54_321.6)] == [
        "0.25",
        "12.35",
        "54,322",
    ]
