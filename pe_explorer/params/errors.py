"""The error for an illegal parameter value, and helpers for its message."""

import re
import reprlib
from collections.abc import Iterable
from typing import Any

_MAX_LENGTH = 60  # maximum number of characters in a quoted value

_SHORT_REPR = reprlib.Repr()  # limits the formatting of large or deeply nested values
_SHORT_REPR.maxlevel = 10
_SHORT_REPR.maxlist = _SHORT_REPR.maxtuple = _SHORT_REPR.maxdict = _SHORT_REPR.maxset = _MAX_LENGTH
_SHORT_REPR.maxstring = 4 * _MAX_LENGTH
_LONG_TYPES = (str, bytes, list, tuple, dict, set)


class ParameterError(ValueError):
    """The error for an illegal value of the parameter `name`.

    `fault` states what is wrong and which values are legal, without a full stop. `remedy`
    states how to correct the value, and can be empty. `problem` combines `fault` and
    `remedy` in one or two sentences.
    """

    def __init__(self, name: str, fault: str, remedy: str = "") -> None:
        self.name = name
        self.fault = fault
        self.remedy = remedy
        self.problem = with_remedy(fault, remedy)
        super().__init__(f"{name}: {self.problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.fault, self.remedy)

    @property
    def sentence(self) -> str:
        """The message as a sentence to display, with a capital letter and final punctuation."""
        return with_full_stop(f"{capitalise(self.name.replace('_', ' '))}: {self.problem}")


def capitalise(text: str) -> str:
    """Return a string with its first letter in upper case and the rest unchanged."""
    return text[:1].upper() + text[1:]


def with_full_stop(sentence: str) -> str:
    """Return a sentence with a full stop added, unless it ends with ``.``, ``?`` or ``…``."""
    return sentence if sentence.endswith((".", "?", "…")) else f"{sentence}."


def format_fault(limits: str, value: object) -> str:
    """Return a message about an illegal value, such as ``expected 1 to 8, got 9``."""
    return f"expected {limits}, got {quote_value(value)}"


def suggest_choice(value: object, choices: Iterable[str]) -> str:
    """Return ``. Did you mean 'x'?`` for the choice most similar to `value`.

    Return an empty string if `value` is not a string or no choice is similar.
    """
    import difflib  # slow to import, and only needed for errors

    if not isinstance(value, str):
        return ""
    names = {name.lower(): name for name in choices}
    matches = difflib.get_close_matches(value.lower(), names, n=1)  # the match ignores case
    return f". Did you mean {names[matches[0]]!r}?" if matches else ""


def describe_bad_choice(value: object, choices: Iterable[str]) -> str:
    """Return a message that a value is not one of `choices`, and suggest a similar choice."""
    names = list(choices)
    return f"{format_fault(join_words(names, 'or'), value)}{suggest_choice(value, names)}"


def join_words(words: Iterable[str], conjunction: str = "and") -> str:
    """Join one or more words into a list for a sentence, such as ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def with_remedy(problem: str, remedy: str) -> str:
    """Return a problem and its remedy as two sentences; omit the remedy if it is empty."""
    if not remedy:
        return problem
    has_leading_name = re.match(r"[a-z]+[_.(\d]", remedy)  # names such as rope_type or gemma3
    remedy = remedy if has_leading_name else capitalise(remedy)
    return f"{with_full_stop(problem)} {with_full_stop(remedy)}"


def quote_value(value: object) -> str:
    """Return a value as text for a message, truncated if the text is long."""
    try:
        text = _SHORT_REPR.repr(value) if isinstance(value, _LONG_TYPES) else repr(value)
    except ValueError:  # Python does not format integers with more than 4300 digits
        return "a number with thousands of digits"
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"


def reason(error: BaseException) -> str:
    """Return the message of an error for use within a sentence.

    An empty message is replaced by the name of the error's type. The first letter becomes lower
    case, unless the second letter is also upper case.
    """
    message = getattr(error, "strerror", None) or error
    text = str(message).strip().removesuffix(".")
    if not text:
        return type(error).__name__
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def to_one_line(text: str) -> str:
    """Return a string as one line; escape line breaks and other non-printable characters."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
