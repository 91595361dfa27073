"""How like two rows are, as a picture draws it: a likeness where there is one, else a distance."""

from typing import TypeVar

from pe_explorer.analysis.distance import MEASURES, base_of, is_similarity, measure
from pe_explorer.arrays import Floats

Number = TypeVar("Number", float, Floats)


def is_angle(metric: str) -> bool:
    """Return whether the numbers that are drawn reach from -1 to 1, whatever the rows are."""
    return base_of(metric) in ("cosine", "correlation")


def more_is_alike(metric: str) -> bool:
    """Return whether the greatest number that is drawn belongs to the rows most alike."""
    return is_angle(metric) or is_similarity(metric)


def title(metric: str, place: str = "") -> str:
    """Return what is drawn: a likeness, or a distance, which is small where two are alike."""
    if not is_angle(metric) or is_similarity(metric):
        return measure(metric, place)
    name = MEASURES["similarity"] if metric == "cosine" else "correlation"
    return f"{name} with {place}" if place else name


def as_likeness(found: Number, metric: str) -> Number:
    """Return what is drawn for distances, or for a distance."""
    return 1 - found if is_angle(metric) and not is_similarity(metric) else found
