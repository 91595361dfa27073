"""The numbers of tokens: their rows, how alike these are, and how far they have moved."""

from __future__ import annotations

import math
import threading
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import tokens
from pe_explorer.analysis.word_vectors import TOY_ENTRY
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import len_of
from pe_explorer.pictures._columns import columns_shown
from pe_explorer.pictures._image import Image, coloured
from pe_explorer.pictures.cost import reading_cost, start_cost
from pe_explorer.pictures.levels import level_above
from pe_explorer.pictures.pixel_columns import PixelColumns, pixel_columns
from pe_explorer.pictures.pixels import Size, spread
from pe_explorer.pictures.tokens.options import (
    TokenOptions,
    kinds_of,
    width_of,
    word_width,
    words_shown,
)
from pe_explorer.pictures.tokens.vectors import lacking_words, read_vectors, vectors_of
from pe_explorer.progress import report

_CHUNK = 1 << 20  # numbers computed before the work can be cancelled
_MOST = 1 << 24  # numbers of the rows that are compared with each other
_ATTENDED = 1 << 8  # words that attention is computed for
_PER_TOY = 2.0  # entries of a word's vector in the time of a value of a table
_READING = 2e6  # of looking words up in a file: too much to be done at once
_PER_WORD = 300.0  # to find it in the sentence before, in values of a table
_PRODUCTS = 0.1  # of two numbers, in values of a table


class Numbers(NamedTuple):
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
    rows : Image or None
        The rows of the words, where the part shows them.
    similar : tuple of Image
        Cosine similarities of each two of them: without positions and joined, or only the latter.
    places : (pixels,) int64
        Where the word of each row of pixels stood in the sentence before, −1 for nowhere.
    moves : (pixels,) float64
        How far its row has moved since; nan where it stood nowhere, or has no row.
    attention : float or None
        How far, at most, what an attention head makes of a word has moved; None for other words
        than before, or very many.
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
    rows: Image | None
    similar: tuple[Image, ...]
    places: Ints
    moves: Floats
    attention: float | None
    inside: range
    lacking: tuple[str, ...]


def cost(state: Exploration, options: TokenOptions, size: Size) -> float:
    """Return about how many numbers `compute` makes, in values of a table."""
    e = require_known(state.encoding)
    _, rows = _spread(state, options, e, size)
    width = width_of(options, e)
    reading = _READING if options.vectors else 0.0
    total = reading + reading_cost(e) + e.width * start_cost(e) + e.cost(rows, 1)
    total += _PER_TOY * rows * word_width(options, e)
    if options.part in ("both", "similarity"):
        total += _PRODUCTS * rows**2 * width
    if options.before:
        few = min(options.length, _ATTENDED)
        total += e.cost(rows + 2 * few, 1)
        total += _PER_WORD * (options.length + len(options.tokens_before))
        total += 2 * _PRODUCTS * few**2 * width
    return total


