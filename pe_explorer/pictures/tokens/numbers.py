"""Compute the rows of words, their similarities or attention weights, and their changes."""

import math
import threading
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import attention, tokens
from pe_explorer.analysis.word_vectors import TOY_ENTRY
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Bias, LinearRows
from pe_explorer.params import FileName
from pe_explorer.pictures.cost import estimate_reading_cost, estimate_start_cost
from pe_explorer.pictures.limits import PixelImage, find_limit_above, make_pixel_image
from pe_explorer.pictures.pixel_columns import PixelColumns, make_pixel_columns
from pe_explorer.pictures.pixels import Size, spread
from pe_explorer.pictures.tokens.options import COMPARED_PARTS
from pe_explorer.pictures.tokens.sentence import Sentence
from pe_explorer.pictures.tokens.vectors import cache_vectors, find_missing_words
from pe_explorer.progress import report

_MAX_WORD_LENGTH = 18  # maximum number of characters in a word beside an axis
_CHUNK_SIZE = 1 << 20  # number of values computed between two checks for cancellation
_MAX_COMPARED_VALUES = 1 << 24  # maximum number of values in compared rows
_MAX_ATTENTION_WORDS = 1 << 8  # maximum number of words for the change of the attention output
_DECIMAL_COUNT = 12  # number of decimals of a change; further digits are rounding errors
_MAX_NAMED_WORDS = 3  # maximum number of missing words that a sentence names

# Costs, in units of `pictures.cost`.
_ENTRY_COST = 2.0  # cost per element of a built-in word vector
_LOOK_UP_COST = 2e6  # cost of searching a file for words; high, so that the worker does it
_PREVIOUS_WORD_COST = 300.0  # cost per word looked up in the previous sentence
_PRODUCT_COST = 0.1  # cost per product of two values
_QUERY_COST, _KEY_COST = 2000.0, 0.5  # cost per query of attention, and per value of its keys


class TokenNumbers(NamedTuple):
    """The values of a sentence, with facts for the texts of the view."""

    sentence: Sentence
    block: int  # number of words per row of pixels; only the first of these words is shown
    columns: PixelColumns | None  # how columns share pixels; None if each column has its own pixels
    places: Ints  # index of each shown word in the previous sentence, −1 for a new word
    moves: Floats  # distance that each row has moved; nan for a new word or a missing row
    # Largest change in the output of an attention head. It is None if the outputs cannot be
    # compared or the computation takes too long, and nan if rounding error dominates.
    output_change: float | None
    inside: range  # rows of pixels whose positions are in the domain
    missing_words: tuple[str, ...]  # words missing from the file of word vectors
    rows: PixelImage | None = None  # rows of the words; None if not shown
    # Cosine similarities or attention weights of all pairs of words, one image for each join.
    similarities: tuple[PixelImage, ...] = ()

    def badge(self, *, has_columns: bool = False) -> str:
        """Return how words share pixels, and also how columns do if `has_columns`.

        The text is empty if neither words nor columns share pixels.
        """
        parts = [f"first of {self.block:,} words"] if self.block > 1 else []
        columns, sentence = self.columns if has_columns else None, self.sentence
        has_entries = sentence.columns.first < sentence.word_width
        if columns and (group := columns.describe_group(self.sentence.e.columns.plural)):
            if columns.kinds == 1:
                group = f"mean of {group}"
            elif sentence.join_kind == "concatenation" and has_entries:
                parts.append(f"mean of {columns.describe_group('entries', has_kinds=False)}")
            parts.append(group)
        return ", ".join(parts)

    # -- facts of the words shown --------------------------------------------------------------

    @property
    def part_shown(self) -> str | None:
        """The shown words as text, counted from 1; None if all words are shown."""
        shown = self.sentence.word_indices
        if len(shown) >= self.sentence.options.length:
            return None
        first, last = shown.start + 1, shown.stop
        return f"word {first:,}" if first == last else f"words {first:,} to {last:,}"

    @property
    def gain(self) -> float | None:
        """The bias that the selected head adds to the score of the next word.

        None if words do not attend to later words, no bias is added, the bias is not positive,
        or there is no next word.
        """
        e, options = self.sentence.e, self.sentence.options
        if not isinstance(e, Bias) or self.sentence.is_causal or options.join == "words":
            return None
        gain = e.value(1, options.head)
        return gain if gain > 0 and options.length > 1 else None

    @property
    def undecided(self) -> int | None:
        """The number of words with weights undefined by rounding error; None if there are none."""
        e, options = self.sentence.e, self.sentence.options
        if options.part != "attention" or not isinstance(e, LinearRows) or self.missing_words:
            return None
        inside = slice(self.inside.start, self.inside.stop)
        is_undefined = [np.isnan(image.values[inside]).all(axis=1) for image in self.similarities]
        return int(np.logical_or.reduce(is_undefined).sum()) or None

    @property
    def without_vector(self) -> str | None:
        """The vectors file and the first words missing from it; None if no words are missing."""
        if not self.missing_words:
            return None
        words = [f"“{shorten_word(word)}”" for word in self.missing_words[:_MAX_NAMED_WORDS]]
        if omitted_count := len(self.missing_words) - len(words):
            words[-1] += f" and {omitted_count:,} more"
        return f"{FileName.get_last_part(self.sentence.options.file)}: {', '.join(words)}"

    @property
    def with_row(self) -> str | None:
        """The range of positions that have rows; None if all shown positions have rows."""
        domain = self.sentence.e.domain
        is_complete = self.sentence.has_no_positions or len(self.inside) == len(self.places)
        return None if is_complete else f"{domain[0]:,} to {domain[-1]:,}"

    # -- facts of the previous sentence --------------------------------------------------------

    @property
    def words_in_both(self) -> int | None:
        """The number of shown words in the previous sentence; None if both have the same words."""
        has_same_length = len(self.sentence.options.previous_tokens) == self.sentence.options.length
        count = int((self.places >= 0).sum())
        return None if has_same_length and count == len(self.places) else count

    @property
    def words_moved(self) -> int | None:
        """The number of shown words that have moved or are new; None if there are no such words."""
        words = np.array(self.sentence.word_indices[:: self.block])
        return int((self.places != words).sum()) or None

    @property
    def largest_move(self) -> float | None:
        """The largest distance that a row has moved; None if no rows can be compared."""
        moves = self.moves[np.isfinite(self.moves)]
        return round(float(moves.max()), _DECIMAL_COUNT) if len(moves) else None

    @property
    def deciding(self) -> str | None:
        """The reason to give if `output_change` is nan; None if `output_change` is None."""
        return None if self.output_change is None else "rounding error"


