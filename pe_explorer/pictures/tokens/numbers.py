"""The numbers of tokens: their rows, how alike these are, and how far they have moved."""

import math
import threading
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import attention, tokens
from pe_explorer.analysis.word_vectors import TOY_ENTRY
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding, Line, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.pictures.cost import reading_cost, start_cost
from pe_explorer.pictures.limits import PixelImage, coloured, limit_above
from pe_explorer.pictures.pixel_columns import PixelColumns, pixel_columns
from pe_explorer.pictures.pixels import Size, spread
from pe_explorer.pictures.tokens.options import (
    COMPARED,
    TokenOptions,
    columns_of,
    joins_shown,
    kinds_of,
    width_of,
    word_width,
    words_shown,
)
from pe_explorer.pictures.tokens.vectors import lacking_words, read_vectors, vectors_of
from pe_explorer.progress import report

_CHUNK = 1 << 20  # numbers computed between two checks for cancelling
_MOST_COMPARED = 1 << 24  # numbers of the rows that are compared
_MOST_ATTENDED = 1 << 8  # words of a sentence whose change of attention is computed
# Costs in values of a table.
_ENTRY_COST = 2.0  # of an entry of a built-in word vector
_LOOK_UP_COST = 2e6  # of looking words up in a file: too much to be done at once
_PLACE_COST = 300.0  # of finding a word in the sentence before
_PRODUCT_COST = 0.1  # of a product of two numbers
_QUERY_COST, _KEY_COST = 2000.0, 0.5  # of attention: of a query, of a number of its keys


class TokenNumbers(NamedTuple):
    """What there is to show of a sentence.

    Attributes
    ----------
    words : range
        The numbers of the words shown.
    block : int
        Words that a row of pixels stands for; it shows the first of them.
    first, dimensions : int
        The columns shown.
    columns : PixelColumns or None
        How they become pixels, None where each has pixels of its own.
    rows : PixelImage or None
        The rows of the words, where the part shows them.
    similar : tuple of PixelImage
        Cosine similarities of each two of them, or weights of attention: of both joins that are
        compared, or only of the rows.
    places : (pixels,) int64
        Where the word of each row of pixels stood in the sentence before, −1 for nowhere.
    moves : (pixels,) float64
        How far its row has moved since; nan where it stood nowhere, or has no row.
    changed : float or None
        The largest change of what an attention head makes of a word; None for other words than
        before, or very many.
    inside : range
        The rows of pixels whose positions have a row.
    lacking : tuple of str
        The words that the file of word vectors has not.
    """

    words: range
    block: int
    first: int
    dimensions: int
    columns: PixelColumns | None
    rows: PixelImage | None
    similar: tuple[PixelImage, ...]
    places: Ints
    moves: Floats
    changed: float | None
    inside: range
    lacking: tuple[str, ...]


def cost(state: Exploration, options: TokenOptions, size: Size) -> float:
    """Return about how many numbers `compute` makes, in values of a table."""
    e = require_known(state.encoding)
    _, rows = _spread(state, options, e, size)
    width = width_of(options, e)
    reading = _LOOK_UP_COST if options.vectors else 0.0
    total = reading + reading_cost(e) + e.width * start_cost(e) + e.cost(rows, 1)
    total += _ENTRY_COST * rows * word_width(options, e)
    if options.part in ("both", "similarity"):
        total += _PRODUCT_COST * rows**2 * width
    if options.part == "attention":
        every = options.length
        total += 2 * (e.cost(every, 1) + _ENTRY_COST * every * word_width(options, e))
        total += 2 * rows * (_QUERY_COST + _KEY_COST * every * width)
    if options.before:
        few = min(options.length, _MOST_ATTENDED)
        total += e.cost(rows + 2 * few, 1)
        total += _PLACE_COST * (options.length + len(options.tokens_before))
        total += 2 * few * (_QUERY_COST + _KEY_COST * few * width)
    return total


