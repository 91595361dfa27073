"""What can be chosen in the view of tokens: the sentence, its words' vectors, what is shown."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pe_explorer.analysis.attention import why_no_head, why_too_many
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.analysis.tokens import (
    HEAD,
    JOIN,
    JOINS,
    MASK,
    MOST_LETTERS,
    SENTENCE,
    WORDS,
    join_with,
    places_before,
    row_width,
    toy_width,
    why_not_joined,
)
from pe_explorer.analysis.word_vectors import words_of
from pe_explorer.arrays import Ints
from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.encodings import Encoding, Rotary
from pe_explorer.exploration import BeingRead
from pe_explorer.params import Choice, FileName, Text, Whole, declare
from pe_explorer.pictures._columns import COLUMN_COUNT, FIRST_COLUMN, ShownColumns, columns_shown
from pe_explorer.pictures.picture import Options
from pe_explorer.tables import MOST_COLUMNS, WORD_ENDINGS, Table, WordFile

_PARTS = {
    "rows": "the row of each word",
    "both": "the rows, and beside them how alike each two of them are",
    "similarity": "how alike each two words are: without positions, and as they are joined",
    "attention": "how much each word looks at each: without positions, and as they are joined",
    "moved": "how far each row is from that of the same word in the sentence before",
}
COMPARED = ("similarity", "attention")
"""The parts that are shown twice: of two joins side by side."""

_BEFORE = Text(
    "",
    MOST_LETTERS,
    0,
    label="Sentence before",
    help="What the sentence is compared with: the same words in another order. Empty for nothing.",
)
_BESIDE = Choice(
    "words",
    JOINS,
    label="Beside",
    help="How the rows are made that similarity and attention are compared with, at the left.",
)
_TOP = Whole(
    0,
    0,
    MOST_LETTERS,
    label="First word",
    unit="words",
    help="How many words are skipped; Count says how many are shown.",
)
_FIRST, _DIMENSIONS = (
    dataclasses.replace(each, high=2 * MOST_COLUMNS)  # numbers of a word, then of its position
    for each in (FIRST_COLUMN, COLUMN_COUNT)
)


@dataclass(frozen=True)
class TokenOptions(Options):
    """Which words are shown, how their rows are made, and what is shown of them."""

    sentence: str = declare(SENTENCE)
    words: str = declare(WORDS)
    file: str = declare(
        FileName(
            "",
            (*WORD_ENDINGS, ".npy"),
            label="Vectors file",
            help=(
                "A text with a word and its numbers on each line, as word2vec and GloVe write it, "
                "or a .npy table with a list of its words beside it (.vocab or .txt)."
            ),
        )
    )
    join: str = declare(JOIN)
    part: str = declare(Choice("rows", _PARTS, label="Part", help="What is shown of the words."))
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
    held: Table | WordFile | BeingRead | str | None = dataclasses.field(default=None, repr=False)
    """What the file holds, or why it cannot be read."""

    @property
    def file_needed(self) -> str:
        """The file that word vectors are read from, empty for the built-in table."""
        return self.file if self.words == "file" else ""

    @property
    def vectors(self) -> Table | WordFile | None:
        """The file once it is open; None for the built-in table."""
        is_open = self.words == "file" and isinstance(self.held, Table | WordFile)
        return self.held if is_open else None  # type: ignore[return-value]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The words of the sentence."""
        return words_of(self.sentence)

    @cached_property
    def tokens_before(self) -> tuple[str, ...]:
        """The words of the sentence before."""
        return words_of(self.before)

    @property
    def length(self) -> int:
        """How many words the sentence has."""
        return len(self.tokens)

    @property
    def without_effect(self) -> Mapping[str, str]:
        """What changes nothing where no rows are shown."""
        lacking: dict[str, str] = {}
        if self.part not in ("rows", "both"):
            why = "no rows are shown"
            lacking |= dict.fromkeys(("first", "dimensions"), why)
        if self.words == "toy":
            lacking["file"] = "word vectors are those of the built-in table"
        if self.part == "moved":
            lacking["values"] = "a curve is shown"
        if self.part not in COMPARED:
            lacking["beside"] = "nothing is compared beside it"
        if self.part != "attention":
            lacking |= dict.fromkeys(("head", "mask"), "no attention is shown")
        return lacking


