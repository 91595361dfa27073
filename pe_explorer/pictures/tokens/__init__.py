"""Tokens: a sentence as rows of numbers, and what the places of its words change."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from pe_explorer.encodings import axes_of, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.pictures._columns import columns_shown
from pe_explorer.pictures.comparing import ComparingPicture
from pe_explorer.pictures.figure import (
    Curve,
    Figure,
    Note,
    Panel,
    PanelAxis,
    PanelPlace,
    Rectangle,
    Substitute,
    whole_numbers,
)
from pe_explorer.pictures.gestures import (
    Drag,
    Effects,
    Fields,
    OnScreen,
    Pointer,
    Wheel,
    zoomed_count,
)
from pe_explorer.pictures.inspection import Outside
from pe_explorer.pictures.limits import limit_above, substitute_sentence, suited_colours
from pe_explorer.pictures.tokens import words
from pe_explorer.pictures.tokens.numbers import TokenNumbers, compute, cost
from pe_explorer.pictures.tokens.options import (
    COMPARED,
    TokenOptions,
    joins_shown,
    why_none,
    width_of,
    with_sentence,
    word_width,
    words_shown,
)

_MARGIN = 0.03  # share of the value range left free above and below the curve
_MOVED = "how far the row has moved"


class Tokens(ComparingPicture[TokenOptions, TokenNumbers]):
    """The rows of a sentence's words, how alike they are, and how far they have moved."""

    name: ClassVar[str] = "tokens"
    title: ClassVar[str] = "Tokens"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 16
    help: ClassVar[str] = (
        "Each word of a sentence is a row: its word vector and its position. Drag a word beside "
        "the rows to another place. Wheel zooms the words, drag moves, a click sets the cursor."
    )
    header: ClassVar[Mapping[str, bool]] = {"join": False, "part": False}
    gestures: ClassVar[Effects] = (
        ("Drag a word", "Move it to another place in the sentence"),
        ("Alt + arrow", "Move the word at the cursor by one place"),
        ("Wheel", "Zoom the words"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the columns of the rows"),
        ("Drag", "Move through words and columns"),
    )
    halved: ClassVar[tuple[str, ...]] = ("height",)
    coloured: ClassVar[frozenset[str]] = frozenset({"rows", "before", "after"})

    @classmethod
    def lack_one(cls, state: Exploration) -> str:
        return why_none(cls.options(state), require_known(state.encoding))[0]

    @classmethod
    def remedy(cls, state: Exploration) -> str:
        if remedy := super().remedy(state):
            return remedy
        return why_none(cls.options(state), require_known(state.encoding))[1]

    cost_one = staticmethod(cost)
    compute_one = staticmethod(compute)
    inspect_one = staticmethod(words.inspect)

    @classmethod
    def figure_one(cls, state: Exploration, numbers: TokenNumbers) -> Figure:
        frame, options = cls.frame_one(state), cls.options(state)
        panels = tuple(_filled(panel, state, options, numbers) for panel in frame.panels)
        sentence = words.changed(options, require_known(state.encoding), numbers)
        status = f"{words.status(state, options, numbers)} {sentence}".rstrip()
        substitute = _substitute(options)
        return Figure(
            panels,
            status=f"{status}{substitute_sentence(substitute)}",
            note=_note(options, numbers),
            substitute=substitute,
            caption=sentence,
        )

    @classmethod
    def places_one(cls, state: Exploration) -> dict[str, PanelPlace]:
        e, options = require_known(state.encoding), cls.options(state)
        shown = words_shown(options, state.count)
        word = state.position - state.start
        down = float(word - shown.start) if word in shown else None
        column = words.column_of(options, e, state.dimension)
        across = columns_shown(options, width_of(options, e)).place(column)
        both = (down, down)
        return {"rows": (across, down), "before": both, "after": both, "moved": (down, None)}

    @classmethod
    def frame_one(cls, state: Exploration) -> Figure:
        options = cls.options(state)
        _, columns = axes_of(state.encoding)
        title = columns.name
        shown = words_shown(options, state.count) if options.length else range(1)
        names = tuple(map(words.called, options.tokens[shown.start : shown.stop]))
        named = whole_numbers("word", 0, len(shown), names=names)
        first, dimensions = 0, 1
        key = query = "word"
        if options.part == "attention":
            key, query = words.attention_axes(options)
        before = after = ""
        if not cls.is_lacking(state):
            e = require_known(state.encoding)
            first, dimensions, _ = columns_shown(options, width_of(options, e))
            title, _ = words.titles(options, e)
            if options.part in COMPARED:
                before, after = (words.way_of(options, e, join) for join in joins_shown(options))
        down = replace(named, title=query, down=True)
        similar = Panel("after", replace(named, title=key), down, heading=after)
        parts = {
            "rows": Panel("rows", whole_numbers(title, first, dimensions), down),
            "before": similar._replace(name="before", heading=before, has_bar=False),
            "after": similar,
            "moved": Panel("moved", named, PanelAxis(_MOVED, 0.0, 1.0)),
        }
        return Figure(tuple(parts[name] for name in panels_of(options.part)))

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        part = cls.options(state).part
        return part if part in COMPARED else "tokens", cls.show(state)

    @classmethod
    def also_shown(cls, state: Exploration) -> tuple[str, ...]:
        return ("the similarity of the words",) if cls.options(state).part == "both" else ()

    @classmethod
    def inspecting_takes_long(cls, state: Exploration) -> bool:
        return cls.options(state).vectors is not None or super().inspecting_takes_long(state)

    @classmethod
    def cursor_outside(cls, state: Exploration) -> Outside | None:
        return words.outside(state, cls.name, cls.options(state))

    @classmethod
    def pointed_at(
        cls, state: Exploration, drawn: OnScreen | None, at: Pointer
    ) -> Mapping[str, int]:
        """Return the position of the word at a point, and among the rows the dimension."""
        if drawn is None:
            return {}
        there = drawn.state  # the picture under the mouse, while the next is computed
        e, options = require_known(there.encoding), cls.options(there)
        shown = words_shown(options, there.count)
        place = min(max(0, round(at.x if at.panel == "moved" else at.y)), len(shown) - 1)
        found = {"position": there.start + shown.start + place}
        if at.panel != "rows":
            return found
        shown_columns = columns_shown(options, width_of(options, e))
        column = shown_columns.under(drawn.numbers.columns, at.x)
        dimension = words.dimension_at(options, e, column)
        return found if dimension is None else {**found, "dimension": dimension}

    @classmethod
    def wheeled(cls, state: Exploration, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        """Show other columns, or more or fewer of the words."""
        options = cls.options(state)
        if drawn is None:
            return {}
        if wheel.of_columns and "rows" in panels_of(options.part):
            shown = columns_shown(options, width_of(options, require_known(state.encoding)))
            return {"options": shown.zoomed(wheel.factor, wheel.x)}
        there = words_shown(options, state.count)
        count = zoomed_count(len(there), wheel.factor, options.length)
        anchor = wheel.x if options.part == "moved" else wheel.y
        top = there.start + round((len(there) - count) * anchor)
        top = min(max(0, top), options.length - count)
        return {"count": count, "options": {"top": top}}

    @classmethod
    def dragged(cls, state: Exploration, drawn: OnScreen | None, drag: Drag) -> Fields:
        """Move through words and columns."""
        options = cls.options(state)
        if drawn is None:
            return {}
        there = words_shown(options, state.count)
        part = drag.x if options.part == "moved" else drag.y
        top = there.start + drag.rows(-part * len(there))
        moved = {"top": min(max(0, top), options.length - len(there))}
        if "rows" in panels_of(options.part):
            shown = columns_shown(options, width_of(options, require_known(state.encoding)))
            moved.update(shown.moved(drag.columns(-drag.x * shown.dimensions)))
        return {"options": moved}


def panels_of(part: str) -> tuple[str, ...]:
    """Return the names of the panels of a part."""
    if part in COMPARED:
        return "before", "after"
    return ("rows", "after") if part == "both" else (part,)


# -- the figure ----------------------------------------------------------------------------------


def _filled(
    panel: Panel, state: Exploration, options: TokenOptions, numbers: TokenNumbers
) -> Panel:
    """Return a panel of the frame with its numbers."""
    if panel.name == "moved":
        return _curve_panel(panel, numbers)
    height = len(numbers.places) * numbers.block
    e = require_known(state.encoding)
    if panel.name == "rows":
        assert numbers.rows is not None
        _, title = words.titles(options, e)
        width = numbers.dimensions
        entries = word_width(options, e) if options.join == "concatenation" else 0
        return panel._replace(
            cells=numbers.rows.cells(width, height, options.values, title, numbered=True)._replace(
                least=1.0
            ),
            badge=words.badge(numbers, e.columns.plural, entries),
            hatched=_without_rows(state, options, numbers),
        )
    image = numbers.similar[0 if panel.name == "before" else -1]
    title = words.compared_title(options)
    substitute = _substitute(options)
    colours = substitute.shown if substitute else options.values
    cells = image.cells(height, height, colours, title, numbered=True)
    least = 1.0 if options.part == "similarity" else 0.0
    cells = cells._replace(least=least)
    return panel._replace(cells=cells, badge=words.badge(numbers))


def _substitute(options: TokenOptions) -> Substitute | None:
    """Return colours without a middle for weights of attention, which are never below 0."""
    return suited_colours(options.values, symmetric=False) if options.part == "attention" else None


def _curve_panel(panel: Panel, numbers: TokenNumbers) -> Panel:
    """Return the panel of how far each row has moved."""
    y = numbers.moves
    x = numbers.block * np.arange(len(y), dtype=np.float64)
    if len(y) == 1:  # one word: a level line is what can be seen
        x, y = np.array([-0.5, 0.5]), np.repeat(y, 2)
    high = limit_above(y)
    axis = PanelAxis(_MOVED, -_MARGIN * high, (1 + _MARGIN) * high)
    badge = words.badge(numbers)
    return panel._replace(y=axis, curves=(Curve("moved", x, y),), badge=badge)


def _note(options: TokenOptions, numbers: TokenNumbers) -> Note | None:
    """Return why no row is shown to have moved, or to be like another."""
    if options.part == "similarity":
        is_compared = any(np.isfinite(image.values).any() for image in numbers.similar)
        if is_compared or numbers.lacking or not numbers.inside:  # what has no row is hatched
            return None
        return Note("No two rows can be compared: a row of zeros has no direction.")
    if options.part != "moved" or np.isfinite(numbers.moves).any():
        return None
    if not options.before:
        way = "Drag a word to another place, or type the sentence before among the options"
        return Note(f"There is no sentence before to compare with. {way}.")
    return Note("No word that is shown has a row in both sentences.")


def _without_rows(
    state: Exploration, options: TokenOptions, numbers: TokenNumbers
) -> tuple[Rectangle, ...]:
    """Return where positions have no row, as beyond the end of a stored table."""
    e = require_known(state.encoding)
    if words.is_everywhere(options, e):
        return ()
    left = max(0, word_width(options, e) - numbers.first) if options.join == "concatenation" else 0
    width = numbers.dimensions - left
    block, rows = numbers.block, len(numbers.words)
    inside = numbers.inside
    first, end = inside.start * block, inside.stop * block
    if not inside:
        first = end = rows
    above = Rectangle(left - 0.5, -0.5, width, first)
    below = Rectangle(left - 0.5, end - 0.5, width, rows - end)
    return tuple(each for each in (above, below) if not each.empty)
