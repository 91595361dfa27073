"""All pictures, one folder each, without Qt; `names` lists them and `find` returns a class."""

import dataclasses
import itertools
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pe_explorer.exploration import Exploration, panes_of
from pe_explorer.params import ParameterError, declared, did_you_mean, not_one_of, quote_value
from pe_explorer.pictures.comparing import SideBySide
from pe_explorer.pictures.picture import AnyPicture, Picture
from pe_explorer.registry import subclasses_in


@cache
def _pictures() -> Mapping[str, type[AnyPicture]]:
    classes = sorted(subclasses_in(__name__, __path__, Picture), key=lambda kind: kind.rank)
    return MappingProxyType({kind.name: kind for kind in classes})


def names() -> tuple[str, ...]:
    """Return the names of all pictures, ordered by rank."""
    return tuple(_pictures())


def parse_names(text: str) -> tuple[str, ...]:
    """Parse a list of pictures for panes, such as ``heatmap,clocks``.

    Raises `ParameterError` for an unknown or repeated name, too many names, or none.
    """
    views = re.findall(r"[^\s,;]+", text)
    for name in views:
        if name not in names():
            raise ParameterError("panes", not_one_of(name, names()))
    return panes_of(views).views


def find(name: str) -> type[AnyPicture]:
    """Return the class of a picture."""
    return _pictures()[name]


def picture_of(name: str, state: Exploration) -> AnyPicture:
    """Return the picture of a view, or several pictures side by side if it compares encodings."""
    kind = find(name)
    return SideBySide(state, kind) if kind.compares else kind(state)


def shows_by_option(name: str) -> bool:
    """Return whether an option of the view, not of the window, selects the encodings shown."""
    return name in names() and "show" in declared(find(name).Options)


def with_options(state: Exploration, name: str, **fields: Any) -> Exploration:
    """Return the state with changed options of one picture; raises `ParameterError`."""
    options = find(name)(state).options
    options = dataclasses.replace(options, **options.rename_fields(fields))
    return state.with_(options={**state.options, name: options})


def unavailable_reason(
    name: str, fields: Mapping[str, Any], state: Exploration | None = None
) -> str:
    """Return why option values of a picture are unavailable on this machine, or an empty string.

    The exploration `state` can make further values available.
    """
    source: Any = find(name).Options if state is None else find(name)(state)
    return next(filter(None, itertools.starmap(source.unavailable_reason, fields.items())), "")


def next_available_view(name: str, state: Exploration) -> str:
    """Return the first view that is not open and has a picture, or an empty string."""
    open_views = (name, *state.panes.views) if state.panes else (name,)
    views = (view for view in names() if view not in open_views)
    return next((view for view in views if not picture_of(view, state).is_unavailable()), "")


def check(name: str, state: Exploration) -> None:
    """Raise `EncodingError` with a reason and a remedy if the state has no such picture."""
    views = (view for view in names() if view != name)
    picture_of(name, state).check((find(view).title, picture_of(view, state)) for view in views)
