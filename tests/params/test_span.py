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


def test_two_numbers_are_read_however_they_are_separated():
    assert {text: ENDS.parse("ends", text) for text in SPELLINGS} == SPELLINGS


@pytest.mark.parametrize("text", ["", "1", "1 1", "1 -1", "1,-1", "1 2 3", "1,000,2,000", ",", ";",
                                  "0,5,1,5"])  # fmt: skip
def test_other_than_two_numbers_that_rise_is_refused_with_an_example(text):
    message = refusal(ENDS.parse, text)
    assert message.startswith(f"speed: {text!r} is not two numbers")
    assert message.endswith(EXAMPLE)


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
def test_what_is_no_number_is_named(text, wrong, remedy):
    message = refusal(ENDS.parse, text)
    assert message.startswith(f"speed: {wrong} is ")
    assert remedy in message.partition("(-1e308 to 1e308)")[2]
    assert message.endswith(EXAMPLE)


def test_any_two_numbers_become_a_tuple_and_nothing_else_does():
    for value in ([-1, 1], (-1.0, 1.0), np.array([-1, 1])):
        taken = ENDS.check("ends", value)
        assert (type(taken), taken) == (tuple, (-1.0, 1.0))
    for value in ([], [1], [1, 1], [2, 1], [1, 2, 3], 1, None, "1 2", {1, 2}):
        refusal(ENDS.check, value)


@given(st.lists(st.floats(-1e308, 1e308), min_size=2, max_size=2, unique=True).map(sorted))
def test_what_is_written_is_read_back(ends):
    assert ENDS.parse("ends", ENDS.format(tuple(ends))) == tuple(ends)
