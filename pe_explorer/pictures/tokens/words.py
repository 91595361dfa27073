"""What the view of tokens says in words: what its pixels are, and what another order changes."""

import numpy as np

from pe_explorer.analysis.tokens import join_with
from pe_explorer.encodings import Bias, Encoding, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import FileName, capitalised, printed
from pe_explorer.pictures.tokens.numbers import TokenNumbers
from pe_explorer.pictures.tokens.options import TokenOptions, joins_shown, words_shown

_LONGEST = 18  # letters of a word beside an axis
_MOST_NAMED = 3  # words that a sentence names
_LEAST = 5e-5  # smaller numbers are written as 0
_ROWS = {
    "words": "{words} vector",
    "positions": "row of the position",
    "sum": "{words} vector plus position",
    "concatenation": "{words} vector, then the position",
    "turned": "{words} vector turned by its position",
}
"""How the row of a word is made, by `join_with`."""
_COLUMNS = {
    "words": "entry of the word vector",
    "concatenation": "word vector, then position",
    "turned": "channel of the word vector",
}
_WAYS = {
    "words": "without positions",
    "positions": "positions alone",
    "sum": "positions added",
    "concatenation": "positions appended",
    "turned": "turned by positions",
}
"""How positions come to a word, by `join_with`."""
_MEASURES = {
    "both": "cosine similarity",
    "similarity": "cosine similarity",
    "attention": "attention weight",
}
_FORMULA = "softmax of q·k/√d, where q and k are the rows; no mask, nothing learned"


def called(word: str) -> str:
    """Return a word as it stands beside an axis."""
    return word if len(word) <= _LONGEST else f"{word[: _LONGEST - 1]}…"


def titles(options: TokenOptions, e: Encoding) -> tuple[str, str]:
    """Return what the columns of the rows are called, and what the numbers in them are."""
    columns = _COLUMNS.get(join_with(options.join, e), e.columns.name)
    return columns, row_of(options, e, options.join)


def row_of(options: TokenOptions, e: Encoding, join: str) -> str:
    """Return how the row of a word is made: the numbers of built-in vectors are random."""
    words = "word" if options.words == "file" else "random word"
    return _ROWS[join_with(join, e)].format(words=words)


def compared_title(options: TokenOptions) -> tuple[str, str]:
    """Return what is compared of each two words, and the same in brief."""
    measure, random = _MEASURES[options.part], "" if options.words == "file" else "random "
    return f"{measure} of {random}word vectors", f"{measure}, {random}words"


def attention_axes(options: TokenOptions) -> tuple[str, str]:
    """Return what the words of attention are called across and down."""
    return "key" if options.words == "file" else "key (random vectors)", "query"


def way_of(options: TokenOptions, e: Encoding, join: str) -> str:
    """Return in a few words how positions come to the words that are compared."""
    if isinstance(e, Bias) and join != "words":
        if options.part == "attention":
            head = f"the bias of head {options.head:,}"
            return f"{head} alone" if join == "positions" else f"with {head}"
        if join == "sum":
            return "bias: no change"
    return _WAYS[join_with(join, e)]


def badge(numbers: TokenNumbers, plural: str = "", entries: int = 0) -> str:
    """Return what a pixel shows that stands for many words or columns, or an empty text.

    Columns have a `plural` where there are some; `entries` of word vectors come before them.
    """
    parts = []
    if numbers.block > 1:
        parts.append(f"first of {numbers.block:,} words")
    columns = numbers.columns if plural else None
    if columns and (counted := columns.counted(plural)):
        if columns.kinds == 1:
            parts.append(f"mean of {counted}")
        else:
            if entries > numbers.first:
                parts.append(f"mean of {columns.counted('entries', in_turn=False)}")
            parts.append(counted)
    return ", ".join(parts)


