"""Tokens: rows of words at positions, how alike they are, and what another order changes."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np

from pe_explorer.analysis.word_vectors import key_of, words_of
from pe_explorer.arrays import Floats, Ints
from pe_explorer.params import Choice, Text

JOINS = {
    "words": "the word vectors alone: where a word stands makes no difference",
    "positions": "the rows of the positions alone",
    "sum": "word vector and position added, as the transformer does it",
    "concatenation": "the position appended to the word vector: both stay whole",
}
"""How the row of a token is made, by name."""

MOST_LETTERS = 120_000
"""Characters of a sentence: over ten thousand words."""

SENTENCE = Text(
    "She told him that she only loved him.",
    MOST_LETTERS,
    0,
    label="Sentence",
    help="Words with spaces between them; each is a token, whose place is its position.",
)
WORDS = Choice(
    "toy",
    {
        "toy": "a built-in table: each word has numbers of its own, which mean nothing",
        "file": "a file with the vectors of a model",
    },
    label="Word vectors",
    help="Where the numbers of words come from.",
)
JOIN = Choice("sum", JOINS, label="Join", help="How word vector and position make a row.")


def joined(words: Floats, positions: Floats, join: str) -> Floats:
    """Return the rows of tokens.

    Parameters
    ----------
    words : (tokens, word width) float64
    positions : (tokens, width) float64
        As wide as the words, for a sum.
    join : str
        One of `JOINS`.
    """
    if join == "words":
        return words
    if join == "positions":
        return positions
    if join == "sum":
        return words + positions
    return np.hstack([words, positions])


def similarities(rows: Floats) -> Floats:
    """Return the cosine similarity of each two rows, shape (rows, rows); nan for a row of zeros."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
        scaled = rows / largest  # or squares of very large numbers would be infinite
        directions = scaled / lengths(scaled)[:, None]
        found: Floats = directions @ directions.T
    return np.clip(found, -1.0, 1.0)


def lengths(rows: Floats) -> Floats:
    """Return the Euclidean length of each row."""
    found: Floats = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return found


def attended(rows: Floats) -> Floats:
    """Return what a plain attention head makes of each row: queries, keys and values are the rows.

    Returns
    -------
    (rows, columns) float64
        Means of all rows, weighted by the softmax of the dot products over √columns.
    """
    scores = rows @ rows.T / np.sqrt(rows.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = weights @ rows / weights.sum(axis=1, keepdims=True)
    return found


def moved(sentence: str, place: int, to: int) -> str:
    """Return a sentence whose word at a place stands at another."""
    words = list(words_of(sentence))
    words.insert(to, words.pop(place))
    return " ".join(words)


def places_before(words: Sequence[str], before: Sequence[str]) -> Ints:
    """Return where each word stood in the sentence before, −1 where it was not there.

    Capitals and marks around words make no difference. What stands there several times keeps
    its order.
    """
    free: defaultdict[str, deque[int]] = defaultdict(deque)
    for place, word in enumerate(before):
        free[key_of(word)].append(place)
    found = [free[key].popleft() if free[key := key_of(word)] else -1 for word in words]
    return np.array(found, dtype=np.int64)
