"""Rows of tokens (words at positions), their similarity, and the effect of word order."""

import math
from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np

from pe_explorer.analysis._close import normalise
from pe_explorer.analysis.word_vectors import normalise_word, split_words
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Bias, Encoding, Multiples, Rotary
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.params import Choice, Text, Whole

JOINS = {  # the ways to compute the row of a token
    "words": "only word vectors, so word order makes no difference",
    "positions": "only position vectors",
    "sum": "position vectors are added to word vectors; RoPE rotates word vectors instead",
    "concatenation": "position vectors follow word vectors in separate columns",
}
DEFAULT_WORD_WIDTH = 64  # default width of a word vector, from "Attention Is All You Need"
MAX_CHARACTERS = 120_000  # maximum length of a sentence, enough for ten thousand words
SENTENCE = Text(
    "She told him that she only loved him.",
    MAX_CHARACTERS,
    0,
    label="Sentence",
    help="Words separated by spaces; each word is a token.",
)
WORDS = Choice(
    "toy",
    {"toy": "built-in random values without meaning", "file": "vectors of a model, from a file"},
    label="Word vectors",
    help="The source of the word vectors.",
)
JOIN = Choice("sum", JOINS, label="Join", help="How word and position vectors are combined.")
HEAD = Whole(
    0, 0, 65_535, label="Head", help="The ALiBi head whose bias is added to attention scores."
)
MASK = Choice(
    "auto",
    {
        "auto": '"causal" for ALiBi with a one-sided bias, otherwise "none"',
        "causal": "each word attends to itself and to earlier words",
        "none": "each word attends to all words",
    },
    label="Mask",
    help="The words that each word attends to.",
)


def is_causal(mask: str, e: Encoding) -> bool:
    """Return whether a value of `MASK` hides later words."""
    is_causal_by_default = isinstance(e, Bias) and not e.parameters.get("symmetric")
    return is_causal_by_default if mask == "auto" else mask == "causal"


def resolve_join(join: str, e: Encoding) -> str:
    """Return how to compute the rows of tokens: a key of `JOINS`, or ``turned`` for RoPE.

    A bias is added to scores, not to rows, so for a bias, ``sum`` becomes ``words``.
    """
    if join != "sum":
        return join
    if isinstance(e, Rotary):
        return "turned"
    return "words" if isinstance(e, Bias) else "sum"


def explain_no_join(join: str, e: Encoding) -> str:
    """Return why an encoding does not allow a join, or "" if it does."""
    if join != "concatenation" or not isinstance(e, Rotary | Bias):
        return ""
    effect = "rotates the word vector" if isinstance(e, Rotary) else "is added to attention scores"
    return f"{e.format_name()} {effect}, so there is nothing to append"


def compute_toy_width(e: Encoding) -> int:
    """Return the width of the built-in word vectors for an encoding."""
    if isinstance(e, Rotary):
        return e.head_dim
    return DEFAULT_WORD_WIDTH if isinstance(e, Bias) else e.width


def compute_row_width(words: int, e: Encoding, join: str) -> int:
    """Return the width of the row of a token, for word vectors of width `words`."""
    join_kind = resolve_join(join, e)
    if join_kind == "concatenation":
        return words + e.width
    return words if join_kind in ("words", "turned") else e.width


def join_rows(words: Floats, e: Encoding, positions: range, join: str) -> Floats:
    """Return the rows of tokens at positions; nan for positions without a row.

    For a sum, word vectors must have the width of the encoding; for RoPE, the width of a
    head.
    """
    join_kind = resolve_join(join, e)
    if join_kind == "words":
        return words
    indices = find_indices_with_rows(e, positions)
    part = slice(indices.start, indices.stop)
    if join_kind == "turned":
        rows = np.full(words.shape, np.nan)
        assert isinstance(e, Rotary)
        with np.errstate(over="ignore", invalid="ignore"):  # word vectors can have huge values
            rows[part] = e.rotate(words[part], positions[part])
        return rows
    rows = np.full((len(positions), e.width), np.nan)
    rows[part] = e.table(positions[part])
    if join_kind == "positions":
        return rows
    return words + rows if join_kind == "sum" else np.hstack([words, rows])


def find_indices_with_rows(e: Encoding, positions: range) -> range:
    """Return the consecutive indices of the positions that have rows."""
    inner_positions = clip_positions(positions, e.domain)
    first = (inner_positions.start - positions.start) // positions.step
    return range(first, first + len(inner_positions))


def compute_move_distances(
    words: Floats, e: Encoding, positions: Sequence[int], other_positions: Sequence[int], join: str
) -> Floats:
    """Return the distance between the rows of each word at two positions, shape (words,).

    All positions must have rows.
    """
    join_kind = resolve_join(join, e)
    if join_kind == "words":
        return np.zeros(len(positions))
    if join_kind == "turned":
        assert isinstance(e, Rotary)
        return lengths(e.rotate(words, positions) - e.rotate(words, other_positions))
    if isinstance(e, Multiples):  # differences of rows are inaccurate far from 0
        steps = e.factors(np.array(positions)) - e.factors(np.array(other_positions))
        return np.abs(steps) / e.divisor * math.sqrt(float(np.square(e.slopes).sum()))
    with np.errstate(invalid="ignore"):  # inf - inf is nan
        return lengths(e.table(positions) - e.table(other_positions))


def compute_similarities(rows: Floats) -> Floats:
    """Return the cosine similarity of each pair of rows, shape (n, n); nan for rows of zeros."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        directions = normalise(rows)
        cosines: Floats = directions @ directions.T
    return np.clip(cosines, -1.0, 1.0)


def lengths(rows: Floats) -> Floats:
    """Return the Euclidean length of each row."""
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))


def move_word(sentence: str, place: int, new_place: int) -> str:
    """Return a sentence in which the word at index `place` is moved to index `new_place`."""
    words = list(split_words(sentence))
    words.insert(new_place, words.pop(place))
    return " ".join(words)


def places_before(words: Sequence[str], before: Sequence[str]) -> Ints:
    """Return the index of each word in `before`, or −1 if the word is new.

    Case and surrounding punctuation are ignored. Repeated words are matched in order.
    """
    queues: defaultdict[str, deque[int]] = defaultdict(deque)
    for place, word in enumerate(before):
        queues[normalise_word(word)].append(place)
    word_queues = (queues[normalise_word(word)] for word in words)
    return np.array([queue.popleft() if queue else -1 for queue in word_queues], dtype=np.int64)
