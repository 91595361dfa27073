"""What the view of tokens says: what its pixels are, what another order changes, and the cursor."""

import math
import threading
from dataclasses import replace
from typing import Any

import numpy as np

from pe_explorer.analysis.tokens import is_causal, join_with, moves, places_before
from pe_explorer.analysis.word_vectors import key_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Bias, Encoding, EncodingError, Rotary, require_known
from pe_explorer.exploration import Exploration, centred
from pe_explorer.params import FileName, capitalised, one_line, printed
from pe_explorer.pictures.inspection import Inspection, Outside, Value, signed, values_of
from pe_explorer.pictures.tokens.numbers import TokenNumbers, rows_of, undecided_words
from pe_explorer.pictures.tokens.options import (
    TokenOptions,
    columns_of,
    joins_shown,
    word_width,
    words_shown,
)
from pe_explorer.pictures.tokens.vectors import read_vectors
from pe_explorer.tables import Table

_LONGEST = 18  # letters of a word beside an axis
_MOST_NAMED = 3  # words that a sentence names
_LEAST = 5e-5  # smaller numbers are written as 0
_ROWS = {
    "words": "{words} vector",
    "positions": "row of the position",
    "sum": "{words} vector plus position",
    "concatenation": "{words} vector, then the position",
    "turned": "{words} vector turned by its position",
}
"""How the row of a word is made, by `join_with`."""
_COLUMNS = {
    "words": "entry of the word vector",
    "concatenation": "word vector, then position",
    "turned": "channel of the word vector",
}
_WAYS = {
    "words": "without positions",
    "positions": "positions alone",
    "sum": "positions added",
    "concatenation": "positions appended",
    "turned": "turned by positions",
}
"""How positions come to a word, by `join_with`."""
_MEASURES = {
    "both": "cosine similarity",
    "similarity": "cosine similarity",
    "attention": "attention weight",
}
_FORMULA = "softmax of q·k/√d, where q and k are the rows"


def called(word: str) -> str:
    """Return a word as it stands beside an axis."""
    return word if len(word) <= _LONGEST else f"{word[: _LONGEST - 1]}…"


def titles(options: TokenOptions, e: Encoding) -> tuple[str, str]:
    """Return what the columns of the rows are called, and what the numbers in them are."""
    columns = _COLUMNS.get(join_with(options.join, e), e.columns.name)
    return columns, row_of(options, e, options.join)


def row_of(options: TokenOptions, e: Encoding, join: str) -> str:
    """Return how the row of a word is made: the numbers of built-in vectors are random."""
    words = "word" if options.words == "file" else "random word"
    return _ROWS[join_with(join, e)].format(words=words)


def compared_title(options: TokenOptions) -> str:
    """Return what is compared of each two words."""
    random = "" if options.words == "file" else "random "
    what = "positions" if _are_positions(options) else f"{random}word vectors"
    return f"{_MEASURES[options.part]} of {what}"


def attention_axes(options: TokenOptions) -> tuple[str, str]:
    """Return what the words of attention are called across and down."""
    is_random = options.words == "toy" and not _are_positions(options)
    return "key (random vectors)" if is_random else "key", "query"


def _are_positions(options: TokenOptions) -> bool:
    """Return whether all rows that are compared are positions alone."""
    return set(joins_shown(options)) == {"positions"}


def way_of(options: TokenOptions, e: Encoding, join: str) -> str:
    """Return in a few words how positions come to the words that are compared."""
    if isinstance(e, Bias) and join != "words":
        if options.part == "attention":
            head = f"the bias of head {options.head:,}"
            return f"{head} alone" if join == "positions" else f"with {head}"
        if join == "sum":
            return "bias: no change"
    return _WAYS[join_with(join, e)]


def badge(numbers: TokenNumbers, plural: str = "", entries: int = 0) -> str:
    """Return what a pixel shows that stands for many words or columns, or an empty text.

    Columns have a `plural` where there are some; `entries` of word vectors come before them.
    """
    parts = []
    if numbers.block > 1:
        parts.append(f"first of {numbers.block:,} words")
    columns = numbers.columns if plural else None
    if columns and (counted := columns.counted(plural)):
        if columns.kinds == 1:
            parts.append(f"mean of {counted}")
        else:
            if entries > numbers.first:
                parts.append(f"mean of {columns.counted('entries', in_turn=False)}")
            parts.append(counted)
    return ", ".join(parts)


def status(state: Exploration, options: TokenOptions, numbers: TokenNumbers) -> str:
    """Return in a sentence what is shown, and which part of the words."""
    e, words = require_known(state.encoding), _counted(options.length)
    shown = words_shown(options, state.count)
    which = words
    if len(shown) < options.length:
        which = f"words {shown.start + 1:,} to {shown.stop:,} of {options.length:,}"
    step = f"; a row of pixels is the first of {numbers.block:,}" if numbers.block > 1 else ""
    without = _without_row(options, e, numbers)
    lacking = _without_vector(options, numbers)
    row = row_of(options, e, options.join)
    how = _of_attention(options, e) if options.part == "attention" else ""
    undecided = ""
    if count := undecided_words(options, e, numbers):
        weights = f"The weights of {_counted(count)} are undefined"
        undecided = f" {weights}, because rounding error dominates them."
    return f"Tokens: {which}, each a {row}{step}.{how}{undecided}{lacking}{without}"