def shorten_word(word: str) -> str:
    """Return a word, truncated to fit beside an axis."""
    return word if len(word) <= _MAX_WORD_LENGTH else f"{word[: _MAX_WORD_LENGTH - 1]}…"


def cost(sentence: Sentence, size: Size) -> float:
    """Return the approximate cost of `compute`, in units of `pictures.cost`."""
    e, options, width = sentence.e, sentence.options, sentence.width
    _, rows = _divide_words(sentence, size)
    total = estimate_reading_cost(e) + e.width * estimate_start_cost(e) + e.cost(rows, 1)
    total += _LOOK_UP_COST if options.vectors else 0.0
    total += _ENTRY_COST * rows * sentence.word_width
    if options.part in ("both", "similarity"):
        total += _PRODUCT_COST * rows**2 * width
    if options.part == "attention":
        words = options.length
        total += 2 * (e.cost(words, 1) + _ENTRY_COST * words * sentence.word_width)
        total += 2 * rows * (_QUERY_COST + _KEY_COST * words * width)
    if options.before:
        words = min(options.length, _MAX_ATTENTION_WORDS)
        total += e.cost(rows + 2 * words, 1)
        total += _PREVIOUS_WORD_COST * (options.length + len(options.previous_tokens))
        total += 2 * words * (_QUERY_COST + _KEY_COST * words * width)
    return total


def compute(sentence: Sentence, size: Size, progress: threading.Event) -> TokenNumbers:
    """Return the numbers of a sentence for an area of `size`."""
    options = sentence.options
    cache_vectors(options, progress)
    block, _ = _divide_words(sentence, size)
    words = sentence.word_indices[::block]
    first, dimensions, _ = sentence.columns
    kinds = sentence.kinds[first : first + dimensions]
    columns = make_pixel_columns(kinds, size.width, size.stripe)
    places, moves = compute_moves(sentence, words)
    inside = tokens.find_indices_with_rows(sentence.e, sentence.positions(words))
    change, missing_tokens = _compute_output_change(sentence), find_missing_words(options)
    numbers = TokenNumbers(sentence, block, columns, places, moves, change, inside, missing_tokens)
    if options.part == "moved":
        return numbers
    if options.part == "attention":
        vectors = sentence.vectors(range(options.length))
        tables = [_find_weights(sentence, words, vectors, join, progress) for join in options.joins]
        limits = 0.0, find_limit_above(np.concatenate(tables))
        return numbers._replace(
            similarities=tuple(make_pixel_image(table, limits) for table in tables)
        )
    tables = [_compute_rows(sentence, words, join, progress) for join in options.joins]
    if options.part != "rows":
        matrices = map(tokens.compute_similarities, tables)
        images = tuple(make_pixel_image(matrix, (-1.0, 1.0)) for matrix in matrices)
        numbers = numbers._replace(similarities=images)
    if options.part in COMPARED_PARTS:
        return numbers
    rows = tables[0][:, first : first + dimensions]
    rows = columns.means(rows) if columns else rows
    return numbers._replace(rows=make_pixel_image(rows, _compute_limits(sentence)))


