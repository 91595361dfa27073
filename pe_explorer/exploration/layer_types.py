"""Makes the layer types of a configuration the current encoding and pins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pe_explorer.configs import WITHOUT
from pe_explorer.encodings import Bias, Encoding, Steady
from pe_explorer.exploration.fields import MAX_PINS, Exploration, name_in_model
from pe_explorer.exploration.moves import initial_fields
from pe_explorer.exploration.opened_model import OpenedModel, names_of, ordered_layers, pin_name
from pe_explorer.exploration.panes import panes_of
from pe_explorer.exploration.pins import pinned
from pe_explorer.params import listed, one_line

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
    state = state.with_(encoding=e, **initial_fields(state.encoding, e))
    for name, other in others[:MAX_PINS]:
        state = state.with_(**pinned(state, other, pin_name(name)))
    return state.with_(compared=0)


def model_exploration(found: ReadConfiguration) -> Exploration:
    """Return the exploration for an opened configuration with encodings.

    It shows the positions of training, or as many offsets up to 0 if the encoding is a bias.
    """
    layers = ordered_layers(found)
    state, e = pinned_layers(layers), next(iter(layers.values()))
    length = found.trained or _UNKNOWN_LENGTH
    views = MODEL_VIEWS if isinstance(e, Steady) else _OTHER_VIEWS
    start = 1 - length if isinstance(e, Bias) else 0
    return state.with_(
        start=start,
        count=length,
        metric=e.suited_metric,
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
        state = state.with_(opened=opened, name=state.name or name_in_model(opened, state.encoding))
    room = MAX_PINS - first
    for layer, e in layers[:room]:
        name = f"{pin_name(layer)}, {other.label}" if len(layers) > 1 else other.label
        state = state.with_(**pinned(state, e, name))
    return state.with_(compared=first), tuple(pin_name(layer) for layer, _ in layers[room:])


def layers_sentence(found: ReadConfiguration) -> str:
    """Return sentences on which layer types are shown or pinned, and which have no positions."""
    main, *others = ordered_layers(found)
    parts = []
    if others:
        pins, left = others[:MAX_PINS], len(others) - MAX_PINS
        rest = f"; {left} more are left out" if left > 0 else ""
        verb = "is" if len(pins) == 1 else "are"
        names = listed(map(one_line, pins))
        parts.append(f"{one_line(main)} is shown; {names} {verb} pinned{rest}.")
    if WITHOUT in found.layers:
        without = len(found.layers[WITHOUT].indices)
        total = sum(len(layers.indices) for layers in found.layers.values())
        some = f"{without} of {total} layers" if without else "Some layers"
        parts.append(f"{some} have no positions.")
    return " ".join(parts)
