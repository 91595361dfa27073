"""Facts of what is shown: its names, its range, its values, its biases and its sentence."""

import math

import numpy as np
import numpy.typing as npt

from pe_explorer import pictures
from pe_explorer.analysis.tokens import join_with, moves, places_before, toy_width
from pe_explorer.analysis.word_vectors import toy_vectors
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Bias, Line, Periodic, Stored
from pe_explorer.exploration import current_name, distinguishing_name
from pe_explorer.gallery.facts.set_up import FACTS, VISIBLE_DIFFERENCE, SetUp, fact, given, require

Ints = npt.NDArray[np.intp]

_STILL_SPREAD = 0.1  # largest difference of the values of a column that hardly changes
_MOST_WORDS = 1 << 10  # words that are compared for a fact

FACTS |= {
    # names
    "encoding": lambda of: of.e.called(),
    "row": lambda of: of.e.rows.name,
    "rows": lambda of: of.e.rows.plural,
    "column": lambda of: of.e.columns.name,
    "columns": lambda of: of.e.columns.plural,
    "current": lambda of: current_name(of.state, whole=True),
    "pin": lambda of: distinguishing_name(given(of.state.pin), of.state.encoding, whole=True),
    # rows and columns
    "position": lambda of: of.state.position,
    "reference": lambda of: of.state.reference,
    "width": lambda of: of.subject.width,
    "count": lambda of: of.state.count,
    "first": lambda of: of.state.positions[0],
    "last": lambda of: of.state.positions[-1],
    "middle": lambda of: of.state.start + of.state.count // 2,
    "missing": lambda of: given(of.state.count - len(of.shown) or None),
    "table_rows": lambda of: len(of.known_as(Stored).domain),
    "table_first": lambda of: of.known_as(Stored).domain[0],
    # values, and the first row and column that have them
    "lowest": lambda of: float(of.values.min()),
    "lowest_row": lambda of: _row_of(of, of.values.argmin()),
    "lowest_column": lambda of: _column_of(of, of.values.argmin()),
    "highest": lambda of: float(of.values.max()),
    "farthest_from_0": lambda of: float(np.abs(of.values).max()),
    "farthest_row": lambda of: _row_of(of, np.abs(of.values).argmax()),
    "farthest_column": lambda of: _column_of(of, np.abs(of.values).argmax()),
    "still": lambda of: int((np.ptp(of.values, axis=0) < _STILL_SPREAD).sum()),
    # lengths of rows
    "shortest_length": lambda of: float(of.lengths.min()),
    "shortest_row": lambda of: of.shown[int(of.lengths.argmin())],
    "longest_row": lambda of: of.shown[int(of.lengths.argmax())],
    # plain numbers
    "step": lambda of: 1 / of.known_as(Line).divisor,  # from one row to the next
    "length_of_1": lambda of: of.known_as(Line).divisor,  # the row whose numbers are 1
    "longest_period": lambda of: float(of.known_as(Periodic).periods().max()),
    # the largest number of columns that change from one row shown to the next, and these rows
    "most_changed": lambda of: int(_changed(of).max()),
    "most_changed_row": lambda of: of.shown[int(_changed(of).argmax())],
    "most_changed_next": lambda of: of.shown[int(_changed(of).argmax())] + 1,
    # the penalty of one step in the steepest and in the flattest head, the number of that head,
    # and after how many steps it gives half the weight
    "strongest": lambda of: float(_penalties(of).max()),
    "strongest_head": lambda of: int(_penalties(of).argmax()),
    "strongest_half": lambda of: _halving(of, float(_penalties(of).max())),
    "weakest": lambda of: float(_penalties(of, least_heads=2).min()),
    "weakest_head": lambda of: int(_penalties(of, least_heads=2).argmin()),
    "weakest_half": lambda of: _halving(of, float(_penalties(of, least_heads=2).min())),
    # of the sentence of the view of tokens
    "words": lambda of: pictures.find("tokens")(of.state).options.length,
}


@fact
def longest_length(of: SetUp) -> float:
    """Return the length of the longest row shown, where they differ enough to be seen."""
    longest = float(of.lengths.max())
    require(longest - float(of.lengths.min()) >= VISIBLE_DIFFERENCE * longest)
    return longest


@fact
def last_value(of: SetUp) -> float:
    """Return the value in the first column of the last row shown."""
    of.require_few(of.e.width)
    return of.e.value(of.shown[-1], 0)


@fact
def farthest_move(of: SetUp) -> float:
    """Return how far the row that has moved most is from where its word stood before."""
    options = pictures.find("tokens")(of.state).options
    how = join_with(options.join, of.e)
    require(options.before and how != "words" and options.length <= _MOST_WORDS)
    require(how != "turned" or options.words == "toy")
    of.require_few(options.length * of.e.width)
    places = places_before(options.tokens, options.tokens_before).tolist()
    found = [(word, place) for word, place in enumerate(places) if place >= 0]
    require(found)
    vectors = toy_vectors([options.tokens[word] for word, _ in found], toy_width(of.e))
    now, then = ([of.state.start + each for each in some] for some in zip(*found, strict=True))
    return float(moves(vectors, of.e, now, then, options.join).max())


def _row_of(of: SetUp, cell: np.intp) -> int:
    """Return the row of a cell of the table, by its place in reading order."""
    return of.shown[int(cell) // of.subject.width]


def _column_of(of: SetUp, cell: np.intp) -> str:
    return of.subject.column_title(int(cell) % of.subject.width)


def _changed(of: SetUp) -> Ints:
    """Return how many columns change from each row shown to the next."""
    require(len(of.shown) >= 2)
    changed: Ints = np.count_nonzero(np.diff(of.values, axis=0), axis=1)
    return changed


def _penalties(of: SetUp, least_heads: int = 1) -> Floats:
    """Return the penalty of each head for one step back, where there are enough heads."""
    bias = of.known_as(Bias)
    require(bias.width >= least_heads)
    return -bias.bias([-1])[:, 0]


def _halving(of: SetUp, penalty: float) -> float:
    """Return after how many steps a penalty above 0 halves the weight, if all cost the same."""
    once, twice = of.known_as(Bias).bias([-1, -2]).T
    require(penalty > 0 and np.allclose(twice, 2 * once))
    return math.log(2) / penalty