def words_shown(options: TokenOptions, count: int) -> range:
    """Return the numbers of the words shown, at most `count`."""
    shown = min(count, options.length)
    first = min(options.top, options.length - shown)
    return range(first, first + shown)


def word_width(options: TokenOptions, e: Encoding) -> int:
    """Return how many numbers a word has: as many as suit the encoding, in the built-in table."""
    return options.vectors.columns if options.vectors else toy_width(e)


def joins_shown(options: TokenOptions) -> tuple[str, ...]:
    """Return the joins whose rows are shown, or compared with each other."""
    return (options.beside, options.join) if options.part in COMPARED else (options.join,)


def why_none(options: TokenOptions, e: Encoding) -> tuple[str, str]:
    """Return why no rows can be shown, and what to do; empty texts where they can be."""
    if not options.length:
        return "there is no sentence yet", "type some words, such as: dog bites man"
    for join in joins_shown(options):
        if problem := why_not_joined(join, e):
            return problem, "choose the join sum, which is what models do"
    if lack := _why_no_words(options, e):
        return lack
    return _why_no_attention(options, e) if options.part == "attention" else ("", "")


def _why_no_words(options: TokenOptions, e: Encoding) -> tuple[str, str] | None:
    """Return why a file has no words for the rows, and what to do; None where it has."""
    if options.words == "toy":
        return None
    toy = "or take the built-in word vectors"
    if not options.file:
        return "no file with word vectors is chosen yet", f"choose one, {toy}"
    if isinstance(options.held, str):
        return options.held, f"choose another file, {toy}"
    if options.vectors is None:
        name = FileName.last_part(options.file)
        return f"{name} is being read…", "its words come in a moment"
    width = options.vectors.columns
    hows = [join_with(join, e) for join in joins_shown(options)]
    words = f"words have {width:,} numbers, and {e.called()}"
    if "turned" in hows and isinstance(e, Rotary) and width != e.head_dim:
        heads = f"turns heads of {e.head_dim:,} channels"
        return f"{words} {heads}", "choose a head dim that is as wide as the words"
    if "sum" in hows and width != e.width:
        rows = f"has {e.columns.counted(e.width)}, which cannot be added"
        return f"{words} {rows}", "append them by the join concatenation"
    return None


def _why_no_attention(options: TokenOptions, e: Encoding) -> tuple[str, str]:
    """Return why there is no attention, and what to do; empty texts where there is."""
    if problem := why_no_head(e, options.head):
        return problem, f"choose a head of 0 to {e.width - 1:,}"
    width = max(row_width(word_width(options, e), e, join) for join in joins_shown(options))
    problem = why_too_many(options.length, width)
    return (problem, "type a shorter sentence") if problem else ("", "")


def width_of(options: TokenOptions, e: Encoding) -> int:
    """Return the number of columns of a token's row."""
    return row_width(word_width(options, e), e, options.join)


def columns_of(options: TokenOptions, e: Encoding) -> ShownColumns:
    """Return the columns shown of a token's row."""
    return columns_shown(options.first, options.dimensions, width_of(options, e))


def kinds_of(options: TokenOptions, e: Encoding) -> Ints:
    """Return which columns of a token's row are of one kind: those of a word vector all are."""
    words = np.full(word_width(options, e), -1)
    how = join_with(options.join, e)
    if how == "concatenation":
        return np.concatenate([words, e.kinds])
    return words if how in ("words", "turned") else e.kinds


def with_sentence(options: TokenOptions, sentence: str) -> TokenOptions:
    """Return options with another sentence; one of the same words is compared with that before."""
    changed = dataclasses.replace(options, sentence=sentence)
    if not _same_words(changed, options):
        return changed
    first = dataclasses.replace(options, sentence=options.before)
    kept = bool(options.before) and _same_words(changed, first)
    return dataclasses.replace(changed, before=options.before if kept else options.sentence)


def _same_words(one: TokenOptions, other: TokenOptions) -> bool:
    """Return whether two sentences have the same words, in whatever order."""
    if one.length != other.length:
        return False
    return bool((places_before(one.tokens, other.tokens) >= 0).all())
