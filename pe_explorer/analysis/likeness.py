"""The drawn similarity of rows: a similarity if the metric has one, otherwise a distance."""

from typing import TypeVar

from pe_explorer.analysis.distance import MEASURES, base_of, is_similarity, measure
from pe_explorer.arrays import Floats

Number = TypeVar("Number", float, Floats)


def is_angle(metric: str) -> bool:
    """Return whether the drawn values are always between -1 and 1."""
    return base_of(metric) in ("cosine", "correlation")


def increases_with_similarity(metric: str) -> bool:
    """Return whether larger drawn values mean more similar rows."""
    return is_angle(metric) or is_similarity(metric)


def title(metric: str, place: str = "") -> str:
    """Return the title of the drawn values: the name of a similarity or of a distance."""
    if not is_angle(metric) or is_similarity(metric):
        return measure(metric, place)
    name = MEASURES["similarity"] if metric == "cosine" else "correlation"
    return f"{name} with {place}" if place else name


def as_likeness(values: Number, metric: str) -> Number:
    """Return the values to draw for distances."""
    return 1 - values if is_angle(metric) and not is_similarity(metric) else values
