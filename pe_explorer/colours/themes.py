"""The colours of the light and the dark theme, and those of pins."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

THEMES = MappingProxyType(
    {"system": "follow the system", "light": "dark on light", "dark": "light on dark"}
)
"""Themes of the window, and what they are."""


class Colours(NamedTuple):
    """What views and widgets draw with."""

    window: str
    base: str
    raised: str
    text: str
    muted: str
    line: str
    accent: str
    accent_text: str
    cursor: str
    reference: str
    filling: str
    """Below curves: the accent, two thirds of it the ground."""


LIGHT = Colours(
    "#f4f5f7",
    "#ffffff",
    "#e9ebef",
    "#1c2127",
    "#5b6673",
    "#c9ced6",
    "#1f6fb2",
    "#ffffff",
    "#0b0d10",
    "#b8500c",
    "#b4cfe5",
)
DARK = Colours(
    "#1d2025",
    "#15171b",
    "#2a2e35",
    "#e4e7ec",
    "#98a2b0",
    "#3d434d",
    "#5aa9e6",
    "#0b1016",
    "#ffffff",
    "#f0a04b",
    "#2c485f",
)

PIN_SHADES = {
    "magenta": ("#fb0ada", "#f523b4"),
    "green": ("#32a772", "#54fa84"),
    "gold": ("#817531", "#f1dd33"),
    "violet": ("#5a28e8", "#684fea"),
    "brown": ("#772e27", "#b24b2e"),
    "teal": ("#074762", "#0a7466"),
    "orange": ("#e17813", "#d48b18"),
    "ink": (LIGHT.text, DARK.text),
}
"""The colours of pins on light and on dark ground.

They differ from each other and from the accent in brightness, too, so that they are told
apart with protanopia, deuteranopia and tritanopia.
"""
