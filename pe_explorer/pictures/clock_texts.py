"""Texts below clocks and in their tooltips: pair, wavelength, turns and angle."""

import math
from collections.abc import Iterator

import numpy as np

from pe_explorer.params import printed
from pe_explorer.pictures.clock_face import Face

_WAVE_FORMS = (
    ("pair {} · λ {} positions", 4),
    ("pair {} · λ {}", 4),
    ("{} · λ {}", 4),
    ("{} · λ {}", 3),
    ("{} λ{}", 1),
)
"""Labels of a clock, the longest first, with the digits of the wavelength."""


def count_text(whole: int, fraction: float, longest: int) -> str:
    """Return the completed turns, rounded down, in at most about `longest` characters."""
    hundredths = whole * 100 + int(fraction * 100)
    sign = "−" if hundredths < 0 else ""
    turns, rest = divmod(abs(hundredths), 100)
    for text in (f"{sign}{turns:,}.{rest:02d} turns", f"{sign}{turns:,} turns"):
        if len(text) <= longest:
            return text
    for digits in (3, 2, 1):
        text = f"{printed.brief(whole, digits)} turns"
        if len(text) <= longest + 1:
            break
    return text


def clock_text(
    face: Face, clock: int, position: int, turns: tuple[int, float], point: int | None
) -> str:
    """Return the tooltip of a clock at a position, including a point if one is given."""
    whole, fraction = turns
    dimensions = " and ".join(map(str, face.dimensions[clock]))
    where, turned = printed.whole(position), printed.whole(whole)
    lines = [
        f"Pair {face.grid.numbers[clock]}: dimensions {dimensions}",
        f"Wavelength λ = {printed.brief(lengths(face)[clock], printed.FINE_DIGITS)} positions",
        f"Frequency ω = {printed.fine(face.frequencies[clock])} rad per position",
        f"Angle at position {where}: {fraction * 360:.2f}° after {turned} turns",
    ]
    if point is not None:
        right, up = float(face.x[point, clock]), -float(face.y[point, clock])
        angle = math.atan2(right, up) if face.clockwise else math.atan2(up, right)
        degrees = f"{math.degrees(angle) % 360:.1f}°"
        lines.append(f"This point: position {printed.whole(face.positions[point])}, {degrees}")
    return "\n".join(lines)


def lengths(face: Face) -> list[float]:
    """Return the wavelength of each clock in positions, inf if it never turns."""
    with np.errstate(divide="ignore", over="ignore"):
        wavelengths: list[float] = (2 * np.pi / np.abs(face.frequencies)).tolist()
    return wavelengths


def wave_texts(face: Face) -> Iterator[list[str]]:
    """Yield the labels of all clocks with pair and wavelength, the longest form first."""
    waves = list(zip(face.grid.numbers, lengths(face), strict=True))
    for form, digits in _WAVE_FORMS:
        yield [form.format(pair, printed.brief(length, digits)) for pair, length in waves]
