"""Finds what is declared in the files of a folder: schemes, quantities, views."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from typing import TypeVar

__all__ = ["subclasses_in"]

T = TypeVar("T")


def subclasses_in(package: str, path: Iterable[str], base: type[T]) -> list[type[T]]:
    """Return the subclasses of `base` that the modules of a package define, each with a `name`.

    Every module directly in the folder is looked at. A class without a `name` of its own is
    what others derive from, and is left out, like a class that a module merely imports.
    """
    found: list[type[T]] = []
    for module in pkgutil.iter_modules(path, package + "."):
        members = vars(importlib.import_module(module.name)).values()
        found += [member for member in members if _is_named(member, base, module.name)]
    return found


def _is_named(member: object, base: type, module: str) -> bool:
    if not inspect.isclass(member) or not issubclass(member, base):
        return False
    return member.__module__ == module and "name" in vars(member)
