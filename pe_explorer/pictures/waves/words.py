"""The waves in words: their names, what a pixel stands for, and the numbers that lines read off."""

import itertools
import math

from pe_explorer.analysis import distance
from pe_explorer.analysis.curves import is_continuous
from pe_explorer.analysis.distance import are_varied
from pe_explorer.encodings import Encoding, EncodingError, require_known
from pe_explorer.exploration import Exploration, Pin, distinguishing_name
from pe_explorer.params import listed, printed
from pe_explorer.pictures.inspection import Inspection, Value
from pe_explorer.pictures.named import names_of
from pe_explorer.pictures.table import TextTable
from pe_explorer.pictures.waves.numbers import (
    Vector,
    WavesNumbers,
    distance_between,
    read_off,
    shown,
    why_no_curve,
)
from pe_explorer.pictures.waves.options import MOST_CURVES, WavesOptions

_MOST_NAMED = 3  # columns that a sentence names one by one
_MISSING = "–"
NOT_DETERMINED = "not determined"
"""The text for a distance that rounding errors decide."""


def named(e: Encoding, column: int) -> str:
    """Return what a column is called."""
    return e.columns.named(e.column_title(column))


def names_of_curve(state: Exploration, column: int, pin: Pin | None = None) -> tuple[str, str]:
    """Return what the curve of a column is called, of a pin or of the current encoding.

    The second name is for little room. Without pins it is the column's name alone.
    """
    name = named(require_known(state.encoding), column)
    if not state.pins:
        return name, name
    of, of_brief = names_of(state, pin)
    return f"{of}: {name}", f"{of_brief}: {name}"


def number_text(value: float) -> str:
    """Return a number in few digits."""
    if not math.isfinite(value):
        return _MISSING
    return printed.rounded(value)


def distance_text(value: float, first: Vector, second: Vector) -> str:
    """Return a distance of what two lines read off, or that it is not determined."""
    pair = first.heights, second.heights
    if math.isnan(value) and all(map(are_varied, pair)):
        return NOT_DETERMINED
    return number_text(value)


def place_text(position: float) -> str:
    """Return a position, a whole one without decimals."""
    whole = position == math.floor(position)
    return printed.whole(int(position)) if whole else printed.fine(position)


def line_title(state: Exploration, position: float) -> str:
    """Return what stands at a line: ``p = 3``."""
    return f"{require_known(state.encoding).rows.symbol} = {place_text(position)}"


def table(state: Exploration, numbers: WavesNumbers) -> TextTable | None:
    """Return what the lines read off in columns, and below it their distances."""
    if not numbers.vectors:
        return None
    e, vectors = require_known(state.encoding), numbers.vectors
    titles = tuple(line_title(state, vector.position) for vector in vectors)
    rows = []
    for place, column in enumerate(numbers.columns):
        read = (number_text(float(vector.heights[place])) for vector in vectors)
        rows.append((named(e, column), *read))
    for row, title in enumerate(titles[:-1] if numbers.distances.size else ()):
        distances = (
            "" if other <= row else distance_text(float(found), vectors[row], vectors[other])
            for other, found in enumerate(numbers.distances[row])
        )
        rows.append((distance.measure(state.metric, title), *distances))
    return TextTable(("", *titles), tuple(rows))


def badge(state: Exploration, numbers: WavesNumbers) -> str:
    """Return what a point of a curve stands for, an empty text where it is one position."""
    kinds = {course.kind for course in numbers.courses}
    positions = require_known(state.encoding).rows.counted(numbers.block)
    if "range" in kinds:
        return f"least to greatest of {positions}" if numbers.block > 1 else ""
    return f"mean of {positions}" if "mean" in kinds else ""


def status(state: Exploration, options: WavesOptions, numbers: WavesNumbers) -> str:
    """Return in sentences what is drawn, and what is left out."""
    sentences = [_drawn(state, options, numbers), *_left_out(state, options, numbers)]
    if len(numbers.vectors) > 1 and numbers.distances.size:
        sentences.append(_distances(state, numbers))
    return f"Waves: {' '.join(sentence for sentence in sentences if sentence)}"