def compute(
    state: Exploration, options: TokenOptions, size: Size, cancelled: threading.Event
) -> Numbers:
    """Return the numbers of a sentence for an area of device pixels."""
    e = require_known(state.encoding)
    read_vectors(options, cancelled)
    words = words_shown(options, state.count)
    block, _ = _spread(state, options, e, size)
    picked = words[::block]
    first, dimensions = columns_shown(options, width_of(options, e))
    kinds = kinds_of(options, e)[first : first + dimensions]
    columns = pixel_columns(kinds, size.width, size.stripe)
    places, moves = _moves(state, options, e, picked)
    numbers = Numbers(
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
        _inside(e, state.start, picked),
        lacking_words(options),
    )
    if options.part == "moved":
        return numbers
    step = max(1, _CHUNK // (e.width + word_width(options, e)))
    alone, joined = [], []
    for done in range(0, len(picked), step):
        report(cancelled, done / len(picked))
        vectors, rows = _rows(state, options, e, picked[done : done + step])
        if options.part in ("rows", "both"):
            joined.append(_pixels(rows, numbers) if options.part == "rows" else rows)
        else:
            alone.append(vectors)
            joined.append(rows)
    whole = np.concatenate(joined)
    if options.part == "rows":
        return numbers._replace(rows=_image(whole, _levels(options, e)))
    report(cancelled, 1.0)
    similar = [tokens.similarities(whole)]
    if options.part == "similarity":
        similar.insert(0, tokens.similarities(np.concatenate(alone)))
    images = tuple(_image(each, (-1.0, 1.0)) for each in similar)
    if options.part == "similarity":
        return numbers._replace(similar=images)
    rows_shown = _image(_pixels(whole, numbers), _levels(options, e))
    return numbers._replace(rows=rows_shown, similar=images)


def row_at(state: Exploration, options: TokenOptions, word: int) -> tuple[Floats, Floats]:
    """Return the vector of a word and the row of its token."""
    e = require_known(state.encoding)
    vectors, rows = _rows(state, options, e, range(word, word + 1))
    return vectors[0], rows[0]


def _spread(state: Exploration, options: TokenOptions, e: Encoding, size: Size) -> tuple[int, int]:
    """Return how many words a row of pixels stands for, and how many rows of pixels there are."""
    most = _MOST // (e.width + word_width(options, e))
    shown = len(words_shown(options, state.count))
    return spread(shown, max(1, min(size.height, most)))


def _rows(
    state: Exploration, options: TokenOptions, e: Encoding, words: range
) -> tuple[Floats, Floats]:
    """Return the vectors of some words and the rows of their tokens."""
    vectors = vectors_of([options.tokens[word] for word in words], options, e)
    positions = np.empty((0, 0))
    if options.join != "words":
        positions = position_rows(e, _at(state.start, words))
    return vectors, tokens.joined(vectors, positions, options.join)


def position_rows(e: Encoding, positions: range) -> Floats:
    """Return the row of each position, shape (positions, width), nan where it has none."""
    found = np.full((len(positions), e.width), np.nan)
    inside = _with_row(e, positions)
    if inside:
        found[inside.start : inside.stop] = e.table(positions[inside.start : inside.stop])
    return found


def _at(start: int, words: range) -> range:
    """Return the positions of some words of a sentence that begins at `start`."""
    return range(start + words.start, start + words.stop, words.step)


def _inside(e: Encoding, start: int, words: range) -> range:
    """Return which of some words have a row."""
    return _with_row(e, _at(start, words))


def _with_row(e: Encoding, positions: range) -> range:
    """Return the places of those positions that have a row, which follow each other."""
    step, count = positions.step, len_of(positions)
    first = max(0, -(-(e.domain[0] - positions.start) // step))
    end = min(count, (e.domain[-1] - positions.start) // step + 1)
    return range(first, max(first, end))


def _pixels(rows: Floats, numbers: Numbers) -> Floats:
    """Return what pixels show of rows."""
    shown = rows[:, numbers.first : numbers.first + numbers.dimensions]
    return numbers.columns.means(shown) if numbers.columns else shown


def _image(values: Floats, levels: tuple[float, float] | None) -> Image:
    """Return pixels with their colours; without levels these follow the values."""
    if levels is not None:
        return coloured(values, levels)
    largest = level_above(values)
    return coloured(values, (-largest, largest))


def _levels(options: TokenOptions, e: Encoding) -> tuple[float, float] | None:
    """Return the values at the ends of the colour map, None where they follow the values."""
    if options.join == "positions":
        return e.value_range
    if options.vectors:
        return None
    if options.join == "words":
        return -1.0, 1.0
    ends = e.value_range
    if ends is None:
        return None
    low, high = ends
    if options.join == "concatenation":
        return min(-1.0, low), max(1.0, high)
    largest = level_above(np.array([low - TOY_ENTRY, high + TOY_ENTRY]))
    return -largest, largest


# -- another order -------------------------------------------------------------------------------


def _moves(
    state: Exploration, options: TokenOptions, e: Encoding, words: range
) -> tuple[Ints, Floats]:
    """Return where some words stood before, and how far their rows have moved since."""
    if not options.before:
        return np.full(len(words), -1), np.full(len(words), np.nan)
    every = tokens.places_before(options.tokens, options.tokens_before)
    places = every[words.start : words.stop : words.step]
    moves = np.where(places >= 0, 0.0, np.nan)
    if options.join == "words":
        return places, moves
    now = np.arange(words.start, words.stop, words.step)
    last = min(e.domain[-1] - state.start, options.length + len(options.tokens_before))
    first = e.domain[0] - state.start
    there = (places >= 0) & (np.minimum(now, places) >= first) & (np.maximum(now, places) <= last)
    moves[places >= 0] = np.nan
    if there.any():
        rows = [e.table([state.start + n for n in each[there].tolist()]) for each in (now, places)]
        moves[there] = tokens.lengths(rows[0] - rows[1])
        moves[there & (now == places)] = 0.0
    return places, moves


def _attention_moved(state: Exploration, options: TokenOptions, e: Encoding) -> float | None:
    """Return by how much the result of an attention head moves at most, for the same words."""
    words, before = options.tokens, options.tokens_before
    if not before or len(words) != len(before) or len(words) > _ATTENDED:
        return None
    if math.prod((len(words), width_of(options, e))) > _CHUNK:
        return None
    places = tokens.places_before(words, before)
    positions = range(state.start, state.start + len(words))
    if (places < 0).any() or len(_with_row(e, positions)) < len(words):
        return None
    rows = position_rows(e, positions)
    vectors = vectors_of(words, options, e)
    if not np.isfinite(vectors).all():
        return None
    then = np.empty_like(vectors)
    then[places] = vectors
    now = tokens.attended(tokens.joined(vectors, rows, options.join))
    earlier = tokens.attended(tokens.joined(then, rows, options.join))
    return float(tokens.lengths(now - earlier[places]).max())
