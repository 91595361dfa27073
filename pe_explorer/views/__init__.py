"""The views, one file each: the Qt half of the picture of the same name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pe_explorer import pictures
from pe_explorer.registry import subclasses_in
from pe_explorer.views.view import View

__all__ = ["View", "find", "names"]


@cache
def _views() -> Mapping[str, type[View]]:
    found = subclasses_in(__name__, __path__, View, declares="picture")
    own = {view.picture.name: view for view in found}
    return MappingProxyType({name: own[name] for name in pictures.names()})


def names() -> tuple[str, ...]:
    """Return the names of all views, the most important first."""
    return tuple(_views())


def find(name: str) -> type[View]:
    """Return the class of a view."""
    return _views()[name]
