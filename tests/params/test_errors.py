"""Messages of errors, and quoted values."""

import pytest

from pe_explorer.params import ParameterError, quote_value, reason, to_one_line, with_remedy


def test_quoted_values_are_short():
    for value in ("x" * 10**6, [0] * 10**6, 10**5000, {"a": ["b"] * 10**5}, b"x" * 10**6):
        assert len(quote_value(value)) <= 61
    for value in ("it's", [1, "a"], (1,), (), {}, {"a": 1}, {2}, None, 1.5, b"x", "é\n"):
        assert quote_value(value) == repr(value)
    for length in (58, 59):  # 60 and 61 with quotes
        cut = "x" * length
        assert quote_value(cut) == (repr(cut) if length == 58 else f"'{cut}…")


def test_a_sentence_ends_with_one_punctuation_mark():
    for fault, remedy, problem in (
        ("0 is TOO small", "choose 1", "0 is TOO small. Choose 1."),
        ("did you mean 'x'?", "see Auto", "did you mean 'x'? See Auto."),
        ("did you mean 'x'?", "", "did you mean 'x'?"),
        ("it is being read…", "", "it is being read…"),
        ("nothing", "", "nothing."),
    ):
        error = ParameterError("rope_theta", fault, remedy)
        assert error.sentence == f"Rope theta: {problem}"
        assert str(error) == f"rope_theta: {error.problem}"
        assert not remedy or error.problem == with_remedy(fault, remedy)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("Too wide."), "too wide"),
        (ValueError("STEP must not be 0"), "STEP must not be 0"),
        (ValueError("A table has rows"), "A table has rows"),
        (ValueError(""), "ValueError"),
        (ValueError(" \n"), "ValueError"),
        (MemoryError(), "MemoryError"),
        (OSError(28, "No space left on device", "pe.npy"), "no space left on device"),
        (OSError("device gone"), "device gone"),
        (OSError(), "OSError"),
    ],
)
def test_the_reason_of_an_error_fits_into_a_sentence(error, text):
    assert reason(error) == text


def test_one_line_escapes_invisible_characters():
    assert to_one_line("a\nb\u202ec é") == "a\\nb\\u202ec é"
