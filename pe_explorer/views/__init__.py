"""The views, one file each; `names` lists them, `find` returns their classes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pe_explorer.params import Declared
from pe_explorer.registry import subclasses_in
from pe_explorer.views.base import View

__all__ = ["View", "default_options", "find", "names"]


@cache
def _views() -> Mapping[str, type[View]]:
    found = subclasses_in(__name__, __path__, View)
    return MappingProxyType({view.name: view for view in sorted(found, key=lambda view: view.rank)})


def names() -> tuple[str, ...]:
    """Return the names of all views, the most important first."""
    return tuple(_views())


def find(name: str) -> type[View]:
    """Return the class of a view."""
    return _views()[name]


def default_options() -> dict[str, Declared]:
    """Return the options that every view starts with, by its name."""
    return {name: view.Options() for name, view in _views().items()}
