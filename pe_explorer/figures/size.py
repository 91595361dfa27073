"""Sizes of figures as people write them: ``84x60mm``, ``3.3x2.4in``, ``1600x900``."""

from __future__ import annotations

import re
from typing import NamedTuple

from pe_explorer.params import ParameterError, quoted

__all__ = ["PIXELS_PER_INCH", "POINTS", "PRESETS", "FigureSize", "parse_figure_size"]

PIXELS_PER_INCH = 96.0
"""How large a size in pixels is on paper, as on the web."""
POINTS = {"mm": 72 / 25.4, "in": 72.0, "px": 72 / PIXELS_PER_INCH}
"""Points to a millimetre, an inch and a pixel."""

_LIMITS = {"mm": (20.0, 2000.0), "in": (0.8, 80.0), "px": (160, 16_384)}
_SIZE = re.compile(r"\s*(\d{1,6}(?:\.\d{1,4})?)\s*[x×,]\s*(\d{1,6}(?:\.\d{1,4})?)\s*(mm|in|px|)\s*")


class FigureSize(NamedTuple):
    """Width and height in a unit, which is ``mm``, ``in`` or ``px``."""

    width: float
    height: float
    unit: str = "px"

    @property
    def in_points(self) -> tuple[float, float]:
        """Width and height in points of 1/72 inch."""
        points = POINTS[self.unit]
        return points * self.width, points * self.height

    def __str__(self) -> str:
        unit = "" if self.unit == "px" else self.unit
        return f"{self.width:g}x{self.height:g}{unit}"


PRESETS = {
    "one-column": FigureSize(84, 60, "mm"),
    "two-columns": FigureSize(174, 90, "mm"),
    "slide": FigureSize(160, 90, "mm"),
    "square": FigureSize(120, 120, "mm"),
}
"""Sizes that have a name: columns of a journal, and a slide of 16:9.

A slide shows its figure about twice as large, so that texts of 8 points can be read there.
"""


def parse_figure_size(text: str) -> FigureSize:
    """Return the size that a text such as ``84x60mm`` means; without a unit, pixels.

    Raises
    ------
    ParameterError
        If it is no size, or one beyond the limits.
    """
    if match := _SIZE.fullmatch(text.lower()):
        width, height, unit = match.groups()
        size = FigureSize(float(width), float(height), unit or "px")
        low, high = _LIMITS[size.unit]
        if all(low <= side <= high for side in (size.width, size.height)):
            return size
        limits = f"each side has {low:g} to {high:g} {size.unit}"
        raise ParameterError("size", f"{quoted(text)}: {limits}; choose another size")
    example = "give width and height, such as 84x60mm, 3.3x2.4in or 1600x900"
    raise ParameterError("size", f"{quoted(text)} is not a size; {example}")
