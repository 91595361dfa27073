"""The arrays that can be exported of an encoding; those of one subject share a file."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pe_explorer.analysis.comparison import (
    WITHOUT_DIFFERENCE,
    Show,
    Subject,
    chosen,
    why_other_rows,
)
from pe_explorer.encodings import Encoding, EncodingError, Unknown
from pe_explorer.numeric.positions import positions_in
from pe_explorer.params import Parameter, ParameterError, did_you_mean, not_one_of
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, join_tables
from pe_explorer.registry import subclasses_in


@cache
def _quantities() -> dict[str, type[Quantity]]:
    found = subclasses_in(__name__, __path__, Quantity)
    found.sort(key=lambda quantity: quantity.rank)
    return {quantity.name: quantity for quantity in found}


def names() -> tuple[str, ...]:
    """Return the names of all quantities, the most common first."""
    return tuple(_quantities())


def find(name: str) -> type[Quantity]:
    """Return a quantity, or raise `EncodingError` with the nearest name."""
    try:
        return _quantities()[name]
    except (KeyError, TypeError):
        raise EncodingError("what", not_one_of(name, names())) from None


@cache
def options() -> Mapping[str, Parameter]:
    """Return the options of all quantities by name; those of one name are the same."""
    found: dict[str, Parameter] = {}
    for quantity in _quantities().values():
        found |= quantity.options
    return found


def checked_options(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a quantity: the checked values given, and defaults for the others.

    Options of other quantities may be given, and are left out. Raises `EncodingError` if a value
    is not legal, or no quantity has such an option.
    """
    if unknown := given.keys() - options().keys():
        first = min(unknown)
        hint = did_you_mean(first, options())
        raise EncodingError(first, f"is not an option of {name}{hint}")
    found = {}
    try:
        for option, parameter in find(name).options.items():
            found[option] = parameter.check(option, given.get(option, parameter.default))
    except ParameterError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None
    return found


def subject_of(
    name: str, show: str, e: Encoding | Unknown, pinned: Encoding | Unknown | None
) -> Subject:
    """Return the subject of a quantity: that of `show`, or both encodings if it compares them.

    Raises `EncodingError` if one of the encodings is not known here.
    """
    return chosen(Show.DIFFERENCE if find(name).compares_with_pin else show, e, pinned)


def unavailable_reason(name: str, asked: QuantityInput) -> str:
    """Return why a quantity does not exist for what is asked, or an empty text."""
    needs = map(find(name).need, asked.subject.encodings)
    return _lack_of_difference(name, asked) or next(filter(None, needs), "")


def _lack_of_difference(name: str, asked: QuantityInput) -> str:
    is_difference = asked.subject.less is not None and not find(name).compares_with_pin
    return why_no_difference(name, *asked.subject.encodings) if is_difference else ""


def why_no_difference(name: str, e: Encoding, other: Encoding) -> str:
    """Return why two encodings have no difference of a quantity, or an empty text."""
    quantity = find(name)
    if not quantity.has_difference:
        return f"the difference of two encodings has no {name}"
    return quantity.why_not_comparable(e, other)


def available_names(asked: QuantityInput) -> tuple[str, ...]:
    """Return the names of the quantities that exist for what is asked."""
    return tuple(name for name in names() if not unavailable_reason(name, asked))


def check(name: str, asked: QuantityInput) -> None:
    """Raise `EncodingError` if a quantity does not exist, as far as no computation is needed."""
    find(name).check(_with_options(name, asked))


def data(name: str, asked: QuantityInput) -> Data:
    """Return the numbers of a quantity, ready to be computed.

    Raises `EncodingError` if it does not exist for what is asked; the message names those that do.
    """
    return find(name).data(_with_options(name, asked))


def curves(name: str, asked: Iterable[tuple[str, QuantityInput]]) -> Data:
    """Return the curves of a quantity of several encodings, by their names, a column for each.

    Encodings without such a curve are left out; the notes of the data say why. Raises
    `EncodingError` if there is none at all: why there is none of the first.
    """
    found, lacks = _with_and_without_curve(name, asked)
    if not found:
        raise next(iter(lacks.values()))
    data = find(name).side_by_side(found)
    return replace(data, notes=(*_notes(lacks), *data.notes))


def omitted_curves(name: str, asked: Iterable[tuple[str, QuantityInput]]) -> tuple[str, ...]:
    """Return in sentences which encodings `curves` leaves out, and why."""
    _, lacks = _with_and_without_curve(name, asked)
    return _notes(lacks)


def _notes(lacks: Mapping[str, EncodingError]) -> tuple[str, ...]:
    return tuple(f"{title} is not in the file: {error.fault}." for title, error in lacks.items())


def _with_and_without_curve(
    name: str, asked: Iterable[tuple[str, QuantityInput]]
) -> tuple[dict[str, QuantityInput], dict[str, EncodingError]]:
    found: dict[str, QuantityInput] = {}
    lacks: dict[str, EncodingError] = {}
    for title, each in asked:
        free, number = title, 1
        while free in found or free in lacks:
            number += 1
            free = f"{title} ({number})"
        try:
            complete = _with_options(name, each)
            first = next(iter(found.values()), complete)
            if problem := why_other_rows(first.encoding, each.encoding):
                raise EncodingError("pin", problem)
            there = positions_in(each.positions, each.encoding.domain)
            if find(name).curve_axis == "positions" and not there:
                each.encoding.require_rows(each.positions[0], each.positions[-1])
            find(name).check(complete)
        except EncodingError as error:
            lacks[free] = error
        else:
            found[free] = complete
    return found, lacks


def _with_options(name: str, asked: QuantityInput) -> QuantityInput:
    if problem := _lack_of_difference(name, asked):
        raise EncodingError("show", f"{problem}; {WITHOUT_DIFFERENCE}")
    if problem := unavailable_reason(name, asked):
        others = ", ".join(available_names(asked))
        remedy = f"choose one of these: {others}" if others else "choose another encoding"
        raise EncodingError("what", problem, remedy)
    return asked._replace(options=checked_options(name, asked.options))


def of(
    name: str,
    e: Encoding,
    positions: range,
    metric: str = "cosine",
    reference: int = 0,
    **options: Any,
) -> Data:
    """Return a quantity of one encoding, ready to be computed; raises what `data` raises.

    `options` are those of the quantity, such as `k` of `shifted`.
    """
    subject = Subject(Show.CURRENT, e)
    return data(name, QuantityInput(subject, positions, metric, reference, options=options))