def _find_weights(
    sentence: Sentence, words: range, vectors: Floats, join: str, progress: threading.Event
) -> Floats:
    e, positions = sentence.e, sentence.positions(range(sentence.options.length))
    weights = attention.make_weights_function(
        vectors, e, positions, join, sentence.options.head, int(sentence.is_causal)
    )
    shown = slice(words.start, words.stop, words.step)
    matrix = np.empty((len(words), len(words)))
    step = max(1, _CHUNK_SIZE // vectors.size)
    for done_count in range(0, len(words), step):
        report(progress, done_count / len(words))
        matrix[done_count : done_count + step] = weights(words[done_count : done_count + step])[
            :, shown
        ]
    return matrix


def _compute_rows(sentence: Sentence, words: range, join: str, progress: threading.Event) -> Floats:
    step = max(1, _CHUNK_SIZE // (sentence.e.width + sentence.word_width))
    parts = []
    for done_count in range(0, len(words), step):
        report(progress, done_count / len(words))
        parts.append(sentence.rows(words[done_count : done_count + step], join))
    report(progress, 1.0)
    return np.concatenate(parts)


def _divide_words(sentence: Sentence, size: Size) -> tuple[int, int]:
    limit = _MAX_COMPARED_VALUES // (sentence.e.width + sentence.word_width)
    return spread(len(sentence.word_indices), max(1, min(size.height, limit)))


def _compute_limits(sentence: Sentence) -> tuple[float, float] | None:
    if sentence.join_kind == "positions":
        return sentence.e.value_range
    if sentence.options.vectors:
        return None
    if sentence.join_kind == "words":
        return -1.0, 1.0
    if sentence.e.value_range is None:
        return None
    low, high = sentence.e.value_range
    if sentence.join_kind == "concatenation":
        return min(-1.0, low), max(1.0, high)
    ends = [low - TOY_ENTRY, high + TOY_ENTRY]
    if sentence.join_kind == "turned":
        ends = [1.0, high * math.sqrt(2) * TOY_ENTRY]
    largest = find_limit_above(np.array(ends))
    return -largest, largest


# -- the previous sentence -----------------------------------------------------------------------


def compute_moves(sentence: Sentence, words: range) -> tuple[Ints, Floats]:
    """Return the indices of `words` in the previous sentence, and how far their rows moved."""
    options, domain = sentence.options, sentence.e.domain
    if not options.before:
        return np.full(len(words), -1), np.full(len(words), np.nan)
    places = sentence.places_before[words.start : words.stop : words.step]
    indices = np.arange(words.start, words.stop, words.step)
    has_rows = places >= 0
    if sentence.join_kind != "words":
        last = min(domain[-1] - sentence.start, options.length + len(options.previous_tokens))
        has_rows &= np.minimum(indices, places) >= domain[0] - sentence.start
        has_rows &= np.maximum(indices, places) <= last
    moves = np.full(len(words), np.nan)
    if has_rows.any():
        vectors = sentence.vectors(indices[has_rows])
        positions, positions_before = (
            [sentence.start + index for index in numbers[has_rows].tolist()]
            for numbers in (indices, places)
        )
        moves[has_rows] = tokens.compute_move_distances(
            vectors, sentence.e, positions, positions_before, options.join
        )
        moves[has_rows & (indices == places)] = 0.0
    return places, moves


def _compute_output_change(sentence: Sentence) -> float | None:
    options, e = sentence.options, sentence.e
    words, words_before = options.tokens, options.previous_tokens
    if not words_before or len(words) != len(words_before) or len(words) > _MAX_ATTENTION_WORDS:
        return None
    if options.join == "words" or len(words) * sentence.width > _CHUNK_SIZE:
        return None
    if attention.explain_missing_head(e, options.head):
        return None
    places, positions = sentence.places_before, sentence.positions(range(len(words)))
    if (places < 0).any() or len(tokens.find_indices_with_rows(e, positions)) < len(words):
        return None
    vectors = sentence.vectors(range(len(words)))
    if not np.isfinite(vectors).all():
        return None
    vectors_before = np.empty_like(vectors)
    vectors_before[places] = vectors
    mask = int(sentence.is_causal)
    output, output_before = (
        attention.compute_attention_output(rows, e, positions, options.join, options.head, mask)
        for rows in (vectors, vectors_before)
    )
    return round(float(tokens.lengths(output - output_before[places]).max()), _DECIMAL_COUNT)
