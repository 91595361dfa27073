"""Explorations and view options in which one declared value is changed."""

from dataclasses import replace

from pe_explorer.params import Choice, FileName, Numbers, Optional, Real, Text, Whole, declared


def another(parameter, value):
    """Return a legal value of a parameter that differs from the given one."""
    if isinstance(parameter, Optional):
        return None if value is not None else parameter.inner.default
    if isinstance(parameter, Choice):
        return next(choice for choice in parameter.choices if choice != value)
    if isinstance(value, bool):
        return not value
    if isinstance(parameter, FileName):
        return f"/{parameter.label}{parameter.endings[0]}" if not value else ""
    if isinstance(parameter, Text):
        return f"{value} more".strip()
    if isinstance(parameter, Numbers):
        return (*value, parameter.item.default)
    if value + 1 <= parameter.high:
        return value + 1
    return value - 1 if isinstance(parameter, Whole) else value / 2


def other_encoding(e):
    name = next(name for name, kind in declared(type(e)).items() if isinstance(kind, Real))
    return replace(e, **{name: another(declared(type(e))[name], getattr(e, name))})


def other_options(options):
    """Return a different value for each option of a view or field of an exploration, by name."""
    return {
        name: another(parameter, getattr(options, name))
        for name, parameter in declared(type(options)).items()
    }


def other_fields(state):
    """Return a different value for each field of an exploration with pins, by name."""
    encoding = other_encoding(state.encoding)
    return {**other_options(state), "encoding": encoding, "pins": state.pins[1:]}
