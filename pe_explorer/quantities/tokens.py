"""The rows of a sentence's words."""

from collections.abc import Iterator

from pe_explorer.analysis.tokens import (
    JOIN,
    SENTENCE,
    WORDS,
    join_with,
    joined,
    row_width,
    toy_width,
    why_not_joined,
)
from pe_explorer.analysis.word_vectors import toy_vectors, words_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.quantities._base import Asked, Data, Quantity, same_width, subtracted, titled


class TokenRows(Quantity):
    """The row of each word of a sentence, the first at the first position: (words, columns)."""

    name = "tokens"
    help = "the row of each word of a sentence: random word vector and position"
    rank = 62
    options = {"sentence": SENTENCE, "words": WORDS, "join": JOIN}
    view = "tokens"
    differs = True
    why_not_comparable = staticmethod(same_width)

    @classmethod
    def data(cls, asked: Asked) -> Data:
        if asked.subject.less is not None:
            return subtracted(cls, asked, least=1.0)
        e, join = asked.encoding, asked.options["join"]
        if problem := why_not_joined(join, e):
            raise EncodingError("join", problem, "choose the join sum, which is what models do")
        words = words_asked(asked)
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


def words_asked(asked: Asked) -> tuple[str, ...]:
    """Return the words of the sentence; raises `EncodingError` where there are none to write."""
    if asked.options["words"] != "toy":
        problem = "the word vectors of a file cannot be exported"
        raise EncodingError("words", problem, "choose the built-in ones, toy")
    words = words_of(asked.options["sentence"])
    if not words:
        raise EncodingError("sentence", "it has no words", "type some")
    return words
