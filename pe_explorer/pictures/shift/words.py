"""What the view of shifts says: whether a matrix moves all rows, what it leaves, and the proof."""

import math

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.moved_rows import largest_differences, movable
from pe_explorer.analysis.precision import why_no_code
from pe_explorer.analysis.shift import SparseShift, sparse_shift, why_none
from pe_explorer.encodings import Axis, Encoding, EncodingError, Rotary, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.inspection import Inspection, Value
from pe_explorer.pictures.pixel_columns import PixelColumns
from pe_explorer.pictures.shift.numbers import ShiftNumbers, ShiftOptions

_NEARLY_0 = 0.02  # values below this share of the upper limit look like 0


def sentence(e: Encoding, options: ShiftOptions, numbers: ShiftNumbers) -> str:
    """Return whether a matrix moves every row by k, and how far rows are off."""
    k = options.k
    why = capitalised(why_none(e, k))
    if numbers.lack:
        problem = capitalised(numbers.lack)
        return f"{why}. {problem}." if why and why != problem else f"{problem}."
    if not why:
        moves = f"One matrix moves every row {_distance(e.rows, k)}."
        return f"{moves} {_residual(e.rows, k, numbers)}{_of_code(e, options, numbers)}"
    assert numbers.fit is not None
    fit = numbers.fit
    rows = f"{fit.rows:,} rows" if fit.rows > 1 else "1 row"
    if fit.rank == fit.rows:
        enough = f"show more than {moved_rows.width(e):,} to learn anything from it"
        return f"{why}. So few rows, {rows}, have a best fit by chance; {enough}."
    return f"{why}. The best fit to {rows} leaves differences up to {printed.error(fit.largest)}."


def _distance(rows: Axis, k: int) -> str:
    """Return how far rows are moved, in words."""
    if not k:
        return "nowhere: it stays as it is"
    direction = "on" if k > 0 else "back"
    return f"{direction} by {rows.counted(abs(k))}"


def _residual(rows: Axis, k: int, numbers: ShiftNumbers) -> str:
    """Return the largest difference of the rows that were measured."""
    if numbers.largest is None:
        return f"No {rows.name} shown has a row {k:,} after it."
    measured, where = rows.counted(numbers.measured), f"{rows.name} {numbers.at:,}"
    if numbers.measured == 1:
        residual = f"is left with a residual of {printed.error(numbers.largest)}"
        return f"The row of {where} {residual if numbers.largest else 'is met exactly'}."
    if not numbers.largest:
        return f"The rows of {measured} are all met exactly."
    return f"The largest residual of {measured} is {printed.error(numbers.largest)}, at {where}."


def _of_code(e: Encoding, options: ShiftOptions, numbers: ShiftNumbers) -> str:
    """Return how far rows are off that code makes, or why it makes none; mostly an empty text."""
    if options.part != "residual" or options.code == "exact":
        return ""
    if numbers.of_code is not None:
        if numbers.largest is None:
            return ""
        largest = printed.error(float(np.nanmax(numbers.of_code)))
        return f" Rows of {options.code} code are off by up to {largest}."
    problem = why_no_code(e, options.k, options.code)
    return f" {capitalised(problem)}." if problem else ""


def pixels(e: Encoding, options: ShiftOptions, numbers: ShiftNumbers) -> str:
    """Return in a sentence what a pixel stands for, where it is more than one number."""
    shown = {
        "matrix": badge_of_matrix(e, numbers),
        "tables": badge_of_table(e, numbers, numbers.columns[0]),
        "residual": "",
    }[options.part]
    if options.part == "residual" and numbers.block > 1:
        return f" The curve shows the middle one of each {e.rows.counted(numbers.block)}."
    if options.part == "tables" and _cancel(numbers):
        return f" Each pixel shows the {shown}, nearly 0 everywhere: zoom in to see rows."
    return f" Each pixel shows the {shown}." if shown else ""


def _cancel(numbers: ShiftNumbers) -> bool:
    """Return whether so many positions are in a pixel that nothing is seen of any wave."""
    if numbers.tables is None or numbers.block == 1:
        return False
    values, _, (_, high) = numbers.tables[1]
    largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    return bool(largest < _NEARLY_0 * high)


def badge_of_matrix(e: Encoding, numbers: ShiftNumbers) -> str:
    """Return what a pixel shows that stands for many cells, or an empty text."""
    columns = moved_rows.columns(e).counted(numbers.group)
    which = "mean" if numbers.fit else "greatest"
    return f"{which} of {numbers.group:,} × {columns}" if numbers.group > 1 else ""


