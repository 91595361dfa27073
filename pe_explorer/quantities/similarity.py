"""How alike the words of a sentence are."""

from functools import cache

import numpy as np

from pe_explorer.analysis.tokens import similarities
from pe_explorer.analysis.word_vectors import words_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.quantities._base import Asked, Data, subtracted, titled
from pe_explorer.quantities.tokens import TokenRows

_MOST_WORDS = 4096  # words whose similarities fit into memory


class Similarity(TokenRows):
    """The cosine similarity of the rows of each two words of a sentence: (words, words)."""

    name = "similarity"
    help = "the cosine similarity of the rows of each two words of a sentence"
    rank = 63

    @classmethod
    def data(cls, asked: Asked) -> Data:
        """Return the similarities, shape (words, words); nan for a row of zeros."""
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
