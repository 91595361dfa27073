"""Compute rows, similarities and changes of rows."""

import math
import threading
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import attention, tokens
from pe_explorer.analysis.word_vectors import TOY_ENTRY
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Bias, Line
from pe_explorer.params import FileName
from pe_explorer.pictures.cost import reading_cost, start_cost
from pe_explorer.pictures.limits import PixelImage, limit_above, pixel_image
from pe_explorer.pictures.pixel_columns import PixelColumns, pixel_columns
from pe_explorer.pictures.pixels import Size, spread
from pe_explorer.pictures.tokens.options import COMPARED
from pe_explorer.pictures.tokens.sentence import Sentence
from pe_explorer.pictures.tokens.vectors import missing_words_of, read_vectors
from pe_explorer.progress import report

_LONGEST = 18  # maximum letters of a word beside an axis
_CHUNK = 1 << 20  # values computed between two checks for cancellation
_MOST_COMPARED = 1 << 24  # maximum number of values in compared rows
_MOST_ATTENDED = 1 << 8  # maximum words of a sentence for which the change of attention is computed
_DECIMALS = 12  # decimals of a change; further digits are rounding errors
_MOST_NAMED = 3  # maximum number of missing words that a sentence names

# Costs in values of a table.
_ENTRY_COST = 2.0  # cost per element of a built-in word vector
_LOOK_UP_COST = 2e6  # cost per search for words in a file; high enough for the worker
_PLACE_COST = 300.0  # cost per word searched in the previous sentence
_PRODUCT_COST = 0.1  # cost per product of two values
_QUERY_COST, _KEY_COST = 2000.0, 0.5  # cost per query of attention, and per value of its keys


class TokenNumbers(NamedTuple):
    """Values of a sentence, with facts for the words of the view.

    Attributes
    ----------
    of : Sentence
    block : int
        Words per row of pixels, of which only the first is shown.
    columns : PixelColumns or None
        How columns share pixels; None if each column has its own pixels.
    places : (pixels,) int64
        The index of each shown word in the previous sentence, −1 for a new word.
    moves : (pixels,) float64
        The change of each row; nan for a new word or a missing row.
    output_change : float or None
        The largest change of the output of an attention head. None if the words differ or are too
        many; nan if rounding error dominates.
    inside : range
        Rows of pixels whose positions have a row.
    missing_words : tuple of str
        The words missing from the file of word vectors.
    rows : PixelImage or None
        The rows of the words, if they are shown.
    similar : tuple of PixelImage
        Cosine similarities or attention weights of all pairs of words: for both compared joins, or
        only for the rows.
    """

    of: Sentence
    block: int
    columns: PixelColumns | None
    places: Ints
    moves: Floats
    output_change: float | None
    inside: range
    missing_words: tuple[str, ...]
    rows: PixelImage | None = None
    similar: tuple[PixelImage, ...] = ()

    def badge(self, *, of_rows: bool = False) -> str:
        """Return how words and columns are combined in a pixel, or an empty string."""
        parts = [f"first of {self.block:,} words"] if self.block > 1 else []
        columns = self.columns if of_rows else None
        if columns and (counted := columns.describe_group(self.of.e.columns.plural)):
            if columns.kinds == 1:
                counted = f"mean of {counted}"
            elif self.of.how == "concatenation" and self.of.word_width > self.of.columns.first:
                parts.append(f"mean of {columns.describe_group('entries', names_kinds=False)}")
            parts.append(counted)
        return ", ".join(parts)

    # -- facts of the words shown --------------------------------------------------------------

    @property
    def part_shown(self) -> str | None:
        """The words shown, counted from 1, if not all are shown."""
        shown = self.of.word_indices
        if len(shown) >= self.of.options.length:
            return None
        first, last = shown.start + 1, shown.stop
        return f"word {first:,}" if first == last else f"words {first:,} to {last:,}"

    @property
    def gain(self) -> float | None:
        """The positive bias added to the score of the next word, or None."""
        e, options = self.of.e, self.of.options
        if not isinstance(e, Bias) or self.of.is_causal or options.join == "words":
            return None
        gain = e.value(1, options.head)
        return gain if gain > 0 and options.length > 1 else None

    @property
    def undecided(self) -> int | None:
        """The number of words whose weights are undefined, because rounding error dominates."""
        options = self.of.options
        if options.part != "attention" or not isinstance(self.of.e, Line) or self.missing_words:
            return None
        inside = slice(self.inside.start, self.inside.stop)
        without = [np.isnan(image.values[inside]).all(axis=1) for image in self.similar]
        return int(np.logical_or.reduce(without).sum()) or None

    @property
    def without_vector(self) -> str | None:
        """The file of word vectors, and the first words that it does not contain."""
        if not self.missing_words:
            return None
        words = [f"“{shorten_word(word)}”" for word in self.missing_words[:_MOST_NAMED]]
        if more := len(self.missing_words) - len(words):
            words[-1] += f" and {more:,} more"
        return f"{FileName.last_part(self.of.options.file)}: {', '.join(words)}"

    @property
    def with_row(self) -> str | None:
        """The positions with a row, if some of the positions shown have none."""
        domain = self.of.e.domain
        is_whole = self.of.has_no_positions or len(self.inside) == len(self.places)
        return None if is_whole else f"{domain[0]:,} to {domain[-1]:,}"

    # -- facts of another order ----------------------------------------------------------------

    @property
    def words_in_both(self) -> int | None:
        """The number of words shown that are also in the previous sentence, if its words differ."""
        same_length = len(self.of.options.tokens_before) == self.of.options.length
        common = int((self.places >= 0).sum())
        return None if same_length and common == len(self.places) else common

    @property
    def words_moved(self) -> int | None:
        """The number of moved words, or None."""
        return int((self.places != np.array(self.of.word_indices[:: self.block])).sum()) or None

    @property
    def largest_move(self) -> float | None:
        """The largest move of a row, or None."""
        moves = self.moves[np.isfinite(self.moves)]
        return round(float(moves.max()), _DECIMALS) if len(moves) else None

    @property
    def deciding(self) -> str | None:
        """Why the change of the attention output is undefined, if it is."""
        return None if self.output_change is None else "rounding error"


