"""Conversion of a configuration's layer types to the current encoding and pins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pe_explorer.configs import NO_POSITIONS
from pe_explorer.encodings import Bias, Encoding, Steady
from pe_explorer.exploration.fields import MAX_PINS, Exploration, find_layer_name
from pe_explorer.exploration.moves import find_initial_fields
from pe_explorer.exploration.opened_model import OpenedModel, name_layers, shorten_name, sort_layers
from pe_explorer.exploration.panes import make_panes
from pe_explorer.exploration.pins import add_pin
from pe_explorer.params import join_words, to_one_line

if TYPE_CHECKING:
    from pe_explorer.encodings import EncodedConfiguration

MODEL_VIEWS = ("frequencies", "context")
"""The views for a model whose encoding has frequencies."""
_GENERAL_VIEWS = ("heatmap", "distances")
_DEFAULT_POSITION_COUNT = 4096  # number of positions shown if the training length is unknown


def pin_layers(layers: Mapping[str, Encoding]) -> Exploration:
    """Return an exploration of the first encoding, with a pin for each other encoding."""
    (_, e), *other_layers = layers.items()
    state = Exploration()
    state = state.with_(encoding=e, **find_initial_fields(state.encoding, e))
    for name, encoding in other_layers[:MAX_PINS]:
        state = state.with_(**add_pin(state, encoding, shorten_name(name)))
    return state.with_(compared=0)


def make_model_exploration(meaning: EncodedConfiguration) -> Exploration:
    """Return the exploration for an opened configuration with encodings.

    The exploration shows as many positions as the training length. They start at 0, or are
    offsets that end at 0 for a bias.
    """
    layers = sort_layers(meaning)
    e, length = next(iter(layers.values())), meaning.trained or _DEFAULT_POSITION_COUNT
    return pin_layers(layers).with_(
        start=1 - length if isinstance(e, Bias) else 0,
        count=length,
        metric=e.preferred_metric,
        name=next(iter(name_layers(layers))),
        panes=make_panes(MODEL_VIEWS if isinstance(e, Steady) else _GENERAL_VIEWS, "stacked"),
    )


def add_comparison(state: Exploration, model: OpenedModel) -> tuple[Exploration, tuple[str, ...]]:
    """Return an exploration with the encodings of another configuration as pins.

    The first new pin becomes the compared pin. Also return the layer types that were not
    pinned, because the maximum number of pins was reached.
    """
    opened, pin_count, layers = state.opened, len(state.pins), list(model.layers.items())
    if isinstance(opened, OpenedModel):
        opened = replace(opened, compared=(*opened.compared, model))
        name = state.name or find_layer_name(opened, state.encoding)
        state = state.with_(opened=opened, name=name)
    free_pin_count = MAX_PINS - pin_count
    for layer, e in layers[:free_pin_count]:
        name = f"{shorten_name(layer)}, {model.label}" if len(layers) > 1 else model.label
        state = state.with_(**add_pin(state, e, name))
    excess_names = tuple(shorten_name(layer) for layer, _ in layers[free_pin_count:])
    return state.with_(compared=pin_count), excess_names


def describe_layers(meaning: EncodedConfiguration) -> str:
    """Describe which layer types are shown or pinned, and how many layers have no positions."""
    main_layer, *other_layers = sort_layers(meaning)
    parts = []
    if other_layers:
        pins, excess_count = other_layers[:MAX_PINS], len(other_layers) - MAX_PINS
        suffix = f"; {excess_count} more cannot be pinned" if excess_count > 0 else ""
        names = f"{join_words(map(to_one_line, pins))} {'is' if len(pins) == 1 else 'are'}"
        parts.append(f"{to_one_line(main_layer)} is shown; {names} pinned{suffix}.")
    if NO_POSITIONS in meaning.layers:
        count = len(meaning.layers[NO_POSITIONS].indices)
        total = sum(len(layers.indices) for layers in meaning.layers.values())
        subject = f"{count} of {total}" if count else "Some"
        parts.append(f"{subject} layers use no positional encoding.")
    return " ".join(parts)
