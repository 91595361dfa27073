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
    """Return the subclasses of `base` that the modules of a package define themselves.

    Modules whose name begins with an underscore hold what these share, and are passed over.
    """
    found: list[type[T]] = []
    for module in pkgutil.iter_modules(path, package + "."):
        if module.name.rpartition(".")[2].startswith("_"):
            continue
        members = vars(importlib.import_module(module.name)).values()
        found += [m for m in members if _is_own(m, base, module.name)]
    return found


def _is_own(member: object, base: type, module: str) -> bool:
    return inspect.isclass(member) and issubclass(member, base) and member.__module__ == module
