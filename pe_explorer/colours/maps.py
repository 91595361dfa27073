"""Colour maps for values, and cyclic maps for angles. Perceptually uniform maps come first."""

import json
from functools import cache

import numpy as np
import numpy.typing as npt

from pe_explorer.assets import find_asset

VALUE_MAPS = {
    "soft": "diverging: blue, white, red, equally bright at both ends",
    "blue-red": "diverging: blue, white, red, with dark ends",
    "red-blue": "diverging: red, white, blue, with dark ends",
    "viridis": "sequential, safe for colour-blind readers",
    "cividis": "sequential, designed for colour-blind readers",
    "grey": "sequential, for print",
    "coolwarm": "diverging: blue, grey, red, as in matplotlib",
    "coolwarm_r": "diverging: red, grey, blue, as in matplotlib",
    "RdBu": "diverging: red, white, blue, as in matplotlib",
    "RdBu_r": "diverging: blue, white, red, as in matplotlib",
}  # descriptions of colour maps for values, by name

DIVERGING_MAPS = frozenset(
    {"soft", "blue-red", "red-blue", "coolwarm", "coolwarm_r", "RdBu", "RdBu_r"}
)  # maps that are white or grey in the middle, for values on both sides of 0

ANGLE_MAPS = {
    "hues": "cyclic: pink, orange, green, blue, with nearly equal brightness",
    "cyclic": "cyclic: magenta, yellow, green, blue",
    "cyclic-two": "cyclic: two hues, safe for colour-blind readers",
    "hsv": "cyclic: red, yellow, green, blue, as in matplotlib; brightness varies",
}  # descriptions of colour maps for angles, whose two ends have (almost) the same colour

MATPLOTLIB_MAPS = frozenset(
    {"viridis", "viridis_r", "coolwarm", "coolwarm_r", "RdBu", "RdBu_r", "hsv"}
)  # maps with the names and colours of matplotlib; ``_r`` means reversed

ORDER_MAP = "viridis"  # the map that shows the order of positions

DARK_COLOUR_COUNT = 40
"""The number of colours at the start of `ORDER_MAP` that a dark background would hide."""


@cache
def table(name: str, size: int = 256) -> npt.NDArray[np.uint8]:
    """Return a colour map as RGB bytes, shape (size, 3).

    The 256 colours of a map are interpolated linearly. The name may also be a list of colours, such
    as ``#000000 #ffffff``.
    """
    stored_name = "blue-red" if name == "red-blue" else name.removesuffix("_r")
    if stored_name != name:
        return table(stored_name, size)[::-1].copy()
    digits = name.replace("#", "")
    if digits == name:
        maps = json.loads(find_asset("colours/maps.json").read_text(encoding="utf-8"))["maps"]
        digits = maps[name]["rgb"]
    stops = np.frombuffer(bytes.fromhex(digits), dtype=np.uint8).reshape(-1, 3)
    fractions = np.linspace(0.0, 1.0, size)
    stop_fractions = np.linspace(0.0, 1.0, len(stops))
    channels = [np.interp(fractions, stop_fractions, stops[:, channel]) for channel in range(3)]
    return np.stack(channels, axis=1).astype(np.uint8)


def reverse_map(name: str) -> str:
    """Return the name of the reversed map."""
    return name.removesuffix("_r") if name.endswith("_r") else f"{name}_r"


def make_order_table(*, has_dark_background: bool) -> npt.NDArray[np.uint8]:
    """Return `ORDER_MAP` as RGB bytes.

    If `has_dark_background` is true, omit the colours that are too dark for the background.
    """
    return table(ORDER_MAP)[DARK_COLOUR_COUNT if has_dark_background else 0 :]


@cache
def find_dark_colours(name: str, size: int = 256) -> npt.NDArray[np.bool_]:
    """Return whether white text is easier to read than black text on each colour of a map."""
    weights = np.array([299, 587, 114])  # contributions of red, green and blue to brightness, in ‰
    brightness: npt.NDArray[np.int64] = table(name, size) @ weights
    return brightness < 128_000
