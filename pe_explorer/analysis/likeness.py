"""The values that plots show for a metric: similarities if possible, otherwise distances."""

from typing import TypeVar

from pe_explorer.analysis.distance import METRIC_NAMES, find_base_metric, is_similarity, measure
from pe_explorer.arrays import Floats

Number = TypeVar("Number", float, Floats)


def is_angle(metric: str) -> bool:
    """Return whether the values shown for a metric are always between -1 and 1."""
    return find_base_metric(metric) in ("cosine", "correlation")


def increases_with_similarity(metric: str) -> bool:
    """Return whether larger values shown for a metric mean more similar rows."""
    return is_angle(metric) or is_similarity(metric)


def title(metric: str, place: str = "") -> str:
    """Return the title of the values shown for a metric: a similarity or a distance."""
    if not is_angle(metric) or is_similarity(metric):
        return measure(metric, place)
    name = METRIC_NAMES["similarity"] if metric == "cosine" else "correlation"
    return f"{name} with {place}" if place else name


def to_similarity(values: Number, metric: str) -> Number:
    """Convert values of a metric to the values that plots show."""
    return 1 - values if is_angle(metric) and not is_similarity(metric) else values
