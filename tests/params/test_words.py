"""Words as parameters: choices, flags and lines of text."""

import json
import unicodedata

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pe_explorer.params import Choice, Flag, ParameterError, Text, did_you_mean
from tests.support.cases import for_each
from tests.support.refusals import refusal

CHOICES = {"interleaved": "side by side", "concatenated": "one after the other"}
LAYOUT = Choice("interleaved", CHOICES, label="Layout", help="Where.")

# Choices


@pytest.mark.parametrize("value", ["interleaved", np.str_("interleaved")], ids=repr)
def test_choice_takes_its_names(value):
    assert LAYOUT.check("speed", value) == "interleaved"
    assert type(LAYOUT.check("speed", value)) is str
    assert LAYOUT.parse("speed", f" {value}\n") == "interleaved"
    assert LAYOUT.format(LAYOUT.parse("speed", value)) == "interleaved"


@for_each(
    "value",
    ["", "Interleaved", "both", None, 0, True, ["interleaved"], {}],
    ids=repr,
)
def test_choice_refuses_all_else(value):
    message = refusal(LAYOUT.check, value)
    assert repr(value) in message
    assert "interleaved, concatenated" in message


def test_choice_offers_the_nearest():
    assert refusal(LAYOUT.parse, "concatinated").endswith("did you mean 'concatenated'?")
    assert "mean" not in refusal(LAYOUT.parse, "xyz")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("cosin", "; did you mean 'cosine'?"),
        ("Cosine", "; did you mean 'cosine'?"),
        ("qqq", ""),
        ("", ""),
        (7, ""),
    ],
)
def test_did_you_mean(value, hint):
    assert did_you_mean(value, ["cosine", "dot"]) == hint


# Flags

SYMMETRIC = Flag(False, label="Symmetric", help="Both sides.")


@pytest.mark.parametrize(
    "value",
    [True, False, np.True_, np.bool_(0), np.array([True])[0]],
    ids=repr,
)
def test_flag_takes_truth_of_any_type(value):
    taken = SYMMETRIC.check("speed", value)
    assert type(taken) is bool
    assert taken == value
    assert SYMMETRIC.parse("speed", SYMMETRIC.format(taken)) is taken
    assert SYMMETRIC.check("speed", json.loads(json.dumps(taken))) is taken


@for_each(
    "value",
    [0, 1, 1.0, None, "on", "true", "", b"1", [], [True], np.int8(1), np.array(True)],
    ids=repr,
)
def test_flag_takes_no_number_or_word_for_truth(value):
    assert refusal(SYMMETRIC.check, value) == f"speed: {value!r} is not on or off"


@pytest.mark.parametrize(
    ("words", "truth"),
    [("on ON true True yes 1", True), ("off Off false FALSE no 0", False)],
)
def test_spellings_of_flags(words, truth):
    for word in words.split():
        assert SYMMETRIC.parse("speed", f" {word}\n") is truth


@for_each("text", ["", " ", "2", "-1", "o n", "offf", "null", "None", "auto"])
def test_texts_that_are_no_flag(text):
    assert refusal(SYMMETRIC.parse, text) == f"speed: {text!r} is not on or off"


# Texts

TEXT = Text("pin", 10, label="Name", help="A name.")


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("a", "a"),
        ("  two \t words\n", "two words"),
        ("é ω 数 🎯", "é ω 数 🎯"),
        ("x" * 10, "x" * 10),
    ],
)
def test_a_text_is_one_line(given, taken):
    assert TEXT.check("name", given) == TEXT.parse("name", given) == taken
    assert TEXT.check("name", taken) == taken


@pytest.mark.parametrize(
    "given",
    ["", " \n ", "x" * 11, "x" * 10**6, 3, None, b"a", "a\x00", "\ud800", "\u202eabc"],
)
def test_what_is_no_text_is_refused_in_few_words(given):
    with pytest.raises(ParameterError) as caught:
        TEXT.check("name", given)
    assert caught.value.name == "name"
    assert len(caught.value.sentence) < 200
    caught.value.sentence.encode()


_TURNS = "contains a character that changes the direction of text"
_DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

NOTE = Text("", 20, 0, label="Note", help="Any words.")


@for_each(
    "line",
    [
        "",
        "x",
        "👩\u200d👩\u200d👧",  # a family, joined
        "👍🏽 ❤️",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
        "עברית",
        "مرحبا abc",
        "\u200fעברית\u200e (x)",  # marks that order a line, and turn nothing around
        "می\u200cخواهم",  # joined otherwise
        "e\u0301",
        "<b>&amp;",
        "auto",
    ],
)
def test_texts_of_any_language_are_taken_as_they_are(line):
    assert NOTE.check("speed", line) == NOTE.parse("speed", NOTE.format(line)) == line
    assert NOTE.check("speed", json.loads(json.dumps(line))) == line


@for_each(
    ("text", "told"),
    [
        ("a\x00b", "contains a control character (U+0000)"),
        ("a\x1bb", "contains a control character (U+001B)"),
        ("a\x7fb", "contains a control character (U+007F)"),
        ("a\x9bb", "contains a control character (U+009B)"),
        ("a\ud800b", "contains half of a character (U+D800)"),
        ("a\uffffb", "contains a code that is not a character (U+FFFF)"),
        ("a\ufdd0b", "contains a code that is not a character (U+FDD0)"),
        ("a\U0010fffeb", "contains a code that is not a character (U+10FFFE)"),
        *((f"a{code}b", _TURNS) for code in _DIRECTIONS),
    ],
    ids=ascii,
)
def test_characters_that_cannot_be_seen_but_do_harm_are_refused(text, told):
    message = refusal(NOTE.check, text)
    assert told in message
    assert message.endswith("; leave it out")
    assert f"U+{ord(text[1]):04X}" in message
    assert message == refusal(NOTE.parse, text)


@pytest.mark.parametrize("text", ["\u200b", "\ufeff", "\u200d\u200d", " \u00ad "], ids=ascii)
def test_a_text_of_which_nothing_can_be_seen_is_refused(text):
    assert "no visible character" in refusal(TEXT.check, text)
    assert "no visible character" in refusal(NOTE.check, text)


@given(st.text(max_size=25))
def test_a_text_is_refused_or_read_as_it_is_written(text):
    try:
        line = NOTE.check("speed", text)
    except ParameterError:
        words = " ".join(text.split())
        hidden = {"Cc", "Cs", "Cf", "Cn"}
        assert len(words) > 20 or any(unicodedata.category(c) in hidden for c in words)
        return
    assert line.split() == text.split()
    assert NOTE.parse("speed", NOTE.format(line)) == NOTE.check("speed", line) == line
    line.encode()


def test_the_limits_of_a_text():
    assert NOTE.limits == "0 to 20 characters"
    assert refusal(NOTE.parse, "x" * 21).endswith("has 21 characters (0 to 20 characters)")
