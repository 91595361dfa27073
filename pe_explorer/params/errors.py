"""The error for an illegal parameter value, and helpers for its message."""

import re
import reprlib
from collections.abc import Iterable
from typing import Any

_MAX_LENGTH = 60  # maximum number of characters of a quoted value

_SHORT_REPR = reprlib.Repr()  # avoids formatting all of a huge or deep value
_SHORT_REPR.maxlevel = 10
_SHORT_REPR.maxlist = _SHORT_REPR.maxtuple = _SHORT_REPR.maxdict = _SHORT_REPR.maxset = _MAX_LENGTH
_SHORT_REPR.maxstring = 4 * _MAX_LENGTH
_LONG_TYPES = (str, bytes, list, tuple, dict, set)


class ParameterError(ValueError):
    """An illegal value of the parameter `name`.

    `fault` states the error and the legal values, without a full stop. `remedy` states what to do,
    and may be empty. `problem` combines both in one or two sentences.
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
        """The message as a sentence, with a capital letter and a full stop, for windows."""
        return with_full_stop(f"{capitalised(self.name.replace('_', ' '))}: {self.problem}")


def capitalised(text: str) -> str:
    """Return a string with its first letter in upper case and the rest unchanged."""
    return text[:1].upper() + text[1:]


def with_full_stop(sentence: str) -> str:
    """Return a sentence with a full stop, unless it ends with a punctuation mark."""
    return sentence if sentence.endswith((".", "?", "…")) else f"{sentence}."


def expected(limits: str, value: object) -> str:
    """Return the message that a value is outside its limits."""
    return f"expected {limits}, got {quote_value(value)}"


def did_you_mean(value: object, choices: Iterable[str]) -> str:
    """Return ``. Did you mean 'x'?`` with the known name most similar to `value`, or ""."""
    import difflib  # slow to import, and only needed for errors

    if not isinstance(value, str):
        return ""
    names = {name.lower(): name for name in choices}
    matches = difflib.get_close_matches(value.lower(), names, n=1)  # the match ignores case
    return f". Did you mean {names[matches[0]]!r}?" if matches else ""


def not_one_of(value: object, choices: Iterable[str]) -> str:
    """Return the message that a value is not a known name, and suggest the most similar name."""
    names = list(choices)
    return f"{expected(join_words(names, 'or'), value)}{did_you_mean(value, names)}"


def join_words(words: Iterable[str], conjunction: str = "and") -> str:
    """Return a list of one or more words within a sentence, such as ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def with_remedy(problem: str, remedy: str) -> str:
    """Return a problem and its remedy as two sentences; without a remedy, only the problem."""
    if not remedy:
        return problem
    starts_with_name = re.match(r"[a-z]+[_.(\d]", remedy)  # names such as rope_type or gemma3
    remedy = remedy if starts_with_name else capitalised(remedy)
    return f"{with_full_stop(problem)} {with_full_stop(remedy)}"


def quote_value(value: object) -> str:
    """Return the representation of a value for a message, truncated if it is long."""
    try:
        text = _SHORT_REPR.repr(value) if isinstance(value, _LONG_TYPES) else repr(value)
    except ValueError:  # Python cannot format integers of more than 4300 digits
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


def one_line(text: str) -> str:
    """Return a string in one line, with line breaks and other invisible characters escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
