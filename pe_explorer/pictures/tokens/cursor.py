"""What the view of tokens says of the cursor: its word, the formula of its cell, its move."""

import math
import threading
from dataclasses import replace
from typing import Any

import numpy as np

from pe_explorer.analysis.tokens import join_with, moves, places_before
from pe_explorer.analysis.word_vectors import key_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, EncodingError, Rotary, require_known
from pe_explorer.exploration import Exploration, centred
from pe_explorer.params import FileName, one_line, printed
from pe_explorer.pictures._columns import columns_shown
from pe_explorer.pictures.inspection import Inspection, Outside, Value, signed, values_of
from pe_explorer.pictures.tokens.numbers import row_at
from pe_explorer.pictures.tokens.options import (
    TokenOptions,
    width_of,
    word_width,
    words_shown,
)
from pe_explorer.pictures.tokens.vectors import read_vectors
from pe_explorer.pictures.tokens.words import called

_HELP = {
    "Word": "The token at this position.",
    "Value": "The number in the cell: of the row that the chosen join makes.",
    "Entry": "The number of the word vector in this dimension.",
    "Position": "The number of the position's row in this dimension.",
    "Moved": "How far the row is from that of the same word in the sentence before.",
}


def column_of(options: TokenOptions, e: Encoding, dimension: int) -> int:
    """Return the column of a token's row that shows a dimension of the encoding."""
    if options.join == "concatenation":
        return word_width(options, e) + dimension
    if isinstance(e, Rotary) and options.join != "positions":
        return dimension % e.rotary  # cosine and sine turn one channel
    return dimension


def dimension_at(options: TokenOptions, e: Encoding, column: int) -> int | None:
    """Return the dimension that a column shows, None for an entry of a word vector alone."""
    if options.join == "concatenation":
        column -= word_width(options, e)
    elif isinstance(e, Rotary) and options.join != "positions" and column >= e.rotary:
        return None
    return column if 0 <= column < e.width else None


def inspect(state: Exploration, options: TokenOptions, cancelled: threading.Event) -> Inspection:
    """Return the word at the cursor, its numbers and how they come about."""
    e, word = require_known(state.encoding), state.position - state.start
    e.checked_column(state.dimension)
    if not 0 <= word < options.length:
        last = state.start + options.length - 1
        where = f"the words are at the {e.rows.plural} {state.start:,} to {last:,}"
        problem = f"there is no word at {e.rows.name} {state.position:,}; {where}"
        raise EncodingError(e.rows.name, problem)
    text, p, j = options.tokens[word], state.position, state.dimension
    read_vectors(options, cancelled)
    vector, row = row_at(state, options, word)
    how, column = join_with(options.join, e), column_of(options, e, j)
    entry = float(vector[column]) if column < len(vector) else math.nan
    values = [Value("Word", text, _HELP["Word"])]
    lines: tuple[str, ...] = ()
    number = entry
    if how != "words":
        e.require_rows(p, p)
        number = float(row[column])
        lines = e.explain(p, j)
        values += values_of(e.reading(p, j)[1:])
    if how in ("sum", "turned"):
        values.append(Value("Entry", repr(entry), _HELP["Entry"]))
    if how == "sum":
        position = e.value(p, j)
        values.append(Value("Position", repr(position), _HELP["Position"]))
        lines += (
            *_entry_formula(options, text, j, entry),
            f"sum = {signed(position)} {_signed(entry)}",
        )
        lines += (f"= {signed(number)}",)
    elif how == "turned":
        lines = (
            *_entry_formula(options, text, column, entry),
            *_turned_formula(e, p, column, vector),
            *lines,
        )
        lines += (f"turned = {signed(number)}",)
    elif how == "words":
        lines = _entry_formula(options, text, column, entry)
    values.insert(0, Value("Value", repr(number), _HELP["Value"]))
    values += _move(state, options, word, vector)
    brief = (f"“{called(text)}”", f"value {signed(number)}")
    return Inspection(tuple(values), lines, brief=brief)