def shorten_word(word: str) -> str:
    """Return a word, truncated to the space beside an axis."""
    return word if len(word) <= _LONGEST else f"{word[: _LONGEST - 1]}…"


def cost(of: Sentence, size: Size) -> float:
    """Return the approximate cost of `compute`, in values of a table."""
    e, options, width = of.e, of.options, of.width
    _, rows = _spread(of, size)
    reading = _LOOK_UP_COST if options.vectors else 0.0
    total = reading + reading_cost(e) + e.width * start_cost(e) + e.cost(rows, 1)
    total += _ENTRY_COST * rows * of.word_width
    if options.part in ("both", "similarity"):
        total += _PRODUCT_COST * rows**2 * width
    if options.part == "attention":
        every = options.length
        total += 2 * (e.cost(every, 1) + _ENTRY_COST * every * of.word_width)
        total += 2 * rows * (_QUERY_COST + _KEY_COST * every * width)
    if options.before:
        few = min(options.length, _MOST_ATTENDED)
        total += e.cost(rows + 2 * few, 1)
        total += _PLACE_COST * (options.length + len(options.tokens_before))
        total += 2 * few * (_QUERY_COST + _KEY_COST * few * width)
    return total


def compute(of: Sentence, size: Size, cancelled: threading.Event) -> TokenNumbers:
    """Return the numbers of a sentence for an area in device pixels."""
    options = of.options
    read_vectors(options, cancelled)
    block, _ = _spread(of, size)
    words = of.word_indices[::block]
    first, dimensions, _ = of.columns
    columns = pixel_columns(of.kinds[first : first + dimensions], size.width, size.stripe)
    places, moves = moves_of(of, words)
    inside = tokens.with_row(of.e, of.positions(words))
    numbers = TokenNumbers(
        of, block, columns, places, moves, _attention_moved(of), inside, missing_words_of(options)
    )
    if options.part == "moved":
        return numbers
    if options.part == "attention":
        vectors = of.vectors(range(options.length))
        tables = [_weights(of, words, vectors, join, cancelled) for join in options.joins]
        limits = 0.0, limit_above(np.concatenate(tables))
        return numbers._replace(similar=tuple(pixel_image(table, limits) for table in tables))
    every = [_rows_of_all(of, words, join, cancelled) for join in options.joins]
    if options.part != "rows":
        alike = map(tokens.similarities, every)
        numbers = numbers._replace(
            similar=tuple(pixel_image(matrix, (-1.0, 1.0)) for matrix in alike)
        )
    if options.part in COMPARED:
        return numbers
    shown = every[0][:, first : first + dimensions]
    shown = columns.means(shown) if columns else shown
    return numbers._replace(rows=pixel_image(shown, _limits(of)))


