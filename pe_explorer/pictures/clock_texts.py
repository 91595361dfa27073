"""The texts below clocks and in their tooltips: pair, wavelength, turns and angle."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pe_explorer.pictures.clock_face import Face

_WAVE_FORMS = (
    ("pair {} · λ {} positions", 4),
    ("pair {} · λ {}", 4),
    ("{} · λ {}", 4),
    ("{} · λ {}", 3),
    ("{} λ{}", 1),
)
"""How a clock is labelled, from the longest form to the shortest, and the digits of its length."""


def number(value: float, digits: int = 4) -> str:
    """Return a number in a short form, such as ``6.283``, ``54,412`` or ``6.28e12``."""
    if math.isinf(value):
        return "∞"
    size = abs(value)
    if size >= 10 ** (digits + 2) or 0 < size < 1e-4:
        return _with_power(value, min(digits, 3) - 1)
    if 0 < size < 1:
        return f"{value:.{digits}g}"
    whole = len(str(int(size)))
    decimals = max(0, digits - whole)
    return f"{value:,.{decimals}f}"


def _with_power(value: float, decimals: int) -> str:
    """Return a number with a power of ten, such as ``6.28e12``."""
    mantissa, _, exponent = f"{value:.{decimals}e}".partition("e")
    return f"{mantissa}e{int(exponent)}".replace("-", "−")


def count_text(whole: int, fraction: float, longest: int) -> str:
    """Return completed turns, never rounded up, in at most about `longest` characters."""
    hundredths = whole * 100 + int(fraction * 100)
    sign = "−" if hundredths < 0 else ""
    turns, rest = divmod(abs(hundredths), 100)
    exact = f"{sign}{turns:,}.{rest:02d} turns"
    rounded = f"{sign}{turns:,} turns"
    for text in (exact, rounded):
        if len(text) <= longest:
            return text
    short = f"{number(whole)} turns"
    return short if len(short) <= longest + 1 else f"{number(whole, 2)} turns"


def clock_text(
    face: Face, clock: int, position: int, turns: tuple[int, float], point: int | None
) -> str:
    """Return what can be read off a clock at a position, and one of its points, if there is one."""
    whole, fraction = turns
    dimensions = " and ".join(map(str, face.dimensions[clock]))
    degrees = f"{fraction * 360:.2f}°"
    lines = [
        f"Pair {face.grid.numbers[clock]}: dimensions {dimensions}",
        f"Wavelength λ = {number(lengths(face)[clock], 7)} positions",
        f"Frequency ω = {face.frequencies[clock]:.6g} rad per position",
        f"Angle at position {position:,}: {degrees} after {whole:,} turns",
    ]
    if point is not None:
        degrees = f"{_angle(face, clock, point):.1f}°"
        lines.append(f"This point: position {face.positions[point]:,}, {degrees}")
    return "\n".join(lines)


def _angle(face: Face, clock: int, point: int) -> float:
    """Return the angle of a point of a clock in degrees, from where the angle is zero."""
    right = float(face.x[point, clock])
    up = -float(face.y[point, clock])
    angle = math.atan2(right, up) if face.clockwise else math.atan2(up, right)
    return math.degrees(angle) % 360


def lengths(face: Face) -> list[float]:
    """Return the wavelength of each clock in positions, inf for one that stands still."""
    with np.errstate(divide="ignore", over="ignore"):
        found = 2 * np.pi / np.abs(face.frequencies)
    return [float(length) for length in found]


def wave_texts(face: Face) -> Iterator[list[str]]:
    """Yield number and wavelength of each clock in longer and shorter forms."""
    waves = list(zip(face.grid.numbers, lengths(face), strict=True))
    for form, digits in _WAVE_FORMS:
        yield [form.format(pair, number(length, digits)) for pair, length in waves]
