"""The arrays of an encoding that can be exported, in one module per topic."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pe_explorer.analysis.comparison import (
    DIFFERENCE_REMEDY,
    ShowOption,
    Subject,
    choose_subject,
    explain_different_rows,
)
from pe_explorer.encodings import Encoding, EncodingError, Unknown
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.params import Parameter, ParameterError, describe_bad_choice, suggest_choice
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, join_tables
from pe_explorer.registry import find_subclasses_in


@cache
def _find_quantities() -> dict[str, type[Quantity]]:
    quantities = find_subclasses_in(__name__, __path__, Quantity)
    return {cls.name: cls for cls in sorted(quantities, key=lambda cls: cls.rank)}


def names() -> tuple[str, ...]:
    """Return the names of all quantities, most common first."""
    return tuple(_find_quantities())


def find(name: str) -> type[Quantity]:
    """Return the class of a quantity.

    Raise `EncodingError` if the name is unknown; the message suggests the closest name.
    """
    try:
        return _find_quantities()[name]
    except (KeyError, TypeError):
        raise EncodingError("what", describe_bad_choice(name, names())) from None


@cache
def options() -> Mapping[str, Parameter]:
    """Return the options of all quantities by name; options with the same name are equal."""
    parameters: dict[str, Parameter] = {}
    for quantity in _find_quantities().values():
        parameters |= quantity.options
    return parameters


def check_options(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked options of a quantity, with defaults for missing options.

    Options of other quantities are ignored. Raise `EncodingError` if a value is invalid, or
    if no quantity has one of the options.
    """
    if unknown_options := values.keys() - options().keys():
        option = min(unknown_options)
        hint = suggest_choice(option, options())
        raise EncodingError(option, f"is not an option of {name}{hint}")
    try:
        return {
            option: parameter.check(option, values.get(option, parameter.default))
            for option, parameter in find(name).options.items()
        }
    except ParameterError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None


def select_subject(
    name: str, show: str, e: Encoding | Unknown, pin_encoding: Encoding | Unknown | None
) -> Subject:
    """Return the subject that `show` selects.

    If the quantity always compares with the pin, ignore `show` and return the difference.
    Raise `EncodingError` if one of the encodings is unknown.
    """
    show = ShowOption.DIFFERENCE if find(name).is_pin_comparison else show
    return choose_subject(show, e, pin_encoding)


def unavailable_reason(name: str, inputs: QuantityInput) -> str:
    """Return why a quantity is undefined for an input, or an empty string if it is defined."""
    needs = map(find(name).need, inputs.subject.encodings)
    return _explain_no_difference(name, inputs) or next(filter(None, needs), "")


def _explain_no_difference(name: str, inputs: QuantityInput) -> str:
    is_difference = inputs.subject.subtrahend is not None and not find(name).is_pin_comparison
    return explain_no_difference(name, *inputs.subject.encodings) if is_difference else ""


def explain_no_difference(name: str, e: Encoding, pin_encoding: Encoding) -> str:
    """Return why the difference of a quantity is undefined, or an empty string if defined."""
    quantity = find(name)
    if not quantity.has_difference:
        return f"{name} is undefined for the difference of two encodings"
    return quantity.explain_mismatch(e, pin_encoding)


def list_available_names(inputs: QuantityInput) -> tuple[str, ...]:
    """Return the names of the quantities that are defined for an input."""
    return tuple(name for name in names() if not unavailable_reason(name, inputs))


def check(name: str, inputs: QuantityInput) -> None:
    """Raise `EncodingError` if a quantity is undefined, but skip expensive checks."""
    find(name).check(_with_checked_options(name, inputs))


def data(name: str, inputs: QuantityInput) -> Data:
    """Return the data of a quantity; its values are computed on demand.

    Raise `EncodingError` if the quantity is undefined for the input. The message lists the
    available quantities.
    """
    return find(name).data(_with_checked_options(name, inputs))


def curves(name: str, named_inputs: Iterable[tuple[str, QuantityInput]]) -> Data:
    """Return the curves of a quantity for several named inputs, with one column each.

    Inputs for which the curve is undefined are omitted, and the notes of the data give the
    reasons. If all inputs are omitted, raise the `EncodingError` for the first input.
    """
    curve_inputs, errors = _split_inputs(name, named_inputs)
    if not curve_inputs:
        raise next(iter(errors.values()))
    columns = find(name).join_data(curve_inputs)
    return replace(columns, notes=(*_format_notes(errors), *columns.notes))


def explain_omitted_curves(
    name: str, named_inputs: Iterable[tuple[str, QuantityInput]]
) -> tuple[str, ...]:
    """Return a sentence with the reason for each input that `curves` omits."""
    return _format_notes(_split_inputs(name, named_inputs)[1])


def _format_notes(errors: Mapping[str, EncodingError]) -> tuple[str, ...]:
    return tuple(f"{title} is not in the file: {error.fault}." for title, error in errors.items())


def _split_inputs(
    name: str, named_inputs: Iterable[tuple[str, QuantityInput]]
) -> tuple[dict[str, QuantityInput], dict[str, EncodingError]]:
    """Return the inputs for which the curve is defined, and the errors of the other inputs."""
    curve_inputs: dict[str, QuantityInput] = {}
    errors: dict[str, EncodingError] = {}
    for title, inputs in named_inputs:
        unique_title, number = title, 1
        while unique_title in curve_inputs or unique_title in errors:
            number += 1
            unique_title = f"{title} ({number})"
        try:
            complete_inputs = _with_checked_options(name, inputs)
            first_inputs = next(iter(curve_inputs.values()), inputs)
            if problem := explain_different_rows(first_inputs.encoding, inputs.encoding):
                raise EncodingError("pin", problem)
            positions = clip_positions(inputs.positions, inputs.encoding.domain)
            if find(name).curve_axis == "positions" and not positions:
                inputs.encoding.require_rows(inputs.positions[0], inputs.positions[-1])
            find(name).check(complete_inputs)
        except EncodingError as error:
            errors[unique_title] = error
        else:
            curve_inputs[unique_title] = complete_inputs
    return curve_inputs, errors


def _with_checked_options(name: str, inputs: QuantityInput) -> QuantityInput:
    if problem := _explain_no_difference(name, inputs):
        raise EncodingError("show", problem, DIFFERENCE_REMEDY)
    if problem := unavailable_reason(name, inputs):
        names = ", ".join(list_available_names(inputs))
        remedy = f"choose one of these: {names}" if names else "choose another encoding"
        raise EncodingError("what", problem, remedy)
    return inputs._replace(options=check_options(name, inputs.options))


def of(
    name: str,
    e: Encoding,
    positions: range,
    metric: str = "cosine",
    reference: int = 0,
    **options: Any,
) -> Data:
    """Return the data of a quantity for one encoding; see `data`.

    `options` contains options of the quantity, such as `k` for `shifted`.
    """
    subject = Subject(ShowOption.CURRENT, e)
    return data(name, QuantityInput(subject, positions, metric, reference, options=options))
