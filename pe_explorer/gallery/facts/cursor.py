"""Facts of the cursor: where it is, what is there, and how far the first hand has turned."""

from pe_explorer.analysis import distance
from pe_explorer.gallery.facts.set_up import NoFactError, SetUp, fact


@fact
def position(of: SetUp) -> int:
    """Return the position of the cursor."""
    return of.state.position


@fact
def cursor_distance(of: SetUp) -> float:
    """Return the distance of the cursor's position from the reference, by the metric."""
    place, domain = of.state.position, of.e.domain
    of.require_few(of.e.width)
    if place not in domain or of.state.reference not in domain:
        raise NoFactError
    rows = range(place, place + 1)
    return float(distance.from_reference(of.e, of.state.reference, rows, of.state.metric)[0])


@fact
def first_hand_turns(of: SetUp) -> float:
    """Return how many turns the first pair has made at the cursor."""
    whole, part = of.waves.turn(0, of.state.position)
    return whole + part
