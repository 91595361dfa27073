"""Two numbers as a parameter: the ends of a range."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pe_explorer.params import Real, Span
from tests.params.refusals import refusal

END = Real(0.0, -1e308, 1e308, label="End", help="A number at an end.")
ENDS = Span((-1.0, 1.0), END, label="Ends", help="From where to where.")
EXAMPLE = "such as -1 1"

SPELLINGS = {
    "-1 1": (-1, 1), "-0.5,0.5": (-0.5, 0.5), "-1,1": (-1, 1), "1,100": (1, 100), "-1, 1": (-1, 1),
    " -1 , 1 ": (-1, 1), "-1;1": (-1, 1), "-1 ; 1": (-1, 1), "1,000 2,000": (1000, 2000),
    "1,000, 2,000": (1000, 2000), "1\u202f500 2\u00a0500": (1500, 2500),
    "-10^-3 2*3.5": (-0.001, 7), "-1e-3\t2.5": (-0.001, 2.5),
}  # fmt: skip


def test_notations_of_spans():
    assert {text: ENDS.parse("ends", text) for text in SPELLINGS} == SPELLINGS


@pytest.mark.parametrize("text", ["", "1", "1 1", "1 -1", "1,-1", "1 2 3", "1,000,2,000", ",", ";",
                                  "0,5,1,5"])  # fmt: skip
def test_anything_but_two_increasing_numbers_is_refused(text):
    message = refusal(ENDS.parse, text)
    assert message.startswith("speed: expected two numbers")
    assert f"got {text!r}" in message
    assert message.endswith(f"{EXAMPLE}.")


@pytest.mark.parametrize(
    ("text", "wrong", "remedy"),
    [
        ("a 1", "'a'", ""),
        ("1 1e999", "'1e999'", " 1e308"),
        ("0,5 1,5", "'0,5'", " 0.5"),
        ("0,5;1,5", "'0,5'", " 0.5"),
        ("nan 1", "nan", ""),
    ],
)
def test_an_error_quotes_the_wrong_number(text, wrong, remedy):
    message = refusal(ENDS.parse, text)
    assert f"-1e308 to 1e308, got {wrong}" in message
    assert (remedy or EXAMPLE) in message.partition(", got ")[2]


def test_two_numbers_become_a_tuple():
    for value in ([-1, 1], (-1.0, 1.0), np.array([-1, 1])):
        checked = ENDS.check("ends", value)
        assert (type(checked), checked) == (tuple, (-1.0, 1.0))
    for value in ([], [1], [1, 1], [2, 1], [1, 2, 3], 1, None, "1 2", {1, 2}):
        refusal(ENDS.check, value)


@given(st.lists(st.floats(-1e308, 1e308), min_size=2, max_size=2, unique=True).map(sorted))
def test_spans_round_trip_through_text(ends):
    assert ENDS.parse("ends", ENDS.format(tuple(ends))) == tuple(ends)
