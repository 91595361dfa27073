"""One attention head without learned matrices: how much each word looks at each of a sentence.

Queries and keys are the rows of the words, as `analysis.tokens` joins words and positions. There is
no mask: each word looks at all of them.
"""

import math

import numpy as np

from pe_explorer.analysis._rows import scaled
from pe_explorer.analysis.tokens import join_with, joined
from pe_explorer.arrays import Bools, Floats
from pe_explorer.encodings import Bias, Encoding

MOST_NUMBERS = 1 << 24
"""Numbers in the rows of the longest sentence: 128 MB, needed at once."""

_LARGEST_EXPONENT = 1000  # power of 2 above which scores would overflow


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
    return f"{e.called()} has {e.columns.counted(e.width)}, and none with the number {head:,}"


def head_rows(words: Floats, e: Encoding, positions: range, join: str) -> Floats:
    """Return the queries and keys of a sentence: the rows of its words.

    Positions alone are rows of nothing with a bias, which attention adds to the scores.
    """
    if join == "positions" and isinstance(e, Bias):
        return np.zeros((len(words), 1))
    return joined(words, e, positions, join)


def bias_of(e: Encoding, join: str, count: int, head: int) -> Floats | None:
    """Return what attention adds to scores, by offset from ``1 - count`` on; None for nothing."""
    if join == "words" or not isinstance(e, Bias):
        return None
    found: Floats = e.bias(range(1 - count, count), range(head, head + 1))[0]
    return found


def weights(rows: Floats, queries: range, bias: Floats | None = None) -> Floats:
    """Return how much words look at each word: the softmax of (q·k)/√d plus the bias.

    Parameters
    ----------
    rows : (words, d) float64
        Queries and keys. Words with a number that is not finite are left out.
    queries : range
        Which words' weights are wanted.
    bias : (2 * words - 1,) float64, optional
        What is added for each offset, key minus query, from ``1 - words`` on.

    Returns
    -------
    (queries, words) float64
        Each row adds up to 1; nan for words that are left out.
    """
    count, width = rows.shape
    found = np.full((len(queries), count), np.nan)
    known: Bools = np.logical_and.reduce(np.isfinite(rows), axis=1)
    keys, power = scaled(rows[known])
    for place, word in enumerate(queries):
        if known[word]:
            query, more = scaled(rows[word])
            factor = 2.0 ** min(power + more, _LARGEST_EXPONENT) / math.sqrt(width)
            added = None if bias is None else bias[count - 1 - word :][:count][known]
            found[place, known] = _softmax(query, keys, factor, added)
    return found


def attention_output(words: Floats, e: Encoding, positions: range, join: str, head: int) -> Floats:
    """Return what attention makes of each word: the mean of all values by their weights.

    Values are the rows, but the word vectors where RoPE turns queries and keys.
    """
    rows = head_rows(words, e, positions, join)
    bias = bias_of(e, join, len(words), head)
    values = words if join_with(join, e) == "turned" else rows
    return weights(rows, range(len(words)), bias) @ values


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
    found: Floats = powers / powers.sum()
    return found
