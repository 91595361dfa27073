"""A sentence at positions of an encoding, and the reasons why it has no rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pe_explorer.analysis.attention import explain_missing_head, explain_word_limit
from pe_explorer.analysis.tokens import (
    compute_row_width,
    compute_toy_width,
    explain_no_join,
    is_causal,
    join_rows,
    places_before,
    resolve_join,
)
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding, Rotary
from pe_explorer.params import FileName
from pe_explorer.pictures._columns import ShownColumns, select_columns
from pe_explorer.pictures.tokens.options import TokenOptions
from pe_explorer.pictures.tokens.vectors import look_up_vectors


@dataclass(frozen=True)
class Sentence:
    """The words of a sentence at the positions from `start`; at most `count` words are shown."""

    options: TokenOptions
    e: Encoding
    start: int
    count: int

    @property
    def word_indices(self) -> range:
        """The indices of the words shown."""
        return self.options.word_indices(self.count)

    @property
    def join_kind(self) -> str:
        """The way in which the rows of words are computed, as returned by `resolve_join`."""
        return resolve_join(self.options.join, self.e)

    @property
    def word_width(self) -> int:
        """The length of a word vector; the length of built-in vectors depends on the encoding."""
        vectors = self.options.vectors
        return vectors.columns if vectors else compute_toy_width(self.e)

    @property
    def width(self) -> int:
        """The number of columns of a word's row."""
        return compute_row_width(self.word_width, self.e, self.options.join)

    @property
    def columns(self) -> ShownColumns:
        """The columns of a word's row that are shown."""
        return select_columns(self.options.first, self.options.dimensions, self.width)

    @property
    def kinds(self) -> Ints:
        """The kind of each column of a row; all columns of a word vector have the same kind."""
        words = np.full(self.word_width, -1)
        if self.join_kind == "concatenation":
            return np.concatenate([words, self.e.kinds])
        return words if self.join_kind in ("words", "turned") else self.e.kinds

    @property
    def is_causal(self) -> bool:
        """Whether words do not attend to later words."""
        return is_causal(self.options.mask, self.e)

    @property
    def has_no_positions(self) -> bool:
        """Whether rows do not depend on positions, so that every word has a row."""
        return all(resolve_join(join, self.e) == "words" for join in self.options.joins)

    def find_dimension_column(self, dimension: int) -> int:
        """Return the column of a word's row that shows a dimension of the encoding."""
        if self.options.join == "concatenation":
            return self.word_width + dimension
        if isinstance(self.e, Rotary) and self.options.join != "positions":
            return dimension % self.e.rotary  # cosine and sine rotate the same channel
        return dimension

    def positions(self, words: range) -> range:
        return range(self.start + words.start, self.start + words.stop, words.step)

    @cached_property
    def places_before(self) -> Ints:
        """The index of each word in the previous sentence, −1 for a new word."""
        return places_before(self.options.tokens, self.options.previous_tokens)

    def vectors(self, words: Iterable[int]) -> Floats:
        return look_up_vectors([self.options.tokens[word] for word in words], self.options, self.e)

    def rows(self, words: range, join: str) -> Floats:
        """Return the rows of the given words, computed with a join."""
        return join_rows(self.vectors(words), self.e, self.positions(words), join)


def explain_no_rows(sentence: Sentence) -> tuple[str, str]:
    """Return why no rows can be shown, and a remedy; both are empty if rows can be shown."""
    options, e = sentence.options, sentence.e
    if not options.length:
        return "the sentence is empty", "type some words, such as “dog bites man”"
    for join in options.joins:
        if problem := explain_no_join(join, e):
            return problem, "choose the join “sum”"
    if reason_and_remedy := _explain_no_vectors(sentence):
        return reason_and_remedy
    if options.part == "attention":
        if problem := explain_missing_head(e, options.head):
            return problem, f"choose a head from 0 to {e.width - 1:,}"
        width = max(compute_row_width(sentence.word_width, e, join) for join in options.joins)
        if problem := explain_word_limit(options.length, width):
            return problem, "type a shorter sentence"
    return "", ""


def _explain_no_vectors(sentence: Sentence) -> tuple[str, str] | None:
    options, e = sentence.options, sentence.e
    if options.words == "toy":
        return None
    toy_hint = "or use the built-in word vectors"
    if not options.file:
        return "no file with word vectors is selected", f"choose one, {toy_hint}"
    if isinstance(options.file_content, str):
        return options.file_content, f"choose another file, {toy_hint}"
    if options.vectors is None:
        name = FileName.get_last_part(options.file)
        return f"{name} is being read…", "its words will appear in a moment"
    joins = [resolve_join(join, e) for join in options.joins]
    words = f"word vectors have {sentence.word_width:,} dimensions, but {e.format_name()}"
    if "turned" in joins and isinstance(e, Rotary) and sentence.word_width != e.head_dim:
        heads = f"rotates heads of {e.head_dim:,} channels"
        return f"{words} {heads}", "set the head dimension to the width of the word vectors"
    if "sum" in joins and sentence.word_width != e.width:
        rows = f"has {e.columns.format_count(e.width)}, so they cannot be added"
        remedy = "use the same number of dimensions, or choose the join “concatenation”"
        return f"{words} {rows}", remedy
    return None
