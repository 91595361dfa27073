"""The views: one widget class for all pictures, and subclasses for special gestures."""

from functools import cache

from pe_explorer import pictures
from pe_explorer.registry import find_module_subclasses
from pe_explorer.views.page_view import PageView


def names() -> tuple[str, ...]:
    """Return the names of all views, most important first."""
    return pictures.names()


@cache
def find(name: str) -> type[PageView]:
    """Return the class of a view: for a plain picture a new class, otherwise that of its module."""
    picture = pictures.find(name)
    if picture.is_plain:
        return type(f"{picture.__name__}View", (PageView,), {"picture": picture})
    (view,) = find_module_subclasses(f"{__name__}.{name}", PageView, attribute_name="picture")
    assert view.picture is picture
    return view
