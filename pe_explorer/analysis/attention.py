"""One attention head without learned matrices: how much each word looks at each of a sentence.

Queries and keys are the rows of the words, as `analysis.tokens` joins words and positions.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis._rows import scaled
from pe_explorer.analysis.tokens import join_with, joined
from pe_explorer.arrays import Bools, Floats
from pe_explorer.encodings import Bias, Encoding, Line

MOST_NUMBERS = 1 << 24  # in the rows of the longest sentence: 128 MB, needed at once
_LARGEST_EXPONENT = 1000  # power of 2 above which scores would overflow
_ROUNDING = 2.0**-52  # relative error of a sum or product of rounded numbers
_ROUNDINGS = 6  # of a product of a place, a step and a number of columns, in a sum of four
_LARGEST_ERROR = 1e-9  # of a score, which changes a weight by as much of itself
_NOTHING = 40.0  # a score that is lower by so much has less weight than rounding


class LineScores(NamedTuple):
    """The terms of the scores of rows on a line, because far from 0 the rows have lost digits.

    A row is the word vector w plus x at each place, or beside it, where x is the position divided
    by the length. Its product with another is then w·w' + x·Σw' + x'·Σw + d·x·x'.
    """

    words: Floats  # the word vectors, of no numbers for positions alone: (words, width)
    sums: Floats  # Σw where words and positions are added, rounded, and the rest: (2, words)
    places: Floats  # x of each word
    step: float  # x of a word less that of the word before
    columns: int  # the number d of columns with positions

    def relative(self, query: int, key: int) -> tuple[Floats, Floats]:
        """Return the product with each key less that with one of them, and a bound of its error."""
        steps = (np.arange(len(self.places)) - key) * self.step
        of_sums = (self.sums - self.sums[:, [key]]).sum(axis=0)
        vector, apart = self.words[query], self.words - self.words[key]
        terms = (
            apart @ vector,
            self.sums[0, query] * steps,
            self.places[query] * of_sums,
            self.columns * self.places[query] * steps,
        )
        # A sum of n products is rounded n times, each of the other terms a few times.
        rounded = (len(vector) + 2) * (np.abs(apart) @ np.abs(vector))
        rounded += _ROUNDINGS * sum(map(np.abs, terms[1:]))
        return sum(terms), _ROUNDING * rounded


def why_too_many(words: int, width: int) -> str:
    """Return why attention of so many words is not computed, or an empty text."""
    most = MOST_NUMBERS // width
    if words <= most:
        return ""
    return f"attention needs the rows of all {words:,} words, and {most:,} of this width at most"


def why_no_head(e: Encoding, head: int) -> str:
    """Return why a bias has no such head, or an empty text."""
    if not isinstance(e, Bias) or head < e.width:
        return ""
    return f"{e.display_name()} has {e.columns.counted(e.width)}, and none with the number {head:,}"


def head_rows(words: Floats, e: Encoding, positions: range, join: str) -> Floats:
    """Return the queries and keys of a sentence: the rows of its words.

    Positions alone are rows of nothing with a bias, which attention adds to the scores.
    """
    if join == "positions" and isinstance(e, Bias):
        return np.zeros((len(words), 1))
    return joined(words, e, positions, join)


def line_scores(words: Floats, e: Encoding, positions: range, join: str) -> LineScores | None:
    """Return what the scores of rows on a line are made of, None for all other rows."""
    how = join_with(join, e)
    if not isinstance(e, Line) or how == "words":
        return None
    sums = np.zeros((2, len(words)))
    if how == "sum":
        for place, vector in enumerate(words):
            numbers = vector.tolist()
            try:  # the rounded sum, and what rounding left
                sums[0, place] = math.fsum(numbers)
                sums[1, place] = math.fsum([*numbers, -sums[0, place]])
            except (OverflowError, ValueError):
                sums[:, place] = math.nan
    places = np.array([position / e.divisor for position in positions])
    vectors = words[:, :0] if how == "positions" else words
    return LineScores(vectors, sums, places, positions.step / e.divisor, e.width)


def bias_of(e: Encoding, join: str, positions: range, head: int) -> Floats | None:
    """Return what attention adds to scores, by how many words a key is after the query.

    The first is that of a key at the first position for a query at the last one, the last one the
    other way round; None for nothing.
    """
    if join == "words" or not isinstance(e, Bias):
        return None
    count, step = len(positions), positions.step
    offsets = range((1 - count) * step, count * step, step)
    return e.bias(offsets, range(head, head + 1))[0]


def head_of(
    words: Floats, e: Encoding, positions: range, join: str, head: int, hidden: int
) -> Callable[[range], Floats]:
    """Return the function from queries to `weights` of word vectors at positions."""
    rows = head_rows(words, e, positions, join)
    bias = bias_of(e, join, positions, head)
    line = line_scores(words, e, positions, join)
    return partial(weights, rows, bias=bias, line=line, hidden=hidden)


def weights(
    rows: Floats,
    queries: range,
    bias: Floats | None = None,
    line: LineScores | None = None,
    *,
    hidden: int = 0,
) -> Floats:
    """Return how much words look at each word, (queries, words): softmax of (q·k)/√d plus the bias.

    `rows` are queries and keys, (words, d); words with a number that is not finite are left out.
    `bias` is added for each offset, key minus query, from ``1 - words`` on: (2 * words - 1,).
    `hidden` is 1 where words after the query have no weight, -1 for those before it, 0 for none.
    Each row adds up to 1; nan for words that are left out, and for rows on a line where rounding
    would decide the weights.
    """
    count, width = rows.shape
    found = np.full((len(queries), count), np.nan)
    known: Bools = np.logical_and.reduce(np.isfinite(rows), axis=1)
    keys, power = scaled(rows[known])
    for place, word in enumerate(queries):
        if not known[word]:
            continue
        seen = known & (hidden * (np.arange(count) - word) <= 0)
        found[place, known] = 0.0
        if line is not None:
            found[place, seen] = _softmax_on_line(line, word, seen, width)
            continue
        query, more = scaled(rows[word])
        factor = 2.0 ** min(power + more, _LARGEST_EXPONENT) / math.sqrt(width)
        added = None if bias is None else bias[count - 1 - word :][:count][seen]
        found[place, seen] = _softmax(query, keys[seen[known]] if hidden else keys, factor, added)
    return found


def attention_output(
    words: Floats, e: Encoding, positions: range, join: str, head: int, hidden: int = 0
) -> Floats:
    """Return what attention makes of each word: the mean of all values by their weights.

    Values are the rows, but the word vectors where RoPE turns queries and keys. The mean of rows
    on a line is that of a text that begins at 0: far from there its digits would be lost.
    """
    values, how = words, join_with(join, e)
    if isinstance(e, Line) and how != "words":
        from_first = range(0, len(positions) * positions.step, positions.step)
        values = joined(words, e, from_first, join)  # with the digits that far rows have lost
    elif how != "turned":
        values = head_rows(words, e, positions, join)
    return head_of(words, e, positions, join, head, hidden)(range(len(words))) @ values


def _softmax_on_line(line: LineScores, query: int, known: Bools, width: int) -> Floats:
    """Return the weights of the known words, nan where rounding would decide them."""
    with np.errstate(over="ignore", invalid="ignore"):  # of words with very large numbers
        scores, _ = line.relative(query, int(known.argmax()))
        highest = int(np.where(known, scores, -np.inf).argmax())
        scores, errors = (each[known] / math.sqrt(width) for each in line.relative(query, highest))
        below = scores.max() - scores
        matters = ~(below - errors > _NOTHING)
    if (matters & ~(errors <= _LARGEST_ERROR)).any():
        return np.full(len(scores), np.nan)
    powers = np.exp(-below)
    return powers / powers.sum()


def _softmax(query: Floats, keys: Floats, factor: float, bias: Floats | None) -> Floats:
    """Return the softmax of ``factor * (keys @ query) + bias``.

    Scores are taken from the highest one: the difference of keys is formed first, as scores of
    very large rows differ in digits that they do not have.
    """
    scores = factor * (keys @ query)
    highest = int((scores if bias is None else scores + bias).argmax())
    scores = factor * ((keys - keys[highest]) @ query)
    if bias is not None:
        scores += bias - bias[highest]
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()
