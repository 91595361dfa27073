"""Choose as many ticks for an axis as fit, and draw them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pe_explorer.figures._look import ASCENT, BASELINE, GAP, TICK_LENGTH, Look
from pe_explorer.figures.page import Item, TypesetText
from pe_explorer.params import printed
from pe_explorer.pictures.axis_numbers import (
    find_axis_notation,
    find_base_index,
    find_finest_step,
    find_quarter_step,
    find_round_number,
    find_round_step,
    format_chosen_values,
    format_integer,
    format_values,
    list_multiples,
    list_shorter_titles,
    list_whole_multiples,
    make_power_labels,
    make_range_title,
)
from pe_explorer.pictures.figure import PanelAxis

_LABEL_DISTANCE = 2.0  # minimum distance between tick labels on a y axis, in font sizes
_NAME_DISTANCE = 1.2  # minimum distance between names on a y axis, in font sizes
_GAP = 1.0  # minimum gap between tick labels side by side, in font sizes
_MAX_TITLE_LINES = 2  # maximum number of lines of a title
_MAX_VALUE_LINES = 4  # maximum for titles of axes of values, whose short forms omit information
_MAX_LABELS = 9  # maximum number of tick labels on an axis, if the style sets no limit
_SPACING_FACTOR = 1.0001  # factor that makes the next spacing slightly larger than the previous one
_CACHE_SIZE = 512  # maximum number of axes; layouts request the same ticks repeatedly
_LONG_AXIS_LENGTH = 20.0  # assumed length of a y axis whose tick labels are measured, in font sizes
_WIDTH_STEP = 0.4  # step to which the width of tick labels is rounded up, in font sizes
_PLACEHOLDER_LABEL = "0.5"  # label whose width is reserved while the values are unknown
_MAX_SPACINGS = 64  # maximum number of spacings to try; each power of ten has three


class Ticks(NamedTuple):
    """The ticks, tick labels and titles of an axis."""

    axis: PanelAxis
    places: tuple[float, ...]  # coordinates on the axis
    texts: tuple[str, ...]
    titles: tuple[str, ...]  # forms of the title, from longest to shortest
    origin_titles: tuple[str, ...] = ()
    """Titles with only the factor and origin of the tick labels, from longest to shortest;
    empty if the labels are complete numbers."""
    space: float = 0.0  # width reserved for tick labels, in points

    def restrict(self, ticks: Ticks) -> Ticks:
        """Return a copy of `ticks` that has ticks or labels only if `self` has them."""
        if not self.places:
            return ticks._replace(places=(), texts=())
        return ticks if any(self.texts) else ticks._replace(texts=("",) * len(ticks.places))

    def replace_badge(self, title: list[str], badge: str, space: float, look: Look) -> list[str]:
        """Return the lines of a title with `badge`, if this needs no additional line."""
        for candidate in (badge, "") if title else ():
            if len(lines := self.fit_title(look, space, candidate)) <= len(title):
                return lines
        return title

    def fit_title(self, look: Look, space: float, badge: str = "") -> list[str]:
        """Return the lines of the longest title that fits, or an empty list if no title fits.

        If the tick labels need an origin, return at least the shortest title with the origin.
        """
        if not self.origin_titles and look.omits("long titles"):
            return look.fit_title(self.titles, space)
        if not self.origin_titles:
            for form in self.titles:  # shorter titles of values omit information
                if lines := look.fit_title([form], space, badge):
                    return lines
                if lines := look.fit_lines([form], space, _MAX_VALUE_LINES):
                    return lines
            return []
        if lines := look.fit_title(self.titles, space, badge):
            return lines
        for forms in (self.titles, self.origin_titles):
            if lines := look.fit_lines(forms, space, _MAX_TITLE_LINES):
                return lines
        return [self.origin_titles[-1]]


class _Candidate(NamedTuple):
    """A set of candidate ticks for an axis."""

    places: list[float]
    texts: list[str]
    spacing: float = 0.0
    base: int = 0  # index of the tick to which the labels of the other ticks refer

    def take_every(self, stride: int) -> _Candidate:
        """Return every `stride`-th tick, including the base tick."""
        part = slice(self.base % stride, None, stride)
        return _Candidate(self.places[part], self.texts[part])


@lru_cache(_CACHE_SIZE)
def compute_ticks(
    axis: PanelAxis, length: float, look: Look, *, is_vertical: bool, unit: str = ""
) -> Ticks:
    """Return the ticks of an axis; `length` is in points."""
    ticks = _make_ticks(axis, length, look, is_vertical, unit)
    return ticks._replace(space=compute_label_space(axis, look, unit))


def draw_ticks(
    ticks: Ticks, places: Sequence[float], edge: float, look: Look, side: str
) -> Iterator[Item]:
    """Yield ticks and tick labels along an edge; `side` is left, right, above or below."""
    size = look.size
    end = edge - TICK_LENGTH * size if side in ("left", "above") else edge + TICK_LENGTH * size
    ends = [[(x, place) for place in places] for x in sorted((edge, end))]
    if side in ("above", "below"):
        ends = [[(place, y) for y, place in line] for line in ends]
    yield from look.rules(*ends)
    for place, text in zip(places, ticks.texts, strict=True):
        if not text:
            continue
        match side:
            case "left":
                yield look.text(text, end - GAP * size, place + BASELINE * size, "end")
            case "right":
                yield look.text(text, end + GAP * size, place + BASELINE * size)
            case "above":
                yield look.text(text, place, end - GAP * size, "middle")
            case "below":
                yield look.text(text, place, end + (GAP + ASCENT) * size, "middle")


def _make_ticks(axis: PanelAxis, length: float, look: Look, is_vertical: bool, unit: str) -> Ticks:
    """Return the ticks of an axis; their `space` is not set."""
    if axis.origin is None:
        return _make_value_ticks(axis, length, look, is_vertical, unit)
    return _make_integer_ticks(axis, axis.origin, length, look, is_vertical)


@lru_cache(_CACHE_SIZE)
def compute_label_space(axis: PanelAxis, look: Look, unit: str = "") -> float:
    """Return the width to reserve for tick labels.

    The width is rounded up to a step, so that small changes of the values do not move the
    axes.
    """
    lengths, width = [_LONG_AXIS_LENGTH], 0.0
    if axis.origin is None:  # short axes may have longer labels, such as 1.5202·10⁻²
        lengths += [_LONG_AXIS_LENGTH / 2, _LONG_AXIS_LENGTH / 4]
        width = look.width(_PLACEHOLDER_LABEL)
    for length in lengths:
        ticks = _make_ticks(axis, length * look.size, look, True, unit)
        width = max(width, look.max_width(ticks.texts))
    return math.ceil(width / (_WIDTH_STEP * look.size)) * _WIDTH_STEP * look.size


@lru_cache(_CACHE_SIZE)
def make_axis_key(axis: PanelAxis, look: Look, unit: str = "") -> tuple[Any, ...]:
    """Return a key that is equal for axes with the same layout, even if their values differ."""
    if axis.names:
        return (axis,)
    ticks = compute_ticks(axis, _LONG_AXIS_LENGTH * look.size, look, is_vertical=True, unit=unit)
    kind = axis.title, axis.original_name, axis.is_downward, axis.powers, axis.origin is None
    return *kind, ticks.titles, ticks.origin_titles, ticks.space, bool(ticks.places)


def _make_integer_ticks(
    axis: PanelAxis, origin: int, length: float, look: Look, is_vertical: bool
) -> Ticks:
    offset, power = find_axis_notation(origin, axis.count)

    def propose(min_spacing: float) -> _Candidate:
        step = find_round_step(min_spacing)
        if axis.names:
            multiples_of_step = list_whole_multiples(0, axis.low, axis.high, step)
            integers = [number for number in multiples_of_step if number < len(axis.names)]
            texts = [axis.names[number] for number in integers]
        else:
            integers = [*list_whole_multiples(origin, axis.low, axis.high, step)]
            texts = [format_integer(origin - offset + number, power) for number in integers]
        return _Candidate(list(map(float, integers)), texts, float(step))

    max_labels = len(axis.names) or _MAX_LABELS
    ticks = _fit_ticks(propose, axis, length, look, is_vertical, max_labels)
    if axis.names:
        return Ticks(axis, *ticks, (axis.title,) if look.has_titles else ())
    factor = f" × 10^{{{power}}}" if power else ""
    kind = TypesetText if power else str

    origin_titles = (kind(make_range_title("", offset, factor)),) if offset or power else ()
    title = kind(make_range_title(axis.title, offset, factor))
    titles = (title,) if look.has_titles else origin_titles
    return Ticks(axis, *ticks, titles, origin_titles)


def _make_value_ticks(
    axis: PanelAxis, length: float, look: Look, is_vertical: bool, unit: str
) -> Ticks:
    short_title, *_ = axis.title.split(",")
    unit_titles = (f"{axis.title} ({unit})",) if unit else ()
    forms = (*unit_titles, axis.title, *list_shorter_titles(axis.title), short_title)
    titles = tuple(dict.fromkeys(forms)) if look.has_titles and axis.title else ()
    if math.isinf(axis.length):  # the difference of two float64 values can overflow
        ends = axis.low, axis.high
        return Ticks(axis, ends, tuple(printed.format_rounded(end, 3) for end in ends), titles)
    finest_spacing = find_finest_step(axis.low, axis.high)

    def propose(min_spacing: float) -> _Candidate:
        if axis.powers:
            return _Candidate(*make_power_labels(axis.low, axis.high, min_spacing))
        min_spacing = max(min_spacing, finest_spacing)
        spacing = find_quarter_step(min_spacing) if unit == "°" else find_round_number(min_spacing)
        values = list_multiples(axis.low, axis.high, spacing)
        base = find_base_index(values, spacing) or 0
        return _Candidate(values, format_values(values, spacing), spacing, base)

    return Ticks(axis, *_fit_ticks(propose, axis, length, look, is_vertical, _MAX_LABELS), titles)


def _fit_ticks(
    propose: Callable[[float], _Candidate],
    axis: PanelAxis,
    length: float,
    look: Look,
    is_vertical: bool,
    max_labels: int,
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return the coordinates and labels of as many ticks as fit.

    `propose` returns candidate ticks with at least a given spacing.
    """
    length = max(length, 1.0)
    if axis.ticks is not None:
        return _make_custom_ticks(axis, length, look, is_vertical)
    points = length / axis.length  # points per unit of the axis
    max_labels = look.style.ticks or max_labels

    def fits(candidate: _Candidate) -> bool:
        places, texts, *_ = candidate
        if len(places) < 2:
            return True
        if len(places) > max_labels:  # checked first, because measuring the texts takes longer
            return False
        distance = min(second - first for first, second in itertools.pairwise(places)) * points
        min_distance = (_NAME_DISTANCE if axis.names else _LABEL_DISTANCE) * look.size
        return distance >= (min_distance if is_vertical else _find_min_distance(texts, look))

    spacing = axis.length * min(1.0, look.size / length)
    last_candidate = _Candidate([], [])
    for _ in range(_MAX_SPACINGS):
        candidate = propose(spacing)
        if len(candidate.places) < 2:
            finer_candidate = last_candidate if last_candidate.places else propose(spacing / 10)
            parts = map(finer_candidate.take_every, range(2, len(finer_candidate.places) + 1))
            candidate = next(filter(fits, parts), candidate)
            break
        if fits(candidate):
            break
        last_candidate, spacing = candidate, candidate.spacing * _SPACING_FACTOR
    return tuple(candidate.places), tuple(candidate.texts)


