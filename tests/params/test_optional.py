"""Optional parameters: None is typed and shown as auto."""

import json

import pytest
from hypothesis import given, strategies as st

from pe_explorer.params import (
    Choice,
    FileName,
    Flag,
    Numbers,
    Optional,
    ParameterError,
    Real,
    Span,
    Text,
    Whole,
)
from tests.support.cases import for_each
from tests.support.refusals import refusal

WIDTH = Whole(64, 1, 512, label="Width", help="Columns.", symbol="d", unit="columns")
INNER = {
    "whole": (WIDTH, 7, "7"),
    "real": (Real(1.0, 0.0, 1e6, label="Scale", help="How far."), 2.5, "2.5"),
    "choice": (Choice("a", {"a": "first", "b": "second"}, label="Way", help="Which."), "b", "b"),
    "flag": (Flag(True, label="Symmetric", help="Both sides."), False, "off"),
    "numbers": (
        Numbers((), Whole(1, 1, 9, label="N", help="N."), 3, label="Parts", help="N."),
        (1, 2),
        "1 2",
    ),
    "no numbers": (
        Numbers((1,), Whole(1, 1, 9, label="N", help="N."), 3, label="Parts", help="N."),
        (),
        "",
    ),
    "span": (
        Span((0, 1), Real(0.0, -9.0, 9.0, label="End", help="One."), label="Ends", help="Both."),
        (-2.0, 2.5),
        "-2 2.5",
    ),
    "text": (Text("pin", 10, label="Name", help="A name."), "a b", "a b"),
    "no text": (Text("pin", 10, 0, label="Name", help="A name."), "", ""),
    "file": (FileName("", (".npy",), label="File", help="A table."), "/a/ t.npy", "/a/ t.npy"),
    "no file": (FileName("", (".npy",), label="File", help="A table."), "", ""),
}

every_kind = for_each("kind", INNER)


def optional(kind):
    inner, value, text = INNER[kind]
    return Optional(None, inner, "as the model has it"), value, text


@every_kind
def test_none_is_auto(kind):
    parameter, _, _ = optional(kind)
    assert parameter.default is None
    assert parameter.check("speed", None) is None
    assert parameter.check("speed", json.loads(json.dumps(None))) is None
    assert parameter.format(None) == "auto"
    for text in ("auto", " AUTO\n", "Auto"):
        assert parameter.parse("speed", text) is None


@every_kind
def test_other_values_are_those_of_the_inner_kind(kind):
    parameter, value, text = optional(kind)
    assert parameter.check("speed", value) == value
    assert parameter.check("speed", json.loads(json.dumps(value))) == value
    assert parameter.format(value) == text
    assert parameter.parse("speed", text) == value
    assert type(parameter.parse("speed", text)) is type(value)


@every_kind
@for_each("word", ["auto", "Auto", " AUTO "])
def test_the_word_itself_is_no_value(kind, word):
    parameter, _, _ = optional(kind)
    assert "is a text; here None stands for it (null in JSON)" in refusal(parameter.check, word)


@every_kind
def test_what_the_inner_kind_refuses_is_refused(kind):
    parameter, _, _ = optional(kind)
    refusal(parameter.check, object)
    refusal(parameter.check, [None])
    assert refusal(parameter.parse, "x\0" * 20).endswith("; or type auto")


def test_limits_and_words_come_from_the_inner_kind():
    parameter = Optional(None, WIDTH, "as wide as the head")
    assert parameter.limits == "auto (as wide as the head), or 1 to 512"
    assert (parameter.label, parameter.help, parameter.symbol, parameter.unit) == (
        "Width",
        "Columns.",
        "d",
        "columns",
    )
    named = Optional(None, WIDTH, "as wide as the head", label="Rotary width", symbol="r")
    assert (named.label, named.help, named.symbol) == ("Rotary width", "Columns.", "r")
    assert WIDTH.label == "Width"


def test_a_default_may_be_a_value():
    assert Optional(32, WIDTH, "as wide as the head").default == 32
    with pytest.raises(ParameterError, match=r"^Width: 0 is outside"):
        Optional(0, WIDTH, "as wide as the head")


NOTE = Optional(None, Text("", 20, 0, label="Note", help="Words."), "the file's name")


@given(st.none() | st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=20))
def test_a_text_is_read_as_it_is_written(value):
    try:
        taken = NOTE.check("speed", value)
    except ParameterError:
        assert value.strip().lower() == "auto"
        return
    assert NOTE.parse("speed", NOTE.format(taken)) == taken


@given(st.none() | st.integers(1, 512))
def test_a_number_is_read_as_it_is_written(value):
    parameter = Optional(None, WIDTH, "as wide as the head")
    assert parameter.check("speed", value) == value
    assert parameter.parse("speed", parameter.format(value)) == value
