"""Quantities of a sentence: rows of words, their similarities, and attention weights."""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from pe_explorer.analysis.attention import (
    explain_missing_head,
    explain_word_limit,
    make_weights_function,
)
from pe_explorer.analysis.tokens import (
    HEAD,
    JOIN,
    MASK,
    SENTENCE,
    WORDS,
    compute_row_width,
    compute_similarities,
    compute_toy_width,
    explain_no_join,
    is_causal,
    join_rows,
    resolve_join,
)
from pe_explorer.analysis.word_vectors import make_toy_vectors, split_words
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Bias, Encoding, EncodingError
from pe_explorer.quantities._base import (
    Data,
    Quantity,
    QuantityInput,
    explain_row_mismatch,
    make_array_fill,
    subtract,
)

_MAX_WORDS = 4096  # maximum number of words whose similarities fit into memory


class TokenRows(Quantity):
    """The row of each word in a sentence, from its vector and its position: (words, columns)."""

    name = "tokens"
    rank = 62
    options = {"sentence": SENTENCE, "words": WORDS, "join": JOIN}
    view = "tokens"
    has_difference = True
    explain_mismatch = staticmethod(explain_row_mismatch)

    @classmethod
    def data(cls, inputs: QuantityInput) -> Data:
        if inputs.subject.subtrahend is not None:
            return subtract(cls, inputs, min_size=1.0)
        e, join, words = inputs.encoding, inputs.options["join"], _check_words(inputs)
        positions, entries = inputs.positions[: len(words)], compute_toy_width(e)

        def fill(part: range, out: Floats) -> None:
            first = positions.index(part[0])
            vectors = make_toy_vectors(words[first : first + len(part)], entries)
            out[:] = join_rows(vectors, e, part, join)

        def titles() -> Iterator[str]:
            method = resolve_join(join, e)
            if method in ("words", "concatenation"):
                yield from (f"entry {number}" for number in range(entries))
            if method == "turned":
                yield from (f"channel {number}" for number in range(entries))
            elif method != "words":
                yield from map(e.format_column_title, range(e.width))

        return Data(positions, compute_row_width(entries, e, join), e.rows.name, titles, fill)


def _check_words(inputs: QuantityInput) -> tuple[str, ...]:
    if problem := explain_no_join(inputs.options["join"], inputs.encoding):
        raise EncodingError("join", problem, 'choose the "sum" join, which models use')
    if inputs.options["words"] != "toy":
        problem = "the word vectors of a file cannot be exported"
        raise EncodingError("words", problem, 'choose the built-in "toy" vectors')
    words = split_words(inputs.options["sentence"])
    if not words:
        raise EncodingError("sentence", "contains no words", "type at least one word")
    return words


class Similarity(TokenRows):
    """The cosine similarity between every two words of a sentence: (words, words).

    Rows of zeros have no direction, so their similarities are nan.
    """

    name = "similarity"
    rank = 63

    @classmethod
    def data(cls, inputs: QuantityInput) -> Data:
        if inputs.subject.subtrahend is not None:
            return subtract(cls, inputs, min_size=1.0)
        tokens = TokenRows.data(inputs)
        count = len(tokens.index)
        if count > _MAX_WORDS:
            problem = f"{count:,} words form too many pairs"
            raise EncodingError("positions", problem, f"choose at most {_MAX_WORDS:,} positions")
        words = split_words(inputs.options["sentence"])[:count]

        def compute() -> Floats:
            rows = np.empty(tokens.shape)
            tokens.fill(tokens.index, rows)
            return compute_similarities(rows)

        fill = make_array_fill(tokens.index, compute)
        return Data(tokens.index, count, tokens.index_title, lambda: words, fill)


class Attention(TokenRows):
    """The attention of each word of a sentence to every word: softmax of q·k/√d.

    The shape is (exported words, all words). Queries and keys are the rows of the words,
    without learned projections. With a causal mask, the weights of later words are 0.
    """

    name = "attention"
    rank = 64
    options = {**TokenRows.options, "head": HEAD, "mask": MASK}

    @staticmethod
    def explain_mismatch(e: Encoding, other: Encoding) -> str:  # noqa: ARG004 - same words
        return ""

    @classmethod
    def data(cls, inputs: QuantityInput) -> Data:
        if inputs.subject.subtrahend is not None:
            return subtract(cls, inputs)
        words, e = _check_words(inputs), inputs.encoding
        join, head = inputs.options["join"], inputs.options["head"]
        if problem := explain_missing_head(e, head):
            raise EncodingError("head", problem, f"choose 0 to {e.width - 1:,}")
        if problem := explain_word_limit(
            len(words), compute_row_width(compute_toy_width(e), e, join)
        ):
            raise EncodingError("sentence", problem, "choose a shorter sentence")
        first, step = inputs.positions[0], inputs.positions.step
        last = abs((len(words) - 1) * step)
        if isinstance(e, Bias) and join != "words" and last > LIMIT:
            problem = f"the last word is {last:,} positions after the first; the limit is 2^53"
            raise EncodingError("positions", problem, "choose a smaller step")
        word_positions = range(first, first + len(words) * step, step)
        later_direction = 1 if step > 0 else -1
        hidden_direction = later_direction if is_causal(inputs.options["mask"], e) else 0

        @cache
        def make_weights() -> Callable[[range], Floats]:
            vectors = make_toy_vectors(words, compute_toy_width(e))
            return make_weights_function(vectors, e, word_positions, join, head, hidden_direction)

        def fill(part: range, out: Floats) -> None:
            first = word_positions.index(part[0])
            out[:] = make_weights()(range(first, first + len(part)))

        index = inputs.positions[: len(words)]
        return Data(index, len(words), "query", lambda: words, fill, labels=words)
