"""Tokens: rows of words at positions, how alike they are, and what another order changes."""

import math
from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np

from pe_explorer.analysis.word_vectors import key_of, words_of
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Bias, Encoding, Multiples, Rotary
from pe_explorer.numeric.positions import positions_in
from pe_explorer.params import Choice, Text, Whole

JOINS = {  # how the row of a token is made
    "words": "the word vectors alone: where a word stands makes no difference",
    "positions": "the rows of the positions alone",
    "sum": "as models do it: a position is added to the word vector, RoPE turns the word vector",
    "concatenation": "the position appended to the word vector: both stay whole",
}
HEAD_WIDTH = 64  # numbers of a word vector where no encoding says how many: those of the paper
MOST_LETTERS = 120_000  # characters of a sentence: over ten thousand words
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
        "toy": "a built-in table: each word has random numbers of its own, which mean nothing",
        "file": "a file with the vectors of a model",
    },
    label="Word vectors",
    help="Where the numbers of words come from.",
)
JOIN = Choice("sum", JOINS, label="Join", help="How word vector and position make a row.")
HEAD = Whole(
    0,
    0,
    65_535,
    label="Head",
    help="Which head of ALiBi: each adds its own bias to the scores of attention.",
)

MASK = Choice(
    "auto",
    {
        "auto": "causal for ALiBi, unless its bias is symmetric, and else none",
        "causal": "each word looks at itself and at the words before it",
        "none": "each word looks at all words",
    },
    label="Mask",
    help="Which words an attention head looks at.",
)


def is_causal(mask: str, e: Encoding) -> bool:
    """Return whether no word looks at later ones, by a choice of `MASK`."""
    is_usual = isinstance(e, Bias) and not e.parameters.get("symmetric")
    return is_usual if mask == "auto" else mask == "causal"


def join_with(join: str, e: Encoding) -> str:
    """Return how an encoding makes rows by a join: one of `JOINS`, or ``turned`` for RoPE.

    What attention adds to its scores changes no row: a sum with a bias is the words alone.
    """
    if join != "sum":
        return join
    if isinstance(e, Rotary):
        return "turned"
    return "words" if isinstance(e, Bias) else "sum"


def why_not_joined(join: str, e: Encoding) -> str:
    """Return why nobody makes rows so with an encoding, or an empty text."""
    if join != "concatenation":
        return ""
    if isinstance(e, Rotary):
        return f"{e.display_name()} turns the word vector, and has nothing to append to it"
    added = "is added to the scores of attention, and has nothing to append to words"
    return f"{e.display_name()} {added}" if isinstance(e, Bias) else ""


def toy_width(e: Encoding) -> int:
    """Return how many numbers a built-in word vector has: as many as the encoding goes with."""
    if isinstance(e, Rotary):
        return e.head_dim
    return HEAD_WIDTH if isinstance(e, Bias) else e.width


def row_width(words: int, e: Encoding, join: str) -> int:
    """Return how many numbers the row of a token has, of words with so many."""
    how = join_with(join, e)
    if how == "concatenation":
        return words + e.width
    return words if how in ("words", "turned") else e.width


def joined(words: Floats, e: Encoding, positions: range, join: str) -> Floats:
    """Return the rows of tokens at positions; the numbers of a position without a row are nan.

    Word vectors are as wide as a position's row for a sum, and as a head for RoPE.
    """
    how = join_with(join, e)
    if how == "words":
        return words
    inside = with_row(e, positions)
    part = slice(inside.start, inside.stop)
    if how == "turned":
        turned = np.full(words.shape, np.nan)
        assert isinstance(e, Rotary)
        with np.errstate(over="ignore", invalid="ignore"):  # of words with very large numbers
            turned[part] = e.rotate(words[part], positions[part])
        return turned
    rows = np.full((len(positions), e.width), np.nan)
    rows[part] = e.table(positions[part])
    if how == "positions":
        return rows
    return words + rows if how == "sum" else np.hstack([words, rows])


def with_row(e: Encoding, positions: range) -> range:
    """Return the places of those positions that have a row, which follow each other."""
    there = positions_in(positions, e.domain)
    first = (there.start - positions.start) // positions.step
    return range(first, first + len(there))


def moves(words: Floats, e: Encoding, now: Sequence[int], then: Sequence[int], join: str) -> Floats:
    """Return how far the row of each word is from its row at another position.

    All positions have a row.
    """
    how = join_with(join, e)
    if how == "words":
        return np.zeros(len(now))
    if how == "turned":
        assert isinstance(e, Rotary)
        return lengths(e.rotate(words, now) - e.rotate(words, then))
    if isinstance(e, Multiples):  # far from 0 the numbers of rows have lost their differences
        steps = np.abs(e.factors(np.array(now)) - e.factors(np.array(then))) / e.divisor
        return steps * math.sqrt(float(np.square(e.slopes).sum()))
    with np.errstate(invalid="ignore"):  # inf - inf is nan
        return lengths(e.table(now) - e.table(then))


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
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))


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
