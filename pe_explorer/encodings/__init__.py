"""Positional encodings, one file per scheme.

>>> from pe_explorer import encodings
>>> e = encodings.create("sinusoidal", dim=128, base=1e4)
>>> e.table(range(50)).shape
(50, 128)
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from typing import Any

from pe_explorer.encodings._base import Encoding
from pe_explorer.encodings._positions import LIMIT, EncodingError
from pe_explorer.encodings._unknown import Unknown, known
from pe_explorer.params import declared, did_you_mean, shown

__all__ = ["LIMIT", "Encoding", "EncodingError", "Unknown", "create", "find", "known", "names"]


@cache
def _schemes() -> dict[str, type[Encoding]]:
    """Import every scheme's module (those without a leading underscore) and collect the schemes."""
    found = []
    for module in pkgutil.iter_modules(__path__, __name__ + "."):
        if not module.name.rpartition(".")[2].startswith("_"):
            members = vars(importlib.import_module(module.name)).values()
            found += [m for m in members if inspect.isclass(m) and issubclass(m, Encoding) and m.__module__ == module.name]
    return {scheme.name: scheme for scheme in sorted(found, key=lambda scheme: scheme.rank)}


def names() -> tuple[str, ...]:
    """Return the names of all encodings, the best known first."""
    return tuple(_schemes())


def find(name: str) -> type[Encoding]:
    """Return the class of an encoding, or raise `EncodingError` with the nearest name."""
    try:
        return _schemes()[name]
    except (KeyError, TypeError):
        hint = did_you_mean(name, names())
        raise EncodingError("encoding", f"{shown(name)} is not one of {', '.join(names())}{hint}") from None


def create(name: str, **parameters: Any) -> Encoding:
    """Return an encoding with the given parameters, the others at their defaults.

    Raises
    ------
    EncodingError
        For an unknown name or parameter, or a value outside its limits; the message names
        them, the limits and the nearest valid choice.
    """
    scheme = find(name)
    known = declared(scheme)
    for parameter in parameters:
        if parameter not in known:
            hint = did_you_mean(parameter, known)
            raise EncodingError(parameter, f"not a parameter of {name}, which has {', '.join(known)}{hint}")
    return scheme(**parameters)
