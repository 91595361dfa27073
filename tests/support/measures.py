"""What each metric is called on axes, in tables, sentences and files, written anew; minus signs."""

MEASURES = {
    "cosine": "cosine distance from",
    "dot": "dot product with",
    "euclidean": "Euclidean distance from",
    "sse": "sum of squared errors from",
    "manhattan": "Manhattan distance from",
    "chebyshev": "Chebyshev distance from",
    "correlation": "correlation distance from",
}
"""By metric; the place follows, such as ``position 0``."""


def hyphened(text):
    """Return a text with hyphens in the place of its minus signs, as Python reads numbers."""
    return text.replace("−", "-")


def brief(metric):
    """Return the same without a place: ``cosine distance``."""
    return MEASURES[metric].rpartition(" ")[0]
