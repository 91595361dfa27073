"""Tokens: a sentence as rows of numbers, and what the places of its words change."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from pe_explorer.analysis.tokens import join_with, moves, places_before, toy_width
from pe_explorer.analysis.word_vectors import toy_vectors
from pe_explorer.encodings import axes_of
from pe_explorer.pictures._columns import ShownColumns
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
from pe_explorer.pictures.inspection import Inspection, Outside
from pe_explorer.pictures.limits import limit_above, substitute_sentence, suited_colours
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.tokens import words
from pe_explorer.pictures.tokens.numbers import TokenNumbers, compute, cost
from pe_explorer.pictures.tokens.options import (
    COMPARED,
    TokenOptions,
    columns_of,
    joins_shown,
    why_none,
    with_sentence,
    word_width,
    words_shown,
)
from pe_explorer.words import FACTS, Facts, fact, require

_MOST_WORDS = 1 << 10  # words that are compared for a fact
_MARGIN = 0.03  # share of the value range left free above and below the curve
_MOVED = "how far the row has moved"


class Tokens(Picture[TokenOptions, TokenNumbers]):
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

    compares: ClassVar[bool] = True

    @cached_property
    def words_shown(self) -> range:
        """The numbers of the words shown."""
        return words_shown(self.options, self.state.count)

    @cached_property
    def columns(self) -> ShownColumns:
        """The columns shown of their rows."""
        return columns_of(self.options, self.encoding)

    @property
    def _substitute(self) -> Substitute | None:
        """Colours without a middle for weights of attention, which are never below 0."""
        if self.options.part != "attention":
            return None
        return suited_colours(self.options.values, symmetric=False)

    def lack(self) -> str:
        return why_none(self.options, self.encoding)[0]

    def remedy(self) -> str:
        return why_none(self.options, self.encoding)[1]

    def cost(self, size: Size) -> float:
        return cost(self.state, self.options, size)

    def numbers(self, size: Size, progress: threading.Event) -> TokenNumbers:
        return compute(self.state, self.options, size, progress)

    def figure(self, numbers: TokenNumbers) -> Figure:
        options, substitute = self.options, self._substitute
        sentence = words.changed(options, self.encoding, numbers)
        status = f"{words.status(self.state, options, numbers)} {sentence}".rstrip()
        return Figure(
            tuple(self._filled(panel, numbers) for panel in self.frame().panels),
            status=f"{status}{substitute_sentence(substitute)}",
            note=self._note(numbers),
            substitute=substitute,
            caption=sentence,
        )

    def _filled(self, panel: Panel, numbers: TokenNumbers) -> Panel:
        """Return a panel of the frame with its numbers."""
        if panel.name == "moved":
            return _curve_panel(panel, numbers)
        height, e, options = len(numbers.places) * numbers.block, self.encoding, self.options
        if panel.name == "rows":
            assert numbers.rows is not None
            _, title = words.titles(options, e)
            width, colours = numbers.dimensions, options.values
            cells = numbers.rows.cells(width, height, colours, title, numbered=True)
            entries = word_width(options, e) if options.join == "concatenation" else 0
            return panel._replace(
                cells=cells._replace(least=1.0),
                badge=words.badge(numbers, e.columns.plural, entries),
                hatched=self._without_rows(numbers),
            )
        image = numbers.similar[0 if panel.name == "before" else -1]
        title, substitute = words.compared_title(options), self._substitute
        colours = substitute.shown if substitute else options.values
        cells = image.cells(height, height, colours, title, numbered=True)
        cells = cells._replace(least=1.0 if options.part == "similarity" else 0.0)
        return panel._replace(cells=cells, badge=words.badge(numbers))

    def _without_rows(self, numbers: TokenNumbers) -> tuple[Rectangle, ...]:
        """Return where positions have no row, as beyond the end of a stored table."""
        e, options = self.encoding, self.options
        if words.is_everywhere(options, e):
            return ()
        left = 0
        if options.join == "concatenation":
            left = max(0, word_width(options, e) - numbers.first)
        width = numbers.dimensions - left
        block, rows, inside = numbers.block, len(numbers.words), numbers.inside
        first, end = (inside.start * block, inside.stop * block) if inside else (rows, rows)
        above = Rectangle(left - 0.5, -0.5, width, first)
        below = Rectangle(left - 0.5, end - 0.5, width, rows - end)
        return tuple(each for each in (above, below) if not each.empty)

    def _note(self, numbers: TokenNumbers) -> Note | None:
        """Return why no row is shown to have moved, or to be like another."""
        if self.options.part == "similarity":
            is_compared = any(np.isfinite(image.values).any() for image in numbers.similar)
            if is_compared or numbers.lacking or not numbers.inside:  # what has no row is hatched
                return None
            return Note("No two rows can be compared: a row of zeros has no direction.")
        if self.options.part != "moved" or np.isfinite(numbers.moves).any():
            return None
        if not self.options.before:
            way = "Drag a word to another place, or type the sentence before among the options"
            return Note(f"There is no sentence before to compare with. {way}.")
        return Note("No word that is shown has a row in both sentences.")

    def cursor_places(self) -> dict[str, PanelPlace]:
        shown, word = self.words_shown, self.state.position - self.state.start
        down = float(word - shown.start) if word in shown else None
        column = words.column_of(self.options, self.encoding, self.state.dimension)
        both = (down, down)
        return {
            "rows": (self.columns.place(column), down),
            "before": both,
            "after": both,
            "moved": (down, None),
        }

    def frame(self) -> Figure:
        options = self.options
        _, columns = axes_of(self.state.encoding)
        title = columns.name
        shown = self.words_shown if options.length else range(1)
        names = tuple(map(words.called, options.tokens[shown.start : shown.stop]))
        named = whole_numbers("word", 0, len(shown), names=names)
        first, dimensions = 0, 1
        key = query = "word"
        if options.part == "attention":
            key, query = words.attention_axes(options)
        before = after = ""
        if not self.is_lacking():
            e = self.encoding
            first, dimensions, _ = self.columns
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

    def exported(self) -> str:
        return self.options.part if self.options.part in COMPARED else "tokens"

    def also_shown(self, exported: str) -> tuple[str, ...]:
        return ("the similarity of the words",) if self.options.part == "both" else ()

    def inspect(self, progress: threading.Event) -> Inspection:
        return words.inspect(self.state, self.options, progress)

    def inspecting_takes_long(self) -> bool:
        return self.options.vectors is not None or super().inspecting_takes_long()

    def cursor_outside(self) -> Outside | None:
        return words.outside(self.state, self.name, self.options)

    def pointed_at(self, drawn: OnScreen | None, at: Pointer) -> Mapping[str, int]:
        """Return the position of the word at a point, and among the rows the dimension."""
        if drawn is None:
            return {}
        there: Tokens = drawn.picture  # under the mouse, while the next is computed
        shown = there.words_shown
        place = min(max(0, round(at.x if at.panel == "moved" else at.y)), len(shown) - 1)
        found = {"position": there.state.start + shown.start + place}
        if at.panel != "rows":
            return found
        column = there.columns.under(drawn.numbers.columns, at.x)
        dimension = words.dimension_at(there.options, there.encoding, column)
        return found if dimension is None else {**found, "dimension": dimension}

    def wheeled(self, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        """Show other columns, or more or fewer of the words."""
        options, there = self.options, self.words_shown
        if drawn is None:
            return {}
        if wheel.of_columns and "rows" in panels_of(options.part):
            return {"options": self.columns.zoomed(wheel.factor, wheel.x)}
        count = zoomed_count(len(there), wheel.factor, options.length)
        anchor = wheel.x if options.part == "moved" else wheel.y
        top = there.start + round((len(there) - count) * anchor)
        top = min(max(0, top), options.length - count)
        return {"count": count, "options": {"top": top}}

    def dragged(self, drawn: OnScreen | None, drag: Drag) -> Fields:
        """Move through words and columns."""
        options, there = self.options, self.words_shown
        if drawn is None:
            return {}
        part = drag.x if options.part == "moved" else drag.y
        top = there.start + drag.rows(-part * len(there))
        moved = {"top": min(max(0, top), options.length - len(there))}
        if "rows" in panels_of(options.part):
            moved.update(self.columns.moved(drag.columns(-drag.x * self.columns.dimensions)))
        return {"options": moved}


def panels_of(part: str) -> tuple[str, ...]:
    """Return the names of the panels of a part."""
    if part in COMPARED:
        return "before", "after"
    return ("rows", "after") if part == "both" else (part,)


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


# -- facts -----------------------------------------------------------------------------------------

FACTS["words"] = lambda of: Tokens(of.state).options.length


@fact
def farthest_move(of: Facts) -> float:
    """Return how far the row that has moved most is from where its word stood before."""
    options = Tokens(of.state).options
    how = join_with(options.join, of.e)
    require(options.before and how != "words" and options.length <= _MOST_WORDS)
    require(how != "turned" or options.words == "toy")
    of.require_few(options.length * of.e.width)
    places = places_before(options.tokens, options.tokens_before).tolist()
    found = [(word, place) for word, place in enumerate(places) if place >= 0]
    require(found)
    vectors = toy_vectors([options.tokens[word] for word, _ in found], toy_width(of.e))
    now, then = ([of.state.start + each for each in some] for some in zip(*found, strict=True))
    return float(moves(vectors, of.e, now, then, options.join).max())
