"""Colours of the light and dark themes, and of pins."""

from typing import NamedTuple

THEMES = {"system": "follow the system", "light": "dark on light", "dark": "light on dark"}
"""Descriptions of the themes of the window, by name."""


class Colours(NamedTuple):
    """The colours of views and widgets in one theme."""

    window: str
    base: str
    raised_background: str
    text: str
    muted: str
    line: str
    edge: str  # the edges of fields and panes; their contrast ratio to the background is at least 3
    accent: str
    accent_text: str
    cursor: str
    reference: str
    area_fill: str  # the fill of the area below a curve: one third accent, two thirds background


LIGHT = Colours(
    "#f4f5f7",
    "#ffffff",
    "#e9ebef",
    "#1c2127",
    "#5b6673",
    "#c9ced6",
    "#868d98",
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
    "#737b88",
    "#5aa9e6",
    "#0b1016",
    "#ffffff",
    "#f0a04b",
    "#2c485f",
)

PIN_SHADES = {
    "magenta": ("#d5548b", "#e590b7"),
    "green": ("#749a66", "#a3f9b5"),
    "gold": ("#8e6a25", "#f8d856"),
    "violet": ("#4f2163", "#8470e0"),
    "brown": ("#672d16", "#bc6b48"),
    "teal": ("#2a534d", "#5a8982"),
    "orange": ("#c6801b", "#e67934"),
    "ink": (LIGHT.text, DARK.text),
}
"""The colours of pins on light and on dark backgrounds.

They also differ from each other and from the accent in brightness, so that readers with protanopia,
deuteranopia or tritanopia can distinguish them.
"""
