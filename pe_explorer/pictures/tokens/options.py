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
    MOST_LETTERS,
    SENTENCE,
    WORDS,
    places_before,
)
from pe_explorer.analysis.word_vectors import words_of
from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.exploration import PendingFile
from pe_explorer.params import Choice, FileName, Text, Whole, declare
from pe_explorer.pictures._columns import COLUMN_COUNT, FIRST_COLUMN
from pe_explorer.pictures.picture import Options
from pe_explorer.tables import MAX_COLUMNS, WORD_ENDINGS, Table, WordFile

_PARTS = {
    "rows": "the row of each word",
    "both": "the rows, and the similarity of each pair of words",
    "similarity": "the similarity of each pair of words, for two joins",
    "attention": "attention weights, for two joins",
    "moved": "how far each row has moved since the earlier sentence",
}
COMPARED = ("similarity", "attention")
"""The parts that show two joins side by side."""

_BEFORE = Text(
    "",
    MOST_LETTERS,
    0,
    label="Earlier sentence",
    help="The same words in another order, for comparison. Can be empty.",
)
_BESIDE = Choice(
    "words",
    JOINS,
    label="Left join",
    help="How the left matrix joins words and positions.",
)
_TOP = Whole(
    0,
    0,
    MOST_LETTERS,
    label="First word",
    unit="words",
    help="Number of words to skip.",
)
_FIRST, _DIMENSIONS = (
    dataclasses.replace(parameter, high=2 * MAX_COLUMNS)  # columns of a word, then of its position
    for parameter in (FIRST_COLUMN, COLUMN_COUNT)
)


@dataclass(frozen=True)
class TokenOptions(Options):
    """Options for the sentence, the computation of rows, and the part shown."""

    sentence: str = declare(SENTENCE)
    words: str = declare(WORDS)
    file: str = declare(
        FileName(
            "",
            (*WORD_ENDINGS, ".npy"),
            label="Vectors file",
            help=(
                "A text file (word2vec, GloVe), or a .npy table with its words in a .vocab or .txt "
                "file."
            ),
        )
    )
    join: str = declare(JOIN)
    part: str = declare(Choice("rows", _PARTS, label="Part", help="What to show."))
    beside: str = declare(_BESIDE)
    head: int = declare(HEAD)
    mask: str = declare(MASK)
    show: str = declare(SHOW)
    before: str = declare(_BEFORE)
    values: str = declare(
        Choice("soft", VALUE_MAPS, label="Colours", help="Colour map for values.")
    )
    top: int = declare(_TOP)
    first: int = declare(_FIRST)
    dimensions: int = declare(_DIMENSIONS)
    file_content: Table | WordFile | PendingFile | str | None = dataclasses.field(
        default=None, repr=False
    )
    """The contents of the file, or the reason why it cannot be read."""

    @property
    def file_needed(self) -> str:
        """The file with word vectors, empty for the built-in table."""
        return self.file if self.words == "file" else ""

    @property
    def vectors(self) -> Table | WordFile | None:
        """The file once it is open; None for the built-in table."""
        is_open = self.words == "file" and isinstance(self.file_content, Table | WordFile)
        return self.file_content if is_open else None  # type: ignore[return-value]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return words_of(self.sentence)

    @cached_property
    def tokens_before(self) -> tuple[str, ...]:
        """The words of the previous sentence."""
        return words_of(self.before)

    @property
    def length(self) -> int:
        return len(self.tokens)

    @property
    def joins(self) -> tuple[str, ...]:
        """The joins that are shown or compared."""
        return (self.beside, self.join) if self.part in COMPARED else (self.join,)

    @property
    def panels(self) -> tuple[str, ...]:
        """The names of the panels of the part."""
        if self.part in COMPARED:
            return "before", "after"
        return ("rows", "after") if self.part == "both" else (self.part,)

    def word_indices(self, count: int) -> range:
        """Return the indices of the words shown, at most `count`."""
        shown = min(count, self.length)
        first = min(self.top, self.length - shown)
        return range(first, first + shown)

    @property
    def without_effect(self) -> Mapping[str, str]:
        """The options of parts that are not shown."""
        unavailable: dict[str, str] = {}
        if "rows" not in self.panels:
            unavailable |= dict.fromkeys(("first", "dimensions"), "no rows are shown")
        if self.words == "toy":
            unavailable["file"] = "the built-in word vectors are used"
        if self.part == "moved":
            unavailable["values"] = "a curve is shown"
        if self.part not in COMPARED:
            unavailable["beside"] = "nothing is compared"
        if self.part != "attention":
            unavailable |= dict.fromkeys(("head", "mask"), "no attention is shown")
        return unavailable


def with_sentence(options: TokenOptions, sentence: str) -> TokenOptions:
    """Return options with another sentence.

    If both sentences have the same words, the new sentence is compared with the old one.
    """
    changed = dataclasses.replace(options, sentence=sentence)
    for before in filter(None, (options.before, options.sentence)):
        words = words_of(before)
        if changed.length == len(words) and (places_before(changed.tokens, words) >= 0).all():
            return dataclasses.replace(changed, before=before)
    return changed
