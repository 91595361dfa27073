"""How much the words of a sentence look at each other in one attention head."""

from functools import cache

from pe_explorer.analysis.attention import (
    LineScores,
    bias_of,
    head_rows,
    line_scores,
    weights,
    why_no_head,
    why_too_many,
)
from pe_explorer.analysis.tokens import HEAD, MASK, is_causal, row_width, toy_width, why_not_joined
from pe_explorer.analysis.word_vectors import toy_vectors
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Bias, Encoding, EncodingError
from pe_explorer.quantities._base import Asked, Data, subtracted, titled
from pe_explorer.quantities.tokens import TokenRows, words_asked


class Attention(TokenRows):
    """The weights of one attention head: rows are queries, and columns are keys.

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
    def data(cls, asked: Asked) -> Data:
        """Return the weights, shape (words asked for, words); each row adds up to 1."""
        if asked.subject.less is not None:
            return subtracted(cls, asked)
        words, e = words_asked(asked), asked.encoding
        join, head = asked.options["join"], asked.options["head"]
        if problem := why_not_joined(join, e):
            raise EncodingError("join", problem, "choose the join sum, which is what models do")
        if problem := why_no_head(e, head):
            raise EncodingError("head", problem, f"choose one of 0 to {e.width - 1:,}")
        if problem := why_too_many(len(words), row_width(toy_width(e), e, join)):
            raise EncodingError("sentence", problem, "choose a shorter sentence")
        last = abs((len(words) - 1) * asked.positions.step)
        if isinstance(e, Bias) and join != "words" and last > LIMIT:
            problem = f"the last word would be {last:,} positions from the first, beyond 2^53"
            raise EncodingError("positions", problem, "choose a smaller step")
        index = asked.positions[: len(words)]
        first, step = asked.positions[0], asked.positions.step
        every = range(first, first + len(words) * step, step)

        is_masked = is_causal(asked.options["mask"], e)
        hidden = (1 if step > 0 else -1) if is_masked else 0  # what has a later position

        @cache
        def prepared() -> tuple[Floats, Floats | None, LineScores | None]:
            vectors = toy_vectors(words, toy_width(e))
            rows = head_rows(vectors, e, every, join)
            return rows, bias_of(e, join, every, head), line_scores(vectors, e, every, join)

        def fill(part: range, out: Floats) -> None:
            rows, bias, line = prepared()
            place = every.index(part[0])
            queries = range(place, place + len(part))
            out[:] = weights(rows, queries, bias, line, hidden=hidden)

        return Data(index, len(words), titled("query", lambda: words), fill, labels=words)
