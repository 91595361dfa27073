"""The evidence in words: what the table of properties says, in short and in full."""

from collections.abc import Iterator

from pe_explorer.analysis.distance import measure
from pe_explorer.analysis.shift import why_none
from pe_explorer.analysis.wishes import Evidence, metric_of_pairs
from pe_explorer.encodings import LIMIT, Axis, Encoding, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.named import every_encoding, named_encodings
from pe_explorer.pictures.properties import likeness
from pe_explorer.pictures.properties.numbers import Found, PropertiesNumbers, PropertiesOptions
from pe_explorer.pictures.table import Cell, Detail, TextTable, table_of_cells

_MEASURING = Detail("This is being measured.")
_WAIT = "…"
_NONE = "–"

WISHES = (
    "Distance grows",
    "Between 0 and 1",
    "Length-independent",
    "Deterministic",
    "Unique positions",
    "Linear shift",
)
"""First the four of document 002, in its order, then what else can be measured."""


def table(state: Exploration, options: PropertiesOptions, numbers: PropertiesNumbers) -> TextTable:
    """Return what the table names, with a column for each encoding."""
    shown = every_encoding(state)
    columns: list[list[Cell]] = [[] for _ in shown]
    titles: list[str] = []
    if options.names_wishes:
        titles += WISHES
        for column, e, found in zip(columns, shown, numbers.evidence, strict=True):
            column += _wishes(state, e, found)
    if options.names_look_alikes:
        titles += likeness.titles(state)
        for column, alikes in zip(columns, numbers.likeness.alikes, strict=True):
            column += likeness.cells(state, alikes)
    rows = zip(titles, zip(*columns, strict=True), strict=True)
    spare = len(titles) - (1 if options.part == "look-alikes" else len(WISHES))
    names = (each.brief for each in named_encodings(state))
    return table_of_cells(names, rows, spare)


def measured(state: Exploration, numbers: PropertiesNumbers) -> str:
    """Return in a sentence at which positions the evidence was found, and how."""
    found = numbers.evidence[0] if numbers.evidence else None
    if isinstance(found, str):
        return found
    if found is None:
        return "The evidence is being measured." if numbers.evidence else ""
    rows = require_known(state.encoding).rows
    places, count = found.positions, len(found.positions)
    of_all = f" of the {state.count:,} shown" if count < state.count else ""
    span = f"{places[0]:,} to {places[-1]:,}"
    what = measure(state.metric, f"{rows.name} {state.reference:,}")
    return f"Measured at {rows.counted(count)}{of_all}, {span}, by the {what}."


def _wishes(state: Exploration, e: object, found: Found) -> Iterator[Cell]:
    """Yield the evidence for each wish."""
    if found is None or isinstance(found, str) or not isinstance(e, Encoding):
        text = _WAIT if found is None else _NONE
        detail = _MEASURING if found is None else Detail(str(found), in_full=True)
        yield text, detail
        for _ in WISHES[1:]:
            yield text, detail._replace(in_full=False)
        return
    yield _grows(e, found, state)
    yield _bounded(e, found)
    yield _length(e, found)
    yield _deterministic(e, found)
    yield _unique(e, found, state.metric)
    yield _shift(e, found)


def _bounded(e: Encoding, found: Evidence) -> Cell:
    if found.extremes is None:
        return "no number", Detail("No number of these rows is finite.", in_full=True)
    low, high = found.extremes
    measured_range = f"{printed.rounded(low.value)} to {printed.rounded(high.value)}"
    where = f"The least number is at {_place(e, low)}, the greatest at {_place(e, high)}"
    farthest = high if abs(high.value) >= abs(low.value) else low
    there = {"position": farthest.position, "dimension": farthest.column}
    bounds = e.value_range
    if bounds is None:
        always = "no formula bounds the numbers of other rows"
        answer = "yes here" if low.value >= 0 and high.value <= 1 else "no"
        words = f"{answer}: from {measured_range}, without a bound elsewhere"
        return f"{answer}: {measured_range}, no bound", Detail(
            f"{where}; {always}.", there, words=words
        )
    least, most = map(printed.rounded, bounds)
    always = f"no row has any below {least} or above {most}"
    answer = "yes" if bounds[0] >= 0 and bounds[1] <= 1 else "no"
    words = f"{answer}: all numbers are from {measured_range}"
    return f"{answer}: {measured_range}", Detail(f"{where}; {always}.", there, words=words)


