"""Lists of numbers as parameters."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from pe_explorer.params import Numbers, ParameterError, Real, Whole
from tests.params.refusals import refusal

FACTOR = Real(1.0, 0.0, 1e6, label="Factor", help="How much longer.")
SECTION = Whole(1, 1, 512, label="Section", help="Pairs.")
ANY = Real(0.0, -1e308, 1e308, label="Any", help="Any.")
FACTORS = Numbers((1.0, 2.0), FACTOR, 5, label="Factors", help="One for each pair.")
SECTIONS = Numbers((), SECTION, 3, label="Sections", help="Pairs of each axis.")
LONG = Numbers((), ANY, 10_000, label="Long", help="Many.")

SPELLINGS = {
    "": (), " \t ": (), ";;": (), "[]": (), "7": (7,), "1 2 3": (1, 2, 3),
    "1;2; 3 ;4": (1, 2, 3, 4), "  1\t2\n3\r\n4  ": (1, 2, 3, 4), "1,000 2,100.5": (1000, 2100.5),
    " 1,000 ": (1000,), "0.5 10^3 2*3.5 8Ki": (0.5, 1000, 7, 8192), "1_000;2.5e3": (1000, 2500),
    "[1.05, 2.5,3]": (1.05, 2.5, 3), "\n[\n  1,\n  2\n]\n": (1, 2),  # as JSON has lists
    "1 000 2": (1, 0, 2),  # a space separates, whatever is on its sides
    "1\u202f000 2\u00a0500 3\u2009000": (1000, 2500, 3000),  # these do not
}  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS, ids=ascii)
def test_spellings_of_lists(text):
    parsed = FACTORS.parse("speed", text)
    assert parsed == SPELLINGS[text]
    assert all(type(value) is float for value in parsed)


AT_FAULT = {  # the place, and what is said of it
    "x": (1, "'x'"), "1 2 x 4": (3, "'x'"), "1 nan": (2, "nan"), "1 inf": (2, "'inf'", " 1e6"),
    "1 2 -3": (3, "-3", " 0"), "1, 2, 3": (1, "'1,'", "spaces or semicolons"),
    "1,2": (1, "'1,2'", " 1.2", "spaces or semicolons"), "[1 2": (1, "'[1'"),
    "3 1,100": (2, "'1,100'", "1100 or 1.1", "spaces or semicolons"), "[1, [2]]": (2, "'[2]'"),
    "1 2\u20033": (2, r"'2\u20033'"),
}  # fmt: skip


@pytest.mark.parametrize("text", AT_FAULT, ids=ascii)
def test_the_item_at_fault_is_told_by_its_place(text):
    place, *words = AT_FAULT[text]
    message = refusal(FACTORS.parse, text)
    assert message.startswith(f"speed: number {place}: {words[0]} ")
    problem, limits, remedy = message.partition("(0 to 1e6)")
    assert limits
    assert [word for word in words if word not in problem + remedy] == []


@pytest.mark.parametrize(
    "value",
    [
        [1, 2.5],
        (1, 2.5),
        np.array([1, 2.5]),
        np.array([1, 2.5], dtype=np.float32),
        (x for x in (1, 2.5)),
        {1: "a", 2.5: "b"}.keys().__iter__(),
        json.loads("[1, 2.5]"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_numbers_in_an_order_is_taken_as_a_tuple(value):
    taken = FACTORS.check("speed", value)
    assert taken == FACTORS.check("speed", taken) == (1.0, 2.5)
    assert (type(taken), *map(type, taken)) == (tuple, float, float)


def test_whole_items_stay_whole():
    taken = SECTIONS.check("speed", np.array([16, 24, 24]))
    assert (taken, *map(type, taken)) == ((16, 24, 24), int, int, int)
    assert SECTIONS.parse("speed", "16; 24; 24") == taken
    assert SECTIONS.format(taken) == "16 24 24"
    assert refusal(SECTIONS.parse, "16 2.5").startswith("speed: number 2: '2.5' is not a whole")
    assert "1100 is outside 1 to 512" in refusal(SECTIONS.parse, "1,100")


@pytest.mark.parametrize(
    "value",
    [None, 7, 1.5, True, "1 2", b"12", bytearray(b"12"), {1: 2}, {1, 2}, frozenset(), np.array(5)],
    ids=repr,
)
def test_what_is_no_list_is_refused(value):
    message = refusal(FACTORS.check, value)
    assert repr(value) in message
    assert "is not a list of numbers (up to 5 numbers, each 0 to 1e6)" in message


CIRCLE = []
CIRCLE.append(CIRCLE)
HUGE = [[0] * 10**6, dict.fromkeys(range(10**5)), "x" * 10**7, 10**5000, CIRCLE]


@pytest.mark.parametrize(
    ("value", "place", "quoted"),
    [
        ([1, "2"], 2, "'2'"),
        ([[1, 2], 3], 1, "[1, 2]"),
        (np.ones((2, 2)), 1, "array([1., 1.])"),
        ([1, None], 2, "None"),
        ([1, 2, float("nan")], 3, "nan"),
        ([1, True], 2, "True"),
        (np.array(["1"]), 1, "'1'"),
        *(([item], 1, "") for item in HUGE),
    ],
    ids=lambda value: type(value).__name__,
)
def test_items_that_are_no_numbers_are_quoted_briefly(value, place, quoted):
    message = refusal(FACTORS.check, value)
    assert message.startswith(f"speed: number {place}: ")
    assert quoted in message
    assert "(0 to 1e6)" in message


def test_a_deep_item_is_quoted_briefly():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert "is not a number" in refusal(FACTORS.check, [deep])
    while deep:  # or its deletion would go as deep
        deep = deep.pop()


@pytest.mark.parametrize(
    "value",
    [itertools.repeat(1.0), itertools.count(), iter(int, 1), range(10**12), np.zeros(6)],
    ids=lambda value: type(value).__name__,
)
def test_too_many_are_refused_also_where_there_is_no_end(value):
    assert refusal(FACTORS.check, value) == "speed: more than 5 numbers; remove some"
    assert refusal(FACTORS.parse, "1 " * 10**6) == "speed: more than 5 numbers; remove some"
    assert FACTORS.check("speed", [1] * 5) == FACTORS.parse("speed", " 1 1 1 1 1 ; ") == (1.0,) * 5


def test_a_default_is_frozen_and_checked_and_limits_name_how_many_and_which():
    listed = Numbers([1, 2], FACTOR, 5, label="Factors", help="One for each pair.")
    assert listed.default == (1.0, 2.0)
    with pytest.raises(ParameterError, match=r"^Factors: number 1: -1 is outside"):
        Numbers([-1], FACTOR, 5, label="Factors", help="One for each pair.")
    assert FACTORS.limits == "up to 5 numbers, each 0 to 1e6"
    assert SECTIONS.limits == "up to 3 numbers, each 1 to 512"


def test_a_long_list_is_told_by_its_ends_and_its_length():
    for value, text in (
        ((), "none"),
        ((1.0, 2.5), "1 2.5"),
        ((1.0, 2.5, 3.0), "1 2.5 3"),
        ((1.0, 2.5, 3.0, 4.0), "1 … 4 (4 numbers)"),
    ):
        assert FACTORS.brief(value) == text
    told = LONG.brief(tuple(range(7, 1234)))
    assert [word for word in ("7 ", " 1233", "1,227") if word not in told] == []
    assert len(told) < 40


@settings(max_examples=40)
@given(st.lists(st.floats(-1e308, 1e308), max_size=15))
@example(np.random.default_rng(1).normal(size=300).tolist())
def test_lists_are_read_as_they_are_written_in_texts_and_json(values):
    frozen = LONG.check("speed", values)
    assert frozen == tuple(values)
    assert hash(frozen) == hash(tuple(values))
    assert LONG.parse("speed", LONG.format(frozen)) == frozen
    assert LONG.parse("speed", LONG.format(frozen).replace(" ", ";")) == frozen
    assert LONG.check("speed", json.loads(json.dumps(frozen))) == frozen