def _drawn(state: Exploration, options: WavesOptions, numbers: WavesNumbers) -> str:
    """Return which columns are drawn, and how."""
    e = require_known(state.encoding)
    which = _names_of_columns(e, numbers.columns)
    if options.shows_angles:
        turn = " within one turn" if options.one_turn else ""
        which = f"the angles of {which}{turn}"
    fast = [
        column
        for column, course in zip(numbers.columns, numbers.courses, strict=True)
        if course.kind == "range"
    ]
    if fast:
        whole = len(fast) == len(numbers.columns) > 1
        faster = "all" if whole else _names_of_columns(e, tuple(fast))
        turning = "turns" if len(fast) == 1 else "turn"
        pixel = f"each pixel, of {e.rows.counted(numbers.block)}"
        return (
            f"{which}. Drawn from least to greatest value in {pixel}: "
            f"{faster} {turning} faster than pixels can show."
        )
    if any(course.kind == "mean" for course in numbers.courses):
        return f"{which}, the mean of {e.rows.counted(numbers.block)} for each pixel."
    if is_continuous(e):
        return f"{which}, continuous between the {e.rows.plural}, too."
    return f"{which} in steps, as there are numbers for whole {e.rows.plural} only."


def _names_of_columns(e: Encoding, columns: tuple[int, ...]) -> str:
    """Return columns by name, or how many they are."""
    if len(columns) == 1:
        return named(e, columns[0])
    if len(columns) > _MOST_NAMED:
        return f"{e.columns.counted(len(columns))} from {columns[0]} to {columns[-1]}"
    titles = [e.column_title(column) for column in columns]
    names = listed(titles)
    return f"{e.columns.plural} {names}" if titles[-1].isdecimal() else names


def _left_out(state: Exploration, options: WavesOptions, numbers: WavesNumbers) -> list[str]:
    """Return sentences on what was asked for and is not drawn."""
    e = require_known(state.encoding)
    wanted = set(options.dimensions)
    missing = sorted(column for column in wanted if column >= e.width)
    found = []
    if missing:
        which = f"{e.columns.name} {missing[0]:,}"
        if len(missing) > 1:
            which = f"{which} and {len(missing) - 1:,} more"
        found.append(f"Not drawn: {which}, as there are only {e.columns.counted(e.width)}.")
    there = len(wanted) - len(missing)
    if there > MOST_CURVES:
        found.append(
            f"{MOST_CURVES} of {there:,} are drawn, evenly chosen: more would be a tangle."
        )
    reasons = ((pin, why_no_curve(state, options, numbers.columns, pin)) for pin in state.pins)
    without = [(distinguishing_name(pin, e), why) for pin, why in reasons if why]
    return [*found, *(f"{name} has no curve: {why}." for name, why in without)]


def _distances(state: Exploration, numbers: WavesNumbers) -> str:
    """Return how far apart what the lines read off is."""
    vectors, symbol = numbers.vectors, require_known(state.encoding).rows.symbol
    parts = []
    for one, two in itertools.combinations(range(len(vectors)), 2):
        ends = (place_text(vectors[place].position) for place in (one, two))
        text = distance_text(float(numbers.distances[one, two]), vectors[one], vectors[two])
        parts.append(f"{' to '.join(ends)} is {text}")
    what = distance.measure(state.metric, f"{symbol} = {', '.join(parts)}")
    return f"Read off, the {what}."


_READ_OFF_HELP = "What the line reads off of the curves: {}."
_DISTANCE_HELP = "How far apart what the two lines read off is, measured by the {}."
_ROWS_HELP = "How far apart the whole rows of the two are, with all {}."


def inspect(state: Exploration, options: WavesOptions, value: Inspection) -> Inspection:
    """Return what is known of the value at the cursor, then what the lines read off."""
    e, columns = require_known(state.encoding), shown(state, options)
    distance_help = _DISTANCE_HELP.format(distance.measure(state.metric))
    of_columns = _READ_OFF_HELP.format(", ".join(named(e, column) for column in columns))
    vectors = read_off(e, columns, options)
    values = list(value.values)
    for vector in vectors:
        texts = ", ".join(map(number_text, vector.heights.tolist()))
        values.append(Value(line_title(state, vector.position), texts, of_columns))
    pairs = () if options.shows_angles else itertools.combinations(vectors, 2)
    for first, second in pairs:
        one, two = first.position, second.position
        ends = f"{place_text(one)} to {place_text(two)}"
        apart = distance_between(e, first, second, state.metric)
        values.append(
            Value(f"Read off, {ends}", distance_text(apart, first, second), distance_help)
        )
        whole = _between_rows(state, one, two)
        values.append(Value(f"Rows, {ends}", whole, _ROWS_HELP.format(e.columns.plural)))
    return value._replace(values=tuple(values))


def _between_rows(state: Exploration, one: float, two: float) -> str:
    """Return the distance of two whole rows as text."""
    e, metric = require_known(state.encoding), state.metric
    try:
        if distance.is_undetermined(e, one, two, metric):
            return NOT_DETERMINED
        return number_text(distance.between(e, one, two, metric))
    except EncodingError:  # no row there
        return number_text(math.nan)