def _length(e: Encoding, found: Evidence) -> Cell:
    if found.longer is not None:
        longer, difference = found.longer
        new = longer.value(difference.position, difference.column)
        old, new_text = printed.rounded(new - difference.value), printed.rounded(new)
        sentence = (
            f"For a text twice as long, {_place(e, difference)} is {new_text} in place of {old}."
        )
        there = {"position": difference.position, "dimension": difference.column}
        words = f"no: in a text twice as long, {old} becomes {new_text}"
        return f"no: {old} becomes {new_text}", Detail(sentence, there, words=words)
    if len(e.domain) <= LIMIT:
        first, last = e.domain[0], e.domain[-1]
        sentence = f"A text can be no longer than its rows: {first:,} to {last:,}."
        words = f"no: its rows end at {e.rows.name} {last:,}"
        return f"no: rows to {last:,}", Detail(sentence, {"position": last}, words=words)
    words = "yes: the length of a text changes no number"
    return "yes: in any text", Detail("No parameter is the length of a text.", words=words)


def _deterministic(e: Encoding, found: Evidence) -> Cell:
    if found.repeated == 0:
        same = f"The table of {e.rows.counted(len(found.positions))} was made twice"
        sentence = f"{same}, and each number was the same to the last bit."
        return "yes: the same twice", Detail(
            sentence, words="yes: made twice, each number is the same"
        )
    size = printed.rounded(found.repeated)
    sentence = f"Made twice, two numbers differ by {size}."
    words = f"no: made twice, numbers differ by up to {size}"
    return f"no: differs by {size}", Detail(sentence, words=words)


def _unique(e: Encoding, found: Evidence, metric: str) -> Cell:
    pair = found.closest
    if pair is None:
        why = f"No two of these {e.rows.plural} have a {measure(metric_of_pairs(metric))}."
        return "no pair", Detail(why, in_full=True)
    first, second, size = f"{pair.first:,}", f"{pair.second:,}", printed.rounded(pair.distance)
    there = {"position": pair.first, "second": pair.second}
    name = measure(metric_of_pairs(metric))
    sentence = f"The closest two {e.rows.plural} are {first} and {second}, at a {name} of {size}."
    answer = "yes" if pair.distance > 0 else "no"
    words = f"{answer}: closest pair {first} and {second}, distance {size}"
    return f"{answer}: {size}, {first} and {second}", Detail(sentence, there, words=words)


def _grows(e: Encoding, found: Evidence, state: Exploration) -> Cell:
    reference, growth, rows = state.reference, found.growth, e.rows
    if growth is None:
        if reference not in e.domain:
            why = f"There is no row for {rows.name} {reference:,} to measure from."
        else:
            why = f"The row of {rows.name} {reference:,} has no {measure(state.metric, 'any')}."
        return "none", Detail(why, in_full=True)
    if not growth.steps and len(found.positions) > 1:
        why = f"No two {rows.plural} that follow each other have a {measure(state.metric, 'it')}."
        return "none", Detail(why, in_full=True)
    if not growth.steps:
        return "no steps", Detail(f"One {rows.name} alone makes no step.", in_full=True)
    share = f"{growth.growing:,} of {growth.steps:,}"
    away = f"Of {growth.steps:,} steps away from {rows.name} {reference:,}"
    first = growth.first_exception
    if first is None:
        words = f"yes: grows in all {growth.steps:,} steps"
        sentence = f"{away}, every one makes the distance grow."
        return f"yes: {share}", Detail(sentence, words=words)
    grows = f"{away}, {growth.growing:,} make the distance grow"
    sentence = f"{grows}; the first that does not is the one to {first:,}."
    there = {"position": first, "reference": reference}
    does = "falls" if growth.falls else "stays the same"
    words = f"no: {does} first at {first:,}; grows in {share} steps"
    return f"no: {does} first at {first:,}", Detail(sentence, there, words=words)


def _shift(e: Encoding, found: Evidence) -> Cell:
    if why := why_none(e):
        return "no: no one matrix", Detail(f"{capitalised(why)}.", in_full=True)
    if found.residual is None:
        why = f"None of these {e.rows.plural} has a row one later."
        return "no rows", Detail(why, in_full=True)
    residual = found.residual
    size = printed.error(residual.value)
    what = f"One matrix moves every row by 1; the largest residual is {size}"
    where = f"at {e.rows.name} {residual.position:,}"
    words = f"yes: one matrix moves every row, residual {size}"
    there = {"position": residual.position}
    return f"yes: residual {size}", Detail(f"{what}, {where}.", there, words=words)


def _place(e: Encoding, found: object) -> str:
    """Return where a number is."""
    rows: Axis = e.rows
    position, column = found.position, found.column  # type: ignore[attr-defined]
    return f"{rows.name} {position:,}, {e.columns.named(e.column_title(column))}"
