"""The views: the Qt half that every picture gets, and a file for each with gestures of its own."""

from functools import cache

from pe_explorer import pictures
from pe_explorer.registry import subclasses_of
from pe_explorer.views._plots import PlotView
from pe_explorer.views.view import View


def names() -> tuple[str, ...]:
    """Return the names of all views, the most important first."""
    return pictures.names()


@cache
def find(name: str) -> type[View]:
    """Return the class of a view.

    It comes from the file of that name, which is read only now; where the picture declares its
    plots, that is all that its view needs.
    """
    picture = pictures.find(name)
    if picture.plots:
        return type(f"{picture.__name__}View", (PlotView,), {"picture": picture})
    (found,) = subclasses_of(f"{__name__}.{name}", View, declares="picture")
    assert found.picture is picture
    return found
