"""The ticks of an axis, as many as fit."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pe_explorer.figures._look import ASCENT, BASE, GAP, TICK, Look
from pe_explorer.figures.page import Item, Typeset
from pe_explorer.params import printed
from pe_explorer.pictures.axis_numbers import (
    base_of,
    finest_step,
    multiples,
    notation,
    powers_of_ten,
    quarters,
    range_title,
    round_number,
    round_step,
    shorter_measures,
    texts_of_chosen,
    value_texts,
    whole_multiples,
    whole_text,
)
from pe_explorer.pictures.figure import PanelAxis

_APART = 2.0  # distance between lines of tick labels, in font sizes
_NAMES_APART = 1.2  # distance between lines of names, in font sizes
_GAP = 1.0  # gap between tick labels side by side, in font sizes
_MOST_LINES = 2  # maximum lines of a title
_MORE_LINES = 4  # maximum lines of a title of values, because shorter forms omit information
_MOST_NUMBERS = 9  # maximum tick labels of an axis, if the style sets no limit
_NEXT_SPACING = 1.0001  # factor that moves a number just above a spacing
_REMEMBERED = 512  # cache size; 80% of the requests repeat an axis while panels are being placed
_LONG = 20.0  # length of a y axis that has space for any tick labels, in font sizes
_ROOM_STEP = 0.4  # step of the width of tick labels, in font sizes
_LEAST_VALUE = "0.5"  # label that always fits, because the first layout does not know the values
_MOST_SPACINGS = 64  # maximum number of spacings that are tried, three for each power of ten


class Ticks(NamedTuple):
    """Numbers beside an axis."""

    axis: PanelAxis
    places: tuple[float, ...]  # coordinates on the axis
    texts: tuple[str, ...]
    titles: tuple[str, ...]  # titles from the longest form to the shortest
    counted: tuple[str, ...] = ()
    """The factor and origin of the tick labels in longer and shorter forms; empty if the labels are
    written in full."""
    room: float = 0.0  # width of the column of tick labels

    def like(self, other: Ticks) -> Ticks:
        """Return a copy of `other` without the ticks or labels that these ticks do not have."""
        if not self.places:
            return other._replace(places=(), texts=())
        return other if any(self.texts) else other._replace(texts=("",) * len(other.places))

    def retitled(self, title: list[str], badge: str, room: float, look: Look) -> list[str]:
        """Return a title with its badge, or without the badge if it needs another line."""
        if not title:
            return title
        for candidate in (badge, ""):
            if len(lines := self.title_lines(look, room, candidate)) <= len(title):
                return lines
        return title

    def title_lines(self, look: Look, room: float, badge: str = "") -> list[str]:
        """Return the lines of the longest title that fits, empty if none fits."""
        if not self.counted:  # shorter titles of values omit information
            return self._lines_of_values(look, room, badge)
        if lines := look.title_lines(self.titles, room, badge):
            return lines
        for forms in (self.titles, self.counted):
            if lines := look.lines_of(forms, room, _MOST_LINES):
                return lines
        return [self.counted[-1]]

    def _lines_of_values(self, look: Look, room: float, badge: str) -> list[str]:
        if look.omits("long titles"):
            return look.title_lines(self.titles, room)
        for form in self.titles:
            if lines := look.title_lines([form], room, badge):
                return lines
            if lines := look.lines_of([form], room, _MORE_LINES):
                return lines
        return []


class _Attempt(NamedTuple):
    places: list[float]
    texts: list[str]
    spacing: float = 0.0
    base: int = 0
    """Index of the tick from which the other ticks may be counted."""

    def every(self, stride: int) -> _Attempt:
        """Return every `stride`-th tick, including the base."""
        part = slice(self.base % stride, None, stride)
        return _Attempt(self.places[part], self.texts[part])


Attempts = Callable[[float], _Attempt]
"""Returns ticks with at least the given spacing."""


@lru_cache(_REMEMBERED)
def ticks_of(axis: PanelAxis, length: float, look: Look, *, upright: bool, unit: str = "") -> Ticks:
    """Return the ticks of an axis with a length in points."""
    return _new_ticks(axis, length, look, upright, unit)._replace(room=room_of(axis, look, unit))


def draw_numbers(
    ticks: Ticks, places: Sequence[float], edge: float, look: Look, side: str
) -> Iterator[Item]:
    """Yield ticks and tick labels along an edge; `side` is left, right, above or below."""
    size, is_before = look.size, side in ("left", "above")
    end = edge - TICK * size if is_before else edge + TICK * size
    ends = [[(at, place) for place in places] for at in sorted((edge, end))]
    if side in ("above", "below"):
        ends = [[pair[::-1] for pair in line] for line in ends]
    yield from look.rules(*ends)
    for place, text in zip(places, ticks.texts, strict=True):
        if not text:
            continue
        if side == "left":
            yield look.text(text, end - GAP * size, place + BASE * size, "end")
        elif side == "right":
            yield look.text(text, end + GAP * size, place + BASE * size)
        else:
            base = end - GAP * size if is_before else end + (GAP + ASCENT) * size
            yield look.text(text, place, base, "middle")


def _new_ticks(axis: PanelAxis, length: float, look: Look, upright: bool, unit: str) -> Ticks:
    if axis.origin is None:
        return _value_ticks(axis, length, look, upright, unit)
    return _whole_ticks(axis, axis.origin, length, look, upright)


@lru_cache(_REMEMBERED)
def room_of(axis: PanelAxis, look: Look, unit: str = "") -> float:
    """Return the width of the column of tick labels.

    The width grows in steps, so that a small change of the values does not move the axes.
    """
    lengths, widest = [_LONG], 0.0
    if axis.origin is None:  # few values may need longer labels than many, such as 1.5202·10⁻²
        lengths, widest = [_LONG, _LONG / 2, _LONG / 4], look.width(_LEAST_VALUE)
    for length in lengths:
        widest = max(
            widest, look.widest(_new_ticks(axis, length * look.size, look, True, unit).texts)
        )
    return math.ceil(widest / (_ROOM_STEP * look.size)) * _ROOM_STEP * look.size


@lru_cache(_REMEMBERED)
def key_of_axis(axis: PanelAxis, look: Look, unit: str = "") -> tuple[Any, ...]:
    """Return a key that is equal for axes with the same layout, even if their values differ."""
    if axis.names:
        return (axis,)
    ticks = ticks_of(axis, _LONG * look.size, look, upright=True, unit=unit)
    kind = axis.title, axis.own, axis.down, axis.powers, axis.origin is None
    return *kind, ticks.titles, ticks.counted, ticks.room, bool(ticks.places)


def _whole_ticks(axis: PanelAxis, origin: int, length: float, look: Look, upright: bool) -> Ticks:
    offset, power = notation(origin, axis.count)
    start = origin - offset
    if axis.names:
        return _name_ticks(axis, length, look, upright)

    def attempt(least: float) -> _Attempt:
        step = round_step(least)
        numbers = whole_multiples(origin, axis.low, axis.high, step)
        texts = [whole_text(start + number, power) for number in numbers]
        places = list(map(float, numbers))
        return _Attempt(places, texts, float(step))

    ticks = _fitting(attempt, axis, length, look, upright)
    factor = f" × 10^{{{power}}}" if power else ""
    kind = Typeset if power else str

    def titles_with(title: str) -> tuple[str, ...]:
        forms = range_title(title, offset, factor)
        return tuple(kind(form.strip(" :")) for form in forms)

    counted = titles_with("") if offset or power else ()
    titles = titles_with(axis.title) if look.labels else counted
    return _ticks(axis, ticks, titles, counted)


def _name_ticks(axis: PanelAxis, length: float, look: Look, upright: bool) -> Ticks:
    def attempt(least: float) -> _Attempt:
        step = round_step(least)
        numbers = [n for n in whole_multiples(0, axis.low, axis.high, step) if n < len(axis.names)]
        texts = [axis.names[number] for number in numbers]
        return _Attempt(list(map(float, numbers)), texts, float(step))

    ticks = _fitting(attempt, axis, length, look, upright, most=len(axis.names))
    return _ticks(axis, ticks, (axis.title,) if look.labels else ())


def _value_ticks(axis: PanelAxis, length: float, look: Look, upright: bool, unit: str) -> Ticks:
    brief, *_ = axis.title.split(",")
    with_unit = (f"{axis.title} ({unit})",) if unit else ()
    forms = (*with_unit, axis.title, *shorter_measures(axis.title), brief)
    titles = tuple(dict.fromkeys(forms)) if look.labels and axis.title else ()
    if math.isinf(axis.length):  # a file may contain the largest float64 values
        ends = [axis.low, axis.high]
        texts = [printed.rounded(end, 3) for end in ends]
        return _ticks(axis, _Attempt(ends, texts), titles)
    finest = finest_step(axis.low, axis.high)

    def attempt(least: float) -> _Attempt:
        if axis.powers:
            return _Attempt(*powers_of_ten(axis.low, axis.high, least))
        least = max(least, finest)
        spacing = quarters(least) if unit == "°" else round_number(least)
        values = multiples(axis.low, axis.high, spacing)
        base = base_of(values, spacing) or 0
        return _Attempt(values, value_texts(values, spacing), spacing, base)

    ticks = _fitting(attempt, axis, length, look, upright)
    return _ticks(axis, ticks, titles)


def _ticks(
    axis: PanelAxis, attempt: _Attempt, titles: tuple[str, ...], counted: tuple[str, ...] = ()
) -> Ticks:
    return Ticks(axis, tuple(attempt.places), tuple(attempt.texts), titles, counted)


def _fitting(
    attempts: Attempts,
    axis: PanelAxis,
    length: float,
    look: Look,
    upright: bool,
    most: int = _MOST_NUMBERS,
) -> _Attempt:
    length = max(length, 1.0)
    if axis.ticks is not None:
        return _custom_ticks(axis, length, look, upright)
    points = length / axis.length  # points per unit of the axis
    most = look.style.ticks or most

    def fits(attempt: _Attempt) -> bool:
        places, texts, *_ = attempt
        if len(places) < 2:
            return True
        if len(places) > most:  # checked first, because measuring the texts takes longer
            return False
        apart = min(second - first for first, second in itertools.pairwise(places)) * points
        apart_upright = _NAMES_APART if axis.names else _APART
        need = apart_upright * look.size if upright else _needed_room(texts, look)
        return apart >= need

    spacing = axis.length * min(1.0, look.size / length)
    previous = _Attempt([], [])
    for _ in range(_MOST_SPACINGS):
        attempt = attempts(spacing)
        if len(attempt.places) < 2:
            finer = previous if previous.places else attempts(spacing / 10)
            return _part_of(finer, fits) or attempt
        if fits(attempt):
            return attempt
        previous, spacing = attempt, attempt.spacing * _NEXT_SPACING
    return attempt


def chosen_texts(axis: PanelAxis) -> list[str]:
    """Return the tick labels of the values that the user chose."""
    if axis.names:
        return [axis.names[round(place)] for place in axis.custom_ticks]
    if axis.origin is None:
        return texts_of_chosen([*axis.custom_ticks.values()], powers=axis.powers)
    offset, power = notation(axis.origin, axis.count)
    return [whole_text(round(value) - offset, power) for value in axis.custom_ticks.values()]


def _custom_ticks(axis: PanelAxis, length: float, look: Look, upright: bool) -> _Attempt:
    """Return the chosen ticks, without labels that would touch the previous label."""
    places, texts, end = list(axis.custom_ticks), chosen_texts(axis), -math.inf
    for number, (place, text) in enumerate(zip(places, texts, strict=True)):
        middle = length * axis.part(place)
        half = _NAMES_APART * look.size / 2 if upright else _needed_room([text, text], look) / 2
        if middle - half < end:
            texts[number] = ""
        else:
            end = middle + half
    return _Attempt(places, texts)


def _part_of(finer: _Attempt, fits: Callable[[_Attempt], bool]) -> _Attempt | None:
    for stride in range(2, len(finer.places) + 1):
        part = finer.every(stride)
        if fits(part):
            return part
    return None


def _needed_room(texts: list[str], look: Look) -> float:
    pairs = itertools.pairwise(map(look.width, texts))
    widest = max((first + second) / 2 for first, second in pairs)
    return widest + _GAP * look.size
