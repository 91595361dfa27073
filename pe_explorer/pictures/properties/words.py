"""The table of properties: evidence, and the positions most similar to the cursor's position."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from pe_explorer.analysis.distance import measure
from pe_explorer.analysis.likeness import title
from pe_explorer.analysis.properties import LocatedNumber
from pe_explorer.analysis.shift import explain_no_matrix
from pe_explorer.analysis.wishes import Evidence, choose_pair_metric
from pe_explorer.encodings import LIMIT, Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.params import printed
from pe_explorer.pictures.properties.likeness import RankedPositions
from pe_explorer.pictures.table import Cell, Detail
from pe_explorer.words import FACTS
from pe_explorer.words.texts import Wording

COMPUTING_SENTENCE = "The evidence is being computed."
EvidenceOrReason = Evidence | str  # evidence, or a sentence that explains why it is missing
EvidenceRow = tuple[str, Cell]  # title of a row, and its cell for one encoding

FACTS |= {
    "likeness_measure": lambda facts: title(facts.state.metric),
    "has_scales": lambda facts: set(facts.numbers.likeness.factors) != {1.0},
    "last_measured": lambda facts: facts.numbers.evidence[0].evidence.positions[-1],
}


def make_evidence_rows(
    wording: Wording, state: Exploration, e: Encoding | Unknown, evidence: EvidenceOrReason
) -> Iterator[EvidenceRow]:
    """Yield a row for each property, with the evidence or the reason why it is missing."""
    if isinstance(e, Unknown) or not isinstance(evidence, Evidence):
        is_computing, why = evidence == COMPUTING_SENTENCE, str(evidence)
        for row, name in enumerate(wording.names("wishes")):
            detail = Detail(why, can_show_sentence=row == 0 and not is_computing)
            yield name, ("…" if is_computing else "–", detail)
        return
    wording = wording.with_item(_make_evidence_facts(state, e, evidence))
    row_fields = _find_evidence_fields(state, e, evidence)
    for entry, fields in zip(wording.entries("wishes"), row_fields, strict=True):
        detail = Detail(
            entry.help, fields, can_show_sentence=not entry.in_words, words=entry.in_words
        )
        yield entry.name, (entry.text, detail)


def _make_evidence_facts(state: Exploration, e: Encoding, evidence: Evidence) -> SimpleNamespace:
    # Imported here so that the program starts faster.
    from pe_explorer.quantities.evidence import collect_evidence_values

    growth, pair = evidence.growth, evidence.closest_positions
    facts: dict[str, Any] = collect_evidence_values(evidence)
    facts["measured"] = len(evidence.positions)
    facts["first_exception"] = growth.first_exception if growth else None
    facts["missing_reference"] = None if state.reference in e.domain else state.reference
    facts["change"] = "falls" if growth and growth.is_decreasing else "stays the same"
    facts["pair_measure"] = measure(choose_pair_metric(state.metric))
    facts["is_distinct"] = "yes" if pair and pair.distance > 0 else "no"
    if evidence.extremes:
        facts |= _make_bound_facts(e, *evidence.extremes)
    if evidence.longer:
        longer, difference = evidence.longer
        facts["new"] = longer.value(difference.position, difference.column)
        facts["old"] = facts["new"] - difference.value
        facts["longer_place"] = _format_location(e, difference)
    elif len(e.domain) <= LIMIT:
        facts["first_row"], facts["last_row"] = e.domain[0], e.domain[-1]
    if evidence.residual:
        facts["residual"] = printed.error(evidence.residual.value)
        facts["residual_row"] = evidence.residual.position
    elif why := explain_no_matrix(e):
        facts["has_no_matrix"], facts["why_no_matrix"] = True, why
    return SimpleNamespace(**facts)


def _make_bound_facts(e: Encoding, low: LocatedNumber, high: LocatedNumber) -> dict[str, Any]:
    min_value, max_value = e.value_range or (low.value, high.value)
    answer = "yes" if min_value >= 0 and max_value <= 1 else "no"
    facts: dict[str, Any] = {
        "least_place": _format_location(e, low),
        "greatest_place": _format_location(e, high),
    }
    if e.value_range:
        return facts | {"is_bounded": answer, "least_bound": min_value, "greatest_bound": max_value}
    answer = "yes here" if answer == "yes" else answer
    return facts | {"is_bounded": answer, "is_unbounded": True}


def _format_location(e: Encoding, located_number: LocatedNumber) -> str:
    column = e.columns.add_noun(e.format_column_title(located_number.column))
    return f"{e.rows.name} {located_number.position:,}, {column}"


def _find_evidence_fields(
    state: Exploration, e: Encoding, evidence: Evidence
) -> Iterator[dict[str, int]]:
    first = evidence.growth.first_exception if evidence.growth else None
    yield {} if first is None else {"position": first, "reference": state.reference}
    extremes = reversed(evidence.extremes or ())
    extreme_number = max(extremes, key=lambda number: abs(number.value), default=None)
    yield (
        {}
        if extreme_number is None
        else {"position": extreme_number.position, "dimension": extreme_number.column}
    )
    if evidence.longer:
        yield {"position": evidence.longer[1].position, "dimension": evidence.longer[1].column}
    else:
        yield {"position": e.domain[-1]} if len(e.domain) <= LIMIT else {}
    yield {}
    pair = evidence.closest_positions
    yield {"position": pair.first, "second": pair.second} if pair else {}
    yield {"position": evidence.residual.position} if evidence.residual else {}


def make_similar_rows(
    wording: Wording, state: Exploration, ranked_positions: RankedPositions | None
) -> Iterator[EvidenceRow]:
    """Yield rows for the next position, the most similar positions, and the first closer one."""
    wording = wording.with_item(ranked_positions or RankedPositions())
    if ranked_positions is None:
        missing_reason = wording.text("no_row")
        for row, name in enumerate(wording.names("look-alikes")):
            yield name, ("–" if row else "none", Detail(missing_reason, can_show_sentence=not row))
        return
    positions = (*ranked_positions.next, *ranked_positions.ranks, *ranked_positions.nearer)
    for entry, position in zip(wording.entries("look-alikes"), positions, strict=True):
        # A click moves the reference, not the cursor, because the list depends on the cursor.
        fields = {"reference": position.alike} if entry.in_words else {}
        is_shown = fields == {"reference": state.reference}
        detail = Detail(entry.help, fields, words=entry.in_words, is_shown=is_shown)
        yield entry.name, (entry.text, detail)
