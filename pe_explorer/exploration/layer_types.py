"""Makes the layer types of a configuration the current encoding and pins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pe_explorer.configs import WITHOUT
from pe_explorer.encodings import Bias, Encoding, Steady
from pe_explorer.exploration.fields import MOST_PINS, Exploration, called
from pe_explorer.exploration.moves import first_look
from pe_explorer.exploration.opened_model import OpenedModel, main_first, names_of, readable
from pe_explorer.exploration.panes import panes_of
from pe_explorer.exploration.pins import pinned
from pe_explorer.params import one_line

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration

MODEL_VIEWS = ("frequencies", "context")
"""The views for a model whose encoding has frequencies."""
_OTHER_VIEWS = ("heatmap", "distances")
_UNKNOWN_LENGTH = 4096
"""The number of positions to show if the training length is unknown."""


def pinned_layers(layers: Mapping[str, Encoding]) -> Exploration:
    """Return an exploration of the first encoding, with the others as pins of the same name."""
    (_, e), *others = layers.items()
    state = Exploration()
    state = state.with_(encoding=e, **first_look(state.encoding, e))
    for name, other in others[:MOST_PINS]:
        state = state.with_(**pinned(state, other, readable(name)))
    return state.with_(compared=0)


def explored(found: ReadConfiguration) -> Exploration:
    """Return the exploration for an opened configuration with encodings.

    It shows the positions of training, or as many offsets up to 0 if the encoding is a bias.
    """
    layers = main_first(found)
    state, e = pinned_layers(layers), next(iter(layers.values()))
    length = found.trained or _UNKNOWN_LENGTH
    views = MODEL_VIEWS if isinstance(e, Steady) else _OTHER_VIEWS
    start = 1 - length if isinstance(e, Bias) else 0
    return state.with_(
        start=start,
        count=length,
        metric=e.preferred_metric,
        name=next(iter(names_of(layers))),
        panes=panes_of(views, "stacked"),
    )


def with_compared(state: Exploration, other: OpenedModel) -> tuple[Exploration, tuple[str, ...]]:
    """Return an exploration with the encodings of another configuration as pins.

    The first of them is compared. Also return the layer types that no pin is left for.
    """
    opened, first, layers = state.opened, len(state.pins), list(other.layers.items())
    if isinstance(opened, OpenedModel):
        opened = replace(opened, compared=(*opened.compared, other))
        state = state.with_(opened=opened, name=state.name or called(opened, state.encoding))
    room = MOST_PINS - first
    for layer, e in layers[:room]:
        name = f"{readable(layer)}, {other.label}" if len(layers) > 1 else other.label
        state = state.with_(**pinned(state, e, name))
    return state.with_(compared=first), tuple(readable(layer) for layer, _ in layers[room:])


def sentence_of(found: ReadConfiguration) -> str:
    """Return sentences on which layer types are shown or pinned, and which have no positions."""
    main, *others = main_first(found)
    parts = []
    if others:
        pins, left = others[:MOST_PINS], len(others) - MOST_PINS
        rest = f", {left} more are left out" if left > 0 else ""
        names = ", ".join(one_line(name) for name in pins)
        parts.append(f"{one_line(main)} is shown, {names} pinned{rest}.")
    if WITHOUT in found.layers:
        without = len(found.layers[WITHOUT].indices)
        total = sum(len(layers.indices) for layers in found.layers.values())
        some = f"{without} of {total} layers" if without else "Some layers"
        parts.append(f"{some} have no positions.")
    return " ".join(parts)