def _weights(
    of: Sentence, words: range, vectors: Floats, join: str, cancelled: threading.Event
) -> Floats:
    e, positions = of.e, of.positions(range(of.options.length))
    weights = attention.head_of(vectors, e, positions, join, of.options.head, int(of.is_causal))
    shown = slice(words.start, words.stop, words.step)
    found = np.empty((len(words), len(words)))
    step = max(1, _CHUNK // vectors.size)
    for done in range(0, len(words), step):
        report(cancelled, done / len(words))
        part = words[done : done + step]
        found[done : done + step] = weights(part)[:, shown]
    return found


def _rows_of_all(of: Sentence, words: range, join: str, cancelled: threading.Event) -> Floats:
    step = max(1, _CHUNK // (of.e.width + of.word_width))
    parts = []
    for done in range(0, len(words), step):
        report(cancelled, done / len(words))
        parts.append(of.rows(words[done : done + step], join))
    report(cancelled, 1.0)
    return np.concatenate(parts)


def _spread(of: Sentence, size: Size) -> tuple[int, int]:
    most = _MOST_COMPARED // (of.e.width + of.word_width)
    return spread(len(of.word_indices), max(1, min(size.height, most)))


def _limits(of: Sentence) -> tuple[float, float] | None:
    if of.how == "positions":
        return of.e.value_range
    if of.options.vectors:
        return None
    if of.how == "words":
        return -1.0, 1.0
    if of.e.value_range is None:
        return None
    low, high = of.e.value_range
    if of.how == "concatenation":
        return min(-1.0, low), max(1.0, high)
    ends = [low - TOY_ENTRY, high + TOY_ENTRY]
    if of.how == "turned":
        ends = [1.0, high * math.sqrt(2) * TOY_ENTRY]
    largest = limit_above(np.array(ends))
    return -largest, largest


# -- another order -------------------------------------------------------------------------------


def moves_of(of: Sentence, words: range) -> tuple[Ints, Floats]:
    """Return the indices of some words in the previous sentence, and the changes of their rows."""
    options, domain = of.options, of.e.domain
    if not options.before:
        return np.full(len(words), -1), np.full(len(words), np.nan)
    places = of.places_before[words.start : words.stop : words.step]
    now = np.arange(words.start, words.stop, words.step)
    there = places >= 0
    if of.how != "words":
        last = min(domain[-1] - of.start, options.length + len(options.tokens_before))
        there &= np.minimum(now, places) >= domain[0] - of.start
        there &= np.maximum(now, places) <= last
    moves = np.full(len(words), np.nan)
    if there.any():
        at, before = ([of.start + n for n in indices[there].tolist()] for indices in (now, places))
        moves[there] = tokens.moves(of.vectors(now[there]), of.e, at, before, options.join)
        moves[there & (now == places)] = 0.0
    return places, moves


def _attention_moved(of: Sentence) -> float | None:
    options, e = of.options, of.e
    words, before = options.tokens, options.tokens_before
    if not before or len(words) != len(before) or len(words) > _MOST_ATTENDED:
        return None
    if options.join == "words" or len(words) * of.width > _CHUNK:
        return None
    if attention.why_no_head(e, options.head):
        return None
    places, positions = of.places_before, of.positions(range(len(words)))
    if (places < 0).any() or len(tokens.with_row(e, positions)) < len(words):
        return None
    vectors = of.vectors(range(len(words)))
    if not np.isfinite(vectors).all():
        return None
    then = np.empty_like(vectors)
    then[places] = vectors
    hidden = int(of.is_causal)
    now, earlier = (
        attention.attention_output(rows, e, positions, options.join, options.head, hidden)
        for rows in (vectors, then)
    )
    return round(float(tokens.lengths(now - earlier[places]).max()), _DECIMALS)
