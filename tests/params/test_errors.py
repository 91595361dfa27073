"""What is said of an error, and how a value is quoted."""

import pytest

from pe_explorer.params import one_line, quoted, reason


def test_what_is_quoted_is_whole_or_short():
    for value in ("x" * 10**6, [0] * 10**6, 10**5000, {"a": ["b"] * 10**5}, b"x" * 10**6):
        assert len(quoted(value)) <= 61
    for value in ("it's", [1, "a"], (1,), (), {}, {"a": 1}, {2}, None, 1.5, b"x", "é\n"):
        assert quoted(value) == repr(value)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("Too wide."), "too wide"),
        (ValueError("STEP must not be 0"), "STEP must not be 0"),
        (ValueError(""), "ValueError"),
        (ValueError(" \n"), "ValueError"),
        (MemoryError(), "MemoryError"),
        (OSError(28, "No space left on device", "pe.npy"), "no space left on device"),
        (OSError("device gone"), "device gone"),
        (OSError(), "OSError"),
    ],
)
def test_an_error_says_something_in_a_sentence(error, text):
    assert reason(error) == text


def test_a_text_on_one_line_hides_nothing():
    assert one_line("a\nb\u202ec é") == "a\\nb\\u202ec é"
