"""Reasons for missing distances: missing rows, or a metric that is undefined for the rows."""

from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import explain_different_rows
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import clip_positions


def no_rows_reason(state: Exploration, e: Encoding | Unknown) -> str:
    """Return why an encoding has no rows in the range, without a full stop, or "" if it has."""
    if isinstance(e, Unknown):
        return e.problem
    problem = explain_different_rows(require_known(state.encoding), e)
    if problem or clip_positions(state.positions, e.domain):
        return problem
    return f"{e.format_name()} has no rows for the {e.rows.plural} shown: {_explain_missing_row(e)}"


def _explain_missing_row(e: Encoding) -> str:
    if e.no_rows_reason:
        return e.no_rows_reason
    return f"it has rows only for {e.rows.plural} {e.domain[0]:,} to {e.domain[-1]:,}"


def explain_no_distance(
    state: Exploration, e: Encoding | Unknown, metric: str, *, is_pairwise: bool = False
) -> str:
    """Return why the rows shown have no distances from the reference position.

    If `is_pairwise` is set, return why they have none from each other. There is no full stop.
    """
    problem = no_rows_reason(state, e)
    if problem or isinstance(e, Unknown):
        return problem
    rows, measure, remedy = e.rows, distance.measure(metric), "choose another metric"
    if is_pairwise:
        first = clip_positions(state.positions, e.domain)[0]
        why = distance.explain_undefined_distance(e, first, metric)
        why = f", because {rows.name} {first:,} has {why}" if why else ""
        return f"no two {rows.plural} shown have a {measure}{why}; {remedy}"
    row = f"{rows.name} {state.reference:,}"
    if state.reference not in e.domain:
        return f"{e.format_name()} has no row for the reference, {row}: {_explain_missing_row(e)}"
    if metric == distance.SCORE_BOUND:
        return needs.score_bound(e)
    remedy = f"{remedy} or another reference"
    if why := distance.explain_undefined_distance(e, state.reference, metric):
        return f"{row} has {why}, so it has no {measure}; {remedy}"
    if metric == "correlation":
        why = "values so similar that rounding error dominates its correlation"
        return f"{row} has {why}; {remedy}"
    return f"{row} has no finite {distance.measure(metric, 'any row shown')}; {remedy}"


def explain_no_curve_briefly(state: Exploration, e: Encoding | Unknown, metric: str) -> str:
    """Return a brief reason why an encoding has no curve, for a legend."""
    if isinstance(e, Unknown):
        return "no table" if e.missing_file_parameter else "unknown encoding"
    if explain_different_rows(require_known(state.encoding), e):
        return f"its rows are {e.rows.plural}"
    if state.reference not in e.domain:
        return f"no row for {state.reference:,}"
    if not clip_positions(state.positions, e.domain):
        return "no rows here"
    return f"no {distance.measure(metric, f'{e.rows.name} {state.reference:,}')}"
