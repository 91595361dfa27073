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
    "[1.05, 2.5,3]": (1.05, 2.5, 3), "\n[\n  1,\n  2\n]\n": (1, 2),  # JSON
    "1 000 2": (1, 0, 2),  # a usual space always separates numbers
    "1\u202f000 2\u00a0500 3\u2009000": (1000, 2500, 3000),  # other spaces do not
}  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS, ids=ascii)
def test_notations_of_lists(text):
    parsed = FACTORS.parse("speed", text)
    assert parsed == SPELLINGS[text]
    assert all(type(value) is float for value in parsed)


WRONG_ITEMS = {  # the place of the item, and parts of the message
    "x": (1, "'x'"), "1 2 x 4": (3, "'x'"), "1 nan": (2, "nan"), "1 inf": (2, "'inf'", " 1e6"),
    "1 2 -3": (3, "-3", " 0"), "1, 2, 3": (1, "'1,'", "spaces or semicolons"),
    "1,2": (1, "'1,2'", " 1.2", "spaces or semicolons"), "[1 2": (1, "'[1'"),
    "3 1,100": (2, "'1,100'", "1100 or 1.1", "spaces or semicolons"), "[1, [2]]": (2, "'[2]'"),
    "1 2\u20033": (2, r"'2\u20033'"),
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG_ITEMS, ids=ascii)
def test_an_error_names_the_place_of_the_wrong_item(text):
    place, *words = WRONG_ITEMS[text]
    message = refusal(FACTORS.parse, text)
    start, _, rest = message.partition(f", got {words[0]}")
    assert start == f"speed: number {place}: expected a number from 0 to 1e6"
    assert [word for word in words[1:] if word not in rest] == []


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
def test_ordered_collections_become_tuples(value):
    checked = FACTORS.check("speed", value)
    assert checked == FACTORS.check("speed", checked) == (1.0, 2.5)
    assert (type(checked), *map(type, checked)) == (tuple, float, float)


def test_items_of_whole_numbers_stay_whole():
    checked = SECTIONS.check("speed", np.array([16, 24, 24]))
    assert (checked, *map(type, checked)) == ((16, 24, 24), int, int, int)
    assert SECTIONS.parse("speed", "16; 24; 24") == checked
    assert SECTIONS.format(checked) == "16 24 24"
    message = refusal(SECTIONS.parse, "16 2.5")
    assert message == "speed: number 2: expected a whole number from 1 to 512, got '2.5'"
    assert "1 to 512, got 1100" in refusal(SECTIONS.parse, "1,100")


@pytest.mark.parametrize(
    "value",
    [None, 7, 1.5, True, "1 2", b"12", bytearray(b"12"), {1: 2}, {1, 2}, frozenset(), np.array(5)],
    ids=repr,
)
def test_values_other_than_lists_are_refused(value):
    message = refusal(FACTORS.check, value)
    assert repr(value) in message
    assert "a list of up to 5 numbers, each 0 to 1e6" in message


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
def test_wrong_items_are_quoted_briefly(value, place, quoted):
    message = refusal(FACTORS.check, value)
    assert message.startswith(f"speed: number {place}: ")
    assert quoted in message
    assert "from 0 to 1e6" in message


def test_a_deeply_nested_item_is_quoted_briefly():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert "expected a number" in refusal(FACTORS.check, [deep])
    while deep:  # deleting it as a whole would recurse
        deep = deep.pop()


@pytest.mark.parametrize(
    "value",
    [itertools.repeat(1.0), itertools.count(), iter(int, 1), range(10**12), np.zeros(6)],
    ids=lambda value: type(value).__name__,
)
def test_too_long_and_endless_lists_are_refused(value):
    assert "up to 5 numbers" in refusal(FACTORS.check, value)
    assert "up to 5 numbers" in refusal(FACTORS.parse, "1 " * 10**6)
    assert FACTORS.check("speed", [1] * 5) == FACTORS.parse("speed", " 1 1 1 1 1 ; ") == (1.0,) * 5


def test_the_default_and_the_limits_of_a_list():
    listed = Numbers([1, 2], FACTOR, 5, label="Factors", help="One for each pair.")
    assert listed.default == (1.0, 2.0)
    with pytest.raises(ParameterError, match=r"^Factors: number 1: .* got -1\."):
        Numbers([-1], FACTOR, 5, label="Factors", help="One for each pair.")
    assert FACTORS.limits == "up to 5 numbers, each 0 to 1e6"
    assert SECTIONS.limits == "up to 3 numbers, each 1 to 512"


def test_a_brief_list_shows_its_ends_and_its_length():
    for value, text in (
        ((), "none"),
        ((1.0, 2.5), "1 2.5"),
        ((1.0, 2.5, 3.0), "1 2.5 3"),
        ((1.0, 2.5, 3.0, 4.0), "1 … 4 (4 numbers)"),
    ):
        assert FACTORS.brief(value) == text
    text = LONG.brief(tuple(range(7, 1234)))
    assert [word for word in ("7 ", " 1233", "1,227") if word not in text] == []
    assert len(text) < 40


@settings(max_examples=40)
@given(st.lists(st.floats(-1e308, 1e308), max_size=15))
@example(np.random.default_rng(1).normal(size=300).tolist())
def test_lists_round_trip_through_text_and_json(values):
    frozen = LONG.check("speed", values)
    assert frozen == tuple(values)
    assert hash(frozen) == hash(tuple(values))
    assert LONG.parse("speed", LONG.format(frozen)) == frozen
    assert LONG.parse("speed", LONG.format(frozen).replace(" ", ";")) == frozen
    assert LONG.check("speed", json.loads(json.dumps(frozen))) == frozen
