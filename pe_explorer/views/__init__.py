"""The views, one file each: the Qt half of the picture of the same name."""

from __future__ import annotations

from functools import cache

from pe_explorer import pictures
from pe_explorer.registry import subclasses_of
from pe_explorer.views.view import View

__all__ = ["View", "find", "names"]


def names() -> tuple[str, ...]:
    """Return the names of all views, the most important first."""
    return pictures.names()


@cache
def find(name: str) -> type[View]:
    """Return the class of a view, from the file of that name, which is read only now."""
    (found,) = subclasses_of(f"{__name__}.{name}", View, declares="picture")
    assert found.picture is pictures.find(name)
    return found
