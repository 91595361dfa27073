"""Facts about a shift: the cursor's matrix block, and turns of the first and last pair."""

import math
from types import SimpleNamespace

from pe_explorer import pictures
from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.moved_rows import compute_max_differences, movable_positions
from pe_explorer.analysis.shift import build_sparse_shift, explain_no_matrix
from pe_explorer.encodings import Encoding, Steady
from pe_explorer.words import FACTS, Facts, register_fact, require

_ADDITION_RULES = (
    "cos(θ + kω) = cos θ · cos kω − sin θ · sin kω",
    "sin(θ + kω) = sin θ · cos kω + cos θ · sin kω",
)  # the cosine and the sine after a shift by k, computed from the values before the shift


def make_block_facts(e: Encoding, k: int, position: int, row: int) -> SimpleNamespace:
    """Return facts about the matrix block that contains `row`, and its effect at `position`."""
    if why := explain_no_matrix(e, k):
        return SimpleNamespace(why=why)
    shift = build_sparse_shift(e, k)
    # Adding 0.0 turns -0.0 into 0.0, so that zeros are shown without a minus sign.
    diagonal, partner_values = shift.diagonal + 0.0, shift.partner_values + 0.0
    partner, is_sine = int(shift.partner[row]), bool(shift.sines[row])
    facts = SimpleNamespace(cosine=float(diagonal[row]))
    if partner >= 0:
        a, b = sorted((row, partner))
        facts.first_row, facts.second_row = a, b
        facts.upper = f"{diagonal[a]:+.6f}  {partner_values[b]:+.6f}"
        facts.lower = f"{partner_values[a]:+.6f}  {diagonal[b]:+.6f}"
        facts.sine = float(partner_values[row] if is_sine else -partner_values[row]) + 0.0
        angle = math.degrees(math.atan2(facts.sine, facts.cosine)) % 360
        is_backward = isinstance(e, Steady) and k * e.frequency(int(e.wave_indices[row])) < 0
        facts.shift_angle = angle - 360 if angle and is_backward else angle
    if position not in movable_positions(e, k):
        facts.missing_row = position + k
        return facts
    differences = compute_max_differences(e, k, shift, range(position, position + 1))
    facts.residual = repr(float(differences[0]))
    if partner >= 0:
        values = moved_rows.rows(e, [position])[0]
        facts.own_number, facts.partner_number = values[row], values[partner]
        facts.keeps, facts.takes = diagonal[row], partner_values[row]
        facts.moved_number = facts.own_number * facts.keeps + facts.partner_number * facts.takes
        facts.rule = _ADDITION_RULES[is_sine]
    return facts


FACTS |= {
    # The angles in degrees, modulo 360, by which the shift rotates the first and the last pair,
    # followed by the values in the first block of the matrix.
    "first_turn_by": lambda facts: _compute_turned_degrees(facts, 0),
    "last_turn_by": lambda facts: _compute_turned_degrees(facts, facts.waves.pairs - 1),
    "block_cosine": lambda facts: math.cos(math.radians(_compute_turned_degrees(facts, 0))),
    "block_sine": lambda facts: abs(math.sin(math.radians(_compute_turned_degrees(facts, 0)))),
}


@register_fact
def shift_by(facts: Facts) -> int:
    """Return the shift k; raise `NoFactError` if no single matrix moves all rows."""
    k: int = pictures.find("shift")(facts.state).options.k
    require(not explain_no_matrix(facts.e, k))
    return k


def _compute_turned_degrees(facts: Facts, pair: int) -> float:
    require(facts.waves.pairs and facts.waves.turns.fixed[pair])
    whole, fraction = facts.waves.turns.turn(pair, shift_by(facts))
    return 360 * (fraction - (whole < 0 < fraction))  # negative for a backward turn
