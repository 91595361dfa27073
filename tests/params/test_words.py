"""Words as parameters: choices, flags and lines of text."""

import json
import unicodedata

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pe_explorer.params import (
    Choice,
    Flag,
    LabelledNumbers,
    MultiChoice,
    ParameterError,
    Text,
    TextPairs,
    Texts,
    Whole,
    describe_bad_choice,
    join_words,
    suggest_choice,
)
from tests.params.refusals import refusal

CHOICES = {"interleaved": "side by side", "concatenated": "one after the other"}
LAYOUT = Choice("interleaved", CHOICES, label="Layout", help="Where.")
SYMMETRIC = Flag(False, label="Symmetric", help="Both sides.")
NAME = Text("pin", 10, label="Name", help="A name.")
NOTE = Text("", 20, 0, label="Note", help="Any words.")


def test_a_choice_accepts_its_names():
    for value in ("interleaved", np.str_("interleaved")):
        checked = LAYOUT.check("speed", value)
        assert (type(checked), checked) == (str, "interleaved")
        assert LAYOUT.parse("speed", f" {value}\n") == LAYOUT.format(checked) == checked


@pytest.mark.parametrize(
    "value", ["", "Interleaved", "both", None, 0, True, ["interleaved"], {}], ids=repr
)
def test_a_choice_refuses_other_values(value):
    message = refusal(LAYOUT.check, value)
    assert repr(value) in message
    assert "interleaved or concatenated" in message


@pytest.mark.parametrize(
    ("value", "hint"),
    [("cosin", "cosine"), ("Cosine", "cosine"), ("qqq", ""), ("", ""), (7, "")],
)
def test_an_error_suggests_the_most_similar_name(value, hint):
    hint = f". Did you mean '{hint}'?" if hint else ""
    assert suggest_choice(value, ["cosine", "dot"]) == hint
    metric = Choice("dot", {"cosine": "", "dot": ""}, label="Metric", help="Which.")
    assert refusal(metric.check, value).endswith(hint or f"cosine or dot, got {value!r}")


SHOW = MultiChoice("a", dict.fromkeys(("a", "b", "c", "a b"), ""), label="Show", help="Which.")


def test_words_are_sorted_without_repetitions():
    for value in ("b", "c a", "a,c", " c, a a ", "a b c"):
        words = " ".join(word for word in "abc" if word in value)
        assert SHOW.check("show", value) == SHOW.parse("show", value) == words
    for value in ("", " ", "d", "a d", None, 7, ["a"], "a b;c"):
        message = refusal(SHOW.check, value)
        assert repr(value) in message
        assert "a, b or c, or several of them" in message
    assert refusal(SHOW.check, "A").endswith("Did you mean 'a'?")
    assert SHOW.limits == "a, b, c, or several of them"


def test_lists_of_names_within_sentences():
    assert [join_words("a"), join_words("ab"), join_words("abc", "or")] == [
        "a",
        "a and b",
        "a, b or c",
    ]
    assert describe_bad_choice("x", ["yes", "no"]) == "expected yes or no, got 'x'"
    assert describe_bad_choice("ye", ["yes", "no"]).endswith("Did you mean 'yes'?")


TEXTS = TextPairs((), NAME, 2, label="Texts", help="Old and new ones.")
PAIRS = {
    "": (), " ; ": (), "a: b": (("a", "b"),), " a :b;": (("a", "b"),), "a:b:c": (("a", "b:c"),),
    "a: b; c: d": (("a", "b"), ("c", "d")), "a: b; a: c": (("a", "c"),),
    ' {"a: b": "c;"} ': (("a: b", "c;"),), "{}": (), '{"{": "x"}': (("{", "x"),),
}  # fmt: skip


def test_pairs_of_texts_round_trip():
    for text, pairs in PAIRS.items():
        assert TEXTS.parse("texts", text) == pairs
        assert TEXTS.parse("texts", TEXTS.format(pairs)) == pairs
        for value in (pairs, dict(pairs), [list(pair) for pair in pairs]):
            assert TEXTS.check("texts", value) == pairs
    assert TEXTS.format((("a", "b"), ("c", "d: e"))) == "a: b; c: d: e"
    for pairs in ((("a:", "b"),), (("a;", "b"),), (("a", "b;"),), (("{a", "b"),)):
        assert json.loads(TEXTS.format(pairs)) == dict(pairs)
    assert TEXTS.limits == "up to 2 pairs of texts, each OLD: NEW"


