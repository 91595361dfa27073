"""Properties: the evidence for what encodings are wished to have, and who looks like whom."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.likeness import more_is_alike, title
from pe_explorer.colours.maps import backwards
from pe_explorer.encodings import axes_of, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import printed
from pe_explorer.pictures.distances import words as distance_words
from pe_explorer.pictures.figure import (
    Band,
    Cells,
    Curve,
    Figure,
    Mark,
    Panel,
    PanelAxis,
    PanelPlace,
    Rectangle,
    Substitute,
    whole_numbers,
)
from pe_explorer.pictures.gestures import Effects, Fields, OnScreen, Pointer
from pe_explorer.pictures.limits import substitute_sentence, suited_colours
from pe_explorer.pictures.named import every_encoding, named_encodings
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Room, Size, colour_indices
from pe_explorer.pictures.properties import words
from pe_explorer.pictures.properties.likeness import (
    MOST_NAMED,
    LikenessNumbers,
    alike_sentence,
    named,
)
from pe_explorer.pictures.properties.numbers import (
    COARSE_HEIGHT,
    PropertiesNumbers,
    PropertiesOptions,
    compute,
    cost,
)
from pe_explorer.pictures.properties.words import row_count
from pe_explorer.pictures.shown_positions import nearest_position, place_of_position, without_rows

_ABOVE, _GAP, _STRIP = 0.04, 0.05, 0.14  # heights over, under and of the strip: shares of the range


class Properties(Picture[PropertiesOptions, PropertiesNumbers]):
    """A table of evidence, and the likeness of all positions to that of the cursor."""

    name: ClassVar[str] = "properties"
    title: ClassVar[str] = "Properties"
    group: ClassVar[str] = "measure"
    rank: ClassVar[int] = 36
    help: ClassVar[str] = (
        "What a good encoding should have, with the evidence, and the positions most like that "
        "of the cursor. A click on evidence shows its place; wheel zooms, drag moves."
    )
    gestures: ClassVar[Effects] = (
        ("Click in the table", "Show the place of the evidence in other views"),
        ("Click on a look-alike", "Show it beside the cursor: measure distances from it"),
        ("Wheel", "Zoom the positions around the mouse"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Measure distances from that position"),
    )
    sides: ClassVar[tuple[str, str]] = ("to the left", "to the right")
    explored: ClassVar[tuple[str, ...]] = ("metric", "reference")
    coloured: ClassVar[frozenset[str]] = frozenset({"likeness"})
    fields: ClassVar[frozenset[str]] = Picture.fields | {
        "position",
        "reference",
        "metric",
        "pins",
        "name",
    }

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        shown = every_encoding(state), state.start, state.count
        return *shown, state.position, state.reference, state.metric, cls.options(state).part

    @classmethod
    def cost(cls, state: Exploration, size: Size) -> float:
        return cost(state, cls.options(state), size)

    @classmethod
    def coarser(cls, size: Size) -> Size:
        return Size(max(1, size.width // 2), COARSE_HEIGHT)

    @classmethod
    def size_in(cls, room: Room) -> Size:
        """Return the size as if it were high: a table below the panel changes no number."""
        return replace(room.panels[0], height=COARSE_HEIGHT + 1)

    @classmethod
    def compute(
        cls, state: Exploration, size: Size, cancelled: threading.Event
    ) -> PropertiesNumbers:
        """Return the evidence, and the likeness for so many pixels across."""
        return compute(state, cls.options(state), size, cancelled)

    @classmethod
    def figure(cls, state: Exploration, numbers: PropertiesNumbers) -> Figure:
        options, likeness = cls.options(state), numbers.likeness
        symmetric = likeness.limits[0] < 0
        substitute = suited_colours(options.values, symmetric=symmetric)
        (panel,) = cls.frame(state).panels
        measured = words.measured(state, numbers)
        alike = alike_sentence(state, likeness.alikes[0])
        parts = (
            alike,
            distance_words.undetermined(state, state.metric, likeness.curves).strip(),
            measured,
            _scales(likeness),
            substitute_sentence(substitute).strip(),
        )
        return Figure(
            (_filled(panel, state, likeness, substitute),),
            status=f"Properties: {' '.join(filter(None, parts))}",
            note=distance_words.note(likeness.note, likeness.rows, likeness.metric),
            substitute=substitute,
            table=words.table(state, options, numbers),
        )

    @classmethod
    def cursor_places(cls, state: Exploration) -> dict[str, PanelPlace]:
        return {"likeness": (place_of_position(state, state.position), None)}

    @classmethod
    def double_clicked(cls, state: Exploration, drawn: OnScreen | None, at: Pointer) -> Fields:
        """Measure distances from the position at a point."""
        return {"reference": nearest_position(state, at.x)}

    @classmethod
    def frame(cls, state: Exploration) -> Figure:
        rows, _ = axes_of(state.encoding)
        across = whole_numbers(rows.name, state.start, state.count)
        y = PanelAxis(_title(state), 0.0, 1.0)
        nothing = np.full((1, 1), np.nan)
        limits, colours = (-1.0, 1.0), cls.options(state).values
        place = Rectangle(-0.5, 0.0, state.count, 0.0)
        indices = colour_indices(nothing, limits)
        cells = Cells(nothing, indices, place, colours, limits, title(state.metric))
        return Figure((Panel("likeness", across, y, cells),))

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        return ("evidence" if cls.options(state).names_wishes else "likeness"), "current"

    @classmethod
    def also_shown(cls, state: Exploration) -> tuple[str, ...]:
        return ("the likeness",) if cls.options(state).names_wishes else ()


# -- the figure ------------------------------------------------------------------------------------


def _title(state: Exploration) -> str:
    rows, _ = axes_of(state.encoding)
    return title(state.metric, f"{rows.name} {printed.short(state.position)}")


def _filled(
    panel: Panel, state: Exploration, likeness: LikenessNumbers, substitute: Substitute | None
) -> Panel:
    """Return the panel with curves, and below them the strip in colours."""
    low, high = likeness.limits
    length = high - low
    strip = low - (_GAP + _STRIP) * length
    y = PanelAxis(_title(state), strip, high + _ABOVE * length)
    colours = substitute.shown if substitute else Properties.options(state).values
    if not more_is_alike(state.metric):
        colours = backwards(colours)  # bright or red is alike, by whatever metric
    values = likeness.curves[0][None]
    place = Rectangle(-0.5, strip, values.size * likeness.block, _STRIP * length)
    limits = likeness.colour_limits
    indices = colour_indices(values, limits)
    cells = Cells(values, indices, place, colours, limits, title(state.metric))
    return panel._replace(
        y=y,
        cells=cells if np.isfinite(values).any() else None,
        curves=tuple(_curves(state, likeness)),
        marks=tuple(_marks(state, likeness)),
        hatched=without_rows(state, likeness.block, require_known(state.encoding).domain, y),
        badge=distance_words.badge_of_curves(state, state.metric, likeness.block, likeness.bands),
    )


def _curves(state: Exploration, likeness: LikenessNumbers) -> Iterator[Curve]:
    """Yield the curves with their names and colours, the current one first."""
    for number, (_, name, brief, colour) in enumerate(named_encodings(state)):
        y, factor = likeness.curves[number], likeness.factors[number]
        x = likeness.block * np.arange(len(y), dtype=np.float64) + (likeness.block - 1) / 2
        lack = "" if np.isfinite(y).any() else f"no {title(state.metric)}"
        if len(y) == 1:  # one position: a level line is what can be seen
            x, y = np.array([-0.5, 0.5]), np.repeat(y, 2)
        scale = _scale(factor)
        names = f"{name}{scale}", f"{brief}{scale}"
        band = likeness.bands[number] if likeness.bands else None
        if band is not None:
            band = Band(factor * band.low, factor * band.high, band.exact)
        yield Curve(names[0], x, y * factor, colour, lack, names[1], band=band)


def _scale(factor: float) -> str:
    """Return what a curve's numbers are multiplied or divided by, an empty text for nothing."""
    if factor == 1:
        return ""
    sign, by = ("×", factor) if factor > 1 else ("÷", 1 / factor)
    return f" {sign} {printed.short(round(by))}"


def _scales(likeness: LikenessNumbers) -> str:
    """Return in a sentence that some curves are drawn smaller or larger, or an empty text."""
    if set(likeness.factors) == {1.0}:
        return ""
    return "Pins marked × or ÷ have a scale of their own."


def _marks(state: Exploration, likeness: LikenessNumbers) -> Iterator[Mark]:
    for position, label in named(likeness.alikes[0]):
        yield Mark(float(position - state.start), label, label)
