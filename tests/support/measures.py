"""Metrics: their names on axes, in tables and files, and their distances as NumPy has them."""

import numpy as np
from scipy.spatial.distance import cdist

MEASURES = {
    "cosine": "cosine distance from",
    "similarity": "cosine similarity with",
    "dot": "dot product with",
    "normalised-dot": "normalised dot product with",
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


def usual_distances(metric, a, b):
    """Return all distances between the rows of two tables, as everybody writes them."""
    if metric == "dot":
        return a @ b.T
    if metric == "normalised-dot":
        return a @ b.T / (a.shape[1] / 2)
    if metric == "similarity":
        return 1 - usual_distances("cosine", a, b)
    if metric == "correlation":
        return usual_distances("cosine", *map(_centred, (a, b)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return cdist(a, b, {"sse": "sqeuclidean", "manhattan": "cityblock"}.get(metric, metric))


def _centred(rows):
    """Return rows less their means; exactly zero where the numbers of a row are equal."""
    return (rows - rows.mean(axis=1, keepdims=True)) * (np.ptp(rows, axis=1, keepdims=True) > 0)
