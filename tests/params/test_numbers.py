"""Lists of numbers as parameters."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pe_explorer.params import Numbers, ParameterError, Real, Whole
from tests.support.cases import for_each
from tests.support.refusals import refusal

FACTOR = Real(1.0, 0.0, 1e6, label="Factor", help="How much longer.")
SECTION = Whole(1, 1, 512, label="Section", help="Pairs.")
FACTORS = Numbers((1.0, 2.0), FACTOR, 5, label="Factors", help="One for each pair.")
SECTIONS = Numbers((), SECTION, 3, label="Sections", help="Pairs of each axis.")


@for_each(
    ("text", "values"),
    [
        ("", ()),
        (" \t ", ()),
        (";;", ()),
        ("7", (7.0,)),
        ("1 2 3", (1.0, 2.0, 3.0)),
        ("1;2; 3 ;4", (1.0, 2.0, 3.0, 4.0)),
        ("  1\t2\n3\r\n4  ", (1.0, 2.0, 3.0, 4.0)),
        ("1,000 2,100.5", (1000.0, 2100.5)),
        ("0.5 10^3 2*3.5 8Ki", (0.5, 1000.0, 7.0, 8192.0)),
        ("1_000;2.5e3", (1000.0, 2500.0)),
        ("[1.05, 2.5,3]", (1.05, 2.5, 3.0)),  # as JSON has lists
        ("\n[\n  1,\n  2\n]\n", (1.0, 2.0)),
        ("[]", ()),
        ("1 000 2", (1.0, 0.0, 2.0)),  # a space separates, whatever is on its sides
        ("1\u202f000 2\u00a0500 3\u2009000", (1000.0, 2500.0, 3000.0)),  # these do not
    ],
)
def test_spellings_of_lists(text, values):
    parsed = FACTORS.parse("speed", text)
    assert parsed == values
    assert all(type(value) is float for value in parsed)


@for_each(
    ("text", "place", "told"),
    [
        ("x", 1, "'x' is not a number (0 to 1e6)"),
        ("1 2 x 4", 3, "'x' is not a number (0 to 1e6)"),
        ("1 nan", 2, "nan is not a number (0 to 1e6)"),
        ("1 inf", 2, "'inf' is too large (0 to 1e6); the nearest valid value is 1e6"),
        ("1 2 -3", 3, "-3 is outside the limits (0 to 1e6); the nearest valid value is 0"),
        ("1, 2, 3", 1, "'1,' is not a number (0 to 1e6); separate numbers by spaces or semicolons"),
        (
            "1,2",
            1,
            "'1,2' is not a number (0 to 1e6); write a point: 1.2, or separate numbers by spaces "
            "or semicolons",
        ),
        (
            "3 1,100",
            2,
            "'1,100' could be 1100 or 1.1 (0 to 1e6); leave the comma out, or write a point, or "
            "separate numbers by spaces or semicolons",
        ),
        ("[1 2", 1, "'[1' is not a number (0 to 1e6)"),
        ("[1, [2]]", 2, "'[2]' is not a number (0 to 1e6)"),
        ("1 2\u20033", 2, r"'2\u20033' is not a number (0 to 1e6)"),
    ],
)
def test_the_item_at_fault_is_told_by_its_place(text, place, told):
    assert refusal(FACTORS.parse, text) == f"speed: number {place}: {told}"


def test_a_comma_stands_between_thousands_and_separates_no_items():
    assert FACTORS.parse("speed", " 1,000 ") == (1000.0,)
    assert "1100 is outside 1 to 512" in refusal(SECTIONS.parse, "1,100")


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
    assert taken == (1.0, 2.5)
    assert (type(taken), *map(type, taken)) == (tuple, float, float)
    assert FACTORS.check("speed", taken) == taken


def test_whole_items_stay_whole():
    taken = SECTIONS.check("speed", np.array([16, 24, 24]))
    assert (taken, *map(type, taken)) == ((16, 24, 24), int, int, int)
    assert SECTIONS.parse("speed", "16; 24; 24") == taken
    assert SECTIONS.format(taken) == "16 24 24"
    message = refusal(SECTIONS.parse, "16 2.5")
    assert message == "speed: number 2: '2.5' is not a whole number (1 to 512)"


@for_each(
    "value",
    [None, 7, 1.5, True, "1 2", b"12", bytearray(b"12"), {1: 2}, {1, 2}, frozenset(), np.array(5)],
    ids=repr,
)
def test_what_is_no_list_is_refused(value):
    message = refusal(FACTORS.check, value)
    assert repr(value) in message
    assert "is not a list of numbers (up to 5 numbers, each 0 to 1e6)" in message


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
    ],
    ids=["text", "list", "array", "none", "nan", "flag", "texts"],
)
def test_items_that_are_no_numbers_are_refused(value, place, quoted):
    message = refusal(FACTORS.check, value)
    assert message.startswith(f"speed: number {place}: ")
    assert quoted in message
    assert message.endswith("is not a number (0 to 1e6)")


@pytest.mark.parametrize(
    "value",
    [itertools.repeat(1.0), itertools.count(), iter(int, 1), range(10**12), np.zeros(6)],
    ids=["repeat", "count", "callable", "range", "one"],
)
def test_too_many_are_refused_also_where_there_is_no_end(value):
    assert refusal(FACTORS.check, value) == "speed: more than 5 numbers; remove some"


def test_as_many_as_may_be():
    assert FACTORS.check("speed", [1] * 5) == (1.0,) * 5
    assert FACTORS.parse("speed", " 1 1 1 1 1 ; ") == (1.0,) * 5
    assert refusal(FACTORS.parse, "1 " * 10**6) == "speed: more than 5 numbers; remove some"


@pytest.mark.parametrize(
    "value",
    [[[0] * 10**6], [dict.fromkeys(range(10**5))], ["x" * 10**7], [10**5000]],
    ids=["list", "mapping", "text", "digits"],
)
def test_huge_items_are_quoted_briefly(value):
    assert refusal(FACTORS.check, value).startswith("speed: number 1: ")


def test_deep_and_circular_items_are_quoted_briefly():
    deep, circle = [], []
    for _ in range(100_000):
        deep = [deep]
    circle.append(circle)
    for value in ([deep], circle):
        assert "is not a number" in refusal(FACTORS.check, value)
    while deep:  # or its deletion would go as deep
        deep = deep.pop()


def test_a_default_is_frozen_and_checked():
    listed = Numbers([1, 2], FACTOR, 5, label="Factors", help="One for each pair.")
    assert listed.default == (1.0, 2.0)
    with pytest.raises(ParameterError, match=r"^Factors: number 1: -1 is outside"):
        Numbers([-1], FACTOR, 5, label="Factors", help="One for each pair.")


def test_limits_name_how_many_and_which():
    assert FACTORS.limits == "up to 5 numbers, each 0 to 1e6"
    assert SECTIONS.limits == "up to 3 numbers, each 1 to 512"


anything = Real(0.0, -1e308, 1e308, label="Any", help="Any.")
LONG = Numbers((), anything, 10_000, label="Long", help="Many.")


@given(st.lists(st.floats(-1e308, 1e308), max_size=40))
def test_lists_are_read_as_they_are_written_in_texts_and_json(values):
    frozen = LONG.check("speed", values)
    assert frozen == tuple(values)
    assert LONG.parse("speed", LONG.format(frozen)) == frozen
    assert LONG.parse("speed", LONG.format(frozen).replace(" ", ";")) == frozen
    assert LONG.check("speed", json.loads(json.dumps(frozen))) == frozen
    assert hash(frozen) == hash(tuple(values))


def test_a_list_of_ten_thousand():
    values = tuple(np.random.default_rng(1).normal(size=10_000).tolist())
    assert LONG.parse("speed", LONG.format(values)) == LONG.check("speed", values) == values