def _counted(words: int) -> str:
    return f"{words:,} word{'' if words == 1 else 's'}"


def _of_attention(options: TokenOptions, e: Encoding) -> str:
    """Return in sentences how attention is computed."""
    causal = is_causal(options.mask, e)
    mask = "a causal mask" if causal else "no mask"
    sentence = f" Attention: {_FORMULA}; {mask}, nothing learned."
    if not isinstance(e, Bias) or options.join == "words":
        return sentence
    sentence = f"{sentence} Head {options.head} adds its bias."
    if not causal and options.length > 1 and e.value(1, options.head) > 0:
        sentence += (
            " Models with this bias hide later words; without a mask, later words gain by it."
        )
    return sentence


def _without_vector(options: TokenOptions, numbers: TokenNumbers) -> str:
    """Return which words the file of vectors has not, and what of the file is not read."""
    note = options.vectors.note if isinstance(options.vectors, Table) else ""
    ignored = f" {note}" if note else ""
    if not numbers.lacking:
        return ignored
    named = ", ".join(f"“{called(word)}”" for word in numbers.lacking[:_MOST_NAMED])
    more = len(numbers.lacking) - _MOST_NAMED
    others = f" and {more:,} more" if more > 0 else ""
    file = FileName.last_part(options.file)
    return f" Not in {file}: {named}{others}.{ignored}"


def _without_row(options: TokenOptions, e: Encoding, numbers: TokenNumbers) -> str:
    """Return how many words have no position, where there are some."""
    if is_everywhere(options, e) or len(numbers.inside) == len(numbers.places):
        return ""
    first, last = e.domain[0], e.domain[-1]
    rows = f"{e.called()} has rows for {first:,} to {last:,} only"
    return f" Hatched: no {e.rows.name} has a row there; {rows}."


def is_everywhere(options: TokenOptions, e: Encoding) -> bool:
    """Return whether rows hold no positions, so that all words have one."""
    return all(join_with(join, e) == "words" for join in joins_shown(options))


def changed(options: TokenOptions, e: Encoding, numbers: TokenNumbers) -> str:
    """Return what differs from the sentence before, or an empty text without one."""
    before = options.tokens_before
    if not before:
        return ""
    known = numbers.places >= 0
    if len(before) != options.length or not known.all():
        found = f"{int(known.sum()):,} of the {len(known):,} words shown"
        only = f"Not the same words as before: only {found} were in that sentence."
        return f"{only} {capitalised(_moves(numbers))}."
    here = np.arange(numbers.words.start, numbers.words.stop, numbers.block)
    moved = int((numbers.places != here).sum())
    if not moved:
        return "The words are in the same order as before."
    many = f"{moved:,} of {len(here):,} words are at another place than before"
    if options.join == "words":
        same = "without positions, no row differs"
        if numbers.changed is not None:
            same += (
                f", and attention gives the same result (to {printed.rounded(numbers.changed, 1)})"
            )
        return f"{many}: {same}."
    output = ""
    if numbers.changed is not None and math.isnan(numbers.changed):
        output = "; rounding error dominates the change in attention's output"
    elif numbers.changed is not None:
        output = f"; attention's output for a word by up to {_text(numbers.changed)}"
    mean = " The mean of all rows moves by 0, in any order."
    if join_with(options.join, e) == "turned":
        mean = ""  # of turned words it moves, too
    return f"{many}: {_moves(numbers)}{output}.{mean}"


def _moves(numbers: TokenNumbers) -> str:
    """Return how far the farthest rows have moved."""
    moves = np.nan_to_num(numbers.moves, nan=-1.0)
    if moves.max(initial=-1.0) < 0:
        return "there is no row to compare"
    largest = float(moves.max())
    return f"rows move by up to {_text(largest)}"


def _text(number: float) -> str:
    return "0" if number < _LEAST else printed.rounded(number)


# -- the cursor ------------------------------------------------------------------------------------


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
    (vector,), (row,) = rows_of(state, options, e, range(word, word + 1), options.join)
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
        start = centred(state, options.length)["start"]  # the middle of the sentence, if it can
        fields = {"start": start, "count": min(state.count, LIMIT + 1 - start)}
        words = words_shown(options, fields["count"])
        word = state.position - fields["start"]
    elif word not in words:
        where.append(f"word {word + 1:,}, {'above' if word < words.start else 'below'}")
    if word not in words:
        changed = replace(changed, top=max(0, word - len(words) // 2))
    shown = columns_of(options, e)
    column = column_of(options, e, state.dimension)
    if options.part in ("rows", "both") and shown.place(column) is None:
        where.append(f"{e.columns.name} {state.dimension:,}, {shown.side(column)}")
        changed = replace(changed, first=max(0, column - shown.dimensions // 2))
    if changed is not options:
        fields["options"] = {**state.options, view: changed}
    return Outside("; ".join(where), fields) if where else None
