"""What the view of shifts says of the cursor: the block of its pair, and the proof in numbers."""

import math

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.moved_rows import largest_differences, movable
from pe_explorer.analysis.shift import SparseShift, sparse_shift, why_none
from pe_explorer.encodings import Encoding, EncodingError, Rotary, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.inspection import Inspection, Value
from pe_explorer.pictures.shift.numbers import ShiftOptions

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
