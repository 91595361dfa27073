"""The options of tokens: the sentence, the word vectors and the part shown."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.analysis.tokens import (
    HEAD,
    JOIN,
    JOINS,
    MASK,
    MAX_CHARACTERS,
    SENTENCE,
    WORDS,
    places_before,
)
from pe_explorer.analysis.word_vectors import split_words
from pe_explorer.exploration import PendingFile
from pe_explorer.params import Choice, FileName, Text, Whole, declare
from pe_explorer.pictures._columns import COLUMN_COUNT, FIRST_COLUMN, VALUE_COLOURS
from pe_explorer.pictures.picture import Options
from pe_explorer.tables import MAX_COLUMNS, WORD_FILE_SUFFIXES, Table, WordFile

_PART_CHOICES = {
    "rows": "the row of each word",
    "both": "the rows, and the similarity of each pair of words",
    "similarity": "the similarity of each pair of words, for two joins",
    "attention": "attention weights, for two joins",
    "moved": "the distance between each word's rows in the two sentences",
}
COMPARED_PARTS = ("similarity", "attention")  # parts that show two joins side by side

_FILE_HELP = (
    "A text file (word2vec, GloVe), or a .npy table with its words in a .vocab or .txt file."
)
_EARLIER_SENTENCE_HELP = "The same words in another order, for comparison (optional)."
_LEFT_JOIN_HELP = "How the left matrix joins words and positions."
_TOP_PARAMETER = Whole(
    0,
    0,
    MAX_CHARACTERS,
    label="First word",
    unit="words",
    help="Number of words to skip at the start.",
)
# Enough for the columns of a word vector and a position vector.
_FIRST_COLUMN_PARAMETER = dataclasses.replace(FIRST_COLUMN, high=2 * MAX_COLUMNS)
_COLUMN_COUNT_PARAMETER = dataclasses.replace(COLUMN_COUNT, high=2 * MAX_COLUMNS)


@dataclass(frozen=True)
class TokenOptions(Options):
    """Options for the sentence, the computation of rows, and the part shown."""

    sentence: str = declare(SENTENCE)
    words: str = declare(WORDS)
    file: str = declare(
        FileName("", (*WORD_FILE_SUFFIXES, ".npy"), label="Vectors file", help=_FILE_HELP)
    )
    join: str = declare(JOIN)
    part: str = declare(Choice("rows", _PART_CHOICES, label="Part", help="What to show."))
    beside: str = declare(Choice("words", JOINS, label="Left join", help=_LEFT_JOIN_HELP))
    head: int = declare(HEAD)
    mask: str = declare(MASK)
    show: str = declare(SHOW)
    before: str = declare(
        Text("", MAX_CHARACTERS, 0, label="Earlier sentence", help=_EARLIER_SENTENCE_HELP)
    )
    values: str = declare(VALUE_COLOURS)
    top: int = declare(_TOP_PARAMETER)
    first: int = declare(_FIRST_COLUMN_PARAMETER)
    dimensions: int = declare(_COLUMN_COUNT_PARAMETER)
    file_content: Table | WordFile | PendingFile | str | None = dataclasses.field(
        default=None, repr=False
    )  # the contents of the file, a placeholder until they are read, or why they cannot be read

    @property
    def required_file(self) -> str:
        """The file with word vectors; empty if the built-in table is used."""
        return self.file if self.words == "file" else ""

    @property
    def vectors(self) -> Table | WordFile | None:
        """The open file with word vectors; None if the file is not open or not used."""
        is_open = self.words == "file" and isinstance(self.file_content, Table | WordFile)
        return self.file_content if is_open else None  # type: ignore[return-value]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return split_words(self.sentence)

    @cached_property
    def previous_tokens(self) -> tuple[str, ...]:
        """The words of the previous sentence."""
        return split_words(self.before)

    @property
    def length(self) -> int:
        return len(self.tokens)

    @property
    def joins(self) -> tuple[str, ...]:
        """The joins of the panels: both if the part compares two joins, otherwise only `join`."""
        return (self.beside, self.join) if self.part in COMPARED_PARTS else (self.join,)

    @property
    def panels(self) -> tuple[str, ...]:
        if self.part in COMPARED_PARTS:
            return "before", "after"
        return ("rows", "after") if self.part == "both" else (self.part,)

    def word_indices(self, count: int) -> range:
        """Return the indices of the words to show, at most `count`."""
        shown = min(count, self.length)
        first = min(self.top, self.length - shown)
        return range(first, first + shown)

    @property
    def ineffective_parameters(self) -> Mapping[str, str]:
        reasons: dict[str, str] = {}
        if "rows" not in self.panels:
            reasons |= dict.fromkeys(("first", "dimensions"), "no rows are shown")
        if self.words == "toy":
            reasons["file"] = "the built-in word vectors are used"
        if self.part == "moved":
            reasons["values"] = "a curve is shown"
        if self.part not in COMPARED_PARTS:
            reasons["beside"] = 'only the parts "similarity" and "attention" compare joins'
        if self.part != "attention":
            reasons |= dict.fromkeys(("head", "mask"), "attention is not shown")
        return reasons


def with_sentence(options: TokenOptions, sentence: str) -> TokenOptions:
    """Return options with a new sentence.

    If the previous sentence has the same words in any order, the new sentence is compared
    with it. Otherwise, if the current sentence has the same words in any order, the new
    sentence is compared with the current one.
    """
    new_options = dataclasses.replace(options, sentence=sentence)
    for before in filter(None, (options.before, options.sentence)):
        words, words_before = new_options.tokens, split_words(before)
        if len(words) == len(words_before) and (places_before(words, words_before) >= 0).all():
            return dataclasses.replace(new_options, before=before)
    return new_options