def test_values_other_than_pairs_are_refused():
    for text in ("a", "a:", ":b", "a: b; c", "a: b; c: ", "{", '{"a": 1}', '["a"]', "[" * 10**5):
        refusal(TEXTS.parse, text)
    for value in (None, 7, "ab", ["ab"], [("a",)], [("a", "b", "c")], [("a", 1)], {"a": ""}, [1]):
        refusal(TEXTS.check, value)
    assert "' c '" in refusal(TEXTS.parse, "a: b; c ")
    assert "at most 2" in refusal(TEXTS.check, {"a": "b", "c": "d", "e": "f"})
    assert "got 12: " in refusal(TEXTS.check, {"x" * 12: "b"})


def test_lists_of_texts_are_read_as_they_are_written():
    kind = Texts((), NAME, 2, label="Texts", help="In their order.")
    for texts in ((), ("a",), ("b", "a"), ('["', "a;'")):
        assert kind.parse("texts", kind.format(texts)) == texts
        assert kind.check("texts", list(texts)) == texts
    assert kind.parse("texts", " a ; b;") == ("a", "b")
    for text in ("[", "[" * 10**5, "[1]", '[""]', "a; b; c"):
        refusal(kind.parse, text)
    for value in (None, "ab", 7, [1], [["a"]]):
        refusal(kind.check, value)
    assert "2" in refusal(kind.check, ["a", "b", "c"])


LABEL = Text("", 10, 0, label="Label", help="A label.")
LENGTH = Whole(1, 1, 9999, label="Length", help="One.")
LENGTHS = LabelledNumbers((), LENGTH, LABEL, 2, label="Lengths", help="Some.")
LABELLED = {
    "": (), " 7 ": ((7, ""),), "4,096=a 8=": ((4096, "a"), (8, "")), "8=b 8=c": ((8, "c"),),
    "8='a b' 9=\"c d\"": ((8, "a b"), (9, "c d")), "'8=a b'": ((8, "a b"),), "8=a=b": ((8, "a=b"),),
}  # fmt: skip


def test_numbers_with_labels_are_read_as_they_are_written():
    for text, pairs in LABELLED.items():
        assert LENGTHS.parse("lengths", text) == pairs
        assert LENGTHS.parse("lengths", LENGTHS.format(pairs)) == pairs
        for value in (pairs, [list(pair) for pair in pairs]):
            assert LENGTHS.check("lengths", value) == pairs
    assert LENGTHS.format(((4096, "training"), (8192, ""))) == "4096=training 8192"
    assert LENGTHS.check("lengths", 7) == LENGTHS.check("lengths", [7.0]) == ((7, ""),)


def test_what_is_no_number_with_a_label_is_refused():
    for text in ("a", "=a", "0=a", "8='a", "8=a b", "8=" + "x" * 11, "1 2 3"):
        refusal(LENGTHS.parse, text)
    for value in (None, "8", [True], [(8,)], [(8, "a", "b")], [(8, 1)], {8: "a"}, [0], 1.5):
        refusal(LENGTHS.check, value)
    assert "quotes" in refusal(LENGTHS.parse, "8=a b")


def test_texts_with_known_words_need_no_semicolons():
    kind = Texts((), NAME, 3, ("one", "two"), label="Texts", help="Some.")
    lists = {
        "": (), " ; ": (), "a;b": ("a", "b"), "a b, c": ("a b, c",), "a; a": ("a",),
        "one two": ("one", "two"), "two,one; a": ("two", "one", "a"), "one a": ("one a",),
        '["a;b"]': ("a;b",), '["one two"]': ("one two",), '["[a"]': ("[a",),
    }  # fmt: skip
    for text, texts in lists.items():
        assert kind.parse("texts", text) == kind.check("texts", list(texts)) == texts
        assert kind.parse("texts", kind.format(texts)) == texts
    for text in ("[", "[1]", "a; b; c; d", "x" * 11, "[" * 10**5):
        refusal(kind.parse, text)
    for value in (None, "a", {"a": 1}, [1], [""], ["a"] * 4):
        refusal(kind.check, value)


