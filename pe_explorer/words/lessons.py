"""Facts that only lessons use."""

from pe_explorer.words.facts import FACTS, Facts


def _hand_turns(facts: Facts) -> list[float]:
    """Return the turns of each pair at the cursor, from the first pair on."""
    waves = facts.waves
    return [sum(waves.turn(pair, facts.state.position)) for pair in range(waves.pairs)]


FACTS |= {
    "hand_turns": _hand_turns,  # hand_turns[1] is the second pair
    "unseen": lambda facts: len(facts["report"].new),  # pairs that reach unseen angles
}
