"""Texts below clocks: pair, wavelength and turns."""

from collections.abc import Iterator

import numpy as np

from pe_explorer.params import printed
from pe_explorer.pictures.clock_face import ClockFaces

_LABEL_FORMATS = (
    ("pair {} · λ {} positions", 4),
    ("pair {} · λ {}", 4),
    ("{} · λ {}", 4),
    ("{} · λ {}", 3),
    ("{} λ{}", 1),
)  # formats of a clock's label, the longest first, with the number of digits of the wavelength


def format_count(turns: int, fraction: float, longest: int) -> str:
    """Format turns in about `longest` characters; do not round a fraction up to a whole turn."""
    hundredths_text = printed.turns(turns, fraction)
    for text in (hundredths_text, f"{hundredths_text.partition('.')[0]} turns"):
        if len(text) <= longest:
            return text
    for digits in (3, 2, 1):
        text = f"{printed.brief(turns, digits)} turns"
        if len(text) <= longest + 1:
            break
    return text


def list_lengths(face: ClockFaces) -> list[float]:
    """Return the wavelengths of the clocks in positions; inf for a pair that does not turn."""
    with np.errstate(divide="ignore", over="ignore"):
        return (2 * np.pi / np.abs(face.frequencies)).tolist()


def format_wave_labels(face: ClockFaces) -> Iterator[list[str]]:
    """Yield the labels of all clocks in each format, starting with the longest format."""
    waves = list(zip(face.grid.numbers, list_lengths(face), strict=True))
    for form, digits in _LABEL_FORMATS:
        yield [form.format(pair, printed.brief(length, digits)) for pair, length in waves]