def compute(
    state: Exploration, options: TokenOptions, size: Size, cancelled: threading.Event
) -> TokenNumbers:
    """Return the numbers of a sentence for an area of device pixels."""
    e = require_known(state.encoding)
    read_vectors(options, cancelled)
    words = words_shown(options, state.count)
    block, _ = _spread(state, options, e, size)
    picked = words[::block]
    first, dimensions, _ = columns_of(options, e)
    kinds = kinds_of(options, e)[first : first + dimensions]
    columns = pixel_columns(kinds, size.width, size.stripe)
    places, moves = _moves(state, options, e, picked)
    numbers = TokenNumbers(
        words,
        block,
        first,
        dimensions,
        columns,
        None,
        (),
        places,
        moves,
        _attention_moved(state, options, e),
        tokens.with_row(e, _at(state.start, picked)),
        lacking_words(options),
    )
    if options.part == "moved":
        return numbers
    if options.part in COMPARED:
        return numbers._replace(similar=_compared(state, options, e, picked, cancelled))
    rows = _rows_of_all(state, options, e, picked, options.join, cancelled)
    if options.part == "both":
        numbers = numbers._replace(similar=(coloured(tokens.similarities(rows), (-1.0, 1.0)),))
    shown = rows[:, first : first + dimensions]
    shown = columns.means(shown) if columns else shown
    return numbers._replace(rows=coloured(shown, _limits(options, e)))


def _compared(
    state: Exploration, options: TokenOptions, e: Encoding, words: range, cancelled: threading.Event
) -> tuple[PixelImage, ...]:
    """Return how alike words are, or how much each looks at each, for both joins."""
    if options.part == "similarity":
        every = [
            _rows_of_all(state, options, e, words, join, cancelled) for join in joins_shown(options)
        ]
        return tuple(coloured(tokens.similarities(rows), (-1.0, 1.0)) for rows in every)
    found = [_weights(state, options, e, words, join, cancelled) for join in joins_shown(options)]
    largest = limit_above(np.concatenate(found))
    return tuple(coloured(each, (0.0, largest)) for each in found)


