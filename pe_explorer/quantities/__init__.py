"""The arrays of an encoding that can be exported, in one file per subject."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pe_explorer.analysis.comparison import (
    WITHOUT_DIFFERENCE,
    Show,
    Subject,
    subject_shown,
    why_other_rows,
)
from pe_explorer.encodings import Encoding, EncodingError, Unknown
from pe_explorer.numeric.positions import positions_in
from pe_explorer.params import Parameter, ParameterError, did_you_mean, listed, not_one_of
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, join_tables
from pe_explorer.registry import subclasses_in


@cache
def _quantities() -> dict[str, type[Quantity]]:
    quantities = subclasses_in(__name__, __path__, Quantity)
    quantities.sort(key=lambda quantity: quantity.rank)
    return {quantity.name: quantity for quantity in quantities}


def names() -> tuple[str, ...]:
    """Return the names of all quantities, most common first."""
    return tuple(_quantities())


def find(name: str) -> type[Quantity]:
    """Return a quantity; raise `EncodingError` with the most similar name if it is unknown."""
    try:
        return _quantities()[name]
    except (KeyError, TypeError):
        raise EncodingError("what", not_one_of(name, names())) from None


@cache
def options() -> Mapping[str, Parameter]:
    """Return the options of all quantities by name; options of the same name are equal."""
    parameters: dict[str, Parameter] = {}
    for quantity in _quantities().values():
        parameters |= quantity.options
    return parameters


def checked_options(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked options of a quantity, with defaults for missing ones.

    Options of other quantities are ignored. Raise `EncodingError` for an illegal value, or for an
    option that no quantity has.
    """
    if unknown := values.keys() - options().keys():
        first = min(unknown)
        hint = did_you_mean(first, options())
        raise EncodingError(first, f"is not an option of {name}{hint}")
    checked = {}
    try:
        for option, parameter in find(name).options.items():
            checked[option] = parameter.check(option, values.get(option, parameter.default))
    except ParameterError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None
    return checked


def subject_of(
    name: str, show: str, e: Encoding | Unknown, pinned: Encoding | Unknown | None
) -> Subject:
    """Return the subject of a quantity: the one that `show` selects, or both encodings to compare.

    Raise `EncodingError` if one of the encodings is unknown.
    """
    return subject_shown(Show.DIFFERENCE if find(name).compares_with_pin else show, e, pinned)


def unavailable_reason(name: str, inputs: QuantityInput) -> str:
    """Return why a quantity is undefined for an input, or an empty string."""
    needs = map(find(name).need, inputs.subject.encodings)
    return _why_no_difference_of(name, inputs) or next(filter(None, needs), "")


def _why_no_difference_of(name: str, inputs: QuantityInput) -> str:
    is_difference = inputs.subject.less is not None and not find(name).compares_with_pin
    return why_no_difference(name, *inputs.subject.encodings) if is_difference else ""


def why_no_difference(name: str, e: Encoding, other: Encoding) -> str:
    """Return why the difference of a quantity is undefined, or an empty string."""
    quantity = find(name)
    if not quantity.has_difference:
        return f"{name} is undefined for the difference of two encodings"
    return quantity.why_not_comparable(e, other)


def available_names(inputs: QuantityInput) -> tuple[str, ...]:
    """Return the names of the quantities that are defined for an input."""
    return tuple(name for name in names() if not unavailable_reason(name, inputs))


def check(name: str, inputs: QuantityInput) -> None:
    """Raise `EncodingError` if a quantity is undefined; skip expensive checks."""
    find(name).check(_with_options(name, inputs))


def data(name: str, inputs: QuantityInput) -> Data:
    """Return the data of a quantity, which computes its values on demand.

    Raise `EncodingError` if the quantity is undefined for the input. The message lists the
    available quantities.
    """
    return find(name).data(_with_options(name, inputs))


def curves(name: str, named_inputs: Iterable[tuple[str, QuantityInput]]) -> Data:
    """Return the curves of a quantity for several named inputs, with one column each.

    Inputs for which the curve is undefined are omitted, and the notes of the data state why. If all
    are omitted, raise the `EncodingError` of the first one.
    """
    with_curve, errors = _split_by_curve(name, named_inputs)
    if not with_curve:
        raise next(iter(errors.values()))
    columns = find(name).side_by_side(with_curve)
    return replace(columns, notes=(*_notes(errors), *columns.notes))


def omitted_curves(name: str, named_inputs: Iterable[tuple[str, QuantityInput]]) -> tuple[str, ...]:
    """Return sentences on the inputs that `curves` omits, with the reasons."""
    _, errors = _split_by_curve(name, named_inputs)
    return _notes(errors)


def _notes(errors: Mapping[str, EncodingError]) -> tuple[str, ...]:
    return tuple(f"{title} is not in the file: {error.fault}." for title, error in errors.items())


def _split_by_curve(
    name: str, named_inputs: Iterable[tuple[str, QuantityInput]]
) -> tuple[dict[str, QuantityInput], dict[str, EncodingError]]:
    with_curve: dict[str, QuantityInput] = {}
    errors: dict[str, EncodingError] = {}
    for title, inputs in named_inputs:
        unique_title, number = title, 1
        while unique_title in with_curve or unique_title in errors:
            number += 1
            unique_title = f"{title} ({number})"
        try:
            complete = _with_options(name, inputs)
            first = next(iter(with_curve.values()), complete)
            if problem := why_other_rows(first.encoding, inputs.encoding):
                raise EncodingError("pin", problem)
            in_domain = positions_in(inputs.positions, inputs.encoding.domain)
            if find(name).curve_axis == "positions" and not in_domain:
                inputs.encoding.require_rows(inputs.positions[0], inputs.positions[-1])
            find(name).check(complete)
        except EncodingError as error:
            errors[unique_title] = error
        else:
            with_curve[unique_title] = complete
    return with_curve, errors


def _with_options(name: str, inputs: QuantityInput) -> QuantityInput:
    if problem := _why_no_difference_of(name, inputs):
        raise EncodingError("show", problem, WITHOUT_DIFFERENCE)
    if problem := unavailable_reason(name, inputs):
        names = ", ".join(available_names(inputs))
        remedy = f"choose one of these: {names}" if names else "choose another encoding"
        raise EncodingError("what", problem, remedy)
    return inputs._replace(options=checked_options(name, inputs.options))


def of(
    name: str,
    e: Encoding,
    positions: range,
    metric: str = "cosine",
    reference: int = 0,
    **options: Any,
) -> Data:
    """Return the data of a quantity of one encoding; raise the errors of `data`.

    `options` contains options of the quantity, such as `k` for `shifted`.
    """
    subject = Subject(Show.CURRENT, e)
    return data(name, QuantityInput(subject, positions, metric, reference, options=options))
