"""What the layer types of a model's configuration are explored as: one encoding, and pins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pe_explorer.configs import WITHOUT
from pe_explorer.encodings import Bias, Encoding, Waves
from pe_explorer.exploration.fields import MOST_PINS, PIN_COLOURS, Exploration, Pin
from pe_explorer.exploration.moves import first_look
from pe_explorer.exploration.panes import panes_of
from pe_explorer.params import one_line

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration

_MAIN_TYPES = ("all", "full_attention")
"""Layer types whose encoding becomes the current one, if there is one of them."""
MODEL_VIEWS = ("frequencies", "heatmap", "distances")
"""The views that show a model; frequencies only where its encoding has some."""
_UNKNOWN_LENGTH = 4096
"""Positions that are shown where nothing says how long the training was."""
_NAMELESS = "layers"
"""The name of a pin where the layer type has no letter in its own."""
_LONGEST_NAME = 60  # characters of a pin's name


def main_first(found: ReadConfiguration) -> dict[str, Encoding]:
    """Return the encodings by layer type, that of all layers or of those that see most first."""

    def sees(layer: str) -> tuple[bool, float]:
        window = found.layers[layer].window if layer in found.layers else None
        return layer in _MAIN_TYPES, math.inf if window is None else window

    main = max(found.encodings, key=sees)
    return {main: found.encodings[main], **found.encodings}


def pinned_layers(layers: Mapping[str, Encoding]) -> Exploration:
    """Return a first look at the first of some encodings; the others are pins of their names."""
    e, *others = layers.values()
    _, *names = layers
    pins = [
        Pin(other, one_line(name)[:_LONGEST_NAME].strip() or _NAMELESS, colour)
        for name, other, colour in zip(names, others, PIN_COLOURS, strict=False)
    ]
    state = Exploration()
    shown = first_look(state.encoding, e)
    return state.with_(encoding=e, pins=tuple(pins[:MOST_PINS]), **shown)


def explored(found: ReadConfiguration) -> Exploration:
    """Return the exploration that a configuration with encodings opens as.

    It shows the positions of training, or as many offsets up to 0, in panes that suit them.
    """
    layers = main_first(found)
    state, e = pinned_layers(layers), next(iter(layers.values()))
    length = found.trained or _UNKNOWN_LENGTH
    views = MODEL_VIEWS if isinstance(e, Waves) else MODEL_VIEWS[1:]
    arrangement = "over-two" if len(views) > 2 else "stacked"
    start = 1 - length if isinstance(e, Bias) else 0
    return state.with_(
        start=start,
        count=length,
        metric=e.suited_metric,
        panes=panes_of(views, arrangement),
    )


def sentence_of(found: ReadConfiguration) -> str:
    """Return which layer type is shown, which are pinned, and which have no positions."""
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
