"""Which numbers stand beside an axis of a figure: as many as their widths leave room for."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

from pe_explorer.figures._look import Look
from pe_explorer.pictures.axis_numbers import (
    finest_step,
    multiples,
    notation,
    quarters,
    range_title,
    round_number,
    round_step,
    value_texts,
    whole_multiples,
    whole_text,
)
from pe_explorer.pictures.figure import Axis, Rectangle

__all__ = ["Ticks", "overhang", "ticks_of"]

_APART = 2.0  # from one line of numbers to the next, in font sizes
_BETWEEN = 1.0  # of numbers beside each other, in font sizes
_MOST = 9  # numbers beside an axis, if nothing else is wanted
_MORE = 1.0001  # the next larger spacing is above this one
_MOST_SPACINGS = 64  # that are tried: three for each power of ten


class Ticks(NamedTuple):
    """Numbers beside an axis.

    Attributes
    ----------
    places : tuple of float
        Where on the axis.
    texts : tuple of str
    titles : tuple of str
        What the axis is called, from the longest form to the shortest.
    """

    places: tuple[float, ...]
    texts: tuple[str, ...]
    titles: tuple[str, ...]


Attempt = Callable[[float], tuple[list[float], list[str], float]]
"""Returns places, texts and spacing of a spacing that is not below the one given."""


def ticks_of(axis: Axis, length: float, look: Look, *, upright: bool, unit: str = "") -> Ticks:
    """Return the numbers beside an axis that is so many points long."""
    if axis.origin is None:
        return _value_ticks(axis, length, look, upright, unit)
    return _whole_ticks(axis, axis.origin, length, look, upright)


def _whole_ticks(axis: Axis, origin: int, length: float, look: Look, upright: bool) -> Ticks:
    offset, power = notation(origin, axis.count)
    start = origin - offset

    def attempt(least: float) -> tuple[list[float], list[str], float]:
        step = round_step(least)
        numbers = whole_multiples(origin, axis.low, axis.high, step)
        texts = [whole_text(start + number, power) for number in numbers]
        return [float(number) for number in numbers], texts, float(step)

    places, texts = _fitting(attempt, axis, length, look, upright)
    factor = f" × 10^{{{power}}}" if power else ""
    title = axis.title if look.style.labels else ""
    forms = range_title(title, offset, factor)
    return Ticks(places, texts, tuple(form.strip(" ,") for form in forms))


def _value_ticks(axis: Axis, length: float, look: Look, upright: bool, unit: str) -> Ticks:
    finest = finest_step(axis.low, axis.high)

    def attempt(least: float) -> tuple[list[float], list[str], float]:
        least = max(least, finest)
        spacing = quarters(least) if unit == "°" else round_number(least)
        values = multiples(axis.low, axis.high, spacing)
        return values, value_texts(values, spacing), spacing

    places, texts = _fitting(attempt, axis, length, look, upright)
    title = f"{axis.title} ({unit})" if unit else axis.title
    return Ticks(places, texts, (title,) if look.style.labels else ("",))


def _fitting(
    attempt: Attempt, axis: Axis, length: float, look: Look, upright: bool
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return places and texts of the least spacing at which no two texts come close."""
    points = max(length, 1.0) / axis.length  # to a unit of the axis
    most = look.style.ticks or _MOST

    def fits(places: list[float], texts: list[str]) -> bool:
        if len(places) < 2:
            return True
        if len(places) > most:  # before their texts are measured, which takes longer
            return False
        need = _APART * look.size if upright else _needed(texts, look)
        return need <= (places[1] - places[0]) * points

    spacing = axis.length * min(1.0, look.size / max(length, 1.0))
    finer: tuple[list[float], list[str]] = ([], [])
    for _ in range(_MOST_SPACINGS):
        places, texts, found = attempt(spacing)
        if len(places) < 2 or fits(places, texts):
            break
        finer, spacing = (places, texts), found * _MORE
    if len(places) < 2:
        places, texts = _part_of(finer, fits) or (places, texts)
    return tuple(places), tuple(text.replace("-", "−") for text in texts)


def _part_of(
    finer: tuple[list[float], list[str]], fits: Callable[[list[float], list[str]], bool]
) -> tuple[list[float], list[str]] | None:
    """Return every second, third ... of some numbers: better than one or none of a coarser step."""
    places, texts = finer
    for stride in range(2, len(places) + 1):
        if fits(places[::stride], texts[::stride]):
            return places[::stride], texts[::stride]
    return None


def _needed(texts: list[str], look: Look) -> float:
    """Return how far apart the middles of texts beside each other have to be."""
    pairs = itertools.pairwise(texts)
    widths = [(look.width(one) + look.width(two)) / 2 for one, two in pairs]
    return max(widths, default=0.0) + _BETWEEN * look.size


def overhang(axis: Axis, ticks: Ticks, area: Rectangle, look: Look) -> float:
    """Return how far the last number along an area reaches beyond its right edge."""
    if not ticks.places:
        return 0.0
    part = (ticks.places[-1] - axis.low) / axis.length
    return max(0.0, look.width(ticks.texts[-1]) / 2 - (1.0 - part) * area.width)
