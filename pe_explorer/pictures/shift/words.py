"""Facts of a shift: the block of the cursor's pair, and turns of the first and last pair."""

import math
from types import SimpleNamespace

from pe_explorer import pictures
from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.moved_rows import largest_differences, movable
from pe_explorer.analysis.shift import sparse_shift, why_none
from pe_explorer.encodings import Encoding, Steady
from pe_explorer.words import FACTS, Facts, fact, require

_RULES = (
    "cos(θ + kω) = cos θ · cos kω − sin θ · sin kω",
    "sin(θ + kω) = sin θ · cos kω + cos θ · sin kω",
)
"""The cosine and the sine k positions later, computed from the cosine and the sine of a row."""


def at_cursor(e: Encoding, k: int, position: int, place: int) -> SimpleNamespace:
    """Return facts of the block in a row of the matrix, and of its effect at a position."""
    if why := why_none(e, k):
        return SimpleNamespace(why=why)
    by = sparse_shift(e, k)
    diagonal, partner_values = by.diagonal + 0.0, by.partner_values + 0.0  # avoid negative zeros
    partner, is_sine = int(by.partner[place]), bool(by.sines[place])
    facts = SimpleNamespace(cosine=float(diagonal[place]))
    if partner >= 0:
        a, b = sorted((place, partner))
        facts.first_row, facts.second_row = a, b
        facts.upper = f"{diagonal[a]:+.6f}  {partner_values[b]:+.6f}"
        facts.lower = f"{partner_values[a]:+.6f}  {diagonal[b]:+.6f}"
        facts.sine = float(partner_values[place] if is_sine else -partner_values[place]) + 0.0
        facts.shift_angle = math.degrees(math.atan2(facts.sine, facts.cosine)) % 360
        if (
            facts.shift_angle
            and isinstance(e, Steady)
            and k * e.frequency(int(e.wave_of[place])) < 0
        ):
            facts.shift_angle -= 360
    if position not in movable(e, k):
        facts.missing_row = position + k
        return facts
    differences = largest_differences(e, k, by, range(position, position + 1))
    facts.residual = repr(float(differences[0]))
    if partner >= 0:
        row = moved_rows.rows(e, [position])[0]
        facts.rule, facts.keeps, facts.takes = (
            _RULES[is_sine],
            diagonal[place],
            partner_values[place],
        )
        facts.own_number, facts.partner_number = row[place], row[partner]
        facts.moved_number = row[place] * diagonal[place] + row[partner] * partner_values[place]
    return facts


FACTS |= {
    # Angles in degrees, without whole turns, by which the matrix turns the first and the last pair,
    # and the values of its first block.
    "first_turn_by": lambda of: _turn_by(of, 0),
    "last_turn_by": lambda of: _turn_by(of, of.waves.pairs - 1),
    "block_cosine": lambda of: math.cos(math.radians(_turn_by(of, 0))),
    "block_sine": lambda of: abs(math.sin(math.radians(_turn_by(of, 0)))),
}


@fact
def shift_by(of: Facts) -> int:
    """Return the shift in rows, if a single matrix exists."""
    number: int = pictures.find("shift")(of.state).options.k
    require(not why_none(of.e, number))
    return number


def _turn_by(of: Facts, pair: int) -> float:
    require(of.waves.pairs and of.waves.turns.fixed[pair])
    whole, part_of_turn = of.waves.turns.turn(pair, shift_by(of))
    return 360 * (part_of_turn - (whole < 0 < part_of_turn))  # negative for a backward turn
