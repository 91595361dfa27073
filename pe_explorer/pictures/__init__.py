"""The pictures, one folder each, without Qt; `names` lists them, `find` returns their classes."""

import dataclasses
import itertools
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pe_explorer.exploration import Exploration, panes_of
from pe_explorer.params import ParameterError, declared, did_you_mean, quoted
from pe_explorer.pictures.comparing import SideBySide
from pe_explorer.pictures.picture import AnyPicture, Picture
from pe_explorer.registry import subclasses_in


@cache
def _pictures() -> Mapping[str, type[AnyPicture]]:
    found = subclasses_in(__name__, __path__, Picture)
    found.sort(key=lambda picture: picture.rank)
    return MappingProxyType({picture.name: picture for picture in found})


def names() -> tuple[str, ...]:
    """Return the names of all pictures, the most important first."""
    return tuple(_pictures())


def parse_names(text: str) -> tuple[str, ...]:
    """Return the names of pictures that a text such as ``heatmap,clocks`` lists for panes.

    Raises `ParameterError` if one is not known or named twice, or if they are too many or none.
    """
    listed = text.strip(" ,;")
    given = re.split(r"[\s,;]+", listed) if listed else []
    for name in given:
        if name not in names():
            remedy = did_you_mean(name, names()) or f"; choose from {', '.join(names())}"
            raise ParameterError("panes", f"{quoted(name)} is not the name of a view{remedy}")
    return panes_of(given).views


def find(name: str) -> type[AnyPicture]:
    """Return the class of a picture."""
    return _pictures()[name]


def picture_of(name: str, state: Exploration) -> AnyPicture:
    """Return what a view shows of a state: its picture, or several side by side."""
    kind = find(name)
    return SideBySide(state, kind) if kind.compares else kind(state)


def shows_by_option(name: str) -> bool:
    """Return whether an option of the view says which encodings are shown; not for the window."""
    return name in names() and "show" in declared(find(name).Options)


def with_options(state: Exploration, name: str, **fields: Any) -> Exploration:
    """Return the intention with other options of one picture, checked."""
    options = find(name)(state).options
    options = dataclasses.replace(options, **options.renamed(fields))
    return state.with_(options={**state.options, name: options})


def lack_of(name: str, fields: Mapping[str, Any], state: Exploration | None = None) -> str:
    """Return why options of one picture cannot be had on this machine, or an empty text.

    Some can be had of one exploration only, which is `state`.
    """
    picture = find(name)
    lack = picture.Options.lack_of if state is None else picture(state).lack_of
    return next(filter(None, itertools.starmap(lack, fields.items())), "")


def instead_of(name: str, state: Exploration) -> str:
    """Return the first view that has a picture and is not seen yet, an empty text for none."""
    seen = state.panes.views if state.panes else ()
    others = (other for other in names() if other not in (name, *seen))
    return next((other for other in others if not picture_of(other, state).is_lacking()), "")


def check(name: str, state: Exploration) -> None:
    """Raise `EncodingError` where an exploration has no such picture: why not, what to do."""
    others = (other for other in names() if other != name)
    picture_of(name, state).check((find(other).title, picture_of(other, state)) for other in others)
