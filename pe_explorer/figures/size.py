"""Parse and format sizes of figures: ``84x60mm``, ``3.3x2.4in``, ``1600x900``."""

import math
import re
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from pe_explorer.params import ParameterError, format_fault, format_real, quote_value
from pe_explorer.params.number_text import SpellingError, parse_real_number

MAX_PIXELS = 1 << 28
"""Maximum number of pixels in an image, or of computed cells in a PDF or SVG file."""
PIXELS_PER_INCH = 96.0  # pixels per inch of a size in pixels, as on the web
POINTS_PER_INCH = 72.0  # points per inch, as in PDF files
UNIT_POINTS = {
    "mm": POINTS_PER_INCH / 25.4,
    "in": POINTS_PER_INCH,
    "px": POINTS_PER_INCH / PIXELS_PER_INCH,
}  # points per millimetre, inch and pixel

_SIZE_LIMITS = {"mm": (20.0, 2000.0), "in": (0.8, 80.0), "px": (160, 16_384)}
_STEPS_PER_UNIT = {"mm": 1, "in": 10, "px": 1}
"""Number of steps per unit; sizes are rounded up to steps and increased by steps."""
_MAX_CHARACTERS = 100  # maximum number of characters in a size
_SIDE_PATTERN = r"([^x×⁰¹²³⁴-⁹]*?)\s*(mm|in|px)?\s*"
_COMMA_SIZE_PATTERN = re.compile(r"([^x×,]*),([^x×,]*)")  # a comma between width and height
_SIZE_PATTERN = re.compile(rf"{_SIDE_PATTERN}[x×]{_SIDE_PATTERN}", re.IGNORECASE)


class FigureSize(NamedTuple):
    """Width and height in a unit, which is ``mm``, ``in`` or ``px``."""

    width: float
    height: float
    unit: str = "px"

    @property
    def in_points(self) -> tuple[float, float]:
        """Width and height in points of 1/72 inch."""
        points = UNIT_POINTS[self.unit]
        return points * self.width, points * self.height

    def dpi(self, dpi: float) -> float:
        """Return the dots per inch of an image; `dpi` has no effect if the size is in pixels."""
        return PIXELS_PER_INCH if self.unit == "px" else dpi

    def density(self, dpi: float) -> float:
        """Return the number of computed pixels per point, which `MAX_PIXELS` limits."""
        width, height = self.in_points
        return min(dpi / POINTS_PER_INCH, math.sqrt(MAX_PIXELS / (width * height)))

    def __str__(self) -> str:
        unit = "" if self.unit == "px" else self.unit
        return f"{format_real(self.width)}x{format_real(self.height)}{unit}"


PRESETS = {
    "one-column": FigureSize(84, 60, "mm"),
    "two-columns": FigureSize(174, 90, "mm"),
    "slide": FigureSize(160, 90, "mm"),
    "square": FigureSize(120, 120, "mm"),
}  # named sizes for one or two columns of a journal, a 16:9 slide, and a square figure


def parse_figure_size(text: str) -> FigureSize:
    """Parse a size such as ``84x60mm`` or ``84mm x 60mm``; the default unit is pixels.

    Raises
    ------
    ParameterError
        If the text is not a size, or the size is outside the limits.
    """
    if size := _find_size(text):
        if _is_valid_size(size):
            return size
        low, high = _SIZE_LIMITS[size.unit]
        limits = f"sides from {low:g} to {high:g} {size.unit}"
        is_small = size.unit == "px" and min(size.width, size.height) < low
        remedy, millimetre_size = "choose another size", size._replace(unit="mm")
        if is_small and _is_valid_size(millimetre_size):
            remedy = f"for millimetres write {millimetre_size}"
        raise ParameterError("size", format_fault(limits, text), remedy)
    hint = "give width and height, such as 84x60mm, 3.3x2.4in or 1600x900"
    raise ParameterError("size", format_fault("a size", text), hint)


def _is_valid_size(size: FigureSize) -> bool:
    low, high = _SIZE_LIMITS[size.unit]
    return low <= min(size.width, size.height) and max(size.width, size.height) <= high


def _find_size(text: str) -> FigureSize | None:
    """Parse a size without checking its limits; return None if the text is not a size."""
    if len(text) > _MAX_CHARACTERS:
        return None
    if sides := _COMMA_SIZE_PATTERN.fullmatch(text):
        text = "x".join(sides.groups())
    match = _SIZE_PATTERN.fullmatch(text)
    if match is None:
        return None
    width, width_unit, height, height_unit = match.groups()
    unit = (height_unit or width_unit or "px").lower()
    if width_unit and width_unit.lower() != unit:
        return None
    try:
        size = FigureSize(parse_real_number(width), parse_real_number(height), unit)
    except SpellingError as error:
        if not error.remedy:
            return None
        raise ParameterError("size", f"{quote_value(text)}: {error.fault}", error.remedy) from None
    return size if size.width > 0 and size.height > 0 else None


def require_pixels(width: int, height: int) -> None:
    """Raise `ParameterError` if an image would have too many pixels."""
    if width * height > MAX_PIXELS:
        problem = f"{width:,} × {height:,} pixels exceed the limit of 2^28"
        remedy = "choose a smaller size or scale, fewer dots per inch, or a .pdf or .svg file"
        raise ParameterError("size", problem, remedy)


def find_smallest_size(size: FigureSize, fits: Callable[[FigureSize], bool]) -> FigureSize | None:
    """Return the smallest size that is at least `size` and for which `fits` is true.

    Increase only the height if this is enough, otherwise only the width, otherwise both.
    Return None if no size fits.
    """
    scale, (_, limit) = _STEPS_PER_UNIT[size.unit], _SIZE_LIMITS[size.unit]

    def enlarge(extra_width: int, extra_height: int) -> FigureSize:
        width = math.ceil(scale * size.width) + extra_width
        height = math.ceil(scale * size.height) + extra_height
        return FigureSize(width / scale, height / scale, size.unit)

    if fits(rounded_size := enlarge(0, 0)):  # for example, if an earlier call returned `size`
        return rounded_size
    max_side = max(size.width, size.height)
    for extra_width, extra_height, side in (
        (0, 1, size.height),
        (1, 0, size.width),
        (1, 1, max_side),
    ):
        max_steps = math.floor(scale * (limit - side))
        sizes = [
            enlarge(extra_width * steps, extra_height * steps) for steps in range(max_steps + 1)
        ]
        if fits(sizes[-1]):
            return sizes[bisect_left(sizes, True, key=fits)]
    return None
