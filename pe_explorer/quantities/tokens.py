"""The rows of a sentence's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from pe_explorer.analysis.tokens import JOIN, SENTENCE, WORDS, joined
from pe_explorer.analysis.word_vectors import toy_vectors, words_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.params import Parameter
from pe_explorer.quantities._base import Asked, Data, Quantity, same_width, subtracted, titled


class Tokens(Quantity):
    """The row of each word of a sentence, the first at the first position: (words, columns)."""

    name: ClassVar[str] = "tokens"
    help: ClassVar[str] = "the row of each word of a sentence: built-in word vector and position"
    rank: ClassVar[int] = 62
    options: ClassVar[Mapping[str, Parameter]] = MappingProxyType(
        {"sentence": SENTENCE, "words": WORDS, "join": JOIN}
    )
    view: ClassVar[str] = "tokens"
    differs: ClassVar[bool] = True
    comparable = staticmethod(same_width)

    @classmethod
    def data(cls, asked: Asked) -> Data:
        """Return the rows, shape (words, columns)."""
        if asked.subject.less is not None:
            return subtracted(cls, asked)
        e, join = asked.encoding, asked.options["join"]
        if asked.options["words"] != "toy":
            problem = "the word vectors of a file cannot be exported"
            raise EncodingError("words", problem, "choose the built-in ones, toy")
        words = words_of(asked.options["sentence"])
        if not words:
            raise EncodingError("sentence", "it has no words", "type some")
        positions = asked.positions[: len(words)]

        def fill(part: range, out: Floats) -> None:
            first = positions.index(part[0])
            rows = np.empty((0, 0)) if join == "words" else e.table(part)
            vectors = toy_vectors(words[first : first + len(part)], e.width)
            out[:] = joined(vectors, rows, join)

        def titles() -> Iterator[str]:
            if join in ("words", "concatenation"):
                yield from (f"entry {number}" for number in range(e.width))
            if join != "words":
                yield from map(e.column_title, range(e.width))

        width = 2 * e.width if join == "concatenation" else e.width
        return Data(positions, width, titled(e.rows.name, titles), fill)
