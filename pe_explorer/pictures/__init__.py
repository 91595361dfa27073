"""All pictures, each in its own folder; they do not depend on Qt."""

import dataclasses
import itertools
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pe_explorer.exploration import Exploration, make_panes
from pe_explorer.params import ParameterError, declared, describe_bad_choice
from pe_explorer.pictures.comparing import SideBySidePicture
from pe_explorer.pictures.picture import AnyPicture, Picture
from pe_explorer.registry import find_subclasses_in


@cache
def _find_pictures() -> Mapping[str, type[AnyPicture]]:
    classes = sorted(find_subclasses_in(__name__, __path__, Picture), key=lambda kind: kind.rank)
    return MappingProxyType({kind.name: kind for kind in classes})


def names() -> tuple[str, ...]:
    """Return the names of all pictures, ordered by rank."""
    return tuple(_find_pictures())


def parse_names(text: str) -> tuple[str, ...]:
    """Parse the names of the pictures in panes, such as ``heatmap,clocks``.

    Raise `ParameterError` if a name is unknown or repeated, if no name is given, or if there
    are too many names.
    """
    views = re.findall(r"[^\s,;]+", text)
    for name in views:
        if name not in names():
            raise ParameterError("panes", describe_bad_choice(name, names()))
    return make_panes(views).views


def find(name: str) -> type[AnyPicture]:
    """Return the class of a picture."""
    return _find_pictures()[name]


def make_picture(name: str, state: Exploration) -> AnyPicture:
    """Return the picture of a view, a `SideBySidePicture` if the view compares encodings."""
    kind = find(name)
    return SideBySidePicture(state, kind) if kind.can_compare else kind(state)


def has_show_option(name: str) -> bool:
    """Return whether a view has its own option that selects the encodings to show."""
    return name in names() and "show" in declared(find(name).Options)


def with_options(state: Exploration, name: str, **fields: Any) -> Exploration:
    """Return a state in which some options of one picture are changed.

    Raise `ParameterError` if the value of an option is illegal.
    """
    options = find(name)(state).options
    options = dataclasses.replace(options, **options.rename_fields(fields))
    return state.with_(options={**state.options, name: options})


def unavailable_reason(
    name: str, fields: Mapping[str, Any], state: Exploration | None = None
) -> str:
    """Return why an option value in `fields` is unavailable on this machine.

    Return an empty string if all values are available. A value that this machine does not
    support is available if its result is stored for the exploration `state`.
    """
    source: Any = find(name).Options if state is None else find(name)(state)
    return next(filter(None, itertools.starmap(source.unavailable_reason, fields.items())), "")


def find_available_view(name: str, state: Exploration) -> str:
    """Return the first available view that is neither open nor `name`, or an empty string."""
    open_views = (name, *state.panes.views) if state.panes else (name,)
    views = (view for view in names() if view not in open_views)
    return next((view for view in views if not make_picture(view, state).is_unavailable()), "")


def check(name: str, state: Exploration) -> None:
    """Raise `EncodingError` with a reason and a remedy if the picture is unavailable."""
    views = (view for view in names() if view != name)
    make_picture(name, state).check((find(view).title, make_picture(view, state)) for view in views)