def _turned_formula(e: Encoding, p: int, column: int, vector: Floats) -> tuple[str, ...]:
    """Return how a channel of a word vector is turned with the other one of its pair."""
    assert isinstance(e, Rotary)
    pairs, members = e.channels.pair_of, e.channels.member_of
    (others,) = np.nonzero(pairs == pairs[column])
    other = int(others[others != column][0])
    sign = "+" if members[column] else "−"
    angle = f"p·ω_{pairs[column]}"
    formula = f"x_{column}·cos({angle}) {sign} x_{other}·sin({angle})"
    cosine, sine = (e.value(p, each) for each in (column, e.rotary + column))
    first, second = (f"{signed(float(vector[each]))}" for each in (column, other))
    numbers = f"({first})·({signed(cosine)}) {sign} ({second})·({signed(sine)})"
    return formula, f"= {numbers}"


def _entry_formula(options: TokenOptions, word: str, column: int, entry: float) -> tuple[str, ...]:
    """Return how an entry of a word vector comes about."""
    if options.vectors:
        file = one_line(FileName.last_part(options.file))
        where = "is not there" if math.isnan(entry) else f"number {column + 1}: {signed(entry)}"
        return (f"“{called(word)}” of {file}: {where}",)
    bit = int(entry > 0)
    bits = f"bit {column} of SHAKE-128(“{called(key_of(word))}”) is {bit}"
    return f"“{called(word)}”: {bits}", f"(2·{bit} − 1)/√2 = {signed(entry)}"


def _signed(number: float) -> str:
    return f"{'−' if number < 0 else '+'} {printed.fine(abs(number))}"


def _move(state: Exploration, options: TokenOptions, word: int, vector: Floats) -> list[Value]:
    """Return how far the row of a word has moved since the sentence before."""
    if not options.before:
        return []
    place = int(places_before(options.tokens, options.tokens_before)[word])
    if place < 0:
        return [Value("Moved", "not in the sentence before", _HELP["Moved"])]
    moved = "0"
    if place != word:
        distance = _distance(state, options, (word, place), vector)
        moved = f"{printed.fine(distance)}, from place {place} to {word}"
    return [Value("Moved", moved, _HELP["Moved"])]


def _distance(
    state: Exploration, options: TokenOptions, places: tuple[int, int], vector: Floats
) -> float:
    """Return how far the rows of a word at two places are from each other, nan without a row."""
    e = require_known(state.encoding)
    now, then = (state.start + each for each in places)
    if not all(p in e.domain for p in (now, then)):
        return math.nan
    return float(moves(vector[None], e, [now], [then], options.join)[0])


def outside(state: Exploration, view: str, options: TokenOptions) -> Outside | None:
    """Return where the cursor is if its cell is not shown, and what shows it."""
    e = require_known(state.encoding)
    words = words_shown(options, state.count)
    word = state.position - state.start
    changed, where = options, []
    fields: dict[str, Any] = {}
    if not 0 <= word < options.length:
        where.append(f"{state.position:,}, beyond the sentence")
        fields = _moved_to_words(state, options.length)
        words = words_shown(options, fields["count"])
        word = state.position - fields["start"]
    elif word not in words:
        where.append(f"word {word + 1:,}, {'above' if word < words.start else 'below'}")
    if word not in words:
        changed = replace(changed, top=max(0, word - len(words) // 2))
    shown = columns_shown(options, width_of(options, e))
    column = column_of(options, e, state.dimension)
    if options.part in ("rows", "both") and shown.place(column) is None:
        where.append(f"{e.columns.name} {state.dimension:,}, {shown.side(column)}")
        changed = replace(changed, first=max(0, column - shown.dimensions // 2))
    if changed is not options:
        fields["options"] = {**state.options, view: changed}
    return Outside("; ".join(where), fields) if where else None


def _moved_to_words(state: Exploration, length: int) -> dict[str, Any]:
    """Return `start` and `count` with the middle of the sentence at the cursor, within limits."""
    start = centred(state, length)["start"]
    return {"start": start, "count": min(state.count, LIMIT + 1 - start)}
