"""Tokens: a sentence as rows of values, and the effect of its word order."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.tokens import resolve_join
from pe_explorer.encodings import LIMIT, Bias, EncodingError, Rotary, find_axes
from pe_explorer.exploration import centre_range
from pe_explorer.pictures._columns import add_hidden_column
from pe_explorer.pictures.figure import Figure, Note, Panel, Substitute
from pe_explorer.pictures.gestures import Drag, Effects, Fields, Pointer, Snapshot, Wheel, zoom_span
from pe_explorer.pictures.inspection import HiddenCursor, Inspection, make_inspection
from pe_explorer.pictures.limits import (
    describe_substitute,
    find_colour_substitute,
    find_limit_above,
)
from pe_explorer.pictures.lines import Curve
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.places import PanelAxis, PanelPoint, Rectangle, make_whole_axis
from pe_explorer.pictures.tokens import words
from pe_explorer.pictures.tokens.numbers import TokenNumbers, compute, cost, shorten_word
from pe_explorer.pictures.tokens.options import COMPARED_PARTS, TokenOptions, with_sentence
from pe_explorer.pictures.tokens.sentence import Sentence, explain_no_rows
from pe_explorer.pictures.tokens.vectors import cache_vectors
from pe_explorer.words.texts import Wording

_MARGIN = 0.03  # margin above and below the curve, as a fraction of the value range
_MOVE_TITLE = "distance moved by the row"


class Tokens(Picture[TokenOptions, TokenNumbers]):
    """The rows of a sentence's words, their similarities or attention weights, or their moves."""

    name: ClassVar[str] = "tokens"
    title: ClassVar[str] = "Tokens"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 16
    help: ClassVar[str] = (
        "Each word of a sentence is a row that combines a word vector with a position."
    )
    header: ClassVar[Mapping[str, bool]] = {"join": False, "part": False}
    gestures: ClassVar[Effects] = (
        ("Drag a word", "Move the word to another place in the sentence"),
        ("Alt + arrow", "Move the word at the cursor by one place"),
        ("Wheel", "Zoom the words"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the columns of the rows"),
        ("Drag", "Move through words and columns"),
    )
    cost_sides: ClassVar[tuple[str, ...]] = ("height",)
    coloured_panels: ClassVar[frozenset[str]] = frozenset({"rows", "before", "after"})
    can_compare: ClassVar[bool] = True

    @property
    def shown_words(self) -> range:
        """The indices of the words shown."""
        return self.options.word_indices(self.state.count)

    @cached_property
    def sentence(self) -> Sentence:
        """The words at their positions."""
        return Sentence(self.options, self.encoding, self.state.start, self.state.count)

    @cached_property
    def _wording(self) -> Wording:
        return self.wording()

    @property
    def _substitute(self) -> Substitute | None:
        if self.options.part != "attention":
            return None
        return find_colour_substitute(self.options.values, symmetric=False)

    def explain_unavailability(self) -> str:
        return explain_no_rows(self.sentence)[0]

    def remedy(self) -> str:
        return explain_no_rows(self.sentence)[1]

    def cost(self, size: Size) -> float:
        return cost(self.sentence, size)

    def numbers(self, size: Size, progress: threading.Event) -> TokenNumbers:
        return compute(self.sentence, size, progress)

    def figure(self, numbers: TokenNumbers) -> Figure:
        wording, substitute = self.wording(numbers), self._substitute
        row = wording.text(f"row_{self.sentence.join_kind}")
        sentence = wording.text("changed") if self.options.previous_tokens else ""
        status = f"{wording.text('which')}, each a {row}.{wording.text('status')}"
        status = f"{status} {sentence}".rstrip()
        return Figure(
            tuple(self._fill_panel(panel, numbers, row) for panel in self.frame().panels),
            status=f"{status}{describe_substitute(substitute)}",
            note=self._note(numbers),
            substitute=substitute,
            caption=sentence,
        )

    def _fill_panel(self, panel: Panel, numbers: TokenNumbers, row: str) -> Panel:
        if panel.name == "moved":
            y = numbers.moves
            x = numbers.block * np.arange(len(y), dtype=np.float64)
            if len(y) == 1:  # draw a horizontal line, because a single point is invisible
                x, y = np.array([-0.5, 0.5]), np.repeat(y, 2)
            y_axis = panel.y.with_ends(0.0, find_limit_above(y), _MARGIN)
            curves = (Curve("moved", x, y),)
            return panel._replace(y=y_axis, curves=curves, badge=numbers.badge())
        height, options = len(numbers.places) * numbers.block, self.options
        if panel.name == "rows":
            assert numbers.rows is not None
            width = self.sentence.columns.dimensions
            cells = numbers.rows.cells(width, height, options.values, row, has_numbers=True)
            return panel._replace(
                cells=cells._replace(min_magnitude=self.min_magnitude),
                badge=numbers.badge(has_columns=True),
                hatched_areas=self._find_hatched_areas(numbers),
            )
        image = numbers.similarities[0 if panel.name == "before" else -1]
        colours = self._substitute.replacement if self._substitute else options.values
        title = self._wording.text("compared")
        cells = image.cells(height, height, colours, title, has_numbers=True)
        cells = cells._replace(min_magnitude=1.0 if options.part == "similarity" else 0.0)
        return panel._replace(cells=cells, badge=numbers.badge())

    def _find_hatched_areas(self, numbers: TokenNumbers) -> tuple[Rectangle, ...]:
        sentence, left = self.sentence, 0
        if sentence.has_no_positions:
            return ()
        if sentence.join_kind == "concatenation":
            left = max(0, sentence.word_width - sentence.columns.first)
        width = sentence.columns.dimensions - left
        block, rows, inside = numbers.block, len(sentence.word_indices), numbers.inside
        first, end = (inside.start * block, inside.stop * block) if inside else (rows, rows)
        above = Rectangle(left - 0.5, -0.5, width, first)
        below = Rectangle(left - 0.5, end - 0.5, width, rows - end)
        return tuple(part for part in (above, below) if not part.is_empty)

    def _note(self, numbers: TokenNumbers) -> Note | None:
        if self.options.part == "similarity":
            has_values = any(np.isfinite(image.values).any() for image in numbers.similarities)
            if has_values or numbers.missing_words or not numbers.inside:
                return None
            return Note("The similarity is undefined, because rows of zeros have no direction.")
        if self.options.part != "moved" or np.isfinite(numbers.moves).any():
            return None
        if not self.options.before:
            remedy = "Drag a word to another place, or enter an earlier sentence in the options"
            return Note(f"There is no earlier sentence to compare with. {remedy}.")
        return Note("No word shown has a row in both sentences.")

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        shown, word = self.shown_words, self.state.position - self.state.start
        row = float(word - shown.start) if word in shown else None
        dimension = self.sentence.find_dimension_column(self.state.dimension)
        column = self.sentence.columns.coordinate(dimension)
        diagonal = (row, row)
        return {"rows": (column, row), "before": diagonal, "after": diagonal, "moved": (row, None)}

    def frame(self) -> Figure:
        options, (_, columns) = self.options, find_axes(self.state.encoding)
        shown = self.shown_words if options.length else range(1)
        names = tuple(map(shorten_word, options.tokens[shown.start : shown.stop]))
        words = make_whole_axis("word", 0, len(shown), names=names)
        first, dimensions, title = 0, 1, columns.name
        key, query, before, after = "word", "word", "", ""
        if options.part == "attention" and not self.has_unknown_encoding():
            key, query = self._wording.text("key"), "query"
        if not self.is_unavailable():
            sentence, wording = self.sentence, self._wording
            first, dimensions, _ = sentence.columns
            title = wording.text(f"columns_{sentence.join_kind}") or title
            if options.part in COMPARED_PARTS:
                before, after = (wording.text(key) for key in self._list_heading_keys())
        queries = replace(words, title=query, is_downward=True)
        similarities = Panel("after", replace(words, title=key), queries, heading=after)
        panels = {
            "rows": Panel("rows", make_whole_axis(title, first, dimensions), queries),
            "before": similarities._replace(name="before", heading=before, has_bar=False),
            "after": similarities,
            "moved": Panel("moved", words, PanelAxis(_MOVE_TITLE, 0.0, 1.0)),
        }
        return Figure(tuple(panels[name] for name in options.panels))

    def _list_heading_keys(self) -> Iterator[str]:
        for join in self.options.joins:
            is_bias = isinstance(self.encoding, Bias) and join != "words"
            yield f"way_bias_{join}" if is_bias else f"way_{resolve_join(join, self.encoding)}"

    @property
    def min_magnitude(self) -> float:
        return 1.0  # typical magnitude of values in the rows

    def quantity_name(self) -> str:
        return self.options.part if self.options.part in COMPARED_PARTS else "tokens"

    def list_omitted_data(self, exported: str) -> tuple[str, ...]:
        return ("the similarity of the words",) if self.options.part == "both" else ()

    def inspect(self, progress: threading.Event) -> Inspection:
        e, state, length = self.encoding, self.state, self.options.length
        e.check_column(state.dimension)
        if not 0 <= state.position - state.start < length:
            position_text = f"the words are at {state.start:,} to {state.start + length - 1:,}"
            problem = f"there is no word at {e.rows.name} {state.position:,}; {position_text}"
            raise EncodingError(e.rows.name, problem)
        cache_vectors(self.options, progress)
        facts = words.make_value_facts(self.sentence, state.position, state.dimension)
        return make_inspection(self._wording.with_item(facts))._replace(formula=facts.formula)

    def is_inspection_slow(self) -> bool:
        return self.options.vectors is not None or super().is_inspection_slow()

    def find_hidden_cursor(self) -> HiddenCursor | None:
        state, options, sentence = self.state, self.options, self.sentence
        shown, word, rows = self.shown_words, state.position - state.start, None
        if not 0 <= word < options.length:
            # Centre the sentence on the cursor if possible.
            start = centre_range(state, options.length)["start"]
            fields: dict[str, Any] = {"start": start, "count": min(state.count, LIMIT + 1 - start)}
            shown, word = options.word_indices(fields["count"]), state.position - start
            rows = HiddenCursor(f"{state.position:,}, beyond the sentence", fields)
        elif word not in shown:
            side = "above" if word < shown.start else "below"
            rows = HiddenCursor(f"word {word + 1:,}, {side}", {})
        if rows and word not in shown:
            scrolled_options = replace(options, top=max(0, word - len(shown) // 2))
            all_options = {**state.options, self.name: scrolled_options}
            rows = rows._replace(fields={**rows.fields, "options": all_options})
        if "rows" not in options.panels:
            return rows
        title = f"{sentence.e.columns.name} {state.dimension:,}"
        column = sentence.find_dimension_column(state.dimension)
        return add_hidden_column(self, sentence.columns, column, title, rows)

    def find_pointer_fields(self, snapshot: Snapshot, pointer: Pointer) -> Mapping[str, int]:
        """Return the position of the word at a point and, in the panel of rows, the dimension."""
        if snapshot is None:
            return {}
        displayed_picture: Tokens = snapshot.picture  # may differ from `self` during a computation
        shown = displayed_picture.shown_words
        coordinate = pointer.x if pointer.panel == "moved" else pointer.y
        word = min(max(0, round(coordinate)), len(shown) - 1)
        cursor = {"position": displayed_picture.state.start + shown.start + word}
        if pointer.panel != "rows":
            return cursor
        sentence, e = displayed_picture.sentence, displayed_picture.sentence.e
        column = sentence.columns.find_column(snapshot.numbers.columns, pointer.x)
        if sentence.join_kind == "concatenation":
            column -= sentence.word_width  # negative for an element of a word vector
        elif isinstance(e, Rotary) and sentence.options.join != "positions" and column >= e.rotary:
            return cursor
        return {**cursor, "dimension": column} if 0 <= column < e.width else cursor

    def find_wheel_fields(self, snapshot: Snapshot, wheel: Wheel) -> Fields:
        options, shown = self.options, self.shown_words
        if snapshot is None or self.has_unknown_encoding():
            return {}
        if wheel.should_zoom_columns and "rows" in options.panels:
            return {"options": self.sentence.columns.find_zoom_options(wheel.factor, wheel.x)}
        count = zoom_span(len(shown), wheel.factor, options.length)
        anchor = wheel.x if options.part == "moved" else wheel.y
        top = shown.start + round((len(shown) - count) * anchor)
        top = min(max(0, top), options.length - count)
        return {"count": count, "options": {"top": top}}

    def find_drag_fields(self, snapshot: Snapshot, drag: Drag) -> Fields:
        options, shown = self.options, self.shown_words
        if snapshot is None or self.has_unknown_encoding():
            return {}
        fraction = drag.x if options.part == "moved" else drag.y
        top = shown.start + drag.rows(-fraction * len(shown))
        changes = {"top": min(max(0, top), options.length - len(shown))}
        if "rows" in options.panels:
            columns = self.sentence.columns
            changes |= columns.find_scroll_options(drag.columns(-drag.x * columns.dimensions))
        return {"options": changes}
