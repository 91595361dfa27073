"""Finds what is declared in the files of a folder: schemes, quantities, views."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def subclasses_in(package: str, path: Iterable[str], base: type[T]) -> list[type[T]]:
    """Return the subclasses of `base` that the modules of a package define.

    Every module directly in the folder is searched, but for private ones, so that these need not
    be loaded when the program starts. A class that does not declare a `name` is a base class; it is
    left out, like a class that a module merely imports.
    """
    found: list[type[T]] = []
    for module in pkgutil.iter_modules(path):
        if not module.name.startswith("_"):
            found += subclasses_of(f"{package}.{module.name}", base, "name")
    return found


def subclasses_of(module: str, base: type[T], declares: str) -> list[type[T]]:
    """Return the subclasses of `base` that one module defines and that declare an attribute."""
    members = vars(importlib.import_module(module)).values()
    kinds = [each for each in members if inspect.isclass(each) and issubclass(each, base)]
    return [each for each in kinds if each.__module__ == module and declares in vars(each)]