def _weights(
    state: Exploration,
    options: TokenOptions,
    e: Encoding,
    words: range,
    join: str,
    cancelled: threading.Event,
) -> Floats:
    """Return how much some words look at each other; all of the sentence share in the weights."""
    count = options.length
    vectors = vectors_of(options.tokens, options, e)
    positions = _at(state.start, range(count))
    hidden = int(tokens.is_causal(options.mask, e))
    weights = attention.head_of(vectors, e, positions, join, options.head, hidden)
    found = np.empty((len(words), len(words)))
    step = max(1, _CHUNK // vectors.size)
    for done in range(0, len(words), step):
        report(cancelled, done / len(words))
        part = words[done : done + step]
        shown = slice(words.start, words.stop, words.step)
        found[done : done + step] = weights(part)[:, shown]
    return found


def _rows_of_all(
    state: Exploration,
    options: TokenOptions,
    e: Encoding,
    words: range,
    join: str,
    cancelled: threading.Event,
) -> Floats:
    """Return the rows of some words by a join, computed part by part."""
    step = max(1, _CHUNK // (e.width + word_width(options, e)))
    parts = []
    for done in range(0, len(words), step):
        report(cancelled, done / len(words))
        parts.append(rows_of(state, options, e, words[done : done + step], join)[1])
    report(cancelled, 1.0)
    return np.concatenate(parts)


def _spread(state: Exploration, options: TokenOptions, e: Encoding, size: Size) -> tuple[int, int]:
    """Return how many words a row of pixels stands for, and how many rows of pixels there are."""
    most = _MOST_COMPARED // (e.width + word_width(options, e))
    shown = len(words_shown(options, state.count))
    return spread(shown, max(1, min(size.height, most)))


def rows_of(
    state: Exploration, options: TokenOptions, e: Encoding, words: range, join: str
) -> tuple[Floats, Floats]:
    """Return the vectors of some words and the rows of their tokens."""
    vectors = vectors_of([options.tokens[word] for word in words], options, e)
    return vectors, tokens.joined(vectors, e, _at(state.start, words), join)


def _at(start: int, words: range) -> range:
    """Return the positions of some words of a sentence that begins at `start`."""
    return range(start + words.start, start + words.stop, words.step)


def _limits(options: TokenOptions, e: Encoding) -> tuple[float, float] | None:
    """Return the values at the ends of the colour map, None where they follow the values."""
    how = tokens.join_with(options.join, e)
    if how == "positions":
        return e.value_range
    if options.vectors:
        return None
    if how == "words":
        return -1.0, 1.0
    ends = e.value_range
    if ends is None:
        return None
    low, high = ends
    if how == "turned":
        largest = limit_above(np.array([max(1.0, high * math.sqrt(2) * TOY_ENTRY)]))
        return -largest, largest
    if how == "concatenation":
        return min(-1.0, low), max(1.0, high)
    largest = limit_above(np.array([low - TOY_ENTRY, high + TOY_ENTRY]))
    return -largest, largest


def undecided_words(options: TokenOptions, e: Encoding, numbers: TokenNumbers) -> int:
    """Return how many words have rows on a line, and no weights: rounding would decide these."""
    if options.part != "attention" or not isinstance(e, Line) or numbers.lacking:
        return 0
    inside = slice(numbers.inside.start, numbers.inside.stop)
    without = [np.isnan(image.values[inside]).all(axis=1) for image in numbers.similar]
    return int(np.logical_or.reduce(without).sum())


# -- another order -------------------------------------------------------------------------------


def _moves(
    state: Exploration, options: TokenOptions, e: Encoding, words: range
) -> tuple[Ints, Floats]:
    """Return where some words stood before, and how far their rows have moved since."""
    if not options.before:
        return np.full(len(words), -1), np.full(len(words), np.nan)
    every = tokens.places_before(options.tokens, options.tokens_before)
    places = every[words.start : words.stop : words.step]
    now = np.arange(words.start, words.stop, words.step)
    there = places >= 0
    if tokens.join_with(options.join, e) != "words":
        last = min(e.domain[-1] - state.start, options.length + len(options.tokens_before))
        first = e.domain[0] - state.start
        there &= (np.minimum(now, places) >= first) & (np.maximum(now, places) <= last)
    moves = np.full(len(words), np.nan)
    if there.any():
        vectors = vectors_of([options.tokens[word] for word in now[there]], options, e)
        at, before = ([state.start + n for n in each[there].tolist()] for each in (now, places))
        moves[there] = tokens.moves(vectors, e, at, before, options.join)
        moves[there & (now == places)] = 0.0
    return places, moves


def _attention_moved(state: Exploration, options: TokenOptions, e: Encoding) -> float | None:
    """Return by how much the result of an attention head moves at most, for the same words."""
    words, before = options.tokens, options.tokens_before
    if not before or len(words) != len(before) or len(words) > _MOST_ATTENDED:
        return None
    if math.prod((len(words), width_of(options, e))) > _CHUNK:
        return None
    if attention.why_no_head(e, options.head):
        return None
    places = tokens.places_before(words, before)
    positions = range(state.start, state.start + len(words))
    if (places < 0).any() or len(tokens.with_row(e, positions)) < len(words):
        return None
    vectors = vectors_of(words, options, e)
    if not np.isfinite(vectors).all():
        return None
    then = np.empty_like(vectors)
    then[places] = vectors
    hidden = int(tokens.is_causal(options.mask, e))
    now, earlier = (
        attention.attention_output(each, e, positions, options.join, options.head, hidden)
        for each in (vectors, then)
    )
    return float(tokens.lengths(now - earlier[places]).max())
