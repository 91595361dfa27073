"""Checks: syntax, results and errors."""

import operator
import string
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.checks import OPERATORS, Check, CheckError, Condition, parse

STATE = Exploration(
    encoding=encodings.create("sinusoidal", dim=16, base=1e4, layout="concatenated"),
    count=60,
    position=11,
)
HOLDING = [
    "position == 11",
    "position == 5 and dimension == 0 or count >= 60",  # `and` binds tighter
    "count >= 60 or position == 5 and dimension == 9",
    "encoding.base >= 3986 and encoding.base <= 1e4",
    "encoding.base > 9.9e3",
    "encoding.base < 1E+5",
    "encoding == sinusoidal",
    "encoding.layout == Concatenated",
    "encoding.layout == 'CONCATENATED'",
    "encoding.layout begins with con",
    "encoding.layout contains 'cat'",
    "  position==11 and dimension==0 ",
    "measure.words == 0 or measure.words == 8",
    "measure.slowest_wavelength > 19869 and measure.slowest_wavelength < 19870",
    "measure.turning == 2 and measure.not_turning == 6",
]
NOT_HOLDING = [
    "position == 12",
    "encoding.base <= 838",
    "encoding.layout == interleaved",
    "encoding.length == 5",  # a missing parameter
    "encoding.base == sinusoidal",
    "encoding.layout == 5",
    "options.waves.line3 == 23",
    "options.frequencies.lengths == 50",  # which are none
]
FAR = STATE.with_(start=2**53 - 100)
OF_OPTIONS = [  # the view, its options, and checks that hold only with them
    (
        "tokens",
        {"sentence": "Only SHE told him, that."},
        "options.tokens.sentence {}",
        ["begins with 'only she'", "contains 'TOLD HIM,'"],
    ),
    (
        "tokens",
        {"sentence": "Only SHE told him, that."},
        "measure.{}",
        ["sentence == 'only she told him that'", "words == 5"],
    ),
    ("shift", {"k": -20}, "options.shift.k {}", ["== -20"]),
    ("heatmap", {"upward": True}, "options.heatmap.upward {}", ["== on"]),
    ("waves", {"dimensions": (0, 7)}, "options.waves.dimensions {}", ["== '0 7'"]),
]


def test_true_and_false_checks():
    assert [text for text in HOLDING if not parse(text).holds(STATE)] == []
    assert [text for text in NOT_HOLDING if parse(text).holds(STATE)] == []
    for view, options, place, texts in OF_OPTIONS:
        chosen = pictures.with_options(STATE, view, **options)
        for text in map(place.format, texts):
            assert (parse(text).holds(chosen), parse(text).holds(STATE)) == (True, False), text
    assert parse("options.heatmap.upward == off").holds(STATE)
    assert not parse("options.heatmap.upward == 1").holds(
        pictures.with_options(STATE, "heatmap", upward=True)
    )
    assert parse(f"start == {2**53 - 100}").holds(FAR)
    assert not parse(f"start == {2**53 - 101}").holds(FAR)


@pytest.mark.sampled(99)  # each takes a few milliseconds
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("position", "cannot be parsed at 'position'. Write NAME OP VALUE"),
        ("position ==", "cannot be parsed at 'position =='"),
        ("== 5", "cannot be parsed at '== 5'"),
        ("positon == 5", "Did you mean 'position'?"),
        ("encoding.bse == 5", "Did you mean 'encoding.base'?"),
        ("measure.word == 5", "Did you mean 'measure.words'?"),
        ("position = 5", "cannot be parsed at 'position = 5'"),
        ("position == 5 and", "cannot be parsed at its end"),
        ("position == 5 or or count == 5", "cannot be parsed at 'or count == 5'"),
        ("position == 5 count == 5", "oin conditions with 'and' or 'or'"),
        ("(position == 5)", "cannot be parsed"),
        ("position == __import__", "cannot be parsed"),
        ("position == 5 and 7", "cannot be parsed at '7'"),
        ("position is 5", "OP is one of ==, <"),
        ("position begins 5", "cannot be parsed at 'position begins 5'"),
        ("position contains 5", "in quotes"),
        ("encoding.layout > 'a'", "compares the text 'a' with >"),
        ("encoding.layout == 'a", "cannot be parsed"),
        ("encoding.dim == 5x", "cannot be parsed"),
        ("encoding.dim == 1.2.3", "cannot be parsed"),
    ],
)
def test_invalid_checks_are_refused(text, problem):
    with pytest.raises(CheckError) as exc_info:
        parse(text)
    assert problem in str(exc_info.value)


NUMBERS = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
BY_NUMBER = {
    "==": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ONE = st.tuples(
    st.sampled_from(["position", "count", "start"]),
    st.sampled_from(list(BY_NUMBER)),
    st.integers(-70, 70),
)
GROUPS = st.lists(st.lists(ONE, min_size=1, max_size=3), min_size=1, max_size=3)


@given(GROUPS)
def test_joined_checks_follow_logic(groups):
    text = " or ".join(
        " and ".join(f"{name} {op} {value}" for name, op, value in group) for group in groups
    )
    expected = any(
        all(BY_NUMBER[op](getattr(STATE, name), value) for name, op, value in group)
        for group in groups
    )
    assert parse(text).holds(STATE) is expected


@given(NUMBERS)
def test_numbers_are_parsed_exactly(number):
    (group,) = parse(f"encoding.base <= {number}").groups
    assert group == (Condition("encoding.base", "<=", number),)


@given(st.text(string.printable, max_size=40))
def test_any_other_text_is_refused_or_read(text):
    with suppress(CheckError):
        assert isinstance(parse(text), Check)


def test_operators_and_measures_of_checks():
    assert OPERATORS == ("==", "<", "<=", ">", ">=", "contains", "begins with")
    line = Exploration(encoding=encodings.create("index"))
    for name in ("slowest_wavelength", "turning", "not_turning"):
        assert not parse(f"measure.{name} >= 0").holds(line)
