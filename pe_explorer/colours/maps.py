"""Colour maps: perceptually uniform ones for values, cyclic ones for angles."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import numpy.typing as npt

from pe_explorer.assets import asset

__all__ = ["ANGLE_MAPS", "DIVERGING", "ORDER_MAP", "VALUE_MAPS", "table"]

VALUE_MAPS = {
    "blue-red": "diverging: -1 blue, 0 white, +1 red",
    "red-blue": "diverging: -1 red, 0 white, +1 blue",
    "viridis": "sequential, dark to bright, for colour-blind eyes too",
    "cividis": "sequential, made for colour-blind eyes",
    "grey": "sequential, for print",
}
"""Perceptually uniform maps for values, by name."""

DIVERGING = frozenset({"blue-red", "red-blue"})
"""Maps that are white in the middle, for values on both sides of 0."""

ANGLE_MAPS = {
    "cyclic": "magenta, yellow, green and blue, back to magenta",
    "cyclic-two": "cyclic in two hues, for colour-blind eyes",
}
"""Perceptually uniform maps that begin and end with the same colour."""

ORDER_MAP = "viridis"
"""The map for the order of positions."""

_REVERSED = {"red-blue": "blue-red"}


@cache
def table(name: str, size: int = 256) -> npt.NDArray[np.uint8]:
    """Return a colour map as RGB bytes, shape (size, 3), linear between its 256 colours."""
    if name in _REVERSED:
        return table(_REVERSED[name], size)[::-1].copy()
    rgb = bytes.fromhex(_maps()[name]["rgb"])
    stops = np.frombuffer(rgb, dtype=np.uint8).reshape(256, 3)
    places = np.linspace(0.0, 1.0, size)
    stop_places = np.linspace(0.0, 1.0, 256)
    channels = [np.interp(places, stop_places, stops[:, channel]) for channel in range(3)]
    return np.stack(channels, axis=1).astype(np.uint8)


@cache
def _maps() -> dict[str, dict[str, str]]:
    text = asset("colours/maps.json").read_text(encoding="utf-8")
    maps: dict[str, dict[str, str]] = json.loads(text)["maps"]
    return maps
