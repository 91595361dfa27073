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
from tests.params.refusals import refusal

WIDTH = Whole(64, 1, 512, label="Width", help="Columns.", symbol="d", unit="columns")
WORDS = {"label": "Name", "help": "What."}
PART = Whole(1, 1, 9, **WORDS)
KINDS = [
    (WIDTH, 7, "7"),
    (Real(1.0, 0.0, 1e6, **WORDS), 2.5, "2.5"),
    (Choice("a", {"a": "first", "b": "second"}, **WORDS), "b", "b"),
    (Flag(True, **WORDS), False, "off"),
    (Numbers((), PART, 3, **WORDS), (1, 2), "1 2"),
    (Numbers((1,), PART, 3, **WORDS), (), ""),
    (Span((0, 1), Real(0.0, -9.0, 9.0, **WORDS), **WORDS), (-2.0, 2.5), "-2 2.5"),
    (Text("pin", 10, **WORDS), "a b", "a b"),
    (Text("pin", 10, 0, **WORDS), "", ""),
    (FileName("", (".npy",), **WORDS), "/a/ t.npy", "/a/ t.npy"),
    (FileName("", (".npy",), **WORDS), "", ""),
]


@pytest.mark.parametrize(("inner", "value", "text"), KINDS, ids=lambda x: type(x).__name__)
def test_every_kind_can_be_optional(inner, value, text):
    parameter = Optional(None, inner, "as the model has it")
    for checked, written in ((None, "auto"), (value, text)):
        assert parameter.check("speed", checked) == checked
        assert parameter.check("speed", json.loads(json.dumps(checked))) == checked
        assert parameter.format(checked) == written
        parsed = parameter.parse("speed", written)
        assert (type(parsed), parsed) == (type(checked), checked)
    assert parameter.default is None
    assert parameter.parse("speed", " AUTO\n") is parameter.parse("speed", "Auto") is None
    for word in ("auto", "Auto", " AUTO "):
        assert "reserved for None (null in JSON)" in refusal(parameter.check, word)
    refusal(parameter.check, object)
    refusal(parameter.check, [None])
    message = refusal(parameter.parse, "x\0" * 20)
    assert not message.startswith("speed: expected ") or "expected auto or " in message


def test_limits_and_texts_come_from_the_inner_kind():
    parameter = Optional(None, WIDTH, "as wide as the head")
    assert parameter.limits == "auto (as wide as the head), or 1 to 512"
    words = parameter.label, parameter.help, parameter.symbol, parameter.unit
    assert words == ("Width", "Columns.", "d", "columns")
    named = Optional(None, WIDTH, "as wide as the head", label="Rotary width", symbol="r")
    assert (named.label, named.help, named.symbol) == ("Rotary width", "Columns.", "r")
    assert WIDTH.label == "Width"


def test_the_default_of_an_optional_parameter_can_be_a_value():
    assert Optional(32, WIDTH, "as wide as the head").default == 32
    with pytest.raises(ParameterError, match=r"^Width: .* got 0\."):
        Optional(0, WIDTH, "as wide as the head")


NOTE = Optional(None, Text("", 20, 0, label="Note", help="Words."), "the file's name")


@given(st.none() | st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=20))
def test_a_text_is_read_as_it_is_written(value):
    try:
        checked = NOTE.check("speed", value)
    except ParameterError:
        assert value.strip().lower() == "auto"
        return
    assert NOTE.parse("speed", NOTE.format(checked)) == checked