def format_custom_ticks(axis: PanelAxis) -> list[str]:
    """Return the labels of the ticks that the user chose."""
    if axis.names:
        return [axis.names[round(place)] for place in axis.custom_ticks]
    if axis.origin is None:
        return format_chosen_values([*axis.custom_ticks.values()], powers=axis.powers)
    offset, power = find_axis_notation(axis.origin, axis.count)
    return [format_integer(round(value) - offset, power) for value in axis.custom_ticks.values()]


def _make_custom_ticks(
    axis: PanelAxis, length: float, look: Look, is_vertical: bool
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return the coordinates and labels of the ticks that the user chose.

    A label is empty if it would touch the previous label.
    """
    places, texts, end = tuple(axis.custom_ticks), format_custom_ticks(axis), -math.inf
    for number, (place, text) in enumerate(zip(places, texts, strict=True)):
        middle = length * axis.part(place)
        size = _NAME_DISTANCE * look.size if is_vertical else _find_min_distance([text] * 2, look)
        if middle - size / 2 < end:
            texts[number] = ""
        else:
            end = middle + size / 2
    return places, tuple(texts)


def _find_min_distance(texts: list[str], look: Look) -> float:
    pairs = itertools.pairwise(map(look.width, texts))
    return max((first + second) / 2 for first, second in pairs) + _GAP * look.size
