"""Why there are no distances to show: no rows, or rows from which a metric measures nothing."""

import math

from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import why_other_rows
from pe_explorer.encodings import Encoding, Stored, Unknown, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.params import capitalised

_NEARLY_EQUAL = "numbers so nearly equal that its correlation with others is not determined"
_EQUAL = "no two numbers that differ by much, or some that are not finite"


def has_rows(state: Exploration, e: Encoding) -> bool:
    """Return whether there are rows for the reference and for some of what is shown."""
    return state.reference in e.domain and _shows_rows(state, e)


def _shows_rows(state: Exploration, e: Encoding) -> bool:
    """Return whether there are rows for some of what is shown."""
    return bool(blocks_inside(state.start, 1, state.count, e.domain))


def why_no_curve(state: Exploration, e: Encoding | Unknown, metric: str) -> str:
    """Return why an encoding has no curve by a metric, without a full stop."""
    if isinstance(e, Unknown):
        return e.problem
    if problem := why_other_rows(require_known(state.encoding), e):
        return problem
    name, reference = e.rows.name, state.reference
    if not has_rows(state, e):
        if e.shortage or reference in e.domain:
            return _why_no_rows(e)
        problem = f"{e.called()} has no row for the {name} {reference:,} to measure from"
        return f"{problem}: {_rows_of(e)}"
    if metric == distance.SCORE_BOUND:
        return needs.score_bound(e)
    row = f"{capitalised(name)} {reference:,}"
    remedy = f"choose another metric, or another {name} to measure from"
    if metric == "correlation" and _is_nearly_constant(e, reference):
        return f"{row} has {_NEARLY_EQUAL}; {remedy}"
    if metric == "correlation":
        return f"{row} has {_EQUAL}, so nothing can correlate with it; choose another metric"
    if distance.base_of(metric) != "cosine":
        what = distance.measure(metric, "any row shown")
        return f"{row} has no finite {what}; {remedy}"
    return f"{row} has {_zeros(e)}, so no angle can be measured from it; {remedy}"


def _is_nearly_constant(e: Encoding, position: int) -> bool:
    """Return whether the numbers of a row differ, but hardly; False for a file, left unread."""
    if isinstance(e, Stored):
        return False
    return not math.isnan(distance.between(e, position, position, "correlation"))


def why_no_matrix(state: Exploration, e: Encoding) -> str:
    """Return why there is no distance between any two of the rows shown, without a full stop."""
    if not _shows_rows(state, e):
        return _why_no_rows(e)
    if state.metric == "correlation":
        return f"every row shown has {_EQUAL}, so none can correlate; choose another metric"
    if distance.base_of(state.metric) != "cosine":
        what = distance.measure(state.metric)
        return f"No two rows shown have a finite {what}; choose another metric"
    shown = f"every row shown has {_zeros(e)}, so no angle can be measured"
    return f"{shown}; choose another metric"


def _why_no_rows(e: Encoding) -> str:
    """Return why there are no rows for what is shown."""
    plural = e.rows.plural
    if e.shortage:
        return f"{e.name} has no rows for the {plural} shown: {e.shortage}"
    return f"{e.called()} has no rows for the {plural} shown: {_rows_of(e)}"


def _rows_of(e: Encoding) -> str:
    first, last = e.domain[0], e.domain[-1]
    span = f"{first:,} to {last:,}"
    return f"it has rows for the {e.rows.plural} {span} only"


def _zeros(e: Encoding) -> str:
    """Return what rows without a direction are made of."""
    finite = not isinstance(e, Stored) or e.stored.not_finite == 0
    return "only zeros" if finite else "only zeros, or numbers that are not finite"


def why_no_curve_in_few_words(state: Exploration, e: Encoding | Unknown, metric: str) -> str:
    """Return why an encoding has no curve, as briefly as a legend needs."""
    if isinstance(e, Unknown):
        return "no table" if e.locate else "not known here"
    if why_other_rows(require_known(state.encoding), e):
        return f"its rows are {e.rows.plural}"
    if state.reference not in e.domain:
        return f"no row for {state.reference:,}"
    if not has_rows(state, e):
        return "no rows here"
    place = f"{e.rows.name} {state.reference:,}"
    return f"no {distance.measure(metric, place)}"