def test_texts_are_read_as_they_are_written():
    kind = Texts((), NAME, 3, ("one", "two"), label="Texts", help="Some.")
    lists = {
        "": (), " ; ": (), "a;b": ("a", "b"), "a b, c": ("a b, c",), "a; a": ("a",),
        "one two": ("one", "two"), "two,one; a": ("two", "one", "a"), "one a": ("one a",),
        '["a;b"]': ("a;b",), '["one two"]': ("one two",), '["[a"]': ("[a",),
    }  # fmt: skip
    for text, texts in lists.items():
        assert kind.parse("texts", text) == kind.check("texts", list(texts)) == texts
        assert kind.parse("texts", kind.format(texts)) == texts
    for text in ("[", "[1]", "a; b; c; d", "x" * 11, "[" * 10**5):
        refusal(kind.parse, text)
    for value in (None, "a", {"a": 1}, [1], [""], ["a"] * 4):
        refusal(kind.check, value)


@pytest.mark.parametrize("value", [True, False, np.True_, np.bool_(0), np.array([True])[0]])
def test_a_flag_accepts_bools_of_any_type(value):
    checked = SYMMETRIC.check("speed", value)
    assert (type(checked), checked) == (bool, value)
    assert SYMMETRIC.parse("speed", SYMMETRIC.format(checked)) is checked
    assert SYMMETRIC.check("speed", json.loads(json.dumps(checked))) is checked


@pytest.mark.parametrize(
    "value",
    [0, 1, 1.0, None, "on", "true", "", b"1", [], [True], np.int8(1), np.array(True)],
    ids=repr,
)
def test_a_flag_refuses_numbers_and_words(value):
    assert refusal(SYMMETRIC.check, value) == f"speed: expected on or off, got {value!r}"


def test_words_for_flags():
    for words, truth in (("on ON true True yes 1", True), ("off Off false FALSE no 0", False)):
        for word in words.split():
            assert SYMMETRIC.parse("speed", f" {word}\n") is truth
    for text in ("", " ", "2", "-1", "o n", "offf", "null", "None", "auto"):
        assert refusal(SYMMETRIC.parse, text) == f"speed: expected on or off, got {text!r}"


def test_a_text_is_one_line():
    for line in ("a", "two words", "é ω 数 🎯", "x" * 10):
        assert NAME.check("name", line) == NAME.parse("name", line) == line
    assert NAME.check("name", "  two \t words\n") == "two words"


@pytest.mark.parametrize(
    "value", ["", " \n ", "x" * 11, "x" * 10**6, 3, None, b"a"], ids=lambda value: repr(value)[:20]
)
def test_wrong_texts_are_refused_briefly(value):
    assert len(refusal(NAME.check, value)) < 200


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        "👩\u200d👩\u200d👧",  # a family, joined
        "👍🏽 ❤️",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
        "عברית",
        "مرحبا abc",
        "\u200fעברית\u200e (x)",  # direction marks, which are harmless
        "می\u200cخواهم",  # a zero-width non-joiner
        "e\u0301",
        "<b>&amp;",
        "auto",
        "\ufdcf\ufdf0\ufffd",  # next to codes of noncharacters
    ],
    ids=ascii,
)
def test_texts_of_any_language_stay_unchanged(line):
    assert NOTE.check("speed", line) == NOTE.parse("speed", NOTE.format(line)) == line
    assert NOTE.check("speed", json.loads(json.dumps(line))) == line


HIDDEN = {
    "control character": "\x00\x1b\x7f\x9b",
    "an incomplete character": "\ud800",
    "not a character": "\uffff\ufffe\ufdd0\ufdef\U0010fffe",
    "changes the direction": "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
}


@pytest.mark.parametrize("problem", HIDDEN)
def test_harmful_invisible_characters_are_refused(problem):
    for code in HIDDEN[problem]:
        message = refusal(NOTE.check, f"a{code}b")
        assert problem in message
        assert f"U+{ord(code):04X}" in message
        assert message.endswith("emove it.")
        assert message == refusal(NOTE.parse, f"a{code}b")


@pytest.mark.parametrize("text", ["\u200b", "\ufeff", "\u200d\u200d", " \u00ad "], ids=ascii)
def test_an_invisible_text_is_refused(text):
    for parameter in (NAME, NOTE):
        assert "no visible character" in refusal(parameter.check, text)


@given(st.text(max_size=25))
def test_a_text_is_refused_or_round_trips(text):
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


def test_limits_of_a_text():
    assert NOTE.limits == "0 to 20 characters"
    assert refusal(NOTE.parse, "x" * 21).startswith("speed: expected 0 to 20 characters, got 21")
