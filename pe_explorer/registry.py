"""Discovery of the classes in a folder of modules: encodings, quantities, views."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def subclasses_in(package: str, path: Iterable[str], base: type[T]) -> list[type[T]]:
    """Return the subclasses of `base` that the modules of a package define.

    Private modules are not searched, so that they need not be loaded when the program starts.
    Base classes, which declare no `name`, and imported classes are left out.
    """
    classes: list[type[T]] = []
    for module in pkgutil.iter_modules(path):
        if not module.name.startswith("_"):
            classes += subclasses_of(f"{package}.{module.name}", base, "name")
    return classes


def subclasses_of(module: str, base: type[T], declares: str) -> list[type[T]]:
    """Return the subclasses of `base` that one module defines and that declare an attribute."""
    members = vars(importlib.import_module(module)).values()
    subclasses = [cls for cls in members if inspect.isclass(cls) and issubclass(cls, base)]
    return [cls for cls in subclasses if cls.__module__ == module and declares in vars(cls)]
