"""The words of a sentence: their rows, how alike these are, and the weights of attention."""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from pe_explorer.analysis.attention import head_of, why_no_head, why_too_many
from pe_explorer.analysis.tokens import (
    HEAD,
    JOIN,
    MASK,
    SENTENCE,
    WORDS,
    is_causal,
    join_with,
    joined,
    row_width,
    similarities,
    toy_width,
    why_not_joined,
)
from pe_explorer.analysis.word_vectors import toy_vectors, words_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Bias, Encoding, EncodingError
from pe_explorer.quantities._base import (
    Data,
    Quantity,
    QuantityInput,
    same_width,
    subtracted,
    titled,
)

_MOST_WORDS = 4096  # words whose similarities fit into memory


class TokenRows(Quantity):
    """The row of each word of a sentence, the first at the first position: (words, columns)."""

    name = "tokens"
    help = "the row of each word of a sentence: random word vector and position"
    rank = 62
    options = {"sentence": SENTENCE, "words": WORDS, "join": JOIN}
    view = "tokens"
    has_difference = True
    why_not_comparable = staticmethod(same_width)

    @classmethod
    def data(cls, asked: QuantityInput) -> Data:
        if asked.subject.less is not None:
            return subtracted(cls, asked, least=1.0)
        e, join, words = asked.encoding, asked.options["join"], _words_asked(asked)
        positions, entries = asked.positions[: len(words)], toy_width(e)

        def fill(part: range, out: Floats) -> None:
            first = positions.index(part[0])
            vectors = toy_vectors(words[first : first + len(part)], entries)
            out[:] = joined(vectors, e, part, join)

        def titles() -> Iterator[str]:
            how = join_with(join, e)
            if how in ("words", "concatenation"):
                yield from (f"entry {number}" for number in range(entries))
            if how == "turned":
                yield from (f"channel {number}" for number in range(entries))
            elif how != "words":
                yield from map(e.column_title, range(e.width))

        width = row_width(entries, e, join)
        return Data(positions, width, titled(e.rows.name, titles), fill)


def _words_asked(asked: QuantityInput) -> tuple[str, ...]:
    if problem := why_not_joined(asked.options["join"], asked.encoding):
        raise EncodingError("join", problem, "choose the join sum, which is what models do")
    if asked.options["words"] != "toy":
        problem = "the word vectors of a file cannot be exported"
        raise EncodingError("words", problem, "choose the built-in ones, toy")
    words = words_of(asked.options["sentence"])
    if not words:
        raise EncodingError("sentence", "it has no words", "type some")
    return words


class Similarity(TokenRows):
    """The cosine similarity of each two rows of words: (words, words); nan for a row of zeros."""

    name = "similarity"
    help = "the cosine similarity of the rows of each two words of a sentence"
    rank = 63

    @classmethod
    def data(cls, asked: QuantityInput) -> Data:
        if asked.subject.less is not None:
            return subtracted(cls, asked, least=1.0)
        tokens = TokenRows.data(asked)
        count = len(tokens.index)
        if count > _MOST_WORDS:
            problem = f"{count:,} words have too many pairs; at most {_MOST_WORDS:,} are written"
            raise EncodingError("positions", problem, "choose fewer positions")
        words = words_of(asked.options["sentence"])[:count]

        @cache
        def found() -> Floats:
            rows = np.empty(tokens.shape)
            tokens.fill(tokens.index, rows)
            return similarities(rows)

        def fill(part: range, out: Floats) -> None:
            first = tokens.index.index(part[0])
            out[:] = found()[first : first + len(part)]

        return Data(tokens.index, count, titled(asked.encoding.rows.name, lambda: words), fill)


class Attention(TokenRows):
    """The weights of one attention head, queries by keys: (words asked for, words).

    Weights are the softmax of (q·k)/√d over all words of the sentence, where queries and keys are
    the rows of the words; nothing is learned. With a causal mask the weight of later words is 0.
    """

    name = "attention"
    help = "how much each word of a sentence looks at each: softmax of q·k/√d"
    rank = 64
    options = {**TokenRows.options, "head": HEAD, "mask": MASK}

    @staticmethod
    def why_not_comparable(e: Encoding, other: Encoding) -> str:  # noqa: ARG004 - same words
        """Return an empty text: weights of the same words can always be subtracted."""
        return ""

    @classmethod
    def data(cls, asked: QuantityInput) -> Data:
        if asked.subject.less is not None:
            return subtracted(cls, asked)
        words, e = _words_asked(asked), asked.encoding
        join, head = asked.options["join"], asked.options["head"]
        if problem := why_no_head(e, head):
            raise EncodingError("head", problem, f"choose one of 0 to {e.width - 1:,}")
        if problem := why_too_many(len(words), row_width(toy_width(e), e, join)):
            raise EncodingError("sentence", problem, "choose a shorter sentence")
        first, step = asked.positions[0], asked.positions.step
        last = abs((len(words) - 1) * step)
        if isinstance(e, Bias) and join != "words" and last > LIMIT:
            problem = f"the last word would be {last:,} positions from the first, beyond 2^53"
            raise EncodingError("positions", problem, "choose a smaller step")
        every = range(first, first + len(words) * step, step)
        hidden = 0
        if is_causal(asked.options["mask"], e):
            hidden = 1 if step > 0 else -1  # what has a later position

        @cache
        def weights() -> Callable[[range], Floats]:
            return head_of(toy_vectors(words, toy_width(e)), e, every, join, head, hidden)

        def fill(part: range, out: Floats) -> None:
            place = every.index(part[0])
            out[:] = weights()(range(place, place + len(part)))

        index = asked.positions[: len(words)]
        return Data(index, len(words), titled("query", lambda: words), fill, labels=words)