def status(state: Exploration, options: TokenOptions, numbers: TokenNumbers) -> str:
    """Return in a sentence what is shown, and which part of the words."""
    words = f"{options.length:,} word{'' if options.length == 1 else 's'}"
    shown = words_shown(options, state.count)
    which = words
    if len(shown) < options.length:
        which = f"words {shown.start + 1:,} to {shown.stop:,} of {options.length:,}"
    step = f"; a row of pixels is the first of {numbers.block:,}" if numbers.block > 1 else ""
    without = _without_row(state, options, numbers)
    lacking = _without_vector(options, numbers)
    row = row_of(options, require_known(state.encoding), options.join)
    how = _of_attention(state, options) if options.part == "attention" else ""
    return f"Tokens: {which}, each a {row}{step}.{how}{lacking}{without}"


def _of_attention(state: Exploration, options: TokenOptions) -> str:
    """Return in sentences how attention is computed."""
    e = require_known(state.encoding)
    sentence = f" Attention: {_FORMULA}."
    if not isinstance(e, Bias) or options.join == "words":
        return sentence
    sentence = f"{sentence} Head {options.head} adds its bias."
    if options.length > 1 and e.value(1, options.head) > 0:
        sentence += " Models with this bias hide the words that come later; here these gain by it."
    return sentence


def _without_vector(options: TokenOptions, numbers: TokenNumbers) -> str:
    """Return which words the file of vectors has not, where there are some."""
    if not numbers.lacking:
        return ""
    named = ", ".join(f"“{called(word)}”" for word in numbers.lacking[:_MOST_NAMED])
    more = len(numbers.lacking) - _MOST_NAMED
    others = f" and {more:,} more" if more > 0 else ""
    file = FileName.last_part(options.file)
    return f" Not in {file}: {named}{others}."


def _without_row(state: Exploration, options: TokenOptions, numbers: TokenNumbers) -> str:
    """Return how many words have no position, where there are some."""
    e = require_known(state.encoding)
    if is_everywhere(options, e) or len(numbers.inside) == len(numbers.places):
        return ""
    first, last = e.domain[0], e.domain[-1]
    rows = f"{e.called()} has rows for {first:,} to {last:,} only"
    return f" Hatched: no {e.rows.name} has a row there; {rows}."


def is_everywhere(options: TokenOptions, e: Encoding) -> bool:
    """Return whether rows hold no positions, so that all words have one."""
    return all(join_with(join, e) == "words" for join in joins_shown(options))


def changed(options: TokenOptions, e: Encoding, numbers: TokenNumbers) -> str:
    """Return what differs from the sentence before, or an empty text without one."""
    before = options.tokens_before
    if not before:
        return ""
    known = numbers.places >= 0
    if len(before) != options.length or not known.all():
        found = f"{int(known.sum()):,} of the {len(known):,} words shown"
        only = f"Not the same words as before: only {found} were in that sentence."
        return f"{only} {capitalised(_moves(numbers))}."
    here = np.arange(numbers.words.start, numbers.words.stop, numbers.block)
    moved = int((numbers.places != here).sum())
    if not moved:
        return "The words are in the same order as before."
    many = f"{moved:,} of {len(here):,} words are at another place than before"
    if options.join == "words":
        same = "without positions, no row differs"
        if numbers.changed is not None:
            same += (
                f", and attention gives the same result (to {printed.rounded(numbers.changed, 1)})"
            )
        return f"{many}: {same}."
    output = ""
    if numbers.changed is not None:
        output = f"; attention's output for a word by up to {_text(numbers.changed)}"
    mean = " The mean of all rows moves by 0, in any order."
    if join_with(options.join, e) == "turned":
        mean = ""  # of turned words it moves, too
    return f"{many}: {_moves(numbers)}{output}.{mean}"


def _moves(numbers: TokenNumbers) -> str:
    """Return how far the farthest rows have moved."""
    moves = np.nan_to_num(numbers.moves, nan=-1.0)
    if moves.max(initial=-1.0) < 0:
        return "there is no row to compare"
    largest = float(moves.max())
    return f"rows move by up to {_text(largest)}"


def _text(number: float) -> str:
    return "0" if number < _LEAST else printed.rounded(number)
