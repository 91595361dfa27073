"""How like two rows are, as a picture draws it: a likeness where there is one, else a distance."""

from pe_explorer.analysis.distance import measure
from pe_explorer.arrays import Floats


def is_angle(metric: str) -> bool:
    """Return whether a metric is 1 minus a likeness that reaches from -1 to 1."""
    return metric in ("cosine", "correlation")


def more_is_alike(metric: str) -> bool:
    """Return whether the greatest number that is drawn belongs to the rows most alike."""
    return is_angle(metric) or metric == "dot"


def title(metric: str, place: str = "") -> str:
    """Return what is drawn: a likeness, or a distance, which is small where two are alike."""
    if not is_angle(metric):
        return measure(metric, place)
    name = "cosine similarity" if metric == "cosine" else "correlation"
    return f"{name} with {place}" if place else name


def as_likeness(found: Floats, metric: str) -> Floats:
    """Return what is drawn for distances."""
    return 1 - found if is_angle(metric) else found