def badge_of_table(e: Encoding, numbers: ShiftNumbers, how: PixelColumns | None) -> str:
    """Return what a pixel shows of a table whose columns became pixels in this way."""
    rows = f"mean of {e.rows.counted(numbers.block)}" if numbers.block > 1 else ""
    columns = how.counted(moved_rows.columns(e).plural) if how else ""
    if how is None or not columns:
        return rows
    if how.kinds > 1:
        return f"{rows}, {columns}" if rows else columns
    return f"{rows} × {columns}" if rows else f"mean of {columns}"


# -- the cursor ------------------------------------------------------------------------------------


MAIN = "cos kω"
_SINE = "sin kω"
_NONE = "none"
_HELP = {
    MAIN: "What both numbers of the pair keep of themselves: twice on the block's diagonal.",
    _SINE: "What each takes of the other, one with the opposite sign: beside the diagonal.",
    "Angle": "By how much the clock of this pair turns, whole turns left out.",
    "Pair": "The rows and columns of the block.",
    "Row": "A row of the block: its numbers in the two columns.",
    "Residual": "The largest difference in the row that is moved from the true one.",
}


def place_of(e: Encoding, dimension: int) -> int:
    """Return the row of the matrix that a column of the table belongs to."""
    return dimension % e.rotary if isinstance(e, Rotary) else dimension


def column_at(e: Encoding, place: int) -> int | None:
    """Return a column of the table that belongs to a row of the matrix, None where none does."""
    return place if not isinstance(e, Rotary) or place < e.rotary else None


def inspect(state: Exploration, options: ShiftOptions) -> Inspection:
    """Return the block of the cursor's pair, and how far its row is from the true one."""
    e, k = require_known(state.encoding), options.k
    e.checked_column(state.dimension)
    if problem := why_none(e, k):
        lack = f"{capitalised(problem)}."
        return Inspection((Value(MAIN, _NONE, _HELP[MAIN]),), lack=lack, brief=("no block",))
    found, place = sparse_shift(e, k), place_of(e, state.dimension)
    cosine = float(found.kept[place])
    values = [Value(MAIN, repr(cosine), _HELP[MAIN])]
    brief = [f"cos kω {printed.fine(cosine, sign=True)}"]
    formula: tuple[str, ...] = ()
    partner = int(found.partner[place])
    if partner >= 0:
        taken = float(found.taken[place])
        sine = (taken if found.sines[place] else -taken) + 0.0  # no minus before a zero
        angle = math.degrees(math.atan2(sine, cosine)) % 360
        values.append(Value(_SINE, repr(sine), _HELP[_SINE]))
        values.append(Value("Angle", f"{angle:.10f}°", _HELP["Angle"]))
        values += _block(found, place, partner)
        brief += [f"sin kω {printed.fine(sine, sign=True)}", f"{angle:.2f}°"]
    residual, lack = _NONE, ""
    try:
        if state.position in movable(e, k):
            here = range(state.position, state.position + 1)
            residual = repr(float(largest_differences(e, k, found, here)[0]))
            formula = _proof(e, state.position, found, place)
        else:
            lack = f"There is no {e.rows.name} {state.position + k:,} to move to."
    except EncodingError as error:  # its file is gone
        lack = error.sentence
    values.append(Value("Residual", residual, _HELP["Residual"]))
    return Inspection(tuple(values), formula, lack, tuple(brief))


def _block(found: SparseShift, place: int, partner: int) -> list[Value]:
    """Return the rows of a block of two."""
    a, b = sorted((place, partner))
    upper = found.kept[a], found.taken[b]
    lower = found.taken[a], found.kept[b]
    return [
        Value("Pair", f"{a} and {b}", _HELP["Pair"]),
        Value(f"Row {a}", _side_by_side(*upper), _HELP["Row"]),
        Value(f"Row {b}", _side_by_side(*lower), _HELP["Row"]),
    ]


def _side_by_side(one: float, two: float) -> str:
    return f"{one + 0.0:+.6f}  {two + 0.0:+.6f}"  # no minus before a zero


def _proof(e: Encoding, position: int, found: SparseShift, place: int) -> tuple[str, ...]:
    """Return how one number of the row k later follows from two of this row."""
    partner = int(found.partner[place])
    if partner < 0:
        return ()
    one, other, sign = ("sin", "cos", "+") if found.sines[place] else ("cos", "sin", "−")
    row = moved_rows.rows(e, [position])[0]
    kept, taken = found.kept[place], found.taken[place]
    own, others = row[place], row[partner]
    return (
        f"{one}(θ + kω) = {one} θ · cos kω {sign} {other} θ · sin kω",
        f"= {own:+.6f} · {kept:+.6f} + {others:+.6f} · {taken:+.6f}",
        f"= {own * kept + others * taken:+.6f}",
    )
