"""The error for a value that a parameter cannot take, and the texts in such errors."""

import reprlib
from collections.abc import Iterable
from typing import Any

_LONGEST = 60  # characters of a value quoted in a message

_BRIEFLY = reprlib.Repr()  # writes a long or deep value no further than it is quoted
_BRIEFLY.maxlevel = 10
_BRIEFLY.maxlist = _BRIEFLY.maxtuple = _BRIEFLY.maxdict = _BRIEFLY.maxset = _LONGEST
_BRIEFLY.maxstring = 4 * _LONGEST
_LONG_TYPES = (str, bytes, list, tuple, dict, set)


class ParameterError(ValueError):
    """A value that a parameter cannot take.

    `name` is the parameter at fault, `fault` what is wrong with which value, and the limits.
    `remedy` says what to do about it; it is empty where the fault says enough. `problem` is the
    fault with its remedy, where there is one.
    """

    def __init__(self, name: str, fault: str, remedy: str = "") -> None:
        self.name = name
        self.fault = fault
        self.remedy = remedy
        self.problem = with_remedy(fault, remedy) if remedy else fault
        super().__init__(f"{name}: {self.problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.fault, self.remedy)

    @property
    def sentence(self) -> str:
        """The message as a sentence for a window: the name capitalised, a full stop.

        A message that ends in an ellipsis or a question mark gets no full stop.
        """
        name = self.name.replace("_", " ")
        stop = "" if self.problem.endswith(("…", "?")) else "."
        return f"{capitalised(name)}: {self.problem}{stop}"


def capitalised(text: str) -> str:
    """Return a text with a capital at its start; `str.capitalize` would lower the rest."""
    return text[:1].upper() + text[1:]


def did_you_mean(value: object, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the known name nearest to `value` in any case, or ""."""
    import difflib  # only here, as it takes a while to load

    if not isinstance(value, str):
        return ""
    names = {name.lower(): name for name in known}
    near = difflib.get_close_matches(value.lower(), names, n=1)
    return f"; did you mean {names[near[0]]!r}?" if near else ""


def not_one_of(value: object, known: Iterable[str]) -> str:
    """Return that a value is none of the known names, and the nearest of these if one is near."""
    names = list(known)
    return f"{quoted(value)} is not one of {', '.join(names)}{did_you_mean(value, names)}"


def listed(words: Iterable[str], joined_by: str = "and") -> str:
    """Return words as a part of a sentence: a, b and c; there must be at least one."""
    *first, last = words
    return f"{', '.join(first)} {joined_by} {last}" if first else last


def with_remedy(problem: str, remedy: str) -> str:
    """Return a problem and what follows from it; after a question that is a new sentence."""
    if problem.endswith("?"):
        return f"{problem} {capitalised(remedy)}"
    return f"{problem}; {remedy}"


def quoted(value: object) -> str:
    """Return a value as it is quoted in a message, cut where it is long."""
    try:
        text = _BRIEFLY.repr(value) if isinstance(value, _LONG_TYPES) else repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def reason(error: BaseException) -> str:
    """Return the message of an error, as the rest of a sentence.

    The message is the system's, the error's own, or else the name of its type. Its first word
    loses its capital, unless all of the word is capitals, as in STEP.
    """
    message = getattr(error, "strerror", None) or error
    text = str(message).strip().removesuffix(".")
    if not text:
        return type(error).__name__
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def one_line(text: str) -> str:
    """Return a text as one line: line breaks and other invisible characters are escaped."""
    return "".join(it if it.isprintable() else ascii(it)[1:-1] for it in text)
