"""Discovery of classes in the modules of a package: encodings, quantities, views."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def find_subclasses_in(package: str, path: Iterable[str], base: type[T]) -> list[type[T]]:
    """Return the named subclasses of `base` that the modules of a package define.

    Private modules are skipped, so that the program need not load them when it starts. Base
    classes, which have no `name`, and imported classes are also skipped.
    """
    classes: list[type[T]] = []
    for module in pkgutil.iter_modules(path):
        if not module.name.startswith("_"):
            classes += find_module_subclasses(f"{package}.{module.name}", base, "name")
    return classes


def find_module_subclasses(module: str, base: type[T], attribute_name: str) -> list[type[T]]:
    """Return the subclasses of `base` in one module that define the attribute `attribute_name`."""
    members = vars(importlib.import_module(module)).values()
    subclasses = [cls for cls in members if inspect.isclass(cls) and issubclass(cls, base)]
    return [cls for cls in subclasses if cls.__module__ == module and attribute_name in vars(cls)]
