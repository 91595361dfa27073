"""The attention weights of one head without learned matrices, for the words of a sentence.

The row of a word serves as its query and its key. `analysis.tokens` combines word vectors and
positions into rows.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis._rows import scale_rows
from pe_explorer.analysis.tokens import join_rows, resolve_join
from pe_explorer.arrays import Bools, Floats
from pe_explorer.encodings import Bias, Encoding, LinearRows

MAX_ROW_VALUES = 1 << 24  # maximum number of values in the rows of a sentence, which take 128 MB
_MAX_EXPONENT = 1000  # larger exponents of 2 would make scores overflow
_ROUNDOFF = 2.0**-52  # upper bound on the relative rounding error of one floating-point operation
_MAX_ROUNDINGS = 6  # maximum number of roundings in a term of a score, except word · word
_MAX_ERROR = 1e-9  # maximum error of a score, which is also the relative error of its weight
_MAX_RELEVANT_GAP = 40.0  # weights are negligible if scores are this far below the highest score


class LinearTerms(NamedTuple):
    """The terms of the scores between rows of a linear encoding.

    Scores are computed from these terms, because rows of positions far from 0 are
    inaccurate. Let x be the position divided by the encoding's divisor. A row is either the
    word vector w with x added to every column, or w followed by d columns of x. In the
    first case, the product of two rows is w·w' + x·Σw' + x'·Σw + d·x·x', where d is the
    number of columns. In the second case, the terms with Σ are 0.
    """

    words: Floats  # the word vectors, shape (words, width); width 0 if only positions are used
    sums: Floats  # Σw (rounded) and its rounding error, shape (2, words); 0 unless x is added to w
    coordinates: Floats  # the value of x for each word
    step: float  # the difference of x between consecutive words
    columns: int  # d, the number of columns that contain x

    def compute_differences(self, query: int, key: int) -> tuple[Floats, Floats]:
        """Return the query's products with all keys minus its product with `key`.

        The second array contains bounds for the errors of the first.
        """
        steps = (np.arange(len(self.coordinates)) - key) * self.step
        query_word, words = self.words[query], self.words - self.words[key]
        terms = (
            words @ query_word,
            self.sums[0, query] * steps,
            self.coordinates[query] * (self.sums - self.sums[:, [key]]).sum(axis=0),
            self.columns * self.coordinates[query] * steps,
        )
        # A sum of n products is rounded n times, and every other term a few times.
        errors = (len(query_word) + 2) * (np.abs(words) @ np.abs(query_word))
        errors += _MAX_ROUNDINGS * sum(map(np.abs, terms[1:]))
        return sum(terms), _ROUNDOFF * errors


def explain_word_limit(words: int, width: int) -> str:
    """Return why a sentence has too many words to compute attention, or "" if it does not."""
    limit = MAX_ROW_VALUES // width
    problem = f"the sentence has {words:,} words, but the limit at this width is {limit:,}"
    return problem if words > limit else ""


def explain_missing_head(e: Encoding, head: int) -> str:
    """Return an error message if a bias does not have this head, otherwise an empty string."""
    if not isinstance(e, Bias) or head < e.width:
        return ""
    heads_text = f"{e.columns.format_count(e.width)}, counted from 0"
    return f"{e.format_name()} has {heads_text}, so there is no head {head:,}"


def compute_head_rows(words: Floats, e: Encoding, positions: range, join: str) -> Floats:
    """Return the queries and keys of a sentence, which are the rows of its words.

    If only positions are used, the rows for a bias are zeros, because a bias is added to
    scores, not to rows.
    """
    if join == "positions" and isinstance(e, Bias):
        return np.zeros((len(words), 1))
    return join_rows(words, e, positions, join)


def make_linear_terms(
    words: Floats, e: Encoding, positions: range, join: str
) -> LinearTerms | None:
    """Return the terms of the scores, or None if the rows contain no linear encoding."""
    join_kind = resolve_join(join, e)
    if not isinstance(e, LinearRows) or join_kind == "words":
        return None
    sums = np.zeros((2, len(words)))
    if join_kind == "sum":
        for index, vector in enumerate(words):
            numbers = vector.tolist()
            try:
                sums[0, index] = math.fsum(numbers)
                sums[1, index] = math.fsum([*numbers, -sums[0, index]])
            except (OverflowError, ValueError):
                sums[:, index] = math.nan
    coordinates = np.array([position / e.divisor for position in positions])
    vectors = words[:, :0] if join_kind == "positions" else words
    return LinearTerms(vectors, sums, coordinates, positions.step / e.divisor, e.width)


def compute_bias(e: Encoding, join: str, positions: range, head: int) -> Floats | None:
    """Return the bias for ascending offsets (key minus query), or None if no bias is used."""
    if join == "words" or not isinstance(e, Bias):
        return None
    count, step = len(positions), positions.step
    offsets = range((1 - count) * step, count * step, step)
    return e.bias(offsets, range(head, head + 1))[0]


def make_weights_function(
    words: Floats, e: Encoding, positions: range, join: str, head: int, mask_direction: int
) -> Callable[[range], Floats]:
    """Return a function that computes attention weights for a range of queries."""
    rows = compute_head_rows(words, e, positions, join)
    bias = compute_bias(e, join, positions, head)
    linear_terms = make_linear_terms(words, e, positions, join)
    return partial(
        compute_weights, rows, bias=bias, linear_terms=linear_terms, mask_direction=mask_direction
    )


def compute_weights(
    rows: Floats,
    queries: range,
    bias: Floats | None = None,
    linear_terms: LinearTerms | None = None,
    *,
    mask_direction: int = 0,
) -> Floats:
    """Return attention weights, shape (queries, words): the softmax of (q·k)/√d plus the bias.

    `rows` are queries and keys, shape (words, d); words with infinity or nan are skipped. `bias`
    has a value for each offset (key minus query) from ``1 - words`` to ``words - 1``.
    `mask_direction` is 1 to mask words after the query, -1 to mask those before it, 0 for no mask.
    The weights of a query add up to 1. They are nan if the query is skipped, or if rounding
    errors would dominate the weights of a linear encoding.
    """
    count, width = rows.shape
    result = np.full((len(queries), count), np.nan)
    is_finite: Bools = np.logical_and.reduce(np.isfinite(rows), axis=1)
    keys, exponent = scale_rows(rows[is_finite])
    for index, word in enumerate(queries):
        if not is_finite[word]:
            continue
        is_visible = is_finite & (mask_direction * (np.arange(count) - word) <= 0)
        result[index, is_finite] = 0.0
        if linear_terms is not None:
            result[index, is_visible] = _compute_linear_softmax(
                linear_terms, word, is_visible, width
            )
            continue
        query, query_exponent = scale_rows(rows[word])
        factor = 2.0 ** min(exponent + query_exponent, _MAX_EXPONENT) / math.sqrt(width)
        visible_bias = None if bias is None else bias[count - 1 - word :][:count][is_visible]
        visible_keys = keys[is_visible[is_finite]] if mask_direction else keys
        result[index, is_visible] = _softmax(query, visible_keys, factor, visible_bias)
    return result


def compute_attention_output(
    words: Floats, e: Encoding, positions: range, join: str, head: int, mask_direction: int = 0
) -> Floats:
    """Return the attention output of each word: the mean of all values, weighted by attention.

    The value of a word is its row. For RoPE, the value is the word vector, because RoPE
    rotates only queries and keys. Positions of a linear encoding are counted from the first
    word, because rows of positions far from 0 lose digits.
    """
    values, join_kind = words, resolve_join(join, e)
    if isinstance(e, LinearRows) and join_kind != "words":
        relative_positions = range(0, len(positions) * positions.step, positions.step)
        values = join_rows(words, e, relative_positions, join)
    elif join_kind != "turned":
        values = compute_head_rows(words, e, positions, join)
    compute_query_weights = make_weights_function(words, e, positions, join, head, mask_direction)
    return compute_query_weights(range(len(words))) @ values


def _compute_linear_softmax(
    linear_terms: LinearTerms, query: int, is_visible: Bools, width: int
) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):  # word vectors can contain very large values
        scores, _ = linear_terms.compute_differences(query, int(is_visible.argmax()))
        best_key = int(np.where(is_visible, scores, -np.inf).argmax())
        parts = linear_terms.compute_differences(query, best_key)
        scores, errors = (part[is_visible] / math.sqrt(width) for part in parts)
        gaps = scores.max() - scores
        is_relevant = ~(gaps - errors > _MAX_RELEVANT_GAP)
    if (is_relevant & ~(errors <= _MAX_ERROR)).any():
        return np.full(len(scores), np.nan)
    relative_weights = np.exp(-gaps)
    return relative_weights / relative_weights.sum()


def _softmax(query: Floats, keys: Floats, factor: float, bias: Floats | None) -> Floats:
    """Return the softmax of ``factor * (keys @ query) + bias``.

    The key with the highest score is subtracted from all keys before multiplication, because the
    scores of very large rows are too inaccurate to be subtracted.
    """
    scores = factor * (keys @ query)
    best_key = int((scores if bias is None else scores + bias).argmax())
    scores = factor * ((keys - keys[best_key]) @ query)
    if bias is not None:
        scores += bias - bias[best_key]
    relative_weights = np.exp(scores - scores.max())
    return relative_weights / relative_weights.sum()
