"""The arrays that can be exported of an encoding, one per file."""

from __future__ import annotations

from functools import cache

from pe_explorer.analysis.comparison import Subject
from pe_explorer.analysis.shift import SHIFT
from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.params import did_you_mean, quoted
from pe_explorer.quantities._base import Asked, Data, Quantity
from pe_explorer.registry import subclasses_in

__all__ = ["Asked", "Data", "Quantity", "applying", "check", "data", "find", "lack", "names", "of"]


@cache
def _quantities() -> dict[str, type[Quantity]]:
    classes = subclasses_in(__name__, __path__, Quantity)
    in_order = sorted(classes, key=lambda quantity: quantity.rank)
    return {quantity.name: quantity for quantity in in_order}


def names() -> tuple[str, ...]:
    """Return the names of all quantities, the most common first."""
    return tuple(_quantities())


def find(name: str) -> type[Quantity]:
    """Return a quantity, or raise `EncodingError` with the nearest name."""
    try:
        return _quantities()[name]
    except (KeyError, TypeError):
        hint = did_you_mean(name, names())
        known = ", ".join(names())
        raise EncodingError("what", f"{quoted(name)} is not one of {known}{hint}") from None


def lack(name: str, asked: Asked) -> str:
    """Return why a quantity does not exist for what is asked, or an empty text."""
    quantity, subject = find(name), asked.subject
    if subject.less is not None and not quantity.differs:
        return f"the difference of two encodings has no {name}"
    for e in subject.encodings:
        if problem := quantity.needs(e):
            return problem
    return subject.lack


def applying(asked: Asked) -> tuple[str, ...]:
    """Return the names of the quantities that exist for what is asked."""
    return tuple(name for name in names() if not lack(name, asked))


def check(name: str, asked: Asked) -> None:
    """Raise `EncodingError` if it can be told at once that a quantity does not exist."""
    _require(name, asked)
    find(name).check(asked)


def data(name: str, asked: Asked) -> Data:
    """Return the numbers of a quantity, ready to be computed.

    Raises
    ------
    EncodingError
        If it does not exist for what is asked; the message names those that do.
    """
    _require(name, asked)
    return find(name).data(asked)


def _require(name: str, asked: Asked) -> None:
    """Raise `EncodingError` for what lacks a quantity; the message names those that it has."""
    if problem := lack(name, asked):
        others = ", ".join(applying(asked))
        remedy = f"choose one of these: {others}" if others else "choose another encoding"
        raise EncodingError("what", f"{problem}; {remedy}")


def of(
    name: str,
    e: Encoding,
    positions: range,
    metric: str = "cosine",
    reference: int = 0,
    k: int = SHIFT.default,
) -> Data:
    """Return a quantity of one encoding, ready to be computed; raises what `data` raises."""
    return data(name, Asked(Subject("current", e), positions, metric, reference, k))
